"""Why a shaped tree says what it says about a row: every step and every column has its term.

The terms add up: in log-odds to the answer's log-odds, and in percentage points, by a split that
depends on no order, to the answer itself.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from probtrees.explain.path import value_text
from probtrees.explain.row import NetworkSays, explain_row, likeliest_other
from probtrees.explain.rule import branch_condition
from probtrees.explain.shape_curves import additive_member, councillors
from probtrees.model.member import AdditiveMember
from probtrees.model.model import Model
from probtrees.model.predict import LEAST_OPINION, member_proba, opinion
from probtrees.model.routing import soft_steps
from probtrees.smooth.log_linear.softmax import normalise, straight_line_parts
from probtrees.table.dataset import Dataset, Schema
from probtrees.types import FloatArray
from probtrees.words import outcome_title, outcome_words, percent

SMALL = 0.05
"""Terms below this are not worth a word in a sentence."""


@dataclass(frozen=True)
class AdditiveTerm:
    """What one step of the path, or one column, adds.

    Attributes
    ----------
    kind : a step down a tree, what a column adds, or a member of a council as a whole
    name : the column's name
    words : the step's condition, or the column with its value, in words
    node : the node that a step leads to; None for a column
    share : how much of the row takes the step; 1 for a column
    scores : float64[n_classes], what is added to every class; only differences between classes
        matter. A step also holds what the rest of the row adds that goes elsewhere there.
    """

    kind: Literal["step", "column", "member"]
    name: str
    words: str
    node: int | None
    share: float
    scores: FloatArray

    @property
    def label(self) -> str:
        """The term as a line of a table names it."""
        return f"step: {self.words}" if self.kind == "step" else self.words


@dataclass(frozen=True)
class AdditiveExplanation:
    """A row's answer taken apart.

    Attributes
    ----------
    classes : their names
    target : the column whose classes they are
    base : float64[n_classes], the scores of a row that is average in everything
    terms : the steps of the path in order, then the columns
    proba : float64[n_classes], the answer: the softmax of base and all terms
    """

    classes: tuple[str, ...]
    base: FloatArray
    terms: tuple[AdditiveTerm, ...]
    proba: FloatArray
    target: str = ""

    def name(self, outcome: int) -> str:
        """Name a class so that it can be read: a number with its column."""
        return outcome_words(self.target, self.classes[outcome])

    def against(self, outcome: int) -> int:
        """Return the class that log-odds are taken against: the most probable other one."""
        return likeliest_other(self.proba, outcome)

    def log_odds(self, outcome: int, against: int | None = None) -> FloatArray:
        """Return what the base and then every term adds to the log-odds of a class.

        They sum to log(p(outcome) / p(against)).
        """
        other = self.against(outcome) if against is None else against
        scores = np.array([self.base, *(term.scores for term in self.terms)])
        return np.asarray(scores[:, outcome] - scores[:, other])

    def ledger(self, outcome: int) -> FloatArray:
        """Return the base rate and what every term adds to the probability of a class.

        They sum to the probability. The split depends on no order: the row is led from the
        average to what it is on a straight line, all terms growing together, and each is
        credited with the change it causes on the way (Aumann and Shapley).
        """
        terms = np.array([term.scores for term in self.terms]).reshape(-1, len(self.classes))
        start = normalise(self.base[None])[0, outcome]
        parts = straight_line_parts(self.base, terms)[:, outcome]
        return np.concatenate([[start], parts])

    def largest_first(self, outcome: int) -> list[int]:
        """Order the terms by how much they move the probability of a class."""
        return [int(at) for at in np.argsort(-np.abs(self.ledger(outcome)[1:]), kind="stable")]

    def sentence(self, outcome: int) -> str:
        """Say what matters most, in words."""
        odds = self.log_odds(outcome)[1:]
        order = [int(at) for at in np.argsort(-np.abs(odds), kind="stable")]
        named = [at for at in order[:3] if abs(odds[at]) >= SMALL]
        start = normalise(self.base[None])[0, outcome]
        own = f"{percent(self.proba[outcome])} {outcome_title(self.target, self.classes[outcome])}"
        says = f"{own}, where the average row has {percent(start)}"
        if not named:
            return f"{says}; nothing about this row makes much of a difference."
        listed = ", ".join(f"{self.terms[at].label} ({odds[at]:+.1f})" for at in named)
        versus = "" if len(self.classes) == 2 else f" against {self.classes[self.against(outcome)]}"
        return f"{says}; mostly {listed}, in log-odds{versus}."

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as plain values, ready for JSON."""
        ledgers = np.array([self.ledger(outcome) for outcome in range(len(self.classes))])
        return {
            "classes": list(self.classes),
            "probability": self.proba.tolist(),
            "base": {"scores": self.base.tolist(), "probability": ledgers[:, 0].tolist()},
            "terms": [
                {
                    "kind": term.kind,
                    "column": term.name,
                    "words": term.words,
                    "node": term.node,
                    "share": term.share,
                    "scores": term.scores.tolist(),
                    "probability": ledgers[:, number].tolist(),
                }
                for number, term in enumerate(self.terms, start=1)
            ],
        }


