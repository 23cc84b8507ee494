"""A shaped tree as SQL and as Python gives the model's own numbers, whatever data are called."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from probtrees.draw.code.additive_as_python import python_additive
from probtrees.draw.code.additive_as_sql import sql_additive
from probtrees.draw.code.rules_as_code import plain_row, sql_name
from probtrees.errors import DataError
from probtrees.experiment.fit import fit
from probtrees.model.model import Model
from probtrees.model.predict import predict_proba
from probtrees.table.dataset import Column, Dataset, Schema

QUICK = {"penalty": 0.3, "freedom": 10.0}


def odd_table(n_rows: int = 120) -> Dataset:
    """Numbers, categories, both with gaps, three classes, and names that try to be code."""
    random = np.random.default_rng(0)
    number, other = random.normal(size=(2, n_rows)) * [[1.0], [1000.0]]
    code = random.integers(0, 3, n_rows).astype(np.float64)
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
def shaped() -> tuple[Model, Dataset]:
    data = odd_table()
    return fit(data, "shaped-tree", options=QUICK), data


def in_sqlite(query: str, data: Dataset) -> np.ndarray:
    """Run a query on a table t of rows."""
    names = [sql_name(column.name) for column in data.schema.features]
    connection = sqlite3.connect(":memory:")
    connection.execute(f"CREATE TABLE t ({', '.join(names)})")
    marks = ", ".join("?" for _ in names)
    for row in range(data.n_rows):
        values = list(plain_row(data, row).values())
        connection.execute(f"INSERT INTO t VALUES ({marks})", values)
    return np.array(connection.execute(query).fetchall())


def test_sql_gives_the_same_numbers(shaped: tuple[Model, Dataset]) -> None:
    model, data = shaped
    np.testing.assert_allclose(
        in_sqlite(sql_additive(model, "t"), data), predict_proba(model, data), atol=1e-9
    )


def test_sql_of_values_far_outside_and_of_nothing(shaped: tuple[Model, Dataset]) -> None:
    model, data = shaped
    values = data.values[:4].copy()
    values[0, :-1] = np.nan
    values[1, [0, 2]] = 1e9
    values[2, [0, 2]] = -1e9
    rows = Dataset(data.schema, values)
    np.testing.assert_allclose(
        in_sqlite(sql_additive(model, "t"), rows), predict_proba(model, rows), atol=1e-9
    )


def test_python_checks_itself(shaped: tuple[Model, Dataset], tmp_path: Path) -> None:
    model, data = shaped
    path = tmp_path / "shaped_tree.py"
    path.write_text(python_additive(model, data, predict_proba(model, data)), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", str(path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{data.n_rows} rows scored as expected\n"


def test_a_value_never_met_adds_nothing(shaped: tuple[Model, Dataset]) -> None:
    model, data = shaped
    scope: dict[str, object] = {"__name__": "exported"}
    exec(python_additive(model), scope)
    values = data.values[:1].copy()
    values[0, 1] = -1.0
    row = {**plain_row(data, 0), "it's": "new"}
    expected = predict_proba(model, Dataset(data.schema, values))[0]
    assert scope["predict_proba"](row) == pytest.approx(expected, abs=1e-9)  # type: ignore[operator]


def test_a_calibrated_model_is_refused() -> None:
    model = fit(odd_table(), "shaped-tree", options=QUICK, calibrate="platt")
    with pytest.raises(DataError, match="must not be calibrated"):
        sql_additive(model)
