"""The picture of a network; a click chooses a column, or says that a value is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import streamlit as st

from probtrees.draw.escape import markdown_text
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
from probtrees.experiment.evaluation.stability import ArcStrengths
from probtrees.experiment.registry import SMOOTHERS
from probtrees.explain.network_answer import Findings, NetworkAnswer
from probtrees.explain.network_query import NetworkQuery
from probtrees.grow.dag import Dag
from probtrees.model.model import Model
from probtrees.types import FloatArray
from probtrees.ui.network.findings import pick_value, value_of
from probtrees.ui.network.network_bench import NetworkBench
from probtrees.ui.network.network_information import (
    NOT_CUT,
    Information,
    information_about_class,
    information_between,
)
from probtrees.ui.network.network_page import ALL_MEMBERS, ARC, COLOUR, COLUMN, LEAST_ARROW, MEMBER
from probtrees.ui.shared.canvas_view import canvas_component
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.bounded_cache import kept

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
    """What is known, and what the network says then; ``is_pending`` while it still works on it."""

    query: NetworkQuery
    findings: Findings
    answer: NetworkAnswer
    is_pending: bool = False


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
    st.slider(
        "Leave out arrows weaker than",
        0,
        95,
        step=5,
        format="%d %% of the strongest",
        key=LEAST_ARROW,
        persist_state="session",
        help="What arrows are wide by stands below the picture. Nothing but the picture changes.",
    )


def show_network(
    bench: NetworkBench,
    member: int,
    column: int,
    smoother: str,
    asked: Asked | None = None,
    strengths: ArcStrengths | None = None,
) -> None:
    """Draw the whole network with a column highlighted, and the legend of the picture.

    Parameters
    ----------
    asked : what is known and what follows from it, where the network is asked
    strengths : how sure the arrows are, where that is to be seen; of one network of an ensemble
    """
    shares = member_shares(bench) if strengths is None and shows_all(bench) else None
    dag = bench.dag(member) if shares is None else _joined(bench, shares)
    values, scale = _colours(bench, member, dag, smoother)
    arcs, widths = _arcs(bench, member, dag, shares, strengths)
    target = bench.schema.target_column
    arcs, n_hidden = _strong_ones(arcs, target)
    attributes = [number for number in dag.columns if number != target]
    points_at_all = all(target in dag.parents[number] for number in attributes)
    picture = NetworkPicture(
        [_node(bench, member, dag, number, values, asked) for number in dag.columns],
        [arc for arc in arcs if not (points_at_all and arc.parent == target)],
        attributes if points_at_all else (),
        target,
        {arc.child: arc.share for arc in arcs if strengths is not None and arc.parent == target},
    )
    which = f"{bench.key} {member} {shares is not None} {asked is not None}"
    remark = _remark(bench, shares, asked)
    if n_hidden:
        remark += f" Left out: {n_hidden} weaker arrows (Colours)."
    draw_picture(picture, column, f"{which} {n_hidden}", remark, _picked(asked, bench))
    st.html(network_legend(scale, widths, theme=state.theme()))


def _strong_ones(arcs: list[PictureArc], target: int) -> tuple[list[PictureArc], int]:
    """Leave weak arrows between attributes out where that is asked for, and count them."""
    least = st.session_state.get(LEAST_ARROW, 0) / 100
    strongest = max((arc.share for arc in arcs), default=0.0)
    strong = [
        arc for arc in arcs if arc.share >= least * strongest or target in (arc.parent, arc.child)
    ]
    return strong, len(arcs) - len(strong)


def draw_picture(
    picture: NetworkPicture, column: int, which: str, remark: str, picked: Callable[[], None]
) -> None:
    """Lay a picture out and show it; ``which`` tells pictures apart that are to be fitted again."""
    picture = with_fewer_words(picture)
    layout = _layout(layout_dot(picture.sizes, picture.laid_out, picture.top), picture)
    record = picture_record(picture, layout, theme=state.theme())
    arc = st.session_state.get(ARC)
    if arc is None or arc[1] != column:
        arc = None
    record |= {"selected": column, "network": which, "remark": remark, "arc": arc}
    _component(key=_PICTURE, data=record, on_picked_change=picked)


def shows_all(bench: NetworkBench) -> bool:
    """Whether the picture shows all networks of an ensemble together."""
    return share_arrows(bench) and bool(st.session_state.get(ALL_MEMBERS, True))


def share_arrows(bench: NetworkBench) -> bool:
    """Whether networks of an ensemble have arrows between attributes in common.

    Those of AODE have not: a picture of all would look like naive Bayes.
    """
    target = bench.schema.target_column
    return bench.n_members > 1 and any(
        share >= _LEAST_SHARE for arc, share in member_shares(bench).items() if target not in arc
    )


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
    information = information_about_class(bench, member)
    if chosen == "position" or not information:
        values = {column: 1.0 - at / len(attributes) for at, column in enumerate(attributes)}
        return in_scale(values), ("boxes: order", "last", "first")
    values = {column: information[column].beyond_chance for column in attributes}
    words = "boxes tell about the class, beyond chance"
    return in_scale(values), (words, "0", f"{_most(values):.3f} nats")


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
    bench: NetworkBench,
    member: int,
    dag: Dag,
    shares: Mapping[tuple[int, int], float] | None,
    strengths: ArcStrengths | None,
) -> tuple[list[PictureArc], tuple[str, str] | None]:
    """List the arrows with their widths, and say what the widest stands for."""
    pairs = [(parent, child) for child, parents in dag.parents.items() for parent in parents]
    names = bench.schema.titles
    if strengths is not None:
        sure, n_networks = strengths.shares, strengths.n_networks
        arcs = [
            PictureArc(
                *pair,
                share=sure.get(pair, 0.0),
                words=f"{_arrow(names, pair)}\nfound again in {sure.get(pair, 0.0):.0%} of "
                f"{n_networks} networks learnt without a part of the rows",
            )
            for pair in pairs
        ]
        return arcs, (f"found again, of {n_networks} networks", "all")
    if shares is not None:
        arcs = [
            PictureArc(
                *pair,
                share=shares[pair],
                words=f"{_arrow(names, pair)}\n{round(shares[pair] * bench.n_members)} of "
                f"{bench.n_members} networks have it. Click for the first that does.",
            )
            for pair in pairs
        ]
        return arcs, ("share of the networks", "all")
    nats = information_between(bench, member, pairs)
    if nats is None:
        return [PictureArc(*pair, words=_arrow(names, pair)) for pair in pairs], None
    target = bench.schema.target_column
    known = {index: nats[pair].beyond_chance for index, pair in enumerate(pairs)}
    scaled = in_scale(known)
    arcs = [
        PictureArc(*pair, share=scaled[index], words=_shared_words(names, pair, nats[pair], target))
        for index, pair in enumerate(pairs)
    ]
    between = any(target not in pair for pair in pairs)
    widest = f"{_most(dict(known)):.3f} nats"
    return arcs, ("information they share, beyond chance", widest) if between else None


def _arrow(names: Sequence[str], pair: tuple[int, int]) -> str:
    return f"{names[pair[0]]} → {names[pair[1]]}"


def _shared_words(
    names: Sequence[str], pair: tuple[int, int], information: Information, target: int
) -> str:
    """Say what an arrow stands for."""
    if target in pair:
        return _arrow(names, pair)
    return (
        f"{_arrow(names, pair)}\nthey share {information.measured:.4f} nats when the class is "
        f"known\nchance alone would give {information.chance:.4f}"
    )


def _node(
    bench: NetworkBench,
    member: int,
    dag: Dag,
    column: int,
    values: Mapping[int, float],
    asked: Asked | None,
) -> PictureNode:
    """Describe one box: its name, and its values with their chances where the network is asked."""
    box, target = bench.schema.columns[column], bench.schema.target_column
    parents = [bench.schema.titles[parent] for parent in dag.parents[column]]
    words = f"{box.full_title}\ndepends on {', '.join(parents) or 'nothing'}"
    information = information_about_class(bench, member).get(column)
    detail = "the class" if column == target else ""
    if information is not None and column != target:
        detail = f"MI {information.beyond_chance:.3f}"
        words += (
            f"\ntells {information.measured:.4f} nats about the class, of which chance alone would "
            f"give {information.chance:.4f}"
        )
    strength = None if column == target else values.get(column, 0.0)
    node = PictureNode(column, box.name, detail, strength, words=words, title=box.title)
    return with_values(node, asked)


def with_values(node: PictureNode, asked: Asked | None) -> PictureNode:
    """Show the chances of a column's values in its box, where the network is asked."""
    if asked is None or node.name not in asked.query.variables:
        return node
    name = node.name
    variable = asked.query.variable(name)
    if len(variable.values) == 1:
        return replace(node, detail="one value: tells nothing", words=f"{node.words}\n{NOT_CUT}")
    known = -1
    if name in asked.findings:
        value = value_of(variable, asked.findings[name])
        known = -2 if value is None else value
    # Values can be clicked also where their chances are not known.
    chances = asked.answer.posteriors.get(name, np.full(len(variable.values), np.nan))
    return replace(
        node,
        detail="",
        values=variable.values,
        shares=tuple(float(chance) for chance in chances),
        known=known,
        in_conflict=name in asked.answer.conflict,
    )


