"""What all estimators share: scikit-learn's conventions around a learner and a smoother."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_array, check_random_state, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from probtrees.dataset import Column, Dataset, Schema
from probtrees.estimators.distributed_table import fit_distributed, is_distributed, partitions
from probtrees.estimators.table import describe_columns, encode_columns
from probtrees.experiment.fit import fit
from probtrees.experiment.fitted_model import predict_proba as predict_table
from probtrees.experiment.predict_interval import predict_interval
from probtrees.experiment.recipe import make_recipe, named_smoother
from probtrees.experiment.registry import DEFAULT_DISCRETIZER, DEFAULT_SMOOTHER, LEARNERS
from probtrees.model import Model
from probtrees.predict import predict_proba
from probtrees.smoothed_tree import SmoothedTree

FloatArray = NDArray[np.float64]

DISTRIBUTED_SMOOTHER = "m-estimate"
"""What the default smoother, which holds rows out, gives way to for a Dask data frame."""

_MOST_REPEATS = 4
"""Whole weights are taken as repeated rows up to this many times the rows, on average."""

_SHARED_PARAMETERS: dict[str, tuple[Any, str]] = {
    "smoother": (
        DEFAULT_SMOOTHER,
        "Registry name of a smoother, or a smoother such as ``MEstimate(strength=2)``.",
    ),
    "smoother_options": (None, "Options of a smoother given by name, as a dictionary."),
    "random_state": (0, "Seed of everything random."),
    "intervals": (
        False,
        "Gather what ``predict_interval`` needs also for a smoother that holds no rows out; it "
        "costs about as much as growing four times more.",
    ),
}

_ROUTING_PARAMETER = ("hard", "Whether a row goes down one branch ('hard') or several ('soft').")

_DISCRETIZER_PARAMETER = (
    DEFAULT_DISCRETIZER,
    "How numeric columns are cut: 'mdlp', 'width', 'frequency', 'kmeans', 'tree', or a "
    "discretiser such as ``EqualWidth(5)``.",
)


class SmoothedClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Grow a model, smooth it, and answer with probabilities.

    Attributes
    ----------
    classes_ : the classes, sorted
    model_ : the fitted :class:`~probtrees.model.Model`
    n_features_in_, feature_names_in_ : as everywhere in scikit-learn
    """

    _learner: ClassVar[str]

    def fit(
        self,
        X: Any,  # noqa: N803
        y: Any = None,
        sample_weight: Any = None,
        *,
        target: str | None = None,
    ) -> Self:
        """Grow and smooth the model.

        Parameters
        ----------
        X : frame or array; text, categorical and boolean columns are taken as they are, NaN
            is a missing value. A Dask frame or array is counted where it is, by the workers of
            the client at hand; the default smoother, which holds rows out, then gives way to
            the m-estimate.
        y : the classes
        sample_weight : how much each row counts
        target : the column of a Dask frame that holds the classes, in place of y; the last
            one if neither is given
        """
        if is_distributed(X):
            return self._fit_distributed(X, y, sample_weight, target)
        if target is not None:
            raise ValueError("target must come with a Dask data frame. Give the classes as y.")
        self.reads_by_name_ = False
        columns, values, y = self._check_training_table(X, y)
        check_classification_targets(y)
        self.classes_, labels = np.unique(y, return_inverse=True)
        own = Column(_unused_name(columns), tuple(str(label) for label in self.classes_))
        table = np.column_stack([values, labels.astype(np.float64)])
        weights = None
        if sample_weight is not None:
            weights = _check_sample_weight(sample_weight, table, ensure_non_negative=True)
            table, weights = _apply_weights(table, weights)
        data = Dataset(Schema((*columns, own)), np.ascontiguousarray(table), weights=weights)
        self.model_ = self._fit_model(data)
        return self

    def predict_proba(self, X: Any) -> FloatArray:  # noqa: N803
        """Return the probability of every class, in the order of ``classes_``."""
        check_is_fitted(self)
        if is_distributed(X):
            return np.concatenate([self.predict_proba(part) for part in partitions(X)])
        if self.reads_by_name_ and _as_frame(X) is not None:
            return predict_table(self.model_, _as_frame(X))
        return predict_proba(self.model_, self._rows(X))

    def predict_interval(self, X: Any) -> FloatArray:  # noqa: N803
        """Bound the probability of every class, judged by rows not used to grow.

        The level is 90 %. Of a tree it is the interval of the true rate in the row's leaf,
        which accounts for the tree having been chosen by the same rows.

        Returns
        -------
        float64[n_rows, n_classes, 2], the lower and the upper end
        """
        check_is_fitted(self)
        if is_distributed(X):
            return np.concatenate([self.predict_interval(part) for part in partitions(X)])
        if self.model_.track_record is None:
            raise ValueError(
                "intervals=False must be True for intervals with this smoother. Fit again with "
                "intervals=True, on rows that fit into memory."
            )
        return predict_interval(self.model_, self._rows(X))

    def _rows(self, X: Any) -> Dataset:  # noqa: N803
        """Bring rows under the schema of the model, their classes unknown."""
        values = self._check_table(X)
        unknown = np.full((values.shape[0], 1), np.nan)
        return Dataset(self.model_.schema, np.column_stack([values, unknown]))

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """Return the most probable class of every row; the first among equals."""
        proba = self.predict_proba(X)
        chosen: NDArray[Any] = self.classes_[proba.argmax(axis=1)]
        return chosen

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags

    def _fit_distributed(
        self,
        X: Any,  # noqa: N803
        y: Any,
        sample_weight: Any,
        target: str | None,
    ) -> Self:
        """Let the workers count, and take over what they found."""
        if sample_weight is not None:
            raise ValueError("sample_weight must be None for a Dask data frame.")
        learner, options, settings = self._asked_for()
        smoother = DISTRIBUTED_SMOOTHER if self.smoother == DEFAULT_SMOOTHER else self.smoother
        named = named_smoother(smoother, self.smoother_options, settings["seed"])
        recipe = make_recipe(learner, options, **settings)
        self.model_, features, self.classes_ = fit_distributed(X, y, target, recipe, named)
        self.feature_names_in_ = np.array(features, dtype=object)
        self.n_features_in_ = len(features)
        self.reads_by_name_ = True
        return self

    def _fit_model(self, data: Dataset) -> Model:
        """Let ``experiment.fit`` do the work with this estimator's parameters."""
        learner, options, settings = self._asked_for()
        smoother = named_smoother(self.smoother, self.smoother_options, settings["seed"])
        return fit(
            data, learner, smoother, options=options, track_record=self.intervals, **settings
        )

    def _asked_for(self) -> tuple[str, dict[str, Any], dict[str, Any]]:
        """Return the learner's name and options, and how else the model is to be grown."""
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        if isinstance(self.random_state, int | np.integer):
            seed = int(self.random_state)
        entry = LEARNERS[self._learner_name()]
        options = {
            field.name: getattr(self, field.name) for field in entry.options if field.name != "seed"
        }
        names = ("routing", "discretizer")
        settings = {name: getattr(self, name) for name in names if hasattr(self, name)}
        return entry.name, options, {"seed": seed, **settings}

    def _learner_name(self) -> str:
        return self._learner

    def _check_training_table(self, table: Any, y: Any) -> tuple[tuple[Column, ...], Any, Any]:
        """Bring X and y into columns, values and labels."""
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None")
        frame = _as_frame(table)
        if frame is None:
            try:
                values, y = validate_data(
                    self, table, y, dtype=np.float64, ensure_all_finite="allow-nan"
                )
                columns = _numbered_columns(self)
                return columns, values, y
            except ValueError as problem:
                if "could not convert string" not in str(problem):
                    raise
                frame = pd.DataFrame(np.asarray(table, dtype=object))
        validate_data(self, frame, skip_check_array=True)
        y = column_or_1d(y, warn=True)
        check_array(y, ensure_2d=False, dtype=None, input_name="y")
        if len(y) != len(frame) or not len(frame):
            raise ValueError(
                f"Found input variables with inconsistent numbers of samples: "
                f"[{len(frame)}, {len(y)}]; a minimum of 1 sample is required."
            )
        columns = describe_columns(frame)
        return columns, encode_columns(frame, columns), y

    def _check_table(self, table: Any) -> FloatArray:
        """Bring X into values under the columns of the training table."""
        columns = self.model_.schema.features
        frame = _as_frame(table)
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


