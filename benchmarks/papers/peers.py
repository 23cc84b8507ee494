"""Models of others behind one interface, to compare with.

Each is a set of options with ``fit(train)``, which returns something with
``predict_proba(rows)``. Nominal columns become one column of zeros and ones per category; a
missing or unknown category is zero in all of them, a missing number stays missing. The
libraries are loaded when a model is fitted.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import DataError, OptionError
from probtrees.options import Options, option
from probtrees.table.dataset import Dataset

FloatArray = NDArray[np.float64]

MAX_CELLS = 2**28
"""A table with more cells than this after coding (2 GB) is refused."""


@runtime_checkable
class FittedPeer(Protocol):
    """A fitted model of others."""

    def predict_proba(self, data: Dataset) -> FloatArray:
        """Return the probability of every declared class for every row."""


@runtime_checkable
class Peer(Protocol):
    """A model of others before it is fitted. Its fields are its options."""

    name: ClassVar[str]
    label: ClassVar[str]

    def fit(self, train: Dataset) -> FittedPeer:
        """Learn from rows."""


@dataclass(frozen=True)
class _Constant:
    """The same probabilities for every row."""

    probs: FloatArray

    def predict_proba(self, data: Dataset) -> FloatArray:
        """Repeat the probabilities for every row."""
        return np.tile(self.probs, (data.n_rows, 1))


@dataclass(frozen=True)
class _Fitted:
    """A fitted classifier that knows only some of the declared classes, by number."""

    classifier: Any
    present: NDArray[np.int64]

    def predict_proba(self, data: Dataset) -> FloatArray:
        """Ask the classifier; classes it has not met get 0."""
        proba = np.zeros((data.n_rows, data.n_classes))
        proba[:, self.present] = self.classifier.predict_proba(code_rows(data))
        return np.asarray(proba / proba.sum(axis=1, keepdims=True))


@dataclass(frozen=True)
class BaseRate(Options):
    """Always answer with the class frequencies: what any model must beat."""

    name: ClassVar[str] = "base-rate"
    label: ClassVar[str] = "Always the base rate"

    def fit(self, train: Dataset) -> FittedPeer:
        """Count the classes."""
        counts = np.bincount(train.labels, weights=train.row_weights, minlength=train.n_classes)
        return _Constant(np.asarray(counts / counts.sum()))


@dataclass(frozen=True)
class RandomForest(Options):
    """Average many trees, each grown from drawn rows and columns (scikit-learn)."""

    name: ClassVar[str] = "random-forest"
    label: ClassVar[str] = "Random forest (scikit-learn)"

    n_trees: int = option(100, help="Number of trees.", minimum=1)
    min_leaf: int = option(1, help="Least rows in a leaf.", minimum=1)
    seed: int = option(0, help="Seed of the random numbers.", minimum=0)

    def fit(self, train: Dataset) -> FittedPeer:
        """Grow the forest."""
        from sklearn.ensemble import RandomForestClassifier  # noqa: PLC0415 (slow to load)

        forest = RandomForestClassifier(
            n_estimators=self.n_trees, min_samples_leaf=self.min_leaf, random_state=self.seed
        )
        return _fit(forest, train)


@dataclass(frozen=True)
class XGBoost(Options):
    """Add up small trees, each correcting those before it (XGBoost)."""

    name: ClassVar[str] = "xgboost"
    label: ClassVar[str] = "XGBoost"

    n_rounds: int = option(100, help="Number of trees per class.", minimum=1)
    max_depth: int = option(6, help="Depth of a tree.", minimum=1)
    learning_rate: float = option(0.3, help="How much each tree corrects.", above=0, maximum=1)
    seed: int = option(0, help="Seed of the random numbers.", minimum=0)

    def fit(self, train: Dataset) -> FittedPeer:
        """Boost the trees."""
        try:
            library = importlib.import_module("xgboost")
        except ImportError:
            raise OptionError(
                "model='xgboost' must have the package xgboost installed. "
                "Run: pip install 'probtrees[boosting]'"
            ) from None
        boosted = library.XGBClassifier(
            n_estimators=self.n_rounds,
            max_depth=self.max_depth,
            learning_rate=self.learning_rate,
            random_state=self.seed,
            n_jobs=1,
        )
        return _fit(boosted, train)


@dataclass(frozen=True)
class LogisticRegression(Options):
    """Add up a weight per column in log-odds (scikit-learn); missing numbers by their median."""

    name: ClassVar[str] = "logistic-regression"
    label: ClassVar[str] = "Logistic regression (scikit-learn)"

    def fit(self, train: Dataset) -> FittedPeer:
        """Fill, standardise and fit."""
        from sklearn.impute import SimpleImputer  # noqa: PLC0415 (slow to load)
        from sklearn.linear_model import LogisticRegression as Logistic  # noqa: PLC0415
        from sklearn.pipeline import Pipeline  # noqa: PLC0415
        from sklearn.preprocessing import StandardScaler  # noqa: PLC0415

        steps = [
            ("fill", SimpleImputer(strategy="median", keep_empty_features=True)),
            ("scale", StandardScaler()),
            ("fit", Logistic(max_iter=2000)),
        ]
        return _fit(Pipeline(steps), train, "fit__sample_weight")


@dataclass(frozen=True)
class HistogramBoosting(Options):
    """Add up small trees of binned columns (scikit-learn's defaults, where they can be used)."""

    name: ClassVar[str] = "histogram-boosting"
    label: ClassVar[str] = "Histogram boosting (scikit-learn)"

    seed: int = option(0, help="Seed of the random numbers.", minimum=0)

    def fit(self, train: Dataset) -> FittedPeer:
        """Boost the trees."""
        from sklearn.ensemble import HistGradientBoostingClassifier  # noqa: PLC0415 (slow to load)

        # Of more than 10,000 rows it holds some of every class out, which one row cannot give.
        lone = np.bincount(train.labels, minlength=train.n_classes).tolist().count(1) > 0
        stopping = False if lone else "auto"
        return _fit(
            HistGradientBoostingClassifier(random_state=self.seed, early_stopping=stopping), train
        )


@dataclass(frozen=True)
class ExplainableBoosting(Options):
    """Add up a boosted shape per column and per pair of columns (interpret's defaults)."""

    name: ClassVar[str] = "ebm"
    label: ClassVar[str] = "Explainable boosting machine"

    seed: int = option(0, help="Seed of the random numbers.", minimum=0)

    def fit(self, train: Dataset) -> FittedPeer:
        """Boost the shapes; pairs only for two classes, as the library has it."""
        try:
            library = importlib.import_module("interpret.glassbox")
        except ImportError:
            raise OptionError(
                "model='ebm' must have the package interpret-core installed. "
                "Run: pip install interpret-core"
            ) from None
        present = len(np.unique(train.labels))
        more = {"interactions": 0} if present > 2 else {}
        machine = library.ExplainableBoostingClassifier(random_state=self.seed, n_jobs=1, **more)
        return _fit(machine, train)


@dataclass(frozen=True)
class CalibratedTree(Options):
    """Grow trees on parts of the rows and map what they say to what happened in the rest.

    Platt's method fits a sigmoid, isotonic regression any rising step function (thesis sec.
    3.2.3.4). Where a class has fewer than two rows nothing can be held out, and the tree
    answers uncalibrated.
    """

    name: ClassVar[str] = "calibrated-tree"
    label: ClassVar[str] = "Calibrated tree"

    method: Literal["platt", "isotonic"] = option(
        "platt", help="How probabilities are mapped: a sigmoid (platt) or rising steps (isotonic)."
    )
    min_leaf: int = option(2, help="Least rows in a leaf.", minimum=1)
    n_parts: int = option(5, help="Parts the rows are cut into.", minimum=2)
    seed: int = option(0, help="Seed of the random numbers.", minimum=0)

    def fit(self, train: Dataset) -> FittedPeer:
        """Grow and calibrate."""
        from sklearn.calibration import CalibratedClassifierCV  # noqa: PLC0415 (slow to load)
        from sklearn.model_selection import StratifiedKFold  # noqa: PLC0415
        from sklearn.tree import DecisionTreeClassifier  # noqa: PLC0415

        tree = DecisionTreeClassifier(
            criterion="entropy", min_samples_leaf=self.min_leaf, random_state=self.seed
        )
        counts = np.bincount(train.labels)
        n_parts = min(self.n_parts, int(counts[counts > 0].min()))
        if n_parts < 2:
            return _fit(tree, train)
        parts = StratifiedKFold(n_parts, shuffle=True, random_state=self.seed)
        method = "sigmoid" if self.method == "platt" else "isotonic"
        return _fit(CalibratedClassifierCV(tree, method=method, cv=parts), train)


PEERS: Mapping[str, Peer] = MappingProxyType(
    {
        "base-rate": BaseRate(),
        "random-forest": RandomForest(),
        "xgboost": XGBoost(),
        "logistic-regression": LogisticRegression(),
        "histogram-boosting": HistogramBoosting(),
        "platt-tree": CalibratedTree(method="platt"),
        "isotonic-tree": CalibratedTree(method="isotonic"),
    }
)
"""The peers by the name that comparisons give them."""


def code_rows(data: Dataset) -> FloatArray:
    """Turn the features into numbers: one column per category, numbers as they are.

    >>> from probtrees.table.dataset import Column, Schema
    >>> schema = Schema((Column("age"), Column("sex", ("f", "m")), Column("y", ("0", "1"))))
    >>> code_rows(Dataset(schema, np.array([[30, 1, 0.0], [40, np.nan, 1]]))).tolist()
    [[30.0, 0.0, 1.0], [40.0, 0.0, 0.0]]
    """
    widths = [max(column.n_values, 1) for column in data.schema.features]
    n_cells = data.n_rows * sum(widths)
    if n_cells > MAX_CELLS:
        widest = data.schema.features[int(np.argmax(widths))]
        raise DataError(
            f"column={widest.name!r} has {widest.n_values} values; coded one by one the table "
            f"has {n_cells} cells and must stay below {MAX_CELLS}. Leave the column out."
        )
    coded = np.zeros((data.n_rows, sum(widths)))
    first = 0
    for number, (column, width) in enumerate(zip(data.schema.features, widths, strict=True)):
        values = data.values[:, number]
        if column.is_nominal:
            known = np.flatnonzero(values >= 0)
            coded[known, first + values[known].astype(np.int64)] = 1.0
        else:
            coded[:, first] = values
        first += width
    return coded


def _fit(classifier: Any, train: Dataset, weights: str = "sample_weight") -> FittedPeer:
    """Fit a classifier on the classes that occur, numbered without gaps."""
    present, labels = np.unique(train.labels, return_inverse=True)
    if present.shape[0] < 2 or train.values.shape[1] < 2:
        return BaseRate().fit(train)
    rows = code_rows(train)
    rows[:, np.isnan(rows).all(axis=0)] = 0.0  # not every library stands a column without values
    classifier.fit(rows, labels, **{weights: train.weights})
    return _Fitted(classifier, present)
