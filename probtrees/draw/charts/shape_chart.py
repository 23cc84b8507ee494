"""The shapes of columns and the ledger of a row, as HTML for the app and for reports."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from probtrees.draw.charts.numeric_shape import numeric_shape
from probtrees.draw.escape import html_text, shorten
from probtrees.draw.palette import INTEREST, PAINTS, Paint, Theme
from probtrees.explain.additive import AdditiveExplanation, largest_first
from probtrees.explain.councillors import Councillor
from probtrees.explain.refit_spread import NORMAL
from probtrees.explain.shape_curves import ShapeCurve
from probtrees.table.number_text import short_text
from probtrees.types import FloatArray
from probtrees.words import percent

_MOST_CATEGORIES = 12
_MOST_TERMS = 12
_GROUPS = {
    "step": "the path",
    "column": "the columns",
    "member": "members as a whole, and their bounds",
}
"""The lines of a ledger by the kind of their terms."""


def chart_key(curves: Sequence[ShapeCurve]) -> str:
    """Say how the charts of curves are read."""
    band = "the shaded band is where refits without a part of the rows put it (90 %), "
    return (
        "Above the dashed line a value speaks for the outcome, below it against it, in log-odds; "
        f"{band if any(curve.spread is not None for curve in curves) else ''}bars are the rows, "
        "ticks below the line the cuts of the tree, which may add a step of its own there."
    )


def shape_html(
    curve: ShapeCurve,
    classes: Sequence[str],
    outcome: int,
    *,
    reach: float | None = None,
    value: float | None = None,
    theme: Theme = "light",
) -> str:
    """Draw what the values of a column add to the log-odds of an outcome.

    Parameters
    ----------
    reach : how far the axis goes on either side of 0; so that charts can be compared
    value : the value of a row to mark: a number, or the code of a category
    """
    paint = PAINTS[theme]
    said, band = log_odds_of(curve, outcome)
    reach = reach or reach_of([curve], outcome)
    if curve.edges is None:
        inside = _categories(curve, said, band, reach, value, paint)
    else:
        inside = numeric_shape(curve, said, band, reach, value, paint)
    name = curve.title or curve.name
    title = f"{name}: {_words(curve, said)}"
    against = "" if len(classes) == 2 else " against the average of all classes"
    return (
        '<figure style="margin:0;min-width:0">'
        f'<figcaption style="font-size:.9rem;overflow-wrap:anywhere" title="{html_text(name)}"><b>'
        f"{html_text(shorten(name, 60))}</b> "
        f'<span style="color:{paint.faint}">strength {curve.strength:.2f}</span></figcaption>'
        f'<div role="img" aria-label="{html_text(title + against)}">{inside}</div>'
        f"{_missing(curve, outcome, paint)}</figure>"
    )


def log_odds_of(curve: ShapeCurve, outcome: int) -> tuple[FloatArray, FloatArray | None]:
    """Return what every value adds to the log-odds of an outcome, and how far the band reaches.

    Of two classes the log-odds against the other one; of more, against the mean of all.
    """
    factor = 2.0 if curve.scores.shape[1] == 2 else 1.0
    centred = curve.scores - curve.scores.mean(axis=1, keepdims=True)
    band = None if curve.spread is None else NORMAL * factor * curve.spread[:, outcome]
    return factor * centred[:, outcome], band


def reach_of(curves: Sequence[ShapeCurve], outcome: int) -> float:
    """Return how far an axis must go that shows all these curves."""
    most = 0.1
    for curve in curves:
        said, band = log_odds_of(curve, outcome)
        most = max(most, float(np.abs(said).max(initial=0.0)))
        if band is not None:
            most = max(most, min(float((np.abs(said) + band).max(initial=0.0)), 2 * most))
    return 1.08 * most


def _categories(
    curve: ShapeCurve,
    said: FloatArray,
    band: FloatArray | None,
    reach: float,
    value: float | None,
    paint: Paint,
) -> str:
    """Draw a nominal column: a bar to either side for every category met, the strongest first."""
    order = [int(at) for at in np.argsort(-np.abs(said), kind="stable") if curve.counts[at] > 0]
    lines = []
    for at in order[:_MOST_CATEGORIES]:
        start, end = sorted((0.5, float(np.clip(0.5 + said[at] / reach / 2, 0.0, 1.0))))
        own = value is not None and value == at
        name = html_text(shorten(str(curve.values[at]), 24))
        bar = (
            f'<div style="position:absolute;left:{100 * start:.1f}%;top:20%;height:60%;'
            f'width:{100 * (end - start):.1f}%;background:{INTEREST if own else paint.accent}">'
            "</div>"
        )
        if band is not None:
            ends = np.clip(0.5 + (said[at] + np.array([-1, 1]) * band[at]) / reach / 2, 0.0, 1.0)
            bar += (
                f'<div style="position:absolute;left:{100 * ends[0]:.1f}%;top:44%;height:12%;'
                f'width:{100 * (ends[1] - ends[0]):.1f}%;background:{paint.text};opacity:.6"></div>'
            )
        lines.append(
            f'<tr><td style="padding:0 .4rem 0 0;overflow-wrap:anywhere;width:38%">'
            f"{f'<b>{name}</b>' if own else name}</td>"
            f'<td style="padding:0"><div style="position:relative;height:15px;'
            f"background:linear-gradient({paint.line},{paint.line}) center/1px 100% no-repeat"
            f'">{bar}</div></td><td style="text-align:right;padding-left:.3rem;width:3rem">'
            f"{said[at]:+z.2f}</td></tr>"
        )
    more = len(order) - _MOST_CATEGORIES
    rest = f"and {more} more that add less" if more > 0 else ""
    return (
        '<table style="width:100%;border-collapse:collapse;font-size:.8rem">'
        f"{''.join(lines)}</table>"
        f'<div style="font-size:.75rem;color:{paint.faint}">{rest}</div>'
    )


def _missing(curve: ShapeCurve, outcome: int, paint: Paint) -> str:
    """Say what a missing value adds, where training had some."""
    if curve.missing is None:
        return ""
    factor = 2.0 if len(curve.missing) == 2 else 1.0
    added = factor * float(curve.missing[outcome] - curve.missing.mean())
    return (
        f'<div style="font-size:.75rem;color:{paint.faint}">not recorded: {added:+z.2f} '
        f"({curve.missing_count:,.6g} rows)</div>"
    )


def _words(curve: ShapeCurve, said: FloatArray) -> str:
    """Read a chart aloud."""
    if curve.edges is None:
        met = [at for at in range(len(said)) if curve.counts[at] > 0]
        return "; ".join(f"{curve.values[at]} {said[at]:+z.2f}" for at in met[:_MOST_CATEGORIES])
    picked = np.linspace(0, len(said) - 1, 5).astype(int)
    x = np.asarray(curve.values, dtype=np.float64)
    return "; ".join(f"at {short_text(float(x[at]), curve.unit)} {said[at]:+z.2f}" for at in picked)


def ledger_html(found: AdditiveExplanation, outcome: int, *, theme: Theme = "light") -> str:
    """List what moves a row's answer: the average row, the path, the columns, their sum.

    Both columns of numbers add up: log-odds, and percentage points.
    """
    paint = PAINTS[theme]
    odds, points = found.log_odds(outcome), 100 * found.ledger(outcome)
    other = html_text(found.classes[found.against(outcome)])
    lines = [_entry("the average row", odds[0], points[0], paint, bold=False, first=True)]
    for kind, words in _GROUPS.items():
        places = [at for at, term in enumerate(found.terms, start=1) if term.kind == kind]
        small = (np.abs(odds[places]) < 0.005) & (np.abs(points[places]) < 0.05)
        if kind == "step" and places and small.all():  # held-out rows gave the path no say
            total = odds[places].sum(), points[places].sum()
            lines.append(_entry(f"{words}: next to nothing", *total, paint, bold=True))
        elif places:
            lines.append(_entry(words, odds[places].sum(), points[places].sum(), paint, bold=True))
            kept = [at + 1 for at in largest_first(found, outcome) if at + 1 in places]
            shown = sorted(kept[:_MOST_TERMS]) if kind == "step" else kept[:_MOST_TERMS]
            for at in shown:
                label = html_text(shorten(found.terms[at - 1].words, 60))
                lines.append(_entry(label, odds[at], points[at], paint, bold=False, inside=True))
            hidden = kept[_MOST_TERMS:]
            if hidden:
                label = f"{len(hidden)} more"
                total = (odds[hidden].sum(), points[hidden].sum())
                lines.append(_entry(label, *total, paint, bold=False, inside=True))
    name = html_text(shorten(found.classes[outcome], 40))
    lines.append(
        _entry(f"together: {name}", odds.sum(), points.sum(), paint, bold=True, first=True)
    )
    head = (
        f'<tr style="color:{paint.faint};font-size:.75rem;text-align:right"><th></th>'
        f'<th style="font-weight:400">log-odds against {other}</th>'
        '<th style="font-weight:400;padding-left:.6rem">points</th></tr>'
    )
    return (
        '<table style="width:100%;border-collapse:collapse;font-size:.85rem">'
        f"{head}{''.join(lines)}</table>"
    )


def _entry(
    label: str,
    odds: float,
    points: float,
    paint: Paint,
    *,
    bold: bool,
    inside: bool = False,
    first: bool = False,
) -> str:
    weight = "700" if bold else "400"
    indent = "1rem" if inside else "0"
    text = f"{points:.1f} %" if first else f"{points:+z.1f}"
    return (
        f'<tr style="font-weight:{weight};border-top:1px solid {paint.line}">'
        f'<td style="padding:.1rem .4rem .1rem {indent};overflow-wrap:anywhere">{label}</td>'
        f'<td style="text-align:right;white-space:nowrap">{odds:+z.2f}</td>'
        f'<td style="text-align:right;white-space:nowrap;padding-left:.6rem">{text}</td></tr>'
    )


def shapes_html(
    curves: Sequence[ShapeCurve],
    classes: Sequence[str],
    outcome: int,
    *,
    values: dict[str, float] | None = None,
    theme: Theme = "light",
) -> str:
    """Draw all curves beside each other on one scale, the strongest first."""
    reach = reach_of(curves, outcome)
    marked = values or {}
    drawn = [
        shape_html(curve, classes, outcome, reach=reach, value=marked.get(curve.name), theme=theme)
        for curve in curves
    ]
    return (
        '<div style="display:grid;grid-template-columns:repeat(auto-fill,minmax(15rem,1fr));'
        f'gap:1.1rem 1.4rem">{"".join(drawn)}</div>'
    )


def members_html(members: Sequence[Councillor], *, theme: Theme = "light") -> str:
    """List the members of a council with their weights as bars, up to the largest possible, 2."""
    paint = PAINTS[theme]
    lines = [
        f'<tr style="border-top:1px solid {paint.line}">'
        f'<td style="padding:.15rem .6rem .15rem 0"><b>{html_text(one.name)}</b><br>'
        f'<span style="color:{paint.faint};font-size:.75rem">{html_text(one.words)}</span></td>'
        f'<td style="width:40%"><div style="height:12px;width:{50 * one.weight:.1f}%;'
        f'background:{paint.accent}"></div></td>'
        f'<td style="text-align:right;padding-left:.6rem">{one.weight:.2f}</td></tr>'
        for one in members
    ]
    head = (
        f'<tr style="color:{paint.faint};font-size:.75rem;text-align:left">'
        '<th style="font-weight:400">member</th><th style="font-weight:400">weight, from 0 to 2'
        "</th><th></th></tr>"
    )
    return (
        '<table style="width:100%;border-collapse:collapse;font-size:.85rem">'
        f"{head}{''.join(lines)}</table>"
    )


def answer_words(probability: float, name: str, ends: tuple[float, float] | None) -> str:
    """Write a row's answer with its interval."""
    interval = "" if ends is None else f" ({percent(ends[0])} to {percent(ends[1])})"
    return f"{percent(probability)}{interval} {name}"
