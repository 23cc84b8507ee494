"""Where the probability of a leaf comes from, as a display in the manner of scikit-learn's."""

from __future__ import annotations

from dataclasses import dataclass, field
from numbers import Integral
from typing import Any

import plotly.graph_objects as go

from probtrees.draw.charts.ladder_chart import ladder_chart
from probtrees.errors import OptionError
from probtrees.estimators.displays import LeafExplanation
from probtrees.estimators.explaining_classifier import class_number, one_row
from probtrees.estimators.fitted_model import FittedModel
from probtrees.model.model import Model


@dataclass
class LeafExplanationDisplay:
    """The way from all rows down to a leaf: what was observed, and what the smoother says.

    Make one with :meth:`from_estimator`.

    Attributes
    ----------
    explanation : the probability taken apart: rule, steps, rings, sentence
    figure_ : the plotly figure, once drawn
    ax_ : the axes of matplotlib, if it was drawn there

    Examples
    --------
    >>> from probtrees import C45Classifier, LeafExplanationDisplay
    >>> fitted = C45Classifier(smoother="laplace").fit([[1], [2], [8], [9]], list("aabb"))
    >>> shown = LeafExplanationDisplay.from_estimator(fitted, [8.5], outcome="b")
    >>> shown.explanation.cases, shown.explanation.probability
    (2.0, 0.75)
    """

    explanation: LeafExplanation
    figure_: go.Figure | None = field(default=None, repr=False)
    ax_: Any = field(default=None, repr=False)

    @classmethod
    def from_estimator(
        cls, estimator: Any, row_or_leaf: Any, *, outcome: Any = None, ax: Any = None
    ) -> LeafExplanationDisplay:
        """Draw a probability of a fitted tree: that of a row, or that of a leaf.

        Parameters
        ----------
        estimator : a fitted classifier that is a single tree, or a model
        row_or_leaf : the number of a leaf (see ``apply``) or of an inner node; or a row: one row of
            values, or a frame, whose first row is meant, or a mapping by the names of the columns
        outcome : the class of interest; None: the rarest one
        ax : axes of matplotlib to draw on; None: a plotly figure
        """
        model = FittedModel.of(estimator if isinstance(estimator, Model) else estimator.model_)
        if model.kind != "tree":
            raise OptionError(
                f"estimator must be a single tree, not a {model.kind}: only a tree has a leaf for "
                "a row. Use explain(row) of its model."
            )
        chosen = outcome if isinstance(estimator, Model) else class_number(estimator, outcome)
        if isinstance(row_or_leaf, Integral):
            explained = model.explain(leaf=int(row_or_leaf), outcome=chosen)
        else:
            row = row_or_leaf
            if not isinstance(estimator, Model):
                row = one_row(estimator, row)
            explained = model.explain(row, outcome=chosen)
        assert isinstance(explained, LeafExplanation)  # so it is of a tree
        return cls(explained).plot(ax)

    def plot(self, ax: Any = None) -> LeafExplanationDisplay:
        """Draw with plotly, or on axes of matplotlib."""
        explained = self.explanation
        interval = (
            None
            if explained.interval is None
            else (explained.interval.lower, explained.interval.upper)
        )
        if ax is None:
            self.figure_ = ladder_chart(explained.steps, explained.outcome_name, interval=interval)
            return self
        places = range(len(explained.steps))
        seen = [(at, step) for at, step in enumerate(explained.steps) if step.observed is not None]
        most = max((step.rows for step in explained.steps), default=1.0) or 1.0
        ax.scatter(
            [step.observed for _, step in seen],
            [at for at, _ in seen],
            s=[20 + 280 * step.rows / most for _, step in seen],
            label="observed",
        )
        ax.plot([step.estimate for step in explained.steps], places, "k.-", label="estimated")
        if interval is not None:
            ax.plot(interval, [len(explained.steps) - 1] * 2, color="grey", label="90 % interval")
        # A dollar sign would begin a formula.
        names = [step.condition.replace("$", r"\$") for step in explained.steps]
        ax.set_yticks(places, names)
        ax.invert_yaxis()
        ax.set_xlabel(f"chance of {explained.outcome_name}".replace("$", r"\$"))
        ax.legend()
        self.ax_ = ax
        return self

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Any:
        """Show the figure in a notebook."""
        if self.figure_ is None:
            return {"text/plain": repr(self)}
        return self.figure_._repr_mimebundle_()
