"""A model as text for a terminal."""

from __future__ import annotations

from probtrees.cli.model_record import network_record
from probtrees.cli.text_table import align
from probtrees.draw.outline import outline
from probtrees.experiment.registry import LEARNERS
from probtrees.model.model import Model


def model_summary(model: Model) -> str:
    """Say on one line what a model is."""
    label = LEARNERS[model.learner].label if model.learner in LEARNERS else model.learner
    trees = [smoothed.tree for smoothed in model.trees]
    nodes = sum(tree.n_nodes for tree in trees)
    leaves = sum(tree.n_leaves for tree in trees)
    size = f"{nodes:,} nodes, {leaves:,} leaves"
    if len(model.members) > 1:
        size = f"{len(model.members)} members, {size}"
    rows = f"{trees[0].totals[0]:,.12g} rows"
    return f"{label} smoothed by {model.smoother}: {size}, from {rows}"


def model_text(model: Model, levels: int | None = None) -> str:
    """Write the first member of a model out: a tree as an outline, a network as a table."""
    member = model.members[0]
    lines = [model_summary(model), ""]
    if len(model.members) > 1:
        lines += [f"The first of {len(model.members)} members:", ""]
    if member.is_tree(model.schema):
        lines.append(outline(member.trees[0], model.schema, max_depth=levels))
        lines += model.diagnostics.get("removed", ())
        return "\n".join(lines)
    record = network_record(0, model)
    rows = [["attribute", "parents beside the class", "contexts"]]
    for attribute in record["attributes"]:
        parents = [
            name for name in record["parents"][attribute] if name != model.schema.target.name
        ]
        rows.append([attribute, ", ".join(parents) or "-", f"{record['contexts'][attribute]:,}"])
    lines += align(rows)
    left_out = [name for name in record["order"] if name not in record["attributes"]]
    if left_out:
        lines += ["", f"Left out: {', '.join(left_out)}"]
    return "\n".join(lines)
