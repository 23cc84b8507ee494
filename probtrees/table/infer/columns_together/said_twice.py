"""Columns that say what another one says already: copies, other units, codes, groups of a number.

A tree splits by one or the other as chance has it, and what the two are worth is shared out between
them. All rows must agree, and more of them than chance would let: nothing is said of a column that
another one tells nearly always, nor of one that two others tell together, as a BMI.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from probtrees.table.cells.raw_table import Numbers, RawTable, Texts
from probtrees.table.infer.table_plan import ColumnPlan
from probtrees.table.table_report import Finding, Fix
from probtrees.types import FloatArray, IntArray

SAID_TWICE = "said twice"
"""The kind of the finding."""

_SAME, _ONE_OF_THEM = " says the same as ", ": a tree needs only one of them."
_LEAVE_OUT = Fix("Leave it out", "role", "ignore")
_MOST_COLUMNS, _N_DRAWN, _MOST_ROWS = 400, 2000, 20_000
_FEWEST_BITS, _FEWEST_OF_SECOND = 60.0, 10
"""How improbable it must be by chance, and the rows that the second most frequent value has."""
_FEWEST_OF_RANGES = 120.0
"""The same of ranges: few cars have a Diesel engine, and all of these compress most."""
_ALSO_KNOWN, _ALSO_EMPTY = 0.98, 0.1
"""Of the rows that have a value, so many have one in the other column; and so many rows in which
that one has a value may have none."""
_CLOSE, _FINEST_PART = 0.995, 0.05
"""Correlation from which on two columns may be one in two units, and what rounding may then be as a
part of the spread."""
_SAME_UNIT, _FEWEST_ODD = 0.01, 6


class _Column(NamedTuple):
    """One column that is used.

    Attributes
    ----------
    codes : ranks of numbers or codes of texts, -1 where missing
    numbers : what a column of numbers holds
    bits : how improbable it is that another column has the same groups of rows
    ordered_bits : the same of groups that are in order too
    """

    name: str
    codes: IntArray
    numbers: FloatArray | None
    bits: float
    ordered_bits: float


def said_twice(plans: Sequence[ColumnPlan], raw: RawTable) -> list[Finding]:
    """Tell of columns that are used and say what another one says."""
    if sum(plan.role == "feature" for plan in plans) > _MOST_COLUMNS:
        return []
    columns = _columns(plans, raw)
    if len(columns) < 2:
        return []
    maybe = _candidates(columns)
    told: dict[str, Finding] = {}
    for one, other in zip(*np.nonzero(maybe), strict=True):
        first, second = columns[one], columns[other]
        if first.name in told or second.name in told:
            continue
        if _is_same(first, second):
            told[second.name] = _finding(second.name, first.name, "")
        elif first.numbers is not None and _is_grouped(first, second):
            told[second.name] = _finding(second.name, first.name, ", in groups")
    return [told[column.name] for column in columns if column.name in told]


def _finding(name: str, other: str, how: str) -> Finding:
    return Finding(
        name,
        SAID_TWICE,
        f"{name!r}{_SAME}{other!r}{how}{_ONE_OF_THEM}",
        "",
        "note",
        (_LEAVE_OUT,),
    )


def in_short(found: Finding) -> str:
    """Say in a few words what such a finding says.

    >>> in_short(_finding("age_group", "age", ", in groups"))
    "'age_group' as 'age', in groups"
    """
    words = found.sentence.removesuffix(_ONE_OF_THEM)
    return words.replace(f"{found.column!r}{_SAME}", f"{found.column!r} as ", 1)


def _columns(plans: Sequence[ColumnPlan], raw: RawTable) -> list[_Column]:
    """List the columns that are used as they are, texts first: words are read more easily."""
    found = []
    rows = slice(None, None, max(1, raw.n_rows // _MOST_ROWS))
    logs = np.cumsum(np.log2(np.maximum(np.arange(raw.n_rows + 1), 1)))
    for plan in plans:
        column = raw.columns.get(plan.name)
        is_plain = len(plan.columns) == 1 and plan.columns[0].date_part is None
        if plan.role != "feature" or not is_plain or not isinstance(column, (Numbers, Texts)):
            continue
        if isinstance(column, Texts):
            made = _column(plan.name, column.codes[rows].astype(np.int64), None, logs)
        else:
            values = column.values[rows]
            made = _column(plan.name, _ranks(values), values, logs)
        found += [] if made is None else [made]
    return sorted(found, key=lambda column: column.numbers is not None)


def _column(
    name: str, codes: IntArray, numbers: FloatArray | None, logs: FloatArray
) -> _Column | None:
    """Make one of codes; ``logs`` has the binary logarithms of all factorials."""
    counts = np.bincount(codes[codes >= 0])
    counts = np.sort(counts[counts > 0])
    if len(counts) < 2 or (numbers is None and counts[-2] < _FEWEST_OF_SECOND):
        return None
    orders = float(logs[counts.sum()] - logs[counts].sum())
    bits = orders - float(logs[len(counts)]) if counts[-2] >= _FEWEST_OF_SECOND else 0.0
    rest = int(counts.sum() - counts[-1])
    return _Column(name, codes, numbers, bits, orders if rest >= _FEWEST_OF_SECOND else 0.0)


def _ranks(values: FloatArray) -> IntArray:
    known = np.isfinite(values)
    codes = np.full(len(values), -1, dtype=np.int64)
    codes[known] = np.unique(values[known], return_inverse=True)[1]
    return codes


def _candidates(columns: Sequence[_Column]) -> NDArray[np.bool_]:
    """Return which columns may be told by which, [one, told by it], by rows that are drawn.

    Whoever tells another has no two rows alike that differ in it, and of three rows not the middle
    one apart; or it goes up and down with it.
    """
    n_rows = len(columns[0].codes)
    drawn = np.random.default_rng(0).integers(0, n_rows, (3, _N_DRAWN))
    codes = np.array([column.codes for column in columns])
    first, second, third = (codes[:, rows] for rows in drawn)
    known = (first >= 0) & (second >= 0)
    differs = known & (first != second)
    alike = known & (first == second)
    broken = _meet(alike, differs)
    known &= third >= 0
    is_number = np.array([column.numbers is not None for column in columns])
    groups = alike.any(axis=1) & [column.bits >= _FEWEST_BITS for column in columns]
    ordered = is_number & [column.ordered_bits >= _FEWEST_BITS for column in columns]
    apart, n_odd = np.zeros((len(columns), len(columns))), np.zeros(len(columns))
    for middle, low, high in (
        (first, second, third),
        (second, first, third),
        (third, first, second),
    ):
        between = ((low < middle) & (middle < high)) | ((high < middle) & (middle < low))
        odd = known & (low == high) & (middle != low)
        apart += _meet(known & between, odd)
        n_odd += odd.sum(axis=1)
    up, down = differs & (first < second), differs & (first > second)
    against, along = _meet(up, down) + _meet(down, up), _meet(up, up) + _meet(down, down)
    in_order = ((against == 0) | (along == 0)) & ordered
    ranges = (
        is_number[:, None]
        & (broken == 0)
        & (((apart == 0) & groups & (n_odd >= _FEWEST_ODD)) | in_order)
    )
    one_to_one = (broken == 0) & (broken.T == 0) & (_meet(alike, alike) > 0) & groups
    found = ranges | one_to_one | _close(columns)
    np.fill_diagonal(found, val=False)
    return np.asarray(found, dtype=np.bool_)


def _meet(one: NDArray[np.bool_], other: NDArray[np.bool_]) -> FloatArray:
    """Count where each column of one kind meets each of the other."""
    return np.asarray(one.astype(np.float32) @ other.astype(np.float32).T, dtype=np.float64)


def _close(columns: Sequence[_Column]) -> NDArray[np.bool_]:
    """Return which columns of numbers lie close to a line."""
    values = np.array(
        [
            np.full(len(column.codes), np.nan) if column.numbers is None else column.numbers
            for column in columns
        ]
    )
    values[~np.isfinite(values) | (np.abs(values) > 1e100)] = np.nan
    known = ~np.isnan(values)
    n_known = np.maximum(known.sum(axis=1, keepdims=True), 1)
    values = np.where(known, values, 0.0)
    values = np.where(known, values - values.sum(axis=1, keepdims=True) / n_known, 0.0)
    largest = np.abs(values).max(axis=1, keepdims=True)
    values = values / np.where(largest > 0, largest, 1.0)
    squares = (values**2) @ known.astype(np.float64).T
    with np.errstate(divide="ignore", invalid="ignore"):
        correlation = values @ values.T / np.sqrt(squares * squares.T)
    return np.asarray(np.abs(np.nan_to_num(correlation)) >= _CLOSE, dtype=np.bool_)


def _both(one: _Column, other: _Column) -> NDArray[np.bool_] | None:
    """Return the rows that have a value in both; None where the other is filled in elsewhere."""
    in_one, in_other = one.codes >= 0, other.codes >= 0
    both = in_one & in_other
    n_both = np.count_nonzero(both)
    if n_both < _ALSO_KNOWN * np.count_nonzero(in_other):
        return None
    return both if n_both >= (1 - _ALSO_EMPTY) * np.count_nonzero(in_one) else None


def _is_same(one: _Column, other: _Column) -> bool:
    """Whether each value of a column is one of the other, or both are a number in two units."""
    both = _both(one, other)
    if both is None:
        return False
    codes, others = one.codes[both], other.codes[both]
    n_pairs = _n_different(codes * (others.max(initial=0) + 1) + others)
    is_one_to_one = n_pairs == _n_different(codes) == _n_different(others)
    if one.numbers is None or other.numbers is None:
        return is_one_to_one and min(one.bits, other.bits) >= _FEWEST_BITS
    if is_one_to_one and min(one.bits, other.bits) >= _FEWEST_BITS:
        return True
    if min(one.ordered_bits, other.ordered_bits) < _FEWEST_BITS:
        return False
    in_order = _goes_along(codes, others)
    return (is_one_to_one and in_order) or _is_line(one.numbers[both], other.numbers[both])


def _is_grouped(one: _Column, other: _Column) -> bool:
    """Whether each value of a column has a range of a number to itself."""
    both = _both(one, other)
    if both is None:
        return False
    codes, others = one.codes[both], other.codes[both]
    pairs = np.unique(np.column_stack([codes, others]), axis=0)
    if len(pairs) != _n_different(codes):
        return False
    if other.bits >= _FEWEST_OF_RANGES:
        return int(np.count_nonzero(np.diff(pairs[:, 1]))) == _n_different(others) - 1
    is_number = other.numbers is not None and other.ordered_bits >= _FEWEST_OF_RANGES
    return is_number and _goes_along(codes, others)


def _goes_along(codes: IntArray, others: IntArray) -> bool:
    """Whether ranks never fall, or never rise, while those of another column rise."""
    steps = np.diff(others[np.lexsort((others, codes))])
    if (steps >= 0).all():
        return True
    return bool((np.diff(others[np.lexsort((-others, codes))]) <= 0).all())


def _is_line(one: FloatArray, other: FloatArray) -> bool:
    """Whether two columns are one number in two units, each rounded as it is written.

    In the same unit they must not differ: ages at two visits do by a year.
    """
    spread = float(np.std(one))
    centred = one - one.mean()
    if spread == 0.0 or not np.isfinite(centred).all():
        return False
    factor = float(centred @ (other - other.mean()) / (centred @ centred))
    allowed = _half_digit(other) + abs(factor) * _half_digit(one)
    is_same_unit = abs(abs(factor) - 1) < _SAME_UNIT
    if factor == 0.0 or is_same_unit or allowed > _FINEST_PART * abs(factor) * spread:
        return False
    off = other - other.mean() - factor * centred
    return bool(off.max() - off.min() <= 2.1 * allowed + 1e-9 * np.abs(other).max())


def _half_digit(values: FloatArray) -> float:
    """Return half of the last digit that numbers are written with; 0 where they are not rounded."""
    for digits in range(7):
        scaled = values * 10.0**digits
        if (np.abs(scaled - np.round(scaled)) <= 1e-6 * np.maximum(np.abs(scaled), 1.0)).all():
            return 0.5 * 10.0**-digits
    return 0.0


def _n_different(codes: IntArray) -> int:
    return len(np.unique(codes))
