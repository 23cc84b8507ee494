"""The critical-difference diagram: a line per method at its average rank, with a bar around it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from probtrees.draw.escape import html_text, shorten
from probtrees.draw.palette import PAINTS, Theme

_WIDTH, _LEFT, _RIGHT = 720, 190, 30
"""Room for the names on the left."""
_LINE, _TOP = 24, 52


def critical_difference_svg(
    names: Sequence[str], average_ranks: ArrayLike, critical_difference: float, *, theme: Theme
) -> str:
    """Draw average ranks of Demsar (2006) as a self-contained SVG.

    The best method stands on top. Bars are as wide as the critical difference: methods whose bars
    overlap cannot be distinguished.

    Parameters
    ----------
    names : the methods
    average_ranks : float[n_methods]; 1 is best
    critical_difference : the difference of ranks that counts as significant
    """
    ranks, paint = np.asarray(average_ranks, dtype=np.float64), PAINTS[theme]
    order = np.argsort(ranks, kind="stable").tolist()
    step = (_WIDTH - _LEFT - _RIGHT) / max(len(names) - 1, 1)
    bottom = _TOP + _LINE * len(names)
    listed = ", ".join(f"{names[method]} {ranks[method]:.2f}" for method in order)
    words = (
        f"Average ranks, best first: {listed}. Not distinguishable: those that lie less than "
        f"{critical_difference:.2f} apart."
    )
    reach = critical_difference * step / 2
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {bottom + 10}" '
        f'width="{_WIDTH}" height="{bottom + 10}" role="img" font-family="sans-serif" '
        f'font-size="13" fill="{paint.text}">',
        f"<title>{html_text(words)}</title>",
        f'<rect width="100%" height="100%" fill="{paint.page}"/>',
        f'<text x="{_LEFT}" y="13">bars: critical difference {critical_difference:.2f}</text>',
    ]
    for rank in range(len(names)):
        x = _LEFT + rank * step
        parts.append(f'<text x="{x:.1f}" y="{_TOP - 10}" text-anchor="middle">{rank + 1}</text>')
        parts.append(_stroke(x, _TOP - 4, f"V{bottom}", paint.line, 0.5))
    for number, method in enumerate(order):
        x, y = _LEFT + (ranks[method] - 1) * step, _TOP + _LINE * (number + 0.5)
        name = f"{html_text(shorten(names[method], 20))} {ranks[method]:.2f}"
        parts.append(f'<text x="{_LEFT - 14}" y="{y + 4:.1f}" text-anchor="end">{name}</text>')
        end = min(x + reach, _WIDTH - 8.0)
        parts.append(_stroke(max(x - reach, _LEFT - 8.0), y, f"H{end:.1f}", paint.line, 4.0))
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{paint.accent}"/>')
    return "".join([*parts, "</svg>"])


def _stroke(x: float, y: float, way: str, colour: str, width: float) -> str:
    look = f'stroke="{colour}" stroke-width="{width}" stroke-linecap="round"'
    return f'<path d="M{x:.1f} {y:.1f}{way}" {look}/>'
