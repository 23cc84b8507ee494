"""Models of others behind one interface, to compare with.

Each is a set of options with ``fit(train)``, which returns something with
``predict_proba(rows)``. Nominal columns become one column of zeros and ones per category; a
missing or unknown category is zero in all of them, a missing number stays missing. The
libraries are loaded when a model is fitted.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import DataError, OptionError
from probtrees.options import Options, option
from probtrees.score.measures import evaluate
from probtrees.table.dataset import Dataset
from probtrees.table.folds import FoldPlan

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
    code: Callable[[Dataset], NDArray[Any]]

    def predict_proba(self, data: Dataset) -> FloatArray:
        """Ask the classifier; classes it has not met get 0."""
        proba = np.zeros((data.n_rows, data.n_classes))
        proba[:, self.present] = self.classifier.predict_proba(self.code(data))
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
    min_child_weight: float = option(1.0, help="Least curvature in a leaf.", minimum=0)
    subsample: float = option(1.0, help="Share of the rows a tree sees.", above=0, maximum=1)
    penalty: float = option(1.0, help="Penalty on the values of leaves.", minimum=0)
    seed: int = option(0, help="Seed of the random numbers.", minimum=0)

    def fit(self, train: Dataset) -> FittedPeer:
        """Boost the trees."""
        boosted = _library("xgboost", "'probtrees[boosting]'").XGBClassifier(
            n_estimators=self.n_rounds,
            max_depth=self.max_depth,
            learning_rate=self.learning_rate,
            min_child_weight=self.min_child_weight,
            subsample=self.subsample,
            reg_lambda=self.penalty,
            random_state=self.seed,
            n_jobs=1,
        )
        return _fit(boosted, train)


@dataclass(frozen=True)
class CatBoost(Options):
    """Add up small symmetric trees, each learnt from rows in another order (CatBoost).

    It has its own way with nominal columns, and is given them as they are.
    """

    name: ClassVar[str] = "catboost"
    label: ClassVar[str] = "CatBoost"

    n_rounds: int = option(1000, help="Number of trees.", minimum=1)
    max_depth: int = option(6, help="Depth of a tree.", minimum=1)
    learning_rate: float | None = option(
        None, help="How much each tree corrects; None: it chooses."
    )
    penalty: float = option(3.0, help="Penalty on the values of leaves.", minimum=0)
    seed: int = option(0, help="Seed of the random numbers.", minimum=0)

    def fit(self, train: Dataset) -> FittedPeer:
        """Boost the trees."""
        boosted = _library("catboost").CatBoostClassifier(
            iterations=self.n_rounds,
            depth=self.max_depth,
            learning_rate=self.learning_rate,
            l2_leaf_reg=self.penalty,
            random_seed=self.seed,
            cat_features=np.flatnonzero(np.logical_not(_kinds(train)[0])).tolist(),
            thread_count=1,
            allow_writing_files=False,
            verbose=False,
        )
        return _fit(boosted, train, code=_name_categories)


@dataclass(frozen=True)
class LogisticRegression(Options):
    """Add up a weight per column in log-odds (scikit-learn); missing numbers by their median."""

    name: ClassVar[str] = "logistic-regression"
    label: ClassVar[str] = "Logistic regression (scikit-learn)"

    n_knots: int = option(0, help="Knots of a cubic spline per number; 0: a line.", minimum=0)

    def fit(self, train: Dataset) -> FittedPeer:
        """Fill, bend, standardise and fit."""
        from sklearn.compose import ColumnTransformer  # noqa: PLC0415 (slow to load)
        from sklearn.impute import SimpleImputer  # noqa: PLC0415
        from sklearn.linear_model import LogisticRegression as Logistic  # noqa: PLC0415
        from sklearn.pipeline import Pipeline  # noqa: PLC0415
        from sklearn.preprocessing import SplineTransformer, StandardScaler  # noqa: PLC0415

        steps = [
            ("fill", SimpleImputer(strategy="median", keep_empty_features=True)),
            ("scale", StandardScaler()),
            ("fit", Logistic(max_iter=2000)),
        ]
        if self.n_knots:
            numbers = np.flatnonzero(np.repeat(*_kinds(train)))
            bent = ("bend", SplineTransformer(self.n_knots), numbers)
            steps.insert(1, ("shape", ColumnTransformer([bent], remainder="passthrough")))
        return _fit(Pipeline(steps), train, "fit__sample_weight")


@dataclass(frozen=True)
class HistogramBoosting(Options):
    """Add up small trees of binned columns (scikit-learn's defaults, where they can be used)."""

    name: ClassVar[str] = "histogram-boosting"
    label: ClassVar[str] = "Histogram boosting (scikit-learn)"

    n_rounds: int = option(100, help="Number of trees per class.", minimum=1)
    learning_rate: float = option(0.1, help="How much each tree corrects.", above=0, maximum=1)
    max_leaves: int = option(31, help="Leaves of a tree.", minimum=2)
    min_leaf: int = option(20, help="Least rows in a leaf.", minimum=1)
    penalty: float = option(0.0, help="Penalty on the values of leaves.", minimum=0)
    seed: int = option(0, help="Seed of the random numbers.", minimum=0)

    def fit(self, train: Dataset) -> FittedPeer:
        """Boost the trees."""
        from sklearn.ensemble import HistGradientBoostingClassifier  # noqa: PLC0415 (slow to load)

        # Of more than 10,000 rows it holds some of every class out, which one row cannot give.
        lone = np.bincount(train.labels, minlength=train.n_classes).tolist().count(1) > 0
        stopping = False if lone else "auto"
        boosted = HistGradientBoostingClassifier(
            max_iter=self.n_rounds,
            learning_rate=self.learning_rate,
            max_leaf_nodes=self.max_leaves,
            min_samples_leaf=self.min_leaf,
            l2_regularization=self.penalty,
            random_state=self.seed,
            early_stopping=stopping,
        )
        return _fit(boosted, train)


@dataclass(frozen=True)
class ExplainableBoosting(Options):
    """Add up a boosted shape per column and per pair of columns (interpret's defaults)."""

    name: ClassVar[str] = "ebm"
    label: ClassVar[str] = "Explainable boosting machine"

    seed: int = option(0, help="Seed of the random numbers.", minimum=0)

    def fit(self, train: Dataset) -> FittedPeer:
        """Boost the shapes; pairs only for two classes, as the library has it."""
        present = len(np.unique(train.labels))
        more = {"interactions": 0} if present > 2 else {}
        glassbox = _library("interpret.glassbox", "interpret-core")
        machine = glassbox.ExplainableBoostingClassifier(random_state=self.seed, n_jobs=1, **more)
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


SETTINGS: Mapping[str, tuple[type[Peer], dict[str, tuple[float, ...]]]] = {
    "xgboost": (
        XGBoost,
        {
            "n_rounds": (50, 100, 200, 400),
            "max_depth": (2, 3, 4, 6, 8),
            "learning_rate": (0.02, 0.05, 0.1, 0.3),
            "min_child_weight": (0.5, 1.0, 5.0, 20.0),
            "subsample": (0.5, 0.8, 1.0),
            "penalty": (0.1, 1.0, 10.0),
        },
    ),
    "catboost": (
        CatBoost,
        {
            "n_rounds": (100, 300, 1000),
            "max_depth": (2, 4, 6, 8),
            "learning_rate": (0.02, 0.05, 0.1, 0.2),
            "penalty": (1.0, 3.0, 10.0, 30.0),
        },
    ),
    "histogram-boosting": (
        HistogramBoosting,
        {
            "n_rounds": (50, 100, 200, 400),
            "learning_rate": (0.02, 0.05, 0.1, 0.2),
            "max_leaves": (4, 8, 16, 31, 63),
            "min_leaf": (5, 10, 20, 50),
            "penalty": (0.0, 1.0, 10.0),
        },
    ),
}
"""What is tried when a peer is tuned, by its name."""


@dataclass(frozen=True)
class Tuned(Options):
    """Another peer with the best of some random settings, judged by rows held out of training."""

    label: ClassVar[str] = "Tuned"

    name: str = option("xgboost", help="The peer.")
    n_settings: int = option(20, help="Settings that are drawn.", minimum=1)
    n_parts: int = option(3, help="Parts the training rows are cut into.", minimum=2)
    seed: int = option(0, help="Seed of the random numbers.", minimum=0)

    def fit(self, train: Dataset) -> FittedPeer:
        """Choose by the log loss of the parts held out, then fit on all rows."""
        kind, values = SETTINGS[self.name]
        random = np.random.default_rng(self.seed)
        drawn = [
            kind(**{name: each[random.integers(len(each))] for name, each in values.items()})
            for _ in range(self.n_settings)
        ]
        splits = list(FoldPlan(n_folds=self.n_parts).cut_once(train).splits())
        losses = np.zeros(len(drawn))
        for at, setting in enumerate(drawn):
            for own, held_out in splits:
                test = train.take(held_out)
                proba = setting.fit(train.take(own)).predict_proba(test)
                losses[at] += evaluate(proba, test.labels).log_loss * test.n_rows
        return drawn[int(np.argmin(losses))].fit(train)


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
    widths = _kinds(data)[1]
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


def _kinds(data: Dataset) -> tuple[list[bool], list[int]]:
    """Say of every feature whether it is a number, and how many columns its code has."""
    features = data.schema.features
    return [not each.is_nominal for each in features], [max(each.n_values, 1) for each in features]


def _library(name: str, package: str = "") -> Any:
    """Import a library that is not among those of the project."""
    try:
        return importlib.import_module(name)
    except ImportError:
        package = package or name
        raise OptionError(
            f"model must have the package {package} installed. Run: pip install {package}"
        ) from None


def _name_categories(data: Dataset) -> NDArray[Any]:
    """Write categories as texts, a missing one too; numbers stay."""
    rows = data.values[:, : len(data.schema.features)].astype(object)
    for number, is_number in enumerate(_kinds(data)[0]):
        if not is_number:
            rows[:, number] = [str(value) for value in rows[:, number]]
    return rows


def _fit(
    classifier: Any,
    train: Dataset,
    weights: str = "sample_weight",
    code: Callable[[Dataset], NDArray[Any]] = code_rows,
) -> FittedPeer:
    """Fit a classifier on the classes that occur, numbered without gaps."""
    present, labels = np.unique(train.labels, return_inverse=True)
    if present.shape[0] < 2 or train.values.shape[1] < 2:
        return BaseRate().fit(train)
    rows = code(train)
    if rows.dtype == np.float64:  # not every library stands a column without values
        rows[:, np.isnan(rows).all(axis=0)] = 0.0
    classifier.fit(rows, labels, **{weights: train.weights})
    return _Fitted(classifier, present, code)
