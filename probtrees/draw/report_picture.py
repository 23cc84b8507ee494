"""A Graphviz picture inside a page of HTML."""

from __future__ import annotations

import re

from probtrees.draw.export import render

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
    return f'<div class="wide picture">{svg}</div>'
