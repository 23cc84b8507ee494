import numpy as np
import pytest

from probtrees import cross_validate
from probtrees.experiment.evaluation.cross_validate import compare
from probtrees.experiment.fit import fit
from probtrees.model.predict import predict_proba
from probtrees.score.measures import evaluate
from probtrees.table.folds import FoldPlan, Folds
from tests.small_tables import patients


def test_rows_are_answered_by_the_model_that_has_not_seen_them():
    data = patients()
    folds = FoldPlan(n_folds=4).cut_once(data, seed=2)
    result = cross_validate(data, "c45", "laplace", folds=folds)
    for train, test in folds.splits():
        model = fit(data.take(train), "c45", "laplace")
        assert np.array_equal(result.proba[0][test], predict_proba(model, data.take(test)))
    assert result.scores == evaluate(result.proba[0], data.labels)


def test_repeats_are_pooled_one_by_one_and_then_averaged():
    data = patients()
    result = cross_validate(data, "c45", "laplace", folds=3, repeats=3, seed=5)
    errors = [evaluate(proba, data.labels).error for proba in result.proba]
    assert len(set(errors)) > 1
    assert result.scores.error == pytest.approx(np.mean(errors))
    assert (result.n_folds, result.n_repeats) == (3, 3)


def test_the_base_rate_is_that_of_the_training_rows():
    data = patients(40)
    folds = Folds(np.array([0] * 10 + [1] * 30))
    result = cross_validate(data, "c45", "laplace", folds=folds)
    expected = np.empty((40, 3))
    expected[:10] = np.bincount(data.labels[10:], minlength=3) / 30
    expected[10:] = np.bincount(data.labels[:10], minlength=3) / 10
    assert result.base_rate == {**evaluate(expected, data.labels), "auc": 0.5}


def test_an_auc_of_rows_left_out_singly_comes_with_a_word_about_its_bias():
    data = patients(30, missing=False)
    singly = cross_validate(data, "c45", "laplace", folds="loo")
    assert ["AUC is too low" in words for words in singly.remarks] == [True]
    assert singly.to_dict()["remarks"] == list(singly.remarks)
    assert singly.base_rate.auc == 0.5  # it cannot rank rows, not even one by one
    assert cross_validate(data, "c45", "laplace", folds=10).remarks == ()


def test_rows_that_are_never_tested_are_left_out():
    data = patients(60)
    timed = type(data)(data.schema, data.values, times=np.arange(60.0))
    result = cross_validate(timed, "c45", "laplace", folds=4)
    tested = ~np.isnan(result.proba[0][:, 0])
    assert 0 < tested.sum() < 60
    assert result.scores == evaluate(result.proba[0][tested], data.labels[tested])


def test_published_habits_need_no_evidence(monkeypatch):
    monkeypatch.setattr("probtrees.experiment.grown_model.GrownModel.evidence", None)
    assert cross_validate(patients(), "c45", "hgs", folds=2, as_published=True).scores.rmse


def test_who_watches_sees_the_answered_rows_fold_by_fold():
    data = patients(60)
    seen = []
    results = compare(
        data, "c45", ["mle", "laplace"], folds=3, repeats=2, watch=lambda know: seen.append(know())
    )
    answered = [int(np.isfinite(part[0].proba[-1][:, 0]).sum()) for part in seen]
    assert len(seen) == 6
    assert [len(part[0].proba) for part in seen] == [1, 1, 1, 2, 2, 2]
    assert answered[2] == answered[5] == data.n_rows
    assert seen[-1][1].scores == results[1].scores
