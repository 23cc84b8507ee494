"""A Graphviz picture inside a page of HTML."""

from __future__ import annotations

import re

from probtrees.draw.picture_file import render

_LEGIBLE = 0.7
"""The smallest share of its natural size at which a picture's text can be read."""

_WIDTH = re.compile(r'<svg width="(\d+)pt"')
_ID = re.compile(r'\bid="([^"]*)"')


def report_picture(dot: str, name: str) -> str:
    """Lay a picture out and return it as a part of a page, scrolled sideways if it is wide.

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