class TreeClassifier(SmoothedClassifier):
    """A classifier that is a single tree."""

    @property
    def tree_(self) -> SmoothedTree:
        """The smoothed tree."""
        check_is_fitted(self)
        return self.model_.tree


class NetworkClassifier(SmoothedClassifier):
    """A classifier made of Bayesian networks; numeric columns are cut into intervals."""


Estimator = TypeVar("Estimator", bound=SmoothedClassifier)


def with_parameters(
    learner: str, **more: tuple[Any, str]
) -> Callable[[type[Estimator]], type[Estimator]]:
    """Give an estimator the options of a learner as constructor parameters.

    scikit-learn reads parameters off the constructor's signature. They are declared once,
    as the learner's option fields, so the signature and its documentation are made here.
    """
    entry = LEARNERS[learner]
    declared = {field.name: (field.default, field.help) for field in entry.options}
    declared.pop("seed", None)
    if entry.is_network:
        more = {**more, "discretizer": _DISCRETIZER_PARAMETER}
    else:
        more = {**more, "routing": _ROUTING_PARAMETER}
    parameters = {
        "smoother": _SHARED_PARAMETERS["smoother"],
        **declared,
        **more,
        **_SHARED_PARAMETERS,
    }

    def decorate(estimator: type[Estimator]) -> type[Estimator]:
        keyword = inspect.Parameter.KEYWORD_ONLY
        signature = inspect.Signature(
            [
                inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD),
                *(
                    inspect.Parameter(name, keyword, default=default)
                    for name, (default, _) in parameters.items()
                ),
            ]
        )

        def __init__(self: Any, *args: Any, **given: Any) -> None:  # noqa: N807
            bound = signature.bind(self, *args, **given)
            bound.apply_defaults()
            for name, value in list(bound.arguments.items())[1:]:
                setattr(self, name, value)

        __init__.__signature__ = signature  # type: ignore[attr-defined]
        __init__.__qualname__ = f"{estimator.__qualname__}.__init__"
        lines = [f"    {name} : default {d!r}. {text}" for name, (d, text) in parameters.items()]
        heading = "\n\n    Parameters\n    ----------\n"
        estimator.__doc__ = (estimator.__doc__ or "").rstrip() + heading + "\n".join(lines) + "\n"
        estimator.__init__ = __init__  # type: ignore[method-assign]
        estimator._learner = learner
        return estimator

    return decorate


