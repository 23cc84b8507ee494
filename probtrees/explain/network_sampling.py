"""Answers of a network by samples, where exact ones would need too large tables.

Rows are drawn column by column, parents first, and weighted by how well they fit what is known
(likelihood weighting: Fung & Chang, 1990; Shachter & Peot, 1990). Only contexts that are drawn are
looked up, so no table need be written out, and no table is too large.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from probtrees.explain.network_answer import Worked, known_value
from probtrees.grow.dag import Dag
from probtrees.model.member import Member
from probtrees.model.networks.dense_network import (
    DenseNetwork,
    DenseTable,
    Variable,
    dag_of,
    variable_of,
)
from probtrees.model.predict import deepest_contexts
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Schema
from probtrees.types import FloatArray, Progress, tell

T_95 = 2.365
"""Student's t for a 95 % interval of the mean of eight runs."""

Rows = FloatArray
"""float64[n_rows, n_columns], the codes of the values drawn so far."""


class Lookup(NamedTuple):
    """The table of one column: float64[n_contexts, n_values], and what finds a row's context."""

    probs: FloatArray
    contexts: Callable[[Rows], NDArray[np.integer]]


@dataclass(frozen=True)
class Sampler:
    """A network that rows can be drawn from.

    Attributes
    ----------
    variables : its columns
    tables : by column number, parents before children
    places : the column number of every variable
    n_columns : of the rows that are drawn
    dag : the parents of every column, by number
    """

    variables: tuple[Variable, ...]
    tables: Mapping[int, Lookup]
    places: tuple[int, ...]
    n_columns: int
    dag: Dag

    @classmethod
    def of_network(cls, network: DenseNetwork) -> Sampler:
        """Draw from tables that are written out."""
        n_columns = len(network.variables)
        dag = network.dag
        tables = {number: _dense_lookup(network.tables[number]) for number in dag.columns}
        return cls(network.variables, tables, tuple(range(n_columns)), n_columns, dag)

    @classmethod
    def of_member(cls, member: Member, schema: Schema) -> Sampler:
        """Draw from tables of counts; a context that was never met has the deepest that was."""
        cut = schema if member.cuts is None else member.cuts.apply_to_schema(schema)
        trees = {smoothed.tree.target: smoothed for smoothed in member.trees}
        dag = dag_of(member)
        order = tuple(TopologicalSorter(dag.parents).static_order())
        variables = tuple(variable_of(cut, column, member.cuts) for column in order)
        tables = {column: _tree_lookup(trees[column], cut) for column in order}
        return cls(variables, tables, order, cut.n_columns, dag)

    def draw(
        self, evidence: Mapping[int, FloatArray], n_rows: int, random: np.random.Generator
    ) -> tuple[float, list[FloatArray], float]:
        """Draw rows that fit what is known.

        Parameters
        ----------
        evidence : by the number of the variable, how well each value fits

        Returns
        -------
        the mean weight of the rows, which is how probable what is known is; the probabilities of
        every variable's values, none if no row fits; how many rows of equal weight tell as much
        """
        known = {self.places[number]: fits for number, fits in evidence.items()}
        rows = np.full((n_rows, self.n_columns), np.nan)
        weights = np.ones(n_rows)
        for column, table in self.tables.items():
            # Drawn among what fits; how much that is goes into the weight.
            chances = table.probs[table.contexts(rows)] * known.get(column, 1.0)
            rows[:, column], fitting = draw_values(chances, random.random(n_rows))
            weights *= fitting if column in known else 1.0
        total = float(weights.sum())
        if total <= 0:
            return 0.0, [], 0.0
        posteriors = [
            np.bincount(
                rows[:, column].astype(np.int64), weights / total, len(variable.values)
            ).astype(np.float64)
            for column, variable in zip(self.places, self.variables, strict=True)
        ]
        return total / n_rows, posteriors, total**2 / float((weights**2).sum())


def draw_values(chances: FloatArray, uniforms: FloatArray) -> tuple[NDArray[np.intp], FloatArray]:
    """Draw a value for every row, by chances that need not add up to 1; return their sums too."""
    ends = np.cumsum(chances, axis=1)
    drawn = (ends <= (uniforms * ends[:, -1])[:, None]).sum(axis=1)
    # Where nothing fits the sum is 0 and any value will do: it is the last.
    return np.minimum(drawn, ends.shape[1] - 1), ends[:, -1]


def draw_every_class(
    sampler: Sampler,
    target: str,
    known: Mapping[int, FloatArray],
    n_rows: int,
    random: np.random.Generator,
) -> Worked:
    """Draw rows for every class: so also rare classes have enough of them."""
    number = [variable.name for variable in sampler.variables].index(target)
    fits = known.get(number, np.ones(len(sampler.variables[number].values)))
    joint, given, n_effective = np.zeros(len(fits)), {}, 0.0
    for label in np.flatnonzero(fits).tolist():
        evidence = {**known, number: known_value(len(fits), label)}
        weight, given[label], worth = sampler.draw(evidence, n_rows, random)
        joint[label] = fits[label] * weight
        n_effective += worth
    return Worked.of_classes(joint, given, n_effective)


def draw_runs(
    samplers: Sequence[Sampler],
    target: str,
    evidence: Sequence[Mapping[int, FloatArray]],
    size: tuple[int, int],
    progress: Progress | None = None,
) -> list[list[Worked]]:
    """Sample networks several times over; the same question always draws the same rows.

    Parameters
    ----------
    evidence : what is known, as every network has it
    size : the number of runs, and of rows in each for every class of every network
    """
    n_runs, n_rows = size
    runs = []
    for run in range(n_runs):
        tell(progress, run / n_runs, f"sampling, {run + 1} of {n_runs}")
        random = np.random.default_rng(run + 1)
        asked = zip(samplers, evidence, strict=True)
        runs.append([draw_every_class(s, target, known, n_rows, random) for s, known in asked])
    return runs


def pooled(runs: Sequence[Worked]) -> Worked:
    """Join what runs drew: each weighs what it found to fit."""
    weights = [run.evidence for run in runs]
    columns = zip(*(run.pairs for run in runs), strict=True)
    pairs = [np.average(every, axis=0, weights=weights) for every in columns]
    return Worked(float(np.mean(weights)), pairs, sum(run.n_samples for run in runs))


def error_of(runs: Sequence[FloatArray]) -> float:
    """Return half the width of a 95 % interval, of the value that runs differ most about."""
    return float(T_95 * np.std(runs, axis=0, ddof=1).max() / math.sqrt(len(runs)))


def _dense_lookup(table: DenseTable) -> Lookup:
    shape = table.probs.shape
    steps = [math.prod(shape[axis + 1 : -1]) for axis in range(len(table.parents))]

    def contexts(rows: Rows) -> NDArray[np.integer]:
        found = np.zeros(len(rows))
        for parent, step in zip(table.parents, steps, strict=True):
            found += step * rows[:, parent]
        return found.astype(np.int64)

    probs = np.ascontiguousarray(table.probs.reshape(-1, shape[-1]))
    return Lookup(probs, contexts)


def _tree_lookup(smoothed: SmoothedTree, schema: Schema) -> Lookup:
    def contexts(rows: Rows) -> NDArray[np.integer]:
        return deepest_contexts(smoothed.tree, rows, schema.n_values)

    return Lookup(np.ascontiguousarray(smoothed.probs), contexts)
