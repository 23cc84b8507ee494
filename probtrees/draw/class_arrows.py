"""Arrows from a class that points at every column, bundled: one line runs to all rows of boxes.

Drawn one by one they would run behind boxes, and nobody could follow them. So a trunk goes down
beside the boxes, a line above every row, and from it a short arrow into each box.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from probtrees.draw.network_layout import NetworkLayout

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
    move = max(2.0 - _trunk(layout, rows), 0.0)
    return replace(
        layout,
        boxes={column: (x + move, y, w, h) for column, (x, y, w, h) in layout.boxes.items()},
        curves={
            arc: [point + move if at % 2 == 0 else point for at, point in enumerate(curve)]
            for arc, curve in layout.curves.items()
        },
        width=layout.width + move,
    )


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


def _rows(layout: NetworkLayout, top: int | None) -> list[list[int]]:
    """Group the boxes below the class: those side by side make a row."""
    if top is None:
        return []
    rows: list[list[int]] = []
    lowest = 0.0
    for column, (_, y, _, height) in sorted(layout.boxes.items(), key=lambda item: item[1][1]):
        if column == top:
            continue
        if not rows or y >= lowest:
            rows.append([])
        rows[-1].append(column)
        lowest = max(lowest, y + height)
    return rows


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
