"""A small chart as SVG, for pictures in the documentation; light or dark as the page is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 78, 20, 46, 56

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9")
"""Distinguished by colour-blind readers too; every series has a shape of its own besides."""

STYLE = """<style>
text { fill: #1f2933; font: 13px sans-serif; }
.faint { stroke: #d7dce1; } .axis { stroke: #67727e; }
.page { fill: #ffffff; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; } .faint { stroke: #30363d; } .axis { stroke: #9aa4ae; }
  .page { fill: #0d1117; }
}
</style>"""

Range = tuple[float, float]


class Chart:
    """Points, lines and levels between two axes.

    Parameters
    ----------
    title : read to those who do not see the picture
    x_title, y_title : names of the axes
    x, y : their ranges
    x_marks : where the horizontal axis is marked; logarithmic if ``log_x``
    """

    def __init__(
        self,
        title: str,
        axes: tuple[str, str],
        x: Range,
        y: Range,
        *,
        x_marks: Sequence[float],
        log_x: bool = False,
    ) -> None:
        self.title = title
        self.x, self.y, self.log_x = x, y, log_x
        self.parts: list[str] = []
        self.legend: list[tuple[str, int]] = []
        self._axes(axes, x_marks)

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Give the place of a point in the picture."""
        scale = math.log if self.log_x else float
        low, high, value = scale(self.x[0]), scale(self.x[1]), scale(x)
        across = (value - low) / (high - low)
        up = (y - self.y[0]) / (self.y[1] - self.y[0])
        return (
            LEFT + across * (WIDTH - LEFT - RIGHT),
            HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM),
        )

    def points(
        self, name: str, xs: Sequence[float], ys: Sequence[float], words: Sequence[str]
    ) -> None:
        """Draw a mark per point; its words are shown when the pointer rests on it."""
        number = self._listed(name)
        for x, y, word in zip(xs, ys, words, strict=True):
            at = self.place(x, min(max(y, self.y[0]), self.y[1]))
            self.parts.append(_mark(*at, number, word))

    def line(self, name: str, xs: Sequence[float], ys: Sequence[float]) -> None:
        """Draw points joined by a line."""
        number = self._listed(name)
        places = [self.place(x, y) for x, y in zip(xs, ys, strict=True)]
        path = " ".join(f"{px:.1f},{py:.1f}" for px, py in places)
        colour = COLOURS[number % len(COLOURS)]
        self.parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
        )
        for (px, py), value in zip(places, ys, strict=True):
            self.parts.append(_mark(px, py, number, f"{value:.4f}"))

    def level(self, y: float, words: str = "", *, at_left: bool = True) -> None:
        """Draw a line across at one height, with words on it."""
        (x1, height), (x2, _) = self.place(self.x[0], y), self.place(self.x[1], y)
        self.parts.append(_stroke(x1, height, x2, height, "axis", dashed=True))
        x, anchor = (x1 + 6, "start") if at_left else (x2 - 6, "end")
        self.parts.append(
            f'<text x="{x:.1f}" y="{height - 6:.1f}" text-anchor="{anchor}">{escape(words)}</text>'
        )

    def render(self) -> str:
        """Write the picture."""
        legend = []
        x = float(LEFT)
        for name, number in self.legend:
            legend.append(_mark(x + 6, 20, number, ""))
            legend.append(f'<text x="{x + 18:.1f}" y="25">{escape(name)}</text>')
            x += 34 + 7.2 * len(name)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">'
            f"<title>{escape(self.title)}</title>{STYLE}"
            f'<rect class="page" width="{WIDTH}" height="{HEIGHT}"/>'
            + "".join([*self.parts, *legend])
            + "</svg>\n"
        )

    def _listed(self, name: str) -> int:
        self.legend.append((name, len(self.legend)))
        return len(self.legend) - 1

    def _axes(self, titles: tuple[str, str], x_marks: Sequence[float]) -> None:
        bottom = HEIGHT - BOTTOM
        for mark in x_marks:
            x, _ = self.place(mark, self.y[0])
            self.parts.append(_stroke(x, TOP, x, bottom, "faint"))
            self.parts.append(
                f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{mark:,g}</text>'
            )
        for mark in _round_marks(self.y):
            _, y = self.place(self.x[0], mark)
            self.parts.append(_stroke(LEFT, y, WIDTH - RIGHT, y, "faint"))
            self.parts.append(
                f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{mark:g}</text>'
            )
        middle = LEFT + (WIDTH - LEFT - RIGHT) / 2
        self.parts.append(
            f'<text x="{middle}" y="{HEIGHT - 14}" text-anchor="middle">{escape(titles[0])}</text>'
            f'<text transform="translate(18 {(TOP + bottom) / 2}) rotate(-90)" '
            f'text-anchor="middle">{escape(titles[1])}</text>'
        )


def _round_marks(span: Range) -> list[float]:
    """List about six round numbers within a range."""
    rough = (span[1] - span[0]) / 5
    step = 10 ** math.floor(math.log10(rough))
    step *= next(factor for factor in (1, 2, 5, 10) if factor * step >= rough)
    first = math.ceil(span[0] / step - 1e-9)
    last = math.floor(span[1] / step + 1e-9)
    return [round(number * step, 10) for number in range(first, last + 1)]


def _mark(x: float, y: float, number: int, words: str) -> str:
    """Draw a mark in the colour and shape of a series."""
    colour = COLOURS[number % len(COLOURS)]
    shapes = (
        f"M{x - 4.5:.1f} {y:.1f}a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z",
        f"M{x - 4:.1f} {y - 4:.1f}h8v8h-8z",
        f"M{x:.1f} {y - 5.5:.1f}l5 9.5h-10z",
        f"M{x:.1f} {y - 6:.1f}l6 6-6 6-6-6z",
        f"M{x - 2:.1f} {y - 6:.1f}h4v4h4v4h-4v4h-4v-4h-4v-4h4z",
    )
    tooltip = f"<title>{escape(words)}</title>" if words else ""
    shape = shapes[number % len(shapes)]
    return f'<path d="{shape}" fill="{colour}" fill-opacity="0.8">{tooltip}</path>'


def _stroke(x1: float, y1: float, x2: float, y2: float, kind: str, *, dashed: bool = False) -> str:
    dash = ' stroke-dasharray="5 4"' if dashed else ""
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"{dash}/>'
