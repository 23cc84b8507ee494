"""Arrows from a class that points at every column, bundled: one line runs to all rows of boxes.

Drawn one by one they would run behind boxes, and nobody could follow them. So a trunk goes down
beside the boxes, a line above every row, and from it a short arrow into each box.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from probtrees.draw.arrow_routes import rows_of
from probtrees.draw.network_layout import NetworkLayout, moved

_ABOVE = 13.0
"""Pixels from a row of boxes to the line above it, where there is room."""

_BESIDE = 14.0
"""Pixels from the boxes to the trunk."""

Way = list[float]
"""Corner points of a line, x and y in turn."""


@dataclass(frozen=True)
class ClassArrows:
    """The lines that all arrows share, and the way of every arrow, from the class to its box."""

    lines: tuple[Way, ...]
    ways: dict[int, Way]


def with_room_for_trunk(layout: NetworkLayout, top: int | None) -> NetworkLayout:
    """Move a picture to the right where a trunk would stand outside of it."""
    rows = _rows(layout, top)
    if len(rows) < 2:
        return layout
    return moved(layout, max(2.0 - _trunk(layout, rows), 0.0))


def class_arrows(layout: NetworkLayout, top: int | None) -> ClassArrows | None:
    """Bundle the arrows of the class; None where it has one row of boxes below it, or none.

    >>> boxes = {0: (20.0, 0.0, 40.0, 20.0), 1: (20.0, 50.0, 40.0, 20.0),
    ...          2: (20.0, 100.0, 40.0, 20.0)}
    >>> class_arrows(NetworkLayout(boxes, {}, 60.0, 120.0), 0).ways[2]
    [40.0, 20.0, 40.0, 37.0, 6.0, 37.0, 6.0, 87.0, 40.0, 87.0, 40.0, 100.0]
    """
    rows = _rows(layout, top)
    if top is None or len(rows) < 2:
        return None
    left, above, width, height = layout.boxes[top]
    start, bottom, trunk = left + width / 2, above + height, _trunk(layout, rows)
    heights = _heights(layout, rows, bottom)
    lines: list[Way] = [[start, bottom, start, heights[0]], [trunk, heights[0], trunk, heights[-1]]]
    ways: dict[int, Way] = {}
    for number, (row, y) in enumerate(zip(rows, heights, strict=True)):
        ends = [_middle(layout, column) for column in row] + [trunk]
        if number == 0:
            ends.append(start)
        lines.append([min(ends), y, max(ends), y])
        for column in row:
            down = [_middle(layout, column), y, _middle(layout, column), layout.boxes[column][1]]
            lines.append(down)
            along = [] if number == 0 else [trunk, heights[0], trunk, y]
            ways[column] = [start, bottom, start, heights[0], *along, *down]
    return ClassArrows(tuple(lines), ways)


def _rows(layout: NetworkLayout, top: int | None) -> list[tuple[int, ...]]:
    """List the rows of boxes below the class."""
    if top is None:
        return []
    below = {column: box for column, box in layout.boxes.items() if column != top}
    return [row.columns for row in rows_of(below)]


def _trunk(layout: NetworkLayout, rows: Sequence[Sequence[int]]) -> float:
    """Place the trunk beside all rows that it passes: the last it need not."""
    return min(layout.boxes[column][0] for row in rows[:-1] for column in row) - _BESIDE


def _heights(layout: NetworkLayout, rows: Sequence[Sequence[int]], bottom: float) -> list[float]:
    """Place a line above every row, at most in the middle of what is free there."""
    heights = []
    for row in rows:
        y = min(layout.boxes[column][1] for column in row)
        heights.append(y - min(_ABOVE, (y - bottom) / 2))
        bottom = max(layout.boxes[column][1] + layout.boxes[column][3] for column in row)
    return heights


def _middle(layout: NetworkLayout, column: int) -> float:
    left, _, width, _ = layout.boxes[column]
    return left + width / 2
