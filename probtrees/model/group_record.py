"""How far groups of unseen rows were from what they were given, by forecast and by size.

A leaf's rows chose the tree, so the spread of a posterior given the tree is too narrow. Inner
trees grown without a part of the rows have leaves too, and the rows of the part say how often
the outcome really came in each. This file adds such groups up; :mod:`.group_rates` finds what
they tell about the true rate of a group with a similar forecast and of a similar size.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from probtrees.errors import DataError
from probtrees.machine.json_file import decode, encode
from probtrees.model.group_rates import (
    AMOUNTS,
    N_BINS,
    N_SIZES,
    GroupRates,
    bin_of,
    rows_and_cases,
    size_of,
)
from probtrees.types import FloatArray, IntArray


def observation_scale(weights: FloatArray) -> float:
    """Return the factor under which weights add up to the rows they are worth (Kish 1965).

    >>> observation_scale(np.array([4.0, 4.0]))
    0.25
    """
    squares = float(weights @ weights)
    return float(weights.sum()) / squares if squares > 0 else 1.0


@dataclass(frozen=True)
class GroupRecord:
    """Groups of unseen rows that were given one forecast, added up by forecast and size.

    A group is an inner leaf, or unseen rows of one inner model that share a forecast. With
    weights w its rows weigh m, its cases k, and q is the sum of squares of w. Groups of one
    forecast and size with the same numbers of rows and cases are kept together.

    Attributes
    ----------
    n_outcomes : outcomes that forecasts are about
    n_parts : inner models
    cells : int64[n], (outcome * N_SIZES + size class) * N_BINS + bin, ascending
    amounts : float64[n, 6], sums over the groups kept together, as named by ``AMOUNTS``:
        1, m, k, m * forecast, q and m^2
    """

    n_outcomes: int
    n_parts: int
    cells: IntArray
    amounts: FloatArray

    @classmethod
    def of(
        cls,
        proba: FloatArray,
        outcomes: IntArray,
        weights: FloatArray,
        groups: IntArray,
        sizes: FloatArray,
        n_parts: int = 1,
    ) -> GroupRecord:
        """Add up what happened in every group.

        A weighted row is one observation, so weights are scaled such that rows of equal
        weight weigh 1: they alone never narrow an interval.

        Parameters
        ----------
        proba : float64[n_rows, n_outcomes], what the rows were given
        groups : int64[n_rows], which rows go together
        sizes : float64[n_rows], rows that the row's group was learnt from
        n_parts : inner models
        """
        n_outcomes = proba.shape[1]
        weights = weights * observation_scale(weights)
        groups = np.unique(groups, return_inverse=True)[1].reshape(-1)
        n_groups = int(groups.max(initial=-1)) + 1

        def total(values: FloatArray) -> FloatArray:
            return np.bincount(groups, values, n_groups).astype(np.float64)

        m, q = total(weights), total(weights**2)
        size = size_of(total(weights * sizes) / np.maximum(m, 1e-300))
        keys, found = [], []
        for outcome in range(n_outcomes):
            k = total(weights * (outcomes == outcome))
            given = total(weights * proba[:, outcome])
            found.append(np.stack([np.ones(n_groups), m, k, given, q, m * m], axis=1))
            keys.append((outcome * N_SIZES + size) * N_BINS + bin_of(given / np.maximum(m, 1e-300)))
        return cls(
            n_outcomes, n_parts, *_kept_together(np.concatenate(keys), np.concatenate(found))
        )

    def by_bin(self, name: str) -> FloatArray:
        """Return float64[n_outcomes, n_bins], an amount by forecast, of groups of all sizes."""
        place = self.cells // (N_SIZES * N_BINS) * N_BINS + self.cells % N_BINS
        sums = np.bincount(place, self.amounts[:, AMOUNTS.index(name)], self.n_outcomes * N_BINS)
        return sums.reshape(self.n_outcomes, N_BINS).astype(np.float64)

    def intervals(
        self, probabilities: FloatArray, sizes: FloatArray, outcome: int
    ) -> tuple[FloatArray, FloatArray]:
        """Bound the true rates of groups, each by its forecast and size, with 90 % confidence.

        Groups alike share an interval, so many rows cost little more than a few. It holds the
        forecast too: a number outside of its own range would be read as an error.
        """
        place = bin_of(probabilities) + N_BINS * size_of(sizes)
        if not (self.cells // (N_SIZES * N_BINS) == outcome).any():
            return np.zeros(len(place)), np.ones(len(place))
        alike, first = np.unique(place, return_inverse=True)
        lower, upper = self.rates[outcome].intervals(alike % N_BINS, alike // N_BINS)
        lower, upper = lower[first.reshape(-1)], upper[first.reshape(-1)]
        return np.minimum(lower, probabilities), np.maximum(upper, probabilities)

    @cached_property
    def rates(self) -> tuple[GroupRates, ...]:
        """What the groups tell about true rates, by outcome."""
        outcome = self.cells // (N_SIZES * N_BINS)
        return tuple(
            GroupRates.of(self.cells[outcome == each], self.amounts[outcome == each])
            for each in range(self.n_outcomes)
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the record as plain values, ready for JSON."""
        amounts = {name: encode(self.amounts[:, at]) for at, name in enumerate(AMOUNTS)}
        return {
            "n_bins": N_BINS,
            "n_sizes": N_SIZES,
            "n_parts": self.n_parts,
            "cells": encode(self.cells),
            **amounts,
        }

    @classmethod
    def from_dict(cls, record: Mapping[str, Any], n_outcomes: int) -> GroupRecord:
        """Read what :meth:`to_dict` wrote."""
        cells = np.asarray(decode(record["cells"]), dtype=np.int64)
        is_grid = record["n_bins"] == N_BINS and record["n_sizes"] == N_SIZES
        inside = (cells >= 0) & (cells < n_outcomes * N_SIZES * N_BINS)
        if not (is_grid and inside.all() and (np.diff(cells) >= 0).all()):
            raise DataError(
                f"track_record groups must have {N_BINS} bins and {N_SIZES} sizes, in order."
            )
        n_parts = int(record["n_parts"])
        amounts = np.zeros((len(cells), len(AMOUNTS)))
        for at, name in enumerate(AMOUNTS):
            amounts[:, at] = np.asarray(decode(record[name]), dtype=np.float64)
        is_sum = np.isfinite(amounts).all() and (amounts >= -1e-6).all() and n_parts > 0
        if not is_sum or not (amounts[:, [0, 1, 4, 5]] > 0).all():
            raise DataError("track_record groups must be finite, and hold rows.")
        return cls(n_outcomes, n_parts, cells, amounts)


def _kept_together(keys: IntArray, amounts: FloatArray) -> tuple[IntArray, FloatArray]:
    """Add up what has the same cell, and about as many rows and cases."""
    m, k = (np.rint(each) for each in rows_and_cases(amounts))
    order = np.lexsort((k, m, keys))
    columns = np.stack([keys.astype(np.float64), m, k])[:, order]
    is_first = np.ones(len(keys), dtype=bool)
    is_first[1:] = (np.diff(columns, axis=1) != 0).any(axis=0)
    first = np.flatnonzero(is_first)
    sums = np.add.reduceat(amounts[order], first, axis=0) if len(first) else amounts
    return keys[order][first].astype(np.int64), sums
