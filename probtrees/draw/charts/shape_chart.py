"""The shapes of columns and the ledger of a row, as HTML for the app and for reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import expit

from probtrees.draw import markup
from probtrees.draw.escape import html_text, shorten
from probtrees.draw.palette import INTEREST, PAINTS, Paint, Theme
from probtrees.explain.additive import SMALL, AdditiveExplanation
from probtrees.explain.shape_curves import Councillor, ShapeCurve, about, additive_member
from probtrees.model.calibration import log_odds as log_odds_at
from probtrees.model.model import Model
from probtrees.model.predict import NORMAL
from probtrees.smooth.log_linear.softmax import normalise
from probtrees.table.number_text import short_text
from probtrees.types import FloatArray
from probtrees.words import whole_percents

_WIDTH, _HEIGHT, _BARS, _LEFT = 300, 120, 26, 68
_MOST_CATEGORIES = 12
_MOST_TERMS = 12
_GROUPS = {
    "step": "the path",
    "column": "the columns",
    "member": "members as a whole, and their bounds",
}
"""The lines of a ledger by the kind of their terms."""

ScaleKind = Literal["risk", "odds ratio", "points"]


@dataclass(frozen=True)
class Scale:
    """In what curves are told: what is drawn is the same, the numbers beside it are not.

    Attributes
    ----------
    unit : log-odds of a point
    base : log-odds of the average row
    """

    kind: ScaleKind = "odds ratio"
    unit: float = 1.0
    base: float = 0.0

    def text(self, log_odds: float) -> str:
        """Write what a value adds."""
        if self.kind == "risk":
            return whole_percents(float(expit(self.base + log_odds)))[0]
        if self.kind == "odds ratio":
            return f"×{np.exp(np.clip(log_odds, -20, 20)):.3g}"
        number = f"{log_odds / self.unit:+z.0f}"
        return "0" if number == "+0" else number

    def ticks(self, reach: float) -> list[tuple[float, str]]:
        """List heights of an axis that goes so far to either side, with their numbers."""
        if self.kind == "risk":
            low = np.array([0.001, 0.002, 0.005, 0.01, 0.02, 0.05])
            found = log_odds_at(np.concatenate([low, np.arange(1, 10) / 10, 1 - low])) - self.base
        elif self.kind == "odds ratio":
            found = np.log([0.01, 0.03, 0.1, 0.25, 0.5, 1, 2, 4, 10, 30, 100])
        else:
            whole = reach / self.unit
            power = 10.0 ** np.floor(np.log10(whole))
            step = power * (0.5 if whole < 2 * power else 1.0 if whole < 5 * power else 2.0)
            found = np.arange(-10, 11) * step * self.unit
        kept: list[float] = []
        for place in sorted(found.tolist(), key=abs):  # the middle first, then what has room
            if abs(place) <= reach and all(abs(place - o) >= reach / 4 for o in kept):
                kept.append(place)
        return [(place, self.text(place).removesuffix(".0")) for place in sorted(kept)]


def usual_scale(model: Model, outcome: int) -> Scale:
    """Return in what curves are told where nobody asks: in risks, of a council in odds ratios."""
    if model.kind == "council":
        return Scale()
    average = normalise(additive_member(model).intercept[None])[:, outcome]
    return Scale("risk", base=float(log_odds_at(average)[0]))


def chart_key(curves: Sequence[ShapeCurve], scale: Scale) -> str:
    """Say how the charts of curves are read."""
    band = "the shaded band holds 90 of 100 such curves, "
    told = {
        "risk": "numbers are the risk of a row that is average in all else",
        "odds ratio": "numbers are odds ratios: ×2 doubles the odds",
        "points": "steps are the points of the points card, which gives the usual value none",
    }[scale.kind]
    return (
        f"Above the dashed line a value speaks for the outcome, below it against it; {told}; "
        f"{band if any(curve.spread is not None for curve in curves) else ''}bars are the rows, "
        "ticks below the line the cuts of the tree, which may add a step of its own there."
    )


def log_odds_of(curve: ShapeCurve, outcome: int) -> tuple[FloatArray, FloatArray | None]:
    """Return what every value adds to the log-odds of an outcome, and how far the band reaches.

    Of two classes the log-odds against the other one; of more, against the mean of all.
    """
    factor = 2.0 if curve.scores.shape[1] == 2 else 1.0
    band = None if curve.spread is None else NORMAL * factor * curve.spread[:, outcome]
    return about(curve.scores, outcome), band


def reach_of(curves: Sequence[ShapeCurve], outcome: int) -> float:
    """Return how far an axis must go that shows all these curves."""
    most = 0.1
    for curve in curves:
        said, band = log_odds_of(curve, outcome)
        most = max(most, float(np.abs(said).max(initial=0.0)))
        if band is not None:
            most = max(most, min(float((np.abs(said) + band).max(initial=0.0)), 2 * most))
    return 1.08 * most


@dataclass(frozen=True)
class _Chart:
    """The chart of one column.

    Attributes
    ----------
    said, band : what every value adds to the log-odds of the outcome, and how far it may be off to
        either side; None: not known
    reach : how far the axis of log-odds goes to either side of 0
    value : that of a row to mark, a number or the code of a category; None: there is none
    """

    curve: ShapeCurve
    said: FloatArray
    band: FloatArray | None
    reach: float
    value: float | None
    paint: Paint
    scale: Scale

    def html(self, outcome: int) -> str:
        """Draw the chart under its name."""
        curve, paint, ends = self.curve, self.paint, ""
        name = curve.title or curve.name
        if curve.edges is not None:  # what dragging the marker needs, see curve_drag.js
            low, high = float(curve.edges[0]), float(curve.edges[-1])
            ends = f' data-shape="{html_text(curve.name)}" data-low="{low!r}" data-high="{high!r}"'
            ends += f' data-left="{_LEFT / (_WIDTH + _LEFT):.4f}"'
        against = "" if curve.scores.shape[1] == 2 else " against the average of all classes"
        small, missing = f"font-size:.75rem;color:{paint.faint}", ""
        if curve.missing is not None:
            added = self.scale.text(about(curve.missing[None], outcome)[0])
            missing = f"not recorded: {added} ({curve.missing_count:,.6g} rows)"
            missing = f'<div style="{small}">{missing}</div>'
        return (
            f'<figure style="margin:0;min-width:0"{ends}><figcaption style="font-size:.9rem;'
            f'overflow-wrap:anywhere" title="{html_text(name)}"><b>{html_text(shorten(name, 60))}'
            f'</b> <span style="color:{paint.faint}">strength {curve.strength:.2f}</span>'
            f'</figcaption><div role="img" aria-label="'
            f'{html_text(f"{name}: {self.words}{against}")}">'
            f"{self.bars() if curve.edges is None else self.line()}</div>{missing}</figure>"
        )

    @property
    def words(self) -> str:
        """Read the chart aloud."""
        values, text = self.curve.values, self.scale.text
        if self.curve.edges is None:
            met = np.flatnonzero(self.curve.counts > 0)[:_MOST_CATEGORIES]
            return "; ".join(f"{values[at]} {text(self.said[at])}" for at in met)
        picked = np.linspace(0, len(self.said) - 1, 5).astype(int)
        numbers = (short_text(float(values[at]), self.curve.unit) for at in picked)
        told = zip(numbers, self.said[picked], strict=True)
        return "; ".join(f"at {number} {text(added)}" for number, added in told)

    def across(self, number: float) -> float:
        """Place a number of the column from left to right."""
        low, high = float(self.curve.values[0]), float(self.curve.values[-1])
        return float(np.clip((number - low) / max(high - low, 1e-300), 0.0, 1.0)) * _WIDTH

    def down(self, score: float) -> float:
        """Place log-odds from top to bottom."""
        return float(np.clip((1 - score / self.reach) / 2, 0.0, 1.0)) * _HEIGHT

    def points(self, scores: FloatArray) -> list[str]:
        """Place a score at every value of the curve, as SVG writes points."""
        both = zip(map(float, self.curve.values), scores, strict=True)
        return [f"{self.across(x):.1f},{self.down(y):.1f}" for x, y in both]

    def line(self) -> str:
        """Draw a numeric column: band, curve, cuts of the tree, histogram, the row's value."""
        x, unit = np.asarray(self.curve.values, dtype=np.float64), self.curve.unit
        parts, middle = [*self.axis(), *self.marks()], ""
        if self.value is not None and np.isfinite(self.value):
            own = float(np.interp(self.value, x, self.said))
            middle = f"this row: {short_text(self.value, unit)}, {self.scale.text(own)}"
            parts.append(
                f'<circle cx="{self.across(self.value):.1f}" cy="{self.down(own):.1f}" r="5" '
                f'fill="{INTEREST}" stroke="{self.paint.text}"/>'
            )
        low, high = (short_text(float(end), unit) for end in x[[0, -1]])
        svg = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-_LEFT} 0 {_WIDTH + _LEFT} '
            f'{_HEIGHT + _BARS + 4}">{"".join(parts)}</svg>'
        )
        style = "display:block;width:100%;cursor:ew-resize;touch-action:pan-y"
        ends = markup.axis_ends((low, middle, high), self.paint)
        left = 100 * _LEFT / (_WIDTH + _LEFT)
        return f'{markup.svg_image(svg, style)}<div style="padding-left:{left:.1f}%">{ends}</div>'

    def axis(self) -> Iterator[str]:
        """Draw the axis on the left, lines across with their numbers, and that of no effect."""
        paint, across = self.paint, f'<line x1="0" x2="{_WIDTH}"'
        for place, words in self.scale.ticks(self.reach):
            y = self.down(place)
            yield (
                f'{across} y1="{y:.1f}" y2="{y:.1f}" stroke="{paint.line}" opacity=".5"/>'
                f'<text x="-4" y="{np.clip(y + 5, 11, _HEIGHT):.1f}" text-anchor="end" '
                f'font-size="14" font-family="sans-serif" fill="{paint.faint}">'
                f"{html_text(words)}</text>"
            )
        look = f'font-size="14" font-family="sans-serif" fill="{paint.faint}" text-anchor="middle"'
        yield f'<text transform="translate(-54 60) rotate(-90)" {look}>{self.scale.kind}</text>'
        middle = f'y1="{_HEIGHT / 2}" y2="{_HEIGHT / 2}"'
        yield f'{across} {middle} stroke="{paint.faint}" stroke-dasharray="4 3"/>'

    def marks(self) -> Iterator[str]:
        """Draw band and curve, where the tree cuts, and how many rows have which values."""
        paint, said, counts = self.paint, self.said, self.curve.counts
        if self.band is not None:
            upper, lower = self.points(said + self.band), self.points(said - self.band)
            outline = " ".join([*upper, *reversed(lower)])
            yield f'<polygon points="{outline}" fill="{paint.accent}" opacity=".2"/>'
        look = f'fill="none" stroke="{paint.accent}" stroke-width="2.2"'
        yield f'<polyline points="{" ".join(self.points(said))}" {look}/>'
        for cut in self.curve.cuts:
            tick = f'M{self.across(cut):.1f} {_HEIGHT}v-7" stroke="{paint.text}'
            yield f'<path d="{tick}"/>'
        wide, most = _WIDTH / max(len(counts), 1), max(float(counts.max(initial=0.0)), 1e-300)
        for at, high in enumerate(_BARS * counts / most):
            yield (
                f'<rect x="{at * wide:.1f}" width="{max(wide - 1, 0.5):.1f}" '
                f'y="{_HEIGHT + 4 + _BARS - high:.1f}" height="{high:.1f}" fill="{paint.line}"/>'
            )

    def bars(self) -> str:
        """Draw a bar for every category met, the strongest first; codes in their order."""
        curve, said, paint, lines = self.curve, self.said, self.paint, []
        rank = np.zeros(len(said)) if curve.codes else -np.abs(said)
        order = [at for at in np.argsort(rank, kind="stable") if curve.counts[at] > 0]
        for at in order[:_MOST_CATEGORIES]:
            own = self.value is not None and self.value == (curve.codes[at] if curve.codes else at)
            off = 0.0 if self.band is None else self.band[at]
            places = np.array([said[at], said[at] - off, said[at] + off])
            end, low, high = 100 * np.clip(0.5 + places / self.reach / 2, 0.0, 1.0)
            marks = [
                markup.upright(50, f"1px solid {paint.line}"),
                markup.stretch(50, end, INTEREST if own else paint.accent),
                markup.stretch(low, high, paint.text, "top:44%;height:12%;opacity:.6"),
            ]
            name = html_text(shorten(str(curve.values[at]), 18))
            names = [f'<span style="white-space:nowrap">{name}</span>']
            style, number = markup.BOLD if own else "", self.scale.text(said[at])
            lines.append(markup.line(names, marks, [number], paint, style=style))
        more = len(order) - _MOST_CATEGORIES
        return markup.table(lines, caption=f"and {more} more that add less" if more > 0 else "")


