"""The critical-difference diagram: a line per method at its average rank, ties joined by bars."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from probtrees.draw.escape import html_text, shorten
from probtrees.draw.palette import PAINTS, Theme

_WIDTH, _LEFT, _RIGHT = 720, 190, 100
"""Room for the names on the left, and for the bars on the right."""
_LINE, _TOP = 24, 64


def critical_difference_svg(
    names: Sequence[str],
    average_ranks: ArrayLike,
    critical_difference: float,
    *,
    theme: Theme = "light",
) -> str:
    """Draw average ranks of Demsar (2006) as a self-contained SVG.

    The best method stands on top. A bar on the right joins methods whose ranks lie within the
    critical difference: they cannot be distinguished.

    Parameters
    ----------
    names : the methods
    average_ranks : float[n_methods]; 1 is best
    critical_difference : the difference of ranks that counts as significant
    """
    ranks, paint = np.asarray(average_ranks, dtype=np.float64), PAINTS[theme]
    order = np.argsort(ranks, kind="stable").tolist()
    ties = tied_groups(ranks[order], critical_difference)
    step = (_WIDTH - _LEFT - _RIGHT) / max(len(names) - 1, 1)
    bottom = _TOP + _LINE * len(names)
    listed = ", ".join(f"{names[method]} {ranks[method]:.2f}" for method in order)
    tied = [", ".join(names[m] for m in order[first : last + 1]) for first, last in ties]
    words = (
        f"Average ranks, best first: {listed}. Not distinguishable: {'; '.join(tied) or 'none'}."
    )
    reach = min(_LEFT + critical_difference * step, _WIDTH - 10.0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {bottom + 10}" '
        f'width="{_WIDTH}" height="{bottom + 10}" role="img" font-family="sans-serif" '
        f'font-size="13" fill="{paint.text}">',
        f"<title>{html_text(words)}</title>",
        f'<rect width="100%" height="100%" fill="{paint.page}"/>',
        f'<text x="{_LEFT}" y="13">critical difference {critical_difference:.2f}</text>',
        _stroke(_LEFT, 22, f"H{reach:.1f}", paint.text, 3.0),
    ]
    for rank in range(len(names)):
        x = _LEFT + rank * step
        parts.append(f'<text x="{x:.1f}" y="{_TOP - 10}" text-anchor="middle">{rank + 1}</text>')
        parts.append(_stroke(x, _TOP - 4, f"V{bottom}", paint.line, 0.5))
    for number, method in enumerate(order):
        x, y = _LEFT + (ranks[method] - 1) * step, _TOP + _LINE * (number + 0.5)
        name = f"{html_text(shorten(names[method], 20))} {ranks[method]:.2f}"
        parts.append(f'<text x="{_LEFT - 14}" y="{y + 4:.1f}" text-anchor="end">{name}</text>')
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{paint.accent}"/>')
    for number, (first, last) in enumerate(ties):
        x, ends = _WIDTH - _RIGHT + 20 + 10 * number, (first + 0.3, last + 0.7)
        top, end = (_TOP + _LINE * at for at in ends)
        parts.append(_stroke(x, top, f"V{end:.1f}", paint.accent, 5.0))
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


def _stroke(x: float, y: float, way: str, colour: str, width: float) -> str:
    look = f'stroke="{colour}" stroke-width="{width}" stroke-linecap="round"'
    return f'<path d="M{x:.1f} {y:.1f}{way}" {look}/>'
