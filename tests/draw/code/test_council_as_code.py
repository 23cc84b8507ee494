"""A council as Python gives the model's own numbers, whatever data are called."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from probtrees.draw.code.council_as_python import python_council
from probtrees.draw.code.council_as_sql import sql_council
from probtrees.errors import DataError
from probtrees.experiment.fit import fit
from probtrees.model.calibration import Calibration
from probtrees.model.member import seat
from probtrees.model.model import Model
from probtrees.model.predict import predict_proba
from probtrees.table.dataset import Dataset
from tests.draw.code.test_additive_as_code import QUICK, in_sqlite, odd_table


@pytest.fixture(scope="module")
def council() -> tuple[Model, Dataset]:
    data = odd_table()
    models = {
        "shaped-tree": fit(data, "shaped-tree", options=QUICK),
        "soft-tree": fit(data, "c45", "blend", routing="soft"),
        "tan": fit(data, "tan", "m-estimate"),
        "eskdb": fit(data, "eskdb", "m-estimate", options={"size": 2}),
    }
    weights = (0.6, 0.3, 0.5, 0.4)
    first = models["shaped-tree"]
    said = {"members": list(models), "weights": list(weights)}
    return (
        replace(
            first,
            members=tuple(seat(model.members) for model in models.values()),
            weights=weights,
            options={**first.options, "council": said},
        ),
        data,
    )


def test_python_checks_itself(council: tuple[Model, Dataset], tmp_path: Path) -> None:
    model, data = council
    assert model.kind == "council"
    values = data.values[:60].copy()
    values[0, :-1] = np.nan
    values[1, [0, 2]] = 1e9
    values[2, [0, 2]] = -1e9
    rows = Dataset(data.schema, values)
    path = tmp_path / "council.py"
    path.write_text(python_council(model, rows, predict_proba(model, rows)), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", str(path)], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.stdout == "60 rows scored as expected\n"


def test_what_was_bent_is_refused(council: tuple[Model, Dataset]) -> None:
    model, _ = council
    bent = replace(model, calibration=object.__new__(Calibration))
    for write in (python_council, sql_council):
        with pytest.raises(DataError, match="must not be calibrated"):
            write(bent)


def test_sql_gives_the_same_numbers(council: tuple[Model, Dataset]) -> None:
    model, data = council
    values = data.values[:60].copy()
    values[0, :-1] = np.nan
    values[1, [0, 2]] = 1e9
    values[2, [0, 2]] = -1e9
    rows = Dataset(data.schema, values)
    told = in_sqlite(sql_council(model, "t"), rows)
    np.testing.assert_allclose(told, predict_proba(model, rows), atol=1e-9)
