"""The bar that takes a probability apart: whose rows it rests on, without counting any twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from probtrees.draw.escape import html_text
from probtrees.draw.palette import PAINTS, Theme, along


@dataclass(frozen=True)
class Ring:
    """One source of a probability.

    Attributes
    ----------
    label : ``this leaf's 7 rows``, ``the 52 others over 80``, ``the uniform``
    share : the weight it carries, 0 to 1
    points : what it adds to the probability, in percentage points
    cases : ``2 of 7`` or empty
    """

    label: str
    share: float
    points: float
    cases: str = ""


def ring_bar_html(rings: Sequence[Ring], *, theme: Theme = "light") -> str:
    """Draw the shares as one bar, with a line of words for every source."""
    paint = PAINTS[theme]
    strong = (paint.accent, paint.sequential[1])
    colours = [along(strong, k / max(len(rings) - 1, 1)) for k in range(len(rings))]
    bar = "".join(
        f'<div title="{html_text(ring.label)}: {ring.share * 100:.0f} % of the weight" '
        f'style="flex:{max(ring.share, 0.0):.5f} 1 0;background:{colour}"></div>'
        for ring, colour in zip(rings, colours, strict=True)
        if ring.share > 0
    )
    lines = "".join(
        "<tr>"
        f'<td style="padding:.1rem .4rem .1rem 0"><span style="display:inline-block;width:.7rem;'
        f'height:.7rem;background:{colour};border:1px solid {paint.line}"></span></td>'
        f'<td style="padding:.1rem .4rem .1rem 0">{html_text(ring.label)}'
        f'<span style="color:{paint.faint}"> {html_text(ring.cases)}</span></td>'
        f'<td style="text-align:right;white-space:nowrap;padding:.1rem .4rem">'
        f"{ring.share * 100:.0f} %</td>"
        f'<td style="text-align:right;white-space:nowrap">{ring.points:+.1f} points</td></tr>'
        for ring, colour in zip(rings, colours, strict=True)
    )
    return (
        f'<div style="display:flex;height:16px;gap:1px;border:1px solid {paint.line};'
        f'border-radius:4px;overflow:hidden">{bar}</div>'
        f'<table style="width:100%;font-size:.85rem;margin-top:.3rem;border-collapse:collapse">'
        f"{lines}</table>"
    )
