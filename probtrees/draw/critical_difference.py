"""The critical-difference diagram: average ranks on a line, bars over what cannot be told apart.

Demsar (2006), fig. 1.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from probtrees.draw.escape import html_text, shorten
from probtrees.draw.palette import PAINTS, Theme

_WIDTH = 760
_MARGIN = 210
_ROW = 24
_BAR_GAP = 11
_AXIS_Y = 58


def indistinct_groups(
    average_ranks: ArrayLike, critical_difference: float
) -> list[tuple[float, float]]:
    """Find the largest runs of methods whose ranks lie within the critical difference.

    Returns the first and the last rank of every run of at least two methods.

    >>> indistinct_groups([1.0, 1.5, 3.0], 0.6)
    [(1.0, 1.5)]
    """
    ranks = np.sort(np.asarray(average_ranks, dtype=np.float64))
    groups: list[tuple[float, float]] = []
    reach = -1
    for start, rank in enumerate(ranks):
        last = int(np.searchsorted(ranks, rank + critical_difference, side="right")) - 1
        if last > start and last > reach:
            groups.append((float(rank), float(ranks[last])))
            reach = last
    return groups


def critical_difference_svg(
    names: Sequence[str],
    average_ranks: ArrayLike,
    critical_difference: float,
    *,
    theme: Theme = "light",
) -> str:
    """Draw the diagram as SVG; the best rank is on the left.

    Parameters
    ----------
    names : the methods
    average_ranks : their average ranks, 1 = best
    critical_difference : ranks closer than this do not differ
    """
    ranks = np.asarray(average_ranks, dtype=np.float64)
    groups = indistinct_groups(ranks, critical_difference)
    paint = PAINTS[theme]
    n_left = (len(names) + 1) // 2
    labels_y = _AXIS_Y + 24 + _BAR_GAP * len(groups)
    height = labels_y + _ROW * n_left + 10
    parts = [
        *_axis(len(names), critical_difference, paint.faint),
        *_bars(groups, len(names), paint.text),
        *_labels(names, ranks, n_left, labels_y, paint.text),
    ]
    spoken = "; ".join(
        f"{names[i]} {ranks[i]:.2f}" for i in np.argsort(ranks, kind="stable").tolist()
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {_WIDTH} {height}" '
        f'style="max-width:100%;width:{_WIDTH}px" font-family="sans-serif" font-size="14" '
        f'aria-label="Average ranks: {html_text(spoken)}">{"".join(parts)}</svg>'
    )


def _place(rank: float, n_methods: int) -> float:
    """Give the horizontal place of a rank."""
    return _MARGIN + (rank - 1) / max(n_methods - 1, 1) * (_WIDTH - 2 * _MARGIN)


def _axis(n_methods: int, critical_difference: float, colour: str) -> list[str]:
    """Draw the line of ranks and, above it, how long the critical difference is."""
    parts = [_line(_place(1, n_methods), _AXIS_Y, _place(n_methods, n_methods), _AXIS_Y, colour, 1)]
    for rank in range(1, n_methods + 1):
        x = _place(rank, n_methods)
        parts.append(_line(x, _AXIS_Y - 6, x, _AXIS_Y, colour, 1))
        parts.append(_text(x, _AXIS_Y - 10, str(rank), "middle", colour))
    width = critical_difference / max(n_methods - 1, 1) * (_WIDTH - 2 * _MARGIN)
    start = _place(1, n_methods)
    parts.append(_line(start, 24, start + width, 24, colour, 3))
    words = f"critical difference {critical_difference:.2f}"
    parts.append(_text(start, 16, words, "start", colour))
    return parts


def _bars(groups: Sequence[tuple[float, float]], n_methods: int, colour: str) -> list[str]:
    return [
        _line(
            _place(low, n_methods) - 4,
            _AXIS_Y + 12 + _BAR_GAP * number,
            _place(high, n_methods) + 4,
            _AXIS_Y + 12 + _BAR_GAP * number,
            colour,
            4,
        )
        for number, (low, high) in enumerate(groups)
    ]


def _labels(
    names: Sequence[str], ranks: np.ndarray, n_left: int, top: int, colour: str
) -> list[str]:
    """Write the names of the better half on the left, of the others on the right."""
    parts = []
    for place, i in enumerate(np.argsort(ranks, kind="stable").tolist()):
        is_left = place < n_left
        row = place if is_left else len(names) - 1 - place
        x, y = _place(float(ranks[i]), len(names)), top + _ROW * row
        end = _MARGIN - 30 if is_left else _WIDTH - _MARGIN + 30
        parts.append(
            f'<polyline points="{x:.1f},{_AXIS_Y} {x:.1f},{y} {end},{y}" fill="none" '
            f'stroke="{colour}" stroke-width="1"/>'
        )
        text = f"{shorten(names[i], 22)}  {ranks[i]:.2f}"
        parts.append(
            _text(end + (-6 if is_left else 6), y + 5, text, "end" if is_left else "start", colour)
        )
    return parts


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, width: int) -> str:
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
        f'stroke="{colour}" stroke-width="{width}"/>'
    )


def _text(x: float, y: float, text: str, anchor: str, colour: str) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">'
        f"{html_text(text)}</text>"
    )
