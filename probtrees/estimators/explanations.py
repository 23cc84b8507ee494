"""Explanations that draw themselves in a notebook: of a leaf, of a row, and for shap's plots."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from probtrees.draw.ladder import ladder_html, rungs
from probtrees.draw.leaf_explanation import headline_html, headline_words, rings_html, spread_text
from probtrees.draw.palette import Theme
from probtrees.errors import OptionError
from probtrees.estimators.notebook_html import ShowsItself, heading, paragraph, table_html
from probtrees.explain.additive import AdditiveExplanation, largest_first
from probtrees.explain.column_parts import ColumnExplanation, column_parts
from probtrees.explain.leaf import Explanation
from probtrees.explain.path import value_text
from probtrees.explain.row import NetworkSays, RowExplanation
from probtrees.explain.track import interval_sentence
from probtrees.model.model import Model
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Dataset, Schema
from probtrees.words import outcome_title, percent


@dataclass(frozen=True)
class LeafExplanation(ShowsItself, Explanation):
    """An :class:`~probtrees.explain.leaf.Explanation` of a leaf that draws itself.

    Attributes
    ----------
    smoothed, schema : the tree that is explained and its columns
    """

    smoothed: SmoothedTree | None = field(default=None, repr=False, compare=False)
    schema: Schema | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, explained: Explanation, smoothed: SmoothedTree, schema: Schema) -> LeafExplanation:
        """Add the tree to an explanation."""
        return cls(**vars(explained), smoothed=smoothed, schema=schema)

    def __str__(self) -> str:
        """Return whom it is about, the outcome, the sentence and what must be known as text."""
        named = self.outcome_name
        if self.smoothed is not None and self.schema is not None:
            target = self.schema.columns[self.smoothed.tree.target].name
            named = outcome_title(target, named)
        who = f"where {self.rule_sentence}" if self.rule else "of all rows"
        return " ".join([f"{named}, {who}: {self.sentence}", *self.card_notes])

    def __repr__(self) -> str:
        return str(self)

    def _card(self, theme: Theme) -> str:
        smoothed, schema = self.smoothed, self.schema
        if smoothed is None or schema is None:  # an explanation without its tree is only text
            return paragraph(str(self))
        kind, number = headline_words(smoothed, self, self.smoother)
        kind = f"Node {self.node} · {kind}"
        target = schema.columns[smoothed.tree.target].name
        spread = None if self.spread is None else (self.spread.lower, self.spread.upper)
        remarks = [self.sentence, *self.card_notes]
        if self.interval is not None:
            remarks.append(interval_sentence(self.interval))
        if self.spread is not None:
            remarks.append(spread_text(self, smoothed))
        return (
            headline_html(self, target, kind=kind, number=number, theme=theme)
            + ladder_html(
                rungs(smoothed, schema, self.node, self.outcome), interval=spread, theme=theme
            )
            + rings_html(smoothed, schema, self, theme=theme)
            + "".join(map(paragraph, remarks))
        )


class _DrawsItself(ShowsItself):
    """An explanation of a row that shows itself: its sentence as text, with a table as HTML.

    Dataclasses that derive from it say ``repr=False``, or they would write their own. They have an
    ``outcome``, and a ``sentence`` about it.
    """

    outcome: int

    if TYPE_CHECKING:

        def sentence(self, outcome: int) -> str: ...

    def __str__(self) -> str:
        """Return the answer and what moved it most."""
        return self.sentence(self.outcome)

    def __repr__(self) -> str:
        return str(self)

    def _card(self, theme: Theme) -> str:
        return heading(str(self)) + self._table(theme)

    @abstractmethod
    def _table(self, theme: Theme) -> str:
        """Write what moved the answer."""


@dataclass(frozen=True, repr=False)
class ShapedExplanation(_DrawsItself, AdditiveExplanation):
    """An :class:`~probtrees.explain.additive.AdditiveExplanation` of a row that draws itself.

    Attributes
    ----------
    outcome : the class of interest, by number
    """

    outcome: int = 0

    def _table(self, theme: Theme) -> str:
        odds, points = self.log_odds(self.outcome), 100 * self.ledger(self.outcome)
        rows = [["the average row", f"{odds[0]:+.3f}", f"{points[0]:.2f}"]]
        for at in largest_first(self, self.outcome):
            term = self.terms[at]
            rows.append([term.label, f"{odds[at + 1]:+.3f}", f"{points[at + 1]:+.2f}"])
        rows.append(["together", f"{odds.sum():+.3f}", f"{points.sum():.2f}"])
        head = ["", "log-odds", "percentage points"]
        return table_html(head, rows, theme)


@dataclass(frozen=True, repr=False)
class NetworkExplanation(_DrawsItself, RowExplanation):
    """A :class:`~probtrees.explain.row.RowExplanation` of a row that draws itself.

    Attributes
    ----------
    classes : the names of the classes
    outcome : the class of interest, by number
    """

    classes: tuple[str, ...] = ()
    outcome: int = 0

    def sentence(self, outcome: int) -> str:
        """Say the answer and what moved it most."""
        moves = self._moves(self.members[0], outcome)
        moved = [move for move in moves if abs(move[2]) >= 0.005][:3]
        reasons = ", ".join(f"{name} = {value} ({points:+.2f})" for name, value, points in moved)
        answer = f"{percent(float(self.posterior[outcome]))} {self.classes[outcome]}"
        return f"{answer}. Moved most, in log-odds, by {reasons}." if moved else f"{answer}."

    def _moves(self, network: NetworkSays, outcome: int) -> list[tuple[str, str, float]]:
        """List the tables by how far they move the odds of an outcome."""
        points = network.log_odds(outcome)
        order = np.argsort(-np.abs(points), kind="stable")
        return [(network.tables[k].name, network.tables[k].value, float(points[k])) for k in order]

    def _table(self, theme: Theme) -> str:
        network = self.members[0]
        which = ""
        if len(self.members) > 1:
            which = f"<p>The first of {len(self.members)} networks, whose answers are averaged:</p>"
        moves = self._moves(network, self.outcome)
        rows = [[name, value, f"{points:+.3f}"] for name, value, points in moves]
        return which + table_html(["column", "this row", "adds in log-odds"], rows, theme, left=2)


@dataclass(frozen=True, repr=False)
class ForestExplanation(_DrawsItself, ColumnExplanation):
    """A :class:`~probtrees.explain.column_parts.ColumnExplanation` that draws itself.

    Attributes
    ----------
    outcome : the class of interest, by number
    """

    outcome: int = 0

    def _table(self, theme: Theme) -> str:
        points = 100 * self.parts[:, self.outcome]
        rows = [["before any column", "", f"{100 * self.base[self.outcome]:.2f}"]]
        rows += [
            [self.columns[at], self.values[at], f"{points[at]:+.2f}"]
            for at in self.largest_first(self.outcome)
        ]
        rows.append(["together", "", f"{100 * self.probability[self.outcome]:.2f}"])
        head = ["column", "this row", "percentage points"]
        return table_html(head, rows, theme, left=2)


def shap_explanation(model: Model, data: Dataset, outcome: int) -> Any:
    """Return ``shap.Explanation`` of the probability of one class for every row.

    Base values and values sum to the probability. They are the model's own parts, not Shapley
    values of made-up rows: see :func:`~probtrees.explain.column_parts.column_parts`.
    """
    try:
        # Imported here: it takes long to load, and few need it.
        import shap  # noqa: PLC0415
    except ImportError:
        raise OptionError(
            "to_shap must be left out until shap is installed: pip install 'probtrees[shap]'."
        ) from None
    found, schema = column_parts(model, data), model.schema
    texts = [
        [value_text(schema, column, row) for column in range(schema.n_columns - 1)]
        for row in data.values
    ]
    return shap.Explanation(
        values=found.parts[:, :, outcome],
        base_values=found.base[:, outcome],
        data=data.values[:, :-1],
        display_data=np.array(texts, dtype=object).reshape(data.n_rows, -1),
        feature_names=list(schema.names[:-1]),
        output_names=schema.classes[outcome],
    )
