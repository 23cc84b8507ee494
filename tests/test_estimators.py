import pickle

import numpy as np
import pandas as pd
import pytest
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from probtrees import estimators
from probtrees.errors import OptionError
from probtrees.estimators import C45Classifier, SuperParentClassifier
from probtrees.experiment.fit import fit
from probtrees.experiment.registry import SMOOTHERS
from probtrees.predict import land, predict_proba
from probtrees.smooth.m_estimate import MEstimate
from tests.small_tables import QUICK, patients

ALL = [getattr(estimators, name) for name in estimators.__all__]


def frame(n_rows: int = 90) -> tuple[pd.DataFrame, np.ndarray]:
    data = patients(n_rows)
    columns = {}
    for number, column in enumerate(data.schema.features):
        cells = data.values[:, number]
        if column.categories is None:
            columns[column.name] = cells
        else:
            columns[column.name] = [
                None if np.isnan(cell) else column.categories[int(cell)] for cell in cells
            ]
    y = np.array(data.schema.classes, dtype=object)[data.labels]
    return pd.DataFrame(columns), y


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("estimator", ALL, ids=lambda cls: cls.__name__)
def test_keeps_what_scikit_learn_promises(estimator):
    check_estimator(estimator())


@pytest.mark.parametrize("estimator", ALL, ids=lambda cls: cls.__name__)
def test_takes_frames_with_categories_and_missing_values(estimator):
    table, y = frame()
    table["blood"] = table["blood"].astype("category")
    table["member"] = table["age"] > 50
    model = estimator(smoother="laplace").fit(table, y)
    proba = model.predict_proba(table)
    assert proba.shape == (90, 2)
    assert np.allclose(proba.sum(axis=1), 1)
    assert model.classes_.tolist() == ["sick", "well"]
    assert model.feature_names_in_.tolist() == ["age", "sex", "blood", "member"]
    assert model.n_features_in_ == 4
    assert model.score(table, y) > 0.6


def test_gives_the_numbers_of_fit():
    data = patients()
    table, y = frame()
    table["blood"] = pd.Categorical(table["blood"], categories=data.schema.columns[2].categories)
    ours = C45Classifier(smoother="m-branch").fit(table, y)
    theirs = predict_proba(fit(data, "c45", "m-branch"), data)
    # The table declares a class without rows, which shares in the uniform part.
    assert ours.predict(table).tolist() == [data.schema.classes[k] for k in theirs.argmax(axis=1)]
    assert ours.tree_.tree.n_nodes == fit(data, "c45", "mle").tree.tree.n_nodes


def test_unseen_categories_and_all_missing_rows_get_an_answer():
    table, y = frame()
    model = C45Classifier(smoother="laplace").fit(table, y)
    strange = table.head(3).copy()
    strange["blood"] = ["Z", None, "A"]
    strange["age"] = np.nan
    assert np.isfinite(model.predict_proba(strange)).all()


@pytest.mark.parametrize(
    "column",
    [
        pd.to_datetime(["2024-01-01", "2024-03-01", None, "2025-01-01"] * 5),
        pd.to_datetime(["2024-01-01", "2024-03-01", None, "2025-01-01"] * 5, utc=True),
        pd.to_timedelta([1, 2, None, 4] * 5, unit="D"),
        pd.array([1, 2, None, 4] * 5, dtype="Int64"),
        pd.array([True, False, None, True] * 5, dtype="boolean"),
        pd.array(["a", "b", None, "c"] * 5, dtype="string"),
        pd.Series([1, 2.5, None, 4] * 5, dtype=object),
        pd.Categorical([1, 2, None, 4] * 5),
    ],
    ids=lambda column: str(column.dtype),
)
def test_every_kind_of_column(column):
    table = pd.DataFrame({"x": column, "other": np.arange(20)})
    model = C45Classifier(smoother="laplace").fit(table, [0, 1] * 10)
    assert np.isfinite(model.predict_proba(table)).all()


def test_arrays_of_text():
    table = np.array([["a", 1], ["b", 2]] * 6, dtype=object)
    model = C45Classifier(smoother="laplace").fit(table, [0, 1] * 6)
    assert model.predict(table).tolist() == [0, 1] * 6


def test_a_weight_is_a_repeated_row():
    table, y = frame(40)
    weights = np.arange(40) % 3
    repeated = np.repeat(np.arange(40), weights)
    weighted = C45Classifier(smoother="laplace").fit(table, y, sample_weight=weights)
    plain = C45Classifier(smoother="laplace").fit(table.iloc[repeated], y[repeated])
    assert np.allclose(weighted.predict_proba(table), plain.predict_proba(table))
    halves = C45Classifier(smoother="laplace").fit(table, y, sample_weight=np.full(40, 0.5))
    assert halves.tree_.tree.totals[0] == 20


