"""The part of a report that shows a network: picture, parents, and one table explained."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from probtrees.draw.network import network_dot
from probtrees.draw.network_data import picture_record, plain_network
from probtrees.draw.network_layout import network_layout
from probtrees.draw.palette import Theme
from probtrees.errors import DataError
from probtrees.experiment.fit import by_smoothers_without_rows
from probtrees.experiment.registry import LEARNERS, smoother_label
from probtrees.grow.count.chance_information import (
    arrow_information,
    class_information,
    margins_of_tables,
)
from probtrees.grow.dag import Dag
from probtrees.model.model import Model
from probtrees.report.html_page import HtmlPage, report_picture
from probtrees.report.masking import Mask, masked
from probtrees.report.tree_report import TreeParts, add_card, add_leaves
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.words import percent, plural, rows_text


def add_network(
    page: HtmlPage,
    model: Model,
    others: Mapping[str, SmoothedTree],
    column: int | None,
    mask: Mask,
    number: int,
) -> None:
    """Add a network: what it is, its picture, its tables.

    Parameters
    ----------
    others : by label, what other smoothers make of the table of ``column``; if none are given,
        those that need only its counts
    column : the column whose table is explained; the first attribute if not given
    mask : how small a count must not be shown; under one nothing that the learner noted is shown,
        since it knew all rows
    number : which of several networks is shown
    """
    member, target = model.members[number], model.schema.target_column
    schema = model.schema if member.cuts is None else member.cuts.apply_to_schema(model.schema)
    dag = Dag.of_tables(smoothed.tree for smoothed in member.trees)
    page.text(_summary(model, dag, mask, number))
    page.heading("The network")
    trees = [smoothed.tree for smoothed in member.trees]
    told = {} if mask else class_information(margins_of_tables(trees, target))
    picture = plain_network(dag, schema, told, {} if mask else arrow_information(trees))
    layout = network_layout(picture.sizes, picture.laid_out, picture.top)

    def draw(theme: Theme) -> str:
        return report_picture(network_dot(picture_record(picture, layout, theme=theme)), theme)

    page.themed(draw)
    tables = {smoothed.tree.target: smoothed for smoothed in member.trees}
    rows = [["attribute", "parents beside the class", "rows of its table", "tells about the class"]]
    for child, parents in dag.parents.items():
        if child != target:
            names = [schema.columns[p].title for p in parents if p != target]
            size = "not shown" if mask else f"{tables[child].tree.n_leaves:,}"
            tells = f"{told[child].bits:.3f}" if child in told else ""
            rows.append([schema.columns[child].full_title, ", ".join(names) or "none", size, tells])
    page.table(rows, caption="The last column is in bits, beyond what chance alone would give.")
    left_out = [name for place, name in enumerate(schema.titles[:-1]) if place not in dag.parents]
    if left_out:
        page.text(f"Left out: {', '.join(left_out)}.", note=True)
    if column not in tables:
        column = next((place for place in dag.columns if place != target), target)
    smoothed = tables[column]
    table = TreeParts(
        smoothed=smoothed,
        schema=schema,
        outcome=int(np.argmax(smoothed.tree.arrays.counts[0])),
        smoother=smoother_label(model.smoother),
        others=others or by_smoothers_without_rows(smoothed.tree),
    )
    page.heading(f"The table of {schema.columns[column].title}")
    if mask:
        try:
            table, _ = table.merged(mask)
        except DataError as problem:
            page.text(str(problem), note=True)
            return
    tree = table.smoothed.tree
    add_card(page, table, int(tree.leaves[np.argmax(tree.totals[tree.leaves])]))
    add_leaves(page, table)


def _summary(model: Model, dag: Dag, mask: Mask, number: int) -> str:
    """Say in plain words what the network is."""
    label = LEARNERS[model.learner].label if model.learner in LEARNERS else model.learner
    root = next(s.tree for s in model.trees if s.tree.target == model.schema.target_column)
    classes = model.schema.classes
    if mask:
        root, schema = masked(root, model.schema, mask)[:2]
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
        f"{', '.join(rates[:10])}. Its tables are smoothed by {smoother_label(model.smoother)}."
    )
    if len(model.members) > 1:
        text += f" It averages {len(model.members):,} networks; number {number + 1} is shown."
    return text
