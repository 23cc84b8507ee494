"""The lesson's step on HDP: pseudo-counts passed up, concentrations learned, samples averaged."""

from __future__ import annotations

import numpy as np
import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.explain.leaf import SPREAD_NOTE
from probtrees.smooth.gibbs.hdp_watch import Watched
from probtrees.ui.learn import controls, figures, numbers
from probtrees.ui.learn.learn_page import Lesson
from probtrees.ui.learn.subject import Subject
from probtrees.ui.shared import state
from probtrees.words import count_text, percent


def show_process(subject: Subject, lesson: Lesson) -> None:
    """Show one sweep's pseudo-counts, the concentration's trace, and the posterior building up."""
    left, right = st.columns(2)
    with left:
        sweeps = controls.whole(
            "sweeps", "Sweeps of the sampler", "More sweeps, steadier averages."
        )
    with right:
        seed = controls.whole("seed", "Seed", "The same seed gives the same samples everywhere.")
    st.markdown(
        "Here every node's distribution is itself a draw around its parent's. Each leaf passes "
        "part of its counts up as *pseudo-counts*: of 10 equal rows perhaps 3, since the others "
        "only repeat what their own leaf is like. How many is unknown, so a sampler tries "
        "plausible amounts, and with them how closely nodes follow their parents (the "
        "*concentration*). The answer is the average over all samples."
    )
    if subject.tree.n_nodes == 1:
        st.info("This tree has no split, so there is nothing to pass up.")
        return
    seen = numbers.watched(subject, sweeps, seed)
    _pseudo_counts(subject, seen)
    left, right = st.columns(2, gap="medium")
    with left:
        st.plotly_chart(
            figures.concentration(
                (subject.key, subject.node, sweeps, seed, state.theme()), seen.concentration
            ),
            key="learn.concentration",
            alt="The concentration, sweep by sweep",
        )
        st.caption(
            f"On average {seen.concentration[numbers.burn_in(sweeps) :].mean():.2f}: a parent "
            "counts for about so many rows of its child."
        )
    with right:
        _posterior(subject, seen, (sweeps, seed))
    smoothed = numbers.smooth(
        subject,
        "hdp",
        {"n_iterations": sweeps, "burn_in": numbers.burn_in(sweeps), "seed": seed},
    )
    if smoothed.lower is not None and smoothed.upper is not None:
        low, high = (a[subject.node, subject.outcome] for a in (smoothed.lower, smoothed.upper))
        st.markdown(
            f"Estimate **{percent(numbers.value(subject, smoothed))}**, 90 % of the posterior "
            f"between {percent(float(low))} and {percent(float(high))}: {SPREAD_NOTE}."
        )


def _pseudo_counts(subject: Subject, seen: Watched) -> None:
    """Show what the branches passed up in the last sweep, and on average, with the formula."""
    rows = [
        "| node | cases of rows below | passed up in the last sweep | on average |",
        "|---|--:|--:|--:|",
    ]
    kept = seen.pseudo_counts[-len(seen.probs) :]
    for place, node in enumerate(seen.nodes):
        last, mean = seen.pseudo_counts[-1, place], kept[:, place].mean(axis=0)
        cells = [
            markdown_text(subject.who(node)),
            f"{count_text(float(subject.counts[node]))} of "
            f"{count_text(float(subject.tree.totals[node]))}",
            f"{last[subject.outcome]:.0f} of {last.sum():.0f}",
            f"{mean[subject.outcome]:.1f} of {mean.sum():.1f}",
        ]
        rows.append(f"| {' | '.join(cells)} |")
    st.markdown("\n".join(rows))
    cases, total = subject.counts[subject.node], subject.tree.totals[subject.node]
    c, p = float(seen.concentration[-1]), float(seen.probs[-1, subject.outcome])
    q = (p * (float(total) + c) - float(cases)) / c
    st.code(
        "last sweep, at the leaf: p = (n_k + c·q_k) / (n + c)\n"
        f"p = ({count_text(float(cases))} + {c:.2f}·{q:.4f}) / "
        f"({count_text(float(total))} + {c:.2f}) = {p:.4f}",
        language=None,
        wrap_lines=True,
    )


def _posterior(subject: Subject, seen: Watched, asked: tuple[int, int]) -> None:
    """Show the samples of the leaf's chance as they come in, and their average."""
    drawn = seen.samples[:, subject.outcome]
    used = len(drawn)
    if used > 1:
        used = st.slider(
            "Samples so far",
            1,
            len(drawn),
            len(drawn),
            key="learn.samples",
            help="Go back to see the posterior build up.",
        )
    key = (subject.key, subject.node, subject.outcome, asked, used, state.theme())
    figure = figures.posterior(key, drawn[:used])
    st.plotly_chart(figure, key="learn.posterior", alt="Histogram of the samples of the chance")
    expected = seen.probs[:used, subject.outcome]
    st.caption(
        f"Each sample is a chance the leaf may have. Average of the first {used:,} samples: "
        f"{percent(float(np.mean(drawn[:used])))}; of what each of them expects: "
        f"{percent(float(np.mean(expected)))}."
    )
