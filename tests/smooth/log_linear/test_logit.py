import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probtrees.smooth.log_linear import curvature, logit_rows
from probtrees.smooth.log_linear.curvature import Curvature, apart
from probtrees.smooth.log_linear.logit import INTERCEPT_PENALTY, Coefficients, Logit, score_rows
from probtrees.smooth.log_linear.logit_rows import LogitRows, SparseRows
from tests.naive import naive_logit_loss


def some_rows(seed, n_rows=40, n_sparse=3, n_dense=2, n_outcomes=3):
    """Rows of which some have no sparse feature; returns them and all features as one matrix."""
    random = np.random.default_rng(seed)
    has = random.random((n_rows, n_sparse)) < 0.4
    values = random.normal(size=(n_rows, n_sparse)) * has
    first = np.concatenate([[0], np.cumsum(has.sum(axis=1))])
    sparse = SparseRows(first, np.nonzero(has)[1].astype(np.int32), values[has])
    dense = random.normal(size=(n_rows, n_dense))
    labels = random.integers(0, n_outcomes, n_rows)
    counts = np.eye(n_outcomes)[labels] * random.integers(1, 4, n_rows)[:, None]
    return LogitRows(sparse, n_sparse, dense, counts), np.hstack([values, dense])


@pytest.mark.parametrize("common", [0, 2, 1000], ids=["none", "some", "all"])
@pytest.mark.parametrize("n_outcomes", [2, 3, 5, 6, 13])
@given(seed=st.integers(0, 1000))
@settings(max_examples=5)
def test_the_loss_is_its_slow_twin_and_the_gradient_its_slope(common, n_outcomes, seed):
    """Whichever sparse features are kept like dense ones."""
    rows, features = some_rows(seed, n_rows=12, n_outcomes=n_outcomes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(logit_rows, "COMMON", common)
        n_common = rows.tables[6].size
    assert common == 2 or n_common == (2 if common == 0 else (features != 0).any(axis=0).sum())
    logit = Logit.of(rows)
    random = np.random.default_rng(seed)
    penalties = random.random(rows.n_features) + 0.1
    n_scores = 1 if n_outcomes == 2 else n_outcomes
    point = random.normal(size=(rows.n_features + 1, n_scores))
    full = np.hstack([-point, point]) / 2 if n_scores == 1 else point
    halved = 0.5 if n_scores == 1 else 1.0
    all_penalties = halved * np.concatenate([[INTERCEPT_PENALTY], penalties])
    loss, gradient = logit.loss(point, all_penalties)
    slow = naive_logit_loss(features, rows.counts, full[0], full[1:], penalties)
    assert loss == pytest.approx(slow, rel=1e-12)
    step = 1e-6
    for at in np.ndindex(point.shape):
        moved = point.copy()
        moved[at] += step
        up, _ = logit.loss(moved, all_penalties)
        assert gradient[at] == pytest.approx((up - loss) / step, abs=1e-3)


@pytest.mark.parametrize("n_outcomes", [2, 4])
def test_the_minimum_has_no_slope_and_does_not_depend_on_the_start(n_outcomes):
    rows, features = some_rows(0, n_outcomes=n_outcomes)
    logit = Logit.of(rows)
    penalties = np.full(rows.n_features, 0.5)
    found = logit.fit(penalties)
    random = np.random.default_rng(1)
    start = Coefficients(found.intercept + 1.0, random.normal(size=found.weights.shape))
    for again in (logit.fit(penalties, start), logit.fit(penalties, found, tolerance=0.0)):
        assert again.weights == pytest.approx(found.weights, abs=1e-6)
    assert found.weights.sum(axis=1) == pytest.approx(0, abs=1e-12)
    least = naive_logit_loss(features, rows.counts, found.intercept, found.weights, penalties)
    for _ in range(20):
        near = found.weights + 1e-3 * random.normal(size=found.weights.shape)
        worse = naive_logit_loss(features, rows.counts, found.intercept, near, penalties)
        assert worse > least


@pytest.mark.parametrize("is_certain", [False, True])
@pytest.mark.parametrize("n_outcomes", [2, 4])
def test_the_curvature_of_every_outcome_is_its_slow_twin(n_outcomes, is_certain, monkeypatch):
    """Where all is certain, only penalties bend the loss."""
    monkeypatch.setattr(curvature, "STEEP", curvature.STEEP if is_certain else -1.0)
    rows, features = some_rows(0, n_rows=15, n_sparse=6, n_outcomes=n_outcomes)
    means, random = Logit.of(rows).means, np.random.default_rng(0)
    proba = np.eye(n_outcomes)[[0] * 15]
    if not is_certain:
        proba = random.dirichlet(np.ones(n_outcomes), 15)
    penalties = np.linspace(0.1, 2.0, 1 + rows.n_features)
    n_scores = 1 if n_outcomes == 2 else n_outcomes
    slope = apart(random.normal(size=(penalties.size, n_scores)))
    centred = np.column_stack([np.ones(15), features - means])
    open_ = (rows.counts.sum(axis=1)[:, None] * proba * (1 - proba))[:, -n_scores:]
    slow = [
        np.linalg.solve((centred.T * heavy) @ centred + np.diag(penalties), own)
        for heavy, own in zip(open_.T, slope.T, strict=True)
    ]
    found = Curvature(rows, means, proba, penalties).solve(slope)
    near = 1e-6 if n_scores == 1 else 1e-4  # 32 bits
    assert found == pytest.approx(apart(np.column_stack(slow)), rel=near, abs=near)


def test_measuring_curvature_leaves_the_rows_as_they_are():
    """Features of a row may come in any order, and the library sorts what it is given."""
    sparse = SparseRows(np.array([0, 3]), np.array([2, 0, 1], np.int32), np.array([1.0, 2.0, 3.0]))
    rows = LogitRows(sparse, 3, np.ones((1, 1)), np.ones((1, 3)))
    Curvature(rows, np.zeros(4), np.full((1, 3), 1 / 3), np.full(5, 0.1))
    assert sparse.value.tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("n_outcomes", [2, 4])
def test_the_minimum_does_not_depend_on_how_much_curvature_is_measured(n_outcomes, monkeypatch):
    rows, _ = some_rows(2, n_outcomes=n_outcomes)
    penalties = np.full(rows.n_features, 0.5)
    found = Logit.of(rows).fit(penalties)
    monkeypatch.setattr(curvature, "MOST_PRODUCTS", 5.0)
    again = Logit.of(rows).fit(penalties)
    # A slope of CONVERGED times the square root of 80 rows may be left on either way.
    assert found.weights == pytest.approx(again.weights, abs=1e-8)
    assert found.intercept == pytest.approx(again.intercept, abs=1e-8)


@pytest.mark.parametrize("n_outcomes", [2, 3, 4, 6])
@pytest.mark.parametrize("tolerance", [1e-9, 1e-3])
def test_features_that_no_row_has_change_nothing_not_even_rounding(tolerance, n_outcomes):
    rows, _ = some_rows(6, n_outcomes=n_outcomes)
    penalties = np.array([0.3, 0.5, 0.7, 0.2, 0.4])
    found = Logit.of(rows).fit(penalties, tolerance=tolerance)
    for place in ([4, 5, 14, 15, 16], [0, 4, 10, 19, 20]):
        sparse = rows.sparse._replace(feature=np.array(place)[rows.sparse.feature].astype(np.int32))
        more = Logit.of(LogitRows(sparse, place[3], rows.dense, rows.counts))
        given = np.ones(place[-1] + 1)
        given[place] = penalties
        again = more.fit(given, tolerance=tolerance)
        assert not np.delete(again.weights, place, axis=0).any()
        assert again.weights[place].tolist() == found.weights.tolist()
        assert again.intercept.tolist() == found.intercept.tolist()
        warm = more.fit(given, again, tolerance)
        assert warm.weights == pytest.approx(again.weights, abs=1e-2)


@pytest.mark.parametrize("n_rows", [40, 600])
def test_rows_are_scored_as_they_were_fitted(n_rows):
    rows, features = some_rows(4, n_rows=n_rows)
    logit = Logit.of(rows)
    found = logit.fit(np.full(rows.n_features, 1.0))
    expected = found.intercept + (features - logit.means) @ found.weights
    assert score_rows(rows, logit.means, found) == pytest.approx(expected, abs=1e-12)
    means = np.average(features, axis=0, weights=rows.weights)
    assert logit.means == pytest.approx(means)


def test_an_outcome_without_rows_keeps_a_probability():
    rows, _ = some_rows(5)
    counts = rows.counts.copy()
    counts[:, 2] = 0.0
    rows = LogitRows(rows.sparse, rows.n_sparse, rows.dense, counts)
    found = Logit.of(rows).fit(np.full(rows.n_features, 1.0))
    share = np.exp(found.intercept[2]) / np.exp(found.intercept).sum()
    assert 0 < share < 0.02
