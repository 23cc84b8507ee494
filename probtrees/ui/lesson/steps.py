"""The steps of the lesson. Each shows one idea on the same leaf, with its numbers filled in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.draw.estimates import Estimate, estimates_html
from probtrees.draw.lesson_charts import estimate_curve, trace_chart
from probtrees.draw.node_card import count_text, percent, rows_text
from probtrees.experiment.registry import SMOOTHERS, make_smoother
from probtrees.explain.formula import fill_formula
from probtrees.smoothed_tree import SmoothedTree
from probtrees.ui import state
from probtrees.ui.lesson import widgets
from probtrees.ui.lesson.link import Lesson
from probtrees.ui.lesson.subject import Subject


@dataclass(frozen=True)
class Step:
    """One step: its name, the question it asks, and what it shows once that is answered."""

    title: str
    question: str
    show: Callable[[Subject, Lesson], None]


def show_raw(subject: Subject, lesson: Lesson) -> None:
    """Why the raw frequency of a small leaf cannot be believed."""
    total, cases = subject.tree.totals[subject.node], subject.counts[subject.node]
    observed = subject.observed(subject.node)
    said = "says nothing at all" if observed is None else f"says {percent(observed)}"
    st.markdown(
        f"The leaf holds {rows_text(float(total))}, {count_text(float(cases))} of them with "
        f"*{markdown_text(subject.outcome_name)}*. The raw frequency {said}. One more row could "
        f"turn that into {percent(float(cases) / float(total + 1))} or "
        f"{percent(float(cases + 1) / float(total + 1))}: the fewer rows, the wilder the swing."
    )
    _ways_up(subject)
    st.markdown(
        "Everything the tree knows lies above the leaf: its parent has more rows, the root has "
        "all of them. A smoother decides how far to listen to each."
    )


def show_constant(subject: Subject, lesson: Lesson) -> None:
    """Laplace and the m-estimate: the same imagined rows for every leaf."""
    strength = widgets.number("strength", "m: how many imagined rows, spread evenly")
    laplace = _smooth(subject, "laplace", {})
    fixed = _smooth(subject, "m-estimate", {"strength": strength})
    _formula(subject, laplace, "Laplace adds one imagined row to every outcome")
    _formula(subject, fixed, "The m-estimate adds m rows, spread evenly over the outcomes")
    grid = np.linspace(0, 20, 81)
    curve = [_estimate(subject, "m-estimate", {"strength": float(m)}) for m in grid]
    _curve(subject, grid, curve, (strength, _value(subject, fixed)), "m")
    n_outcomes = subject.tree.n_outcomes
    st.markdown(
        "Neither looks at the parents. For a rare outcome that is a heavy hand: by Laplace a leaf "
        f"of 5 rows without a case gets {percent(1 / (5 + n_outcomes))}, whatever the overall "
        "rate is."
    )


def show_branch(subject: Subject, lesson: Lesson) -> None:
    """M-branch: down the branch, one node at a time."""
    strength = widgets.number("branch", "M: how strongly every node is pulled to its parent")
    smoothed = _smooth(subject, "m-branch", {"strength": strength})
    smoother = smoothed.smoother
    walk = smoother.steps(smoothed, subject.node)  # type: ignore[attr-defined]
    shown = (
        st.slider("Nodes done", 1, len(walk), len(walk), key="learn.walked") if len(walk) > 1 else 1
    )
    lines = fill_formula(smoothed, subject.node, subject.outcome)
    for number, (at, line) in enumerate(zip(walk, lines.steps, strict=True)):
        if number < shown:
            st.markdown(
                f"**{markdown_text(subject.who(at.node))}**: "
                f"{count_text(float(subject.counts[at.node]))} of "
                f"{rows_text(float(subject.tree.totals[at.node]))}, pulled with the strength of "
                f"{at.strength:.0f} rows"
            )
            st.code(line, language=None, wrap_lines=True)
    if shown == len(walk) > 1:
        parent = walk[-2]
        st.markdown(
            f"The strength grows with the size of the whole table, not of the node: "
            f"{parent.strength:.0f} imagined rows move the parent's "
            f"{rows_text(float(subject.tree.totals[parent.node]))} from "
            f"{percent(subject.observed(parent.node) or 0.0)} to "
            f"{percent(float(parent.probs[subject.outcome]))}, and the leaf can borrow no more "
            f"than that. So it lands at **{percent(_value(subject, smoothed))}**."
        )


def show_gradient(subject: Subject, lesson: Lesson) -> None:
    """HGS: all ancestors at once, each by a weight."""
    weight = widgets.number("weight", "Weight of every ancestor, in rows")
    smoothed = _smooth_by_weight(subject, weight)
    _formula(
        subject, smoothed, "The leaf's own rows, plus every ancestor's frequency by its weight"
    )
    grid = np.linspace(0, 20, 81)
    curve = [_value(subject, _smooth_by_weight(subject, float(w))) for w in grid]
    _curve(subject, grid, curve, (weight, _value(subject, smoothed)), "weight")
    st.markdown(
        "Which weights are right? The paper leaves out one row at a time, asks the others, and "
        "moves the weights downhill. Its stopping rule ends that after one step: the published "
        "weights are 1 to three decimals. Going on to the bottom of the loss makes forecasts "
        "*worse*, since the same rows have chosen the tree. With a gentle prior, the descent on "
        "this tree looks like this:"
    )
    fitted = _smooth(subject, "hgs", {"fit": "map"})
    st.plotly_chart(
        trace_chart(
            fitted.trace["loss"],
            x_title="iteration",
            y_title="leave-one-out loss",
            theme=state.theme(),
        ),
        key="learn.loss",
    )
    chosen = float(np.asarray(fitted.fitted["weights"])[0])
    st.markdown(
        f"It settles at a weight of {chosen:.2g} rows: **{percent(_value(subject, fitted))}**. The "
        "Tree page goes one better and chooses the weight on rows held out of inner trees."
    )


def show_process(subject: Subject, lesson: Lesson) -> None:
    """HDP: pseudo-counts passed up, concentrations learned, many samples averaged."""
    left, right = st.columns(2)
    with left:
        sweeps = widgets.whole("sweeps", "Sweeps of the sampler")
    with right:
        seed = widgets.whole("seed", "Seed")
    options = {"n_iterations": sweeps, "burn_in": max(sweeps // 10, 1), "seed": seed}
    smoothed = _smooth(subject, "hdp", options)
    st.markdown(
        "Here every node's distribution is itself a draw around its parent's. Each leaf passes "
        "part of its counts up as *pseudo-counts*; how many is unknown, so a sampler tries "
        "plausible amounts, and with them how closely nodes follow their parents (the "
        "*concentration*). The answer is the average over all samples."
    )
    grid = sorted({10, 20, 50, 100, 200, 500, 1000, 2000, 5000, sweeps})
    grid = [n for n in grid if n <= sweeps]
    values = [
        _estimate(subject, "hdp", {"n_iterations": n, "burn_in": max(n // 10, 1), "seed": seed})
        for n in grid
    ]
    chosen = (float(sweeps), _value(subject, smoothed))
    _curve(subject, np.array(grid), values, chosen, "sweeps averaged")
    for name, values_drawn in smoothed.trace.items():
        drawn = np.asarray(values_drawn, dtype=np.float64)
        if drawn.ndim == 2:
            drawn = drawn[:, 0]
        st.plotly_chart(
            trace_chart(
                drawn, x_title="sweep", y_title=name.replace("_", " "), theme=state.theme()
            ),
            key=f"learn.trace.{name}",
        )
    if smoothed.lower is not None and smoothed.upper is not None:
        low, high = (a[subject.node, subject.outcome] for a in (smoothed.lower, smoothed.upper))
        st.markdown(
            f"Estimate **{percent(_value(subject, smoothed))}**, 90 % of the posterior between "
            f"{percent(float(low))} and {percent(float(high))}: spread given this tree; it ignores "
            "that the same rows may have chosen the tree."
        )


def show_all(subject: Subject, lesson: Lesson) -> None:
    """All smoothers on the same leaf."""
    named = [name for name in SMOOTHERS if not make_smoother(name).needs_evidence]
    shown = [
        Estimate(SMOOTHERS[name].label, _estimate(subject, name, {}), name == "hgs-published")
        for name in named
    ]
    st.html(estimates_html(shown, subject.observed(0) or 0.0, theme=state.theme()))
    st.markdown(
        "- **MLE** believes the leaf alone.\n"
        "- **Laplace** and the **m-estimate** add the same imagined rows everywhere.\n"
        "- **M-branch** walks down the branch; in a large table its pull hides small groups.\n"
        "- **HGS** lets every ancestor speak at once.\n"
        "- **HDP** learns how alike parents and children are, and says how unsure it is.\n\n"
        "HGS with weights from held-out rows, hierarchical shrinkage and their blend need the "
        "rows, not only the counts: see them on the Tree page."
    )


STEPS = (
    Step("The problem", "What is the true chance in this leaf?", show_raw),
    Step("Laplace and m-estimate", "What will a few imagined rows make of it?", show_constant),
    Step("M-branch", "Where does a walk from the root to the leaf end?", show_branch),
    Step("HGS", "And if all ancestors speak at once?", show_gradient),
    Step("HDP", "How much would a learned family likeness pull?", show_process),
    Step("Side by side", "Which answer would you defend?", show_all),
)


def _smooth(subject: Subject, name: str, options: Mapping[str, object]) -> SmoothedTree:
    return make_smoother(name, options).smooth(subject.tree)


def _smooth_by_weight(subject: Subject, weight: float) -> SmoothedTree:
    """Smooth by HGS with one weight for all ancestors, given instead of fitted."""
    return make_smoother("hgs", {"fit": "map"}).with_weights(  # type: ignore[attr-defined,no-any-return]
        subject.tree, np.array([weight])
    )


def _value(subject: Subject, smoothed: SmoothedTree) -> float:
    return float(smoothed.probs[subject.node, subject.outcome])


def _estimate(subject: Subject, name: str, options: Mapping[str, object]) -> float:
    return _value(subject, _smooth(subject, name, options))


def _formula(subject: Subject, smoothed: SmoothedTree, words: str) -> None:
    filled = fill_formula(smoothed, subject.node, subject.outcome)
    st.markdown(f"{words}: **{percent(filled.value)}**")
    st.code("\n".join([filled.general, *filled.steps]), language=None, wrap_lines=True)


def _curve(
    subject: Subject,
    grid: np.ndarray,
    values: list[float],
    chosen: tuple[float, float],
    x_title: str,
) -> None:
    """Draw the estimate over a setting, beside the rates of leaf, parent and root."""
    lines = {}
    for words, node in (("leaf", subject.node), ("parent", subject.path[-2:][0]), ("overall", 0)):
        rate = subject.observed(node)
        if rate is not None:
            lines[f"observed, {words}"] = rate
    figure = estimate_curve(
        grid, values, chosen=chosen, x_title=x_title, lines=lines, theme=state.theme()
    )
    st.plotly_chart(figure, key=f"learn.curve.{x_title}")


def _ways_up(subject: Subject) -> None:
    rows = ["| who | rows | cases | observed |", "|---|--:|--:|--:|"]
    for node in subject.path:
        rate = subject.observed(node)
        total, cases = subject.tree.totals[node], subject.counts[node]
        cells = [
            markdown_text(subject.who(node)),
            count_text(float(total)),
            count_text(float(cases)),
            "-" if rate is None else percent(rate),
        ]
        rows.append(f"| {' | '.join(cells)} |")
    st.markdown("\n".join(rows))
