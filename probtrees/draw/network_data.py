"""What the picture of a network on a canvas is made of: plain lists for the browser."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from probtrees.draw.escape import html_text, shorten
from probtrees.draw.network_layout import Arc, NetworkLayout, Size
from probtrees.draw.palette import INTEREST, PAINTS, Theme, along

_LINE = 22
"""Letters of a name on one line; a longer one goes on in the next."""

_MOST_LINES = 3
_MOST_VALUES = 8
_MANY_NODES = 20
"""Boxes beyond which only names, and few values, are shown: the picture can be read as a whole."""
_LETTER, _NAME_HEIGHT, _VALUE_HEIGHT, _PADDING = 7.4, 17.0, 17.0, 8.0
_BAR = 120.0
"""Pixels beside a value's name for its bar and its percentage."""


@dataclass(frozen=True)
class PictureNode:
    """One column in the picture.

    Attributes
    ----------
    detail : a few words below the name
    strength : from 0 to 1, its place on the scale of colours; None: the class
    values, shares : the values with their probabilities, where these are to be shown; a
        probability is NaN where it is not known
    known : the number of the value that is known, -1: none is, -2: something is, but not for sure
    in_conflict : whether what is known of it contradicts what is known of others
    words : what is said about the column beside the pointer
    most_values : how many values are shown
    """

    column: int
    name: str
    detail: str = ""
    strength: float | None = None
    values: tuple[str, ...] = ()
    shares: tuple[float, ...] = ()
    known: int = -1
    in_conflict: bool = False
    words: str = ""
    most_values: int = _MOST_VALUES


@dataclass(frozen=True)
class PictureArc:
    """One arrow: how wide, from 0 to 1, and what is said about it."""

    parent: int
    child: int
    share: float = 0.4
    words: str = ""


@dataclass(frozen=True)
class NetworkPicture:
    """A network to be drawn.

    Attributes
    ----------
    class_arcs : columns that the class points at faintly; their arrows are not laid out
    target : the class
    """

    nodes: Sequence[PictureNode]
    arcs: Sequence[PictureArc]
    class_arcs: Sequence[int] = field(default_factory=tuple)
    target: int | None = None

    @property
    def sizes(self) -> dict[int, Size]:
        """How large every box must be for its words."""
        return {node.column: _size(node) for node in self.nodes}

    @property
    def laid_out(self) -> list[Arc]:
        """The arrows that are laid out."""
        return [(arc.parent, arc.child) for arc in self.arcs]

    @property
    def top(self) -> int | None:
        """The box above all others: a class that points at them."""
        return self.target if self.class_arcs else None


def with_fewer_words(picture: NetworkPicture) -> NetworkPicture:
    """Leave out of the boxes of a large network what stands elsewhere, so that names can be read.

    >>> nodes = [PictureNode(number, "x", "MI 0.1") for number in range(30)]
    >>> with_fewer_words(NetworkPicture(nodes, [])).nodes[0].detail
    ''
    """
    if len(picture.nodes) <= _MANY_NODES:
        return picture
    most = 4 if len(picture.nodes) <= 2 * _MANY_NODES else 3
    nodes = [replace(node, detail="", most_values=most) for node in picture.nodes]
    return replace(picture, nodes=nodes)


def name_lines(name: str) -> list[str]:
    """Break a name into lines; only what would need more than a few is shortened.

    >>> name_lines("fasting blood sugar > 120 mg")
    ['fasting blood sugar >', '120 mg']
    """
    words = shorten(name, _LINE * _MOST_LINES - 6).split(" ")
    lines = [""]
    for word in words:
        for piece in [word[at : at + _LINE] for at in range(0, len(word), _LINE)] or [""]:
            joined = f"{lines[-1]} {piece}".strip()
            if len(joined) > _LINE:
                lines.append(piece)
            else:
                lines[-1] = joined
    return lines


def shown_values(node: PictureNode) -> list[int]:
    """Choose the values to show: all, or the most probable and what is known, in their order."""
    places = range(len(node.values))
    if len(node.values) <= node.most_values:
        return list(places)
    ranked = sorted(places, key=lambda at: (at != node.known, -np.nan_to_num(node.shares[at]), at))
    return sorted(ranked[: node.most_values - 1])


