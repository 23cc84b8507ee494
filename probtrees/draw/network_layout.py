"""Where the boxes and arrows of a network's picture lie: laid out by Graphviz' dot.

Boxes come with their sizes, so that words always fit; the picture itself is drawn elsewhere.
Arrows from a class that every column depends on are not laid out: there would be nothing else
to see. They are drawn faintly, straight from the class on top.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from probtrees.draw.picture_file import lay_out

_INCH = 72.0
_MANY_ARCS = 150
"""Beyond it arrows are straight: curves around boxes would take long, and help nobody."""

_MOST_ARCS = 200
"""Beyond it only some of them are laid out: all would take a minute."""

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
    """Lay a network out; see :func:`layout_dot`.

    Of many arrows the first ones of every box are laid out, and the others drawn between the boxes
    where they then are: ways around all boxes would leave no room for words.
    """
    n_laid_out = 2 if len(arcs) <= _MOST_ARCS else 1
    first = _first_of_each(arcs, n_laid_out) if len(arcs) > 2 * len(sizes) else list(arcs)
    layout = read_layout(lay_out(layout_dot(sizes, first, top)))
    others = {arc: _between(layout.boxes, arc) for arc in arcs if arc not in layout.curves}
    return replace(layout, curves={**layout.curves, **others})


def _first_of_each(arcs: Sequence[Arc], n_arcs: int) -> list[Arc]:
    """Keep the first arrows into every box."""
    kept: dict[int, list[Arc]] = defaultdict(list)
    for arc in arcs:
        if len(kept[arc[1]]) < n_arcs:
            kept[arc[1]].append(arc)
    return [arc for group in kept.values() for arc in group]


def _between(boxes: Mapping[int, tuple[float, float, float, float]], arc: Arc) -> list[float]:
    """Draw a curve from the lower edge of one box to the upper edge of another."""
    (left, top, width, height), (to_left, to_top, to_width, to_height) = (boxes[at] for at in arc)
    x, to_x = left + width / 2, to_left + to_width / 2
    goes_down = to_top >= top
    y, to_y = (top + height, to_top) if goes_down else (top, to_top + to_height)
    bend = (1 if goes_down else -1) * max(min(abs(to_y - y) / 2, 80.0), 12.0)
    return [x, y, x, y + bend, to_x, to_y - bend, to_x, to_y]
