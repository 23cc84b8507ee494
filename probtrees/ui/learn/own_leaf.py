"""A leaf of one's own tree, as the lesson is explained on it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from probtrees.explain.rule import branch_condition, outcome_names, rule
from probtrees.grow.count_tree import CountTree
from probtrees.smooth.m_branch import MBranch
from probtrees.smooth.m_estimate import MLE
from probtrees.table.dataset import Schema
from probtrees.words import plural

_MOST_LEAF_ROWS, _OTHER_ROWS = 50, 3
_MOST_CELLS = 20_000
"""Nodes times outcomes of a tree that the browser samples whole; of larger ones the path."""


def leaf_that_needs_smoothing(tree: CountTree, outcome: int) -> int:
    """Find the leaf with rows whose raw share M-branch moves most: it has few of them."""
    raw, smoothed = (one.smooth(tree).probs[tree.leaves, outcome] for one in (MLE(), MBranch()))
    moved = np.where(tree.totals[tree.leaves] > 0, np.abs(raw - smoothed), -1.0)
    return int(tree.leaves[np.argmax(moved)])


def own_leaf(tree: CountTree, schema: Schema, node: int, outcome: int) -> dict[str, Any]:
    """Describe a leaf for the browser: its path, other branches as one, and the whole tree.

    Estimates of the closed forms depend on the path alone; the sampler is given all.
    """
    target = schema.columns[tree.target].name
    name = f"{target}: {outcome_names(tree, schema)[outcome]}"
    who = " and ".join(condition.words for condition in rule(tree, schema, node)) or "all rows"
    others = np.delete(tree.arrays.counts[0], outcome) + 1.0
    return {
        **_path(tree, schema, node, outcome),
        "source": "leaf",
        "outcome": name,
        "asked": f"Chance of {name} where {who}",
        "outcomes": tree.n_outcomes,
        "others": (others / others.sum()).tolist() or [1.0],
        "editable": False,
        "usual": _usual(tree, node, outcome),
        "whole": _whole(tree, node, outcome),
    }


def _path(tree: CountTree, schema: Schema, node: int, outcome: int) -> dict[str, Any]:
    """Lay out the path to a leaf; counts are cases and others of each end by turns."""
    cases, totals = tree.arrays.counts[:, outcome], tree.totals
    parent, names, ends = [-1], ["all rows"], []
    counts: list[float] = []
    above = 0
    for up, child in pairwise(tree.path(node)):
        beside = float(cases[up] - cases[child])
        rows = float(totals[up] - totals[child])
        condition = branch_condition(tree, schema, child)
        ends.append(len(parent) + 1)
        counts += [max(beside, 0.0), max(rows - beside, 0.0)]
        parent += [above, above]
        names.append("" if condition is None else condition.short)
        names.append(plural(len(tree.children(up)) - 1, "other branches"))
        above = len(parent) - 2
    counts += [float(cases[node]), float(totals[node] - cases[node])]
    return {"parent": parent, "names": names, "ends": [*ends, above], "leaf": above} | {
        "counts": counts
    }


def _usual(tree: CountTree, node: int, outcome: int) -> dict[str, Any]:
    """Give the truth and the world that suit a leaf: what its parent seems to say."""
    rows = round(float(tree.totals[node]))
    up = tree.path(node)[-2:][0]
    share = (float(tree.arrays.counts[up, outcome]) + 1) / (
        float(tree.totals[up]) + tree.n_outcomes
    )
    return {
        "leaf_rows": min(max(rows, 1), _MOST_LEAF_ROWS),
        "other_rows": _OTHER_ROWS,
        "truth": min(max(round(share, 2), 0.01), 0.99),
        "world": "own",
    }


def _whole(tree: CountTree, node: int, outcome: int) -> dict[str, Any] | None:
    """Give the whole tree, the outcome of interest first; nothing where it is too large."""
    if tree.n_nodes * tree.n_outcomes > _MOST_CELLS or tree.n_nodes == 1:
        return None
    order = [outcome, *(k for k in range(tree.n_outcomes) if k != outcome)]
    return {
        "parent": [-1, *tree.arrays.parent[1:].tolist()],
        "counts": tree.arrays.counts[:, order].tolist(),
        "outcomes": tree.n_outcomes,
        "leaf": node,
    }