def _size(node: PictureNode) -> Size:
    lines = name_lines(node.name)
    height = _NAME_HEIGHT * len(lines) + 2 * _PADDING + (14.0 if node.detail else 0.0)
    width = max(len(line) for line in lines)
    pixels = max(width * _LETTER, len(node.detail) * 6.2) + 2 * _PADDING
    if node.values:
        shown = shown_values(node)
        more = len(shown) < len(node.values)
        height += _VALUE_HEIGHT * (len(shown) + more) + 4
        longest = max(len(shorten(node.values[at], 24)) for at in shown)
        pixels = max(pixels, longest * 6.4 + _BAR + 2 * _PADDING)
    return max(pixels, 64.0), height


def picture_record(
    picture: NetworkPicture, layout: NetworkLayout, *, theme: Theme = "light"
) -> dict[str, Any]:
    """Write everything the browser draws, texts as they are: it never parses them."""
    paint = PAINTS[theme]
    return {
        "nodes": [_node_record(node, layout, theme) for node in picture.nodes],
        "arcs": [
            [
                arc.parent,
                arc.child,
                _rounded(layout.curves[arc.parent, arc.child]),
                arc.share,
                arc.words,
            ]
            for arc in picture.arcs
            if (arc.parent, arc.child) in layout.curves
        ],
        "classArcs": list(picture.class_arcs),
        "target": picture.target,
        "width": round(layout.width, 1),
        "height": round(layout.height, 1),
        "paint": {
            "text": paint.text,
            "faint": paint.faint,
            "page": paint.page,
            "line": paint.line,
            "accent": paint.accent,
            "mark": paint.mark,
            "bar": INTEREST,
            "track": paint.card,
        },
    }


def _node_record(node: PictureNode, layout: NetworkLayout, theme: Theme) -> dict[str, Any]:
    paint = PAINTS[theme]
    is_class = node.strength is None
    shown = shown_values(node) if node.values else []
    left_out = len(node.values) - len(shown)
    return {
        "column": node.column,
        "box": _rounded(layout.boxes[node.column]),
        "lines": name_lines(node.name),
        "detail": node.detail,
        "fill": paint.accent if is_class else along(paint.sequential, node.strength or 0.0),
        "ink": paint.page if is_class else _ink(along(paint.sequential, node.strength or 0.0)),
        # JSON has no NaN: what is not known is null.
        "values": [
            [at, shorten(node.values[at], 24), None if math.isnan(share) else share]
            for at, share in ((at, node.shares[at]) for at in shown)
        ],
        "more": f"{left_out} more" if left_out else "",
        "known": node.known,
        "conflict": node.in_conflict,
        "words": node.words,
    }


def _ink(fill: str) -> str:
    """Choose the text colour with the stronger contrast."""
    return max(("#000000", "#ffffff"), key=lambda ink: contrast(fill, ink))


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours as the accessibility guidelines define it, 1 to 21.

    >>> round(contrast("#ffffff", "#000000"))
    21
    """
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _rounded(numbers: Sequence[float]) -> list[float]:
    return [round(number, 1) for number in numbers]


def network_legend(
    scale: tuple[str, str, str], widths: tuple[str, str] | None, *, theme: Theme = "light"
) -> str:
    """Explain colours and widths: what they stand for, and the numbers at both ends.

    Parameters
    ----------
    scale : what boxes are coloured by, its lowest and its highest value in words
    widths : what arrows are wide by, and what the widest stands for; None: all are alike
    """
    paint = PAINTS[theme]
    what, low, high = (html_text(words) for words in scale)
    strip = (
        '<span style="display:inline-block;width:5rem;height:.8rem;border-radius:3px;'
        f'background:linear-gradient(to right,{",".join(paint.sequential)})"></span>'
    )
    parts = [f"<span>{what}: {low} {strip} {high}</span>"]
    if widths is not None:
        bars = "".join(
            f'<span style="display:inline-block;width:1.4rem;height:{height}px;margin-right:.2rem;'
            f'vertical-align:middle;background:{paint.faint}"></span>'
            for height in (1, 3, 5)
        )
        parts.append(f"<span>arrows: {html_text(widths[0])} {bars} {html_text(widths[1])}</span>")
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;align-items:center;'
        f'font-size:.8rem;color:{paint.faint}">{"".join(parts)}</div>'
    )


def in_scale(values: Mapping[int, float]) -> dict[int, float]:
    """Place values between nothing and the largest of them.

    >>> in_scale({1: 0.0, 2: 0.5, 3: 1.0})
    {1: 0.0, 2: 0.5, 3: 1.0}
    """
    most = max(values.values(), default=0.0)
    return {key: value / most if most > 0 else 0.0 for key, value in values.items()}
