"""The picture of a network; a click chooses a column, or says that a value is known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import streamlit as st

from probtrees.draw.network import network_dot
from probtrees.draw.network_data import (
    NetworkPicture,
    PictureArc,
    PictureNode,
    arrow_words,
    column_node,
    in_scale,
    network_legend,
    network_picture,
    picture_record,
    with_fewer_words,
)
from probtrees.draw.network_layout import network_layout
from probtrees.experiment.evaluation.stability import ArcStrengths
from probtrees.experiment.registry import SMOOTHERS
from probtrees.explain.network_answer import Findings, NetworkAnswer
from probtrees.explain.network_query import NetworkQuery
from probtrees.grow.dag import Dag
from probtrees.model.model import Model
from probtrees.ui.network.findings import pick_value, value_of
from probtrees.ui.network.network_bench import LEAST_SHARE, NetworkBench
from probtrees.ui.network.network_information import (
    NOT_CUT,
    arrow_informations,
    bits,
    information_about_class,
)
from probtrees.ui.network.network_page import ALL_MEMBERS, ARC, COLOUR, COLUMN
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.jobs import Job
from probtrees.ui.shared.show import canvas_component

_PICTURE = "network picture"
CLICK_VALUES = "Click a value that is known; click it again to forget it."
TELLS_NOTHING = "Tells nothing more about {}, given what is known."
_MOST_COLUMNS = 16
"""Columns up to which a picture file shows the arrows of the class."""

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
    smoother: str,
    asked: Asked | None = None,
    strengths: ArcStrengths | None = None,
) -> None:
    """Draw the whole network with a column highlighted, and the legend of the picture.

    Parameters
    ----------
    asked : what is known and what follows from it, where the network is asked
    strengths : how sure the arrows are, where that is to be seen; of all networks of an ensemble
        together it is not
    """
    shares = bench.arrow_shares if shows_all(bench) else None
    strengths = strengths if shares is None else None
    dag = bench.dag(member) if shares is None else _joined(bench, shares)
    values, scale = _colours(bench, member, dag, smoother)
    arcs, widths = _arcs(bench, member, dag, shares, strengths)
    target = bench.schema.target_column
    picture = network_picture(
        dag,
        target,
        [_node(bench, member, dag, number, values, asked) for number in dag.columns],
        arcs,
    )
    which = f"{bench.key} {member} {shares is not None}"
    remark = "Click a box for its table." if asked is None else CLICK_VALUES
    if shares is not None:
        remark += (
            f" All {bench.n_members} networks together: arrows that at least {LEAST_SHARE:.0%} of "
            "them have."
        )
    draw_picture(picture, column, which, remark, asked)
    st.html(network_legend(scale, widths, theme=state.theme()))


def shows_all(bench: NetworkBench) -> bool:
    """Whether the picture shows all networks of an ensemble together."""
    return bench.share_arrows and bool(st.session_state.get(ALL_MEMBERS, True))


def draw_picture(
    picture: NetworkPicture, column: int, which: str, remark: str, asked: Asked | None
) -> None:
    """Lay a picture out and show it; ``which`` tells pictures apart that are to be fitted again."""

    def choose() -> None:
        picked = st.session_state[_PICTURE].picked
        if picked is None:
            return
        chosen, parent = int(picked["column"]), picked["parent"]
        st.session_state[COLUMN] = chosen
        st.session_state[ARC] = None if parent is None else (int(parent), chosen)
        if asked is not None and picked["value"] is not None:
            pick_value(chosen, int(picked["value"]))

    picture = with_fewer_words(picture)
    layout = network_layout(picture.sizes, picture.laid_out, picture.top)
    record = picture_record(picture, layout, theme=state.theme())
    arc = st.session_state.get(ARC)
    record |= {"selected": column, "network": which, "remark": remark}
    record["asks"] = asked is not None
    record["arc"] = arc if arc is not None and arc[1] == column else None
    _component(key=_PICTURE, data=record, on_picked_change=choose)


def _joined(bench: NetworkBench, shares: Mapping[tuple[int, int], float]) -> Dag:
    """Join the networks of an ensemble: all columns, and the arrows that many have."""
    by_share = sorted(shares.items(), key=lambda arc: -arc[1])
    many = [arc for arc, share in by_share if share >= LEAST_SHARE]
    return Dag(
        {
            column: tuple(parent for parent, child in many if child == column)
            for member in range(bench.n_members)
            for column in bench.dag(member).columns
        }
    )


def _colours(
    bench: NetworkBench, member: int, dag: Dag, smoother: str
) -> tuple[dict[int, float], tuple[str, str, str]]:
    """Place every attribute on the scale of colours, and say what its ends are."""
    attributes = [column for column in dag.columns if column != bench.schema.target_column]
    chosen = st.session_state.get(COLOUR, "information")
    other = st.session_state.get(state.OTHER)
    information = information_about_class(bench.key, member, bench)
    if chosen == "difference" and other and other != smoother and bench.can_smooth(other):
        apart = _differences(bench.smooth(smoother), bench.smooth(other), member)
        values = {column: 100 * apart.get(column, 0.0) for column in attributes}
        words = f"boxes: {SMOOTHERS[smoother].label} against {SMOOTHERS[other].label}"
        low, high = "alike", "{:.1f} points apart"
    elif chosen == "position" or not information:
        values = {column: 1.0 - at / len(attributes) for at, column in enumerate(attributes)}
        words, low, high = "boxes: order", "last", "first"
    else:
        values = {column: bits(information[column].beyond_chance) for column in attributes}
        words, low, high = "boxes: told about the class", "0", "{:.3f} bits"
    return in_scale(values), (words, low, high.format(max(values.values(), default=0.0)))


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
    """List the arrows with their widths, and say what the widest stands for.

    An arrow is as wide as the share of networks that have it, else as what it adds.
    """
    pairs, target, legend = dag.arcs, bench.schema.target_column, None
    words: dict[tuple[int, int], str] = {}
    widths: Mapping[tuple[int, int], float] = {}
    if shares is not None:
        widths, legend = shares, ("share of the networks", "all")
        words = {
            pair: f"{shares[pair]:.0%} of {bench.n_members} networks have it" for pair in pairs
        }
    else:
        told = arrow_informations(bench.key, member, bench)
        words = {pair: f"adds {each.words}" for pair, each in told.items()}
        between = [each.beyond_chance for pair, each in told.items() if target not in pair]
        most = max(between, default=0.0)
        widths = {pair: min(each.beyond_chance / (most or 1), 1) for pair, each in told.items()}
        legend = ("what they add", f"{bits(most):.3f} bits") if between else None
    if strengths is not None:
        widths, n = strengths.shares, strengths.n_networks
        legend = (f"found again, of {n} networks", "all")
        words = {pair: f"{words[pair]}\n{found_again(widths.get(pair, 0.0), n)}" for pair in pairs}
    usual = 0.0 if widths else PictureArc.share
    arcs = [
        PictureArc(
            *pair,
            widths.get(pair, usual),
            arrow_words(bench.schema, pair, words.get(pair, "")),
        )
        for pair in pairs
    ]
    return arcs, legend


def found_again(share: float, n_networks: int) -> str:
    """Say how often an arrow is found again."""
    return f"in {share:.0%} of {n_networks} networks learnt without a part of the rows"


def _node(
    bench: NetworkBench,
    member: int,
    dag: Dag,
    column: int,
    strengths: Mapping[int, float],
    asked: Asked | None,
) -> PictureNode:
    """Describe one box: its name, and its values with their chances where the network is asked."""
    told = information_about_class(bench.key, member, bench).get(column)
    nats = None if told is None else told.beyond_chance
    node = column_node(bench.schema, dag, column, strengths, nats)
    if told is not None and column != bench.schema.target_column:
        node = replace(node, words=f"{node.words}\ntells {told.words} about the class")
    if asked is not None:
        return with_values(node, asked)
    # Boxes have the same size whatever stands beside the picture, so that none moves.
    having = (m for m in (member, *range(bench.n_members)) if column in bench.dag(m).columns)
    table = bench.table(next(having), column)
    counts = table.tree.arrays.counts[0]
    return _in_box(node, table.outcomes, counts / max(float(counts.sum()), 1e-300))


def _in_box(
    node: PictureNode, values: tuple[str, ...], shares: Iterable[float], **more: Any
) -> PictureNode:
    """Show values with their shares in a box."""
    if len(values) == 1:
        return replace(node, detail="one value: tells nothing", words=f"{node.words}\n{NOT_CUT}")
    shown = tuple(float(share) for share in shares)
    return replace(node, detail="", values=values, shares=shown, **more)


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


def picture_dot(bench: NetworkBench, member: int) -> str:
    """Describe the network's picture as DOT, for picture files."""
    dag = bench.dag(member)
    information = information_about_class(bench.key, member, bench)
    shared = bench.counts.diagnostics.get("conditional_mutual_information")
    single = np.array([information[number].beyond_chance for number in sorted(information)])
    cuts = bench.cuts(member)
    return network_dot(
        dag,
        bench.schema if cuts is None else cuts.apply_to_schema(bench.schema),
        mi=single if information else None,
        cmi=None if shared is None else np.asarray(shared, dtype=np.float64),
        theme=state.theme(),
        class_edges=len(dag.columns) <= _MOST_COLUMNS,
    )