def explain_additively(model: Model, data: Dataset, row: int = 0) -> AdditiveExplanation:
    """Take the answer of a shaped tree, or of a council, apart.

    Parameters
    ----------
    data : rows under the model's schema; the class is not looked at
    row : which of them
    """
    one = data.take(np.array([row]))
    if model.kind == "council":
        base, terms = _council_terms(model, one)
    else:
        member = additive_member(model)
        base, terms = member.intercept, [*_steps(member, one), *_columns(member, one)]
    total = base + sum((term.scores for term in terms), np.zeros(one.n_classes))
    proba = normalise(np.asarray(total)[None])[0]
    target = model.schema.target.title
    return AdditiveExplanation(model.schema.classes, base, tuple(terms), proba, target)


def _council_terms(model: Model, one: Dataset) -> tuple[FloatArray, list[AdditiveTerm]]:
    """Add up the terms of all members, each times its weight; a column is one term of them all.

    A member that does not add up by itself, such as a softly routed tree, is one term. So is
    what is taken from a member that would rule a class out.
    """
    base, terms = np.zeros(one.n_classes), dict[Hashable, AdditiveTerm]()
    least = percent(LEAST_OPINION)
    for name, _, weight, member in councillors(model):
        own_base, own = np.zeros(one.n_classes), []
        if isinstance(member, AdditiveMember):
            own_base, own = member.intercept, [*_steps(member, one), *_columns(member, one)]
        elif member.is_network(model.schema):
            alone = replace(model, members=(member,), weights=())
            own_base, own = table_terms(explain_row(alone, one).members[0], model.schema)
        said = own_base + sum((term.scores for term in own), np.zeros(one.n_classes))
        rest = opinion(member_proba(member, one))[0] - said
        rest = rest - rest.mean()
        if np.abs(rest).max() > 1e-12:
            whole = f"{name}, held above {least}" if own else f"{name} as a whole"
            own.append(AdditiveTerm("member", name, whole, None, 1.0, rest))
        base = base + weight * own_base
        for term in own:
            key = term.name if term.kind == "column" else (term.words, term.node)
            before = terms[key].scores if key in terms else 0.0
            terms[key] = replace(terms.get(key, term), scores=before + weight * term.scores)
    return base, [*terms.values()]


def table_terms(network: NetworkSays, schema: Schema) -> tuple[FloatArray, list[AdditiveTerm]]:
    """Take a network apart: the frequencies of the classes, and a term per table."""
    base, terms = np.zeros(len(schema.classes)), []
    for table in network.tables:
        if table.column == schema.target_column:
            base = base + table.points
        else:
            words = f"{table.name} {table.value}"
            terms.append(AdditiveTerm("column", table.name, words, None, 1.0, table.points))
    return base, terms


def _steps(member: AdditiveMember, one: Dataset) -> list[AdditiveTerm]:
    """Follow the branch that takes most of the row; what goes elsewhere belongs to its step."""
    tree = member.smoothed.tree
    reached = np.zeros(tree.n_nodes)
    landing = soft_steps(tree, member.routing, one.values, one.schema.n_values)
    reached[landing.nodes] = landing.shares
    own = (reached - member.node_means)[:, None] * member.node_weights
    below = own.copy()
    for node in range(tree.n_nodes - 1, 0, -1):
        below[tree.arrays.parent[node]] += below[node]
    terms: list[AdditiveTerm] = []
    node = 0
    while children := list(tree.children(node)):
        taken = children[int(np.argmax(reached[children]))]
        # Where the row thins out it goes no further; all that lies below belongs to this step.
        goes_on = any(reached[child] > 0 for child in tree.children(taken))
        elsewhere = sum((below[child] for child in children if child != taken), 0 * own[0])
        condition = branch_condition(tree, one.schema, taken)
        terms.append(
            AdditiveTerm(
                kind="step",
                name=one.schema.names[int(tree.arrays.column[node])],
                words="" if condition is None else condition.words,
                node=taken,
                share=float(reached[taken]),
                scores=(own if goes_on else below)[taken] + elsewhere,
            )
        )
        if not goes_on:
            break
        node = taken
    return terms


def _columns(member: AdditiveMember, one: Dataset) -> list[AdditiveTerm]:
    """Ask the shape of every column."""
    schema, terms = one.schema, []
    for at, shape in ((shape.column, shape) for shape in member.shapes):
        words = f"{schema.titles[at]} {value_text(schema, at, one.values[0])}"
        scores = shape.scores(one.values[:, at])[0]
        terms.append(AdditiveTerm("column", schema.names[at], words, None, 1.0, scores))
    return terms
