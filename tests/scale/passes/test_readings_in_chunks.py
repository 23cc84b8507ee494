"""One engine decides how cells are read, on a scan, and applies it to every chunk."""

from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from probtrees.scale.files import table_files
from probtrees.scale.passes import open_chunks as chunks
from probtrees.scale.passes.open_chunks import open_chunks, open_with_schema
from probtrees.table.read_table import read_table, read_to_predict

N_ROWS = 240
FIRST = date(2021, 1, 4)
CELLS = {
    "far below": lambda n: f"{n % 4 + 1}.0" if n < 200 else ["1-", "2+"][n % 2],
    "clock": lambda n: f"{n % 24}:{n * 7 % 60:02d}",
    "durations": lambda n: f"{n % 3}h {n % 60:02d}min",
    "units": lambda n: f"{n % 90 + 1} kg",
    "percent": lambda n: f"{n % 90} %",
    "dollars": lambda n: f"${n % 9 + 1},{n % 900 + 100}",
    "zeros in front": lambda n: f"{n % 40:05d}",
    "few words": lambda n: "kwar." if n in (3, 77) else str(n % 37),
    "dashes": lambda n: "-" if n % 9 == 0 else str(n % 37),
    "limits": lambda n: "<5" if n % 9 == 0 else f"{n % 37 + 5}",
    "day first": lambda n: f"{FIRST + timedelta(days=n):%d.%m.%Y}",
    "later day": lambda n: "" if n % 50 == 7 else f"{FIRST + timedelta(days=n + n % 9):%d.%m.%Y}",
    "decimals": lambda n: f"{n * 7 % 240 / 61 + 0.05:.3f}",
    "whole numbers": lambda n: str(100_000 + n * 7919 % 800_011),
    "999": lambda n: "999" if n % 11 == 0 else str(n % 37),
    "town": lambda n: ["Bonn", "bonn", "Köln", "Ulm"][n % 4],
    "ill": lambda n: ["Likely", "Very likely", "Unlikely"][n * 11 % 3],
}
SAID = {
    "nothing": {},
    "days to a date": {"steps": [{"step": "age", "column": "day first", "to": "later day"}]},
    "joined": {
        "steps": [
            {"step": "join outcomes", "values": ["Likely", "Very likely"]},
            {"step": "join", "column": "town"},
            {"step": "missing", "column": "999", "texts": ["999"]},
        ]
    },
    "types": {"types": {"percent": "nominal", "whole numbers": "numeric", "decimals": "nominal"}},
}


@pytest.fixture(scope="module", params=["csv", "parquet"])
def path(request, tmp_path_factory) -> Path:
    """Write one column for every way of writing."""
    path = tmp_path_factory.mktemp("chunks") / f"t.{request.param}"
    frame = pd.DataFrame({name: [cell(n) for n in range(N_ROWS)] for name, cell in CELLS.items()})
    if request.param == "csv":
        frame.to_csv(path, index=False)
    else:
        frame.to_parquet(path, index=False, row_group_size=80)
    return path


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_files, "_MOST_ROWS", 80)
    monkeypatch.setattr(table_files, "_BLOCK_BYTES", 10_000)


def values_of(table: chunks.ChunkedTable) -> np.ndarray:
    parts = [chunk.values for chunk in table.chunks()]
    assert len(parts) > 2
    return np.concatenate(parts)


@pytest.mark.filterwarnings("ignore::probtrees.errors.ProbTreesWarning")
@pytest.mark.parametrize("said", SAID.values(), ids=SAID)
def test_cells_are_read_as_at_once(path: Path, said: dict) -> None:
    whole, found = read_table(path, "ill", **said), open_chunks(path, "ill", **said)
    assert found.schema == whole.schema
    np.testing.assert_array_equal(values_of(found), whole.values)
    scored = open_with_schema(path, whole.schema, to_predict=True)
    np.testing.assert_array_equal(values_of(scored), read_to_predict(path, whole.schema).values)


LATER = [
    ("clock", CELLS["durations"]),
    ("day first", lambda n: f"{FIRST + timedelta(days=n)}"),
    ("decimals", lambda n: CELLS["decimals"](n).replace(".", ",")),
    ("town", lambda n: ["BONN", "ulm"][n % 2]),
]
"""A column of training, and how another program writes it."""


@pytest.mark.filterwarnings("ignore::probtrees.errors.ProbTreesWarning")
@pytest.mark.parametrize(("name", "cell"), LATER, ids=[name for name, _ in LATER])
def test_a_later_table_is_read_alike(name, cell, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(table_files, "_BLOCK_BYTES", 400)
    for path, write in (("t.csv", CELLS[name]), ("later.csv", cell)):
        cells = {name: [write(n) for n in range(N_ROWS)], "ill": ["y", "n"] * (N_ROWS // 2)}
        pd.DataFrame(cells).to_csv(tmp_path / path, index=False)
    schema = read_table(tmp_path / "t.csv").schema
    table = open_with_schema(tmp_path / "later.csv", schema, to_predict=True)
    whole = read_to_predict(tmp_path / "later.csv", schema).values
    np.testing.assert_array_equal(values_of(table), whole)
    assert np.isfinite(whole[:, 0]).all()
