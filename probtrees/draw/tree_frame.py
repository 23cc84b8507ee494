"""Title, legend and source of a tree's picture, so that a file of it can stand alone."""

from __future__ import annotations

from dataclasses import dataclass

from probtrees.draw.escape import html_text, shorten
from probtrees.draw.palette import CARD_NUMBERS, PAINTS, Legend, Theme

_LONGEST = 140


@dataclass(frozen=True)
class Frame:
    """What stands around the picture.

    Attributes
    ----------
    title : above it
    legend : what its colours mean
    source : where its numbers come from, on one line
    """

    title: str
    legend: Legend
    source: str

    def around(self, dot: str, theme: Theme = "light") -> str:
        """Put the frame around a tree drawn by :func:`~probtrees.draw.tree.tree_dot`."""
        head, root, rest = dot.partition("\nn0 [")
        return "\n".join([head, *self._lines(theme)]) + root + rest + "\n}"

    def _lines(self, theme: Theme) -> list[str]:
        """Write the labels of the graph, and of the cluster that holds its nodes, as DOT."""
        title = html_text(shorten(self.title, _LONGEST))
        source = html_text(shorten(self.source, _LONGEST))
        foot = f"<TR><TD ALIGN='LEFT'>{self._legend(theme)}</TD></TR>" + (
            f"<TR><TD ALIGN='LEFT'><FONT POINT-SIZE='9'>{source}</FONT></TD></TR>"
        )
        colour = PAINTS[theme].text
        return [
            f'graph [labelloc=t, bgcolor="{PAINTS[theme].page}", fontname="Helvetica", '
            f'fontcolor="{colour}", '
            f"label=<<FONT POINT-SIZE='14'><B>{title}</B></FONT>>]",
            "subgraph cluster_tree {",
            "graph [labelloc=b, labeljust=l, peripheries=0, fontsize=11, "
            f"label=<<TABLE BORDER='0' CELLBORDER='0' CELLSPACING='2'>{foot}</TABLE>>]",
        ]

    def _legend(self, theme: Theme) -> str:
        """Draw the scale of the cards and the colours of the bars in one row of cells."""
        cells = []
        if self.legend.colour_by == "class":
            cells.append(_text("cards: most probable class"))
        else:
            low, middle, high = self.legend.ends
            stops = self.legend.stops(theme)
            half = len(stops) // 2 + 1
            parts = [stops[: half - 1], stops[half - 1 :]] if middle else [stops]
            cells.append(_text(low))
            for number, part in enumerate(parts):
                cells += [_patch(colour) for colour in part]
                cells.append(_text(middle if middle and number == 0 else high))
        for colour, name in self.legend.swatches(theme):
            cells += [_text(""), _patch(colour), _text(name)]
        cells.append(_text(f"· {CARD_NUMBERS}"))
        return (
            "<TABLE BORDER='0' CELLBORDER='0' CELLSPACING='1' CELLPADDING='2'>"
            f"<TR>{''.join(cells)}</TR></TABLE>"
        )


def _text(words: str) -> str:
    return f"<TD>{html_text(shorten(words, 90)) or ' '}</TD>"


def _patch(colour: str) -> str:
    return f"<TD FIXEDSIZE='TRUE' WIDTH='14' HEIGHT='10' BGCOLOR='{colour}'></TD>"
