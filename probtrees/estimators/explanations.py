"""Explanations that draw themselves in a notebook: of a leaf, of a row, and for shap's plots."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from probtrees.draw.ladder import axis_of_tree, ladder_html
from probtrees.draw.leaf_explanation import headline_html, headline_words, rings_html, spread_text
from probtrees.draw.palette import Theme
from probtrees.errors import OptionError
from probtrees.estimators.notebook_html import ShowsItself, heading, paragraph, table_html
from probtrees.explain.additive import AdditiveExplanation, explain_additively
from probtrees.explain.column_parts import ColumnExplanation, column_parts, explain_columns
from probtrees.explain.leaf import Explanation
from probtrees.explain.path import value_text
from probtrees.explain.row import RowExplanation, explain_row
from probtrees.explain.track import interval_sentence
from probtrees.model.model import Model
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Dataset, Schema
from probtrees.words import outcome_title, percent


@dataclass(frozen=True, kw_only=True, repr=False)
class LeafExplanation(ShowsItself, Explanation):
    """An :class:`~probtrees.explain.leaf.Explanation` of a leaf that draws itself.

    Attributes
    ----------
    smoothed, schema : the tree that is explained and its columns
    """

    smoothed: SmoothedTree = field(compare=False)
    schema: Schema = field(compare=False)

    @property
    def _target(self) -> str:
        return self.schema.columns[self.smoothed.tree.target].name

    def __str__(self) -> str:
        """Return whom it is about, the outcome, the sentence and what must be known as text."""
        named = outcome_title(self._target, self.outcome_name)
        who = f"where {self.rule_sentence}" if self.rule else "of all rows"
        return " ".join([f"{named}, {who}: {self.sentence}", *self.card_notes])

    def __repr__(self) -> str:
        return str(self)

    def _card(self, theme: Theme) -> str:
        smoothed, schema = self.smoothed, self.schema
        kind, number = headline_words(smoothed, self, self.smoother)
        kind = f"Node {self.node} · {kind}"
        spread = None if self.spread is None else (self.spread.lower, self.spread.upper)
        axis = axis_of_tree(smoothed, self.outcome)
        remarks = [self.sentence, *self.card_notes]
        if self.interval is not None:
            remarks.append(interval_sentence(self.interval))
        if self.spread is not None:
            remarks.append(spread_text(self, smoothed))
        return (
            headline_html(self, self._target, kind=kind, number=number, theme=theme)
            + ladder_html(self.steps, axis, interval=spread, theme=theme)
            + rings_html(smoothed, schema, self, theme=theme)
            + "".join(map(paragraph, remarks))
        )


@dataclass(frozen=True, kw_only=True, repr=False)
class _DrawsItself(ShowsItself):
    """An explanation of a row that shows itself: its sentence as text, with a table as HTML.

    Dataclasses that derive from it say ``repr=False``, or they would write their own.

    Attributes
    ----------
    outcome : the class of interest, by number
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
        head, *rows = self.table()
        return heading(str(self)) + table_html(head, rows, theme)

    @abstractmethod
    def table(self) -> list[list[str]]:
        """List what moved the answer, the largest first, below the names of the columns."""


@dataclass(frozen=True, repr=False)
class ShapedExplanation(_DrawsItself, AdditiveExplanation):
    """An :class:`~probtrees.explain.additive.AdditiveExplanation` of a row that draws itself."""

    def table(self) -> list[list[str]]:
        """List the terms, in log-odds and in percentage points."""
        odds, points = self.log_odds(self.outcome), 100 * self.ledger(self.outcome)
        other = self.classes[self.against(self.outcome)]
        rows = [["", f"log-odds against {other}", "percentage points"]]
        rows.append(["the average row", f"{odds[0]:+z.3f}", f"{points[0]:.2f}"])
        for at in self.largest_first(self.outcome):
            label = self.terms[at].label
            rows.append([label, f"{odds[at + 1]:+z.3f}", f"{points[at + 1]:+z.2f}"])
        whole = f"together: {self.classes[self.outcome]}"
        return [*rows, [whole, f"{odds.sum():+z.3f}", f"{points.sum():.2f}"]]


@dataclass(frozen=True, kw_only=True, repr=False)
class NetworkExplanation(_DrawsItself, RowExplanation):
    """A :class:`~probtrees.explain.row.RowExplanation` of a row that draws itself.

    Attributes
    ----------
    classes : the names of the classes
    """

    classes: tuple[str, ...]

    def sentence(self, outcome: int) -> str:
        """Say the answer and what moved it most."""
        moved = [move for move in self._moves(outcome) if abs(move[2]) >= 0.005][:3]
        reasons = ", ".join(f"{name} = {value} ({points:+.2f})" for name, value, points in moved)
        answer = f"{percent(float(self.posterior[outcome]))} {self.classes[outcome]}"
        return f"{answer}. Moved most, in log-odds, by {reasons}." if moved else f"{answer}."

    def _moves(self, outcome: int) -> list[tuple[str, str, float]]:
        """List the tables of the first network by how far they move the odds of an outcome."""
        network = self.members[0]
        points = network.log_odds(outcome)
        order = np.argsort(-np.abs(points), kind="stable")
        return [(network.tables[k].name, network.tables[k].value, float(points[k])) for k in order]

    def table(self) -> list[list[str]]:
        """List what the tables of the first network add to the log-odds."""
        moves, several = self._moves(self.outcome), len(self.members)
        which = f"the first of {several} networks, which are averaged" if several > 1 else ""
        rows = [[f"{name}: {value}", f"{points:+z.3f}"] for name, value, points in moves]
        return [[which, "log-odds"], *rows]


@dataclass(frozen=True, repr=False)
class ForestExplanation(_DrawsItself, ColumnExplanation):
    """A :class:`~probtrees.explain.column_parts.ColumnExplanation` that draws itself."""

    def table(self) -> list[list[str]]:
        """List what every column adds, in percentage points."""
        points = 100 * self.parts[:, self.outcome]
        first = ["before any column", f"{100 * self.base[self.outcome]:.2f}"]
        rows = [
            [f"{self.columns[at]}: {self.values[at]}", f"{points[at]:+z.2f}"]
            for at in self.largest_first(self.outcome)
        ]
        whole = f"together: {self.classes[self.outcome]}"
        last = [whole, f"{100 * self.probability[self.outcome]:.2f}"]
        return [["", "percentage points"], first, *rows, last]


def explain_by_parts(
    model: Model, data: Dataset, outcome: int
) -> ShapedExplanation | NetworkExplanation | ForestExplanation:
    """Take the answer for one row apart into parts that add up to it.

    They are those of the model: terms of a shaped tree or a council, tables of a network, columns
    of whatever else.
    """
    if model.kind in ("shaped", "council"):
        return ShapedExplanation(**vars(explain_additively(model, data)), outcome=outcome)
    if model.is_network:
        found, classes = vars(explain_row(model, data)), model.schema.classes
        return NetworkExplanation(**found, classes=classes, outcome=outcome)
    return ForestExplanation(**vars(explain_columns(model, data)), outcome=outcome)


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
