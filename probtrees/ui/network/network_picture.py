"""The picture of a network; a click chooses a column, or says that a value is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
import streamlit as st

from probtrees.draw import markup
from probtrees.draw.network_arrows import Arc
from probtrees.draw.network_data import (
    NetworkPicture,
    PictureArc,
    PictureNode,
    arrow_words,
    network_legend,
    network_picture,
    picture_record,
    plain_network,
    with_fewer_words,
)
from probtrees.draw.network_layout import NetworkLayout, network_layout, redrawn
from probtrees.draw.palette import PAINTS
from probtrees.experiment.evaluation.stability import ArcStrengths
from probtrees.explain.network_answer import Findings, NetworkAnswer
from probtrees.explain.network_query import NetworkQuery
from probtrees.grow.count.chance_information import BeyondChance
from probtrees.grow.dag import Dag
from probtrees.ui.network.findings import pick_value, value_of
from probtrees.ui.network.network_bench import NetworkBench, change_arrow, other_network
from probtrees.ui.network.network_information import NOT_CUT, informations
from probtrees.ui.network.network_page import ARC, AS_LEARNT, COLUMN
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.jobs import Job
from probtrees.ui.shared.show import canvas_component

_PICTURE = "network picture"
CLICK_VALUES = "Bars: what {} says. Click a value that is known, and again to forget it."
_CLICK_BOXES = "Bars: shares of all rows. Click a box for its table."
TELLS_NOTHING = "Tells nothing more about {}, given what is known."
DRAWN = "network.drawn"
"""What the browser draws now, which picture files show."""

_component = canvas_component("network_view", scripts=("network_picture", "network_view"))


@dataclass(frozen=True)
class Asked:
    """What is known, and what the network says then.

    Attributes
    ----------
    key : what its answers are found again by
    names : of the columns, by the number that the picture knows them by
    column : the column that is chosen
    member : the network on show
    job : works the answer out
    said : the answer; None where it was not there when the page began to be drawn
    nothing_known : what the network says when nothing is known, where that is worked out
    """

    key: tuple[Any, ...]
    names: tuple[str, ...]
    column: int
    member: int
    query: NetworkQuery
    findings: Findings
    job: Job
    said: NetworkAnswer | None
    nothing_known: NetworkAnswer | None = None

    @property
    def about(self) -> str:
        """The column that others tell about: the class or, where that is known, the chosen one."""
        is_known = self.query.target in self.findings
        return self.names[self.column] if is_known else self.query.target

    @cached_property
    def telling(self) -> set[str]:
        """The columns that may tell more about it; all, where nothing of use is known."""
        if not self.findings or self.about in self.findings:
            return set(self.query.variables)
        return self.query.telling(self.about, self.findings)

    @property
    def answer(self) -> NetworkAnswer:
        """What the network says; while that is worked out, nothing."""
        classes = self.query.variables[self.query.target].values
        return self.said or NetworkAnswer(np.full(len(classes), np.nan), {})


def show_network(
    bench: NetworkBench,
    member: int,
    column: int,
    asked: Asked | None = None,
    strengths: ArcStrengths | None = None,
    other: tuple[str, NetworkBench] | None = None,
    corrects: bool = False,
) -> None:
    """Draw the whole network with a column highlighted, and the legend of the picture.

    Boxes stand where they stood before arrows were corrected, and where they stand alone when the
    network is held against another.

    Parameters
    ----------
    asked : what is known and what follows from it, where the network is asked
    other : another network and its name, whose arrows are drawn into the same picture
    corrects : whether arrows can be drawn from box to box
    strengths : how sure the arrows are, where that is to be seen
    """
    dag, plain = bench.dag(member), other_network(bench, AS_LEARNT) if bench.edits else bench
    told, adds = informations(bench.key, member, bench)
    base = plain_network(dag, bench.schema, told, adds)
    arcs, widths = _arcs(base, adds, strengths)
    kinds: dict[Arc, int] = {}
    nodes = [_with_shares(bench, member, node, asked) for node in base.nodes]
    if other is not None:
        theirs = other[1].dag(0)
        kinds = differences(dag, theirs)
        arcs = [PictureArc(*arc, words=arrow_words(bench.schema, arc)) for arc in kinds]
        all_theirs = plain_network(theirs, bench.schema, *informations(other[1].key, 0, other[1]))
        more = [node for node in all_theirs.nodes if node.column not in dag.columns]
        nodes += [_with_shares(other[1], 0, node, None) for node in more]
    first, target = plain.dag(member), bench.schema.target_column
    picture = with_fewer_words(network_picture(first, target, nodes, arcs))
    which = f"{plain.key} {member} {other and other[0]}"
    who = "the network" if bench.n_members == 1 else f"the average of {bench.n_members} networks"
    remark = _CLICK_BOXES if asked is None else CLICK_VALUES.format(who)
    draw = None
    if corrects and bench.edits is not None:
        draw, remark = partial(change_arrow, bench, "add"), "Drag from box to box: a new arrow."
    layout = _layout_as_before(picture, first) if kinds or plain is not bench else None
    draw_picture(picture, column, which, remark, asked, draw, kinds, layout)
    if other is not None:
        st.html(_difference_legend(other[0]))
    elif asked is None:
        most = max((told[at].bits for at in dag.columns if at in told), default=0.0)
        scale = ("boxes: told about the class", "0", f"{most:.3f} bits")
        st.html(network_legend(scale, widths, theme=state.theme()))


def _layout_as_before(picture: NetworkPicture, dag: Dag) -> NetworkLayout:
    """Draw the arrows of a picture on the layout of a network that has other arrows."""
    nodes = [node for node in picture.nodes if node.column in dag.columns]
    before = network_picture(dag, picture.target or 0, nodes, [PictureArc(*a) for a in dag.arcs])
    drawn = [(arc.parent, arc.child) for arc in (*picture.class_arcs, *picture.arcs)]
    layout = network_layout(before.sizes, before.laid_out, before.top)
    return redrawn(layout, picture.sizes, drawn, before.top)


def differences(dag: Dag, other: Dag) -> dict[Arc, int]:
    """Say of every arrow of two networks who has it: both, here, there, or it points back there.

    An arrow that points back there is drawn once, as it is here.

    >>> differences(Dag({0: (), 1: (0,), 2: (0,)}), Dag({0: (2,), 1: (0,), 2: ()}))
    {(0, 1): 0, (0, 2): 3}
    """
    theirs = set(other.arcs)
    kinds = {arc: 0 if arc in theirs else 3 if arc[::-1] in theirs else 1 for arc in dag.arcs}
    return kinds | {arc: 2 for arc in other.arcs if not {arc, arc[::-1]} & {*kinds}}


def _difference_legend(name: str) -> str:
    """Say which arrows are whose."""
    paint = PAINTS[state.theme()]
    parts = [("", "arrows:"), (paint.faint, ""), ("", "both"), (paint.accent, "")]
    parts += [("", "only here"), (paint.mark, "")]
    parts += [("", f"only {name} (dashed), or turned there (dotted)")]
    return markup.legend(parts, paint)


def draw_picture(
    picture: NetworkPicture,
    column: int,
    which: str,
    remark: str,
    asked: Asked | None,
    draw: Callable[[int, int], None] | None = None,
    kinds: Mapping[Arc, int] | None = None,
    layout: NetworkLayout | None = None,
) -> None:
    """Lay a picture out and show it.

    Parameters
    ----------
    which : tells pictures apart that are to be fitted again
    draw : takes an arrow that somebody draws from box to box; None: nobody can
    kinds : who has which arrow, where two networks are compared
    layout : where all lies, if that is known
    """

    def choose() -> None:
        picked = st.session_state[_PICTURE].picked
        if picked is None:
            return
        chosen, parent = int(picked["column"]), picked["parent"]
        if draw is not None and picked["drawn"]:
            draw(int(parent), chosen)
            return
        st.session_state[COLUMN] = chosen
        st.session_state[ARC] = None if parent is None else (int(parent), chosen)
        if asked and picked["value"] is not None and chosen < len(asked.names):
            pick_value(asked.query, asked.names[chosen], int(picked["value"]))

    picture = with_fewer_words(picture)
    layout = layout or network_layout(picture.sizes, picture.laid_out, picture.top)
    record = picture_record(picture, layout, theme=state.theme())
    arc = st.session_state.get(ARC)
    record |= {"selected": column, "network": which, "remark": remark}
    record |= {"asks": asked is not None, "draws": draw is not None}
    record["kinds"] = {f"{parent} {child}": kind for (parent, child), kind in (kinds or {}).items()}
    record["arc"] = arc if arc is not None and arc[1] == column else None
    st.session_state[DRAWN] = record
    _component(key=_PICTURE, data=record, on_picked_change=choose)


def _arcs(
    base: NetworkPicture, told: Mapping[Arc, BeyondChance], strengths: ArcStrengths | None
) -> tuple[list[PictureArc], tuple[str, str] | None]:
    """List the arrows with their widths, and say what the widest stands for.

    An arrow that adds something is as wide as it is often found again, else as what it adds.
    """
    arcs = [*base.class_arcs, *base.arcs]
    if strengths is None:
        between = [told[arc.parent, arc.child].bits for arc in base.arcs]
        return arcs, ("what they add", f"{max(between):.3f} bits") if between else None
    shares, n = strengths.shares, strengths.n_networks
    found = []
    for arc in arcs:
        pair = arc.parent, arc.child
        words = f"{arc.words}\n{found_again(shares.get(pair, 0.0), n)}"
        found.append(replace(arc, share=shares.get(pair, 0.0) * told[pair].is_clear, words=words))
    return found, (f"found again, of {n} networks (thin: chance)", "all")


def found_again(share: float, n_networks: int) -> str:
    """Say how often an arrow is found again."""
    return f"in {100 * share:.0f} % of {n_networks} networks learnt without a part of the rows"


def _with_shares(
    bench: NetworkBench, member: int, node: PictureNode, asked: Asked | None
) -> PictureNode:
    """Show values in a box: with their chances where the network is asked, else with their shares.

    Boxes have the same size whatever stands beside the picture, so that none moves.
    """
    if asked is not None:
        return with_values(node, asked)
    table = bench.table(member, node.column)
    counts = table.tree.arrays.counts[0]
    return _in_box(node, table.outcomes, counts / max(float(counts.sum()), 1e-300))


def _in_box(
    node: PictureNode, values: tuple[str, ...], shares: Iterable[float], **more: Any
) -> PictureNode:
    """Show values with their shares in a box."""
    if len(values) == 1:
        return replace(node, detail="one value: tells nothing", words=f"{node.words}\n{NOT_CUT}")
    return replace(node, detail="", values=values, shares=tuple(map(float, shares)), **more)


def with_values(node: PictureNode, asked: Asked) -> PictureNode:
    """Show the chances of a column's values in its box, and what is known of it."""
    if node.name not in asked.query.variables:
        return node
    name, known = node.name, -1
    variable = asked.query.variables[name]
    if name in asked.findings:
        value = value_of(variable, asked.findings[name])
        known = -2 if value is None else value
    # Values can be clicked also where their chances are not known.
    nobody_knows = np.full(len(variable.values), np.nan)
    chances = asked.answer.posteriors.get(name, nobody_knows)
    first = asked.nothing_known.posteriors if asked.findings and asked.nothing_known else {}
    is_apart = known == -1 and name not in asked.telling
    if is_apart:
        node = replace(node, words=f"{node.words}\n{TELLS_NOTHING.format(asked.about)}")
    return _in_box(
        node,
        variable.values,
        chances,
        known=known,
        in_conflict=name in asked.answer.conflict,
        before=tuple(first.get(name, ())),
        is_apart=is_apart,
    )