def _remark(
    bench: NetworkBench, shares: Mapping[tuple[int, int], float] | None, asked: Asked | None
) -> str:
    """Say below the picture what can be done in it."""
    said = "Click a box for its table."
    if asked is not None:
        said = "Click a value that is known; click it again to forget it."
    if shares is None:
        return said
    return (
        f"{said} All {bench.n_members} networks together: arrows that at least "
        f"{_LEAST_SHARE:.0%} of them have."
    )


def picked_in(asked: Asked | None) -> Callable[[], None]:
    """Return what a click in a picture of one network does."""
    return _picked(asked, None)


def _picked(asked: Asked | None, bench: NetworkBench | None) -> Callable[[], None]:
    def choose() -> None:
        picked = st.session_state[_PICTURE].picked
        if picked is None:
            return
        st.session_state[COLUMN] = int(picked["column"])
        parent = picked["parent"]
        st.session_state[ARC] = None if parent is None else (int(parent), int(picked["column"]))
        if parent is not None and bench is not None and bench.n_members > 1:
            _to_member_with(bench, int(parent), int(picked["column"]))
        if asked is not None and picked["value"] is not None:
            pick_value(int(picked["column"]), int(picked["value"]))

    return choose


def members_with(bench: NetworkBench, parent: int, child: int) -> list[int]:
    """List the networks of an ensemble that have an arrow."""
    return [
        member
        for member in range(bench.n_members)
        if parent in bench.dag(member).parents.get(child, ())
    ]


