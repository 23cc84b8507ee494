"""The rows of a file with what a model says about them: probabilities, leaf, rule, what is odd."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from probtrees.errors import OptionError, did_you_mean
from probtrees.explain.rule import all_rules, conditions_text
from probtrees.model.model import Model
from probtrees.model.predict import predict_proba, uncalibrated_proba
from probtrees.model.routing import LeafShares, curtailed_nodes, find_leaves
from probtrees.report.odd_rows import odd_rows
from probtrees.score.decision import Cut
from probtrees.score.threshold import expected_costs
from probtrees.table.dataset import Dataset
from probtrees.table.encode import CellProblems
from probtrees.table.read_table import WrittenRows
from probtrees.types import FloatArray

SCORED_COLUMNS: Mapping[str, str] = {
    "id": "columns that say whose row it is, or the row's number where there are none",
    "input": "all columns of the file",
    "leaf": "number of the leaf of a decision tree",
    "rule": "its rule in words, up to the first question that the row has no answer to",
    "interval": "lower and upper end of every probability, of a model calibrated by venn-abers",
    "odd": "what is odd about the row: values never seen, numbers outside the range, missing cells",
}
"""What a scored file may hold beside the probabilities."""


class DecisionCosts(NamedTuple):
    """Costs, ``table[true class][decision]``; names of decisions; what a tie is (or the first)."""

    table: ArrayLike
    names: Sequence[str | int]
    tied: str = ""


def act_or_leave(n_classes: int, outcome: int, miss: float, alarm: float = 1.0) -> DecisionCosts:
    """Charge a miss of an outcome, and a false alarm."""
    table = [[0.0, miss] if k == outcome else [alarm, 0.0] for k in range(n_classes)]
    return DecisionCosts(table, ("act", "leave"))


def costs_of_cut(n_classes: int, cut: Cut) -> DecisionCosts:
    """Charge what makes acting worth it just where a cut says so."""
    miss, alarm = (1 / cut.threshold - 1, 1.0) if cut.threshold else (1.0, 0.0)
    costs = act_or_leave(n_classes, cut.outcome, miss, alarm)
    return costs._replace(tied=cut.done(cut.threshold) if cut.lot < 1 else "")


SPREAD = "then spread over several leaves"
"""How the rule of a row ends that has no answer to the next question."""


def check_columns(wanted: Sequence[str], model: Model | None = None) -> None:
    """Refuse columns that there are not, or not for this model."""
    for name in wanted:
        if name not in SCORED_COLUMNS:
            raise OptionError(
                f"columns={name!r} must be one of {', '.join(SCORED_COLUMNS)}. "
                f"{did_you_mean(name, list(SCORED_COLUMNS))}"
            )
        if model is None:
            continue
        if name in ("leaf", "rule") and model.kind != "tree":
            raise OptionError(
                f"columns={name!r} must be left out: a {model.kind} has no single leaf for a row."
            )
        if name == "interval" and getattr(model.calibration, "method", "") != "venn-abers":
            raise OptionError(
                "columns='interval' must go with a model that is calibrated by 'venn-abers'. Grow "
                "it with --calibrate venn-abers."
            )


def scored_table(
    model: Model,
    rows: Dataset,
    unreadable: CellProblems,
    written: WrittenRows,
    wanted: Sequence[str],
    digits: int | None = None,
    costs: DecisionCosts | None = None,
) -> pd.DataFrame:
    """Return one line per row: what was written, the probabilities, the predicted class, the rest.

    Parameters
    ----------
    rows, unreadable : the rows as the model reads them, and what it could not read
    written : the same rows as they stand in the file
    wanted : of :data:`SCORED_COLUMNS`
    digits : of the probabilities; None: all
    costs : to decide by; see :func:`add_decisions`
    """
    check_columns(wanted, model)
    used = {column.source_name for column in model.schema.columns}
    ids = [name for name in written.identifiers if name not in used] if "id" in wanted else []
    table = written.frame(list(written.columns) if "input" in wanted else ids)
    if "id" in wanted and "input" not in wanted and not len(table.columns):
        _add(table, "row", np.arange(1, rows.n_rows + 1))
    proba = predict_proba(model, rows)
    shown = proba if digits is None else proba.round(digits)
    for name, column in zip(model.schema.classes, shown.T, strict=True):
        _add(table, name if name not in table else f"{name} (probability)", column)
    if "interval" in wanted and model.calibration is not None:
        ends = model.calibration.interval(uncalibrated_proba(model, rows))
        for name, column in zip(model.schema.classes, ends.swapaxes(0, 1), strict=True):
            _add(table, f"{name} (from)", column[:, 0])
            _add(table, f"{name} (to)", column[:, 1])
    classes = np.array(model.schema.classes, dtype=object)
    _add(table, f"predicted {model.schema.target.name}", classes[proba.argmax(axis=1)])
    if costs is not None:
        add_decisions(table, proba, costs)
    if "leaf" in wanted:
        _add(table, "leaf", leaf_of_rows(model, rows))
    if "rule" in wanted:
        _add(table, "rule", _rules(model, rows))
    if "odd" in wanted:
        _add(table, "odd", np.array(odd_rows(model, rows, unreadable), dtype=object))
    return table


def add_decisions(table: pd.DataFrame, proba: FloatArray, costs: DecisionCosts) -> None:
    """Add the decision of least expected cost, the first among equals, and that cost."""
    expected = expected_costs(proba, costs.table)
    chosen = expected.round(12).argmin(axis=1)  # equal up to rounding is equal
    said, is_tied = np.array(costs.names, dtype=object)[chosen], np.ptp(expected, axis=1) <= 1e-9
    _add(table, "decision", np.where(is_tied, costs.tied, said) if costs.tied else said)
    _add(table, "expected cost", expected.min(axis=1))


def _add(table: pd.DataFrame, name: str, values: Any) -> None:
    """Add a column; one of that name in the file keeps it."""
    while name in table:
        name += " "
    table[name] = values


def leaf_of_rows(model: Model, rows: Dataset) -> NDArray[np.int32]:
    """Return the node that answers for every row; of several the one with the largest share."""
    landed, nodes = _landed(model, rows)
    if landed.is_single:
        return nodes
    of_row = np.repeat(np.arange(landed.n_rows), np.diff(landed.first))
    order = np.lexsort((-landed.shares, of_row))
    return nodes[order[landed.first[:-1]]]


def _landed(model: Model, rows: Dataset) -> tuple[LeafShares, NDArray[np.int32]]:
    """Send rows down a tree; return where they end, and the nodes that answer there."""
    tree, smallest = model.tree.tree, model.options.get("curtail")
    landed = find_leaves(tree, rows.values, rows.schema.n_values)
    if not smallest:
        return landed, landed.nodes
    return landed, curtailed_nodes(tree, float(smallest))[landed.nodes]


def _rules(model: Model, rows: Dataset) -> NDArray[Any]:
    """Write the rule of every row; where a question has no answer it ends before that."""
    tree, schema = model.tree.tree, model.schema.with_exact_cuts
    landed, nodes = _landed(model, rows)
    common, is_spread = _common_nodes(tree.arrays.parent, nodes, landed.first)
    rules = all_rules(tree, schema)
    words = {node: conditions_text(rules[node]) for node in np.unique(common).tolist()}
    more = np.where(is_spread, f", {SPREAD}", "").tolist()
    texts = [words[node] + end for node, end in zip(common.tolist(), more, strict=True)]
    return np.array(texts, dtype=object)


def _common_nodes(
    parents: NDArray[np.int32], nodes: NDArray[np.int32], first: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """Return for every row the deepest node above all it ends in, and whether these are several."""
    common = nodes[first[:-1]]
    is_spread = np.zeros(len(common), dtype=np.bool_)
    for row in np.flatnonzero(np.diff(first) > 1).tolist():
        reached = set(nodes[first[row] : first[row + 1]].tolist())
        is_spread[row] = len(reached) > 1
        while len(reached) > 1:  # a node comes behind its parent
            last = max(reached)
            reached.remove(last)
            reached.add(int(parents[last]))
        common[row] = reached.pop()
    return common, is_spread
