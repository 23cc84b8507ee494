"""Several smoothers' answers for one leaf, side by side on one axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from probtrees.draw.escape import html_text
from probtrees.draw.palette import INTEREST, PAINTS, Theme
from probtrees.words import percent


@dataclass(frozen=True)
class SmootherAnswer:
    """One smoother's answer; ``probability`` is None while it is not known.

    ``text`` is printed instead of the probability, where that is not to be told exactly.
    """

    label: str
    probability: float | None
    current: bool = False
    note: str = ""
    text: str = ""


def estimates_html(
    estimates: Sequence[SmootherAnswer], base_rate: float, *, theme: Theme = "light"
) -> str:
    """Draw one bar per smoother from zero, with the overall rate as a dashed line."""
    paint = PAINTS[theme]
    known = [e.probability for e in estimates if e.probability is not None]
    reach = min(max([base_rate, 0.02, *known]) * 1.1, 1.0)
    lines = "".join(_line(estimate, base_rate, reach, theme) for estimate in estimates)
    return (
        '<table style="width:100%;border-collapse:collapse;font-size:.85rem">'
        f'<caption style="caption-side:bottom;text-align:left;font-size:.75rem;'
        f'color:{paint.faint}">dashed: overall rate {percent(base_rate)}</caption>{lines}</table>'
    )


def _line(estimate: SmootherAnswer, base_rate: float, reach: float, theme: Theme) -> str:
    paint = PAINTS[theme]
    weight = "700" if estimate.current else "400"
    number = "…" if estimate.probability is None else percent(estimate.probability)
    number = html_text(estimate.text) if estimate.text else number
    width = 0.0 if estimate.probability is None else estimate.probability / reach * 100
    colour = paint.accent if estimate.current else INTEREST
    return (
        f'<tr style="font-weight:{weight}" title="{html_text(estimate.note)}">'
        f'<td style="white-space:nowrap;padding:.12rem .5rem .12rem 0;width:1%">'
        f"{html_text(estimate.label)}</td>"
        '<td style="position:relative;padding:0"><div style="position:relative;height:12px;'
        f'background:{paint.card}"><div style="width:{width:.2f}%;height:100%;'
        f'background:{colour}"></div><div style="position:absolute;top:-3px;bottom:-3px;'
        f"left:{base_rate / reach * 100:.2f}%;border-left:2px dashed {paint.faint}"
        '"></div></div></td>'
        f'<td style="text-align:right;white-space:nowrap;padding-left:.5rem;width:1%">{number}</td>'
        "</tr>"
    )
