"""Pictures on pages that work alone: a tree or a network to zoom and to click in, with a panel.

A page holds everything and asks nobody for anything: in a notebook, saved as HTML, as a file.
Where scripts do not run it shows a still picture.
"""

from __future__ import annotations

import base64
import gzip
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from typing import Any, ClassVar

import numpy as np

from probtrees.draw.escape import html_text
from probtrees.draw.legend import Legend, legend_html
from probtrees.draw.network import network_dot
from probtrees.draw.network_data import (
    NetworkPicture,
    network_legend,
    parents_text,
    picture_record,
    plain_network,
    with_fewer_words,
)
from probtrees.draw.network_layout import network_layout
from probtrees.draw.palette import PAINTS, Theme
from probtrees.draw.tree_data import tree_numbers, tree_texts
from probtrees.explain.detail import FIRST_GROUPS
from probtrees.explain.rule import all_rules, conditions_text, outcome_names
from probtrees.grow.count.chance_information import (
    BeyondChance,
    arrow_information,
    class_information,
    margins_of_tables,
)
from probtrees.grow.dag import Dag
from probtrees.model.member import Member
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Schema
from probtrees.words import count_text, percent, plural

_OWN = "estimators/assets"
_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"
_PAINTED = ("fill", "colours", "paint")
"""What differs between a light and a dark page."""

MOST_TAKEN_APART = 2000
"""Leaves up to which the page holds where every probability comes from."""

MOST_CONTEXTS = 60
"""Contexts of a table that the page holds, the largest; a network may have millions."""

MOST_VALUES = 8
"""Values of a column that the panel has room for, the most common."""


class InteractivePicture(ABC):
    """What a page of a picture is made of.

    Attributes
    ----------
    view : the picture's name among the app's: ``tree_view``, ``network_view``
    scripts : its scripts in their order, without ``.js``
    """

    view: ClassVar[str]
    scripts: ClassVar[tuple[str, ...]]

    @abstractmethod
    def content(self, themes: Sequence[Theme]) -> dict[str, Any]:
        """Gather what ``notebook_<view>.js`` reads; the colours of every theme, all else once."""

    @abstractmethod
    def legend(self, theme: Theme) -> str:
        """Say what colours mean."""

    def page(self, caption: str = "", still: str = "", *, theme: Theme | None = None) -> str:
        """Write the page.

        Parameters
        ----------
        still : a picture as HTML, for readers that run no scripts
        theme : None: as the reader's system has it; else half the colours are half the reading
        """
        content = self.content(tuple(PAINTS) if theme is None else (theme,))
        given = "" if theme is None else f' data-theme="{theme}"'
        html = _asset(f"{self.view}.html")
        for part in ("buttons", "stage"):
            html = html.replace(f"{{{{{part}}}}}", _asset(f"canvas_{part}.html"))
        styles = "".join(_asset(f"{name}.css") for name in ("canvas_view", self.view))
        own = [_asset(f"notebook_{name}.js", _OWN) for name in ("page", self.view)]
        code = "\n".join([*(_asset(f"{name}.js") for name in self.scripts), *own])
        legends = "".join(f'<div class="on-{each}">{self.legend(each)}</div>' for each in PAINTS)
        return (
            f'<!doctype html><html lang="en"{given}><head><meta charset="utf-8">'
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{html_text(caption)}</title>"
            f"<style>{styles}{_asset('notebook_view.css', _OWN)}</style></head><body>"
            f'<div class="both">{html}<div class="panel" aria-live="polite"></div></div>{legends}'
            f'<div class="still">{still}</div><p class="caption">{html_text(caption)}</p>'
            f'<script type="text/plain" id="content">{_packed(content)}</script>'
            f'<script type="module">{code}</script></body></html>'
        )


@dataclass(frozen=True)
class InteractiveTree(InteractivePicture):
    """A tree to be shown on a page; ``outcome`` is the class of interest."""

    view: ClassVar[str] = "tree_view"
    scripts: ClassVar[tuple[str, ...]] = (
        *("canvas_view", "tree_text", "tree_state", "tree_layout", "tree_cards", "tree_blocks"),
        *("tree_picture", "tree_outline", "tree_view"),
    )

    smoothed: SmoothedTree
    schema: Schema
    outcome: int

    def legend(self, theme: Theme) -> str:
        """Say what colours mean."""
        return legend_html(Legend.of_tree(self.smoothed, self.schema, self.outcome), theme=theme)

    def content(self, themes: Sequence[Theme]) -> dict[str, Any]:
        """Gather texts, numbers, and how leaves' probabilities are put together."""
        tree, outcome = self.smoothed.tree, self.outcome
        by_theme = {t: tree_numbers(self.smoothed, outcome=outcome, theme=t) for t in themes}
        return {
            "texts": tree_texts(tree, self.schema),
            "numbers": {k: v for k, v in by_theme[themes[0]].items() if k not in _PAINTED},
            "themes": {t: {k: numbers[k] for k in _PAINTED} for t, numbers in by_theme.items()},
            "head": {
                "tree": "tree",
                "outcome": outcome_names(tree, self.schema)[outcome],
                "otherName": "",
                "pinned": [],
                "followed": [],
                "marked": None,
                "firstGroups": FIRST_GROUPS,
                "selected": 0,
                "turn": 0,
            },
            "points": self._points(),
        }

    def _points(self) -> dict[int, list[float]]:
        """Take every leaf's probability apart: what nodes from the root on add, then all else."""
        leaves = self.smoothed.tree.leaves.tolist()
        found = {}
        for leaf in leaves if len(leaves) <= MOST_TAKEN_APART else ():
            parts = self.smoothed.contributions(leaf)
            values, n_nodes = parts.values[:, self.outcome], len(parts.nodes)
            added = [*values[:n_nodes][::-1].tolist(), float(values[n_nodes:].sum())]
            found[leaf] = [round(part, 9) for part in added]
        return found


