"""Displays in the manner of scikit-learn: where a probability comes from, and if it comes true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from sklearn.utils import check_consistent_length

from probtrees.draw.charts.forecast_charts import reliability_chart
from probtrees.errors import OptionError, did_you_mean
from probtrees.estimators.explanations import LeafExplanation
from probtrees.estimators.fitted_model import FittedModel
from probtrees.estimators.table import class_number, one_row
from probtrees.model.model import Model
from probtrees.score.reliability import BinMethod, ReliabilityBin, reliability_curve


@dataclass(frozen=True)
class LeafExplanationDisplay:
    """The way from all rows down to a leaf: what was observed, and what the smoother says.

    Make one with :meth:`from_estimator`; a notebook shows it.

    Attributes
    ----------
    explanation : the probability taken apart: rule, steps, rings, sentence

    Examples
    --------
    >>> from probtrees import C45Classifier, LeafExplanationDisplay
    >>> fitted = C45Classifier(smoother="laplace").fit([[1], [2], [8], [9]], list("aabb"))
    >>> shown = LeafExplanationDisplay.from_estimator(fitted, [8.5], outcome="b")
    >>> shown.explanation.cases, shown.explanation.probability
    (2.0, 0.75)
    """

    explanation: LeafExplanation

    @classmethod
    def from_estimator(
        cls, estimator: Any, row_or_leaf: Any, *, outcome: Any = None
    ) -> LeafExplanationDisplay:
        """Draw a probability of a fitted tree: that of a row, or that of a leaf.

        Parameters
        ----------
        estimator : a fitted classifier that is a single tree, or a model
        row_or_leaf : the number of a leaf (see ``apply``) or of an inner node; or a row: one row of
            values, or a frame, whose first row is meant, or a mapping by the names of the columns
        outcome : the class of interest; None: the rarest one
        """
        is_model = isinstance(estimator, Model)
        model = FittedModel.of(estimator if is_model else estimator.model_)
        if model.kind != "tree":
            raise OptionError(
                f"estimator must be a single tree, not a {model.kind}: only a tree has a leaf for "
                "a row. Use explain(row) of its model."
            )
        chosen = outcome if is_model else class_number(estimator, outcome)
        if isinstance(row_or_leaf, Integral):
            explained = model.explain(leaf=int(row_or_leaf), outcome=chosen)
        else:
            row = row_or_leaf if is_model else one_row(estimator, row_or_leaf)
            explained = model.explain(row, outcome=chosen)
        assert isinstance(explained, LeafExplanation)  # so it is of a tree
        return cls(explained)

    def _repr_html_(self) -> str:
        return self.explanation._repr_html_()


@dataclass
class ReliabilityDisplay:
    """Observed rates against predicted chances, with bands and the number of rows.

    Make one with :meth:`from_estimator` or :meth:`from_predictions`; a notebook shows it.

    Attributes
    ----------
    bins : rows that were given similar probabilities
    outcome : the class of interest

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

    @property
    def figure_(self) -> go.Figure:
        """The plotly figure."""
        return reliability_chart(self.bins, self.outcome)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Any:
        return self.figure_._repr_mimebundle_()

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,  # noqa: N803
        y: Any,
        *,
        outcome: Any = None,
        n_bins: int = 10,
        method: BinMethod = "rows",
    ) -> ReliabilityDisplay:
        """Draw the probabilities of a fitted classifier for rows it has not seen.

        Parameters
        ----------
        outcome : the class of interest; None: the last one
        """
        chosen = estimator.classes_[-1] if outcome is None else outcome
        chances = np.asarray(estimator.predict_proba(X))[:, class_number(estimator, chosen)]
        happened = np.asarray(y) == chosen
        return cls.from_predictions(
            happened, chances, outcome=str(chosen), n_bins=n_bins, method=method
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_prob: Any,
        *,
        outcome: str = "the outcome",
        n_bins: int = 10,
        method: BinMethod = "rows",
    ) -> ReliabilityDisplay:
        """Draw chances of an outcome against whether it occurred.

        Parameters
        ----------
        y_true : true or false for every row, or labels, of which ``outcome`` is one
        y_prob : the predicted chances of the outcome
        """
        check_consistent_length(y_true, y_prob)
        cases = _cases(np.asarray(y_true), outcome)
        return cls(reliability_curve(y_prob, cases, n_bins=n_bins, method=method), outcome)


def _cases(given: NDArray[Any], outcome: str) -> NDArray[np.bool_]:
    """Tell in which rows the outcome occurred: texts would all be true if taken as they are."""
    labels = set(given.tolist())
    if labels <= {0, 1}:
        return given.astype(bool)
    names = sorted(map(str, labels))
    if outcome not in names:
        raise OptionError(
            f"outcome={outcome!r} must be one of the labels. {did_you_mean(outcome, names)}"
        )
    return np.asarray(given.astype(str) == outcome)
