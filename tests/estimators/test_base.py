import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from probtrees import estimators
from probtrees.errors import OptionError
from probtrees.estimators import (
    C45Classifier,
    NaiveBayesClassifier,
    SKDBClassifier,
    SuperParentClassifier,
)
from probtrees.experiment.fit import fit
from probtrees.model.predict import predict_proba
from probtrees.model.routing import find_leaves
from probtrees.smooth.m_estimate import MEstimate
from tests.small_tables import frame_of, patients

ALL = [getattr(estimators, name) for name in estimators.__all__]


def frame(n_rows: int = 90) -> tuple[pd.DataFrame, np.ndarray]:
    table = frame_of(patients(n_rows))
    return table, table.pop("state").to_numpy()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["C45", "NaiveBayes", "Forest", "ShapedTree"])
def test_keeps_what_scikit_learn_promises(name):
    check_estimator(getattr(estimators, f"{name}Classifier")())


@pytest.mark.parametrize("estimator", ALL, ids=lambda cls: cls.__name__)
def test_takes_frames_with_categories_and_missing_values(estimator):
    table, y = frame()
    table["blood"] = table["blood"].astype("category")
    table["member"] = table["age"] > 50
    smoothed = {"smoother": "laplace"} if hasattr(estimator(), "smoother") else {}
    model = estimator(**smoothed).fit(table, y)
    proba = model.predict_proba(table)
    assert proba.shape == (90, 2)
    assert np.allclose(proba.sum(axis=1), 1)
    assert model.classes_.tolist() == ["sick", "well"]
    assert model.feature_names_in_.tolist() == ["age", "sex", "blood", "member"]
    assert model.n_features_in_ == 4
    assert model.score(table, y) > 0.6


def test_gives_the_answers_of_fit_also_to_unseen_categories_and_empty_rows():
    data = patients()
    table, y = frame()
    table["blood"] = pd.Categorical(table["blood"], categories=data.schema.columns[2].categories)
    ours = C45Classifier(smoother="m-branch", calibrate=None).fit(table, y)
    assert ours.model_.calibration is None
    theirs = predict_proba(fit(data, "c45", "m-branch"), data)
    # The table declares a class without rows, which shares in the uniform part.
    assert ours.predict(table).tolist() == [data.schema.classes[k] for k in theirs.argmax(axis=1)]
    assert ours.tree_.tree.n_nodes == fit(data, "c45", "mle").tree.tree.n_nodes
    strange = table.head(3).assign(blood=["Z", None, "A"], age=np.nan)
    assert np.isfinite(ours.predict_proba(strange)).all()


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


@pytest.mark.parametrize("repeats", ["together", "apart"])
@pytest.mark.parametrize("estimator", [C45Classifier, SKDBClassifier, NaiveBayesClassifier])
def test_weights_and_repeated_rows_are_one_thing(estimator, repeats):
    table, y = frame(40)
    weights = 1 + np.arange(40) % 3
    repeated = np.random.default_rng(0).permutation(np.repeat(np.arange(40), weights))
    weighted = estimator(repeats=repeats).fit(table, y, sample_weight=weights)
    plain = estimator(repeats=repeats).fit(table.iloc[repeated], y[repeated])
    assert np.allclose(weighted.predict_proba(table), plain.predict_proba(table))
    assert weighted.model_.provenance.options["repeats"] == repeats


def rare_class(n=200):
    random = np.random.default_rng(0)
    table = random.normal(size=(n, 2))
    return table, (table[:, 0] + random.normal(size=n) > 1.5).astype(int)


@pytest.mark.parametrize("estimator", [C45Classifier, NaiveBayesClassifier])
def test_class_weights_move_answers_and_not_the_mean_probability(estimator):
    table, y = rare_class()
    plain = estimator().fit(table, y)
    balanced = estimator(class_weight="balanced").fit(table, y)
    assert balanced.predict(table).sum() > plain.predict(table).sum()
    assert balanced.predict_proba(table)[:, 1].mean() == pytest.approx(y.mean(), abs=0.05)
    left = balanced.set_params(weighted_proba=True).predict_proba(table)
    assert left[:, 1].mean() > 2 * y.mean()
    assert np.array_equal(left.argmax(axis=1), balanced.predict(table))


