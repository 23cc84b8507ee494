"""Numbers as laboratories write them: with flags behind, and limits with their unit."""

import numpy as np
import pytest
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.table.read_table import read_rows, read_table
from tests.table.tiny_table import csv

N = 80
VALUES = [(n * 37 % 79) / 10 + 3 for n in range(N)]


def table(cells: list[str]) -> tuple[str, bytes]:
    return csv("k;x;y", *(f"{c};{n * 5 % 7};{'ab'[n // 8 % 2]}" for n, c in enumerate(cells)))


@pytest.mark.parametrize("flag", [" (H)", "(H)", "*", " *", "↑", " ↓", "!", " [L]"])
def test_flags_behind_some_numbers_are_left_out_with_a_line(flag: str) -> None:
    cells = [f"{v:.1f}{flag if n % 5 == 0 else ''}" for n, v in enumerate(VALUES)]
    data = read_table(table(cells))
    np.testing.assert_allclose(data.values[:, 0], np.round(VALUES, 1))
    note = inspect_table(table(cells)).column("k").findings[0]
    assert f"flags ({flag.strip()!r}, left out)" in note.sentence
    rows, problems = read_rows(csv("k;x", f"9.9{flag};1", "4;1"), data.schema)
    assert not problems
    assert rows.values[:, 0].tolist() == [9.9, 4.0]


def test_a_mark_behind_most_numbers_is_no_flag() -> None:
    cells = [f"{v:.1f}{'*' if n % 5 else ''}" for n, v in enumerate(VALUES)]
    assert inspect_table(table(cells)).column("k").type == "nominal"


@pytest.mark.parametrize(
    ("limit", "cell", "expected"),
    [
        ("> 200 ng/ml", "{:.1f} ng/ml", 200),
        ("> 200 ng/ml", "{:.1f}", 200),
        ("<5 mg/l", "{:.1f} mg/l", 5),
        ("=<5", "{:.1f}", 5),
        ("≤ 5", "{:.1f}", 5),
        (">90", "{:.1f}", 90),
    ],
)
def test_limits_are_the_numbers_they_name_with_a_line(
    limit: str, cell: str, expected: float
) -> None:
    cells = [limit if n % 6 == 0 else cell.format(v) for n, v in enumerate(VALUES)]
    assert read_table(table(cells)).values[0, 0] == expected
    said = inspect_table(table(cells)).column("k").findings
    assert any(repr(limit) in finding.sentence for finding in said)
    assert any(fix.label == f"Treat {limit!r} as missing" for f in said for fix in f.fixes)


def test_a_limit_far_from_the_others_is_not_asked_about_as_a_code() -> None:
    cells = [">35000" if n % 6 == 0 else str(60 + n * 37) for n in range(N)]
    report = inspect_table(table(cells))
    assert [found.kind for found in report.column("k").findings] == ["limits"]
    coded = ["35000" if n % 6 == 0 else str(60 + n * 37) for n in range(N)]
    kinds = [found.kind for found in inspect_table(table(coded)).column("k").findings]
    assert kinds == ["maybe missing"]


@pytest.mark.parametrize("word", ["undetectable", "not detected"])
def test_what_cannot_be_detected_is_missing_with_a_line(word: str) -> None:
    cells = [word if n % 6 == 0 else f"{v:.1f}" for n, v in enumerate(VALUES)]
    assert np.isnan(read_table(table(cells)).values[0, 0])
    (note,) = inspect_table(table(cells)).column("k").findings
    assert repr(word) in note.sentence


@pytest.mark.parametrize(
    "cells", [["neg", "+", "++", "+++"], ["-", "+", "++"], ["neg", "1+", "2+"]]
)
def test_strengths_of_a_reaction_stay_categories(cells: list[str]) -> None:
    column = inspect_table(table([cells[n * 7 % len(cells)] for n in range(N)])).column("k")
    assert (column.type, column.n_distinct) == ("nominal", len(cells))
