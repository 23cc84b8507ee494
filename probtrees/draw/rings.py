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
    label : ``these 7 rows (2 cases)``, ``the 52 others where age is above 80 (3 cases)``
    share : the weight it carries, 0 to 1
    share_text, points_text : the weight, and what it adds to the probability, as printed;
        rounded by the caller so that the printed numbers add up
    """

    label: str
    share: float
    share_text: str
    points_text: str


def ring_bar_html(rings: Sequence[Ring], *, theme: Theme = "light") -> str:
    """Draw the shares as one bar, with a line of words for every source."""
    paint = PAINTS[theme]
    strong = (paint.accent, paint.sequential[1])
    colours = [along(strong, k / max(len(rings) - 1, 1)) for k in range(len(rings))]
    bar = "".join(
        f'<div title="{html_text(ring.label)}: {html_text(ring.share_text)} of the weight" '
        f'style="flex:{max(ring.share, 0.0):.5f} 1 0;background:{colour}"></div>'
        for ring, colour in zip(rings, colours, strict=True)
        if ring.share > 0
    )
    lines = "".join(
        "<tr>"
        f'<td style="padding:.1rem .4rem .1rem 0"><span style="display:inline-block;width:.7rem;'
        f'height:.7rem;background:{colour};border:1px solid {paint.line}"></span></td>'
        f'<td style="padding:.1rem .4rem .1rem 0">{html_text(ring.label)}</td>'
        f'<td style="text-align:right;white-space:nowrap;padding:.1rem .4rem">'
        f"{html_text(ring.share_text)}</td>"
        f'<td style="text-align:right;white-space:nowrap">{html_text(ring.points_text)}</td></tr>'
        for ring, colour in zip(rings, colours, strict=True)
    )
    return (
        f'<div style="display:flex;height:16px;gap:1px;border:1px solid {paint.line};'
        f'border-radius:4px;overflow:hidden">{bar}</div>'
        f'<table style="width:100%;font-size:.85rem;margin-top:.3rem;border-collapse:collapse">'
        f"{lines}</table>"
    )
