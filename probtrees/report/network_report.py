"""The part of a report that shows a network: picture, parents, and one table explained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from probtrees.draw.network import information, network_dot
from probtrees.draw.palette import Theme
from probtrees.errors import DataError
from probtrees.experiment.fit import by_smoothers_without_rows
from probtrees.experiment.registry import LEARNERS
from probtrees.grow.dag import Dag
from probtrees.model.member import Member
from probtrees.model.model import Model
from probtrees.report.html_page import HtmlPage, report_picture
from probtrees.report.masking import Mask, masked
from probtrees.report.tree_report import TreeParts, add_card, add_leaves
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Schema
from probtrees.words import percent, plural, rows_text

_DRAWN = 60
"""Columns beyond which edges from the class would hide all others."""


@dataclass(frozen=True)
class NetworkParts:
    """A network and what a report needs to speak about it.

    Attributes
    ----------
    smoother : the smoother's label
    others : by label, what other smoothers make of the table of ``column``; if none are given,
        those that need only its counts
    column : the column whose table is explained; the first attribute if not given
    mask : how small a count must not be shown
    number : which of several networks is shown
    """

    model: Model
    smoother: str
    others: Mapping[str, SmoothedTree]
    column: int | None
    mask: Mask
    number: int = 0

    @property
    def member(self) -> Member:
        """The network that is shown."""
        return self.model.members[self.number]

    @property
    def notes(self) -> Mapping[str, Any]:
        """What the learner noted about it; nothing under a mask, since it knew all rows."""
        if self.mask:
            return {}
        return self.model.member_diagnostics(self.number)


def add_network(page: HtmlPage, parts: NetworkParts) -> None:
    """Add a network: what it is, its picture, its tables."""
    model, member, column = parts.model, parts.member, parts.column
    schema = model.schema if member.cuts is None else member.cuts.apply_to_schema(model.schema)
    dag = Dag.of_tables(smoothed.tree for smoothed in member.trees)
    page.text(_summary(parts, dag))
    page.heading("The network")
    _picture(page, dag, schema, parts.notes)
    _parents(page, parts, schema, dag)
    tables = {smoothed.tree.target: smoothed for smoothed in member.trees}
    attributes = [number for number in dag.columns if number != schema.target_column]
    if column not in tables:
        column = attributes[0] if attributes else schema.target_column
    smoothed = tables[column]
    table = TreeParts(
        smoothed=smoothed,
        schema=schema,
        outcome=int(np.argmax(smoothed.tree.arrays.counts[0])),
        smoother=parts.smoother,
        others=parts.others or by_smoothers_without_rows(smoothed.tree),
    )
    page.heading(f"The table of {schema.columns[column].title}")
    if parts.mask:
        try:
            table, _ = table.merged(parts.mask)
        except DataError as problem:
            page.text(str(problem), note=True)
            return
    tree = table.smoothed.tree
    largest = int(tree.leaves[np.argmax(tree.totals[tree.leaves])])
    add_card(page, table, largest)
    add_leaves(page, table)


def _summary(parts: NetworkParts, dag: Dag) -> str:
    """Say in plain words what the network is."""
    model = parts.model
    label = LEARNERS[model.learner].label if model.learner in LEARNERS else model.learner
    root = next(s.tree for s in model.trees if s.tree.target == model.schema.target_column)
    classes = model.schema.classes
    if parts.mask:
        root, schema = masked(root, model.schema, parts.mask)[:2]
        classes = schema.classes
    rows = float(root.totals[0])
    rates = [
        f"{name} {percent(float(count) / rows)}"
        for name, count in zip(classes, root.arrays.counts[0], strict=True)
    ]
    text = (
        f"{label} over {plural(len(dag.columns) - 1, 'attributes')}, learned from "
        f"{rows_text(rows)} of {model.provenance.source} to say how probable "
        f"every value of {model.schema.target.name} is. Among all rows: "
        f"{', '.join(rates[:10])}. Its tables are smoothed by {parts.smoother}."
    )
    if len(model.members) > 1:
        text += f" It averages {len(model.members):,} networks; number {parts.number + 1} is shown."
    return text


def _picture(page: HtmlPage, dag: Dag, schema: Schema, notes: Mapping[str, Any]) -> None:
    mi, cmi = information(notes)
    edges = len(dag.columns) <= _DRAWN

    def draw(theme: Theme) -> str:
        dot = network_dot(dag, schema, mi=mi, cmi=cmi, theme=theme, class_edges=edges)
        return report_picture(dot, theme)

    page.themed(draw)


def _parents(page: HtmlPage, parts: NetworkParts, schema: Schema, dag: Dag) -> None:
    """List every attribute with its parents, in the order they were taken."""
    shared, _ = information(parts.notes)
    trees = {s.tree.target: s.tree for s in parts.member.trees}
    rows = [["attribute", "parents beside the class", "rows of its table", "tells about the class"]]
    for column, parents in dag.parents.items():
        if column == schema.target_column:
            continue
        names = [schema.columns[p].title for p in parents if p != schema.target_column]
        size = "not shown" if parts.mask else f"{trees[column].n_leaves:,}"
        tells = "" if shared is None or column >= len(shared) else f"{shared[column]:.4f}"
        rows.append([schema.columns[column].full_title, ", ".join(names) or "none", size, tells])
    left_out = [name for number, name in enumerate(schema.titles[:-1]) if number not in dag.parents]
    page.table(rows, caption="The last column is the mutual information, in nats.")
    if left_out:
        page.text(f"Left out: {', '.join(left_out)}.", note=True)
