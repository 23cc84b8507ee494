"""Learn the numbers of a model again from another table, and see what that gains."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from probtrees.experiment.registry import SMOOTHERS
from probtrees.experiment.validation.new_rows import read_new_rows, with_known_class
from probtrees.experiment.validation.re_estimate import Gain, gain_of_re_estimating, re_estimate
from probtrees.model.model import Model
from probtrees.table.read_options import ReadOptions
from probtrees.ui.shared.exports import MODEL, offer
from probtrees.ui.shared.session.jobs import Report, jobs, show_progress
from probtrees.words import p_text

_WANTED = "validate.again"
_TRIED = (0.0, 0.1, 0.5, 1.0)


def learn_again(
    model: Model, table: tuple[str, bytes], key: tuple[Any, ...], layout: ReadOptions
) -> None:
    """Ask how, measure what it gains on left-out new rows, and offer the new model."""
    left, right = st.columns(2)
    with left:
        names = list(SMOOTHERS)
        smoother = st.selectbox(
            "Smoother",
            names,
            index=names.index(model.smoother) if model.smoother in names else 0,
            format_func=lambda name: SMOOTHERS[name].label,
            key="validate.smoother",
        )
    with right:
        weight = st.slider(
            "An old row counts as much as ... new rows",
            0.0,
            1.0,
            0.5,
            0.05,
            key="validate.weight",
            help="0 forgets the old rows, 1 counts them like new ones.",
        )
    asked = (*key, "again", smoother, weight)
    if st.session_state.get(_WANTED) != asked:
        st.caption(
            "The questions of the model stay; its numbers are learnt again from the new rows, with "
            "the old ones as a prior. The gain is measured on new rows that are left out."
        )
        if not st.button("Learn again", icon=":material/restart_alt:"):
            return
        st.session_state[_WANTED] = asked
    weights = tuple(sorted({*_TRIED, weight}))

    def work(report: Report) -> list[Gain]:
        rows = with_known_class(read_new_rows(model, table, layout))
        return gain_of_re_estimating(
            model, rows, prior_weights=weights, smoother=_own(model, smoother), progress=report
        )

    job = jobs().ask(asked, work)
    show_progress(job, "Learning again", lambda: st.session_state.pop(_WANTED, None))
    if job.result is not None:
        _show(job.result, weight)
        made: Callable[[], Model] = partial(_again, model, table, layout, smoother, weight)
        offer((MODEL,), made)


def _own(model: Model, smoother: str) -> str | None:
    """Leave the model's own smoother as it is set."""
    return None if smoother == model.smoother else smoother


def _again(
    model: Model, table: tuple[str, bytes], layout: ReadOptions, smoother: str, weight: float
) -> Model:
    rows = with_known_class(read_new_rows(model, table, layout))
    return re_estimate(model, rows, prior_weight=weight, smoother=_own(model, smoother))


def _show(gains: list[Gain], weight: float) -> None:
    frame = pd.DataFrame(
        [
            {
                "an old row counts": gain.prior_weight,
                "Brier before": gain.before.brier,
                "after": gain.after.brier,
                "gain": gain.brier_gain.value,
                "95 % interval": f"{gain.brier_gain.lower:+.4f} to {gain.brier_gain.upper:+.4f}",
                "p": p_text(gain.p_value),
                "verdict": gain.verdict,
            }
            for gain in gains
        ]
    )
    four = st.column_config.NumberColumn(format="%.4f")
    st.dataframe(
        frame,
        hide_index=True,
        column_config={
            "Brier before": four,
            "after": four,
            "gain": four,
        },
        key="validate.gains",
        alt="What learning again gains, by the weight of old rows",
    )
    st.caption(
        "Brier score on new rows left out in ten parts; a gain above 0 is better. The file holds "
        f"the model in which an old row counts {weight:g}."
    )
