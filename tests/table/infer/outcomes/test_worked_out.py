"""Columns that are worked out of the target are asked about and set aside."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from probtrees.cli import main
from probtrees.table.infer.guess_reading import guess_for, why_not_used
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.infer.outcomes.worked_out import WORKED_OUT
from probtrees.table.read_options import ReadOptions
from probtrees.table.table_report import TableReport


@pytest.fixture
def table(tmp_path: Path) -> Path:
    random = np.random.default_rng(6)
    rows = ["line,trips,on time,late,very late,% punctual"]
    for n in range(200):
        on_time, late, very = random.integers(30, 300), random.integers(0, 40), random.poisson(7)
        trips = on_time + late + very
        cells = (f"L{n % 4}", trips, on_time, late, very, f"{100 * on_time / trips:.2f}%")
        rows.append(",".join(map(str, cells)))
    path = tmp_path / "lines.csv"
    path.write_text("\n".join(rows))
    return path


def _guessed(table: Path, target: str) -> tuple[ReadOptions, TableReport]:
    def look(reading: ReadOptions) -> TableReport:
        return inspect_table(table, **reading.arguments)

    reading = guess_for(look, ReadOptions(), target).reading
    return reading, look(reading)


def test_total_and_its_share_are_set_aside_with_the_reason(table: Path) -> None:
    _, report = _guessed(table, "very late")
    left = {
        column.name: why_not_used(column) for column in report.columns if column.role == "ignore"
    }
    assert left == {
        "trips": "it is the sum of 'on time', 'late' and 'very late', the target among them",
        "% punctual": "it is 'on time' divided by 'trips', which is worked out of the target",
    }


def test_parts_of_a_target_are_set_aside(table: Path) -> None:
    reading, _ = _guessed(table, "trips")
    left = [name for name, role in reading.roles.items() if role == "ignore"]
    assert set(left) == {"on time", "late", "very late", "% punctual"}


def test_a_class_is_no_number(table: Path) -> None:
    _, report = _guessed(table, "line")
    assert WORKED_OUT not in {found.kind for found in report.findings}


def test_it_is_a_question_until_answered(table: Path) -> None:
    report = inspect_table(table, "very late", cut_target=7)
    (found,) = (f for f in report.column("trips").findings if f.kind in (WORKED_OUT, "leak"))
    assert (found.severity, found.fixes[0].value) == ("warning", "ignore")


def test_command_line_warns_with_the_option(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["grow", str(table), "--target", "very late", "--cut-target", "7"])
    errors = capsys.readouterr().err
    line = next(line for line in errors.splitlines() if "'trips' is the sum of" in line)
    assert line.startswith("warning: ")
    assert "--role trips=ignore" in line
