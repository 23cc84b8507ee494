"""Whether probabilities come true, as a display in the manner of scikit-learn's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from sklearn.utils import check_consistent_length

from probtrees.draw.charts.forecast_charts import reliability_chart
from probtrees.errors import OptionError, did_you_mean
from probtrees.score.reliability import BinMethod, ReliabilityBin, reliability_curve


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
        ax: Any = None,
    ) -> ReliabilityDisplay:
        """Draw the probabilities of a fitted classifier for rows it has not seen.

        Parameters
        ----------
        outcome : the class of interest; None: the last one
        ax : axes of matplotlib to draw on; None: a plotly figure
        """
        classes = list(estimator.classes_)
        chosen = classes[-1] if outcome is None else outcome
        if chosen not in classes:
            hint = did_you_mean(str(chosen), [str(name) for name in classes])
            raise OptionError(f"outcome={outcome!r} must be a class. {hint}")
        chances = np.asarray(estimator.predict_proba(X))[:, classes.index(chosen)]
        return cls.from_predictions(
            np.asarray(y) == chosen,
            chances,
            outcome=str(chosen),
            n_bins=n_bins,
            method=method,
            ax=ax,
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
            self.figure_ = reliability_chart(self.bins, self.outcome)  # type: ignore[arg-type]
            return self
        said = [one.predicted for one in self.bins]
        seen = [one.observed for one in self.bins]
        below = [one.observed - one.lower for one in self.bins]
        above = [one.upper - one.observed for one in self.bins]
        ax.plot([0, 1], [0, 1], linestyle="--", color="grey")
        ax.errorbar(said, seen, yerr=[below, above], fmt="o", capsize=3)
        for one in self.bins:
            ax.annotate(f"{one.rows:,}", (one.predicted, one.observed), fontsize="small")
        ax.set_xlabel(f"predicted chance of {self.outcome}")
        ax.set_ylabel("observed rate")
        self.ax_ = ax
        return self

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Any:
        """Show the figure in a notebook."""
        if self.figure_ is None:
            return {"text/plain": repr(self)}
        return self.figure_._repr_mimebundle_()


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
