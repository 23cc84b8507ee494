"""Where the boxes and arrows of a network's picture lie: boxes in rows below their parents.

Boxes come with their sizes, so that words always fit; the picture itself is drawn elsewhere.
Where rows of boxes below their parents would be too many for words to be read when the picture is
seen whole, a box may also stand to the right of its parents.
Arrows from a class that every column depends on have no say in where boxes stand: there would be
nothing else to see. They are drawn faintly, from the class on top.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from probtrees.draw.network_arrows import Arc, Box, arrow_routes

FRAME = (700.0, 530.0)
"""Pixels that a picture has on a small laptop screen."""

LEGIBLE = 0.75
"""Names of 13 pixels drawn at this scale can be read."""

_GAP, _ROW_GAP = 14.0, 30.0
_ROWS_TRIED = 16
_SWEEPS = 6

Size = tuple[float, float]


@dataclass(frozen=True)
class NetworkLayout:
    """Places in pixels, from the upper left corner.

    Attributes
    ----------
    boxes : left, top, width, height by column
    curves : the corner points of every arrow's Bezier curves, x and y in turn
    width, height : of the whole picture
    """

    boxes: Mapping[int, Box]
    curves: Mapping[Arc, list[float]]
    width: float
    height: float


def network_layout(
    sizes: Mapping[int, Size], arcs: Sequence[Arc], top: int | None = None
) -> NetworkLayout:
    """Lay a network out in rows, below their parents where that can be read as a whole.

    Parameters
    ----------
    sizes : width and height of every box, in pixels
    arcs : the arrows to lay out
    top : a box to stand above all others without arrows; None: none does
    """
    found = [
        _with_arrows(_best_rows(sizes, arcs, top, below_parents), arcs, top)
        for below_parents in (True, False)
    ]
    return found[0] if fitting_scale(found[0]) >= LEGIBLE else max(found, key=fitting_scale)


def redrawn(
    layout: NetworkLayout, sizes: Mapping[int, Size], arcs: Sequence[Arc], top: int | None
) -> NetworkLayout:
    """Draw other arrows between boxes that stay; those that are new stand together below them."""
    new = {column: size for column, size in sizes.items() if column not in layout.boxes}
    boxes = dict(layout.boxes)
    if new:
        below = network_layout(new, [arc for arc in arcs if {*arc} <= {*new}])
        for column, (x, y, w, h) in below.boxes.items():
            boxes[column] = (x, y + layout.height + _ROW_GAP, w, h)
    right, down = (max(box[at] + box[at + 2] for box in boxes.values()) for at in (0, 1))
    curves = arrow_routes(boxes, arcs, top)
    return NetworkLayout(boxes, curves, max(layout.width, right), max(layout.height, down))


def fitting_scale(layout: NetworkLayout) -> float:
    """Return the scale at which the whole picture fits its frame.

    >>> fitting_scale(NetworkLayout({}, {}, 1400.0, 100.0))
    0.5
    """
    return min(FRAME[0] / max(layout.width, 1.0), FRAME[1] / max(layout.height, 1.0))


def _best_rows(
    sizes: Mapping[int, Size], arcs: Sequence[Arc], top: int | None, below_parents: bool
) -> NetworkLayout:
    """Set boxes in rows of the width at which they can be drawn largest."""
    narrow = max(width for width, _ in sizes.values())
    wide = sum(width + _GAP for width, _ in sizes.values())
    numbers = range(1, min(len(sizes), _ROWS_TRIED) + 1)
    widths = sorted({narrow, *(max(narrow, wide / n) for n in numbers)}, reverse=True)
    tried = (_in_rows_of(sizes, arcs, top, width, below_parents) for width in widths)
    return max(tried, key=fitting_scale)


def _in_rows_of(
    sizes: Mapping[int, Size],
    arcs: Sequence[Arc],
    top: int | None,
    width: float,
    below_parents: bool,
) -> NetworkLayout:
    """Set boxes in rows of at most a width, in their order.

    Parameters
    ----------
    below_parents : whether a box stands below its parents; else it may also follow them in a row
    """
    parents: dict[int, list[int]] = defaultdict(list)
    for parent, child in arcs:
        parents[child].append(parent)
    rows, used, row_of = [], [], dict[int, int]()
    if top is not None:
        rows, used, row_of = [[top]], [width], {top: 0}
    for column in [each for each in sizes if each != top]:
        placed = [row_of[parent] for parent in parents[column] if parent in row_of]
        at = max([row + below_parents for row in placed], default=len(rows[:1]))
        needed = sizes[column][0] + _GAP
        while at < len(rows) and used[at] + needed > width + _GAP:
            at += 1
        if at == len(rows):
            rows.append([])
            used.append(0.0)
        rows[at].append(column)
        used[at] += needed
        row_of[column] = at
    if below_parents:
        _near_their_own(rows, sizes, arcs)
    return _placed(rows, sizes)


def _near_their_own(rows: list[list[int]], sizes: Mapping[int, Size], arcs: Sequence[Arc]) -> None:
    """Sort every row so that boxes stand near those they are joined to, which saves crossings."""
    joined: dict[int, list[int]] = defaultdict(list)
    for parent, child in arcs:
        joined[parent].append(child)
        joined[child].append(parent)
    middle: dict[int, float] = {}
    for sweep in range(_SWEEPS):
        for row in rows if sweep % 2 == 0 else rows[::-1]:
            placed = ([middle[o] for o in joined[column] if o in middle] for column in row)
            wanted = {c: sum(at) / max(len(at), 1) for c, at in zip(row, placed, strict=True)}
            row.sort(key=lambda column: wanted[column])
            left = -sum(sizes[column][0] + _GAP for column in row) / 2
            for column in row:
                middle[column] = left + sizes[column][0] / 2
                left += sizes[column][0] + _GAP


def _placed(rows: Sequence[Sequence[int]], sizes: Mapping[int, Size]) -> NetworkLayout:
    """Place rows one below the other, each in the middle."""
    lengths = [sum(sizes[column][0] + _GAP for column in row) - _GAP for row in rows]
    width = max(lengths, default=1.0)
    boxes: dict[int, Box] = {}
    y = 0.0
    for row, length in zip(rows, lengths, strict=True):
        x = (width - length) / 2
        for column in row:
            boxes[column] = (x, y, *sizes[column])
            x += sizes[column][0] + _GAP
        y += max(sizes[column][1] for column in row) + _ROW_GAP
    return NetworkLayout(boxes, {}, width, max(y - _ROW_GAP, 1.0))


def _with_arrows(layout: NetworkLayout, arcs: Sequence[Arc], top: int | None) -> NetworkLayout:
    """Draw the arrows, those of a class on top too; make room for those outside of all boxes."""
    of_class = [] if top is None else [(top, column) for column in layout.boxes if column != top]
    curves = arrow_routes(layout.boxes, [*of_class, *arcs], top)
    x = [point for curve in curves.values() for point in curve[0::2]]
    y = [point for curve in curves.values() for point in curve[1::2]]
    right, down = max(-min(x, default=0.0), 0.0), max(-min(y, default=0.0), 0.0)
    return NetworkLayout(
        {column: (x + right, y + down, w, h) for column, (x, y, w, h) in layout.boxes.items()},
        {
            arc: [point + (down if at % 2 else right) for at, point in enumerate(curve)]
            for arc, curve in curves.items()
        },
        max([layout.width, *x]) + right,
        max([layout.height, *y]) + down,
    )
