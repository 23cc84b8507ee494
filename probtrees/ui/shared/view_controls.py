"""How the tree is shown: smoother, a second one to compare with, outcome of interest, colours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from probtrees.draw.palette import COLOUR_BY_WORDS, ColourBy
from probtrees.experiment.registry import DEFAULT_SMOOTHER, QUICK_SMOOTHER, SMOOTHERS
from probtrees.ui.shared.forms import keeping, named_choice
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.jobs import show_progress, wait_for
from probtrees.ui.shared.smoother_options import (
    choose_smoother_options,
    current_smoother,
    show_problem,
)
from probtrees.ui.shared.workbench import Workbench, stay_with_quick

VIEW_HELP = "Outcome of interest, a second smoother to compare with, colours"


@dataclass(frozen=True)
class View:
    """What was chosen; ``other`` is None when nothing is compared."""

    smoother: str
    other: str | None
    colour_by: ColourBy


def smoother_choice(more: Callable[[], None] = lambda: None) -> str:
    """Ask for the smoother and, folded away, how it is set; pages share the choice.

    Parameters
    ----------
    more : what else is offered under More
    """
    smoother = current_smoother()
    with st.container(horizontal=True, vertical_alignment="center", key="view_bar"):
        st.segmented_control(
            "Smoother",
            [name for name, entry in SMOOTHERS.items() if entry.is_shown or name == smoother],
            format_func=lambda name: SMOOTHERS[name].plain,
            required=True,
            width="content",
            label_visibility="collapsed",
            **keeping(state.SMOOTHER, smoother, DEFAULT_SMOOTHER),
        )
        words = "All ways to make probabilities, and options of the one in use"
        with st.popover("More", key="more smoothers", help=words):
            st.radio(
                "How counts become probabilities",
                list(SMOOTHERS),
                format_func=lambda name: SMOOTHERS[name].plain,
                captions=[entry.help for entry in SMOOTHERS.values()],
                **keeping(state.SMOOTHER, smoother, DEFAULT_SMOOTHER, "any"),
            )
            st.caption("The Learn page explains them one by one.")
            choose_smoother_options(smoother)
            more()
    show_problem(smoother)
    return smoother


def choose_view(more: Callable[[], None] = lambda: None) -> View:
    """Ask for the smoother; what it is compared with stands in :func:`view_options`."""
    smoother = smoother_choice(more)
    other = st.session_state.get(state.OTHER)
    other = None if other == smoother else other
    colour: ColourBy = st.session_state.get(state.COLOUR, "lift")
    if colour == "difference" and other is None:
        colour = "lift"
    return View(smoother, other, colour)


def view_meanwhile(bench: Workbench, view: View) -> View:
    """Show a quick smoother while the chosen one is at work, and say so.

    So the picture of a large tree, of one that was just corrected, or of the first one ever, does
    not wait for rows that are held out.
    """
    job = bench.smoothing(view.smoother)
    if view.smoother == QUICK_SMOOTHER or wait_for([job]):
        return view
    show_progress(
        job,
        f"{SMOOTHERS[view.smoother].plain}. Until it is ready you see "
        f"{SMOOTHERS[QUICK_SMOOTHER].plain}",
        stay_with_quick,
        waits=False,
    )
    if job.is_ready:
        return view  # it became so meanwhile
    return View(QUICK_SMOOTHER, None, "lift" if view.colour_by == "difference" else view.colour_by)


def outcome_choice(bench: Workbench) -> None:
    """Ask for the outcome of interest."""
    named_choice(
        "Outcome of interest",
        range(len(bench.outcomes)),
        lambda k: bench.outcomes[k],
        key=state.OUTCOME,
        table=bench.key[0],
        help="Pictures, sentences and costs are about this outcome.",
        proposed=bench.usual_outcome,
    )


def view_options(bench: Workbench) -> None:
    """Ask for the outcome of interest, a second smoother, and the colours."""
    outcome_choice(bench)
    st.selectbox(
        "Compare with",
        list(SMOOTHERS),
        index=None,
        format_func=lambda name: SMOOTHERS[name].plain,
        placeholder="no second smoother",
        on_change=_colour_by_difference,
        **state.lasting(state.OTHER),
        help="A second smoother: the tree is coloured by how much the two differ.",
    )
    st.radio(
        "Colour the nodes by",
        list(COLOUR_BY_WORDS),
        format_func=lambda key: COLOUR_BY_WORDS[key],
        **state.lasting(state.COLOUR),
        help="The difference needs a second smoother to compare with.",
    )


def _colour_by_difference() -> None:
    """Show where two smoothers differ as soon as there are two, and no longer than that."""
    compared = st.session_state.get(state.OTHER) is not None
    st.session_state[state.COLOUR] = "difference" if compared else "lift"
