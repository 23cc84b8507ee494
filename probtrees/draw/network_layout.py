"""Where the boxes and arrows of a network's picture lie: laid out by Graphviz' dot.

Boxes come with their sizes, so that words always fit; the picture itself is drawn elsewhere.
Where dot's picture would be too wide or too high for words to be read when it is seen whole, boxes
are set in rows instead: as far as possible below their parents, else to the right of them or below.
Arrows from a class that every column depends on are not laid out: there would be nothing else
to see. They are drawn faintly, straight from the class on top.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from probtrees.draw.network_arrows import arrow_routes
from probtrees.draw.picture_file import lay_out

_INCH = 72.0
_MANY_ARCS = 150
"""Beyond it arrows are straight: curves around boxes would take long, and help nobody."""

_MOST_ARCS = 200
"""Beyond it only some of them are laid out: all would take a minute."""

FRAME = (700.0, 530.0)
"""Pixels that a picture has on a small laptop screen."""

LEGIBLE = 0.75
"""Names of 13 pixels drawn at this scale can be read."""

_GAP, _ROW_GAP = 14.0, 30.0
_MOST_BY_DOT = 45
"""Boxes beyond which dot's pictures are never legible as a whole: it is not asked."""

_ROWS_TRIED = 16
_SWEEPS = 6

Arc = tuple[int, int]
"""From one column to another."""

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

    boxes: Mapping[int, tuple[float, float, float, float]]
    curves: Mapping[Arc, list[float]]
    width: float
    height: float


def layout_dot(sizes: Mapping[int, Size], arcs: Sequence[Arc], top: int | None = None) -> str:
    """Describe boxes of given sizes and their arrows as DOT.

    Parameters
    ----------
    sizes : width and height of every box, in pixels
    arcs : the arrows to lay out
    top : a box to stand above all others without arrows; None: none does
    """
    splines = "line" if len(arcs) > _MANY_ARCS else "true"
    lines = [
        "digraph network {",
        f"graph [rankdir=TB, nodesep=0.25, ranksep=0.45, splines={splines}]",
        'node [shape=box, fixedsize=true, label=""]',
        "edge [dir=none]",
    ]
    for column, (width, height) in sizes.items():
        lines.append(f"c{column} [width={width / _INCH:.3f}, height={height / _INCH:.3f}]")
    lines += [f"c{parent} -> c{child}" for parent, child in arcs]
    below = _in_rows(sizes, arcs, top)
    if top is not None:
        placed = {child for _, child in [*arcs, *below]} | {top}
        below += [(top, column) for column in sizes if column not in placed]
    lines += [f"c{above} -> c{column} [style=invis]" for above, column in below]
    return "\n".join([*lines, "}"])


def _in_rows(sizes: Mapping[int, Size], arcs: Sequence[Arc], top: int | None) -> list[Arc]:
    """Stack boxes without arrows of their own that have the same parents: not one long line."""
    parents = defaultdict(list)
    for parent, child in arcs:
        parents[child].append(parent)
    sources = {parent for parent, _ in arcs}
    alike = defaultdict(list)
    for column in sizes:
        if column != top and column not in sources:
            alike[tuple(sorted(parents[column]))].append(column)
    below: list[Arc] = []
    for group in alike.values():
        height = max(sizes[column][1] for column in group) + 32
        width = sum(sizes[column][0] for column in group) / len(group) + 18
        # About as wide as high, as the frame is.
        per_row = max(math.ceil(math.sqrt(len(group) * 1.4 * height / width)), 4)
        below += zip(group, group[per_row:], strict=False)
    return below


def read_layout(plain: str) -> NetworkLayout:
    r"""Read what Graphviz laid out.

    >>> layout = read_layout("graph 1 2 1\nnode c0 1 0.5 1 0.5 x\nstop")
    >>> layout.boxes, layout.height
    ({0: (36.0, 18.0, 72.0, 36.0)}, 72.0)
    """
    boxes: dict[int, tuple[float, float, float, float]] = {}
    curves: dict[Arc, list[float]] = {}
    width = height = 0.0
    for line in plain.splitlines():
        words = line.split()
        if words[:1] == ["graph"]:
            width, height = float(words[2]) * _INCH, float(words[3]) * _INCH
        elif words[:1] == ["node"]:
            x, y, w, h = (float(word) * _INCH for word in words[2:6])
            boxes[int(words[1][1:])] = (x - w / 2, height - y - h / 2, w, h)
        elif words[:1] == ["edge"] and "invis" not in words:
            numbers = [float(word) * _INCH for word in words[4 : 4 + 2 * int(words[3])]]
            for place in range(1, len(numbers), 2):
                numbers[place] = height - numbers[place]
            curves[int(words[1][1:]), int(words[2][1:])] = numbers
    return NetworkLayout(boxes, curves, width, height)


def network_layout(
    sizes: Mapping[int, Size], arcs: Sequence[Arc], top: int | None = None
) -> NetworkLayout:
    """Lay a network out, by dot where that can be read as a whole, else in rows.

    Parameters
    ----------
    sizes, arcs, top : as in :func:`layout_dot`
    """
    found = []
    if len(sizes) <= _MOST_BY_DOT:
        found.append(_by_dot(sizes, arcs, top))
        if fitting_scale(found[0]) >= LEGIBLE:
            return found[0]
    found += [_best_rows(sizes, arcs, top, below_parents) for below_parents in (True, False)]
    legible = [layout for layout in found if fitting_scale(layout) >= LEGIBLE]
    return legible[0] if legible else max(found, key=fitting_scale)


