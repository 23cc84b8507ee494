"""A closer look at forecasts agrees with what the rows say."""

import json

import numpy as np
import pytest

from probtrees import cross_validate
from probtrees.experiment.evaluation.forecast_details import (
    acting_at,
    acting_costs,
    forecast_details,
    outcome_curves,
)
from probtrees.table.dataset import Dataset
from probtrees.table.folds import FoldPlan, read_plan
from tests.cli.command import run
from tests.small_tables import patients, table_of, write_csv


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


def test_curves_of_an_outcome_without_rows_are_undefined(data, result):
    absent = 2
    assert (data.labels != absent).all()
    curves = outcome_curves(result, data, absent)
    assert curves["roc"] is None
    assert curves["precision_recall"] is None
    assert curves["lift"] is None
    present = outcome_curves(result, data, 1)
    json.dumps(present, allow_nan=False)
    assert present["roc"]["true_positive_rate"][-1] == 1
    assert len(present["thresholds"]) == len(present["lift"]["lift"])


def test_the_threshold_that_costs_imply_is_charged(data, result):
    costs = (1.0, 3.0)
    found = acting_at(result, data, 2, 0.25, costs=costs)
    charged = acting_costs(result, data, FoldPlan(n_folds=5).cut_once(data), 2, costs)
    assert charged["implied_threshold"] == 0.25
    assert charged["at_implied_threshold"] == pytest.approx(found["cost_per_row"])


def test_the_command_line_shows_all_of_it(tmp_path, capsys):
    path = write_csv(patients(90), tmp_path / "patients.csv")
    options = ["--smoother", "laplace", "--cv", "2x3", "--details", "--quiet"]
    options += ["--outcome", "yes"]
    command = ["evaluate", str(path), *options]
    plain = ["evaluate", str(path), "--smoother", "laplace", "--cv", "2"]
    labels = json.loads(run(capsys, *plain, "--json", "--details"))
    names = [rate["class"] for rate in labels["details"]["class_rates"]]
    command = [part.replace("yes", names[1]) for part in command]
    record = json.loads(run(capsys, *command, "--json"))
    assert record["curves"]["class"] == names[1]
    text = run(capsys, *command)
    for words in ("brier skill", "average precision"):
        assert words in text


def noisy_table(n_rows: int = 240) -> Dataset:
    random = np.random.default_rng(3)
    x = random.random(n_rows)
    noise = random.random((n_rows, 2))
    y = (random.random(n_rows) < np.where(x > 0.7, 0.6, 0.1)).astype(float)
    return table_of("x, a, b, y: no yes", x, noise, y)


def test_thresholds_of_other_folds_cost_less_than_one_decision() -> None:
    data = noisy_table()
    for plan in ("4", "holdout=0.4"):
        folds = read_plan(plan).cut(data)
        result = cross_validate(data, "c45", "laplace", folds=folds)
        found = acting_costs(result, data, folds[0], 1, (1.0, 4.0))
        paid = found["threshold_of_other_folds"]
        if plan == "holdout=0.4":  # no other rows were asked
            assert paid is None
        else:
            assert paid < min(found["act_on_every_row"], found["never_act"])
