"""Leaving one out: the answer is that of a model of all other rows, learned or not."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probtrees.experiment.evaluation import cross_validate as module
from probtrees.experiment.evaluation.cross_validate import compare, cross_validate
from probtrees.experiment.evaluation.leave_one_out import base_rates_without, can_take_rows_out
from probtrees.experiment.fit import fit
from probtrees.experiment.model_spec import make_spec, named_smoother
from probtrees.model.predict import predict_proba
from probtrees.score.metrics import base_rates
from probtrees.smooth.hdp import HDP
from probtrees.table.dataset import Column, Dataset, Schema
from tests.small_tables import patients

CLOSED_FORMS = ["mle", "laplace", "m-estimate", "m-branch", "hgs-published"]


def nominal(n_rows, seed, *, missing=True):
    """Few rows of few values: some classes and some missing values occur once."""
    random = np.random.default_rng(seed)
    values = random.integers(0, 3, size=(n_rows, 4)).astype(float)
    if missing:
        values[:, :3][random.random((n_rows, 3)) < 0.08] = np.nan
    columns = [Column(f"c{i}", ("a", "b", "c")) for i in range(4)]
    return Dataset(Schema(tuple(columns)), values)


def learned_anew(data, learner, smoother):
    answers = []
    for row in range(data.n_rows):
        others = data.take(np.delete(np.arange(data.n_rows), row))
        model = fit(others, learner, smoother)
        answers.append(predict_proba(model, data.take(np.array([row])))[0])
    return np.array(answers)


@settings(max_examples=12)
@given(st.integers(3, 14), st.integers(0, 10**6), st.sampled_from(CLOSED_FORMS))
def test_naive_bayes_without_a_row_equals_one_learned_without_it(n_rows, seed, smoother):
    data = nominal(n_rows, seed)
    found = cross_validate(data, "nb", smoother, folds="loo")
    assert found.proba[0] == pytest.approx(learned_anew(data, "nb", smoother), abs=1e-12)


def test_weights_are_taken_out_too():
    data = nominal(15, 4)
    weighted = Dataset(data.schema, data.values, weights=np.arange(15) % 3 + 0.5)
    found = cross_validate(weighted, "nb", "laplace", folds="loo").proba[0]
    assert found == pytest.approx(learned_anew(weighted, "nb", "laplace"), abs=1e-12)


def test_a_sampler_draws_the_same():
    data = nominal(12, 1)
    sampler = HDP(n_iterations=20)
    found = cross_validate(data, "nb", sampler, folds="loo").proba[0]
    assert found == pytest.approx(learned_anew(data, "nb", sampler), abs=1e-12)


def test_the_base_rate_leaves_the_row_out():
    data = nominal(9, 2)
    for row, rates in enumerate(base_rates_without(data)):
        expected = base_rates(np.delete(data.labels, row), data.n_classes)
        assert rates == pytest.approx(expected)


def test_only_naive_bayes_of_nominal_columns_takes_rows_out(monkeypatch):
    data = nominal(8, 3, missing=False)
    laplace, honest = named_smoother("laplace")[1], named_smoother("hgs")[1]
    assert can_take_rows_out(data, make_spec("nb"), laplace)
    assert not can_take_rows_out(data, make_spec("nb"), honest)
    assert not can_take_rows_out(data, make_spec("tan"), laplace)
    assert not can_take_rows_out(patients(20), make_spec("nb"), laplace)
    monkeypatch.setattr(module, "take_rows_out", None)
    compare(data, "tan", ["laplace"], folds="loo")


def test_quick_and_slow_smoothers_keep_their_places():
    data = nominal(10, 5)
    results = compare(data, "nb", ["blend", "laplace", "hgs", "mle"], folds="loo")
    assert [result.smoother for result in results] == ["blend", "laplace", "hgs", "mle"]
    for result in results:
        assert result.n_folds == 10
        assert np.isfinite(result.proba[0]).all()
        alone = cross_validate(data, "nb", result.smoother, folds="loo")
        assert result.proba[0] == pytest.approx(alone.proba[0])


def test_trees_are_grown_anew_for_every_row():
    data = patients(12, missing=False)
    found = cross_validate(data, "c45", "laplace", folds="loo").proba[0]
    assert found == pytest.approx(learned_anew(data, "c45", "laplace"))
