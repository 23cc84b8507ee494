"""The critical-difference diagram: methods on a line of average ranks, ties joined by bars."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from probtrees.draw.escape import html_text, shorten
from probtrees.draw.palette import PAINTS, Paint, Theme

_WIDTH = 720
_MARGIN = 190
"""Room on both sides for the methods' names."""

_LINE = 24
_AXIS = 64


def critical_difference_svg(
    names: Sequence[str],
    average_ranks: ArrayLike,
    critical_difference: float,
    *,
    theme: Theme = "light",
) -> str:
    """Draw average ranks as in Demsar (2006), fig. 1, as a self-contained SVG.

    The best method stands on the left. A bar joins methods whose ranks lie within the
    critical difference: they cannot be distinguished.

    Parameters
    ----------
    names : the methods
    average_ranks : float[n_methods]; 1 is best
    critical_difference : the difference of ranks that counts as significant
    """
    ranks = np.asarray(average_ranks, dtype=np.float64)
    paint = PAINTS[theme]
    order = np.argsort(ranks, kind="stable").tolist()
    ties = tied_groups(ranks[order], critical_difference)
    first_label = _AXIS + 20 + 10 * len(ties)
    height = first_label + _LINE * math.ceil(len(names) / 2) + 10
    listed = ", ".join(f"{names[method]} {ranks[method]:.2f}" for method in order)
    tied = [", ".join(names[m] for m in order[first : last + 1]) for first, last in ties]
    words = (
        f"Average ranks, best first: {listed}. Not distinguishable: {'; '.join(tied) or 'none'}."
    )
    places = [_place(float(ranks[method]), len(names)) for method in order]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        f'width="{_WIDTH}" height="{height}" role="img" font-family="sans-serif" font-size="13">',
        f"<title>{html_text(words)}</title>",
        f'<rect width="100%" height="100%" fill="{paint.page}"/>',
        *_axis(len(names), critical_difference, paint),
    ]
    for number, method in enumerate(order):
        name = f"{html_text(shorten(names[method], 22))} "
        name += f'<tspan fill="{paint.faint}">{ranks[method]:.2f}</tspan>'
        on_left = number < math.ceil(len(order) / 2)  # the better half stands on the left
        row = number if on_left else len(order) - 1 - number
        parts.append(_label(name, places[number], first_label + _LINE * row, on_left, paint))
    for number, (first, last) in enumerate(ties):
        y = _AXIS + 10 + 10 * number
        parts.append(_stroke(places[first] - 4, y, places[last] + 4, y, paint.accent, 5.0))
    return "".join([*parts, "</svg>"])


def tied_groups(ascending: ArrayLike, critical_difference: float) -> list[tuple[int, int]]:
    """Find the longest runs of ascending ranks that lie within the critical difference.

    Returns the first and last place of every run of two and more that no other contains.

    >>> tied_groups([1.0, 1.5, 2.2, 4.0], 1.0)
    [(0, 1), (1, 2)]
    """
    ranks = np.asarray(ascending, dtype=np.float64)
    groups: list[tuple[int, int]] = []
    for first in range(len(ranks)):
        last = int(np.flatnonzero(ranks - ranks[first] < critical_difference)[-1])
        if last > first and (not groups or last > groups[-1][1]):
            groups.append((first, last))
    return groups


def _place(rank: float, n_methods: int) -> float:
    """Give the horizontal place of a rank; 1 lies on the left."""
    span = max(n_methods - 1, 1)
    return _MARGIN + (rank - 1) / span * (_WIDTH - 2 * _MARGIN)


def _axis(n_methods: int, critical_difference: float, paint: Paint) -> list[str]:
    """Draw the line of ranks and, above it, the critical difference as a ruler."""
    left, right = _place(1, n_methods), _place(n_methods, n_methods)
    reach = min(_place(1 + critical_difference, n_methods), _WIDTH - 10.0)
    label = f"critical difference {critical_difference:.2f}"
    parts = [
        _stroke(left, 22, reach, 22, paint.text, 1.5),
        _stroke(left, 18, left, 26, paint.text, 1.5),
        _stroke(reach, 18, reach, 26, paint.text, 1.5),
        f'<text x="{left:.1f}" y="13" fill="{paint.faint}">{label}</text>',
        _stroke(left, _AXIS, right, _AXIS, paint.text, 1.5),
    ]
    for rank in range(1, n_methods + 1):
        x = _place(rank, n_methods)
        parts.append(_stroke(x, _AXIS - 6, x, _AXIS, paint.text, 1.0))
        parts.append(
            f'<text x="{x:.1f}" y="{_AXIS - 11}" text-anchor="middle" fill="{paint.text}">'
            f"{rank}</text>"
        )
    return parts


def _label(name: str, x: float, y: float, on_left: bool, paint: Paint) -> str:
    """Write a method beside the axis, with a line to its place on it."""
    end = _MARGIN - 12 if on_left else _WIDTH - _MARGIN + 12
    anchor, text_x = ("end", end - 6) if on_left else ("start", end + 6)
    return (
        f'<polyline points="{x:.1f},{_AXIS} {x:.1f},{y:.1f} {end},{y:.1f}" fill="none" '
        f'stroke="{paint.faint}" stroke-width="1"/>'
        f'<text x="{text_x}" y="{y + 4:.1f}" text-anchor="{anchor}" fill="{paint.text}">'
        f"{name}</text>"
    )


def _stroke(x1: float, y1: float, x2: float, y2: float, colour: str, width: float) -> str:
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
        f'stroke-width="{width}" stroke-linecap="round"/>'
    )
