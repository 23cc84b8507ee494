"""One self-contained HTML page: headings, text, tables and charts, no outside request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from probtrees.draw.escape import html_text
from probtrees.draw.palette import PAINTS

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

_STYLE = """
body {{ font: 16px/1.5 system-ui, sans-serif; color: {text}; background: {page};
  max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }}
h1 {{ font-size: 1.7rem; }} h2 {{ font-size: 1.25rem; margin-top: 2.2rem; }}
.wide {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }}
th, td {{ padding: .25rem .7rem; border-bottom: 1px solid {line}; text-align: right; }}
th:first-child, td:first-child {{ text-align: left; }}
caption {{ text-align: left; color: {faint}; padding: .3rem 0; }}
.note {{ color: {faint}; }} .marked {{ font-weight: 700; }}
@media print {{ details {{ display: none; }} }}
"""


class HtmlPage:
    """Collects the parts of a page; every text given to it is shown as it is.

    >>> page = HtmlPage("A <report>")
    >>> page.text("1 < 2")
    >>> "<p>1 &lt; 2</p>" in page.render()
    True
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self._parts: list[str] = []
        self._has_charts = False

    def heading(self, text: str) -> None:
        """Begin a section."""
        self._parts.append(f"<h2>{html_text(text)}</h2>")

    def text(self, text: str, *, note: bool = False) -> None:
        """Add a paragraph; a note is set in a paler colour."""
        kind = ' class="note"' if note else ""
        self._parts.append(f"<p{kind}>{html_text(text)}</p>")

    def table(
        self,
        rows: Sequence[Sequence[str]],
        *,
        caption: str = "",
        marked: Sequence[int] = (),
        folded: str = "",
    ) -> None:
        """Add a table.

        Parameters
        ----------
        rows : the first one is the header
        caption : a line above it
        marked : numbers of the rows to be set in bold, the first after the header being 0
        folded : if given, the table is opened by a click on this text
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
            f'<div class="wide"><table>{title}<thead><tr>{head}</tr></thead>'
            f"<tbody>{body}</tbody></table></div>"
        )
        if folded:
            table = f"<details><summary>{html_text(folded)}</summary>{table}</details>"
        self._parts.append(table)

    def chart(self, figure: Figure) -> None:
        """Add a plotly chart, drawn by the script inside the page."""
        self._parts.append(figure.to_html(full_html=False, include_plotlyjs=False))
        self._has_charts = True

    def markup(self, markup: str) -> None:
        """Add a picture that is markup already, such as an SVG this package drew."""
        self._parts.append(markup)

    def render(self) -> str:
        """Write the page."""
        script = ""
        if self._has_charts:
            from plotly.offline import get_plotlyjs  # noqa: PLC0415 - slow to load

            script = f"<script>{get_plotlyjs()}</script>"
        paint = PAINTS["light"]
        style = _STYLE.format(text=paint.text, page=paint.page, line=paint.line, faint=paint.faint)
        title = html_text(self.title)
        return (
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{title}</title><style>{style}</style>{script}</head>"
            f"<body><h1>{title}</h1>\n" + "\n".join(self._parts) + "\n</body></html>\n"
        )
