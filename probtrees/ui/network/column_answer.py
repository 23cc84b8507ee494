"""What the network says about a column other than the class, now and with nothing known."""

from __future__ import annotations

import numpy as np
import streamlit as st

from probtrees.draw.bars import ValueChance, value_chances_html
from probtrees.draw.escape import markdown_text
from probtrees.explain.network_answer import NetworkAnswer
from probtrees.types import FloatArray
from probtrees.ui.network.findings import value_of
from probtrees.ui.network.network_picture import Asked
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.jobs import Job, show_progress

_MOST_VALUES = 12


def column_answer(asked: Asked, name: str, nothing_known: Job | None) -> None:
    """Show the chances of a column's values; those of the class stand in a place of their own.

    Parameters
    ----------
    nothing_known : works out what the network says with nothing known
    """
    now = asked.answer.posteriors.get(name)
    variable = asked.query.variables.get(name)
    if name == asked.query.target or variable is None or len(variable.values) == 1:
        return
    if now is None or not np.isfinite(now).all():
        return
    before = _before(asked, name, nothing_known)
    known = value_of(variable, asked.findings.get(name, {}))
    order = range(len(variable.values))
    if len(order) > _MOST_VALUES:
        shown = sorted(np.argsort(-now, kind="stable")[:_MOST_VALUES].tolist())
    else:
        shown = list(order)
    chances = [
        ValueChance(
            variable.values[at],
            float(now[at]),
            None if before is None else float(before[at]),
            at == known,
        )
        for at in shown
    ]
    st.markdown(f"**Chances of {markdown_text(name)}**")
    st.html(value_chances_html(chances, theme=state.theme()))
    if len(shown) < len(order):
        st.caption(f"The {len(shown)} most probable of {len(order)} values.")


def _before(asked: Asked, name: str, nothing_known: Job | None) -> FloatArray | None:
    """Return the chances with nothing known, once they are there and say something else."""
    if not asked.findings or nothing_known is None:
        return None
    show_progress(nothing_known, "With nothing known")
    if not nothing_known.finished.is_set() or nothing_known.error is not None:
        return None
    answer: NetworkAnswer = nothing_known.result
    return answer.posteriors.get(name)