@dataclass(frozen=True)
class InteractiveNetwork(InteractivePicture):
    """A network to be shown on a page.

    Attributes
    ----------
    columns : the columns of the model; numbers are cut as the network cuts them
    """

    view: ClassVar[str] = "network_view"
    scripts: ClassVar[tuple[str, ...]] = ("canvas_view", "network_picture", "network_view")

    member: Member
    columns: Schema

    @cached_property
    def schema(self) -> Schema:
        """The columns as the network sees them."""
        cuts = self.member.cuts
        return self.columns if cuts is None else cuts.apply_to_schema(self.columns)

    @cached_property
    def dag(self) -> Dag:
        """The parents of every column."""
        return Dag.of_tables(smoothed.tree for smoothed in self.member.trees)

    def legend(self, theme: Theme) -> str:
        """Say what colours mean, where they mean something."""
        if not self._told:
            return ""
        most = f"{max(each.bits for each in self._told.values()):.3f} bits"
        return network_legend(("what columns tell about the class", "0", most), None, theme=theme)

    @cached_property
    def picture(self) -> NetworkPicture:
        """The boxes and arrows."""
        adds = arrow_information(table.tree for table in self.member.trees)
        return plain_network(self.dag, self.schema, self._told, adds)

    @cached_property
    def _told(self) -> Mapping[int, BeyondChance]:
        """What columns tell about the class."""
        tables = (table.tree for table in self.member.trees)
        return class_information(margins_of_tables(tables, self.schema.target_column))

    def still(self) -> str:
        """Draw the picture in DOT."""
        layout = network_layout(self.picture.sizes, self.picture.laid_out, self.picture.top)
        return network_dot(picture_record(self.picture, layout))

    def content(self, themes: Sequence[Theme]) -> dict[str, Any]:
        """Gather boxes and arrows in the colours of every theme, and the tables once."""
        picture = with_fewer_words(self.picture)
        layout = network_layout(picture.sizes, picture.laid_out, picture.top)
        return {
            "themes": {theme: picture_record(picture, layout, theme=theme) for theme in themes},
            "tables": {table.tree.target: self._table(table) for table in self.member.trees},
            "selected": self.schema.target_column,
            "remark": "Click a box for its table.",
        }

    def _table(self, smoothed: SmoothedTree) -> dict[str, Any]:
        """Write the largest contexts of a table, in words and numbers as they are shown."""
        tree, schema = smoothed.tree, self.schema
        names, rules = outcome_names(tree, schema), all_rules(tree, schema)
        leaves = tree.leaves[np.argsort(-tree.totals[tree.leaves], kind="stable")].tolist()
        common = np.argsort(-tree.arrays.counts[0], kind="stable")[:MOST_VALUES]
        values = sorted(common.tolist())
        left_out = {
            "smaller contexts": len(leaves) - MOST_CONTEXTS,
            "rarer values": len(names) - len(values),
        }
        parents = parents_text(schema, self.dag, tree.target)
        return {
            "name": schema.titles[tree.target],
            "about": f"Depends on {parents}. {plural(len(leaves), 'contexts')}.",
            "values": [names[value] for value in values],
            "contexts": [
                [
                    conditions_text(rules[leaf]) or "all rows",
                    count_text(float(tree.totals[leaf])),
                    [percent(float(smoothed.probs[leaf, value])) for value in values],
                ]
                for leaf in leaves[:MOST_CONTEXTS]
            ],
            "more": "; ".join(f"{plural(n, it)} not listed" for it, n in left_out.items() if n > 0),
        }


def _packed(content: dict[str, Any]) -> str:
    packed = gzip.compress(json.dumps(content, separators=(",", ":")).encode(), 6, mtime=0)
    return base64.b64encode(packed).decode("ascii")


def _asset(name: str, folder: str = "ui/shared/assets") -> str:
    """Read a part of the app's picture, or of a page; the app itself is not loaded."""
    return (files("probtrees") / folder / name).read_text(encoding="utf-8")
