"""The picture of a network; a click chooses the column whose table is shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import streamlit as st

from probtrees.draw.network import network_dot
from probtrees.draw.picture_file import render
from probtrees.ui.network.network_bench import NetworkBench
from probtrees.ui.shared import state

_ASSETS = Path(__file__).parents[1] / "shared" / "assets"
_PICTURE = "network picture"
_MOST_COLUMNS = 16
"""Beyond this the class edges, which every attribute has, would hide the others."""

_component = st.components.v2.component(
    "probtrees_network_view",
    html='<div class="network"></div>',
    css=".network { overflow: auto; max-height: 36rem; } "
    ".network svg { width: 100%; height: auto; display: block; margin: 0 auto; } "
    ".network g.node:focus { outline: 2px solid; }",
    js=(_ASSETS / "network_view.js").read_text(encoding="utf-8"),
)


def show_network(bench: NetworkBench, member: int, column: int, key: str) -> None:
    """Draw the network with a column highlighted; a click puts another into the session."""
    names = bench.schema.names
    words = "; ".join(
        f"{names[c]} depends on {', '.join(names[p] for p in parents) or 'nothing'}"
        for c, parents in bench.dag(member).parents.items()
    )
    _component(
        key=_PICTURE,
        data={
            "svg": _svg(picture_dot(bench, member, column)),
            "words": words,
            "column": column,
            "network": f"{bench.key} {member}",
        },
        on_column_change=_remember(key),
    )
    class_words = (
        "dotted: the class"
        if len(bench.dag(member).columns) <= _MOST_COLUMNS
        else "all depend on the class, too"
    )
    st.caption(
        "Arrows: what a column depends on, wide where they share much information; "
        f"{class_words}. Boxes of a stronger colour tell more about the class (MI, in nats). "
        "Click a box for its table."
    )


def picture_dot(bench: NetworkBench, member: int, column: int | None) -> str:
    """Describe the network's picture, a column highlighted."""
    dag = bench.dag(member)
    known = bench.diagnostics
    return network_dot(
        dag,
        bench.cut_schema(member),
        mi=_numbers(known.get("mutual_information")),
        cmi=_numbers(known.get("conditional_mutual_information")),
        theme=state.theme(),
        selected=column,
        class_edges=len(dag.columns) <= _MOST_COLUMNS,
    )


def _remember(key: str) -> Callable[[], None]:
    def choose() -> None:
        column = st.session_state[_PICTURE].column
        if column is not None:
            st.session_state[key] = int(column)

    return choose


@st.cache_data(show_spinner="Drawing the network", max_entries=64)
def _svg(dot: str) -> str:
    return render(dot).decode("utf-8")


def _numbers(values: object) -> np.ndarray | None:
    return None if values is None else np.asarray(values, dtype=np.float64)
