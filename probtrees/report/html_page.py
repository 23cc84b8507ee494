"""One self-contained HTML page: headings, text, tables and charts, no outside request."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from probtrees.draw.escape import html_lines, html_text
from probtrees.draw.palette import PAINTS, Theme
from probtrees.draw.picture_file import render

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

_ASSETS = Path(__file__).parent / "assets"
_LEGIBLE = 0.7
"""The smallest share of its natural size at which a picture's text can be read."""

_WIDTH = re.compile(r'<svg width="(\d+)pt"')
_ID = re.compile(r'\bid="([^"]*)"')


class HtmlPage:
    """Collects the parts of a page; every text given to it is shown as it is.

    The page follows the reader's choice of a light or a dark screen and is light on paper.

    >>> page = HtmlPage("A <report>")
    >>> page.text("1 < 2")
    >>> "<p>1 &lt; 2</p>" in page.render()
    True
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self._parts: list[str] = []
        self._has_charts = False
        self._has_sorting = False

    def heading(self, text: str) -> None:
        """Begin a section."""
        self._parts.append(f"<h2>{html_text(text)}</h2>")

    def text(self, text: str, *, note: bool = False) -> None:
        """Add a paragraph; a note is set in a paler colour."""
        kind = ' class="note"' if note else ""
        self._parts.append(f"<p{kind}>{html_text(text)}</p>")

    def bullets(self, texts: Sequence[str]) -> None:
        """Add a list."""
        items = "".join(f"<li>{html_text(text)}</li>" for text in texts)
        self._parts.append(f"<ul>{items}</ul>")

    def words(self, text: str) -> None:
        """Add what the writer of the page has to say, in the writer's own lines."""
        self._parts.append(f'<div class="words">{html_lines(text.splitlines())}</div>')

    def preformatted(self, text: str, *, folded: str = "") -> None:
        """Add lines that keep their places, such as a formula or an outline."""
        lines = html_lines(text.splitlines())
        self._parts.append(_folded(f'<div class="wide"><pre>{lines}</pre></div>', folded))

    def table(
        self,
        rows: Sequence[Sequence[str]],
        *,
        caption: str = "",
        marked: Sequence[int] = (),
        folded: str = "",
        sortable: bool = False,
        in_words: bool = False,
    ) -> None:
        """Add a table.

        Parameters
        ----------
        rows : the first one is the header
        caption : a line above it
        marked : numbers of the rows to be set in bold, the first after the header being 0
        folded : if given, the table is opened by a click on this text
        sortable : whether a click on a column's head sorts by it
        in_words : whether all columns hold words, set from the left
        """
        head = "".join(f'<th scope="col">{html_text(cell)}</th>' for cell in rows[0])
        body = "".join(
            f"<tr{' class=marked' if number in marked else ''}>"
            + "".join(f"<td>{html_text(cell)}</td>" for cell in row)
            + "</tr>"
            for number, row in enumerate(rows[1:])
        )
        title = f"<caption>{html_text(caption)}</caption>" if caption else ""
        kind = f' class="{"sortable" if sortable else "in-words"}"' if sortable or in_words else ""
        table = (
            f'<div class="wide"><table{kind}>{title}<thead><tr>{head}</tr></thead>'
            f"<tbody>{body}</tbody></table></div>"
        )
        self._has_sorting |= sortable
        self._parts.append(_folded(table, folded))

    def chart(self, figure: Figure) -> None:
        """Add a plotly chart, drawn by the script inside the page."""
        config = {"responsive": True, "displaylogo": False}
        self._parts.append(figure.to_html(full_html=False, include_plotlyjs=False, config=config))
        self._has_charts = True

    def markup(self, markup: str) -> None:
        """Add a picture that is markup already, such as an SVG this package drew."""
        self._parts.append(markup)

    def themed(self, draw: Callable[[Theme], str]) -> None:
        """Add markup whose colours depend on the page: drawn twice, one of them shown."""
        self._parts.append(
            f'<div class="on-light">{draw("light")}</div><div class="on-dark">{draw("dark")}</div>'
        )

    def open_card(self) -> None:
        """Begin a box that is not torn apart by the end of a printed page."""
        self._parts.append('<section class="card">')

    def close_card(self) -> None:
        """End the box."""
        self._parts.append("</section>")

    def render(self) -> str:
        """Write the page."""
        script = ""
        if self._has_charts:
            from plotly.offline import get_plotlyjs  # noqa: PLC0415 - slow to load

            script = f"<script>{get_plotlyjs()}</script>"
        assets = [("sort_table.js", self._has_sorting), ("chart_theme.js", self._has_charts)]
        end = "".join(f"<script>{_asset(name)}</script>" for name, wanted in assets if wanted)
        title = html_text(self.title)
        return (
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{title}</title><style>{self._style()}</style>{script}</head>"
            f"<body><h1>{title}</h1>\n" + "\n".join(self._parts) + f"\n{end}</body></html>\n"
        )

    def _style(self) -> str:
        """Write the style: colours by theme, then everything else."""
        lines = [f":root {{ {_colours('light')} color-scheme: light; }}", ".on-dark {display:none}"]
        dark = f":root {{ {_colours('dark')} color-scheme: dark; }}"
        shown = ".on-light {display:none} .on-dark {display:block}"
        lines.append(f"@media screen and (prefers-color-scheme: dark) {{ {dark} {shown} }}")
        return "\n".join([*lines, _asset("html_page.css")])


def report_picture(dot: str, name: str) -> str:
    """Lay a Graphviz picture out as a part of a page, scrolled sideways if it is wide.

    Parameters
    ----------
    dot : the picture
    name : what tells it from other pictures of the page; becomes part of its elements' ids
    """
    svg = render(dot).decode("utf-8")
    svg = _ID.sub(f'id="{name}-\\1"', svg[svg.index("<svg") :])
    if found := _WIDTH.match(svg):
        smallest = float(found[1]) * _LEGIBLE
        svg = svg.replace("<svg", f'<svg style="max-width:100%;min-width:{smallest:.0f}pt"', 1)
    return f'<div class="wide picture">{svg}</div>'


def _folded(markup: str, words: str) -> str:
    """Hide markup behind a line that opens it, if there is one."""
    if not words:
        return markup
    return f"<details><summary>{html_text(words)}</summary>{markup}</details>"


def _colours(theme: Theme) -> str:
    paint = PAINTS[theme]
    return " ".join(
        f"--{name}: {getattr(paint, name)};"
        for name in ("text", "faint", "page", "card", "line", "accent")
    )


def _asset(name: str) -> str:
    return (_ASSETS / name).read_text(encoding="utf-8")
