"""HTML that notebooks show as it is, for light and dark pages."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from probtrees.draw.escape import html_text, page_in_attribute
from probtrees.draw.palette import PAINTS, Theme
from probtrees.errors import OptionError
from probtrees.machine.atomic_file import place_to_write, write_atomically

_STYLE = (
    "<style>.probtrees-dark{display:none}"
    "@media (prefers-color-scheme:dark){.probtrees-dark{display:block}"
    ".probtrees-light{display:none}}"
    # JupyterLab has a theme of its own, whatever the system says.
    "[data-jp-theme-light=true] .probtrees-dark{display:none}"
    "[data-jp-theme-light=true] .probtrees-light{display:block}"
    "[data-jp-theme-light=false] .probtrees-dark{display:block}"
    "[data-jp-theme-light=false] .probtrees-light{display:none}</style>"
)


def themed(draw: Callable[[Theme], str], *, wide: bool = False) -> str:
    """Draw something for light and for dark pages; the reader's theme shows one of them."""
    most = "none" if wide else "60rem"
    both = "".join(
        f'<div class="probtrees-{theme}" style="background:{PAINTS[theme].page};'
        f"color:{PAINTS[theme].text};padding:.6rem .8rem;border-radius:.4rem;max-width:{most};"
        f'overflow-x:auto">{draw(theme)}</div>'
        for theme in PAINTS
    )
    return _STYLE + both


class ShowsItself(ABC):
    """What a notebook shows as a card, for light and dark pages."""

    is_wide: ClassVar[bool] = False

    def _repr_html_(self) -> str:
        return themed(self._card, wide=self.is_wide)

    @abstractmethod
    def _card(self, theme: Theme) -> str:
        """Write what a page of a theme shows."""


def table_html(
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    theme: Theme,
    *,
    left: int = 1,
    marked: Sequence[int] = (),
) -> str:
    """Write texts as a table: the first columns to the left, numbers to the right.

    Parameters
    ----------
    left : how many columns hold words
    marked : rows to print in bold
    """

    def line(cells: Sequence[str], tag: str, weight: str) -> str:
        look = f"border-bottom:1px solid {PAINTS[theme].line};padding:.15rem .6rem;{weight}"
        return (
            "<tr>"
            + "".join(
                f'<{tag} style="{look};text-align:{"left" if at < left else "right"}">'
                f"{html_text(cell)}</{tag}>"
                for at, cell in enumerate(cells)
            )
            + "</tr>"
        )

    body = "".join(
        line(row, "td", f"font-weight:{700 if at in marked else 400}")
        for at, row in enumerate(rows)
    )
    top = line(head, "th", "font-weight:400;opacity:.8")
    return f'<table style="color:inherit;border-collapse:collapse">{top}{body}</table>'


def paragraph(words: str) -> str:
    """Write words as a paragraph."""
    return f"<p>{html_text(words)}</p>"


def heading(words: str) -> str:
    """Write what a table or picture is about."""
    return f"<p><b>{html_text(words)}</b></p>"


def framed(page: str, height: int) -> str:
    """Put a page into a frame that can do nothing but draw; it is read when it is seen."""
    rights = 'sandbox="allow-scripts" allow="fullscreen" loading="lazy" title="Picture"'
    style = f"width:100%;height:{height}px;border:0"
    return f'<iframe {rights} style="{style}" srcdoc="{page_in_attribute(page)}"></iframe>'


def save_by_name(path: str | Path, makers: Mapping[str, Callable[[], str | bytes]]) -> None:
    """Write a file as its name says: by the maker of how it ends."""
    make = makers.get(Path(path).suffix.lower())
    if make is None:
        raise OptionError(f"path={str(path)!r} must end in one of {', '.join(makers)}.")
    with place_to_write(path, "path"):
        write_atomically(path, make())


def plain_page(title: str, body: str) -> str:
    """Write a page that works offline."""
    head = f'<meta charset="utf-8"><title>{html_text(title)}</title>'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{body}'
