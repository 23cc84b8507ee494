"""A tree in a page of its own: zoom, fold, find, and a panel for the node that is clicked.

The page holds everything and asks nobody for anything, so it works in a notebook, in a notebook
saved as HTML and as a file. Where scripts do not run it shows a still picture.
"""

from __future__ import annotations

import base64
import gzip
import json
from importlib.resources import files
from typing import Any

from probtrees.draw.escape import html_text, page_in_attribute
from probtrees.draw.palette import PAINTS, Legend, Theme, legend_html
from probtrees.draw.tree_data import tree_numbers, tree_texts
from probtrees.explain.rule import outcome_names
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Schema

_SCRIPTS = (
    "canvas_view",
    "tree_text",
    "tree_state",
    "tree_layout",
    "tree_cards",
    "tree_picture",
    "tree_outline",
    "tree_view",
)
_PAINTED = ("fill", "colours", "paint")
"""What differs between a light and a dark page."""

_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"

MOST_TAKEN_APART = 2000
"""Leaves up to which the page holds where every probability comes from."""


def tree_page(
    smoothed: SmoothedTree,
    schema: Schema,
    outcome: int,
    *,
    caption: str = "",
    still: str = "",
    theme: Theme | None = None,
) -> str:
    """Write the page of a tree.

    Parameters
    ----------
    outcome : the class of interest
    still : a picture as HTML, for readers that run no scripts
    theme : None: as the reader's system has it
    """
    legend = _legend(smoothed, schema, outcome)
    given = "" if theme is None else f' data-theme="{theme}"'
    html = _asset("tree_view.html")
    for part in ("buttons", "stage"):
        html = html.replace(f"{{{{{part}}}}}", _asset(f"canvas_{part}.html"))
    styles = "".join(_asset(f"{name}.css") for name in ("canvas_view", "tree_view"))
    scripts = "\n".join(_asset(f"{name}.js") for name in _SCRIPTS)
    legends = "".join(
        f'<div class="on-{each}">{legend_html(legend, theme=each)}</div>' for each in PAINTS
    )
    return (
        f'<!doctype html><html lang="en"{given}><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html_text(caption)}</title>"
        f"<style>{styles}{_own_asset('notebook_view.css')}</style></head><body>"
        f'<div class="both">{html}<div class="panel" aria-live="polite"></div></div>{legends}'
        f'<div class="still">{still}</div><p class="caption">{html_text(caption)}</p>'
        f'<script type="text/plain" id="tree">{_packed(smoothed, schema, outcome)}</script>'
        f'<script type="module">{scripts}\n{_own_asset("notebook_view.js")}</script>'
        "</body></html>"
    )


def in_frame(page: str) -> str:
    """Put a page into a frame that can do nothing but draw; it is read when it comes into view."""
    return (
        '<iframe sandbox="allow-scripts" allow="fullscreen" loading="lazy" title="Tree" '
        f'style="width:100%;height:540px;border:0" srcdoc="{page_in_attribute(page)}"></iframe>'
    )


def _packed(smoothed: SmoothedTree, schema: Schema, outcome: int) -> str:
    """Pack what the picture is made of; the colours of both themes, all else once."""
    tree = smoothed.tree
    by_theme = {theme: tree_numbers(smoothed, outcome=outcome, theme=theme) for theme in PAINTS}
    content: dict[str, Any] = {
        "texts": tree_texts(tree, schema),
        "numbers": {k: v for k, v in by_theme["light"].items() if k not in _PAINTED},
        "themes": {t: {k: numbers[k] for k in _PAINTED} for t, numbers in by_theme.items()},
        "head": {
            "tree": "tree",
            "outcome": outcome_names(tree, schema)[outcome],
            "otherName": "",
            "pinned": [],
            "followed": [],
            "marked": None,
            "selected": 0,
            "turn": 0,
        },
        "points": _points(smoothed, outcome),
    }
    packed = gzip.compress(json.dumps(content, separators=(",", ":")).encode(), 6, mtime=0)
    return base64.b64encode(packed).decode("ascii")


def _points(smoothed: SmoothedTree, outcome: int) -> dict[int, list[float]]:
    """Take every leaf's probability apart: what the nodes from the root on add, then all else."""
    leaves = smoothed.tree.leaves.tolist()
    if len(leaves) > MOST_TAKEN_APART:
        return {}
    found = {}
    for leaf in leaves:
        values = smoothed.contributions(leaf).values[:, outcome]
        n_nodes = len(smoothed.contributions(leaf).nodes)
        parts = [*values[:n_nodes][::-1].tolist(), float(values[n_nodes:].sum())]
        found[leaf] = [round(part, 9) for part in parts]
    return found


def _legend(smoothed: SmoothedTree, schema: Schema, outcome: int) -> Legend:
    tree = smoothed.tree
    counts = tree.arrays.counts[0]
    rate = float(counts[outcome] / max(counts.sum(), 1e-300))
    names = outcome_names(tree, schema)
    return Legend("lift", names, outcome, rate, schema.columns[tree.target].name)


def _asset(name: str) -> str:
    """Read a part of the app's picture; the app itself is not loaded."""
    return (files("probtrees") / "ui" / "shared" / "assets" / name).read_text(encoding="utf-8")


def _own_asset(name: str) -> str:
    return (files("probtrees") / "estimators" / "assets" / name).read_text(encoding="utf-8")
