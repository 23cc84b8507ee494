"""A model to look at: as text for a terminal, or as JSON for scripts.

To save a model and load it again there is :meth:`probtrees.model.model.Model.save`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from probtrees.cli.parser import align
from probtrees.draw.node_card import outline
from probtrees.estimators.fitted_model import FittedModel
from probtrees.experiment.corrections import edit_sentences
from probtrees.experiment.evaluation.column_importance import ColumnImportance
from probtrees.explain.rule import all_rules, branch_condition, conditions_text, outcome_names
from probtrees.explain.shape_curves import (
    additive_member,
    council_sentence,
    curves_of,
    path_strength,
    shape_curves,
    wishes_sentence,
)
from probtrees.grow.dag import Dag
from probtrees.machine.json_file import encode
from probtrees.model.member import AdditiveMember, AveragedMember
from probtrees.model.model import Model
from probtrees.model.track_record import TrackRecord
from probtrees.smooth.log_linear.softmax import normalise
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Schema
from probtrees.words import percent, plural


def model_summary(model: Model) -> str:
    """Describe a model on one line."""
    words = f"{FittedModel.of(model)}, from {model.trees[0].tree.totals[0]:,.12g} rows"
    if model.calibration is None:
        return words
    held_out = plural(model.calibration.n_rows, "rows")
    return f"{words}, calibrated ({model.calibration.method}) on {held_out} held out"


def importance_record(columns: Sequence[ColumnImportance]) -> list[dict[str, Any]]:
    """Write how much each column matters as plain values; an endless interval as null."""
    return [
        {
            "column": column.name,
            "loss": column.loss,
            "interval": [end if math.isfinite(end) else None for end in (column.low, column.high)],
            "splits": column.n_splits,
            "share_asked": column.share_asked,
        }
        for column in columns
    ]


def model_text(model: Model, levels: int | None = None) -> str:
    """Write the first member of a model out: a tree as an outline, a network as a table."""
    member = model.members[0]
    lines = [model_summary(model), ""]
    if model.kind == "shaped":
        return "\n".join(lines + _shaped_text(model))
    if model.kind == "council":
        said = f"{council_sentence(model)} 'probtrees explain' takes an answer apart."
        return "\n".join([*lines, said])
    if len(model.members) > 1:
        lines += [f"The first of {len(model.members)} members:", ""]
    if member.is_tree(model.schema):
        lines.append(outline(member.trees[0], model.schema, max_depth=levels))
        lines += model.diagnostics.get("removed", ())
        lines += edit_sentences(model.diagnostics)
        return "\n".join(lines)
    record, target = network_record(0, model), model.schema.target.name
    rows = [["attribute", "parents beside the class", "contexts"]]
    for name in record["attributes"]:
        parents = ", ".join(parent for parent in record["parents"][name] if parent != target)
        rows.append([name, parents or "-", f"{record['contexts'][name]:,}"])
    left_out = ", ".join(name for name in record["order"] if name not in record["attributes"])
    return "\n".join([*lines, *align(rows), *(["", f"Left out: {left_out}"] if left_out else [])])


def _shaped_text(model: Model) -> list[str]:
    """Write a shaped tree out: what matters how much."""
    member, classes = additive_member(model), model.schema.classes
    base = normalise(member.intercept[None])[0]
    rates = ", ".join(f"{name} {percent(p)}" for name, p in zip(classes, base, strict=True))
    rows: list[list[Any]] = [["part", "strength"], ["the path", path_strength(model)]]
    rows += [[curve.name, curve.strength] for curve in shape_curves(model)]
    wished = wishes_sentence(model)
    said = [f"The average row: {rates}. All that follows is added in log-odds.", ""]
    more = "Every node adds to it too: see --json, or 'probtrees explain' for a row."
    return [*said, *([wished, ""] if wished else []), *align(rows), "", more]


def model_record(model: Model) -> dict[str, Any]:
    """Describe a model in plain values; a model of one member shows it at the top level."""
    trees = [smoothed.tree for smoothed in model.trees]
    record: dict[str, Any] = {
        "model": model.learner,
        "smoother": model.smoother,
        "dataset": model.provenance.source,
        "target": model.schema.target.name,
        "class_names": list(model.schema.classes),
        "options": encode(model.options),
        **({"edits": model.diagnostics["edits"]} if "edits" in model.diagnostics else {}),
        "nodes": sum(tree.n_nodes for tree in trees),
        "leaves": sum(tree.n_leaves for tree in trees),
        "depth": max(tree.max_depth for tree in trees),
    }
    members = [_member_record(number, model) for number in range(len(model.members))]
    record.update(members[0] if len(members) == 1 else {"members": members})
    return record


def _member_record(number: int, model: Model) -> dict[str, Any]:
    member = model.members[number]
    if isinstance(member, AdditiveMember):
        nodes = node_records(member.smoothed, model.schema)
        for node, weights in zip(nodes, member.node_weights.tolist(), strict=True):
            del node["probs"]
            node["scores"] = dict(zip(model.schema.classes, weights, strict=True))
        return {
            "base": dict(zip(model.schema.classes, member.intercept.tolist(), strict=True)),
            "tree": nodes,
            "shapes": [curve.to_dict() for curve in curves_of(member, model.schema)],
            "fitted": encode(member.fitted),
        }
    if isinstance(member, AveragedMember):
        own = replace(model, members=member.members, weights=(), diagnostics={})
        return {"members": [network_record(at, own) for at in range(len(own.members))]}
    if member.is_tree(model.schema):
        record: dict[str, Any] = {"tree": node_records(member.trees[0], model.schema)}
        if len(model.members) == 1 and model.track_record is not None:
            _add_intervals(record["tree"], member.trees[0], model.schema, model.track_record)
        if "sizes" in model.diagnostics:
            record["sizes"] = encode(model.diagnostics["sizes"])
        return record
    return network_record(number, model)


def node_records(smoothed: SmoothedTree, schema: Schema) -> list[dict[str, Any]]:
    """List the nodes of a tree, the root first, every node after its parent."""
    tree, schema = smoothed.tree, schema.with_exact_cuts
    arrays = tree.arrays
    names = outcome_names(tree, schema)
    rules = all_rules(tree, schema)
    nodes = []
    for node in range(tree.n_nodes):
        condition = branch_condition(tree, schema, node)
        threshold = float(arrays.threshold[node])
        column = int(arrays.column[node])
        nodes.append(
            {
                "node": node,
                "parent": int(arrays.parent[node]) if node else None,
                "depth": int(arrays.depth[node]),
                "leaf": bool(tree.is_leaf[node]),
                "condition": None if condition is None else condition.short,
                "rule": conditions_text(rules[node]),
                "split": None if column < 0 else schema.columns[column].name,
                "threshold": None if math.isnan(threshold) else threshold,
                "children": list(tree.children(node)),
                "rows": float(arrays.weight[node]),
                "counts": dict(zip(names, arrays.counts[node].tolist(), strict=True)),
                "probs": dict(zip(names, smoothed.probs[node].tolist(), strict=True)),
            }
        )
    return nodes


def _add_intervals(
    nodes: list[dict[str, Any]], smoothed: SmoothedTree, schema: Schema, record: TrackRecord
) -> None:
    """Give every leaf the 90 % intervals of its true rates, judged by rows not used to grow."""
    tree = smoothed.tree
    sizes, leaves = tree.arrays.weight[tree.leaves], tree.leaves.tolist()
    for at, name in enumerate(outcome_names(tree, schema)):
        ends = np.stack(record.intervals(smoothed.probs[tree.leaves, at], sizes, at), axis=1)
        for leaf, interval in zip(leaves, ends.tolist(), strict=True):
            nodes[leaf].setdefault("interval", {})[name] = interval


def network_record(number: int, model: Model) -> dict[str, Any]:
    """Show a network: its order, the parents of every attribute, cuts, and table sizes."""
    member, notes = model.members[number], model.member_diagnostics(number)
    schema = model.schema if member.cuts is None else member.cuts.apply_to_schema(model.schema)
    dag = Dag.of_tables(smoothed.tree for smoothed in member.trees)
    names, attributes = schema.names, [c for c in dag.columns if c != schema.target_column]
    return {
        "order": [names[column] for column in notes.get("order", attributes)],
        "parents": {
            names[column]: [names[parent] for parent in dag.parents[column]]
            for column in dag.parents
            if column != schema.target_column
        },
        "attributes": [names[column] for column in attributes],
        "k": notes.get("k", max((len(dag.parents[c]) - 1 for c in attributes), default=0)),
        "intervals": {
            names[column]: list(schema.columns[column].categories or ())
            for column in (member.cuts.points if member.cuts else ())
        },
        "contexts": {names[one.tree.target]: one.tree.n_leaves for one in member.trees},
    }
