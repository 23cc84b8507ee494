"""What all estimators share: scikit-learn's conventions around a learner and a smoother."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_array, check_consistent_length, check_random_state, column_or_1d
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from probtrees.errors import OptionError
from probtrees.estimators.fitted_model import FittedModel
from probtrees.estimators.table import (
    as_frame,
    class_number,
    counted_rows,
    describe_column,
    encode_columns,
    numbered_columns,
    one_row,
    unused_name,
)
from probtrees.experiment.fit import fit
from probtrees.experiment.model_spec import named_smoother
from probtrees.experiment.registry import DEFAULT_SMOOTHER, Entry
from probtrees.model.model import Model
from probtrees.model.predict import IntervalKind, predict_interval, predict_proba
from probtrees.options import option_fields
from probtrees.score.metrics import rescale
from probtrees.table.dataset import Column, Dataset, Provenance, Schema
from probtrees.table.repeats import Repeats
from probtrees.types import FloatArray


class SmoothedClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Grow a model, smooth it, and answer with probabilities.

    Attributes
    ----------
    classes_ : the classes, sorted
    model_ : the :class:`~probtrees.estimators.fitted_model.FittedModel`, which explains, draws and
        reports
    class_weights_ : the weight of every class, in the order of ``classes_``; the training rows
        weigh as much in all as without
    n_features_in_, feature_names_in_ : as everywhere in scikit-learn
    """

    _learners: ClassVar[tuple[Entry, ...]]
    model_: FittedModel

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:  # noqa: N803
        """Grow and smooth the model.

        Parameters
        ----------
        X : frame or array; text, categorical and boolean columns are taken as they are, NaN
            is a missing value
        y : the classes
        sample_weight : how many rows each row stands for; a weight of 2 is the row twice. Weights
            that are all below 1 are rescaled to a mean of 1.
        """
        columns, values, y = self._check_training_table(X, y)
        check_classification_targets(y)
        self.classes_, labels = np.unique(y, return_inverse=True)
        own = Column(
            unused_name([column.name for column in columns]),
            tuple(str(label) for label in self.classes_),
        )
        table = np.column_stack([values, labels.astype(np.float64)])
        weights = None
        if sample_weight is not None:
            weights = _check_sample_weight(sample_weight, table, ensure_non_negative=True)
            table, weights = counted_rows(table, weights)
        asked = {} if self.repeats == "auto" else {"repeats": self.repeats}
        data = Dataset(
            Schema((*columns, own)),
            np.ascontiguousarray(table),
            weights=weights,
            provenance=Provenance(options=asked),
            repeats=self.repeats,
        )
        self.class_weights_ = np.ones(len(self.classes_))
        if self.class_weight is not None:
            data = self._weigh_classes(data, y)
        self.model_ = FittedModel.of(self._fit_model(data))
        return self

    def predict_proba(self, X: Any) -> FloatArray:  # noqa: N803
        """Return the probability of every class, in the order of ``classes_``.

        Under class weights it is brought back to how common the classes are, unless
        ``weighted_proba`` is true.
        """
        proba = self._model_proba(X)
        if self.weighted_proba or self.class_weight is None:
            return proba
        rates = self.class_weights_ / self.class_weights_.sum()
        even = np.full(len(rates), 1 / len(rates))
        return rescale(proba, rates, even)

    def predict_log_proba(self, X: Any) -> FloatArray:  # noqa: N803
        """Return the natural logarithm of :meth:`predict_proba`; minus infinity where that is 0."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def _model_proba(self, X: Any) -> FloatArray:  # noqa: N803
        """Return what the model says, which was grown under the class weights."""
        check_is_fitted(self)
        return predict_proba(self.model_, self._rows(X))

    def predict_interval(self, X: Any, kind: IntervalKind | None = None) -> FloatArray:  # noqa: N803
        """Bound the probability of every class, judged by rows not used to grow.

        The level is 90 %.

        Parameters
        ----------
        kind : "leaf", the true rate in the row's leaf, which accounts for the tree having been
            chosen by the same rows; "rate", the true rate of rows given about this number; "row",
            of shaped trees, the row's own chance. None: "leaf" of a tree, else "rate"

        Returns
        -------
        float64[n_rows, n_classes, 2], the lower and the upper end
        """
        check_is_fitted(self)
        rows = self._rows(X)
        bounds = predict_interval(self.model_, rows, kind)
        if self.weighted_proba or self.class_weight is None:
            return bounds
        return _without_class_weights(bounds, predict_proba(self.model_, rows), self.class_weights_)

    def _rows(self, X: Any) -> Dataset:  # noqa: N803
        """Bring rows under the schema of the model, their classes unknown."""
        values = self._check_table(X)
        unknown = np.full((values.shape[0], 1), np.nan)
        return Dataset(self.model_.schema, np.column_stack([values, unknown]), repeats=None)

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """Return the most probable class of every row; the first among equals.

        Under class weights it is the most probable one as they weigh the classes.
        """
        proba = self._model_proba(X)
        chosen: NDArray[Any] = self.classes_[proba.argmax(axis=1)]
        return chosen

    def explain(self, row: Any = None, *, leaf: int | None = None, outcome: Any = None) -> Any:
        """Take a probability apart: that of a row, or that of a leaf of a tree.

        Parameters
        ----------
        row : one row of values, a mapping by the names of the columns, or a frame, whose first
            row is meant
        leaf : instead of a row, a leaf (see ``apply``) or an inner node
        outcome : the class of interest; None: the rarest one
        """
        self._check_explainable()
        given = None if row is None else one_row(self, row)
        return self.model_.explain(given, leaf=leaf, outcome=class_number(self, outcome))

    def to_shap(self, X: Any, outcome: Any = None) -> Any:  # noqa: N803
        """Return what every column adds to a probability, as ``shap.Explanation`` for its plots.

        Base values and values sum to ``predict_proba`` of the class.

        Parameters
        ----------
        outcome : the class of interest; None: the rarest one
        """
        self._check_explainable()
        rows = self._rows(X)
        return self.model_.to_shap(rows, outcome=class_number(self, outcome))

    def _check_explainable(self) -> None:
        """Refuse to explain a number that the classifier does not give."""
        check_is_fitted(self)
        if self.class_weight is not None and not self.weighted_proba:
            raise OptionError(
                "weighted_proba=False must be True to explain under class weights: what is "
                "explained is what the model says before they are taken back."
            )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags

    def _weigh_classes(self, data: Dataset, y: Any) -> Dataset:
        """Multiply the weights of observations by those of their classes.

        Class weights are no copies: an observation stays whole whatever they are. Only their
        proportions matter, since smoothing depends on how much all rows weigh.
        """
        rows = data.observations()
        counts = np.bincount(rows.labels, rows.row_weights, len(self.classes_))
        if self.class_weight == "balanced":
            given = 1.0 / counts
        else:
            given = compute_class_weight(self.class_weight, classes=self.classes_, y=y)
        if not ((given > 0).all() and np.isfinite(given).all()):
            raise ValueError(
                f"class_weight={self.class_weight!r} must be above 0 and finite for every class."
            )
        self.class_weights_ = np.asarray(given * counts.sum() / (given * counts).sum())
        weights = rows.row_weights * self.class_weights_[rows.labels]
        as_they_are: Repeats | None = None if data.repeats_rule == "apart" else "together"
        return replace(rows, weights=weights, repeats=as_they_are)

    def _fit_model(self, data: Dataset) -> Model:
        """Let ``experiment.fit`` do the work with this estimator's parameters."""
        learner, options, settings = self._asked_for()
        smoother: Any = DEFAULT_SMOOTHER
        if self._learner().takes_smoother:
            smoother = named_smoother(self.smoother, self.smoother_options, settings["seed"])
        return fit(
            data, learner, smoother, options=options, track_record=self.intervals, **settings
        )

    def _asked_for(self) -> tuple[str, dict[str, Any], dict[str, Any]]:
        """Return the learner's name and options, and how else the model is to be grown."""
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        if isinstance(self.random_state, int | np.integer):
            seed = int(self.random_state)
        entry = self._learner()
        options = {
            field.name: getattr(self, field.name) for field in entry.options if field.name != "seed"
        }
        names = ("routing", "curtail", "as_published", "discretizer", "calibrate")
        settings = {name: getattr(self, name) for name in names if hasattr(self, name)}
        return entry.name, options, {"seed": seed, **settings}

    def _learner(self) -> Entry:
        """Return the registered learner; where it has several names, the parameters choose one."""
        for entry in self._learners:
            if all(getattr(self, name) == value for name, value in entry.preset.items()):
                return entry
        for field in option_fields(self._learners[0].algorithm):
            if field.name in self._learners[0].preset:
                field.check(getattr(self, field.name))
        raise OptionError(f"parameters must be those of one of {self._learners}.")

    def _check_training_table(self, table: Any, y: Any) -> tuple[tuple[Column, ...], Any, Any]:
        """Bring X and y into columns, values and labels."""
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None")
        frame = as_frame(table)
        if frame is None:
            try:
                values, y = validate_data(
                    self, table, y, dtype=np.float64, ensure_all_finite="allow-nan"
                )
                columns = numbered_columns(self)
                return columns, values, y
            except ValueError as problem:
                if "could not convert string" not in str(problem):
                    raise
                frame = pd.DataFrame(np.asarray(table, dtype=object))
        validate_data(self, frame, skip_check_array=True)
        y = column_or_1d(y, warn=True)
        check_array(y, ensure_2d=False, dtype=None, input_name="y")
        check_consistent_length(frame, y)
        columns = tuple(describe_column(str(n), frame.iloc[:, i]) for i, n in enumerate(frame))
        return columns, encode_columns(frame, columns), y

    def _check_table(self, table: Any) -> FloatArray:
        """Bring X into values under the columns of the training table."""
        columns = self.model_.schema.features
        frame = as_frame(table)
        if frame is None and not any(column.is_nominal for column in columns):
            return np.asarray(
                validate_data(
                    self, table, reset=False, dtype=np.float64, ensure_all_finite="allow-nan"
                )
            )
        if frame is None:
            frame = pd.DataFrame(np.asarray(table, dtype=object))
        validate_data(self, frame, skip_check_array=True, reset=False)
        return encode_columns(frame, columns)


def _without_class_weights(
    bounds: FloatArray, proba: FloatArray, class_weights: FloatArray
) -> FloatArray:
    """Bring the ends of intervals back to how common the classes are.

    The odds of a class against all others are divided by its weight and multiplied by the mean
    weight of the others, as they share the rest of the row's probability.
    """
    rest = proba.sum(axis=1, keepdims=True) - proba
    others = (proba / class_weights).sum(axis=1, keepdims=True) - proba / class_weights
    lighter = np.divide(others, rest, out=np.ones_like(rest), where=rest > 0)[:, :, None]
    inside = bounds / class_weights[:, None]
    return np.asarray(inside / (inside + (1.0 - bounds) * lighter))
