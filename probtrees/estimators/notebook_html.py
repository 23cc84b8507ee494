"""HTML that notebooks show as it is, for light and dark pages, and pages that work alone.

A page around a picture of the app holds everything and asks nobody for anything: in a notebook,
saved as HTML, as a file. Where scripts do not run it shows a still picture.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from probtrees.draw.escape import html_text, page_in_attribute
from probtrees.draw.palette import PAINTS, Theme

_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"
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


@dataclass(frozen=True)
class PagePicture:
    """What a page of a picture is made of.

    Attributes
    ----------
    view : the picture's name among the app's: ``tree_view``, ``network_view``
    scripts : its scripts in their order, without ``.js``
    content : writes what it is made of, ready for JSON, in the colours of some themes;
        ``notebook_<view>.js`` reads it
    legend : writes what colours mean, for a theme
    """

    view: str
    scripts: Sequence[str]
    content: Callable[[Sequence[Theme]], Mapping[str, Any]]
    legend: Callable[[Theme], str]


def interactive_page(
    picture: PagePicture, caption: str = "", still: str = "", *, theme: Theme | None = None
) -> str:
    """Write the page of a picture with a panel beside it.

    Parameters
    ----------
    still : a picture as HTML, for readers that run no scripts
    theme : None: as the reader's system has it; else half the colours are half the reading
    """
    view = picture.view
    content = picture.content(tuple(PAINTS) if theme is None else (theme,))
    given = "" if theme is None else f' data-theme="{theme}"'
    html = _asset(f"{view}.html")
    for part in ("buttons", "stage"):
        html = html.replace(f"{{{{{part}}}}}", _asset(f"canvas_{part}.html"))
    styles = "".join(_asset(f"{name}.css") for name in ("canvas_view", view))
    own = [_own_asset(f"notebook_{name}.js") for name in ("page", view)]
    code = "\n".join([*(_asset(f"{name}.js") for name in picture.scripts), *own])
    legends = "".join(f'<div class="on-{each}">{picture.legend(each)}</div>' for each in PAINTS)
    return (
        f'<!doctype html><html lang="en"{given}><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html_text(caption)}</title>"
        f"<style>{styles}{_own_asset('notebook_view.css')}</style></head><body>"
        f'<div class="both">{html}<div class="panel" aria-live="polite"></div></div>{legends}'
        f'<div class="still">{still}</div><p class="caption">{html_text(caption)}</p>'
        f'<script type="text/plain" id="content">{_packed(content)}</script>'
        f'<script type="module">{code}</script></body></html>'
    )


def in_frame(page: str) -> str:
    """Put a page into a frame that can do nothing but draw; it is read when it comes into view."""
    return (
        '<iframe sandbox="allow-scripts" allow="fullscreen" loading="lazy" title="Picture" '
        f'style="width:100%;height:540px;border:0" srcdoc="{page_in_attribute(page)}"></iframe>'
    )


def _packed(content: Mapping[str, Any]) -> str:
    packed = gzip.compress(json.dumps(content, separators=(",", ":")).encode(), 6, mtime=0)
    return base64.b64encode(packed).decode("ascii")


def _asset(name: str) -> str:
    """Read a part of the app's picture; the app itself is not loaded."""
    return (files("probtrees") / "ui" / "shared" / "assets" / name).read_text(encoding="utf-8")


def _own_asset(name: str) -> str:
    return (files("probtrees") / "estimators" / "assets" / name).read_text(encoding="utf-8")
