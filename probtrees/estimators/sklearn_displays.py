"""Displays in the manner of scikit-learn: where a probability comes from, and if it comes true.

They draw for a notebook, or on axes of matplotlib.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from sklearn.utils import check_consistent_length

from probtrees.draw.charts.forecast_charts import reliability_chart
from probtrees.errors import OptionError
from probtrees.estimators.explanations import LeafExplanation
from probtrees.estimators.fitted_model import FittedModel
from probtrees.estimators.table import class_number
from probtrees.explain.rule import outcome_number
from probtrees.model.model import Model
from probtrees.score.reliability import BinMethod, ReliabilityBin, reliability_curve


@dataclass
class LeafExplanationDisplay:
    """The way from all rows down to a leaf: what was observed, and what the smoother says.

    Make one with :meth:`from_estimator`.

    Attributes
    ----------
    explanation : the probability taken apart: rule, steps, rings, sentence; a notebook shows it
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
        ax : axes of matplotlib to draw on; None: a notebook shows the explanation
        """
        is_model = isinstance(estimator, Model)
        kind = (estimator if is_model else estimator.model_).kind
        if kind != "tree":
            raise OptionError(
                f"estimator must be a single tree, not a {kind}: only a tree has a leaf for a "
                "row. Use explain(row) of its model."
            )
        asked: Any = FittedModel.of(estimator) if is_model else estimator
        is_leaf = isinstance(row_or_leaf, Integral)
        what = {"leaf": int(row_or_leaf)} if is_leaf else {"row": row_or_leaf}
        shown = cls(asked.explain(**what, outcome=outcome))
        return shown if ax is None else shown.plot(ax)

    def plot(self, ax: Any) -> LeafExplanationDisplay:
        """Draw on axes of matplotlib: rates as dots, estimates as a line."""
        steps, found = self.explanation.steps, self.explanation.interval
        leaf = len(steps) - 1
        met = [(at, step) for at, step in enumerate(steps) if step.observed is not None]
        most = max((step.rows for step in steps), default=1.0) or 1.0
        sizes = [(8 + 24 * (step.rows / most) ** 0.5) ** 2 / 3 for _, step in met]
        rates = [step.observed for _, step in met]
        ax.scatter(rates, [at for at, _ in met], s=sizes, label="observed")
        ax.plot([step.estimate for step in steps], range(len(steps)), "k.-", label="estimated")
        if found is not None:
            ends = [found.lower, found.upper]
            ax.plot(ends, [leaf, leaf], color="grey", label="90 % interval")
        # A dollar sign would begin a formula.
        ax.set_yticks(range(len(steps)), [step.condition.replace("$", r"\$") for step in steps])
        ax.invert_yaxis()
        ax.set_xlabel(f"chance of {self.explanation.outcome_name}".replace("$", r"\$"))
        ax.legend()
        self.ax_ = ax
        return self

    def _repr_html_(self) -> str:
        return self.explanation._repr_html_()


@dataclass
class ReliabilityDisplay:
    """Observed rates against predicted chances, with bands and the number of rows.

    Make one with :meth:`from_estimator` or :meth:`from_predictions`.

    Attributes
    ----------
    bins : rows that were given similar probabilities
    outcome : the class of interest
    figure_ : the plotly figure, once drawn
    ax_ : the axes of matplotlib, if it was drawn there

    Examples
    --------
    >>> import probtrees
    >>> data = probtrees.load_sample("stroke")
    >>> model = probtrees.fit(data, "nb", "laplace")
    >>> frame = data.to_frame()
    >>> shown = probtrees.ReliabilityDisplay.from_estimator(model, frame, frame["stroke"], n_bins=2)
    >>> shown.outcome, sum(found.rows for found in shown.bins)
    ('yes', 15)
    """

    bins: Sequence[ReliabilityBin]
    outcome: str
    figure_: go.Figure | None = field(default=None, repr=False)
    ax_: Any = field(default=None, repr=False)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Any:
        if self.figure_ is None:
            return {"text/plain": repr(self)}
        return self.figure_._repr_mimebundle_()

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,  # noqa: N803
        y: Any,
        *,
        outcome: Any = None,
        **how: Any,
    ) -> ReliabilityDisplay:
        """Draw the probabilities of a fitted classifier for rows it has not seen.

        Parameters
        ----------
        outcome : the class of interest; None: the last one
        how : ``n_bins``, ``method`` and ``ax`` as in :meth:`from_predictions`
        """
        chosen = estimator.classes_[-1] if outcome is None else outcome
        chances = np.asarray(estimator.predict_proba(X))[:, class_number(estimator, chosen)]
        happened = np.asarray(y) == chosen
        return cls.from_predictions(happened, chances, outcome=str(chosen), **how)

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_prob: Any,
        *,
        outcome: str = "the outcome",
        n_bins: int = 10,
        method: BinMethod = "rows",
        ax: Any = None,
    ) -> ReliabilityDisplay:
        """Draw chances of an outcome against whether it occurred.

        Parameters
        ----------
        y_true : true or false for every row, or labels, of which ``outcome`` is one
        y_prob : the predicted chances of the outcome
        ax : axes of matplotlib to draw on; None: a plotly figure
        """
        check_consistent_length(y_true, y_prob)
        cases = _cases(np.asarray(y_true), outcome)
        return cls(reliability_curve(y_prob, cases, n_bins=n_bins, method=method), outcome).plot(ax)

    def plot(self, ax: Any = None) -> ReliabilityDisplay:
        """Draw with plotly, or on axes of matplotlib."""
        if ax is None:
            self.figure_ = reliability_chart(self.bins, self.outcome)
            return self
        said, seen = [one.predicted for one in self.bins], [one.observed for one in self.bins]
        bands = [(one.observed - one.lower, one.upper - one.observed) for one in self.bins]
        ax.plot([0, 1], [0, 1], linestyle="--", color="grey")
        ax.errorbar(said, seen, yerr=np.transpose(bands), fmt="o", capsize=3)
        for one in self.bins:
            ax.annotate(f"{one.rows:,}", (one.predicted, one.observed), fontsize="small")
        ax.set_xlabel(f"predicted chance of {self.outcome}".replace("$", r"\$"))
        ax.set_ylabel("observed rate")
        self.ax_ = ax
        return self


def _cases(given: NDArray[Any], outcome: str) -> NDArray[np.bool_]:
    """Tell in which rows the outcome occurred: texts would all be true if taken as they are."""
    labels = set(given.tolist())
    if labels <= {0, 1}:
        return given.astype(bool)
    outcome_number(outcome, sorted(map(str, labels)))  # refuses what is none of them
    return np.asarray(given.astype(str) == outcome)
