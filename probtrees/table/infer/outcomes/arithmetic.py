"""Find columns of numbers that are arithmetic of another: sums, ratios, products, other units.

A relation counts if it holds in nearly all rows, to the last digit that the cells are written with,
also where the number in question is not its usual value, and if numbers that are dealt out to the
rows at random would hardly ever fulfil it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from probtrees.types import FloatArray, IntArray

_NEARLY_ALL, _NEARLY_ALL_OF_OTHER = 0.97, 0.9
_FEWEST_ROWS, _FEWEST_OTHER = 20, 10
"""Rows in which a number, and each of the others, is not what it mostly is."""
_MOST_CHANCE, _FEWEST_BITS = 0.5, 60.0
"""How often a relation may hold by chance, and how improbable it must be that it does in all."""
_MOST_ROWS, _FIRST_ROWS = 2000, 24
_MOST_SUMMED, _MOST_PAIRED, _MOST_COLUMNS = 120, 150, 2000
"""So many columns are tried four at a time, two at a time, and at all."""
_N_TRIES, _N_ANCHORS, _MOST_MATCHES = 4, 5, 10_000
_FACTORS = (1.0, 100.0, 0.01, 1000.0, 0.001, 1e5)
_MOSTLY, _FINE = 0.8, 1e-9
_N_DEALT, _COUNTED = 5, 0.5
_FINEST_PART, _COARSEST_PART = 0.05, 0.2
"""Half of the last digit as a part of the spread: years of age go with the kilometres of a bus as
closely as whole years can, and are not worked out of them; of ratios this says more."""
_WHOLES = (1.0, 100.0)
"""What shares add up to."""


_Apart = Callable[[FloatArray, IntArray], FloatArray]


@dataclass(frozen=True)
class Relation:
    """How a number and columns make each other up.

    Attributes
    ----------
    columns : what one must not know who asks for the number
    kind : "linear" (the column is the number in other units), "total" (the first of ``columns`` is
        the sum of the number and ``others``), "parts" (the number is made of ``columns`` by adding
        or subtracting), "shares" (they and the number add up to 1 or 100), "ratio", "share" and
        "product" (the column is ``others`` by the number, the number by ``others``, or times it),
        "quotient" and "product of" (the number is the first of ``columns`` by or times the other)
    others : the other columns of a relation
    minus : those of ``columns`` that are subtracted
    """

    columns: tuple[str, ...]
    kind: str
    others: tuple[str, ...] = ()
    minus: tuple[str, ...] = ()


class _Numbers:
    """The columns as rows of a matrix, in the rows in which the number in question is known."""

    def __init__(self, number: FloatArray, columns: Mapping[str, FloatArray]) -> None:
        known = np.flatnonzero(np.isfinite(number))
        if len(known) > _MOST_ROWS:
            known = known[np.linspace(0, len(known) - 1, _MOST_ROWS).astype(np.int64)]
        self.number = number[known]
        kept = {name: values[known] for name, values in columns.items()}
        kept = {name: values for name, values in kept.items() if _varies(values)}
        self.names = list(kept)
        self.values = np.array([*kept.values()]).reshape(len(kept), len(known))
        self.values[~np.isfinite(self.values)] = np.nan
        self.steps = np.array([_step(values) for values in self.values])
        self.step = _step(self.number)
        self.rounding = float(_rounding(np.array([self.step]))[0])
        self.usual = _usual(self.number)
        self.is_usual = np.array([_usual(values) for values in self.values]).reshape(
            self.values.shape
        )
        self.random = np.random.default_rng(0)

    def without(self, names: Sequence[str]) -> NDArray[np.bool_]:
        return np.array([name not in names for name in self.names], dtype=np.bool_)

    def holds(self, told: FloatArray, value: FloatArray, error: float, used: Sequence[int]) -> bool:
        """Whether ``told``, made of columns ``used``, is ``value`` in nearly all rows."""
        apart = np.abs(told - value)
        valid = np.isfinite(apart)
        right = apart <= error
        other = valid & ~self.usual
        if other.sum() < _FEWEST_ROWS or valid.sum() < 0.5 * len(valid):
            return False
        if min(right[valid].mean(), right[other].mean()) < _NEARLY_ALL:
            return False
        for column in used:
            at = valid & ~self.is_usual[column]
            if at.sum() < _FEWEST_OTHER or right[at].mean() < _NEARLY_ALL_OF_OTHER:
                return False
        return True

    def is_no_chance(
        self, apart: Callable[[FloatArray, IntArray], FloatArray], error: float
    ) -> bool:
        """Whether a relation would hardly hold for the numbers of other rows.

        ``apart`` returns how far it is from holding, given numbers that are dealt out to rows.
        """
        rows = np.flatnonzero(~self.usual)
        dealt = self.number[np.array([self.random.permutation(rows) for _ in range(_N_DEALT)])]
        with np.errstate(all="ignore"):
            off = apart(dealt, rows)
        known = np.isfinite(off)
        if not known.any():
            return False
        chance = max(float((off[known] <= error).mean()), 1.0 / len(rows))
        bits = -np.log2(chance) * float(known.mean()) * len(rows)
        return chance <= _MOST_CHANCE and bits >= _FEWEST_BITS

    def is_told(self, told: FloatArray, error: float, used: Sequence[int]) -> bool:
        """Whether the number is what columns ``used`` make of it, and not by chance."""
        error += _FINE * float(np.fmax.reduce(np.abs(told), initial=0.0))
        return self.holds(told, self.number, error, used) and self.is_no_chance(
            lambda dealt, rows: np.abs(dealt - told[rows]), error
        )


def relations(number: FloatArray, columns: Mapping[str, FloatArray]) -> list[Relation]:
    """List the columns that are arithmetic of a number, the simplest relation of each first."""
    known = np.isfinite(number)
    if len(np.unique(number[known])) <= 2 or len(columns) > _MOST_COLUMNS:
        return []
    table = _Numbers(number, columns)
    if (~table.usual).sum() < _FEWEST_ROWS:
        return []
    found = list(_linear(table))
    for search in (_sums, _by_twos):
        told = [*chain.from_iterable(relation.columns for relation in found)]
        found += search(table, table.without(told))
    return found


def _linear(table: _Numbers) -> Iterator[Relation]:
    """Find columns that are the number times something plus something."""
    order = table.random.permutation(len(table.number))
    apart = table.number - table.number[order]
    with np.errstate(divide="ignore", invalid="ignore"):
        slopes = (table.values - table.values[:, order]) / apart
    for at, (name, values) in enumerate(zip(table.names, table.values, strict=True)):
        slope = slopes[at][np.isfinite(slopes[at])]
        factor = float(np.median(slope)) if len(slope) else 0.0
        if factor == 0.0:
            continue
        rest = values - factor * table.number
        told = (values - np.nanmedian(rest)) / factor
        error = table.steps[at] / abs(factor) + table.rounding
        is_fine = error <= _FINEST_PART * _spread(table.number)
        if is_fine and table.is_told(told, float(error), [at]):
            yield Relation((name,), "linear")


def _sums(table: _Numbers, may: NDArray[np.bool_]) -> Iterator[Relation]:
    """Find up to four columns that the number is the sum or difference of."""
    at = np.flatnonzero(may)
    if len(at) < 2:
        return
    wholes = np.repeat(np.array([_WHOLES]).T, len(table.number), axis=1)
    values = np.vstack([table.values[at], wholes])
    steps = np.concatenate([_rounding(table.steps[at]), np.zeros(len(_WHOLES))])
    accepted: list[frozenset[int]] = []
    for terms in _candidates(table, values, steps):
        used = frozenset(terms)
        columns = [column for column in used if column < len(at)]
        if len(columns) < 2 or any(one <= used for one in accepted):
            continue
        told = np.array([*terms.values()]) @ values[[*terms]]
        error = float(steps[list(used)].sum()) + table.rounding
        if table.is_told(told, error, at[columns].tolist()):
            accepted.append(used)
            yield _sum_relation({table.names[at[c]]: terms[c] for c in columns}, len(used))


def _sum_relation(signs: Mapping[str, int], n_terms: int) -> Relation:
    """Say which columns tell the number, by how they are added up to it."""
    plus = tuple(name for name, sign in signs.items() if sign > 0)
    minus = tuple(name for name, sign in signs.items() if sign < 0)
    if n_terms > len(signs):
        return Relation(tuple(signs), "shares")
    if len(plus) == 1 and minus:
        return Relation(plus, "total", minus)
    return Relation((*plus, *minus), "parts", minus=minus)


def _candidates(table: _Numbers, values: FloatArray, steps: FloatArray) -> list[dict[int, int]]:
    """List sets of columns, with their signs, that add up to the number in a few rows.

    Sums of two columns are compared with what two others leave of the number, in random mixtures
    of rows: a thousandth of the work of trying four at a time.
    """
    many = len(values) - len(_WHOLES) > _MOST_SUMMED
    rows, first_rows = np.flatnonzero(~table.usual), _first_rows(table)
    # Column -1 stands for none, so that fewer than four are tried as well.
    columns = np.concatenate([[-1], np.arange(len(values)), np.arange(len(values))])
    signs = np.concatenate([[0], np.ones(len(values)), -np.ones(len(values))]).astype(np.int64)
    signed = signs[:, None] * values[columns]
    signed[0] = 0.0
    found: set[frozenset[tuple[int, int]]] = set()
    for turn in range(_N_TRIES):
        anchors = table.random.choice(rows, _N_ANCHORS, replace=False)
        weights = table.random.normal(size=_N_ANCHORS)
        sums, number = signed[:, anchors] @ weights, float(table.number[anchors] @ weights)
        # A column that is 0 in all of these rows would be as good as none.
        usable = np.isfinite(sums) & (np.abs(signed[:, anchors]).sum(axis=1) > 0)
        usable[0] = True
        error = _FINE * float(np.abs(sums[usable]).max(initial=abs(number)))
        if turn % 2:
            coarsest = max(float(steps.max()), table.rounding)
            error += 2 * coarsest * float(np.abs(weights).sum())
        places = np.flatnonzero(usable)
        first, second = (places[at] for at in np.triu_indices(len(places)))
        if many:
            first, second = np.zeros_like(places), places
        distinct = (columns[first] != columns[second]) | (columns[first] == -1)
        pairs = np.column_stack([first[distinct], second[distinct]])
        chosen = _matching(number, sums[pairs].sum(axis=1), pairs, error)
        told = signed[:, first_rows][chosen].sum(axis=1)
        slack = 2 * error + _FINE * np.abs(told)
        slack += steps[columns[chosen]].sum(axis=1)[:, None] + table.rounding
        apart = np.abs(told - table.number[first_rows])
        right = (apart <= slack).sum(axis=1) >= _MOSTLY * np.isfinite(apart).sum(axis=1)
        for entries in chosen[right].tolist():
            terms = frozenset((int(columns[e]), int(signs[e])) for e in entries if e)
            if len({column for column, _ in terms}) == sum(e > 0 for e in entries):
                found.add(terms)
    return [dict(terms) for terms in sorted(found, key=lambda terms: (len(terms), sorted(terms)))]


def _matching(number: float, sums: FloatArray, pairs: IntArray, error: float) -> IntArray:
    """Return fours of which two add up to what the two others leave of the number."""
    order = np.argsort(sums, kind="stable")
    low = np.searchsorted(sums[order], number - sums - error, side="left")
    high = np.searchsorted(sums[order], number - sums + error, side="right")
    n_found = np.minimum(high - low, _MOST_MATCHES)
    left = np.repeat(np.arange(len(sums)), n_found)[:_MOST_MATCHES]
    within = np.arange(len(left)) - np.repeat(np.cumsum(n_found) - n_found, n_found)[: len(left)]
    right = order[low[left] + within]
    return np.column_stack([pairs[left], pairs[right]])


def _by_twos(table: _Numbers, may: NDArray[np.bool_]) -> Iterator[Relation]:
    """Find ratios and products; of several about the same columns the most exact one."""
    if len(table.names) > _MOST_PAIRED:
        return
    few = _first_rows(table)
    found = [*_with_one_other(table, may, few), *_of_two(table, may, few)]
    seen: list[set[str]] = []
    told: set[str] = set()
    for _, relation in sorted(found, key=lambda one: one[0]):
        columns = {*relation.columns, *relation.others}
        if columns not in seen and not told.intersection(relation.columns):
            seen.append(columns)
            told.update(relation.columns)
            yield relation


def _with_one_other(
    table: _Numbers, may: NDArray[np.bool_], few: IntArray
) -> Iterator[tuple[float, Relation]]:
    """Find columns that are the number by or times another column, or that by the number.

    Each with how exact it is: half of its last digit as a part of how far its values spread.
    """
    for other, by in enumerate(table.values):
        for kind in ("product", "share", "ratio"):
            with np.errstate(all="ignore"):
                values = _made(kind, table.number, by)
            for at, factor in _scaled(values[few], table.values[:, few], table.steps):
                column, error = table.values[at], float(table.steps[at])
                if not may[at] or at == other or error > _COARSEST_PART * _spread(column):
                    continue
                if not table.holds(factor * values, column, error, [at, other]):
                    continue
                apart = partial(_apart, kind, factor, by, column)
                if table.is_no_chance(apart, error):
                    relation = Relation((table.names[at],), kind, (table.names[other],))
                    yield error / _spread(column), relation


def _apart(
    kind: str,
    factor: float,
    by: FloatArray,
    column: FloatArray,
    dealt: FloatArray,
    rows: IntArray,
) -> FloatArray:
    return np.abs(factor * _made(kind, dealt, by[rows]) - column[rows])


def _made(kind: str, number: FloatArray, by: FloatArray) -> FloatArray:
    """Make a column of the number and another one."""
    if kind == "product":
        return number * by
    return number / by if kind == "share" else by / number


def _of_two(
    table: _Numbers, may: NDArray[np.bool_], few: IntArray
) -> Iterator[tuple[float, Relation]]:
    """Find two columns that the number is the ratio or product of."""
    step = np.full(len(table.names), table.step)
    number = np.broadcast_to(table.number[few], (len(table.names), len(few)))
    for first in np.flatnonzero(may).tolist():
        values = table.values[first]
        for kind, make in (("quotient", np.divide), ("product of", np.multiply)):
            with np.errstate(all="ignore"):
                told = make(values[few], table.values[:, few])
            for at, factor in _scaled(told, number, step):
                if at == first or not may[at]:
                    continue
                with np.errstate(all="ignore"):
                    value = factor * make(values, table.values[at])
                if table.is_told(value, table.step, [at, first]):
                    relation = Relation((table.names[first], table.names[at]), kind)
                    yield table.step / _spread(table.number), relation


def _first_rows(table: _Numbers) -> IntArray:
    """Choose a few rows by which most pairs of columns are found to be unrelated."""
    rows = np.flatnonzero(~table.usual & (table.number != 0))
    return table.random.permutation(rows)[:_FIRST_ROWS]


def _scaled(told: FloatArray, values: FloatArray, steps: FloatArray) -> list[tuple[int, float]]:
    """List the columns that are what is told times a usual factor in most of a few rows."""
    found = []
    errors = steps[:, None] * (1 + 1e-6)
    for factor in _FACTORS:
        apart = np.abs(factor * told - values)
        n_known = np.isfinite(apart).sum(axis=1)
        right = (apart <= errors).sum(axis=1) >= _MOSTLY * n_known
        places = np.flatnonzero(right & (2 * n_known >= apart.shape[1]))
        found += [(at, factor) for at in places.tolist()]
    return found


def _spread(values: FloatArray) -> float:
    """Return how far numbers spread."""
    return float(np.nanstd(values)) or 1.0


def _varies(values: FloatArray) -> bool:
    """Whether numbers have more than two values."""
    known = values[np.isfinite(values)]
    return len(known) >= _FEWEST_ROWS and len(np.unique(known)) > 2


def _usual(values: FloatArray) -> NDArray[np.bool_]:
    """Return the rows with the most frequent number."""
    different, n_rows = np.unique(values[np.isfinite(values)], return_counts=True)
    return np.isin(values, different[n_rows == n_rows.max(initial=0)][:1])


def _step(values: FloatArray) -> float:
    """Return half of the last digit that numbers are written with."""
    known = values[np.isfinite(values)]
    for digits in range(7):
        scaled = known * 10.0**digits
        if (np.abs(scaled - np.round(scaled)) <= 1e-6).all():
            return 0.5 * 10.0**-digits * (1 + 1e-6)
    return float(1e-6 * np.abs(known).max(initial=0.0))


def _rounding(steps: FloatArray) -> FloatArray:
    """Return how far numbers may be off by rounding: whole ones are counted, and exact."""
    return np.where(steps >= _COUNTED, 0.0, steps)
