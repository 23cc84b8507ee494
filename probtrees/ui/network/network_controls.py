"""What is chosen on the Network page: the kind of network, one of an ensemble, a column."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from probtrees.experiment.registry import DISCRETIZERS, LEARNERS
from probtrees.ui.network.network_bench import NetworkBench
from probtrees.ui.network.network_page import (
    COLUMN,
    DISCRETIZER,
    LEARNER,
    MEMBER,
    N_USUAL,
    SIDE,
    SIDES,
    edits_key,
    networks,
)
from probtrees.ui.shared.forms import named_choice, option_widgets
from probtrees.ui.shared.session import state
from probtrees.ui.shared.smoother_options import Settings, settings
from probtrees.ui.shared.table_source import current_source

_ANY_LEARNER = "network.any"
OR_CLICK = "Or click the column in the picture."


def choose_network(beside: Callable[[], None]) -> tuple[str, Settings, str, Settings]:
    """Ask for the kind of network, its options, and how numbers are cut.

    Parameters
    ----------
    beside : shows what else stands in the line
    """
    current = st.session_state.setdefault(LEARNER, networks()[0])
    with st.container(horizontal=True, vertical_alignment="center"):
        chosen = st.segmented_control(
            "Network",
            list(dict.fromkeys([*networks()[:N_USUAL], current])),
            format_func=lambda key: LEARNERS[key].label,
            required=True,
            **state.lasting(LEARNER),
            width="content",
            label_visibility="collapsed",
        )
        name = str(chosen or current)
        with st.popover("More", help="All kinds of networks, and options of the one in use"):
            st.session_state[_ANY_LEARNER] = name
            st.radio(
                "From none that depends on another to ensembles",
                networks(),
                format_func=lambda key: LEARNERS[key].label,
                key=_ANY_LEARNER,
                on_change=_take_learner,
            )
            options = option_widgets(LEARNERS[name].options, key=f"network.{name}")
            if edits := st.session_state.get(edits_key(name)):
                options["edits"] = edits
            method = st.selectbox(
                "Cut numbers by",
                list(DISCRETIZERS),
                format_func=lambda key: DISCRETIZERS[key].label,
                **state.lasting(DISCRETIZER),
                help="Networks count values; numbers are cut into intervals first.",
            )
            fields = [field for field in DISCRETIZERS[method].options if field.name != "seed"]
            cutting = option_widgets(fields, key=f"{DISCRETIZER}.{method}")
        beside()
    return name, settings(options), method, settings(cutting)


def _take_learner() -> None:
    st.session_state[LEARNER] = st.session_state[_ANY_LEARNER]


def begin_again(what: str, key: tuple[Any, ...], forgotten: tuple[str, ...]) -> None:
    """Forget choices that were made for something else than what is on show now.

    Every table has a memory of its own: its choices are back when it comes into use again.
    """
    shown = f"network.{what} shown of {current_source().file_key}"
    before = st.session_state.get(shown)
    st.session_state[shown] = str(key)
    if before not in (None, str(key)):
        for name in forgotten:
            st.session_state.pop(name, None)


def choose_member(bench: NetworkBench) -> int:
    """Choose one network of an ensemble to look at."""
    if bench.n_members == 1:
        return 0
    st.session_state[MEMBER] = min(st.session_state.get(MEMBER, 1), bench.n_members)
    chosen = st.slider(
        "Network of the ensemble",
        1,
        bench.n_members,
        **state.lasting(MEMBER),
        help="The answers of all of them are averaged; tables are those of this one.",
    )
    return int(chosen) - 1


def choose_side() -> str:
    """Choose what stands beside the picture."""
    st.session_state.setdefault(SIDE, SIDES[0])  # a default is not sent to a browser that has one
    side = st.segmented_control(
        "Beside the picture",
        SIDES,
        required=True,
        **state.lasting(SIDE),
        label_visibility="collapsed",
    )
    return str(side)


def current_column(bench: NetworkBench, member: int) -> int:
    """Return the column on show."""
    column = st.session_state.get(COLUMN)
    return column if column in bench.dag(member).columns else usual_column(bench, member)


def usual_column(bench: NetworkBench, member: int) -> int:
    """Return the column that is shown at first: one that depends on another attribute."""
    dag = bench.dag(member)
    dependent = [number for number, parents in dag.parents.items() if len(parents) > 1]
    return int((dependent or list(dag.columns[1:]) or [dag.columns[0]])[0])


def choose_outcome(classes: tuple[str, ...], usual: int, table: object) -> int:
    """Choose the class of interest."""
    return named_choice(
        "Chance of",
        range(len(classes)),
        classes.__getitem__,
        key=state.OUTCOME,
        table=str(table),
        help="The outcome of interest.",
        proposed=usual,
    )
