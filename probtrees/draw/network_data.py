"""What the picture of a network on a canvas is made of: plain lists for the browser."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap
from typing import Any, TypeVar

import numpy as np

from probtrees.draw import markup
from probtrees.draw.escape import shorten
from probtrees.draw.network_arrows import Arc
from probtrees.draw.network_layout import NetworkLayout, Size
from probtrees.draw.palette import INTEREST, PAINTS, Theme, along, ink_on
from probtrees.grow.count.chance_information import BeyondChance
from probtrees.grow.dag import Dag
from probtrees.table.dataset import Schema

K = TypeVar("K")

_LINE = 22
"""Letters of a name on one line; a longer one goes on in the next."""

_MOST_LINES = 3
_MOST_VALUES = 8
_MANY_NODES = 20
"""Boxes beyond which only names, and few values, are shown: the picture can be read as a whole."""
_LETTER, _NAME_HEIGHT, _VALUE_HEIGHT, _PADDING = 7.4, 17.0, 17.0, 8.0
_BAR = 120.0
"""Pixels beside a value's name for its bar and its percentage."""

_COMPACT_LINE, _COMPACT_VALUE = 17, 14
"""Letters of a name on one line, and of a value, in a box of a large network."""

_COMPACT_BAR, _COMPACT_PADDING = 46.0, 5.0
"""Pixels beside a value's name: its percentage alone, since the bar lies behind the words."""

_PAINT = ("text", "faint", "page", "line", "accent", "mark")
_CLASS_HEIGHT, _COMPACT_HEIGHT = 60.0, 48.0
"""Pixels that the boxes of the class, and of others, have at least in a large network."""


