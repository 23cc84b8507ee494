"""Tables with bars and marks in their cells, as plain HTML that pages and reports keep."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence

from probtrees.draw.escape import html_text
from probtrees.draw.palette import PAINTS, Paint, Theme

_NAME = "padding:.15rem .5rem .15rem 0;overflow-wrap:anywhere;max-width:14rem"
_NUMBER = "text-align:right;white-space:nowrap;padding-left:.5rem;width:1%"

BOLD = "font-weight:700"


def table(
    lines: Iterable[str],
    heads: Sequence[str] = (),
    *,
    n_left: int = 2,
    caption: str = "",
    theme: Theme = "light",
) -> str:
    """Make a table as wide as its place.

    Parameters
    ----------
    lines : as :func:`line` makes them
    heads : words above the columns; after ``n_left`` of them they stand on the right
    caption : words below it
    """
    small = f"font-size:.75rem;color:{PAINTS[theme].faint}"
    right = "right;white-space:nowrap;padding:0 0 0 .5rem"
    sides = ["left;padding:0"] * n_left + [right] * len(heads)
    cells = "".join(
        f'<th style="font-weight:400;text-align:{side}">{html_text(head)}</th>'
        for head, side in zip(heads, sides, strict=False)
    )
    above = f'<tr style="{small}">{cells}</tr>' if heads else ""
    if caption:
        below = f"caption-side:bottom;text-align:left;{small}"
        above = f'<caption style="{below}">{html_text(caption)}</caption>{above}'
    return (
        '<table style="width:100%;border-collapse:collapse;font-size:.85rem">'
        f"{above}{''.join(lines)}</table>"
    )


def line(
    names: Sequence[str],
    marks: Sequence[str] | None,
    numbers: Sequence[str],
    paint: Paint,
    *,
    style: str = "",
    title: str = "",
) -> str:
    """Make a line of a table: names, a strip with marks if there are any, and numbers.

    All are HTML, so texts from data come escaped. ``title`` is read beside the pointer.
    """
    cells = [f'<td style="{_NAME}">{name}</td>' for name in names]
    if marks is not None:
        strip = f"position:relative;height:12px;background:{paint.card}"
        cells.append(
            f'<td style="width:50%;padding:0"><div style="{strip}">{"".join(marks)}</div></td>'
        )
    cells += [f'<td style="{_NUMBER}">{number}</td>' for number in numbers]
    return f'<tr style="{style}" title="{html_text(title)}">{"".join(cells)}</tr>'


def stretch(start: float, end: float, colour: str, look: str = "top:0;bottom:0") -> str:
    """Fill a strip from one place to another, in percent of its width."""
    left, right = sorted((start, end))
    return (
        f'<div style="position:absolute;left:{left:.2f}%;width:{right - left:.2f}%;{look};'
        f'background:{colour}"></div>'
    )


def upright(place: float, border: str) -> str:
    """Draw a line across a strip."""
    return (
        f'<div style="position:absolute;top:-3px;bottom:-3px;left:{place:.2f}%;'
        f'border-left:{border}"></div>'
    )


def parts_bar(parts: Iterable[tuple[float, str, str]], paint: Paint) -> str:
    """Draw parts of a whole side by side: how large, the colour, and what is read on hover."""
    boxes = "".join(
        f'<div title="{html_text(words)}" style="flex:{size:.5f} 1 0;background:{colour}"></div>'
        for size, colour, words in parts
        if size > 0
    )
    frame = f"border:1px solid {paint.line};border-radius:4px;overflow:hidden"
    return f'<div style="display:flex;height:16px;gap:1px;{frame}">{boxes}</div>' if boxes else ""


def swatch(colour: str) -> str:
    """Draw a small box of a colour, to stand before words."""
    box = "display:inline-block;width:.7rem;height:.7rem"
    return f'<span style="{box};background:{colour}"></span>'


def axis_ends(words: Iterable[str], paint: Paint) -> str:
    """Print words below a drawing, from its left end to its right."""
    spans = "".join(f"<span>{html_text(text)}</span>" for text in words)
    return (
        '<div style="display:flex;justify-content:space-between;font-size:.75rem;line-height:1.15;'
        f'color:{paint.faint}">{spans}</div>'
    )


def svg_image(svg: str, style: str, words: str = "") -> str:
    """Put a drawing into an image: pages drop drawings that stand in their text."""
    source = b64encode(svg.encode()).decode()
    return (
        f'<img alt="{words}" title="{words}" src="data:image/svg+xml;base64,{source}" '
        f'style="max-width:none;{style}">'
    )


def legend(parts: Iterable[tuple[str, str]], paint: Paint, title: str = "") -> str:
    """Explain colours: each part is a colour or a gradient, or words to it; a title on hover."""
    spans = []
    for colour, words in parts:
        width = "4rem" if "gradient" in colour else ".8rem"
        box = f"width:{width};height:.8rem;border:1px solid {paint.line};background:{colour}"
        style = "" if words else f' style="display:inline-block;{box}"'
        spans.append(f"<span{style}>{html_text(words)}</span>")
    return (
        f'<div title="{html_text(title)}" '
        'style="display:flex;flex-wrap:wrap;gap:.2rem .4rem;align-items:center;'
        f'font-size:.8rem;color:{paint.faint}">{"".join(spans)}</div>'
    )


def gradient(colours: Sequence[str]) -> str:
    """Run through colours from left to right."""
    return f"linear-gradient(to right,{','.join(colours)})"
