"""Explanations of a row that draw themselves in a notebook, by the kind of model that answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from probtrees.draw.escape import html_text
from probtrees.draw.palette import Theme
from probtrees.estimators.notebook_html import table_html, themed
from probtrees.explain.additive import AdditiveExplanation, largest_first
from probtrees.explain.column_parts import ColumnExplanation
from probtrees.explain.row import NetworkSays, RowExplanation
from probtrees.words import percent


class _DrawsItself(ABC):
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

    def _repr_html_(self) -> str:
        head = f"<p><b>{html_text(str(self))}</b></p>"
        return themed(lambda theme: head + self._table(theme))

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
