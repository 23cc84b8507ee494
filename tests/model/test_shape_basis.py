import numpy as np
import pytest

from probtrees.model.column_shape import NominalShape, NumericShape, shape_from_dict, soft_features
from probtrees.model.shape_basis import Fitted, NominalBasis, NumericBasis, ShapeBasis
from probtrees.table.dataset import UNSEEN
from tests.small_tables import patients, table_of


def shapes_of(data, seed=0):
    """Shapes of random weights, centred on the data."""
    basis = ShapeBasis.measure(data)
    random = np.random.default_rng(seed)
    dense, places = basis.dense(data), basis.sparse(data)
    sparse = np.zeros((data.n_rows, basis.n_sparse))
    sparse[places.rows, places.features] = places.values
    features = np.hstack([sparse, dense])
    weights = random.normal(size=(features.shape[1], 3))
    shapes = basis.shapes(Fitted(weights, features.mean(axis=0)))
    return shapes, (features - features.mean(axis=0)) @ weights


def test_shapes_say_what_the_features_and_their_weights_say():
    data = patients(60)
    shapes, linear = shapes_of(data)
    said = sum(shape.scores(data.values[:, shape.column]) for shape in shapes)
    assert said == pytest.approx(linear, abs=1e-10)
    for shape in shapes:
        assert shape.scores(data.values[:, shape.column]).mean(axis=0) == pytest.approx(0, abs=1e-9)


def test_features_are_standardised_and_bounded():
    random = np.random.default_rng(0)
    x = np.append(random.normal(size=200), 1e6)
    basis = NumericBasis.measure(0, x, np.ones(201))
    features = basis.dense(x)
    assert features.shape == (201, 5)
    assert np.abs(features).max() <= 4
    tame = NumericBasis.measure(0, x[:-1], np.ones(200)).dense(x[:-1])
    assert tame.mean(axis=0) == pytest.approx(0, abs=1e-9)
    assert (tame**2).sum(axis=1).mean() == pytest.approx(1, rel=0.05)


def test_the_curve_of_a_number_is_its_features_times_their_weights():
    x = np.array([-1e300, -2.0, 0.0, 0.3, 5.0, 1e9, np.nan])
    basis = NumericBasis.measure(0, np.append(np.arange(30.0), np.nan), np.ones(31))
    weights = np.random.default_rng(1).normal(size=(basis.n_dense, 3))
    dense = Fitted(weights, np.zeros(basis.n_dense))
    shape = basis.shape(dense, Fitted(np.ones((1, 3)), np.zeros(1)))
    known = ~np.isnan(x)
    slow = soft_features(x[known], shape.knots, shape.width, shape.centre, shape.scale) @ weights
    assert shape.scores(x)[known] == pytest.approx(slow + shape.offset, abs=1e-12)
    assert shape.scores(x)[-1].tolist() == shape.missing.tolist()


@pytest.mark.parametrize("exponent", [-1060, -600, 500, 1018])
def test_the_unit_of_a_column_does_not_matter(exponent):
    x = np.random.default_rng(0).integers(1, 20, 50).astype(float)
    usual = NumericBasis.measure(0, x, np.ones(50))
    scaled = NumericBasis.measure(0, np.ldexp(x, exponent), np.ones(50))
    assert scaled.dense(np.ldexp(x, exponent)) == pytest.approx(usual.dense(x), rel=1e-3)


@pytest.mark.parametrize("most", [1.7e308, 8e-323], ids=["largest", "smallest"])
def test_the_largest_and_smallest_numbers_there_are_have_a_shape_too(most):
    """Warnings are errors: nothing overflows on the way, and no edge lies below the last."""
    x = most * np.array([-1, -0.6, -0.3, 0.0, 0.25, 0.6, 1] * 5)
    basis = NumericBasis.measure(0, x, np.ones(35))
    assert np.isfinite(basis.dense(x)).all()
    assert np.isfinite(basis.curve.scale).all()
    assert basis.curve.counts.sum() == 35
    assert (basis.curve.edges[0], basis.curve.edges[-1]) == (-most, most)


def test_columns_that_say_nothing_are_left_out():
    ones = np.ones(9)
    assert NumericBasis.measure(0, np.full(9, 3.0), ones) is None
    assert NumericBasis.measure(0, np.full(9, np.nan), ones) is None
    assert NominalBasis.measure(0, np.zeros(9), ones, 3) is None
    assert NominalBasis.measure(0, np.where(np.arange(9) < 4, np.nan, 1.0), ones, 3) is not None


def test_two_values_need_no_steps_and_weights_count_as_copies():
    x = np.array([0.0, 0, 1, 1, 1])
    assert NumericBasis.measure(0, x, np.ones(5)).n_dense == 1
    values, weights = np.array([1.0, 2, 5, 9, 12]), np.array([1.0, 3, 2, 1, 4])
    weighed = NumericBasis.measure(0, values, weights)
    copied = NumericBasis.measure(0, np.repeat(values, weights.astype(int)), np.ones(11))
    assert weighed.curve.knots.tolist() == copied.curve.knots.tolist()
    assert weighed.curve.scale == pytest.approx(copied.curve.scale)


def test_values_never_met_and_missing_without_example_add_nothing():
    random = np.random.default_rng(0)
    columns = random.normal(size=30), random.integers(0, 2, 30), random.integers(0, 3, 30)
    numeric, nominal = shapes_of(table_of("x, c: a b c, y: n p q", *columns))[0]
    assert (numeric.scores(np.array([np.nan])) == 0).all()
    assert (nominal.scores(np.array([2.0, UNSEEN, np.nan])) == 0).all()
    assert np.abs(nominal.scores(np.array([0.0]))).max() > 0


def test_shapes_are_read_back_exactly():
    data = patients(60)
    for shape in shapes_of(data)[0]:
        again = shape_from_dict(shape.to_dict(), data.schema)
        x = data.values[:, shape.column]
        assert type(again) is type(shape)
        assert isinstance(again, NumericShape | NominalShape)
        assert (again.scores(x) == shape.scores(x)).all()