@dataclass(frozen=True)
class PictureNode:
    """One column in the picture.

    Attributes
    ----------
    title : what stands in the box instead of the name
    detail : a few words below the name
    strength : from 0 to 1, its place on the scale of colours; None: the class
    values, shares : the values with their probabilities, where these are to be shown; a
        probability is NaN where it is not known
    known : the number of the value that is known, -1: none is, -2: something is, but not for sure
    in_conflict : whether what is known of it contradicts what is known of others
    before : the probabilities with nothing known, where something is
    is_apart : whether it tells nothing more, given what is known
    words : what is said about the column beside the pointer
    most_values : how many values are shown
    compact : whether bars lie behind the words, so that the box is small
    """

    column: int
    name: str
    detail: str = ""
    strength: float | None = None
    values: tuple[str, ...] = ()
    shares: tuple[float, ...] = ()
    known: int = -1
    in_conflict: bool = False
    before: tuple[float, ...] = ()
    is_apart: bool = False
    words: str = ""
    most_values: int = _MOST_VALUES
    compact: bool = False
    title: str = ""

    @property
    def lines(self) -> list[str]:
        """The name as it is written in the box."""
        return name_lines(self.title or self.name, _COMPACT_LINE if self.compact else _LINE)

    def value_text(self, value: int) -> str:
        """Name a value as it is written in the box."""
        return shorten(self.values[value], _COMPACT_VALUE if self.compact else 24)


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
    class_arcs : arrows of a class that points at all, drawn faintly; they move no box
    target : the class
    """

    nodes: Sequence[PictureNode]
    arcs: Sequence[PictureArc]
    class_arcs: Sequence[PictureArc] = ()
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


def network_picture(
    dag: Dag, target: int, nodes: Sequence[PictureNode], arcs: Iterable[PictureArc]
) -> NetworkPicture:
    """Put boxes and arrows together; those of a class that points at all are drawn faintly."""
    all_arcs = list(arcs)
    points_at_all = all(target in dag.parents[each] for each in dag.columns if each != target)
    of_class = [arc for arc in all_arcs if points_at_all and arc.parent == target]
    shown = [arc for arc in all_arcs if arc not in of_class]
    return NetworkPicture(nodes, shown, of_class, target)


def plain_network(
    dag: Dag, schema: Schema, told: Mapping[int, BeyondChance], adds: Mapping[Arc, BeyondChance]
) -> NetworkPicture:
    """Put a network together of which nothing is asked.

    Parameters
    ----------
    told, adds : what columns tell about the class, and arrows about their ends, where that is known
    """
    target = schema.target_column
    shades = _in_scale(
        {column: each.bits for column, each in told.items() if column in dag.columns}
    )
    widths = _in_scale({arc: each.bits for arc, each in adds.items() if target not in arc})
    words = {arc: f"adds {each.words}" for arc, each in adds.items()}
    nodes = [_node(schema, dag, c, shades.get(c, 0.0), told.get(c)) for c in dag.columns]
    arcs = [
        PictureArc(*arc, widths.get(arc, 0.4), arrow_words(schema, arc, words.get(arc, "")))
        for arc in dag.arcs
    ]
    return network_picture(dag, target, nodes, arcs)


def _node(
    schema: Schema, dag: Dag, column: int, strength: float, told: BeyondChance | None
) -> PictureNode:
    """Describe the box of a column, with what it tells about the class where that is known."""
    box = schema.columns[column]
    words = f"{box.full_title}\ndepends on {parents_text(schema, dag, column)}"
    if column == schema.target_column:
        return PictureNode(column, box.name, "the class", words=words, title=box.title)
    words += "" if told is None else f"\ntells {told.words} about the class"
    detail = "" if told is None else f"{told.bits:.3f} bits"
    return PictureNode(column, box.name, detail, strength, words=words, title=box.title)


def parents_text(schema: Schema, dag: Dag, column: int) -> str:
    """Name what a column depends on."""
    return ", ".join(schema.titles[parent] for parent in dag.parents[column]) or "nothing"


def arrow_words(schema: Schema, arc: Arc, about: str = "") -> str:
    """Name an arrow, with what is said about it."""
    return f"{schema.titles[arc[0]]} → {schema.titles[arc[1]]}\n{about}".strip()


def with_fewer_words(picture: NetworkPicture) -> NetworkPicture:
    """Leave out of the boxes of a large network what stands elsewhere, so that names can be read.

    >>> nodes = [PictureNode(number, "x", "0.1 bits") for number in range(30)]
    >>> with_fewer_words(NetworkPicture(nodes, [])).nodes[0].detail
    ''
    """
    if len(picture.nodes) <= _MANY_NODES:
        return picture
    has_values = any(node.values for node in picture.nodes)
    nodes = [replace(node, detail="", most_values=3, compact=has_values) for node in picture.nodes]
    return replace(picture, nodes=nodes)


def name_lines(name: str, most: int = _LINE) -> list[str]:
    """Break a name into lines of ``most`` letters; what would need many is shortened.

    >>> name_lines("fasting blood sugar > 120 mg")
    ['fasting blood sugar >', '120 mg']
    """
    return wrap(shorten(name, most * _MOST_LINES - 6), most) or [""]


def shown_values(node: PictureNode) -> list[int]:
    """Choose the values to show: all, or the most probable and what is known, in their order."""
    places = range(len(node.values))
    if len(node.values) <= node.most_values:
        return list(places)
    ranked = sorted(places, key=lambda at: (at != node.known, -np.nan_to_num(node.shares[at]), at))
    return sorted(ranked[: node.most_values - 1])


def _size(node: PictureNode) -> Size:
    padding = _COMPACT_PADDING if node.compact else _PADDING
    height = _NAME_HEIGHT * len(node.lines) + 2 * padding + (14.0 if node.detail else 0.0)
    width = max(len(line) for line in node.lines)
    pixels = max(width * _LETTER, len(node.detail) * 6.2) + 2 * padding
    if node.values:
        shown = shown_values(node)
        more = len(shown) < len(node.values)
        height += _VALUE_HEIGHT * (len(shown) + more) + 4
        # Of all values: which of many are shown changes with what is known, boxes do not move.
        longest = max(len(node.value_text(at)) for at in range(len(node.values)))
        beside = _COMPACT_BAR if node.compact else _BAR
        pixels = max(pixels, longest * 6.4 + beside + 2 * padding)
    if node.compact:
        # Where values are too small to be read the name is drawn larger, broken into its words.
        is_class = node.strength is None
        word = max(len(word) for line in node.lines for word in line.split(" "))
        pixels = max(pixels, word * _LETTER * (2.0 if is_class else 1.4) + 2 * padding)
        height = max(height, _CLASS_HEIGHT if is_class else _COMPACT_HEIGHT)
    return max(pixels, 64.0), height


def picture_record(
    picture: NetworkPicture, layout: NetworkLayout, *, theme: Theme = "light"
) -> dict[str, Any]:
    """Write everything the browser draws, texts as they are: it never parses them."""
    paint = PAINTS[theme]
    return {
        "nodes": [_node_record(node, layout, theme) for node in picture.nodes],
        "arcs": [_arc_record(arc, layout) for arc in picture.arcs],
        "classArcs": [_arc_record(arc, layout) for arc in picture.class_arcs],
        "target": picture.target,
        "width": round(layout.width, 1),
        "height": round(layout.height, 1),
        "paint": {
            **{name: getattr(paint, name) for name in _PAINT},
            "bar": INTEREST,
            "track": paint.card,
            "behind": paint.diverging[-2],
        },
    }


def _arc_record(arc: PictureArc, layout: NetworkLayout) -> list[Any]:
    curve = [round(number, 1) for number in layout.curves[arc.parent, arc.child]]
    return [arc.parent, arc.child, curve, arc.share, arc.words]


def _node_record(node: PictureNode, layout: NetworkLayout, theme: Theme) -> dict[str, Any]:
    paint = PAINTS[theme]
    fill, ink = paint.accent, paint.page
    if node.is_apart:
        fill, ink = paint.card, paint.faint
    elif node.strength is not None:
        fill = along(paint.sequential, node.strength)
        ink = ink_on(fill)
    shown = shown_values(node) if node.values else []
    left_out = len(node.values) - len(shown)
    before = node.before or (math.nan,) * len(node.values)
    return {
        "column": node.column,
        "box": [round(number, 1) for number in layout.boxes[node.column]],
        "lines": node.lines,
        "compact": node.compact,
        "detail": node.detail,
        "fill": fill,
        "ink": ink,
        # JSON has no NaN: what is not known is null.
        "values": [
            [at, node.value_text(at)]
            + [None if math.isnan(each) else each for each in (node.shares[at], before[at])]
            for at in shown
        ],
        "more": f"{left_out} more" if left_out else "",
        "known": node.known,
        "conflict": node.in_conflict,
        "apart": node.is_apart,
        "words": node.words,
    }


def network_legend(
    scale: tuple[str, str, str], widths: tuple[str, str] | None, *, theme: Theme = "light"
) -> str:
    """Explain colours and widths: what they stand for, and the numbers at both ends.

    Parameters
    ----------
    scale : what boxes are coloured by, its lowest and its highest value in words
    widths : what arrows are wide by, and what the widest stands for; None: all are alike
    """
    what, low, high = scale
    paint = PAINTS[theme]
    parts = [("", f"{what}: {low}"), (markup.gradient(paint.sequential), ""), ("", high)]
    if widths is not None:
        parts.append(("", f"· arrows: {widths[0]}, up to {widths[1]}"))
    more = "The stronger or wider the more; information is what there is beyond chance."
    return markup.legend(parts, paint, more)


def _in_scale(values: Mapping[K, float]) -> dict[K, float]:
    """Place values between nothing and the largest of them.

    >>> _in_scale({1: 0.0, 2: 0.5, 3: 1.0})
    {1: 0.0, 2: 0.5, 3: 1.0}
    """
    most = max(values.values(), default=0.0)
    return {key: value / most if most > 0 else 0.0 for key, value in values.items()}