def _as_frame(table: Any) -> pd.DataFrame | None:
    """Take a frame of pandas, or of any library that can become one; None for arrays."""
    if isinstance(table, pd.DataFrame):
        return table
    if hasattr(table, "to_pandas") and hasattr(table, "columns"):
        converted = table.to_pandas()
        return converted if isinstance(converted, pd.DataFrame) else None
    return None


def _numbered_columns(estimator: Any) -> tuple[Column, ...]:
    names = getattr(estimator, "feature_names_in_", None)
    if names is None:
        names = [f"x{number}" for number in range(estimator.n_features_in_)]
    return tuple(Column(str(name)) for name in names)


def _unused_name(columns: tuple[Column, ...]) -> str:
    """Name the target apart from the features."""
    name = "class"
    while any(column.name == name for column in columns):
        name += "_"
    return name


def _apply_weights(table: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray | None]:
    """Leave rows without weight out, and repeat rows of small whole weights.

    scikit-learn promises that a weight of 3 is the row three times. Where rows are held
    out one by one that is only so if there are three of them.
    """
    counted = weights > 0
    if not counted.any():
        raise ValueError("sample_weight must not be zero for all samples.")
    table, weights = table[counted], weights[counted]
    is_whole = bool((weights == np.floor(weights)).all())
    if is_whole and weights.sum() <= _MOST_REPEATS * len(weights):
        return np.repeat(table, weights.astype(np.int64), axis=0), None
    return table, weights
