"""Intervals of a shaped tree by refits: kept with the model, and narrower with more rows."""

import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from probtrees.draw.charts.shape_chart import Scale
from probtrees.experiment.fit import fit, load_model
from probtrees.explain.points_card import points_card
from probtrees.explain.shape_curves import group_risks, shape_curves
from probtrees.model.model import Model
from probtrees.model.predict import (
    NORMAL,
    predict_interval,
    predict_proba,
    refit_error,
)
from probtrees.model.routing import find_leaves
from probtrees.table.read_table import read_table
from tests.small_tables import patients, table_of

QUICK = {"penalty": 1.0, "freedom": 10.0}


@pytest.fixture(scope="module")
def model() -> Model:
    return fit(patients(150), "shaped-tree", options=QUICK)


def test_the_error_of_a_mean_is_that_of_the_textbook() -> None:
    values = np.random.default_rng(0).normal(size=30)
    left_out = [np.array([np.delete(values, at).mean()]) for at in range(30)]
    half = 1.4 * stats.t.ppf(0.95, 29) * values.std(ddof=1) / np.sqrt(30)
    assert NORMAL * refit_error(left_out)[0] == pytest.approx(half)


def test_intervals_hold_the_answer_and_are_kept(model: Model, tmp_path: Path) -> None:
    curves = shape_curves(model)
    assert all(curve.spread.shape == curve.scores.shape for curve in curves)
    assert any(curve.cuts for curve in curves)
    json.dumps([curve.to_dict() for curve in curves], allow_nan=False)
    data = patients(150)
    ends = predict_interval(model, data, "row")
    proba = predict_proba(model, data)
    assert ((ends[..., 0] <= proba) & (proba <= ends[..., 1])).all()
    assert ((ends >= 0) & (ends <= 1)).all()
    model.save(tmp_path / "model.json")
    again = load_model(tmp_path / "model.json")
    np.testing.assert_array_equal(predict_interval(again, data, "row"), ends)


@pytest.mark.parametrize("largest", [1.7e308, 8e-323])
def test_a_curve_over_all_numbers_there_are_has_a_band(largest: float) -> None:
    size = largest * ((np.arange(60) % 9 - 4) / 4)
    table = read_table({"size": size, "y": np.where(size > 0, "a", "b")}, target="y")
    (curve,) = shape_curves(fit(table, "shaped-tree", options=QUICK))
    assert np.isfinite(curve.spread).all()


def test_a_band_is_wide_where_rows_are_few() -> None:
    random = np.random.default_rng(0)
    kind = np.repeat([0, 1, 2], [90, 85, 5])
    number = np.concatenate([random.normal(size=176), [6.0, 6.1, 6.2, 6.3]])
    labels = random.random(180) < 1 / (1 + np.exp(-number + kind / 2))
    data = table_of("kind: a b c, x, y: no yes", kind, number, labels)
    curves = {curve.name: curve for curve in shape_curves(fit(data, "shaped-tree", options=QUICK))}
    often, _, seldom = curves["kind"].spread[:, 0]
    assert seldom > 1.1 * often
    x = curves["x"]
    at = np.searchsorted(x.values, [0.0, 6.0])
    assert x.spread[at[1], 0] > 3 * x.spread[at[0], 0]


def test_few_whole_numbers_are_bars_by_value_and_lines_of_the_card() -> None:
    random = np.random.default_rng(2)
    code, dose = random.choice([1, 2, 4], 400), random.choice([0.0, 0.5, 1.0, 1.5, 2.0], 400)
    ill = np.where(random.random(400) < 1 / (1 + np.exp(2 - code)), "yes", "no")
    table = pd.DataFrame({"code": code, "dose": dose, "ill": ill})
    table.loc[:9, "code"] = np.nan
    types = {"code": "number", "dose": "number"}
    model = fit(read_table(table, "ill", types=types), "shaped-tree", options=QUICK)
    curves = {curve.name: curve for curve in shape_curves(model)}
    assert curves["code"].values == ("1", "2", "4")
    counts = table["code"].value_counts().sort_index()
    assert curves["code"].counts.tolist() == counts.tolist()
    assert curves["code"].missing_count == 10
    assert curves["dose"].edges is not None  # halves lie between whole numbers
    lines = next(part.lines for part in points_card(model, 1).parts if part.title == "code")
    assert ", ".join(line.words for line in lines) == "1, 2, 4, not recorded"


def test_two_codes_are_two_bars_and_the_axis_has_numbers_of_its_scale() -> None:
    random = np.random.default_rng(1)
    code, x = random.integers(1, 3, 300), random.normal(size=300)
    ill = np.where(random.random(300) < 1 / (1 + np.exp(-(code - 1.5) * 2 - x)), "yes", "no")
    data = read_table(
        pd.DataFrame({"code": code, "x": x, "ill": ill}), "ill", types={"code": "number"}
    )
    model = fit(data, "shaped-tree", options=QUICK)
    curves = {curve.name: curve for curve in shape_curves(model)}
    assert curves["code"].edges is None
    assert curves["code"].codes == (1.0, 2.0)
    assert curves["code"].counts.tolist() == [(code == 1).sum(), (code == 2).sum()]
    assert curves["x"].edges is not None
    scale = Scale("risk", base=-1.0)
    for place, words in scale.ticks(2.0):
        risk = 1 / (1 + math.exp(1.0 - place))
        assert abs(place) <= 2.0
        assert float(words.removesuffix(" %")) == pytest.approx(100 * risk, abs=0.51)
    assert [words for _, words in Scale("odds ratio").ticks(1.0)] == ["×0.5", "×1", "×2"]
    assert Scale("points", unit=0.5).text(1.0) == "+2"
    # Cards of the tree: the mean of what the rows of a node are given, all parts of it.
    tree, said = model.members[0].smoothed.tree, predict_proba(model, data)
    risks = group_risks(model, data).probs[:, 1]
    assert risks[0] == pytest.approx(said[:, 1].mean())
    leaf = int(tree.leaves[0])
    ends = find_leaves(tree, data.values, data.schema.n_values)
    own = said[ends.nodes == leaf, 1] if len(ends.nodes) == data.n_rows else said[:0, 1]
    assert risks[leaf] == pytest.approx(own.mean())