def ledger_html(found: AdditiveExplanation, outcome: int, *, theme: Theme = "light") -> str:
    """List what moves a row's answer: the average row, the path, the columns, their sum.

    Both columns of numbers add up: log-odds, and percentage points.
    """
    odds, points = found.log_odds(outcome), 100 * found.ledger(outcome)
    paint = PAINTS[theme]

    def entry(label: str, places: Sequence[int], look: str = "", unit: str = "") -> str:
        """Write what some terms add together."""
        added, total = odds[places].sum(), points[places].sum()
        numbers = [f"{added:+z.2f}", f"{total:.1f} %" if unit else f"{total:+z.1f}"]
        style = f"border-top:1px solid {paint.line};{look}"
        return markup.line([html_text(shorten(label, 60))], None, numbers, paint, style=style)

    lines = [entry("the average row", [0], unit="%")]
    for kind, words in _GROUPS.items():
        places = [at for at, term in enumerate(found.terms, start=1) if term.kind == kind]
        if not places:
            continue
        lines.append(entry(words, places, markup.BOLD))
        ranked = [at + 1 for at in found.largest_first(outcome) if at + 1 in places]
        shown = [at for at in ranked[:_MOST_TERMS] if abs(odds[at]) >= SMALL]
        hidden = [at for at in ranked if at not in shown]
        in_order = sorted(shown) if kind == "step" else shown
        lines += [entry(f"· {found.terms[at - 1].words}", [at]) for at in in_order]
        if hidden:
            lines.append(entry(f"· {len(hidden)} {'more' if shown else 'that add little'}", hidden))
    everything = list(range(len(odds)))
    lines.append(entry(f"together: {found.name(outcome)}", everything, markup.BOLD, "%"))
    against = "" if len(found.classes) == 2 else f" against {found.name(found.against(outcome))}"
    heads = ("", f"log-odds{against}", "percentage points")
    return markup.table(lines, heads, n_left=1, theme=theme)


