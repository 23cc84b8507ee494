"""A tree as plain lists, for a picture that the reader's own machine lays out and draws."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.draw.palette import OTHERS, PAINTS, ColourBy, Theme, bar_colours
from probtrees.draw.tree import bar_widths, node_colours, subtree_sizes
from probtrees.errors import one_line
from probtrees.explain.detail import (
    branches_without_rows,
    detail_order,
    group_probs,
    nodes_without_rows,
    shown_children,
)
from probtrees.explain.rule import all_rows_text, branch_predicates, outcome_names
from probtrees.grow.count_tree import CountTree
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Schema
from probtrees.table.number_text import number_text

_PAINT = ("text", "faint", "line", "page", "accent", "mark")


def tree_texts(tree: CountTree, schema: Schema) -> dict[str, Any]:
    """Describe what no smoother changes: links, branches, how many leaves lie below."""
    drawn = ~nodes_without_rows(tree)
    names = [one_line(column.full_title) for column in schema.columns]
    parent, column = tree.arrays.parent.tolist(), tree.arrays.column.tolist()
    predicates = branch_predicates(tree, schema)
    plain = {text: one_line(text) for text in set(predicates)}
    is_number = (~np.isnan(tree.arrays.threshold)).tolist()
    return {
        "parent": parent,
        "first": tree.arrays.first_child.tolist(),
        "n": shown_children(tree).tolist(),
        "total": tree.arrays.n_children.tolist(),
        "empty": np.flatnonzero(branches_without_rows(tree)).tolist(),
        "title": [
            f"{names[column[above]]} {plain[text]}" if text else all_rows_text(tree)
            for above, text in zip(parent, predicates, strict=True)
        ],
        "branch": [
            plain[text] if is_number[above] else plain[text].removeprefix("= ")
            for above, text in zip(parent, predicates, strict=True)
        ],
        "names": names,
        "column": column,
        "split": _split_texts(tree, names, schema),
        "leaves": int((tree.is_leaf & drawn).sum()),
        "below": subtree_sizes(tree, tree.is_leaf & drawn).tolist(),
        "rows": np.round(tree.totals, 6).tolist(),
        "target": one_line(schema.columns[tree.target].title),
        "classes": [one_line(name) for name in outcome_names(tree, schema)],
    }


def _split_texts(tree: CountTree, names: list[str], schema: Schema) -> list[str]:
    """Say how every node splits: ``age at 54`` or ``sex``; nothing at a leaf."""

    def words(column: int, cut: float) -> str:
        if column < 0:
            return ""
        if math.isnan(cut) or schema.columns[column].two_values:
            return names[column]
        shown = cuts[column].get(cut, cut)
        return f"{names[column]} at {number_text(shown, schema.columns[column].unit)}"

    cuts = [dict(column.shown_cuts) for column in schema.columns]
    arrays = tree.arrays
    return list(map(words, arrays.column.tolist(), arrays.threshold.tolist()))


def tree_numbers(
    smoothed: SmoothedTree,
    *,
    outcome: int,
    colour_by: ColourBy = "lift",
    other: SmoothedTree | None = None,
    theme: Theme = "light",
) -> dict[str, Any]:
    """Describe what the smoother and the outcome of interest decide: numbers and colours."""
    tree = smoothed.tree
    answers = group_probs(smoothed)
    bars, colours = _bars(answers, outcome, theme)
    detail, mean = detail_order(smoothed), "mean answer of its leaves"
    return {
        "opening": detail.opening.tolist(),
        "tells": np.round(detail.tells, 12).tolist(),
        "cases": np.round(tree.arrays.counts[:, outcome], 6).tolist(),
        "answer": np.round(answers[:, outcome], 9).tolist(),
        "answerWords": mean if smoothed.averages_branches else "if the tree were cut here",
        "best": np.argmax(answers, axis=1).tolist(),
        "bars": bars.ravel().tolist(),
        "groups": int(bars.shape[1]),
        "colours": colours,
        "fill": node_colours(smoothed, outcome, colour_by, other, theme),
        "paint": {name: getattr(PAINTS[theme], name) for name in _PAINT},
        "other": None if other is None else np.round(group_probs(other)[:, outcome], 9).tolist(),
    }


def _bars(
    probs: NDArray[np.float64], outcome: int, theme: Theme
) -> tuple[NDArray[np.int64], list[str]]:
    """Cut every bar into thousandths: the outcome of interest, others, and the rest as one."""
    n_outcomes = probs.shape[1]
    of_outcome = bar_colours(n_outcomes, outcome, theme)
    parts, colours = probs[:, [*of_outcome]], [*of_outcome.values()]
    most = len(OTHERS) + 1
    if n_outcomes > most + 1:
        rest = parts[:, most:].sum(axis=1, keepdims=True)
        parts = np.hstack([parts[:, :most], rest])
        colours = [*colours[:most], PAINTS[theme].rest]
    return bar_widths(parts, 1000), colours
