"""A closer look at forecasts agrees with what the rows say."""

import json

import numpy as np
import pytest

from probtrees.cli import main
from probtrees.errors import OptionError
from probtrees.experiment.evaluation.cross_validate import cross_validate
from probtrees.experiment.evaluation.forecast_details import (
    acting_at,
    acting_costs,
    at_prevalence,
    decisions_cost,
    forecast_details,
    outcome_curves,
    tuned_decisions_cost,
)
from probtrees.experiment.model_spec import make_spec, named_smoother
from probtrees.score.measures import evaluate
from probtrees.score.metrics import bias_variance
from probtrees.table.dataset import Column, Dataset, Schema
from probtrees.table.folds import make_folds, read_plan
from tests.small_tables import patients, write_csv


@pytest.fixture(scope="module")
def data():
    return patients(80, missing=False)


@pytest.fixture(scope="module")
def result(data):
    return cross_validate(data, "c45", "laplace", folds="3x2")


def test_details_are_json_and_hold_every_measure(data, result):
    details = json.loads(json.dumps(forecast_details(result, data), allow_nan=False))
    assert details["repeats"] == 3
    assert details["rows_tested"] == 80
    expected = 1 - result.scores.brier / result.base_rate.brier
    assert details["brier_skill"] == pytest.approx(expected, abs=0.01)
    rates = {rate["class"]: rate for rate in details["class_rates"]}
    shares = np.bincount(data.labels, minlength=data.n_classes) / 80
    for k, name in enumerate(data.schema.classes):
        assert rates[name]["observed"] == pytest.approx(shares[k])
        assert rates[name]["predicted"] == pytest.approx(result.proba[0][:, k].mean())
        assert sum(found["rows"] for found in details["reliability"][name]) == 80
    assert details["bias_variance"] == bias_variance(result.proba, data.labels)


def test_curves_of_an_outcome_without_rows_are_undefined(data, result):
    absent = 2
    assert (data.labels != absent).all()
    curves = outcome_curves(result, data, absent)
    assert curves["roc"] is None
    assert curves["precision_recall"] is None
    assert curves["lift"] is None
    assert curves["cost"] is None
    present = outcome_curves(result, data, 1)
    json.dumps(present, allow_nan=False)
    assert present["roc"]["true_positive_rate"][-1] == 1
    assert len(present["thresholds"]) == len(present["lift"]["lift"])


def test_costs_are_paid_for_what_happened(data, result):
    costs = np.array([[0, 1, 2], [5, 0, 2], [1, 1, 2]])
    found = decisions_cost(result, data, costs)
    chosen = (result.proba[0] @ costs).argmin(axis=1)
    assert found["by_probability"] == pytest.approx(costs[data.labels, chosen].mean())
    assert found["best_constant"] == pytest.approx(
        min(costs[data.labels, k].mean() for k in range(3))
    )


def test_the_threshold_that_costs_imply_is_charged(data, result):
    costs = (1.0, 3.0)
    found = acting_at(result, data, 2, 0.25, costs=costs)
    charged = acting_costs(result, data, make_folds(data, 5), 2, costs)
    assert charged["implied_threshold"] == 0.25
    assert charged["at_implied_threshold"] == pytest.approx(found["cost_per_row"])


def test_another_prevalence_weighs_rows_and_moves_probabilities(data, result):
    name = data.schema.classes[1]
    same_rate = float((data.labels == 1).mean())
    same = at_prevalence(result, data, {name: same_rate})
    without_third = result.proba[0] * [1, 1, 0]
    without_third /= without_third.sum(axis=1, keepdims=True)
    assert same["brier"] == pytest.approx(evaluate(without_third, data.labels).brier)
    rare = at_prevalence(result, data, {name: 0.05})
    assert rare["rates"][name] == pytest.approx(0.05)
    assert sum(rare["rates"].values()) == pytest.approx(1)
    assert rare["brier"] < same["brier"]
    with pytest.raises(OptionError, match="sum to at most 1"):
        at_prevalence(result, data, {name: 1.2})


def test_the_command_line_shows_all_of_it(tmp_path, capsys):
    path = write_csv(patients(90), tmp_path / "patients.csv")
    options = ["--smoother", "laplace", "--cv", "2x3", "--details", "--quiet"]
    options += ["--costs", "0,1;5,0", "--prevalence", "yes=0.1", "--outcome", "yes"]
    options += ["--learning-curve"]
    command = ["evaluate", str(path), *options]
    plain = ["evaluate", str(path), "--smoother", "laplace", "--cv", "2"]
    labels = json.loads(_run(capsys, *plain, "--json", "--details"))
    names = [rate["class"] for rate in labels["details"]["class_rates"]]
    command = [part.replace("yes", names[1]) for part in command]
    record = json.loads(_run(capsys, *command, "--json"))
    assert record["costs"]["tuned"]["threshold_chosen_on_inner_folds"] >= 0
    assert record["prevalence"]["rates"][names[1]] == pytest.approx(0.1)
    assert record["curves"]["class"] == names[1]
    assert record["learning_curve"][-1]["training_rows"] == pytest.approx(72)
    text = _run(capsys, *command)
    words_of_each = ("brier_skill", "average precision", "always decision 2", "training rows")
    for words in (*words_of_each, "Brier_bias"):
        assert words in text


def _run(capsys, *command):
    assert main(list(command)) == 0
    return capsys.readouterr().out


def noisy_table(n_rows: int = 240) -> Dataset:
    random = np.random.default_rng(3)
    x = random.random(n_rows)
    noise = random.random((n_rows, 2))
    y = (random.random(n_rows) < np.where(x > 0.7, 0.6, 0.1)).astype(float)
    schema = Schema((Column("x"), Column("a"), Column("b"), Column("y", ("no", "yes"))))
    return Dataset(schema, np.column_stack([x, noise, y]))


@pytest.mark.parametrize(("plan", "n_folds"), [("4", 4), ("holdout=0.4", 1)])
def test_thresholds_of_inner_folds_cost_less_than_one_decision(plan: str, n_folds: int) -> None:
    data = noisy_table()
    folds = read_plan(plan).cut(data)[0]
    costs = [[0, 1], [4, 0]]
    found = tuned_decisions_cost(data, make_spec("c45"), named_smoother("laplace"), costs, folds)
    assert found is not None
    rate = float((data.labels[folds.test_fold >= 0] == 1).mean())
    assert found["threshold_chosen_on_inner_folds"] < min(1 - rate, 4 * rate)
    assert len(found["thresholds"]) == n_folds
    dearer = np.add(costs, 2)
    more = tuned_decisions_cost(data, make_spec("c45"), named_smoother("laplace"), dearer, folds)
    assert more is not None
    assert more["threshold_chosen_on_inner_folds"] == pytest.approx(
        found["threshold_chosen_on_inner_folds"] + 2
    )


def test_costs_must_be_those_of_two_decisions() -> None:
    data = noisy_table(20)
    folds = read_plan("2").cut(data)[0]
    for costs in ([[0, 0], [0, 0]], [[0, 1, 2], [1, 0, 2]], [[1, 0], [0, 1]]):
        found = tuned_decisions_cost(data, make_spec("c45"), named_smoother("mle"), costs, folds)
        assert found is None