def fitting_scale(layout: NetworkLayout) -> float:
    """Return the scale at which the whole picture fits its frame.

    >>> fitting_scale(NetworkLayout({}, {}, 1400.0, 100.0))
    0.5
    """
    return min(FRAME[0] / max(layout.width, 1.0), FRAME[1] / max(layout.height, 1.0))


def _by_dot(sizes: Mapping[int, Size], arcs: Sequence[Arc], top: int | None) -> NetworkLayout:
    """Let dot lay boxes and arrows out.

    Of many arrows the first ones of every box are laid out, and the others drawn between the boxes
    where they then are: ways around all boxes would leave no room for words.
    """
    n_laid_out = 2 if len(arcs) <= _MOST_ARCS else 1
    first = _first_of_each(arcs, n_laid_out) if len(arcs) > 2 * len(sizes) else list(arcs)
    layout = read_layout(lay_out(layout_dot(sizes, first, top)))
    if len(first) > _MANY_ARCS:
        # Straight lines pass behind boxes.
        layout = replace(layout, curves={})
    others = arrow_routes(layout.boxes, [arc for arc in arcs if arc not in layout.curves])
    return _within(replace(layout, curves={**layout.curves, **others}))


def _best_rows(
    sizes: Mapping[int, Size], arcs: Sequence[Arc], top: int | None, below_parents: bool
) -> NetworkLayout:
    """Set boxes in rows of the width at which they can be drawn largest."""
    narrow = max(width for width, _ in sizes.values())
    wide = sum(width + _GAP for width, _ in sizes.values())
    widths = {
        max(narrow, wide / number) for number in range(1, min(len(sizes), _ROWS_TRIED) + 1)
    } | {narrow}
    tried = [_in_rows_of(sizes, arcs, top, width, below_parents) for width in sorted(widths)]
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
    rows: list[list[int]] = [] if top is None else [[top]]
    used = [] if top is None else [width]
    row_of: dict[int, int] = {} if top is None else {top: 0}
    for column in sizes:
        if column == top:
            continue
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
    return _placed(rows, sizes, arcs)


def _near_their_own(rows: list[list[int]], sizes: Mapping[int, Size], arcs: Sequence[Arc]) -> None:
    """Sort every row so that boxes stand near those they are joined to, which saves crossings."""
    joined: dict[int, list[int]] = defaultdict(list)
    for parent, child in arcs:
        joined[parent].append(child)
        joined[child].append(parent)
    middle: dict[int, float] = {}
    for sweep in range(_SWEEPS):
        for row in rows if sweep % 2 == 0 else rows[::-1]:
            wanted = {
                column: _mean([middle[other] for other in joined[column] if other in middle])
                for column in row
            }
            row.sort(key=lambda column: wanted[column])
            left = -sum(sizes[column][0] + _GAP for column in row) / 2
            for column in row:
                middle[column] = left + sizes[column][0] / 2
                left += sizes[column][0] + _GAP


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0


def _placed(
    rows: Sequence[Sequence[int]], sizes: Mapping[int, Size], arcs: Sequence[Arc]
) -> NetworkLayout:
    """Place rows one below the other, each in the middle."""
    lengths = [sum(sizes[column][0] + _GAP for column in row) - _GAP for row in rows]
    width = max(lengths, default=1.0)
    boxes: dict[int, tuple[float, float, float, float]] = {}
    y = 0.0
    for row, length in zip(rows, lengths, strict=True):
        x = (width - length) / 2
        for column in row:
            boxes[column] = (x, y, *sizes[column])
            x += sizes[column][0] + _GAP
        y += max(sizes[column][1] for column in row) + _ROW_GAP
    curves = arrow_routes(boxes, arcs)
    return _within(NetworkLayout(boxes, curves, width, max(y - _ROW_GAP, 1.0)))


def _within(layout: NetworkLayout) -> NetworkLayout:
    """Make room for arrows that pass outside of all boxes."""
    x = [point for curve in layout.curves.values() for point in curve[0::2]]
    y = [point for curve in layout.curves.values() for point in curve[1::2]]
    right, down = max(-min(x, default=0.0), 0.0), max(-min(y, default=0.0), 0.0)
    return moved(
        replace(
            layout,
            width=max([layout.width, *x]),
            height=max([layout.height, *y]),
        ),
        right,
        down,
    )


def moved(layout: NetworkLayout, right: float, down: float = 0.0) -> NetworkLayout:
    """Move a whole picture, which grows by as much."""
    if not right and not down:
        return layout
    return NetworkLayout(
        {column: (x + right, y + down, w, h) for column, (x, y, w, h) in layout.boxes.items()},
        {
            arc: [point + (down if at % 2 else right) for at, point in enumerate(curve)]
            for arc, curve in layout.curves.items()
        },
        layout.width + right,
        layout.height + down,
    )


def _first_of_each(arcs: Sequence[Arc], n_arcs: int) -> list[Arc]:
    """Keep the first arrows into every box."""
    kept: dict[int, list[Arc]] = defaultdict(list)
    for arc in arcs:
        if len(kept[arc[1]]) < n_arcs:
            kept[arc[1]].append(arc)
    return [arc for group in kept.values() for arc in group]
