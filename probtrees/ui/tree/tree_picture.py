"""The picture of the tree on the page, and what is selected in it.

What the picture is made of goes to the browser once per tree, smoother and colouring; a
click does not send it again. So a click on a tree of ten thousand nodes costs as little as
one on ten.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from probtrees.draw.legend import Legend, legend_html, legend_parts
from probtrees.draw.node_card import apart_by
from probtrees.draw.tree_data import tree_numbers, tree_texts
from probtrees.experiment.evaluation.stability import splits_found_again
from probtrees.experiment.registry import SMOOTHERS
from probtrees.explain.detail import FIRST_GROUPS, DetailOrder, detail_order
from probtrees.explain.leaf import leaf_to_show
from probtrees.grow.count_tree import CountTree
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Schema
from probtrees.ui.shared.forms import keep_choice
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.bounded_cache import kept
from probtrees.ui.shared.show import canvas_component
from probtrees.ui.shared.view_controls import View
from probtrees.ui.shared.workbench import TreeBench, Workbench
from probtrees.ui.tree.decide_panel import Acting
from probtrees.ui.tree.tree_page import MOST_IN_LINK, OPENED, RULE

_component = canvas_component(
    "tree_view",
    scripts=(
        "tree_text",
        "tree_state",
        "tree_layout",
        "tree_cards",
        "tree_blocks",
        "tree_picture",
        "tree_outline",
        "tree_view",
    ),
)

_SMALL_PART = 0.02
"""A leaf with a smaller part of the rows is not what a table is about."""


def show_picture(
    bench: Workbench,
    view: View,
    smoothed: SmoothedTree,
    node: int,
    *,
    node_key: str = state.NODE,
    pinned: Sequence[int] = (),
    followed: Sequence[int] = (),
    marked: int | None = None,
    acting: Acting | None = None,
) -> None:
    """Show the tree with a node selected, and what its colours mean.

    Pinned nodes are marked, the ways to followed ones are lit, the splits on a marked column have
    a second frame, and leaves say whether to act on their rows. A click puts the node into the
    session under ``node_key``; every key has a picture of its own.
    """
    other = bench.smooth(view.other) if view.other else None
    theme = state.theme()
    grown = bench.counts.grown if isinstance(bench, TreeBench) else None
    shown = view if acting is None else replace(view, colour_by="acting")
    legend = picture_legend(bench, shown, smoothed)
    compared = bench.variant(view.other) if view.other else None
    key = (bench.variant(view.smoother), compared, view.colour_by, bench.outcome, theme)
    numbers = _numbers(key, smoothed, bench.outcome, view.colour_by, other)
    if node_key == state.NODE:
        _open_as_linked(bench, view.smoother, smoothed)
    head: dict[str, Any] = {
        "tree": str(bench.key),
        "numbers": str(key),
        "otherName": _name(view.other or ""),
        "pinned": list(pinned),
        "followed": list(followed),
        "marked": marked,
        "again": {} if grown is None else splits_found_again(grown, bench.tree),
        "decide": None if acting is None else acting.head(theme),
        "opened": _opened_before(str(bench.key), node_key),
    }
    texts = _texts(bench.key, bench.tree, bench.schema)
    _draw(head, texts, numbers, legend, node, node_key=node_key, acting=acting)


def show_painted_picture(
    key: str, smoothed: SmoothedTree, schema: Schema, outcome: int, node: int, *, node_key: str
) -> None:
    """Show a tree that is part of another model.

    Parameters
    ----------
    key : tells trees and their colours apart
    node, node_key : the node selected, and where a click puts another into the session
    """
    first = detail_order(smoothed).opened(FIRST_GROUPS)
    head: dict[str, Any] = {
        "tree": key,
        "numbers": key,
        "otherName": "",
        "pinned": [],
        "followed": [],
        "marked": None,
        "opened": _opened_before(key, node_key) or {"tree": key, "open": first},
    }
    drawn = tree_numbers(smoothed, outcome=outcome, theme=state.theme())
    texts, numbers = (json.dumps(x).encode() for x in (tree_texts(smoothed.tree, schema), drawn))
    _draw(head, texts, numbers, Legend.of_tree(smoothed, schema, outcome), node, node_key=node_key)


def _draw(
    head: dict[str, Any],
    texts: bytes,
    numbers: bytes,
    legend: Legend,
    node: int,
    *,
    node_key: str,
    acting: Acting | None = None,
) -> None:
    """Send what changes with every click, and the parts that change with the tree; explain it."""
    theme = state.theme()
    head = {
        **head,
        "outcome": legend.names[legend.outcome],
        "legend": legend_parts(legend, theme),
        "firstGroups": FIRST_GROUPS,
        **_selection(head["tree"], node, node_key),
    }
    # Three lines of JSON; after a click the node is the component's "selected" in the session.
    _component(
        key=_picture(node_key),
        data=b"\n".join((json.dumps(head).encode(), texts, numbers)),
        on_selected_change=partial(_select, node_key),
        on_opened_change=partial(_note_opened, node_key),
        on_decided_change=partial(_note_decided, node_key, acting),
    )
    st.html(legend_html(legend, is_short=True, theme=theme))


def detail_of(bench: Workbench, smoother: str, smoothed: SmoothedTree) -> DetailOrder:
    """Order the splits of the tree on show by how much they tell apart."""
    return _detail(bench.variant(smoother), smoothed)


def first_node(bench: Workbench, smoother: str, smoothed: SmoothedTree) -> int:
    """Choose the leaf to explain first, among those whose way the picture can show.

    Where splits have many branches these are a few rows: then it is one of the groups that the
    picture opens with.
    """
    detail, rows = detail_of(bench, smoother, smoothed), smoothed.tree.totals
    leaf = leaf_to_show(smoothed, bench.outcome, detail.near_leaves(FIRST_GROUPS))
    if rows[leaf] >= _SMALL_PART * rows[0]:
        return leaf
    return leaf_to_show(smoothed, bench.outcome, detail.shown_groups(FIRST_GROUPS))


def opened_nodes(
    bench: Workbench, detail: DetailOrder, node: int, node_key: str = state.NODE
) -> list[int]:
    """List the nodes that are open in the picture: as the browser last said, else as it began."""
    sent = st.session_state.get(_opened(node_key), {})
    if sent.get("tree") == str(bench.key):
        around = sent["open"][:1]  # a part in focus stands below its own way from the root
        return [*dict.fromkeys([*(bench.tree.path(around[0]) if around else []), *sent["open"]])]
    begun = st.session_state.get(f"sent {node_key}", {})
    first = begun["first"] if begun.get("tree") == str(bench.key) else node
    return detail.opened(FIRST_GROUPS, bench.tree.path(first)[:-1])


def picture_legend(bench: Workbench, view: View, smoothed: SmoothedTree) -> Legend:
    """Say what the colours of the picture mean."""
    other = bench.smooth(view.other) if view.other else None
    return replace(
        Legend.of_tree(smoothed, bench.schema, bench.outcome),
        colour_by=view.colour_by,
        compared=(_name(view.smoother), _name(view.other or "")),
        farthest=apart_by(smoothed, other, bench.outcome)[1],
    )


def _name(smoother: str) -> str:
    return SMOOTHERS[smoother].label if smoother in SMOOTHERS else smoother


def _picture(node_key: str) -> str:
    return f"picture {node_key}"


def _selection(tree: str, node: int, node_key: str) -> dict[str, Any]:
    """Return what the picture must select because it was chosen elsewhere; it knows its clicks.

    One that is made again, after another page or form was on show, knows of none.
    """
    is_new = _picture(node_key) not in st.session_state
    clicked = st.session_state.pop(f"clicked {node_key}", None)
    sent = st.session_state.get(f"sent {node_key}", {"tree": "", "turn": 0})
    if is_new or sent["tree"] != tree or node not in (clicked, sent["at"]):
        sent = {
            "tree": tree,
            "turn": sent["turn"] + 1,
            "selected": node,
            "first": node if sent["tree"] != tree else sent["first"],
        }
    st.session_state[f"sent {node_key}"] = {**sent, "at": node}
    return {name: sent[name] for name in ("selected", "turn")}


def _opened(node_key: str) -> str:
    return f"opened {node_key}"


def _opened_before(tree: str, node_key: str) -> dict[str, Any] | None:
    """Return what was open when the picture was last left, for one that is made again.

    It stays the same while the picture lives: what is sent to the browser is then not sent again.
    """
    kept_at = f"opened before {node_key}"
    if _picture(node_key) not in st.session_state:
        st.session_state[kept_at] = st.session_state.get(_opened(node_key))
    before: dict[str, Any] | None = st.session_state.get(kept_at)
    before = before if before and before["tree"] == tree else None
    sent = st.session_state.get(f"sent {node_key}", {}).get("tree")
    if sent != tree:
        # Another tree begins anew in the browser, also one that was on show before.
        st.session_state[_opened(node_key)] = before or {}
        if sent is not None and node_key == state.NODE:
            _note_for_link(before or {})
    return before


def _open_as_linked(bench: Workbench, smoother: str, smoothed: SmoothedTree) -> None:
    """Open what a link says, before the first picture of a session."""
    linked, kept_at = st.session_state.get(OPENED), _opened(state.NODE)
    if linked is None or kept_at in st.session_state or f"sent {state.NODE}" in st.session_state:
        return
    if isinstance(linked, int):
        nodes = detail_of(bench, smoother, smoothed).opened(linked)
    else:
        inner = ~bench.tree.is_leaf
        nodes = [node for node in linked if node < len(inner) and inner[node]]
    st.session_state[kept_at] = {"tree": str(bench.key), "open": nodes, "exact": True}


def _note_for_link(opened: dict[str, Any]) -> None:
    """Remember what is open in the form that a link holds; a part in focus is not told."""
    st.session_state.pop(OPENED, None)
    if not opened or opened.get("top"):
        return
    nodes = opened["open"]
    many = len(nodes) > MOST_IN_LINK
    st.session_state[OPENED] = opened.get("groups", 1) if many else tuple(nodes)


def _select(node_key: str) -> None:
    """Remember the node clicked in the picture; a phone's sheet comes up to explain it."""
    node = st.session_state[_picture(node_key)].selected
    if node is not None:
        st.session_state[node_key] = int(node)
        st.session_state[f"clicked {node_key}"] = int(node)
        st.session_state[state.SHEET_OPEN] = True


def _note_decided(node_key: str, acting: Acting | None) -> None:
    """Remember on whom to act, as the slider in the picture says."""
    stop = st.session_state[_picture(node_key)].decided
    if acting is not None and stop is not None and stop < len(acting.rules):
        keep_choice(RULE, acting.rules[stop], acting.proposed)


def _note_opened(node_key: str) -> None:
    """Remember what is open in the picture, for files of it."""
    opened = st.session_state[_picture(node_key)].opened
    if opened is not None:
        st.session_state[_opened(node_key)] = opened
        if node_key == state.NODE:
            _note_for_link(opened)


@kept()
def _detail(key: Any, _smoothed: SmoothedTree) -> DetailOrder:
    return detail_order(_smoothed)


@kept()
def _texts(key: Any, _tree: CountTree, _schema: Schema) -> bytes:
    return json.dumps(tree_texts(_tree, _schema)).encode()


@kept()
def _numbers(
    key: Any, _smoothed: SmoothedTree, _outcome: int, _colour_by: Any, _other: SmoothedTree | None
) -> bytes:
    numbers = tree_numbers(
        _smoothed, outcome=_outcome, colour_by=_colour_by, other=_other, theme=key[-1]
    )
    return json.dumps(numbers).encode()