def shapes_html(
    curves: Sequence[ShapeCurve],
    outcome: int,
    *,
    values: dict[str, float] | None = None,
    theme: Theme = "light",
    scale: Scale,
) -> str:
    """Draw all curves beside each other on one scale, the strongest first."""
    reach, marked, paint = reach_of(curves, outcome), values or {}, PAINTS[theme]
    drawn = []
    for curve in curves:
        said, value = log_odds_of(curve, outcome), marked.get(curve.name)
        drawn.append(_Chart(curve, *said, reach, value, paint, scale).html(outcome))
    return (
        '<div style="display:grid;grid-template-columns:repeat(auto-fill,minmax(13rem,1fr));'
        f'gap:1.1rem 1.4rem">{"".join(drawn)}</div>'
    )


def members_html(members: Sequence[Councillor], *, theme: Theme = "light") -> str:
    """List the members of a council with their weights as bars, up to the largest possible, 2."""
    paint = PAINTS[theme]
    lines = [
        markup.line(
            [f"<b>{html_text(one.name)}</b><br>{html_text(one.words)}"],
            [markup.stretch(0, 50 * one.weight, paint.accent)],
            [f"{one.weight:.2f}"],
            paint,
        )
        for one in members
    ]
    return markup.table(lines, ("member", "weight, from 0 to 2", ""), theme=theme)
