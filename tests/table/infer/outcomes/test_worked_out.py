"""Columns that are worked out of the target are asked about and set aside."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from probtrees.table.infer.guess_reading import guess_for, why_not_used
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.infer.outcomes.worked_out import WORKED_OUT

from probtrees.cli import main
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


def _written(path: Path, **columns: object) -> Path:
    cells = zip(*(np.asarray(values).tolist() for values in columns.values()), strict=True)
    path.write_text("\n".join([",".join(columns), *(",".join(map(str, row)) for row in cells)]))
    return path


def _left_out(table: Path, target: str) -> dict[str, str]:
    _, report = _guessed(table, target)
    found = {c.name: why_not_used(c) for c in report.columns if c.role == "ignore"}
    return {name: why for name, why in found.items() if "target" in why or "whole" in why}


@pytest.mark.parametrize("digits", [15, 6])
def test_count_behind_a_rate_is_set_aside_though_the_days_are_not_there(
    tmp_path: Path, digits: int
) -> None:
    random = np.random.default_rng(1)
    days, staff = random.integers(1400, 3100, 300), random.integers(4, 15, 300)
    count = random.poisson(days / 400)
    rate = np.round(count / days * 1000, digits)
    table = _written(tmp_path / "rates.csv", staff=staff, count=count, rate=rate)
    assert _left_out(table, "rate") == {
        "count": "it is 'rate' times a whole number (the count behind a rate)"
    }


def test_a_rounded_rate_is_found_by_its_count_and_days(tmp_path: Path) -> None:
    random = np.random.default_rng(2)
    days, staff = random.integers(1400, 3100, 300), random.integers(4, 15, 300)
    count = random.poisson(days / 400)
    rate = np.round(count / days * 1000, 2)
    table = _written(tmp_path / "rates.csv", staff=staff, days=days, count=count, rate=rate)
    assert "divided by" in _left_out(table, "rate")["count"]


@pytest.mark.parametrize("cut", [None, 6.0])
def test_a_recode_of_the_target_is_set_aside(tmp_path: Path, cut: float | None) -> None:
    random = np.random.default_rng(3)
    points, age = random.integers(0, 11, 200), random.integers(20, 90, 200)
    groups = np.where(points >= 9, "fan", np.where(points >= 7, "passive", "critic"))
    table = _written(tmp_path / "survey.csv", age=age, groups=groups, points=points)
    assert _left_out(table, "points") == {
        "groups": "it is worked out from the target ('points' in groups)"
    }
    report = inspect_table(table, "points", cut_target=cut)
    assert [f.kind for f in report.column("groups").findings] == [WORKED_OUT]


@pytest.mark.parametrize("n_rows", [12, 30, 300, 2000])
@pytest.mark.parametrize("n_points", [3, 11, 1000])
def test_noise_is_no_recode_and_no_count(tmp_path: Path, n_rows: int, n_points: int) -> None:
    for seed in range(3):
        random = np.random.default_rng(seed)
        points = random.integers(0, n_points, n_rows)
        nearly = points + random.normal(0, n_points / 8, n_rows)
        columns = {
            "likely": np.where(nearly > n_points / 2, 1, 0),
            "word": random.choice(["a", "b", "c"], n_rows),
            "rare": random.choice(["no", "yes"], n_rows, p=[0.97, 0.03]),
            "count": random.poisson(4, n_rows),
            "times": points * random.integers(1, 50, n_rows) + random.integers(0, 2, n_rows),
        }
        table = _written(tmp_path / "noise.csv", **columns, points=points)
        report = inspect_table(table, "points", cut_target=n_points / 2)
        assert WORKED_OUT not in {found.kind for found in report.findings}


def test_a_recode_of_a_few_rows_may_be_chance(tmp_path: Path) -> None:
    points = np.arange(24) % 3
    table = _written(tmp_path / "few.csv", group=np.where(points > 1, "a", "b"), points=points)
    report = inspect_table(table, "points", cut_target=1.0)
    assert WORKED_OUT not in {found.kind for found in report.findings}
