"""A page around a picture of the app that works alone: in a notebook, saved as HTML, as a file.

The page holds everything and asks nobody for anything. Where scripts do not run it shows a still
picture.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from typing import Any

from probtrees.draw.escape import html_text, page_in_attribute
from probtrees.draw.palette import PAINTS, Theme

_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"


def interactive_page(
    view: str,
    scripts: Sequence[str],
    content: Mapping[str, Any],
    legend: Callable[[Theme], str],
    *,
    caption: str = "",
    still: str = "",
    theme: Theme | None = None,
) -> str:
    """Write the page of a picture with a panel beside it.

    Parameters
    ----------
    view : the picture's name among the app's: ``tree_view``, ``network_view``
    scripts : its scripts in their order, without ``.js``
    content : what it is made of, ready for JSON; ``notebook_<view>.js`` reads it
    legend : writes what colours mean, for a theme
    still : a picture as HTML, for readers that run no scripts
    theme : None: as the reader's system has it
    """
    given = "" if theme is None else f' data-theme="{theme}"'
    html = _asset(f"{view}.html")
    for part in ("buttons", "stage"):
        html = html.replace(f"{{{{{part}}}}}", _asset(f"canvas_{part}.html"))
    styles = "".join(_asset(f"{name}.css") for name in ("canvas_view", view))
    own = [_own_asset(f"notebook_{name}.js") for name in ("page", view)]
    code = "\n".join([*(_asset(f"{name}.js") for name in scripts), *own])
    legends = "".join(f'<div class="on-{each}">{legend(each)}</div>' for each in PAINTS)
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


def themes_of(theme: Theme | None) -> tuple[Theme, ...]:
    """List the themes a page must be able to show; half the colours are half the reading."""
    return tuple(PAINTS) if theme is None else (theme,)


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
