"""Dots and bars on an axis: every smoother's answer, and what each table adds to the odds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from probtrees.draw.escape import html_text, shorten
from probtrees.draw.palette import INTEREST, OTHERS, PAINTS, Theme
from probtrees.words import percent

_LONGEST = 60
_OUTERMOST = 0.1
"""Marks that all lie in such a part of the axis, at its beginning or its end, are shown closer."""


@dataclass(frozen=True)
class Axis:
    """The stretch of probabilities that is shown: one for a tree, closer where all is at an end.

    On an axis from 0 to 100 % a chance of 1.0 % and an overall rate of 0.6 % are one mark.
    """

    low: float = 0.0
    high: float = 1.0

    def place(self, probability: float) -> float:
        """Say where a probability stands, in percent of the width."""
        return (probability - self.low) / max(self.high - self.low, 1e-12) * 100

    def closer(self, marks: Sequence[float]) -> Axis:
        """Go closer where all marks lie near 0 or near 1, to a round stretch that holds them.

        The overall rate is among the marks: one that is neither rare nor nearly certain keeps the
        axis as it is.

        >>> Axis().closer([0.006, 0.011]), Axis().closer([0.954, 0.99986])
        (Axis(low=0.0, high=0.02), Axis(low=0.95, high=1.0))
        >>> Axis().closer([0.5, 0.52]), Axis().closer([0.006, 0.3])
        (Axis(low=0.0, high=1.0), Axis(low=0.0, high=1.0))
        """
        part = _OUTERMOST * (self.high - self.low)
        if self.low == 0.0 and max(marks) <= part:
            return Axis(0.0, axis_reach(max(marks)))
        if self.high == 1.0 and min(marks) >= 1.0 - part:
            return Axis(round(1.0 - axis_reach(1.0 - min(marks)), 6), 1.0)
        return self

    @property
    def words(self) -> str:
        """Say from where to where it runs.

        >>> Axis(0.95, 1.0).words
        'axis from 95.0 % to 100 % only'
        """
        return f"axis from {percent(self.low)} to {percent(self.high)} only"


def axis_reach(largest: float) -> float:
    """Choose a round end for an axis that holds all answers of a tree.

    >>> axis_reach(0.031), axis_reach(0.5), axis_reach(0.93), axis_reach(0.0004)
    (0.05, 0.5, 1.0, 0.001)
    """
    rounds = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
    return next((end for end in rounds if largest <= end), 1.0)


@dataclass(frozen=True)
class SmootherAnswer:
    """One smoother's answer; ``probability`` is None while it is not known.

    ``text`` is printed instead of the probability, where that must not be printed exactly.
    """

    label: str
    probability: float | None
    current: bool = False
    note: str = ""
    text: str = ""


def estimates_html(
    estimates: Sequence[SmootherAnswer],
    base_rate: float,
    *,
    marks: Mapping[str, float | None] | None = None,
    reach: float = 1.0,
    theme: Theme = "light",
) -> str:
    """Draw one dot per smoother on one axis, the overall rate as a dashed line.

    Parameters
    ----------
    marks : other numbers to hold them against, by what they are: "observed here"
    reach : where the axis ends; the same for all leaves of a tree, so that they can be compared,
        but for those where all is near 0 or near 1
    """
    paint = PAINTS[theme]
    known = [e.probability for e in estimates if e.probability is not None]
    held = {name: share for name, share in (marks or {}).items() if share is not None}
    whole = Axis(0.0, min(max([base_rate, reach, *known]), 1.0))
    axis = whole.closer([base_rate, *known, *held.values()])
    lines = "".join(
        _answer_line(estimate, base_rate, axis, list(held.values()), theme)
        for estimate in estimates
    )
    said = [f"dashed: overall rate {percent(base_rate)}"]
    said += [] if axis == whole else [axis.words]
    said += [
        f"{sign} {name} {percent(share)}"
        for sign, (name, share) in zip("|¦", held.items(), strict=False)
    ]
    return (
        '<table style="width:100%;border-collapse:collapse;font-size:.85rem">'
        f'<caption style="caption-side:bottom;text-align:left;font-size:.75rem;'
        f'color:{paint.faint}">{html_text(" · ".join(said))}</caption>{lines}'
        f"{_axis_line(axis, paint.faint)}</table>"
    )


def _axis_line(axis: Axis, faint: str) -> str:
    """Print the ends and the middle of the axis."""
    printed = (axis.low, (axis.low + axis.high) / 2, axis.high)
    ends = "".join(f"<span>{percent(share)}</span>" for share in printed)
    return (
        f'<tr style="color:{faint};font-size:.75rem"><td></td><td style="padding:0"><div '
        f'style="display:flex;justify-content:space-between">{ends}</div></td><td></td></tr>'
    )


def _answer_line(
    estimate: SmootherAnswer, base_rate: float, axis: Axis, marks: Sequence[float], theme: Theme
) -> str:
    paint = PAINTS[theme]
    others = "".join(
        f'<div style="position:absolute;top:0;bottom:0;left:{min(axis.place(share), 100):.2f}%;'
        f'border-left:2px {style} {OTHERS[0]}"></div>'
        for share, style in zip(marks, ("solid", "dotted"), strict=False)
    )
    weight = "700" if estimate.current else "400"
    number = "…" if estimate.probability is None else percent(estimate.probability)
    number = html_text(estimate.text) if estimate.text else number
    colour = paint.accent if estimate.current else INTEREST
    dot = ""
    if estimate.probability is not None:
        dot = (
            f'<div style="position:absolute;top:1px;left:{axis.place(estimate.probability):.2f}%;'
            "width:10px;height:10px;border-radius:50%;transform:translateX(-50%);"
            f'background:{colour}"></div>'
        )
    return (
        f'<tr style="font-weight:{weight}" title="{html_text(estimate.note)}">'
        f'<td style="white-space:nowrap;padding:.12rem .5rem .12rem 0;width:1%">'
        f"{html_text(estimate.label)}</td>"
        '<td style="position:relative;padding:0"><div style="position:relative;height:12px;'
        f'background:{paint.card}"><div style="position:absolute;top:-3px;bottom:-3px;'
        f"left:{axis.place(base_rate):.2f}%;border-left:2px dashed {paint.faint}"
        f'"></div>{others}{dot}</div></td>'
        f'<td style="text-align:right;white-space:nowrap;padding-left:.5rem;width:1%">{number}</td>'
        "</tr>"
    )


@dataclass(frozen=True)
class ValueChance:
    """The chance of one value now and, where something is known, with nothing known."""

    label: str
    now: float
    before: float | None = None
    is_known: bool = False


def value_chances_html(
    chances: Sequence[ValueChance],
    *,
    heads: tuple[str, str] = ("value", "now"),
    theme: Theme = "light",
) -> str:
    """Draw a bar per value as long as its chance now; a dashed line is where it was before.

    ``heads`` stand above the names and the chances.
    """
    faint = PAINTS[theme].faint
    has_before = any(chance.before is not None for chance in chances)
    lines = "".join(_chance_line(chance, has_before, theme) for chance in chances)
    right = '<th style="font-weight:400;text-align:right;white-space:nowrap;padding-left:.5rem">'
    numbers = f"{right}{html_text(heads[1])}</th>" + (
        f"{right}nothing known</th>" if has_before else ""
    )
    return (
        '<table style="width:100%;border-collapse:collapse;font-size:.85rem">'
        f'<tr style="color:{faint};text-align:left"><th style="font-weight:400">'
        f"{html_text(heads[0])}</th><th></th>{numbers}</tr>{lines}</table>"
    )


def _chance_line(chance: ValueChance, has_before: bool, theme: Theme) -> str:
    paint = PAINTS[theme]
    cell = "text-align:right;white-space:nowrap;padding-left:.5rem;width:1%"
    line = before = ""
    if chance.before is not None:
        line = (
            f'<div style="position:absolute;top:-3px;bottom:-3px;left:{chance.before * 100:.2f}%;'
            f'border-left:2px dashed {paint.faint}"></div>'
        )
    if has_before:
        number = "…" if chance.before is None else percent(chance.before)
        before = f'<td style="{cell};color:{paint.faint}">{number}</td>'
    weight = "700" if chance.is_known else "400"
    return (
        f'<tr style="font-weight:{weight}"><td style="padding:.15rem .5rem .15rem 0;'
        f'overflow-wrap:anywhere;max-width:11rem">{html_text(shorten(chance.label, _LONGEST))}'
        f"{' ✓' if chance.is_known else ''}</td>"
        '<td style="width:40%;padding:0"><div style="position:relative;height:12px;'
        f'background:{paint.card}"><div style="height:100%;width:{chance.now * 100:.2f}%;'
        f'background:{INTEREST}"></div>{line}</div></td>'
        f'<td style="{cell}">{percent(chance.now)}</td>{before}</tr>'
    )


@dataclass(frozen=True)
class Contribution:
    """What one table adds: its attribute, the row's value, the change of the log odds."""

    name: str
    value: str
    log_odds: float


