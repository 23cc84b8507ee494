"""The shape of a numeric column as a drawing: band, curve, cuts of the tree, and the rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from probtrees.draw import markup
from probtrees.draw.palette import INTEREST, Paint
from probtrees.explain.shape_curves import ShapeCurve
from probtrees.table.number_text import short_text
from probtrees.types import FloatArray

_WIDTH, _HEIGHT, _BARS = 300, 120, 26


@dataclass(frozen=True)
class _Frame:
    """Where numbers of a numeric column lie in its drawing.

    Attributes
    ----------
    x : the values of the curve, ascending
    reach : how far the axis of log-odds goes to either side
    """

    x: FloatArray
    reach: float

    def across(self, number: float) -> float:
        """Place a value of the column from left to right."""
        low, high = float(self.x[0]), float(self.x[-1])
        return float(np.clip((number - low) / max(high - low, 1e-300), 0.0, 1.0)) * _WIDTH

    def down(self, score: float) -> float:
        """Place log-odds from top to bottom."""
        return float(np.clip((1 - score / self.reach) / 2, 0.0, 1.0)) * _HEIGHT

    def points(self, scores: FloatArray) -> list[str]:
        """Place a score at every value of the curve, as SVG writes points."""
        return [
            f"{self.across(a):.1f},{self.down(b):.1f}" for a, b in zip(self.x, scores, strict=True)
        ]


def numeric_shape(
    curve: ShapeCurve,
    said: FloatArray,
    band: FloatArray | None,
    reach: float,
    value: float | None,
    paint: Paint,
) -> str:
    """Draw a numeric column: band, curve, cuts of the tree, histogram, the row's own value.

    Parameters
    ----------
    said : what every value of the curve adds to the log-odds of the outcome
    band : how far it may be off to either side; None: not known
    reach : how far the axis of log-odds goes to either side
    value : the value of a row; None: there is none
    """
    frame = _Frame(np.asarray(curve.values, dtype=np.float64), reach)
    parts = [*_curve_marks(frame, said, band, paint), *_row_marks(frame, curve, paint)]
    middle = f"±{reach:.1f}"
    if value is not None and np.isfinite(value):
        own = float(np.interp(value, frame.x, said))
        middle = f"this row: {short_text(value, curve.unit)}, {own:+z.2f}"
        parts.append(
            f'<circle cx="{frame.across(value):.1f}" cy="{frame.down(own):.1f}" r="5" '
            f'fill="{INTEREST}" stroke="{paint.text}"/>'
        )
    low, high = (short_text(float(end), curve.unit) for end in frame.x[[0, -1]])
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT + _BARS + 4}">'
        f"{''.join(parts)}</svg>"
    )
    style = f"display:block;width:100%;border-left:1px solid {paint.line}"
    return markup.svg_image(svg, style) + markup.axis_ends((low, middle, high), paint)


def _curve_marks(
    frame: _Frame, said: FloatArray, band: FloatArray | None, paint: Paint
) -> Iterator[str]:
    """Draw the line of no effect, the band and the curve."""
    yield (
        f'<line x1="0" x2="{_WIDTH}" y1="{_HEIGHT / 2}" y2="{_HEIGHT / 2}" '
        f'stroke="{paint.faint}" stroke-dasharray="4 3"/>'
    )
    if band is not None:
        outline = " ".join([*frame.points(said + band), *reversed(frame.points(said - band))])
        yield f'<polygon points="{outline}" fill="{paint.accent}" opacity=".2"/>'
    yield (
        f'<polyline points="{" ".join(frame.points(said))}" fill="none" stroke="{paint.accent}" '
        'stroke-width="2.2"/>'
    )


def _row_marks(frame: _Frame, curve: ShapeCurve, paint: Paint) -> Iterator[str]:
    """Draw where the tree cuts, and below how many rows have which values."""
    for cut in curve.cuts:
        place = f"{frame.across(cut):.1f}"
        yield (
            f'<line x1="{place}" x2="{place}" y1="{_HEIGHT}" y2="{_HEIGHT - 7}" '
            f'stroke="{paint.text}"/>'
        )
    tallest = max(float(curve.counts.max(initial=0.0)), 1e-300)
    wide = _WIDTH / max(len(curve.counts), 1)
    for at, n in enumerate(curve.counts):
        yield (
            f'<rect x="{at * wide:.1f}" width="{max(wide - 1, 0.5):.1f}" '
            f'y="{_HEIGHT + 4 + _BARS * (1 - n / tallest):.1f}" '
            f'height="{_BARS * n / tallest:.1f}" fill="{paint.line}"/>'
        )