def test_class_weights_multiply_row_weights_and_are_no_copies():
    table, y = rare_class()
    weights = 1.0 + np.arange(len(y)) % 2
    both = C45Classifier(class_weight={1: 3}).fit(table, y, sample_weight=weights)
    counts = both.tree_.tree.arrays.counts[0]
    own = weights[y == 1].sum() * 3
    assert counts.sum() == pytest.approx(weights.sum())
    assert counts[1] / counts.sum() == pytest.approx(own / (own + weights[y == 0].sum()))
    with pytest.raises(ValueError, match="must be above 0"):
        C45Classifier(class_weight={1: 0.0}).fit(table, y)


def test_works_in_search_and_pipeline():
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


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (C45Classifier(smoother="laplase"), "Did you mean 'laplace'"),
        (C45Classifier(min_leaf=0), "min_leaf=0 must be at least 1"),
        (C45Classifier(routing="wet"), "routing='wet' must be one of its choices"),
        (C45Classifier(repeats="tohether"), "repeats='tohether' must be"),
        (SuperParentClassifier(criterion="clll"), "criterion='clll' must be one of its choices"),
    ],
)
def test_wrong_parameters_are_named(wrong, words):
    with pytest.raises(OptionError, match=words):
        wrong.fit(*frame(40))


def test_an_interval_is_of_a_leaf_a_rate_or_a_row_where_there_is_evidence():
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
    np.testing.assert_array_equal(model.predict_interval(table, "leaf"), bounds)
    network = NaiveBayesClassifier(intervals=True).fit(table, y)
    rates = network.predict_interval(table)
    np.testing.assert_array_equal(rates, network.predict_interval(table, "rate"))
    given = network.predict_proba(table)
    assert ((rates[..., 0] <= given) & (given <= rates[..., 1])).all()
    assert (rates[..., 1] - rates[..., 0]).mean() < 0.5
    for asked, kind in ((network, "leaf"), (network, "row"), (model, "row"), (model, "leaves")):
        with pytest.raises(ValueError, match=f"kind='{kind}'"):
            asked.predict_interval(table, kind)


def predicted_rows(model, table):
    """Training rows of the leaf that the first row falls into."""
    data = model._rows(table[:1])
    landing = find_leaves(model.tree_.tree, data.values, data.schema.n_values)
    return float(model.tree_.tree.arrays.weight[landing.nodes[0]])


def test_intervals_are_brought_back_to_how_common_the_classes_are():
    random = np.random.default_rng(3)
    features = random.normal(size=(300, 2))
    classes = (features[:, 0] + random.normal(size=300) > 1.2).astype(int)
    weighted = C45Classifier(class_weight="balanced", weighted_proba=True).fit(features, classes)
    plain = C45Classifier(class_weight="balanced").fit(features, classes)
    ends, back = weighted.predict_interval(features), plain.predict_interval(features)
    weight = plain.class_weights_
    for end in (0, 1):
        inside = ends[:, 1, end] / weight[1]
        expected = inside / (inside + (1 - ends[:, 1, end]) / weight[0])
        np.testing.assert_allclose(back[:, 1, end], expected)
    assert (back[:, :, 0] <= back[:, :, 1]).all()
    assert back[:, 1].mean() < ends[:, 1].mean()


@pytest.mark.parametrize("kind", [C45Classifier, NaiveBayesClassifier])
def test_weights_reach_the_classifier_in_a_pipeline(kind):
    x, y = rare_class()
    weights = np.where(y == 1, 5.0, 1.0)
    with sklearn.config_context(enable_metadata_routing=True):
        classifier = kind(smoother="laplace").set_fit_request(sample_weight=True)
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        answered = make_pipeline(scaler, classifier).fit(x, y, sample_weight=weights)
        scaled = StandardScaler().fit_transform(x)
        heavy = kind(smoother="laplace").fit(scaled, y, weights).predict_proba(scaled)
        assert answered.predict_proba(x) == pytest.approx(heavy)
        search = GridSearchCV(classifier.set_score_request(sample_weight=True), {}, cv=3)
        assert search.fit(scaled, y, sample_weight=weights).predict_proba(scaled) == pytest.approx(
            heavy
        )
