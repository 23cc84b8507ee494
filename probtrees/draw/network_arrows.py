"""Ways of arrows around boxes that stand in rows: no arrow passes behind a box.

An arrow leaves its box downwards, passes every row between through a gap that lies on its way, and
comes to its box from above. Arrows of one box share their way as long as they can, those of others
keep a little apart. Between boxes of one row arrows run above it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

Arc = tuple[int, int]
Box = tuple[float, float, float, float]
"""Left, top, width, height."""

_OUTSIDE = 8.0
"""Pixels beside a row at which arrows pass it outside."""

_ABOVE = 24.0
"""Pixels above a row that arrows between its boxes would reach if they were no curves."""

_LANE = 3.0
"""Pixels between arrows of different boxes in one gap."""

_MOST_LANES = 3
_ENTRY = 12.0
"""Pixels between arrows into one box, where it is wide enough."""


@dataclass(frozen=True)
class Row:
    """Boxes side by side, from left to right, and how far up and down they reach."""

    columns: tuple[int, ...]
    top: float
    bottom: float


def rows_of(boxes: Mapping[int, Box]) -> list[Row]:
    """Group boxes into rows: those that overlap in height stand in one.

    >>> [row.columns for row in rows_of({1: (50, 0, 9, 9), 2: (0, 4, 9, 9), 3: (0, 20, 9, 9)})]
    [(2, 1), (3,)]
    """
    groups: list[list[int]] = []
    lowest = 0.0
    for column, (_, top, _, height) in sorted(boxes.items(), key=lambda item: item[1][1]):
        if not groups or top >= lowest:
            groups.append([])
        groups[-1].append(column)
        lowest = max(lowest, top + height)
    return [
        Row(
            tuple(sorted(group, key=lambda column: boxes[column][0])),
            min(boxes[column][1] for column in group),
            max(boxes[column][1] + boxes[column][3] for column in group),
        )
        for group in groups
    ]


def arrow_routes(boxes: Mapping[int, Box], arcs: Sequence[Arc]) -> dict[Arc, list[float]]:
    """Draw every arrow as Bezier curves, x and y of their corner points in turn.

    >>> arrow_routes({0: (0, 0, 20, 10), 1: (0, 40, 20, 10)}, [(0, 1)])[0, 1][-2:]
    [10.0, 40]
    """
    rows = rows_of(boxes)
    row_of = {column: number for number, row in enumerate(rows) for column in row.columns}
    gaps = [_gaps(boxes, row) for row in rows]
    passed: dict[Arc, list[tuple[int, float]]] = {}
    parents_in: dict[tuple[int, float], list[int]] = defaultdict(list)
    for parent, child in arcs:
        x, aim = _middle(boxes[parent]), _middle(boxes[child])
        passed[parent, child] = way = []
        for number in _between(row_of[parent], row_of[child]):
            x = min(gaps[number], key=lambda gap: (abs(gap - x) + abs(gap - aim), abs(gap - x)))
            way.append((number, x))
            if parent not in parents_in[number, x]:
                parents_in[number, x].append(parent)
    entries = _entries(boxes, passed)
    found = {}
    for (parent, child), way in passed.items():
        lanes = [
            (rows[number], x + _lane(parents_in[number, x].index(parent))) for number, x in way
        ]
        ends = rows[row_of[parent]], rows[row_of[child]]
        found[parent, child] = _curve(
            boxes[parent], boxes[child], ends, lanes, entries[parent, child]
        )
    return found


def _gaps(boxes: Mapping[int, Box], row: Row) -> list[float]:
    """List where arrows can pass a row: between its boxes, and on both sides of it."""
    edges = [(boxes[column][0], boxes[column][0] + boxes[column][2]) for column in row.columns]
    between = [
        (right + left) / 2 for (_, right), (left, _) in pairwise(edges) if left - right >= 2 * _LANE
    ]
    return [edges[0][0] - _OUTSIDE, *between, edges[-1][1] + _OUTSIDE]


def _between(start: int, end: int) -> Iterator[int]:
    """List the rows that lie between two rows, in the direction of the arrow."""
    return iter(range(start + 1, end)) if start <= end else iter(range(start - 1, end, -1))


def _lane(number: int) -> float:
    """Return how far beside the middle of a gap the arrows of its first, second ... box run."""
    step = (number % _MOST_LANES + 1) // 2 * _LANE
    return step if number % 2 else -step


def _entries(
    boxes: Mapping[int, Box], passed: Mapping[Arc, Sequence[tuple[int, float]]]
) -> dict[Arc, float]:
    """Spread the arrows into a box, those from the left on the left."""
    into: dict[int, list[tuple[float, Arc]]] = defaultdict(list)
    for arc, way in passed.items():
        into[arc[1]].append((way[-1][1] if way else _middle(boxes[arc[0]]), arc))
    found = {}
    for child, coming in into.items():
        step = min(_ENTRY, 0.6 * boxes[child][2] / len(coming))
        for place, (_, arc) in enumerate(sorted(coming)):
            found[arc] = _middle(boxes[child]) + step * (place - (len(coming) - 1) / 2)
    return found


def _curve(
    start: Box,
    end: Box,
    ends: tuple[Row, Row],
    passed: Sequence[tuple[Row, float]],
    entry: float,
) -> list[float]:
    """Join straight pieces beside boxes by curves in the room between the rows."""
    first, last = ends
    if first is last:
        return _above_row(start, end, first, entry)
    down = first.top < last.top
    x = _middle(start)
    curve = [x, start[1] + start[3] if down else start[1]]
    _straight(curve, x, first.bottom if down else first.top)
    for row, lane in passed:
        _bend(curve, lane, row.top if down else row.bottom)
        _straight(curve, lane, row.bottom if down else row.top)
    _bend(curve, entry, last.top if down else last.bottom)
    _straight(curve, entry, end[1] if down else end[1] + end[3])
    return curve


def _above_row(start: Box, end: Box, row: Row, entry: float) -> list[float]:
    x, y = _middle(start), row.top - _ABOVE
    curve = [x, start[1]]
    _straight(curve, x, row.top)
    curve += [x, y, entry, y, entry, row.top]
    _straight(curve, entry, end[1])
    return curve


def _straight(curve: list[float], x: float, y: float) -> None:
    """Go straight up or down; nowhere if that is where the curve is."""
    before = curve[-1]
    if abs(y - before) > 0.1:
        third = (y - before) / 3
        curve += [x, before + third, x, y - third, x, y]


def _bend(curve: list[float], x: float, y: float) -> None:
    """Go to another place in the room between two rows, upright at both ends."""
    middle = (curve[-1] + y) / 2
    curve += [curve[-2], middle, x, middle, x, y]


def _middle(box: Box) -> float:
    return box[0] + box[2] / 2
