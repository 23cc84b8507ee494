"""Up to three leaves kept side by side, each with a note, to be printed on one page."""

from __future__ import annotations

import streamlit as st

from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.ui.shared.session import state
from probtrees.ui.shared.workbench import Workbench
from probtrees.ui.tree.leaf_panel import leaf_panel

MOST = 3


def pinned_nodes(bench: Workbench) -> list[int]:
    """Return the pinned nodes of the tree in use; another tree has pins of its own."""
    kept: dict[str, list[int]] = st.session_state.setdefault(state.PINS, {})
    return kept.setdefault(str(bench.key), [])


def pinned_notes(bench: Workbench) -> list[tuple[int, str]]:
    """Return the pinned nodes of the tree in use, each with its note."""
    return [
        (node, str(st.session_state.get(_note_key(bench, node)) or ""))
        for node in pinned_nodes(bench)
        if node < bench.tree.n_nodes
    ]


def _note_key(bench: Workbench, node: int) -> str:
    return f"{state.NOTE}{bench.key} {node}"


def pin_button(bench: Workbench, node: int) -> None:
    """Offer to keep the node in view, or to let it go."""
    pins = pinned_nodes(bench)
    is_pinned = node in pins
    st.button(
        "Unpin" if is_pinned else "Pin",
        help=f"Up to {MOST} leaves stand side by side below and are printed on one page.",
        disabled=len(pins) >= MOST and not is_pinned,
        on_click=_toggle,
        args=(bench, node),
        key="pin",
    )


def pinned_leaves(bench: Workbench, smoothed: SmoothedTree, smoother: str) -> None:
    """Show the pinned leaves side by side; printing the page prints only these."""
    pins = [node for node in pinned_nodes(bench) if node < smoothed.tree.n_nodes]
    if not pins:
        return
    with st.container(key="pins"):
        st.subheader("Pinned")
        for node, column in zip(pins, st.columns(MOST, gap="medium"), strict=False):
            with column, st.container(border=True):
                leaf_panel(bench, smoothed, node, smoother)
                st.text_area(
                    "Note",
                    **state.lasting(_note_key(bench, node)),
                    height=80,
                    placeholder="What the committee should know",
                )
                st.button("Unpin", key=f"unpin {node}", on_click=_toggle, args=(bench, node))


def _toggle(bench: Workbench, node: int) -> None:
    pins = pinned_nodes(bench)
    if node in pins:
        pins.remove(node)
    elif len(pins) < MOST:
        pins.append(node)
