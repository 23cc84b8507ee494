"""Curves of several methods: how well they find one outcome, and what acting on it is worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from probtrees.draw.charts.forecast_charts import curves_chart
from probtrees.draw.escape import markdown_text
from probtrees.score.curves import RankingCurve, ranking_curve
from probtrees.score.threshold import benefit_difference, decision_curve
from probtrees.ui.compare import compare_page as on_page
from probtrees.ui.compare.comparison_run import ComparisonRun
from probtrees.ui.compare.tested_rows import Chances, chances_of, lit_of, reach_of
from probtrees.ui.shared.session import state
from probtrees.ui.shared.workbench import TreeBench


class _Kind(NamedTuple):
    """What is drawn of a ranking, the titles of the axes, how to read it, what the name adds."""

    points: Callable[[RankingCurve], tuple[Any, Any]]
    across: str
    up: str
    words: str
    area: Callable[[RankingCurve], str] = lambda curve: ""


_RANKINGS: Mapping[str, _Kind] = {
    "ROC": _Kind(
        lambda curve: (curve.false_positive_rate, curve.true_positive_rate),
        "false alarms among rows without it",
        "found among rows with it",
        "Further to the upper left is better; the dashed line is guessing.",
        lambda curve: f" (area {curve.area:.3f})",
    ),
    "Precision and recall": _Kind(
        lambda curve: (np.asarray(curve.true_positive_rate)[1:], curve.precision[1:]),
        "found among rows with it (recall)",
        "right among rows found (precision)",
        "Higher is better; the dashed line is the overall rate.",
        lambda curve: f" (average precision {curve.average_precision:.3f})",
    ),
    "Gain": _Kind(
        lambda curve: (curve.found_share, curve.true_positive_rate),
        "rows looked at, most probable first",
        "found among rows with it",
        "How many cases one finds by looking at a share of all rows.",
    ),
    "Lift": _Kind(
        lambda curve: (curve.found_share, curve.lift),
        "rows looked at, most probable first",
        "times the overall rate",
        "How much more common the outcome is among the rows looked at.",
    ),
}


def curves(run: ComparisonRun, bench: TreeBench) -> None:
    """Draw one kind of curve for several methods, at first the best ones."""
    kind = st.selectbox(
        "Curve", on_page.KINDS, key=on_page.KIND, persist_state="session", width=240
    )
    lit, by_name = lit_of(run), run.by_name()
    given = {n: chances_of(run, by_name[n], bench.outcome) for n in run.best_first()}
    if not all(0 < occurred.sum() < len(occurred) for _, occurred, _ in given.values()):
        st.info("There are no rows with the outcome, or none without.")
        return
    figure, words = (_decision if kind == on_page.DECISION else partial(_ranking, kind=kind))(
        given, lit=lit
    )
    st.plotly_chart(figure, key="compare.curves", alt=f"{kind}: one line per method")
    what = markdown_text(bench.outcomes[bench.outcome])
    st.caption(f"{words} Outcome: {what}. Held-out forecasts of the first repeat.")
    if kind == on_page.DECISION:
        reference = st.session_state.get(on_page.REFERENCE)
        _benefit_apart(given, reference if reference in given else run.best_first()[0], lit)


def _ranking(given: Mapping[str, Chances], lit: str | None, kind: str) -> tuple[Any, str]:
    """Draw curves that judge the order of rows, with the area under them."""
    how = _RANKINGS[kind]
    found = {name: ranking_curve(*chances) for name, chances in given.items()}
    titles = {name: f"{name}{how.area(curve)}" for name, curve in found.items()}
    ends, (_, occurred, _) = np.array([0.0, 1.0]), next(iter(given.values()))
    level = {"Precision and recall": float(occurred.mean()), "Lift": 1.0}.get(kind)
    figure = curves_chart(
        {titles[name]: how.points(curve) for name, curve in found.items()},
        how.across,
        how.up,
        references={"no knowledge": (ends, ends if level is None else np.full(2, level))},
        lit=titles.get(lit or ""),
        is_square=kind != "Lift",
        theme=state.theme(),
    )
    return figure, how.words


def _decision(given: Mapping[str, Chances], lit: str | None) -> tuple[Any, str]:
    """Draw the net benefit of acting from every threshold on."""
    found = {name: decision_curve(*chances) for name, chances in given.items()}
    first = next(iter(found.values()))
    figure = curves_chart(
        {name: (curve.thresholds, curve.benefit) for name, curve in found.items()},
        "act at or above this chance",
        "net benefit per row",
        references={
            "treat all": (first.thresholds, first.treat_all),
            "treat none": (np.array([0.0, 1.0]), np.zeros(2)),
        },
        lit=lit,
        theme=state.theme(),
    )
    best = max(0.01, *(float(np.max(curve.benefit)) for curve in found.values()))
    figure.update_yaxes(range=[-0.15 * best, 1.15 * best])
    figure.update_xaxes(range=[0, reach_of(given)])
    return figure, (
        "Who acts from 20 % on holds a miss for four times as bad as a false alarm. Net benefit: "
        "cases found per row, less false alarms at that price. A method is of use where its line "
        "lies above *treat all* and *treat none*."
    )


def _benefit_apart(given: Mapping[str, Chances], to: str, lit: str | None) -> None:
    """Draw by how much net benefits differ from that of one method, with 95 % bands."""
    apart = {n: benefit_difference(own, given[to]) for n, own in given.items() if n != to}
    if not apart:
        return
    banded = lit if lit in apart else next(iter(apart))
    _, _, lower, upper = apart[banded]
    figure = curves_chart(
        {name: (found[0], found[1]) for name, found in apart.items()},
        "act at or above this chance",
        f"net benefit minus that of {to}",
        references={to: (np.array([0.0, 1.0]), np.zeros(2))},
        bands={banded: (lower, upper)},
        lit=banded,
        theme=state.theme(),
    )
    # Towards 100 % a false alarm costs any number of cases: that would squeeze all the rest.
    reach = 2 * float(np.nanquantile(np.abs([lower, upper]), 0.75)) or 0.01
    figure.update_yaxes(range=[-reach, reach])
    figure.update_xaxes(range=[0, reach_of(given)])
    st.plotly_chart(figure, key="compare.benefit", alt=f"Net benefit minus that of {to}")
    st.caption(
        f"Above 0 a method is of more use than {markdown_text(to)}. Band: 95 % interval of the "
        f"difference of {markdown_text(banded)}; click another method in the first picture for its."
    )
