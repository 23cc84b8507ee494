"""One self-contained HTML page: headings, text, tables and charts, no outside request.

Every report ends with where all its numbers come from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from probtrees.draw.escape import html_lines, html_text
from probtrees.draw.palette import PAINTS, Theme
from probtrees.draw.picture_file import render
from probtrees.errors import ProbTreesError
from probtrees.table.dataset import Provenance
from probtrees.version import __version__

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

_ASSETS = Path(__file__).parent / "assets"
_LEGIBLE = (0.5, 0.7)
"""The shares of its natural size at which a picture's text can be read at all, and on a phone."""

_HIDDEN = "not shown: by it"
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

    def heading(self, text: str, note: str = "") -> None:
        """Begin a section, with a note on how it is read."""
        self._parts.append(f"<h2>{html_text(text)}</h2>")
        if note:
            self.text(note, note=True)

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
        in_words: bool = False,
    ) -> None:
        """Add a table; a click on a column's head sorts by it.

        Parameters
        ----------
        rows : the first one is the header
        caption : a line above it
        marked : numbers of the rows to be set in bold, the first after the header being 0
        folded : if given, the table is opened by a click on this text
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
        table = (
            f'<div class="wide"><table class="{"in-words" if in_words else "sortable"}">{title}'
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
        )
        self._parts.append(_folded(table, folded))

    def listed(
        self,
        things: Sequence[Any],
        columns: Mapping[str, Callable[[Any], str]],
        is_marked: Callable[[Any], bool] = lambda thing: False,
        **options: Any,
    ) -> None:
        """Add a table with a line for each of some things.

        Parameters
        ----------
        columns : by its head, what a column says of a thing
        is_marked : whether the line of a thing is set in bold
        options : of :meth:`table`
        """
        lines = [[says(thing) for says in columns.values()] for thing in things]
        marked = [number for number, thing in enumerate(things) if is_marked(thing)]
        self.table([list(columns), *lines], marked=marked, **options)

    def chart(self, figure: Figure) -> None:
        """Add a plotly chart, drawn by the script inside the page."""
        config = {"responsive": True, "displaylogo": False}
        self._parts.append(figure.to_html(full_html=False, include_plotlyjs=False, config=config))
        self._has_charts = True

    def markup(self, markup: str) -> None:
        """Add a picture that is markup already, such as an SVG this package drew."""
        self._parts.append(markup)

    def themed(self, draw: Callable[[Theme], str]) -> None:
        """Add markup whose colours depend on the page: drawn twice, one of them shown.

        Where it cannot be laid out, that is said.
        """
        try:
            drawn = f'<div class="on-light">{draw("light")}</div>'
            self._parts.append(f'{drawn}<div class="on-dark">{draw("dark")}</div>')
        except ProbTreesError as problem:
            self.text(str(problem), note=True)

    def render(self) -> str:
        """Write the page."""
        script = ""
        if self._has_charts:
            from plotly.offline import get_plotlyjs  # noqa: PLC0415 - slow to load

            script = f"<script>{get_plotlyjs()}</script>"
        scripts = ["sort_table.js", *(["chart_theme.js"] if self._has_charts else [])]
        end = "".join(f"<script>{_asset(name)}</script>" for name in scripts)
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
        least, good = (f"{float(found[1]) * share:.0f}pt" for share in _LEGIBLE)
        smallest = f"max({least}, min({good}, max(100vw - 3rem, 60rem)))"
        svg = svg.replace("<svg", f'<svg style="max-width:100%;min-width:{smallest}"', 1)
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


def add_provenance(
    page: HtmlPage, source: Provenance, about: Sequence[Sequence[str]], *, counts_shown: bool = True
) -> None:
    """Add file, hash, rows read and dropped, roles and options.

    Parameters
    ----------
    about : what else is known of how the numbers came about: a name and words each
    counts_shown : whether the table's own counts, and what a guessed table could be checked by,
        may be shown
    """
    page.heading("Where this comes from")
    dropped = [f"{n:,}: {why}" if counts_shown else why for why, n in source.rows_dropped.items()]
    fingerprint, read = (
        source.sha256 or "not known: the table was given in memory",
        source.rows_read,
    )
    rows = [
        ["what", "value"],
        ["File", source.source],
        [
            "SHA-256 of the file",
            fingerprint if counts_shown else f"{_HIDDEN} a guess could be checked",
        ],
        ["Rows read", f"{read:,}" if counts_shown else f"{_HIDDEN} small counts could be had"],
        ["Rows dropped", "; ".join(dropped) or "none"],
        *about,
        ["probtrees", source.version or __version__],
    ]
    page.table(rows, in_words=True)
    if counts_shown:
        page.bullets(source.notes)
    roles = [["column", "role"], *([name, role] for name, role in source.roles.items())]
    if len(roles) > 1:
        page.table(roles, folded=f"Roles of {len(roles) - 1} columns", in_words=True)
    options = _flat(source.options)
    if not counts_shown:  # the way to a corrected group may tell of one that was merged
        options = [row for row in options if not row[0].endswith(".edits")]
    if options:
        page.table([["option", "value"], *options], folded="All options", in_words=True)


def _flat(options: Mapping[str, Any], prefix: str = "") -> list[list[str]]:
    """Write nested options as rows."""
    rows = []
    for name, value in options.items():
        if isinstance(value, Mapping):
            rows += _flat(value, f"{prefix}{name}.")
        else:
            rows.append([f"{prefix}{name}", "none" if value is None else str(value)])
    return rows
