"""Ways of arrows around boxes that stand in rows: no arrow passes behind a box.

An arrow leaves its box downwards, passes every row between through a gap that lies on its way, and
comes to its box from above. Arrows of one box share their way as long as they can, those of others
keep a little apart; arrows of a class that points at everything each have a way of their own, so
that one can be followed. Between boxes of one row arrows run above it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

Arc = tuple[int, int]
"""From one column to another."""

Box = tuple[float, float, float, float]
"""Left, top, width, height."""

_OUTSIDE = 8.0
"""Pixels beside a row at which arrows pass it outside."""

_ABOVE = 24.0
"""Pixels above a row that arrows between its boxes would reach if they were no curves."""

_LANE = 3.0
"""Pixels between arrows of different boxes in one gap."""

_MOST_LANES, _WIDEST = 3, 36.0
"""Lanes in a gap between two boxes, and pixels that lanes outside of a row take at most."""

_ENTRY = 12.0
"""Pixels between arrows into one box, where it is wide enough."""


class Row(NamedTuple):
    """Boxes side by side, from left to right, and how far up and down they reach."""

    columns: tuple[int, ...]
    top: float
    bottom: float


def rows_of(boxes: Mapping[int, Box]) -> list[Row]:
    """Group boxes into rows: those that overlap in height stand in one.

    >>> [row.columns for row in rows_of({1: (50, 0, 9, 9), 2: (0, 4, 9, 9), 3: (0, 20, 9, 9)})]
    [(2, 1), (3,)]
    """
    rows: list[Row] = []
    for column, (_, top, _, height) in sorted(boxes.items(), key=lambda item: item[1][1]):
        if not rows or top >= rows[-1].bottom:
            rows.append(Row((), top, top))
        (columns, highest, lowest), own = rows[-1], (column,)
        beside = tuple(sorted(columns + own, key=lambda each: boxes[each][0]))
        rows[-1] = Row(beside, highest, max(lowest, top + height))
    return rows


def arrow_routes(
    boxes: Mapping[int, Box], arcs: Sequence[Arc], apart: int | None = None
) -> dict[Arc, list[float]]:
    """Draw every arrow as Bezier curves, x and y of their corner points in turn.

    Parameters
    ----------
    apart : the box whose arrows do not share their ways

    Examples
    --------
    >>> arrow_routes({0: (0, 0, 20, 10), 1: (0, 40, 20, 10)}, [(0, 1)])[0, 1][-2:]
    [10.0, 40]
    """
    rows = rows_of(boxes)
    row_of = {column: number for number, row in enumerate(rows) for column in row.columns}
    gaps = [_gaps(boxes, row) for row in rows]
    ways: dict[Arc, list[tuple[Row, float]]] = {}
    users: dict[tuple[int, float], list[object]] = defaultdict(list)
    # What shares no way begins with the nearest boxes: these then lie inside of the others.
    for arc in sorted(arcs, key=lambda arc: (arc[0] == apart) * row_of[arc[1]]):
        parent, child = arc
        user: object = arc if parent == apart else parent
        x, aim = _middle(boxes[parent]), _middle(boxes[child])
        ways[arc] = []
        step = -1 if row_of[parent] > row_of[child] else 1
        for number in range(row_of[parent] + step, row_of[child], step):
            lanes = _lanes(gaps[number], number, users, user)
            gap, x = min(lanes, key=lambda at: (abs(at[1] - x) + abs(at[1] - aim), abs(at[1] - x)))
            ways[arc].append((rows[number], x))
            if user not in users[number, gap]:
                users[number, gap].append(user)
    exits = _ends(boxes, {arc: way for arc, way in ways.items() if arc[0] == apart}, 0)
    entries = _ends(boxes, ways, 1)
    found = {}
    for (parent, child), way in ways.items():
        ends = rows[row_of[parent]], rows[row_of[child]]
        places = exits.get((parent, child), _middle(boxes[parent])), entries[parent, child]
        found[parent, child] = _curve(boxes[parent], boxes[child], ends, way, places)
    return found


def _lanes(
    gaps: Sequence[float], row: int, users: Mapping[tuple[int, float], list[object]], user: object
) -> Iterator[tuple[float, float]]:
    """List where a user, a box or one arrow, can pass a row: a gap, and the place in it."""
    for at, gap in enumerate(gaps):
        known = users.get((row, gap), [])
        number = known.index(user) if user in known else len(known)
        if at in (0, len(gaps) - 1):  # outside, the more the closer together
            yield gap, gap + (1 if at else -1) * _WIDEST * number / (number + _WIDEST / _LANE)
        elif isinstance(user, int) or number < _MOST_LANES:
            step = (number % _MOST_LANES + 1) // 2 * _LANE
            yield gap, gap + (step if number % 2 else -step)


def _gaps(boxes: Mapping[int, Box], row: Row) -> list[float]:
    """List where arrows can pass a row: between its boxes, and on both sides of it."""
    edges = [(boxes[column][0], boxes[column][0] + boxes[column][2]) for column in row.columns]
    between = [
        (right + left) / 2 for (_, right), (left, _) in pairwise(edges) if left - right >= 2 * _LANE
    ]
    return [edges[0][0] - _OUTSIDE, *between, edges[-1][1] + _OUTSIDE]


def _ends(
    boxes: Mapping[int, Box], ways: Mapping[Arc, Sequence[tuple[Row, float]]], end: int
) -> dict[Arc, float]:
    """Spread the ends of arrows along their box (0: where they leave, 1: where they arrive).

    Those that come from, or go to, the left are on the left.
    """
    at: dict[int, list[tuple[float, Arc]]] = defaultdict(list)
    for arc, way in ways.items():
        at[arc[end]].append((way[-end][1] if way else _middle(boxes[arc[1 - end]]), arc))
    found = {}
    for column, arrows in at.items():
        step = min(_ENTRY, 0.6 * boxes[column][2] / len(arrows))
        for place, (_, arc) in enumerate(sorted(arrows)):
            found[arc] = _middle(boxes[column]) + step * (place - (len(arrows) - 1) / 2)
    return found


def _curve(
    start: Box,
    end: Box,
    ends: tuple[Row, Row],
    passed: Sequence[tuple[Row, float]],
    places: tuple[float, float],
) -> list[float]:
    """Join straight pieces beside boxes by curves in the room between the rows."""
    (first, last), (x, entry) = ends, places
    is_down, is_up = first.top < last.top, first.top > last.top

    def sides(row: Row) -> tuple[float, float]:
        """Say where an arrow comes to a row, and where it leaves it."""
        return (row.top, row.bottom) if is_down else (row.bottom, row.top)

    stops = [(x, start[1] + start[3] * is_down), (x, sides(first)[1])]
    stops += [(lane, y) for row, lane in passed for y in sides(row)]
    stops += [(entry, sides(last)[0] if is_down or is_up else last.top)]
    stops += [(entry, end[1] + end[3] * is_up)]
    curve = [*stops[0]]
    for (x0, y0), (x1, y1) in pairwise(stops):
        middle = (y0 + y1) / 2 if y0 != y1 else y0 - _ABOVE
        if (x0, y0) != (x1, y1):
            curve += [x0, middle, x1, middle, x1, y1]
    return curve


def _middle(box: Box) -> float:
    return box[0] + box[2] / 2