def contributions_html(
    parts: Sequence[Contribution],
    *,
    heads: tuple[str, str] = ("table", "this row"),
    theme: Theme = "light",
) -> str:
    """Draw a bar per table, to the right for the outcome, to the left against it.

    ``heads`` stand above the names and the values.
    """
    reach = max((abs(part.log_odds) for part in parts), default=0.0) or 1.0
    lines = "".join(_contribution_line(part, reach, theme) for part in parts)
    total = sum(part.log_odds for part in parts)
    faint = PAINTS[theme].faint
    return (
        '<table style="width:100%;border-collapse:collapse;font-size:.85rem">'
        f'<tr style="color:{faint};text-align:left">'
        f'<th style="font-weight:400">{html_text(heads[0])}</th>'
        f'<th style="font-weight:400">{html_text(heads[1])}</th>'
        '<th style="font-weight:400;text-align:center">'
        "against · for</th>"
        '<th style="font-weight:400;text-align:right">log odds</th></tr>'
        f'{lines}<tr style="font-weight:700;border-top:1px solid {PAINTS[theme].line}">'
        f'<td>together</td><td></td><td></td><td style="text-align:right">{total:+.3f}</td></tr>'
        "</table>"
    )


def _contribution_line(part: Contribution, reach: float, theme: Theme) -> str:
    paint = PAINTS[theme]
    width = abs(part.log_odds) / reach * 50
    left = 50.0 if part.log_odds >= 0 else 50 - width
    colour = INTEREST if part.log_odds >= 0 else OTHERS[0]
    cell = "padding:.15rem .5rem .15rem 0;overflow-wrap:anywhere;max-width:11rem"
    return (
        f'<tr><td style="{cell}">{html_text(shorten(part.name, _LONGEST))}</td>'
        f'<td style="{cell}">{html_text(shorten(part.value, _LONGEST))}</td>'
        '<td style="width:40%;padding:0"><div style="position:relative;height:12px;'
        f'background:{paint.card}"><div style="position:absolute;left:{left:.2f}%;'
        f'width:{width:.2f}%;height:100%;background:{colour}"></div>'
        '<div style="position:absolute;left:50%;top:-3px;bottom:-3px;'
        f'border-left:1px solid {paint.faint}"></div></div></td>'
        f'<td style="text-align:right;white-space:nowrap;padding-left:.5rem">'
        f"{part.log_odds:+.3f}</td></tr>"
    )
