"""A network on a page that works alone: zoom, arrows, and the table of the column clicked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from probtrees.draw.network import information
from probtrees.draw.network_data import (
    NetworkPicture,
    PictureArc,
    arrow_words,
    column_node,
    in_scale,
    network_legend,
    network_picture,
    parents_text,
    picture_record,
    with_fewer_words,
)
from probtrees.draw.network_layout import network_layout
from probtrees.draw.palette import Theme
from probtrees.estimators.interactive_tree import InteractivePicture
from probtrees.explain.rule import all_rules, conditions_text, outcome_names
from probtrees.grow.dag import Dag
from probtrees.model.member import Member
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Schema
from probtrees.words import count_text, percent, plural

MOST_CONTEXTS = 60
"""Contexts of a table that the page holds, the largest; a network may have millions."""

MOST_VALUES = 8
"""Values of a column that the panel has room for, the most common."""


@dataclass(frozen=True)
class InteractiveNetwork(InteractivePicture):
    """A network to be shown on a page.

    Attributes
    ----------
    columns : the columns of the model; numbers are cut as the network cuts them
    notes : what the learner found: mutual information with the class, and between columns
    """

    view: ClassVar[str] = "network_view"
    scripts: ClassVar[tuple[str, ...]] = ("canvas_view", "network_picture", "network_view")

    member: Member
    columns: Schema
    notes: Mapping[str, Any]

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
        about_class, _ = information(self.notes)
        if about_class is None:
            return ""
        most = f"{max(float(about_class.max()), 0.0):.3f} nats"
        return network_legend(("what columns tell about the class", "0", most), None, theme=theme)

    def content(self, themes: Sequence[Theme]) -> dict[str, Any]:
        """Gather boxes and arrows in the colours of every theme, and the tables once."""
        picture = with_fewer_words(self._picture())
        layout = network_layout(picture.sizes, picture.laid_out, picture.top)
        return {
            "themes": {theme: picture_record(picture, layout, theme=theme) for theme in themes},
            "tables": {table.tree.target: self._table(table) for table in self.member.trees},
            "selected": self.schema.target_column,
            "remark": "Click a box for its table.",
        }

    def _picture(self) -> NetworkPicture:
        dag, schema, target = self.dag, self.schema, self.schema.target_column
        about_class, between = information(self.notes)
        told = {} if about_class is None else dict(enumerate(about_class.tolist()))
        told.pop(target, None)
        shades = in_scale({column: told[column] for column in dag.columns if column in told})
        shared = {
            arc: 0.0 if between is None or target in arc else float(between[arc])
            for arc in dag.arcs
        }
        widths = in_scale(shared) if any(shared.values()) else dict.fromkeys(shared, 0.4)
        return network_picture(
            dag,
            target,
            [column_node(schema, dag, each, shades, told.get(each)) for each in dag.columns],
            [PictureArc(*arc, width, arrow_words(schema, arc)) for arc, width in widths.items()],
        )

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
