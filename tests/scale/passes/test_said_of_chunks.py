"""What somebody says of a table holds in chunks: days to a date, joined outcomes, odd lines."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest

from probtrees.cli import main
from probtrees.errors import DataError
from probtrees.scale.passes import open_chunks as chunks
from probtrees.scale.passes.open_chunks import open_chunks, open_with_schema
from probtrees.scale.passes.table_scan import TableScan
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table, read_to_predict

N_ROWS = 3000
ANSWERS = ("Very likely", "Likely", "Undecided", "Unlikely")


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "_MOST_ROWS", 500)
    monkeypatch.setattr(chunks, "_BLOCK_BYTES", 20_000)


def stays(path: Path, *, odd: bool = False) -> Path:
    """Write stays with two dates; every 700th line lacks cells, or has more, if ``odd``."""
    lines = ["admitted,age,discharged,again"]
    first = date(2021, 1, 4)
    for n in range(N_ROWS):
        begin = first + timedelta(days=n % 400)
        end = begin + timedelta(days=n * 7 % 23)
        until = "" if n % 50 == 7 else end.strftime("%d.%m.%Y")
        lines.append(f"{begin:%d.%m.%Y},{20 + n % 60},{until},{ANSWERS[n * 11 % 4]}")
        if odd and n % 700 == 13:
            lines.append("see note 3" if n % 1400 == 13 else "1.1.2021,5,,Likely,more")
    path.write_text("\n".join(lines) + "\n")
    return path


def values_of(table: chunks.ChunkedTable) -> np.ndarray:
    parts = [chunk.values for chunk in table.chunks()]
    assert len(parts) > 2
    return np.concatenate(parts)


@pytest.mark.parametrize(
    "said",
    [
        {"days_to": {"admitted": "discharged"}},
        {"join_outcomes": ("Likely", "Very likely")},
        {"days_to": {"admitted": "discharged"}, "roles": {"discharged": "ignore"}},
        {"days_to": {"admitted": "discharged"}, "join_outcomes": ("Undecided",)},
    ],
)
def test_what_is_said_is_read_as_at_once(tmp_path: Path, said: dict) -> None:
    path = stays(tmp_path / "t.csv")
    whole, found = read_table(path, "again", **said), open_chunks(path, "again", **said)
    assert found.schema == whole.schema
    np.testing.assert_array_equal(values_of(found), whole.values)
    scored = open_with_schema(path, whole.schema, to_predict=True)
    np.testing.assert_array_equal(values_of(scored), read_to_predict(path, whole.schema).values)


def test_lines_of_another_length_are_left_out_and_counted(tmp_path: Path) -> None:
    path = stays(tmp_path / "t.csv", odd=True)
    with pytest.raises(DataError, match="must have 4 cells"):
        open_chunks(path, "again")
    whole = read_table(path, "again", odd_lines="drop")
    found = open_chunks(path, "again", odd_lines="drop")
    assert found.n_rows == whole.n_rows == N_ROWS
    np.testing.assert_array_equal(values_of(found), whole.values)
    (note,) = (n for n in found.provenance.notes if "left out ('see note 3')" in n)
    assert note in whole.provenance.notes
    assert note.startswith("5 lines that have not 4 cells are")
    scored = open_with_schema(path, whole.schema, to_predict=True, odd_lines="drop")
    np.testing.assert_array_equal(values_of(scored), whole.values)


def test_a_scan_that_is_kept_knows_its_odd_lines() -> None:
    seen, other = TableScan(ReadOptions()), TableScan(ReadOptions())
    other.n_odd_lines, other.odd_line = 2, "a,b"
    seen.merge(TableScan.from_dict(other.to_dict(), ReadOptions()))
    assert (seen.n_odd_lines, seen.odd_line) == (2, "a,b")


@pytest.mark.parametrize("model", ["c45", "nb"])
def test_the_command_line_takes_them_in_chunks(tmp_path: Path, capsys, model: str) -> None:
    path, kept = stays(tmp_path / "t.csv", odd=True), tmp_path / "m.json"
    said = ["--days-to", "admitted=discharged", "--odd-lines", "drop"]
    said += ["--join-outcomes", "Likely", "--join-outcomes", "Very likely"]
    grow = ["grow", str(path), "--target", "again", "--chunks", "--model", model]
    assert main([*grow, *said, "--smoother", "laplace", "--out", str(kept)]) == 0
    told = capsys.readouterr().err
    assert "5 lines that have not 4 cells are left out" in told
    assert "'Likely' and 'Very likely' are one outcome" in told
    assert main(["predict", str(kept), str(path), "--chunks", "--odd-lines", "drop"]) == 0
    shown = capsys.readouterr()
    (counted,) = (line for line in shown.err.splitlines() if "have not 4 cells" in line)
    assert counted.endswith("5 lines that have not 4 cells are left out ('see note 3').")
    assert main(["predict", str(kept), str(path), "--odd-lines", "drop"]) == 0
    assert counted in capsys.readouterr().err
    assert len(shown.out.splitlines()) == N_ROWS + 1
    assert "Likely or Very likely" in shown.out.splitlines()[0]
