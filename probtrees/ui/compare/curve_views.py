"""How well methods find one outcome: curves of several at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import streamlit as st

from probtrees.draw.charts.forecast_charts import curves_chart
from probtrees.draw.escape import markdown_text
from probtrees.experiment.evaluation.cross_validate import Result
from probtrees.score.curves import RankingCurve, ranking_curve
from probtrees.score.threshold import decision_curve
from probtrees.types import FloatArray
from probtrees.ui.compare.compare_page import DECISION, DRAWN, KIND
from probtrees.ui.compare.comparison_run import ComparisonRun
from probtrees.ui.compare.tested_rows import chances_of, keep_known, row_weights, suggest
from probtrees.ui.shared.session import state
from probtrees.ui.shared.workbench import TreeBench

MOST_CURVES = 8
"""Methods in one picture; a reader tells no more apart."""

_GRID = np.linspace(0.0, 1.0, 201)
Curve = tuple[FloatArray, FloatArray]


def _roc(curve: RankingCurve) -> Curve | None:
    hits, alarms = curve.true_positive_rate, curve.false_positive_rate
    return None if hits is None or alarms is None else (alarms, hits)


def _precision_recall(curve: RankingCurve) -> Curve | None:
    recall = curve.true_positive_rate
    return None if recall is None else (recall[1:], curve.precision[1:])


def _gain(curve: RankingCurve) -> Curve | None:
    recall = curve.true_positive_rate
    return None if recall is None else (curve.found_share, recall)


def _lift(curve: RankingCurve) -> Curve | None:
    lift = curve.lift
    return None if lift is None else (curve.found_share, lift)


_KINDS: Mapping[str, tuple[Callable[[RankingCurve], Curve | None], str, str, str]] = {
    "ROC": (
        _roc,
        "false alarms among rows without it",
        "found among rows with it",
        "Further to the upper left is better; the dashed line is guessing.",
    ),
    "Precision and recall": (
        _precision_recall,
        "found among rows with it (recall)",
        "right among rows found (precision)",
        "Higher is better; the dashed line is the overall rate.",
    ),
    "Gain": (
        _gain,
        "rows looked at, most probable first",
        "found among rows with it",
        "How many cases one finds by looking at a share of all rows.",
    ),
    "Lift": (
        _lift,
        "rows looked at, most probable first",
        "times the overall rate",
        "How much more common the outcome is among the rows looked at.",
    ),
}


def curves(run: ComparisonRun, bench: TreeBench) -> None:
    """Draw one kind of curve for several methods."""
    outcomes = bench.outcomes
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = st.selectbox(
            "Curve", [*_KINDS, DECISION], key=KIND, persist_state="session", width=240
        )
        every_class = False
        if len(outcomes) > 2 and kind in ("ROC", "Precision and recall"):
            every_class = st.toggle(
                "Mean over classes",
                key="compare.macro",
                help="Every class against all others, averaged with equal weight.",
            )
    chosen = _choose_methods(run)
    if not chosen:
        st.info("Choose at least one method.")
        return
    what = "every class" if every_class else outcomes[bench.outcome]
    if kind == DECISION:
        _decision(run, bench, chosen)
    else:
        _ranking(run, bench, chosen, kind, every_class=every_class)
    st.caption(f"Outcome: {markdown_text(what)}. Held-out forecasts of the first repeat.")


def _choose_methods(run: ComparisonRun) -> dict[str, Result]:
    """Ask which methods are drawn; at first the best ones."""
    by_name = run.by_name()
    names, leading = list(by_name), run.leading()
    alike = names if leading is None else [names[place] for place in leading.members]
    keep_known(run, DRAWN)
    suggest(run, DRAWN, [name for name in run.best_first() if name in alike][:5])
    picked = st.multiselect(
        "Methods", names, key=DRAWN, persist_state="session", max_selections=MOST_CURVES
    )
    return {name: by_name[name] for name in picked}


def _ranking(
    run: ComparisonRun,
    bench: TreeBench,
    chosen: Mapping[str, Result],
    kind: str,
    *,
    every_class: bool,
) -> None:
    """Draw curves that judge the order of rows, with the area under them."""
    make, x_title, y_title, words = _KINDS[kind]
    lines: dict[str, Curve] = {}
    for name, result in chosen.items():
        classes = range(len(bench.outcomes)) if every_class else [bench.outcome]
        found = [_ranked(run, result, outcome) for outcome in classes]
        drawn = [line for curve in found if (line := make(curve)) is not None]
        if drawn:
            lines[f"{name}{_area(kind, found)}"] = _mean_line(drawn)
    if not lines:
        st.info("There are no rows with the outcome, or none without.")
        return
    rate = float((run.data.labels == bench.outcome).mean())
    level = {"Precision and recall": rate, "Lift": 1.0}.get(kind)
    ends = np.array([0.0, 1.0])
    flat = ends if level is None else np.array([level, level])
    references = {} if every_class and kind != "ROC" else {"no knowledge": (ends, flat)}
    st.plotly_chart(
        curves_chart(
            lines,
            x_title,
            y_title,
            references=references,
            is_square=kind != "Lift",
            theme=state.theme(),
        ),
        key="compare.curves",
        alt=f"{kind}: one line per method",
    )
    st.caption(words)


def _area(kind: str, found: list[RankingCurve]) -> str:
    """Write the area under curves, averaged over classes."""
    areas = {
        "ROC": ("area", [curve.area for curve in found]),
        "Precision and recall": ("average precision", [c.average_precision for c in found]),
    }
    if kind not in areas:
        return ""
    word, values = areas[kind]
    known = [value for value in values if value is not None]
    return f" ({word} {np.mean(known):.3f})" if known else ""


def _mean_line(lines: list[Curve]) -> Curve:
    """Average curves at the same places; a single one stays as it is."""
    if len(lines) == 1:
        return lines[0]
    heights = [np.interp(_GRID, *line) for line in lines]
    return _GRID, np.mean(heights, axis=0)


def _ranked(run: ComparisonRun, result: Result, outcome: int) -> RankingCurve:
    chance, cases = chances_of(run, result, outcome)
    return ranking_curve(chance, cases, row_weights(run, result))


def _decision(run: ComparisonRun, bench: TreeBench, chosen: Mapping[str, Result]) -> None:
    """Draw the net benefit of acting from every threshold on."""
    lines, references = {}, {}
    for name, result in chosen.items():
        chance, cases = chances_of(run, result, bench.outcome)
        found = decision_curve(chance, cases, row_weights(run, result))
        lines[name] = (found.thresholds, found.benefit)
        references["treat all"] = (found.thresholds, found.treat_all)
    references["treat none"] = (np.array([0.0, 1.0]), np.zeros(2))
    figure = curves_chart(
        lines,
        "act at or above this chance",
        "net benefit per row",
        references=references,
        theme=state.theme(),
    )
    best = max(float(np.max(benefit)) for _, benefit in lines.values())
    figure.update_yaxes(range=[-0.15 * max(best, 0.01), 1.15 * max(best, 0.01)])
    st.plotly_chart(figure, key="compare.decision", alt="Net benefit against the threshold")
    st.caption(
        "Who acts from 20 % on holds a miss for four times as bad as a false alarm. Net benefit: "
        "cases found per row, less false alarms at that price. A method is of use where its line "
        "lies above *treat all* and *treat none*."
    )
