"""What the colours of a tree's picture mean, in one line."""

from __future__ import annotations

from collections.abc import Sequence

from probtrees.draw.escape import html_text, shorten
from probtrees.draw.node_card import ColourBy
from probtrees.draw.palette import PAINTS, Theme, outcome_colours
from probtrees.words import percent


def legend_html(
    colour_by: ColourBy,
    names: Sequence[str],
    outcome: int,
    base_rate: float,
    *,
    theme: Theme = "light",
) -> str:
    """Explain the cards' colours and the bars' colours."""
    paint = PAINTS[theme]
    ends = {
        "lift": (
            "far below",
            f"overall {percent(base_rate)}",
            f"far above · chance of {names[outcome]}",
        ),
        "rows": ("few rows", "", "many rows"),
        "difference": ("the smoothers agree", "", "they differ"),
    }
    stops = paint.diverging if colour_by == "lift" else paint.sequential
    parts = [] if colour_by == "class" else [_scale(stops, *ends[colour_by])]
    if colour_by == "class":
        parts.append("<span>cards: most probable class</span>")
    colours = outcome_colours(len(names), outcome, theme)
    listed = sorted(range(len(names)), key=lambda k: (k != outcome, k))[:10]
    parts += [_swatch(colours[k], names[k]) for k in listed]
    if len(names) > len(listed):
        parts.append(_swatch(paint.rest, f"{len(names) - len(listed)} others"))
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:.2rem .9rem;align-items:center;'
        f'font-size:.8rem;color:{paint.faint}">{"".join(parts)}</div>'
    )


def _scale(stops: Sequence[str], low: str, middle: str, high: str) -> str:
    width = "6rem" if middle else "4rem"
    middle_text = f"<span>{html_text(middle)}</span>" if middle else ""
    half = len(stops) // 2 + 1
    bars = [stops[:half], stops[half - 1 :]] if middle else [stops]
    strips = [
        f'<span style="display:inline-block;width:{width};height:.8rem;border-radius:3px;'
        f'background:linear-gradient(to right,{",".join(bar)})"></span>'
        for bar in bars
    ]
    inner = middle_text.join(strips) if middle else strips[0]
    return (
        '<span style="display:inline-flex;gap:.35rem;align-items:center;flex-wrap:wrap">'
        f"<span>{html_text(low)}</span>{inner}<span>{html_text(shorten(high, 60))}</span></span>"
    )


def _swatch(colour: str, name: str) -> str:
    return (
        '<span style="display:inline-flex;gap:.3rem;align-items:center">'
        f'<span style="display:inline-block;width:.8rem;height:.8rem;background:{colour}"></span>'
        f"{html_text(shorten(name, 40))}</span>"
    )
