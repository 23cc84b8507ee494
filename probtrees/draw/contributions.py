"""What each table of a network adds to the odds of an outcome, as bars around a middle line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from probtrees.draw.escape import html_text, shorten
from probtrees.draw.palette import INTEREST, OTHERS, PAINTS, Theme

_LONGEST = 60


@dataclass(frozen=True)
class Contribution:
    """What one table adds: its attribute, the row's value, the change of the log odds."""

    name: str
    value: str
    log_odds: float


def contributions_html(parts: Sequence[Contribution], *, theme: Theme = "light") -> str:
    """Draw a bar per table, to the right for the outcome, to the left against it."""
    reach = max((abs(part.log_odds) for part in parts), default=0.0) or 1.0
    lines = "".join(_line(part, reach, theme) for part in parts)
    total = sum(part.log_odds for part in parts)
    faint = PAINTS[theme].faint
    return (
        '<table style="width:100%;border-collapse:collapse;font-size:.85rem">'
        f'<tr style="color:{faint};text-align:left"><th style="font-weight:400">table</th>'
        '<th style="font-weight:400">this row</th><th style="font-weight:400;text-align:center">'
        "against · for</th>"
        '<th style="font-weight:400;text-align:right">log odds</th></tr>'
        f'{lines}<tr style="font-weight:700;border-top:1px solid {PAINTS[theme].line}">'
        f'<td>together</td><td></td><td></td><td style="text-align:right">{total:+.3f}</td></tr>'
        "</table>"
    )


def _line(part: Contribution, reach: float, theme: Theme) -> str:
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
