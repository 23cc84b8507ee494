"""Exported rules give the model's own numbers, whatever the data are called."""

import sqlite3
from typing import Any

import numpy as np
import pandas as pd
import pytest

from probtrees.draw.code.rules_as_code import python_rules, sql_rules
from probtrees.estimators.fitted_model import FittedModel
from probtrees.experiment.fit import fit
from probtrees.model.predict import predict_proba
from probtrees.report.scored_table import add_decisions, costs_of_cut
from probtrees.score.decision import Cut
from probtrees.smooth.example_trees import tree_of
from probtrees.smooth.m_estimate import Laplace
from probtrees.table.dataset import Column, Dataset, Schema
from probtrees.table.read_table import load_sample


def answers_of(code: str, rows: Dataset) -> list[list[float]]:
    """Return what exported code, which knows nothing of its surroundings, says of rows."""
    names: dict[str, Any] = {"__name__": "exported"}
    exec(code, names)
    return [names["predict_proba"](plain_row(rows, row)) for row in range(rows.n_rows)]


def plain_row(data: Dataset, row: int) -> dict[str, Any]:
    """Write a row as names and values."""
    cells = zip(data.schema.features, data.values[row].tolist(), strict=False)
    known = {
        c.name: c.categories[int(x)] if c.categories else x for c, x in cells if not np.isnan(x)
    }
    return {name: known.get(name) for name in data.schema.names[:-1]}


def some_rows(data: Dataset) -> Dataset:
    return data.take(np.arange(0, data.n_rows, max(1, data.n_rows // 100))[:100])


@pytest.mark.parametrize("sample", ["titanic", "iris", "penguins", "heart"])
def test_python_gives_the_same_numbers(sample: str) -> None:
    data = load_sample(sample)
    model = fit(data, "c45", "laplace")
    rows = some_rows(data)
    rows.values[0, :-1] = np.nan  # averaged over branches where nothing is known
    expected = predict_proba(model, rows)
    code = python_rules(model.tree, data.schema, act=Cut(0, 0.5))
    np.testing.assert_allclose(answers_of(code, rows), expected, atol=1e-9)


def test_a_row_at_the_cut_itself_is_decided_by_lot_in_every_file():
    data = load_sample("titanic")
    model = fit(data, "c45", "laplace")
    chance = predict_proba(model, data)[:, 1]
    cut = Cut(1, float(np.sort(np.unique(chance))[-2]), 0.4)
    frame = pd.DataFrame([plain_row(data, row) for row in range(data.n_rows)]).astype(object)
    expected = [cut.done(each) for each in chance.tolist()]
    assert {*expected} == {"act", "by lot", "leave"}
    names: dict[str, Any] = {}
    exec(python_rules(model.tree, data.schema, cut), names)
    assert [names["decision"](row) for row in frame.to_dict("records")] == expected
    with sqlite3.connect(":memory:") as base:
        frame.to_sql("my_table", base, index=False)
        found = pd.read_sql(sql_rules(model.tree, data.schema, act=cut), base)
    assert found["decision"].tolist() == expected
    table = pd.DataFrame()
    add_decisions(table, predict_proba(model, data), costs_of_cut(2, cut))
    assert table["decision"].tolist() == expected


@pytest.mark.parametrize("sample", ["titanic", "iris", "penguins", "heart"])
def test_sql_gives_the_same_numbers(sample: str) -> None:
    data = load_sample(sample)
    model = fit(data, "c45", "hgs-published")
    frame = pd.DataFrame([plain_row(data, row) for row in range(data.n_rows)]).astype(object)
    random = np.random.default_rng(0)  # what is missing or unknown is averaged over branches
    for number, column in enumerate(data.schema.features):
        frame.loc[random.random(data.n_rows) < 0.2, column.name] = None
        if column.is_nominal:
            frame.loc[random.random(data.n_rows) < 0.1, column.name] = f"never seen {number}"
    expected = FittedModel.of(model).predict_proba(frame)
    query = sql_rules(model.tree, data.schema, act=Cut(1, 0.3))
    assert "e-06" not in query
    with sqlite3.connect(":memory:") as base:
        frame.to_sql("my_table", base, index=False)
        found = pd.read_sql(query, base)
    assert (found.pop("decision") == np.where(expected[:, 1] >= 0.3, "act", "leave")).all()
    np.testing.assert_allclose(found.to_numpy(dtype=float), expected, atol=1e-12)


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e6, 2e10, 1.7e12, 1e15, -1.7e12])
def test_sql_cuts_numbers_of_any_size_where_the_model_does(scale: float) -> None:
    numbers = np.concatenate([np.arange(10), 20 + np.arange(10)]) * scale
    schema = Schema((Column("x"), Column("y", ("no", "yes"))))
    data = Dataset(schema, np.column_stack([numbers, np.abs(numbers) > 15 * abs(scale)]))
    model = fit(data, "c45", "laplace")
    threshold = model.tree.tree.arrays.threshold[0]
    next_one = threshold if float(threshold).is_integer() else np.nextafter(threshold, np.inf)
    asked = np.concatenate([numbers, [threshold, next_one]])
    with sqlite3.connect(":memory:") as base:
        pd.DataFrame({"x": asked}).to_sql("my_table", base, index=False)
        found = pd.read_sql(sql_rules(model.tree, schema), base).to_numpy(dtype=float)
    rows = Dataset(schema, np.column_stack([asked, np.full(len(asked), np.nan)]))
    np.testing.assert_allclose(found, predict_proba(model, rows), atol=1e-12)


def test_a_very_deep_tree_is_written_and_answers():
    depth = 1500
    levels = [2] + [0, 2] * (depth - 1) + [0, 0]
    leaves = [[number % 7, 3] for number in range(depth + 1)]
    schema = Schema((*(Column(f"c{n}", ("x", "y")) for n in range(depth)), Column("k", ("a", "b"))))
    smoothed = Laplace().smooth(tree_of(levels, leaves, target=depth))
    names: dict = {}
    exec(python_rules(smoothed, schema), names)
    last = int(smoothed.tree.leaves[-1])
    assert names["predict_proba"]({f"c{n}": "y" for n in range(depth)}) == pytest.approx(
        smoothed.probs[last].tolist()
    )
    text = sql_rules(smoothed, schema)
    assert text.count("CASE") == 2 * depth + 4 * depth + depth
    assert len(text) < 2_000_000
