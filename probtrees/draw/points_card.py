"""A points card to print: as text, as a picture, and as a page that adds up for one person.

The page works offline: what it computes with are numbers alone, and its words are escaped.
"""

from __future__ import annotations

import json
import math
from itertools import pairwise
from pathlib import Path
from textwrap import wrap
from typing import Literal

from probtrees.draw.escape import html_text, shorten
from probtrees.draw.palette import PAINTS
from probtrees.explain.points_card import PointsCard
from probtrees.explain.rule import values_named
from probtrees.table.number_text import short_text
from probtrees.words import whole_percents

CardFormat = Literal["text", "html", "svg", "json"]

_WIDTH, _LINE, _MARGIN = 794, 13, 28
"""Of an A4 sheet, in pixels of the screen."""

_VISIBLE = 0.0025
"""Risks at either end of the table that differ by less are printed as one."""


def points_file(card: PointsCard, format: CardFormat) -> str:
    """Write a card as a file."""
    if format == "json":
        return json.dumps(card.to_dict(), indent=2, ensure_ascii=False, allow_nan=False)
    return {"text": _text, "html": _html, "svg": _svg}[format](card)


def _notes(card: PointsCard) -> list[str]:
    notes = ["Look up one line of every part, add the points up and read the risk beside the sum."]
    notes += [card.acting] if card.acting else []
    if any(part.column is None for part in card.parts):
        notes.append("A group is where the tree puts a person: the one whose conditions are met.")
    if card.loss is not None:
        notes.append(
            "In brackets: how often all people with this sum have it, 9 in 10 times, as unseen "
            "rows tell. What the full model says of one of them may lie outside."
        )
        notes.append(f"What whole points lose. {card.loss.sentence}")
    if card.left_out:
        notes.append(f"Without points: {', '.join(card.left_out)}.")
    made = card.model.provenance
    notes.append(f"Made from {made.source} by probtrees {made.version}.")
    return notes


def _title(card: PointsCard) -> str:
    act = card.acting.partition(";")[0].lower()
    return f"Points for {card.outcome_name}{f' · {act}' if act else ''}"


def _signed(points: int) -> str:
    return f"{points:+d}" if points else "0"


def _risks(card: PointsCard, *, whole: bool = False) -> list[tuple[int, str, str, str]]:
    """List sums, what they are called, their risks and intervals; at either end alike ones as one.

    So the first is "≤ -8" with "≤ 2 %", where even less tells little more.
    """
    table, act = card.table(), math.inf if card.act is None else card.act
    near = [b[1] - a[1] < _VISIBLE and not a[1] < act <= b[1] for a, b in pairwise(table)]
    first, last, found = 0, len(table) - 1, []
    while not whole and first + 1 < last and near[first]:
        first += 1
    while not whole and first + 1 < last and near[last - 1]:
        last -= 1
    for at in range(first, last + 1):
        total, risk, low, high = table[at]
        bound = "≤ " if 0 < at == first else "≥ " if len(table) - 1 > at == last else ""
        ends = (table[0][2] if at == first else low, table[-1][3] if at == last else high)
        own, *told = whole_percents(risk, *(() if math.isnan(low) else ends))
        interval = f" ({told[0].removesuffix(' %')} to {told[1]})" if told else ""
        done = ": act" if risk >= act else ": leave" if whole and card.act is not None else ""
        found.append((total, f"{bound}{total}", f"{bound}{own}", interval + done))
    return found


def _text(card: PointsCard) -> str:
    wide = min(max([20, *(len(o.words) for part in card.parts for o in part.lines)]), 76)
    out = [_title(card), "=" * len(_title(card))]
    for part in card.parts:
        out += ["", part.title]
        for line in part.lines:
            *above, last = wrap(line.words, wide) or [""]
            out += [f"  {words}" for words in above]
            out.append(f"  {last:<{wide}}  {_signed(line.points):>4}")
    out += ["", f"{'sum':>5}  risk"]
    out += [f"{total:>5}  {risk}{ends}" for _, total, risk, ends in _risks(card)]
    return "\n".join([*out, "", *_notes(card)])


def _svg(card: PointsCard) -> str:
    """Lay the card out in two columns, the risks below in four."""
    paint, risks = PAINTS["light"], _risks(card)
    half = (_WIDTH - 3 * _MARGIN) / 2
    blocks = [1.6 + sum(len(wrap(line.words, 54)) for line in part.lines) for part in card.parts]
    marks: list[str] = []

    def write(x: float, y: float, text: str, look: str = "") -> None:
        marks.append(f'<text x="{x:.0f}" y="{y:.0f}" {look}>{html_text(text)}</text>')

    bold, right, faint = 'font-weight="bold"', 'text-anchor="end"', f'fill="{paint.faint}"'
    write(_MARGIN, 40, shorten(_title(card), 70), f'{bold} font-size="18"')
    left, y, lowest = float(_MARGIN), 66.0, 66.0
    for part, size in zip(card.parts, blocks, strict=True):
        if left == _MARGIN and y > 66 and (y - 66) / _LINE + size / 2 > sum(blocks) / 2:
            left, y = left + half + _MARGIN, 66.0
        write(left, y, shorten(part.title, 52), bold)
        for line in part.lines:
            for words in wrap(line.words, 54):
                y += _LINE
                write(left + 10, y, words)
            write(left + half, y, _signed(line.points), f"{right} {bold}")
        y += 1.6 * _LINE
        lowest = max(lowest, y)
    write(_MARGIN, lowest + 8, "Sum of points: risk", bold)
    n_high = -(-len(risks) // 4)
    for at, (_, total, risk, ends) in enumerate(risks):
        left = _MARGIN + at // n_high * (_WIDTH - 2 * _MARGIN) / 4
        y = lowest + 24 + at % n_high * _LINE
        write(left + 34, y, total, f"{right} {bold}")
        write(left + 86, y, risk, right)
        write(left + 92, y, ends.strip(), faint)
    y = lowest + 40 + n_high * _LINE
    for told in (words for note in _notes(card) for words in wrap(note, 118)):
        write(_MARGIN, y, told, faint)
        y += _LINE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {y + 10:.0f}" '
        f'width="{_WIDTH}" height="{y + 10:.0f}" font-family="Helvetica, Arial, sans-serif" '
        f'font-size="11" fill="{paint.text}"><rect width="100%" height="100%" '
        f'fill="{paint.page}"/>{"".join(marks)}</svg>'
    )