def _to_member_with(bench: NetworkBench, parent: int, child: int) -> None:
    """Show a table that the arrow belongs to: that of the network on show, or of the first."""
    having = members_with(bench, parent, child)
    if having and st.session_state.get(MEMBER, 1) - 1 not in having:
        st.session_state[MEMBER] = having[0] + 1


def say_arc(bench: NetworkBench, member: int, column: int) -> None:
    """Say which table, and which networks of an ensemble, the arrow that was clicked belongs to."""
    arc = st.session_state.get(ARC)
    if arc is None or arc[1] != column or arc[0] not in bench.dag(member).parents.get(column, ()):
        return
    words = markdown_text(_arrow(bench.schema.titles, arc))
    if bench.n_members == 1:
        st.caption(f"{words}: in the table below it is a column of the contexts.")
        return
    having = members_with(bench, *arc)
    listed = ", ".join(str(number + 1) for number in having[:12])
    more = " …" if len(having) > 12 else ""
    st.caption(
        f"{words}: {len(having)} of {bench.n_members} networks have it ({listed}{more}). Below is "
        f"the table of network {member + 1}."
    )


def picture_dot(bench: NetworkBench, member: int, column: int | None) -> str:
    """Describe the network's picture as DOT, for picture files."""
    dag = bench.dag(member)
    information = information_about_class(bench, member)
    single = np.array([information[number].beyond_chance for number in sorted(information)])
    return network_dot(
        dag,
        bench.cut_schema(member),
        mi=single if information else None,
        cmi=_numbers(bench.diagnostics.get("conditional_mutual_information")),
        theme=state.theme(),
        selected=column,
        class_edges=len(dag.columns) <= _MOST_COLUMNS,
    )


@kept(spinner="Drawing the network")
def _layout(dot: str, _picture: NetworkPicture) -> NetworkLayout:
    return network_layout(_picture.sizes, _picture.laid_out, _picture.top)


def _most(values: Mapping[int, float]) -> float:
    return max(values.values(), default=0.0)


def _numbers(values: object) -> FloatArray | None:
    return None if values is None else np.asarray(values, dtype=np.float64)
