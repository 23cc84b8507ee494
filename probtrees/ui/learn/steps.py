"""The steps of the lesson. Each shows one idea on the same leaf, with its numbers filled in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import streamlit as st

from probtrees.draw.bars import SmootherAnswer, estimates_html
from probtrees.draw.escape import markdown_text
from probtrees.draw.lesson_charts import Level
from probtrees.experiment.registry import SMOOTHERS, make_smoother
from probtrees.explain.sources import fill_formula
from probtrees.smooth.m_branch import MBranch
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.ui.learn import controls, figures, numbers
from probtrees.ui.learn.hdp_step import show_process
from probtrees.ui.learn.learn_page import Lesson
from probtrees.ui.learn.subject import Subject
from probtrees.ui.shared import state
from probtrees.words import count_text, percent, rows_text, unbroken

RARE_LEAF_ROWS = 5


@dataclass(frozen=True)
class Step:
    """One step: its name, the question it asks, and what it shows once that is answered."""

    title: str
    question: str
    show: Callable[[Subject, Lesson], None]
    clue: str

    def hint(self, subject: Subject) -> None:
        """Show what one may know while guessing: the counts on the way to the leaf."""
        _ways_up(subject)
        st.markdown(self.clue)


def show_raw(subject: Subject, lesson: Lesson) -> None:
    """Why the raw frequency of a small leaf cannot be believed."""
    total, cases = float(subject.tree.totals[subject.node]), float(subject.counts[subject.node])
    observed = subject.observed(subject.node)
    said = "says nothing at all" if observed is None else f"says {percent(observed)}"
    st.markdown(
        f"The leaf holds {rows_text(total)}, {count_text(cases)} of them with "
        f"*{markdown_text(subject.outcome_name)}*. The raw frequency {said}. One more row could "
        f"turn that into {percent(cases / (total + 1))} or "
        f"{percent((cases + 1) / (total + 1))}: the fewer rows, the wilder the swing."
    )
    _ways_up(subject)
    st.markdown(
        "Everything the tree knows lies above the leaf: its parent has more rows, the root has "
        "all of them. A smoother decides how far to listen to each."
    )


def show_constant(subject: Subject, lesson: Lesson) -> None:
    """Laplace and the m-estimate: the same imagined rows for every leaf."""
    strength = controls.number(
        "strength",
        "m: how many imagined rows, spread evenly",
        "0 is the raw frequency; many drown the leaf's own rows.",
    )
    laplace = numbers.smooth(subject, "laplace")
    fixed = numbers.smooth(subject, "m-estimate", {"strength": strength})
    left, right = st.columns(2, gap="medium")
    with left:
        _formula(subject, laplace, "Laplace adds one imagined row to every outcome")
        _formula(subject, fixed, "The m-estimate adds m rows, spread evenly over the outcomes")
    with right:
        chosen = (strength, numbers.value(subject, fixed))
        _curve(subject, numbers.m_estimate_curve(subject), chosen, "m")
    n_outcomes = subject.tree.n_outcomes
    overall = subject.observed(0)
    rate = "" if overall is None else f", here {percent(overall)}"
    st.markdown(
        "Neither looks at the parents. For a rare outcome that is a heavy hand: by Laplace **a "
        f"leaf of {RARE_LEAF_ROWS} rows without a case gets "
        f"{percent(1 / (RARE_LEAF_ROWS + n_outcomes))}**, whatever the overall rate is{rate}."
    )


def show_branch(subject: Subject, lesson: Lesson) -> None:
    """M-branch: down the branch, one node at a time."""
    strength = controls.number(
        "branch",
        "M: how strongly every node is pulled to its parent",
        "Imagined rows that a leaf is lent by its parent; nodes further up are lent more.",
    )
    smoothed = numbers.smooth(subject, "m-branch", {"strength": strength})
    walk = MBranch(strength=strength).steps(smoothed, subject.node)
    shown = min(lesson.walked or len(walk), len(walk))
    lines = fill_formula(smoothed, subject.node, subject.outcome)
    st.markdown(
        "From the root down, each node keeps its own rows and adds imagined rows that look like "
        "its parent's estimate; above the root everything is equally likely."
    )
    for at, line in list(zip(walk, lines.steps, strict=True))[:shown]:
        st.markdown(
            f"**{markdown_text(subject.who(at.node))}**: "
            f"{count_text(float(subject.counts[at.node]))} of "
            f"{rows_text(float(subject.tree.totals[at.node]))}, pulled with the strength of "
            f"{at.strength:.0f} rows"
        )
        st.code(line, language=None, wrap_lines=True)
    if shown < len(walk):
        with st.container(horizontal=True):
            st.button("Next node", on_click=controls.walk_to, args=(shown + 1,), type="primary")
            st.button("All nodes", on_click=controls.walk_to, args=(0,))
    elif len(walk) > 1:
        parent = walk[-2]
        st.markdown(
            f"**Why it lands at {percent(numbers.value(subject, smoothed))}.** The strength grows "
            f"with the size of the whole table, not of the node: {parent.strength:.0f} imagined "
            f"rows move the parent's {rows_text(float(subject.tree.totals[parent.node]))} from "
            f"{percent(subject.observed(parent.node) or 0.0)} to "
            f"{percent(float(parent.probs[subject.outcome]))}, and the leaf can borrow no more "
            "than that."
        )


def show_gradient(subject: Subject, lesson: Lesson) -> None:
    """HGS: all ancestors at once, each by a weight."""
    weight = controls.number(
        "weight", "Weight of every ancestor, in rows", "How many rows each ancestor counts for."
    )
    smoothed = numbers.smooth_by_weight(subject, weight)
    left, right = st.columns(2, gap="medium")
    with left:
        _formula(
            subject, smoothed, "The leaf's own rows, plus every ancestor's frequency by its weight"
        )
        _who_speaks(subject, smoothed)
    with right:
        chosen = (weight, numbers.value(subject, smoothed))
        _curve(subject, numbers.weight_curve(subject), chosen, "weight")
    published = numbers.smooth(subject, "hgs-published")
    st.markdown(
        "**Which weights are right?** The paper leaves out one row at a time, asks the others, and "
        "moves the weights downhill on this loss. Its stopping rule ends that after one step: the "
        "published weights are 1 to three decimals. It also leaves the uniform out, so that *HGS "
        f"as published* says **{percent(numbers.value(subject, published))}** here. Going on to "
        "the bottom makes forecasts *worse*, since the same rows have chosen the tree."
    )
    x, losses, words = numbers.GRID, numbers.loss_curve(subject), "leave-one-out loss"
    fitted = numbers.smooth(subject, "hgs", {"fit": "map"})
    if subject.smooth_with_rows is not None:
        fitted = subject.smooth_with_rows("hgs")
        x, losses, words = fitted.trace["weight"], fitted.trace["loss"], "loss of held-out rows"
    found = float(np.asarray(fitted.fitted["weights"])[0])
    st.plotly_chart(
        figures.losses((subject.key, found, state.theme()), x, losses, words),
        key="learn.loss",
        alt=f"{words} of the whole tree against the weight of the ancestors",
    )
    kind = (
        "Orange: with a gentle prior the descent settles at"
        if subject.smooth_with_rows is None
        else "Orange: on rows held out of inner trees the best is"
    )
    st.markdown(
        f"{kind} a weight of {found:.2g} rows: **{percent(numbers.value(subject, fitted))}**."
        + (
            " The Tree page goes one better and chooses the weight on rows held out of inner trees."
            if subject.smooth_with_rows is None
            else ""
        )
    )


def show_all(subject: Subject, lesson: Lesson) -> None:
    """All smoothers on the same leaf."""
    shown = []
    for name in SMOOTHERS:
        if subject.smooth_with_rows is not None:
            smoothed = subject.smooth_with_rows(name)
        elif make_smoother(name).needs_evidence:
            continue
        else:
            smoothed = numbers.smooth(subject, name)
        shown.append(SmootherAnswer(SMOOTHERS[name].label, numbers.value(subject, smoothed)))
    st.html(estimates_html(shown, subject.observed(0) or 0.0, theme=state.theme()))
    st.markdown(
        "- **MLE** believes the leaf alone.\n"
        "- **Laplace** and the **m-estimate** add the same imagined rows everywhere.\n"
        "- **M-branch** walks down the branch; in a large table its pull hides small groups.\n"
        "- **HGS** lets every ancestor speak at once.\n"
        "- **HDP** learns how alike parents and children are, and says how unsure it is."
    )
    if subject.smooth_with_rows is None:
        st.markdown(
            "HGS with weights from held-out rows, hierarchical shrinkage and their blend need the "
            "rows, not only the counts: choose *a leaf of my tree* above to see them."
        )


STEPS = (
    Step(
        "The problem",
        "What is the true chance in this leaf?",
        show_raw,
        "What would you bet on the next row of this leaf?",
    ),
    Step(
        "Laplace and m-estimate",
        "What will a few imagined rows make of it?",
        show_constant,
        "Laplace adds one imagined row to every outcome of the leaf. Where does that end?",
    ),
    Step(
        "M-branch",
        "Where does a walk from the root to the leaf end?",
        show_branch,
        "Every node is pulled towards its parent, from the root down. Where does the leaf end?",
    ),
    Step(
        "HGS",
        "And if all ancestors speak at once?",
        show_gradient,
        "Every ancestor's frequency counts as one more row of the leaf. What comes out?",
    ),
    Step(
        "HDP",
        "How much would a learned family likeness pull?",
        show_process,
        "The data themselves say how alike parents and children are. How far is the leaf pulled?",
    ),
    Step(
        "Side by side",
        "Which answer would you defend?",
        show_all,
        "You have seen all of them. Which number would you write down?",
    ),
)


def _formula(subject: Subject, smoothed: SmoothedTree, words: str) -> None:
    filled = fill_formula(smoothed, subject.node, subject.outcome)
    st.markdown(f"{words}: **{percent(filled.value)}**")
    st.code("\n".join([filled.general, *filled.steps]), language=None, wrap_lines=True)


def _who_speaks(subject: Subject, smoothed: SmoothedTree) -> None:
    """List how much of the say every node on the path has."""
    parts = smoothed.contributions(subject.node)
    rows = ["| who speaks | share of the say | adds |", "|---|--:|--:|"]
    names = [markdown_text(subject.who(node)) for node in parts.nodes] + ["the uniform"]
    for name, share, values in zip(names, parts.shares, parts.values, strict=False):
        if share > 0:
            points = percent(float(values[subject.outcome]))
            rows.append(f"| {name} | {percent(float(share))} | {points} |")
    st.markdown(unbroken("\n".join(rows)))


def _curve(subject: Subject, values: np.ndarray, chosen: tuple[float, float], x_title: str) -> None:
    """Draw the estimate over a setting, beside the rates of leaf, parent and root."""
    levels: list[Level] = []
    for words, node in (("leaf", subject.node), ("parent", subject.path[-2:][0]), ("overall", 0)):
        rate = subject.observed(node)
        if rate is not None and all(level.value != rate for level in levels):
            levels.append(Level(f"observed, {words}", rate))
    key = (subject.key, subject.node, subject.outcome, chosen, state.theme())
    figure = figures.curve(key, x_title, numbers.GRID, values, levels)
    st.plotly_chart(
        figure, key=f"learn.curve.{x_title}", alt=f"The estimate of the leaf against {x_title}"
    )


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
    st.markdown(unbroken("\n".join(rows)))
