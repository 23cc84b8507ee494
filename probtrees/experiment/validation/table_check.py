"""Table by table: how the values of a network's columns are spread among new rows.

A row of the table of p(x | class, parents) is compared with the new rows of that context. The
answer rests on as many training rows as the context has, so the spread of what is seen about it
is that of a Dirichlet-multinomial.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from probtrees.experiment.inner_evidence import drop
from probtrees.experiment.validation.group_check import FALSE_MARKS
from probtrees.explain.rule import all_rules, conditions_text, outcome_names
from probtrees.machine.lazy_module import stats
from probtrees.model.member import Member
from probtrees.model.model import Model
from probtrees.score.calibration_in_large import false_discovery
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray
from probtrees.words import percent

_FEWEST_EXPECTED = 5.0


@dataclass(frozen=True)
class ContextCheck:
    """One row of a table on new rows.

    Attributes
    ----------
    node, rule : the context, and its rows in words
    rows : new rows in it
    distance : the share of them that would have to have another value (total variation)
    change : the value whose share changed most, in words
    p_value, adjusted_p : adjusted over all contexts of all tables; 1 where rows are too few
    """

    node: int
    rule: str
    rows: float
    distance: float
    change: str
    p_value: float
    adjusted_p: float = 1.0

    @property
    def is_off(self) -> bool:
        """Whether it differs from the table by more than chance allows."""
        return self.adjusted_p <= FALSE_MARKS

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain values, ready for JSON."""
        return {**asdict(self), "is_off": self.is_off}


@dataclass(frozen=True)
class TableCheck:
    """One table of a network on new rows.

    Attributes
    ----------
    member, column : which network of an ensemble, and the column that the table is about
    rows : new rows that have a value of the column
    distance : the mean over them of the distance in their context
    p_value, adjusted_p : of all contexts together; adjusted over all tables
    contexts : the rows of the table that new rows fall into, marked ones first
    """

    member: int
    column: str
    rows: float
    distance: float
    p_value: float
    adjusted_p: float
    contexts: tuple[ContextCheck, ...]

    @property
    def is_off(self) -> bool:
        """Whether the table as a whole no longer holds."""
        return self.adjusted_p <= FALSE_MARKS

    @property
    def name(self) -> str:
        """The column, and the network where there are several."""
        return self.column if self.member == 0 else f"{self.column} (network {self.member + 1})"

    @property
    def verdict(self) -> str:
        """Whether the table holds, in plain words."""
        return "differs from training" if self.is_off else "as expected"

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain values, ready for JSON."""
        contexts = [context.to_dict() for context in self.contexts]
        return {**vars(self), "verdict": self.verdict, "contexts": contexts}


def check_tables(model: Model, data: Dataset) -> tuple[TableCheck, ...]:
    """Hold every table of a network, or of an ensemble of them, against new rows."""
    found = [
        _check(member, number, smoothed, data)
        for number, member in enumerate(model.members)
        for smoothed in member.trees
    ]
    by_table = false_discovery([check.p_value for check in found])
    contexts = [context for check in found for context in check.contexts]
    by_context = iter(false_discovery([context.p_value for context in contexts]).tolist())
    checks = []
    for check, adjusted in zip(found, by_table.tolist(), strict=True):
        rows = [replace(context, adjusted_p=next(by_context)) for context in check.contexts]
        rows.sort(key=lambda context: (not context.is_off, -context.rows))
        checks.append(replace(check, adjusted_p=adjusted, contexts=tuple(rows)))
    return tuple(sorted(checks, key=lambda check: (not check.is_off, -check.distance)))


def _check(member: Member, number: int, smoothed: SmoothedTree, data: Dataset) -> TableCheck:
    """Count the new rows by context and value, and compare."""
    cut = data if member.cuts is None else member.cuts.apply(data)
    tree, schema = smoothed.tree, cut.schema
    known = cut.values[:, tree.target] >= 0  # neither missing nor outside the schema
    landed = drop(tree, cut.take(known), np.flatnonzero(known))
    cell = landed.nodes.astype(np.int64) * tree.n_outcomes + landed.outcomes
    squares = float(landed.weights @ landed.weights)
    scale = float(landed.weights.sum()) / squares if squares > 0 else 1.0
    counts = np.bincount(cell, landed.weights * scale, tree.n_nodes * tree.n_outcomes)
    counts = counts.reshape(tree.n_nodes, tree.n_outcomes).astype(np.float64)
    met = np.flatnonzero(counts.any(axis=1)).tolist()
    rules = all_rules(tree, schema)
    names = outcome_names(tree, schema)
    contexts, chi_square, freedom, moved = [], 0.0, 0, 0.0
    for node in met:
        seen, forecast = counts[node], smoothed.probs[node]
        statistic, degrees = _chi_square(seen, forecast, float(tree.totals[node]))
        chi_square, freedom = chi_square + statistic, freedom + degrees
        gap = seen / seen.sum() - forecast
        distance = float(np.abs(gap).sum() / 2)
        moved += distance * float(seen.sum())
        p = float(stats.chi2.sf(statistic, degrees)) if degrees else 1.0
        value = int(np.abs(gap).argmax())
        change = f"{names[value]}: {percent(forecast[value])} before, "
        change += f"{percent(float(seen[value] / seen.sum()))} now"
        contexts.append(
            ContextCheck(node, conditions_text(rules[node]), float(seen.sum()), distance, change, p)
        )
    rows = float(counts.sum())
    return TableCheck(
        member=number,
        column=schema.columns[tree.target].name,
        rows=rows,
        distance=moved / rows if rows > 0 else 0.0,
        p_value=float(stats.chi2.sf(chi_square, freedom)) if freedom else 1.0,
        adjusted_p=1.0,
        contexts=tuple(contexts),
    )


def _chi_square(seen: FloatArray, forecast: FloatArray, trained: float) -> tuple[float, int]:
    """Return Pearson's statistic and its degrees of freedom, rare values pooled.

    It is divided by (A + m) / (A + 1), by which m rows vary more if what they are compared with
    was learnt from A rows.
    """
    rows = float(seen.sum())
    order = np.argsort(forecast, kind="stable")
    expected, found = rows * forecast[order], seen[order]
    n_pooled = int(np.searchsorted(np.cumsum(expected), _FEWEST_EXPECTED, side="left")) + 1
    expected = np.append(expected[:n_pooled].sum(), expected[n_pooled:])
    found = np.append(found[:n_pooled].sum(), found[n_pooled:])
    if len(expected) < 2:
        return 0.0, 0
    learnt = max(trained, 1.0)
    inflation = (learnt + rows) / (learnt + 1)
    return float(((found - expected) ** 2 / expected).sum() / inflation), len(expected) - 1