def test_works_in_search_pipeline_and_parallel():
    table, y = frame()
    search = GridSearchCV(
        C45Classifier(),
        {"smoother": ["laplace", MEstimate(strength=2)], "min_leaf": [2, 5]},
        cv=3,
        scoring="neg_log_loss",
    ).fit(table, y)
    assert search.best_params_["min_leaf"] in (2, 5)
    assert cross_val_score(C45Classifier(smoother="laplace"), table, y, cv=3).mean() > 0.5
    numbers = np.nan_to_num(table[["age"]])
    assert make_pipeline(StandardScaler(), C45Classifier(smoother="mle")).fit(numbers, y)
    fitted = Parallel(n_jobs=2)(
        delayed(C45Classifier(smoother=name).fit)(table, y) for name in ("mle", "laplace")
    )
    assert len(fitted) == 2


def test_clone_and_pickle():
    table, y = frame()
    model = C45Classifier(smoother=MEstimate(strength=3), min_leaf=4).fit(table, y)
    copy = clone(model)
    assert not hasattr(copy, "model_")
    assert copy.get_params() == model.get_params()
    back = pickle.loads(pickle.dumps(model))
    assert np.array_equal(back.predict_proba(table), model.predict_proba(table))


def test_options_of_a_smoother_by_name():
    table, y = frame()
    by_name = C45Classifier(smoother="m-estimate", smoother_options={"strength": 3}).fit(table, y)
    ready = C45Classifier(smoother=MEstimate(strength=3)).fit(table, y)
    assert np.array_equal(by_name.predict_proba(table), ready.predict_proba(table))


def test_the_criterion_of_super_parent_chooses_the_learner():
    table, y = frame()
    assert SuperParentClassifier(criterion="cll").fit(table, y).model_.learner == "cll-sp"
    with pytest.raises(OptionError, match="criterion='clll' must be one of its choices"):
        SuperParentClassifier(criterion="clll").fit(table, y)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"smoother": "laplase"}, "Did you mean 'laplace'"),
        ({"min_leaf": 0}, "min_leaf=0 must be at least 1"),
        ({"routing": "wet"}, "routing='wet' must be 'hard' or 'soft'"),
    ],
)
def test_wrong_parameters_are_named(parameters, words):
    table, y = frame()
    with pytest.raises(OptionError, match=words):
        C45Classifier(**parameters).fit(table, y)


def test_the_parameters_are_documented():
    for estimator in ALL:
        for name in estimator().get_params():
            assert f"    {name} : " in estimator.__doc__


@pytest.mark.parametrize("smoother", list(SMOOTHERS))
def test_every_smoother_by_name(smoother):
    table, y = frame(60)
    model = C45Classifier(smoother=smoother, smoother_options=QUICK.get(smoother))
    proba = model.fit(table, y).predict_proba(table)
    assert np.allclose(proba.sum(axis=1), 1)


def test_intervals_hold_the_shape_and_come_with_evidence_or_on_request():
    table, y = frame(200)
    model = C45Classifier(smoother="hgs").fit(table, y)
    bounds = model.predict_interval(table)
    assert bounds.shape == (200, 2, 2)
    assert (bounds[..., 0] <= bounds[..., 1]).all()
    assert 0 <= bounds.min() <= bounds.max() <= 1
    leaf = model.model_.track_record.leaf_interval(
        model.predict_proba(table)[0, 0], predicted_rows(model, table), 0
    )
    assert (leaf.lower, leaf.upper) == pytest.approx(tuple(bounds[0, 0]))
    without = C45Classifier(smoother="laplace").fit(table, y)
    with pytest.raises(ValueError, match="intervals=True"):
        without.predict_interval(table)
    asked = C45Classifier(smoother="laplace", intervals=True).fit(table, y)
    assert asked.predict_interval(table[:3]).shape == (3, 2, 2)
    assert estimators.NaiveBayesClassifier(intervals=True).fit(table, y).predict_interval(
        table[:3]
    ).shape == (3, 2, 2)


def predicted_rows(model, table):
    """Training rows of the leaf that the first row falls into."""
    data = model._rows(table[:1])
    landing = land(model.tree_.tree, data.values, data.schema.n_values)
    return float(model.tree_.tree.arrays.weight[landing.nodes[0]])
