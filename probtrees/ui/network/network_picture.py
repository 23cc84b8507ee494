"""The picture of a network; a click chooses a column, or says that a value is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import streamlit as st

from probtrees.draw.network import network_dot
from probtrees.draw.network_data import (
    NetworkPicture,
    PictureArc,
    PictureNode,
    in_scale,
    network_legend,
    picture_record,
    with_fewer_words,
)
from probtrees.draw.network_layout import NetworkLayout, layout_dot, network_layout
from probtrees.experiment.registry import SMOOTHERS
from probtrees.explain.network_query import Findings, NetworkAnswer, NetworkQuery
from probtrees.grow.dag import Dag
from probtrees.model.model import Model
from probtrees.types import FloatArray
from probtrees.ui.network.findings import pick_value
from probtrees.ui.network.network_bench import NetworkBench
from probtrees.ui.network.network_page import ALL_MEMBERS, COLOUR, COLUMN
from probtrees.ui.shared.canvas_view import canvas_component
from probtrees.ui.shared.session import state

ColourBy = Literal["information", "position", "difference"]

COLOURS: dict[ColourBy, str] = {
    "information": "what they tell about the class",
    "position": "their place in the order of learning",
    "difference": "how far two smoothers differ",
}
_PICTURE = "network picture"
_MOST_COLUMNS = 16
"""Columns up to which a picture file shows the arrows of the class."""

_LEAST_SHARE = 0.2
"""Arrows that fewer networks of an ensemble have are left out of the picture of all."""

_component = canvas_component("network_view", scripts=("network_picture", "network_view"))


@dataclass(frozen=True)
class Asked:
    """What is known, and what the network says then."""

    query: NetworkQuery
    findings: Findings
    answer: NetworkAnswer


def colour_choice() -> None:
    """Ask what boxes are coloured by and, where two smoothers are compared, the other one."""
    colour = st.radio(
        "Colour the boxes by",
        list(COLOURS),
        format_func=lambda name: COLOURS[name],
        key=COLOUR,
        persist_state="session",
    )
    if colour == "difference":
        st.selectbox(
            "Compare with",
            list(SMOOTHERS),
            index=None,
            format_func=lambda name: SMOOTHERS[name].label,
            placeholder="another smoother",
            key=state.OTHER,
            persist_state="session",
        )


def show_network(
    bench: NetworkBench, member: int, column: int, smoother: str, asked: Asked | None = None
) -> None:
    """Draw the whole network with a column highlighted, and the legend of the picture."""
    shares = member_shares(bench) if shows_all(bench) else None
    dag = bench.dag(member) if shares is None else _joined(bench, shares)
    values, scale = _colours(bench, member, dag, smoother)
    arcs, widths = _arcs(bench, dag, shares)
    target = bench.schema.target_column
    attributes = [number for number in dag.columns if number != target]
    points_at_all = all(target in dag.parents[number] for number in attributes)
    picture = NetworkPicture(
        [_node(bench, dag, number, values, asked) for number in dag.columns],
        [arc for arc in arcs if not (points_at_all and arc.parent == target)],
        attributes if points_at_all else (),
        target,
    )
    which = f"{bench.key} {member} {shares is not None} {asked is not None}"
    draw_picture(picture, column, which, _remark(bench, shares, asked), asked)
    st.html(network_legend(scale, widths, theme=state.theme()))


def draw_picture(
    picture: NetworkPicture, column: int, which: str, remark: str, asked: Asked | None
) -> None:
    """Lay a picture out and show it; ``which`` tells pictures apart that are to be fitted anew."""
    picture = with_fewer_words(picture)
    layout = _layout(layout_dot(picture.sizes, picture.laid_out, picture.top), picture)
    record = picture_record(picture, layout, theme=state.theme())
    record |= {"selected": column, "network": which, "remark": remark}
    _component(key=_PICTURE, data=record, on_picked_change=_picked(asked))


def shows_all(bench: NetworkBench) -> bool:
    """Whether the picture shows all networks of an ensemble together."""
    return bench.n_members > 1 and bool(st.session_state.get(ALL_MEMBERS, True))


def member_shares(bench: NetworkBench) -> dict[tuple[int, int], float]:
    """Return, for every arrow between attributes, the share of the networks that have it."""
    counted: dict[tuple[int, int], float] = {}
    for member in range(bench.n_members):
        for child, parents in bench.dag(member).parents.items():
            for parent in parents:
                counted[parent, child] = counted.get((parent, child), 0.0) + 1 / bench.n_members
    return counted


def _joined(bench: NetworkBench, shares: Mapping[tuple[int, int], float]) -> Dag:
    """Join the networks of an ensemble: all columns, and the arrows that many have."""
    columns = {
        column: None for member in range(bench.n_members) for column in bench.dag(member).columns
    }
    return Dag(
        {
            column: tuple(
                parent
                for (parent, child), share in sorted(shares.items(), key=lambda arc: -arc[1])
                if child == column and share >= _LEAST_SHARE
            )
            for column in columns
        }
    )


def _colours(
    bench: NetworkBench, member: int, dag: Dag, smoother: str
) -> tuple[dict[int, float], tuple[str, str, str]]:
    """Place every attribute on the scale of colours, and say what its ends are."""
    attributes = [column for column in dag.columns if column != bench.schema.target_column]
    chosen = st.session_state.get(COLOUR, "information")
    other = st.session_state.get(state.OTHER)
    if chosen == "difference" and other and other != smoother and bench.can_smooth(other):
        apart = _differences(bench.smooth(smoother), bench.smooth(other), member)
        values = {column: apart.get(column, 0.0) for column in attributes}
        words = f"boxes: {SMOOTHERS[smoother].label} against {SMOOTHERS[other].label}"
        return in_scale(values), (words, "alike", f"{_most(values) * 100:.1f} points apart")
    single = _numbers(bench.diagnostics.get("mutual_information"))
    if chosen == "position" or single is None:
        values = {column: 1.0 - at / len(attributes) for at, column in enumerate(attributes)}
        return in_scale(values), ("boxes: order", "last", "first")
    values = {column: float(single[column]) for column in attributes}
    return in_scale(values), ("boxes tell about the class", "0", f"{_most(values):.3f} nats")


def _differences(one: Model, other: Model, member: int) -> dict[int, float]:
    """Return how far two smoothers are apart in every table, contexts weighted by their rows."""
    found = {}
    for ours, theirs in zip(one.members[member].trees, other.members[member].trees, strict=True):
        leaves = ours.tree.leaves
        rows = ours.tree.totals[leaves]
        apart = np.abs(ours.probs[leaves] - theirs.probs[leaves]).sum(axis=1) / 2
        found[ours.tree.target] = float(rows @ apart / max(float(rows.sum()), 1e-300))
    return found


def _arcs(
    bench: NetworkBench, dag: Dag, shares: Mapping[tuple[int, int], float] | None
) -> tuple[list[PictureArc], tuple[str, str] | None]:
    """List the arrows with their widths, and say what the widest stands for."""
    pairs = [(parent, child) for child, parents in dag.parents.items() for parent in parents]
    if shares is not None:
        arcs = [PictureArc(*pair, share=shares[pair]) for pair in pairs]
        return arcs, ("share of the networks", "all")
    pairwise = _numbers(bench.diagnostics.get("conditional_mutual_information"))
    if pairwise is None:
        return [PictureArc(*pair) for pair in pairs], None
    target = bench.schema.target_column
    known = {
        index: 0.0 if target in pair else float(pairwise[pair]) for index, pair in enumerate(pairs)
    }
    scaled = in_scale(known)
    arcs = [PictureArc(*pair, share=scaled[index]) for index, pair in enumerate(pairs)]
    between = any(target not in pair for pair in pairs)
    widest = f"{_most(dict(known)):.3f} nats"
    return arcs, ("information they share", widest) if between else None


def _node(
    bench: NetworkBench, dag: Dag, column: int, values: Mapping[int, float], asked: Asked | None
) -> PictureNode:
    """Describe one box: its name, and its values with their chances where the network is asked."""
    name, target = bench.schema.names[column], bench.schema.target_column
    parents = [bench.schema.names[parent] for parent in dag.parents[column]]
    words = f"{name}\ndepends on {', '.join(parents) or 'nothing'}"
    single = _numbers(bench.diagnostics.get("mutual_information"))
    detail = "the class" if column == target else ""
    if single is not None and column != target:
        detail = f"MI {single[column]:.3f}"
        words += f"\ntells {single[column]:.4f} nats about the class"
    strength = None if column == target else values.get(column, 0.0)
    return with_values(PictureNode(column, name, detail, strength, words=words), asked)


def with_values(node: PictureNode, asked: Asked | None) -> PictureNode:
    """Show the chances of a column's values in its box, where the network is asked."""
    if asked is None or node.name not in asked.answer.posteriors:
        return node
    name = node.name
    variable = asked.query.variable(name)
    known = -1
    if name in asked.findings:
        finding = asked.findings[name]
        known = -2 if isinstance(finding, Mapping) else variable.code(finding)
    shares = tuple(float(share) for share in asked.answer.posteriors[name])
    return replace(node, detail="", values=variable.values, shares=shares, known=known)


