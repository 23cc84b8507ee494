"""A smoothed tree as plain values for a file, and back with proof that it is a tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from probtrees.errors import DataError
from probtrees.grow.count_tree import NO_COLUMN, CountTree, TreeArrays, check_tree, make_arrays
from probtrees.machine.json_file import (
    decode,
    decode_entries,
    decode_numbers,
    encode,
    encode_numbers,
)
from probtrees.smooth.smoothed_tree import SmoothedTree, Smoother
from probtrees.table.dataset import Schema
from probtrees.types import FloatArray

MakeSmoother = Callable[[str, Mapping[str, Any]], Smoother]
"""Makes a smoother from its registry name and its options."""

LONGEST_TRACE = 10_000
"""A trace with more numbers than this is not saved: it is for drawing, not for predicting."""

_WHOLE = frozenset({"parent", "depth", "first_child", "n_children", "column", "branch"})
_LARGEST_WHOLE = 2**31 - 1
_LARGEST_COUNT = 2.0**53


def tree_to_dict(smoothed: SmoothedTree) -> dict[str, Any]:
    """Return a smoothed tree as plain values, ready for JSON."""
    tree = smoothed.tree
    trace = {n: values for n, values in smoothed.trace.items() if np.size(values) <= LONGEST_TRACE}
    return {
        "target": tree.target,
        "smoother": {
            "name": smoothed.smoother.name,
            "options": encode(smoothed.smoother.to_dict()),
        },
        "arrays": {name: encode_numbers(array) for name, array in tree.arrays._asdict().items()},
        "fragments": None if tree.fragments is None else encode_numbers(tree.fragments),
        "mean_weights": None if tree.mean_weights is None else encode_numbers(tree.mean_weights),
        "probs": encode_numbers(smoothed.probs),
        "fitted": encode(smoothed.fitted),
        "trace": encode(trace),
        "std": None if smoothed.std is None else encode_numbers(smoothed.std),
        "lower": None if smoothed.lower is None else encode_numbers(smoothed.lower),
        "upper": None if smoothed.upper is None else encode_numbers(smoothed.upper),
        "warnings": list(smoothed.warnings),
    }


def tree_from_dict(
    record: Mapping[str, Any], schema: Schema, make_smoother: MakeSmoother
) -> SmoothedTree:
    """Read what :func:`tree_to_dict` wrote.

    Raises
    ------
    DataError : if the arrays do not form a tree over the columns of the schema
    """
    columns = {name: _array_of(record["arrays"], name) for name in TreeArrays._fields}
    fragments, mean_weights = record.get("fragments"), record.get("mean_weights")
    tree = CountTree(
        target=int(record["target"]),
        arrays=make_arrays(**columns),
        fragments=None if fragments is None else decode_numbers(fragments),
        mean_weights=None if mean_weights is None else decode_numbers(mean_weights),
    )
    check_tree(tree)
    _check_columns(tree, schema)
    smoother = make_smoother(record["smoother"]["name"], decode(record["smoother"]["options"]))
    smoothed = SmoothedTree(
        tree=tree,
        probs=_probs_of(record, "probs", tree),
        smoother=smoother,
        fitted=decode_entries(record["fitted"], "fitted"),
        trace=decode_entries(record["trace"], "trace"),
        std=None if record["std"] is None else _matrix_of(record, "std", tree),
        lower=None if record["lower"] is None else _probs_of(record, "lower", tree, sums=False),
        upper=None if record["upper"] is None else _probs_of(record, "upper", tree, sums=False),
        warnings=tuple(str(sentence) for sentence in record["warnings"]),
    )
    _check_explained(smoothed)
    return smoothed


def _check_explained(smoothed: SmoothedTree) -> None:
    """Check on the deepest leaf that what the smoother fitted explains the probabilities."""
    leaf = smoothed.tree.n_nodes - 1  # level order: nothing lies deeper
    try:
        with np.errstate(all="ignore"):
            explained = smoothed.contributions(leaf).values.sum(axis=0)
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError):
        explained = np.full(smoothed.tree.n_outcomes, np.nan)
    if not np.allclose(explained, smoothed.probs[leaf], atol=1e-6):
        raise DataError(
            f"tree must carry what the smoother {smoothed.smoother.name!r} fitted, so that its "
            "probabilities can be explained."
        )


def _array_of(arrays: Mapping[str, Any], name: str) -> FloatArray:
    values = decode_numbers(arrays[name])
    are_whole = (np.abs(values) <= _LARGEST_WHOLE) & (values == np.floor(values))
    if name in _WHOLE and not are_whole.all():
        raise DataError(f"tree array {name!r} must hold whole numbers.")
    return values


def _check_columns(tree: CountTree, schema: Schema) -> None:
    """Check that a tree splits on columns of the schema and counts a nominal one."""
    arrays = tree.arrays
    if not 0 <= tree.target < schema.n_columns:
        raise DataError(f"tree target={tree.target} must be a column of the schema.")
    if tree.n_outcomes != schema.columns[tree.target].n_values:
        raise DataError(f"tree counts must have {schema.columns[tree.target].n_values} outcomes.")
    if tree.fragments is not None and tree.fragments.shape != arrays.counts.shape:
        raise DataError("tree fragments must have the shape of the counts.")
    weights = tree.mean_weights
    if weights is not None and not (
        weights.shape == arrays.counts.shape and (weights > 0).all() and np.isfinite(weights).all()
    ):
        raise DataError("tree mean weights must be above 0 and have the shape of the counts.")
    if arrays.column.max() >= schema.n_columns or arrays.column.min() < NO_COLUMN:
        raise DataError("tree must split on columns of the schema.")
    split = np.flatnonzero(arrays.column != NO_COLUMN)
    is_nominal = schema.n_values[arrays.column[split]] > 0
    if (np.isnan(arrays.threshold[split]) != is_nominal).any():
        raise DataError("tree must have thresholds at its numeric splits only.")
    if (arrays.n_children[split][~is_nominal] < 2).any():
        raise DataError("tree must have two branches or more at its numeric splits.")
    if max(arrays.counts.max(initial=0.0), arrays.weight.max(initial=0.0)) > _LARGEST_COUNT:
        raise DataError(f"tree must not count more than {_LARGEST_COUNT:g} rows.")
    if (np.isinf(arrays.threshold)).any():
        raise DataError("tree thresholds must be finite.")
    parents = arrays.parent[1:]
    n_branches = schema.n_values[arrays.column[parents]]
    n_branches = np.where(n_branches > 0, n_branches, 2)  # one more stands for "missing"
    if (arrays.branch[1:] > n_branches).any():
        raise DataError("tree must not have branches beyond the declared values.")


def _matrix_of(record: Mapping[str, Any], name: str, tree: CountTree) -> FloatArray:
    matrix = decode_numbers(record[name])
    if matrix.shape != tree.arrays.counts.shape:
        raise DataError(f"tree {name} must have the shape of the counts.")
    return matrix


def _probs_of(
    record: Mapping[str, Any], name: str, tree: CountTree, *, sums: bool = True
) -> FloatArray:
    probs = _matrix_of(record, name, tree)
    if not ((probs >= 0) & (probs <= 1 + 1e-9)).all():
        raise DataError(f"tree {name} must lie between 0 and 1.")
    if sums and not np.allclose(probs.sum(axis=1), 1.0, rtol=0, atol=1e-9):
        raise DataError(f"tree {name} must sum to 1 in every node.")
    return probs
