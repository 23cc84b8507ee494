"""Displays in the manner of scikit-learn's: where a probability comes from, and if it comes true.

They draw with plotly, or on axes of matplotlib.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from sklearn.utils import check_consistent_length

from probtrees.draw.bars import Axis
from probtrees.draw.charts.figure import empty_figure
from probtrees.draw.charts.forecast_charts import reliability_chart
from probtrees.draw.escape import html_text, shorten
from probtrees.draw.palette import INTEREST, PAINTS, Paint
from probtrees.errors import OptionError, did_you_mean
from probtrees.estimators.explaining_classifier import class_number, one_row
from probtrees.estimators.explanations import LeafExplanation
from probtrees.estimators.fitted_model import FittedModel
from probtrees.explain.path import PathStep
from probtrees.model.model import Model
from probtrees.score.reliability import BinMethod, ReliabilityBin, reliability_curve
from probtrees.words import rows_text

_RUNG_HEIGHT = 46
_LONGEST_LABEL = 48


class _PlotlyDisplay:
    """A display that a notebook shows once it is drawn."""

    figure_: go.Figure | None = None
    ax_: Any = None

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Any:
        if self.figure_ is None:
            return {"text/plain": repr(self)}
        return self.figure_._repr_mimebundle_()


@dataclass
class LeafExplanationDisplay(_PlotlyDisplay):
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
            self.figure_ = ladder_chart(explained.steps, explained.outcome_name, interval)
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


def ladder_chart(
    steps: Sequence[PathStep],
    outcome: str,
    interval: tuple[float, float] | None = None,
) -> go.Figure:
    """Draw observed rates as dots, the larger the more rows, and the estimates as a line.

    Parameters
    ----------
    steps : from the root to the leaf
    outcome : the class of interest
    interval : where the true rate of the leaf lies, drawn at the last step
    """
    paint = PAINTS["light"]
    height = 110 + _RUNG_HEIGHT * len(steps)
    figure = empty_figure(f"chance of {outcome}", "", height=height)
    places = list(range(len(steps)))
    figure.add_trace(_observed_dots(steps, paint))
    figure.add_trace(
        go.Scatter(
            x=[step.estimate for step in steps],
            y=places,
            mode="lines+markers",
            line={"color": paint.text},
            marker={"size": 6},
            error_x=_error_bar(steps[-1].estimate, interval, len(steps)),
            name="estimated",
            hovertemplate="estimated %{x:.1%}<extra></extra>",
        )
    )
    labels = [html_text(shorten(step.condition, _LONGEST_LABEL)) for step in steps]
    marks = [share for s in steps for share in (s.estimate, s.observed) if share is not None]
    axis = Axis().closer([*marks, *(interval or ())])
    figure.update_xaxes(tickformat=".0%" if axis == Axis() else ".2~%", rangemode="tozero")
    if axis.low > 0:  # else it would begin at 0, with all that is drawn at its other end
        room = (axis.high - axis.low) / 20
        figure.update_xaxes(range=[axis.low - room, axis.high + room])
    figure.update_yaxes(tickvals=places, ticktext=labels, autorange="reversed", automargin=True)
    figure.update_layout(showlegend=True, margin={"t": 40})
    return figure


def _observed_dots(steps: Sequence[PathStep], paint: Paint) -> go.Scatter:
    """Draw the rates of the steps that have rows, the more rows the larger."""
    seen = [(at, step) for at, step in enumerate(steps) if step.observed is not None]
    most = max((step.rows for step in steps), default=1.0) or 1.0
    return go.Scatter(
        x=[step.observed for _, step in seen],
        y=[at for at, _ in seen],
        mode="markers",
        marker={
            "color": INTEREST,
            "size": [8 + 24 * (step.rows / most) ** 0.5 for _, step in seen],
            "line": {"color": paint.text, "width": 1},
        },
        name="observed",
        text=[rows_text(step.rows) for _, step in seen],
        hovertemplate="observed %{x:.1%} of %{text}<extra></extra>",
    )


def _error_bar(
    estimate: float, interval: tuple[float, float] | None, n_steps: int
) -> dict[str, object] | None:
    """Reach from the last estimate to the ends of an interval, and nowhere else."""
    if interval is None:
        return None
    others = [0.0] * (n_steps - 1)
    return {
        "type": "data",
        "symmetric": False,
        "array": [*others, max(interval[1] - estimate, 0.0)],
        "arrayminus": [*others, max(estimate - interval[0], 0.0)],
    }


@dataclass
class ReliabilityDisplay(_PlotlyDisplay):
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
        chosen = estimator.classes_[-1] if outcome is None else outcome
        number = class_number(estimator, chosen)
        chances = np.asarray(estimator.predict_proba(X))[:, number]
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
