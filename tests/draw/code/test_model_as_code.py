"""Shaped trees and councils as SQL and as Python give the model's own numbers."""

import sqlite3
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from probtrees.draw.code.model_as_code import model_python, model_sql
from probtrees.draw.code.rules_as_code import sql_cells, sql_name
from probtrees.errors import DataError
from probtrees.estimators.fitted_model import FittedModel
from probtrees.experiment.fit import fit
from probtrees.model.calibration import Calibration
from probtrees.model.member import seat
from probtrees.model.model import Model
from probtrees.model.predict import predict_proba
from probtrees.table.dataset import Column, Dataset, Schema
from probtrees.table.read_table import read_table
from tests.draw.code.test_rules_as_code import answers_of, plain_row


@pytest.fixture(scope="module")
def data() -> Dataset:
    """Numbers, categories, both with gaps, three classes, and names that try to be code."""
    random = np.random.default_rng(0)
    number, other = random.normal(size=(2, 120)) * [[1.0], [1000.0]]
    code = random.integers(0, 3, 120).astype(np.float64)
    label = (np.digitize(number + (code == 1) + (other > 0), [0, 1])).astype(np.float64)
    number[::11] = np.nan
    code[::13] = np.nan
    schema = Schema(
        (
            Column('x"; DROP TABLE t; --'),
            Column("it's", ("a'b", "c\\", "{d}")),
            Column("other"),
            Column("y", ("lo", 'm"i', "hi")),
        )
    )
    return Dataset(schema, np.column_stack([number, code, other, label]))


@pytest.fixture(scope="module")
def tree(data: Dataset) -> Model:
    return fit(data, "c45", "laplace")


@pytest.fixture(scope="module")
def shaped(data: Dataset) -> Model:
    return fit(data, "shaped-tree", options={"penalty": 0.3, "freedom": 10.0})


@pytest.fixture(scope="module")
def council(data: Dataset, shaped: Model) -> Model:
    models = {
        "shaped-tree": shaped,
        "soft-tree": fit(data, "c45", "blend", routing="soft"),
        "tan": fit(data, "tan", "m-estimate"),
        "eskdb": fit(data, "eskdb", "m-estimate", options={"size": 2}),
    }
    weights = (0.6, 0.3, 0.5, 0.4)
    said = {"members": list(models), "weights": list(weights)}
    return replace(
        shaped,
        members=tuple(seat(model.members) for model in models.values()),
        weights=weights,
        options={**shaped.options, "council": said},
    )


@pytest.fixture(scope="module")
def rows(data: Dataset) -> Dataset:
    """Some rows, one of them empty and two far outside."""
    values = data.values[:60].copy()
    values[0, :-1] = np.nan
    values[1, [0, 2]] = 1e9
    values[2, [0, 2]] = -1e9
    return Dataset(data.schema, values)


@pytest.mark.parametrize("kind", ["shaped", "council"])
def test_code_gives_the_same_numbers(
    kind: str, rows: Dataset, request: pytest.FixtureRequest
) -> None:
    model = request.getfixturevalue(kind)
    assert model.kind == kind
    expected = predict_proba(model, rows)
    np.testing.assert_allclose(answers_of(model_python(model), rows), expected, atol=1e-9)

    names = [sql_name(column.name) for column in rows.schema.features]
    base = sqlite3.connect(":memory:")
    base.execute(f"CREATE TABLE t ({', '.join(names)})")
    for row in range(rows.n_rows):
        base.execute("INSERT INTO t VALUES (?, ?, ?)", list(plain_row(rows, row).values()))
    told = np.array(base.execute(model_sql(model, "t")).fetchall())
    np.testing.assert_allclose(told, expected, atol=1e-9)


@pytest.mark.parametrize("kind", ["tree", "shaped", "council"])
def test_cells_are_read_as_the_model_reads_them(
    kind: str, data: Dataset, request: pytest.FixtureRequest
) -> None:
    model = request.getfixturevalue(kind)
    texts = ["new", " ", "", "   ", None, " {d} ", "{d}"]
    frame = pd.DataFrame([{**plain_row(data, 1), "it's": text} for text in texts], dtype=object)
    expected = FittedModel.of(model).predict_proba(frame)
    assert (expected[1] == expected[4]).all()
    assert (expected[0] != expected[6]).any()
    scope: dict[str, Any] = {"__name__": "exported"}
    exec(model_python(model), scope)
    told = [scope["predict_proba"](row) for row in frame.to_dict("records")]
    np.testing.assert_allclose(told, expected, atol=1e-9)
    with sqlite3.connect(":memory:") as base:
        frame.to_sql("t", base, index=False)
        told = base.execute(model_sql(model, "t")).fetchall()
    np.testing.assert_allclose(told, expected, atol=1e-9)


@pytest.mark.parametrize("model", ["c45", "shaped-tree"])
def test_what_steps_make_of_cells_is_repeated_or_told(model: str) -> None:
    random = np.random.default_rng(1)
    frame = pd.DataFrame({"util": random.integers(0, 99, 400), "code": random.integers(1, 4, 400)})
    frame["town"] = random.choice(["Bern", "bern", "Basel", "unsaid"], 400)
    frame["y"] = np.where((frame["util"] > 50) ^ (frame["town"] == "Basel"), "yes", "no")
    frame.loc[::5, "util"], frame.loc[::7, "code"] = -99, -9
    said = (("util", "-99"), ("code", "-9"), ("town", "unsaid"))
    steps = [{"step": "missing", "column": name, "texts": [text]} for name, text in said]
    steps += [{"step": "join", "column": "town"}]
    data = read_table(frame, target="y", steps=steps, types={"code": "nominal"})
    fitted = fit(data, model)
    expected = FittedModel.of(fitted).predict_proba(frame := frame.drop(columns="y"))
    scope: dict[str, Any] = {"__name__": "exported"}
    exec(model_python(fitted), scope)
    asked = frame.astype({"code": str}).astype(object).to_dict("records")
    told = [scope["predict_proba"](row) for row in asked]
    np.testing.assert_allclose(told, expected, atol=1e-9)
    with sqlite3.connect(":memory:") as base:
        frame.to_sql("t", base, index=False)
        told = base.execute(model_sql(fitted, "t")).fetchall()
    np.testing.assert_allclose(told, expected, atol=1e-9)
    assert "\n-- Give these" in sql_cells([Column("day\n", source="day")], "t")


def test_what_was_bent_is_refused(council: Model) -> None:
    bent = replace(council, calibration=object.__new__(Calibration))
    for write in (model_python, model_sql):
        with pytest.raises(DataError, match="must not be calibrated"):
            write(bent)