def _remark(
    bench: NetworkBench, shares: Mapping[tuple[int, int], float] | None, asked: Asked | None
) -> str:
    """Say below the picture what can be done in it."""
    said = "Click a box for its table."
    if asked is not None:
        said = "Click a value that is known; click it again to forget it."
    if shares is None:
        return said
    target = bench.schema.target_column
    most = max((share for arc, share in shares.items() if target not in arc), default=0.0)
    if most < _LEAST_SHARE:
        return (
            f"{said} Each of the {bench.n_members} networks has arrows of its own between "
            "attributes: look at one network to see them."
        )
    return (
        f"{said} All {bench.n_members} networks together: arrows that at least "
        f"{_LEAST_SHARE:.0%} of them have."
    )


def _picked(asked: Asked | None) -> Callable[[], None]:
    def choose() -> None:
        picked = st.session_state[_PICTURE].picked
        if picked is None:
            return
        st.session_state[COLUMN] = int(picked["column"])
        if asked is not None and picked["value"] is not None:
            pick_value(int(picked["column"]), int(picked["value"]))

    return choose


def picture_dot(bench: NetworkBench, member: int, column: int | None) -> str:
    """Describe the network's picture as DOT, for picture files."""
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


@st.cache_data(show_spinner="Drawing the network", max_entries=64)
def _layout(dot: str, _picture: NetworkPicture) -> NetworkLayout:
    return network_layout(_picture.sizes, _picture.laid_out, _picture.top)


def _most(values: Mapping[int, float]) -> float:
    return max(values.values(), default=0.0)


def _numbers(values: object) -> FloatArray | None:
    return None if values is None else np.asarray(values, dtype=np.float64)
