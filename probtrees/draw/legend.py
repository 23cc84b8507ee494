"""What the colours of a tree's picture mean: on a page, as parts of one, and inside a file.

A file of a picture can stand alone: it has a title, the legend and its source around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from probtrees.draw import markup
from probtrees.draw.escape import html_text, shorten
from probtrees.draw.node_card import base_rate
from probtrees.draw.palette import PAINTS, ColourBy, Theme, bar_colours
from probtrees.explain.rule import outcome_names
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Schema
from probtrees.words import after_number, percent

CARD_NUMBERS = "bold numbers, bars and colours are smoothed; counts as observed"
_LONGEST = 140


@dataclass(frozen=True)
class Legend:
    """What the colours of a picture of a tree mean.

    Attributes
    ----------
    colour_by : what the cards are coloured by
    names, outcome : the outcomes, and the one of interest
    base_rate : how often that one occurs
    target : the column whose outcomes they are
    compared : the two smoothers whose difference is shown
    farthest : where the scale of their difference ends
    """

    colour_by: ColourBy
    names: Sequence[str]
    outcome: int
    base_rate: float
    target: str = ""
    compared: tuple[str, str] = ("one smoother", "the other")
    farthest: float = 1.0

    @classmethod
    def of_tree(cls, smoothed: SmoothedTree, schema: Schema, outcome: int) -> Legend:
        """Explain the colours around the base rate of a tree."""
        tree, target = smoothed.tree, schema.columns[smoothed.tree.target].title
        names = outcome_names(tree, schema)
        return cls("lift", names, outcome, base_rate(tree, outcome), target)

    @property
    def ends(self) -> tuple[str, str, str]:
        """What the scale says at its beginning, in its middle and at its end."""
        is_of = f"{shorten(self.target, 40)} = " if self.target else ""
        first, second = self.compared
        return {
            "lift": (
                f"chance of {is_of}{self.names[self.outcome]}: below",
                f"{percent(self.base_rate)} overall",
                "above",
            ),
            "rows": ("few rows", "", "many rows"),
            "difference": (
                f"{first} and, in brackets, {second} agree",
                f"{50 * self.farthest:g} percentage points apart",
                f"{100 * self.farthest:g}",
            ),
            "acting": ("leave alone", "", "act"),
        }[self.colour_by]

    def swatches(self, theme: Theme) -> list[tuple[str, str]]:
        """List the colours of the outcomes in the bars, with their names."""
        colours = bar_colours(len(self.names), self.outcome, theme)
        listed = [(colour, after_number(self.names[k])) for k, colour in colours.items()]
        more = [(PAINTS[theme].rest, f"{len(listed) - 10} others")] if len(listed) > 10 else []
        return [*listed[:10], *more]

    def scale(self, theme: Theme) -> list[str | tuple[str, ...]]:
        """List words and strips of colours in turn, from the beginning of the scale to its end."""
        if self.colour_by == "class":
            return ["cards: most probable class"]
        low, middle, high = (shorten(words, 90) for words in self.ends)
        paint = PAINTS[theme]
        stops = paint.diverging if self.colour_by == "lift" else paint.sequential
        stops = paint.diverging[3:] if self.colour_by == "acting" else stops
        half = len(stops) // 2 + 1
        if not middle:
            return [low, stops, high]
        return [low, stops[:half], middle, stops[half - 1 :], high]


def legend_parts(legend: Legend, theme: Theme) -> list[tuple[str, str]]:
    """List what a legend is made of for a page that draws it itself: a paint, or words."""
    parts = [
        ("", part) if isinstance(part, str) else (markup.gradient(part), "")
        for part in legend.scale(theme)
    ]
    for colour, name in legend.swatches(theme):
        parts += [(colour, ""), ("", shorten(name, 40))]
    return [*parts, ("", CARD_NUMBERS)]


def legend_html(legend: Legend, *, is_short: bool = False, theme: Theme) -> str:
    """Explain the cards' colours and the bars' colours; in short, what tells most."""
    parts = legend_parts(legend, theme)
    if is_short:
        # Of two outcomes a bar is as long as the number beside it.
        n_more = 2 * len(legend.swatches(theme)) if len(legend.names) == 2 else 0
        parts = parts[: -1 - n_more]
    return markup.legend(parts, PAINTS[theme], CARD_NUMBERS)


def framed_dot(dot: str, title: str, legend: Legend, source: str, theme: Theme) -> str:
    """Put a title, a legend and where the numbers come from around a tree, to stand in a file.

    The tree is drawn by :func:`~probtrees.draw.tree.tree_dot`.
    """
    title, source = (html_text(shorten(text, _LONGEST)) for text in (title, source))
    below = (_legend_row(legend, theme), f"<FONT POINT-SIZE='9'>{source}</FONT>")
    foot = "".join(f"<TR><TD ALIGN='LEFT'>{part}</TD></TR>" for part in below)
    lines = [
        f'graph [bgcolor="{PAINTS[theme].page}", label=""]',
        f"head [label=<<FONT POINT-SIZE='14'><B>{title}</B></FONT>>]",
        f"foot [label=<<TABLE BORDER='0' CELLBORDER='0' CELLSPACING='2'>{foot}</TABLE>>]",
    ]
    return "\n".join([dot.rstrip().removesuffix("}").rstrip(), *lines, "}"])


def _legend_row(legend: Legend, theme: Theme) -> str:
    """Draw the scale of the cards and the colours of the bars in one row of cells."""
    scale, cells = legend.scale(theme), []
    for number, part in enumerate(scale):
        if isinstance(part, str):
            cells.append(_cell(part))
        else:  # the colour in the middle ends one strip and begins the next
            shown = part[:-1] if number < len(scale) - 2 else part
            cells += [_patch(colour) for colour in shown]
    for colour, name in legend.swatches(theme):
        cells += [_cell(""), _patch(colour), _cell(name)]
    cells.append(_cell(f"· {CARD_NUMBERS}"))
    table = "<TABLE BORDER='0' CELLBORDER='0' CELLSPACING='1' CELLPADDING='2'>"
    return f"{table}<TR>{''.join(cells)}</TR></TABLE>"


def _cell(words: str) -> str:
    return f"<TD>{html_text(shorten(words, 90)) or ' '}</TD>"


def _patch(colour: str) -> str:
    return f"<TD FIXEDSIZE='TRUE' WIDTH='14' HEIGHT='10' BGCOLOR='{colour}'></TD>"