_ASSETS = Path(__file__).parent / "assets"


def _html(card: PointsCard) -> str:
    """Write the page: a field for every value, the lines it picks, their sum and its risk."""
    columns, asked = card.model.schema.columns, {part.column for part in card.parts}
    lines, tables = [line for part in card.parts for line in part.lines], []
    for at, part in enumerate(card.parts):
        field = "" if part.column is None else _field(card, part.column)
        rows = "".join(
            f'<tr id="p{at}-{number}"><td>{html_text(line.words)}</td>'
            f"<td>{_signed(line.points)}</td></tr>"
            for number, line in enumerate(part.lines)
        )
        head = f"<tr><th>{html_text(part.title)}</th><th>{field}</th></tr>"
        tables.append(f"<table>{head}{rows}</table>")
    if more := sorted({way[0] for o in lines for ways in o.when for way in ways} - asked):
        fields = "".join(
            f"<tr><td>{html_text(columns[at].title)}</td><td>{_field(card, at)}</td></tr>"
            for at in more
        )
        tables.insert(1, f"<table><tr><th>asked for the group</th><th></th></tr>{fields}</table>")
    shown = _risks(card)
    risks = "".join(
        f'<div id="r{total}"><b>{words}</b>: {risk}{ends}</div>'
        for total, words, risk, ends in shown
    )
    parts = [[{"points": o.points, "when": o.when} for o in part.lines] for part in card.parts]
    full = [(total, risk + ends) for total, _, risk, ends in _risks(card, whole=True)]
    record = {"parts": parts, "risks": full, "ends": [shown[0][0], shown[-1][0]]}
    colours, dark = (
        "".join(f"--{name}: {getattr(paint, name)};" for name in ("line", "faint", "page", "text"))
        for paint in (PAINTS["light"], PAINTS["dark"])
    )
    style, script = ((_ASSETS / f"points_card.{kind}").read_text("utf-8") for kind in ("css", "js"))
    title = html_text(_title(card))
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" '
        'content="width=device-width, initial-scale=1"><meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">"
        f"<title>{title}</title><style>:root {{{colours} "
        f"--print: {_printed_size(card, len(shown)):.1f}pt }} @media (prefers-color-scheme: dark) "
        f"{{ :root {{{dark}}} }} {style}</style></head><body><h1>{title}</h1>"
        '<div id="answer" aria-live="polite">Sum <b id="sum">____</b>, risk <b id="risk">____</b> '
        f'<span class="note" id="given"></span> <span id="beyond"></span></div>'
        f"<main>{''.join(tables)}</main>"
        f'<h2>Sum of points: risk</h2><div class="risks">{risks}</div>'
        f"{''.join(f'<p class=note>{html_text(note)}</p>' for note in _notes(card))}"
        f'<script type="application/json" id="card">{json.dumps(record, allow_nan=False)}</script>'
        f"<script>{script}</script>"
        "</body></html>"
    )


def _printed_size(card: PointsCard, n_risks: int) -> float:
    """Return how large letters may be so that three columns of lines and risks fill one page."""
    parts = [2 + sum(1 + len(o.words) // 28 for o in part.lines) for part in card.parts]
    high = max(sum(parts) / 3, *parts, 0) + n_risks / 3 + 2 * len(_notes(card)) + 6
    return min(max(580 / high, 7.5), 10.5)  # an A4 sheet has about 580 such lines of one point


def _field(card: PointsCard, at: int) -> str:
    """Ask for the value of a column; a number beyond those seen is taken to the nearest of them."""
    column = card.model.schema.columns[at]
    name = f'data-field="{at}" aria-label="{html_text(column.title)}"'
    named = values_named(column, column.two_values)
    if column.categories is not None:
        named = tuple((float(code), name) for code, name in enumerate(column.categories))
    if named:
        options = "".join(
            f'<option value="{v:g}">{html_text(words)}</option>' for v, words in named
        )
        return f'<select {name}><option value=""></option>{options}</select>'
    kind = "date" if column.unit == "date" else "text"
    if (ends := card.seen(at)) is not None:
        low, high = (short_text(end, column.unit) for end in ends)
        words = html_text(f"{low} to {high}")
        name += f' data-low="{ends[0]!r}" data-high="{ends[1]!r}" placeholder="{words}"'
    return f'<input {name} type="{kind}" inputmode="decimal">'
