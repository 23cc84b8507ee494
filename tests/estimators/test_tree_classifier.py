import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.inspection import partial_dependence, permutation_importance

from probtrees.errors import OptionError
from probtrees.estimators import C45Classifier
from tests.naive import naive_entropy
from tests.small_tables import patients


@pytest.fixture(scope="module")
def numbers():
    random = np.random.default_rng(5)
    x = random.normal(size=(160, 4))
    return x, (x[:, 0] + 0.5 * x[:, 2] > 0.3).astype(int)


@pytest.fixture(scope="module")
def fitted(numbers):
    return C45Classifier(smoother="laplace").fit(*numbers)


def test_edits_correct_the_tree_and_are_a_parameter_like_any_other(numbers):
    x, y = numbers
    edit = {"do": "split", "column": "x1", "cut": 0.25}
    corrected = clone(C45Classifier(smoother="laplace", edits=[edit])).fit(x, y)
    arrays = corrected.tree_.tree.arrays
    assert (arrays.column[0], arrays.threshold[0]) == (1, 0.25)
    assert corrected.predict_proba(x).shape == (160, 2)
    one_leaf = corrected.set_params(edits=[{"do": "stop"}]).fit(x, y)
    assert one_leaf.tree_.tree.n_nodes == 1
    with pytest.raises(OptionError, match="column='x9' must be a column"):
        C45Classifier(edits=[{"do": "never", "column": "x9"}]).fit(x, y)


def entropy(labels):
    return naive_entropy(np.bincount(labels, minlength=2))


def test_importances_are_the_gains_of_the_splits(fitted, numbers):
    x, y = numbers
    path = fitted.decision_path(x).toarray().astype(bool)
    tree = fitted.tree_.tree
    gains = np.zeros(4)
    for node in np.flatnonzero(~tree.is_leaf):
        inside = y[path[:, node]]
        rest = sum(path[:, c].sum() * entropy(y[path[:, c]]) for c in tree.children(node))
        gains[tree.arrays.column[node]] += len(inside) * entropy(inside) - rest
    assert fitted.feature_importances_ == pytest.approx(gains / gains.sum())
    assert fitted.feature_importances_.sum() == pytest.approx(1)
    assert fitted.feature_importances_.argmax() == 0


def test_rows_are_where_their_numbers_come_from(fitted, numbers):
    x, _ = numbers
    leaves = fitted.apply(x)
    assert fitted.tree_.tree.is_leaf[leaves].all()
    assert fitted.tree_.probs[leaves] == pytest.approx(fitted.predict_proba(x))
    path = fitted.decision_path(x)
    assert path.shape == (160, fitted.tree_.tree.n_nodes)
    for row in (0, 80, 159):
        assert path[[row]].indices.tolist() == sorted(fitted.tree_.tree.path(int(leaves[row])))
    assert fitted.get_n_leaves() == len(np.unique(leaves))
    assert fitted.get_depth() == path.sum(axis=1).max() - 1


def test_a_row_in_several_leaves_is_in_the_heaviest():
    data = patients(90)
    frame = pd.DataFrame({c.name: data.values[:, i] for i, c in enumerate(data.schema.features)})
    tree = C45Classifier(smoother="laplace", missing="fraction").fit(frame, data.labels)
    missing = pd.DataFrame({name: [np.nan] for name in frame})
    node = int(tree.apply(missing)[0])
    passed = set(tree.decision_path(missing).indices.tolist())
    assert set(tree.tree_.tree.path(node)) <= passed
    assert len(passed) > len(tree.tree_.tree.path(node))


def test_curtailed_trees_answer_above_small_nodes(numbers):
    x, y = numbers
    tree = C45Classifier(smoother="mle", curtail=30).fit(x, y)
    assert tree.tree_.tree.arrays.weight[tree.apply(x)].min() >= 30
    assert tree.predict_proba(x) == pytest.approx(tree.tree_.probs[tree.apply(x)])
    published = C45Classifier(smoother="hgs", as_published=True).fit(x, y)
    assert published.model_.options["as_published"] is True


def test_logarithms_reach_minus_infinity_without_a_warning(numbers):
    x, y = numbers
    tree = C45Classifier(smoother="mle").fit(x, y)
    logs = tree.predict_log_proba(x)
    assert np.isneginf(logs).any()
    assert np.exp(logs) == pytest.approx(tree.predict_proba(x))


def test_scikit_learn_can_calibrate_and_inspect(numbers):
    x, y = numbers
    tree = C45Classifier(smoother="laplace")
    calibrated = CalibratedClassifierCV(tree, cv=3).fit(x, y)
    assert calibrated.predict_proba(x).shape == (160, 2)
    tree.fit(x, y)
    worth = permutation_importance(tree, x, y, n_repeats=3, random_state=0).importances_mean
    assert worth.argmax() == 0
    curve = partial_dependence(tree, x, [0], kind="average", grid_resolution=8)["average"][0]
    assert curve[-1] > curve[0]
