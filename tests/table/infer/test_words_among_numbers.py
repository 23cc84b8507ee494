"""Words among numbers: refused where they are odd, asked about where they are many."""

from __future__ import annotations

import numpy as np
import pytest

from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table
from probtrees.table.table_report import ColumnReport
from probtrees.ui.shared.finding_words import is_question
from tests.table.tiny_table import csv

SIZES = ("38", "40", "42", "S", "M", "44", "46")


def sizes(cells: tuple[str, ...] = SIZES) -> tuple[str, bytes]:
    rows = [f"{cells[n % len(cells)]},{n % 5},{'ab'[n % 2]}" for n in range(10 * len(cells))]
    return csv("size,x,y", *rows)


def read(said: ReadOptions) -> ColumnReport:
    given = {"roles": said.roles, "types": said.types, "missing_in": said.missing_in}
    return inspect_table(sizes(), **given).column("size")  # type: ignore[arg-type]


def pressed(button: int) -> ReadOptions:
    (found,) = read(ReadOptions()).findings
    fix = found.fixes[button]
    return ReadOptions().with_fix("size", fix.setting, fix.value)


def test_sizes_are_categories_and_asked_about() -> None:
    report = inspect_table(sizes())
    assert report.usable
    (found,) = report.column("size").findings
    assert is_question(found, report)
    assert "numbers in 71% of its cells, and 'S' and 'M' in the rest" in found.sentence
    assert report.column("size").type == "nominal"
    data = read_table(sizes())
    assert set(data.schema.columns[0].categories or ()) == set(SIZES)


@pytest.mark.parametrize(
    ("button", "kind", "role"),
    [(0, "numeric", "feature"), (1, "nominal", "feature"), (2, "nominal", "ignore")],
)
def test_every_answer_settles_it(button: int, kind: str, role: str) -> None:
    column = read(pressed(button))
    assert (column.type, column.role) == (kind, role)
    assert column.n_missing == (20 if button == 0 else 0)
    assert not [f for f in column.findings if f.kind.startswith("mixed")]


def test_the_rest_is_missing_in_later_tables_too() -> None:
    data = read_table(sizes(), missing_in=pressed(0).missing_in)
    later = read_table(csv("size,x", "S,1", "39,2"), schema=data.schema)
    np.testing.assert_array_equal(later.values[:, 0], [np.nan, 39.0])


def test_from_four_fifths_of_numbers_on_a_word_is_refused() -> None:
    report = inspect_table(sizes(("38", "40", "soon", "42", "44")))
    (found,) = (f for f in report.findings if f.severity == "error")
    assert "'size'='soon' in row 3 must be a number, since 80%" in found.sentence


def test_a_word_for_unknown_is_not_the_one_refused() -> None:
    cells = ("38", "unknown", "40", *map(str, range(50, 66)), "soon")
    report = inspect_table(sizes(cells))
    (found,) = (f for f in report.findings if f.severity == "error")
    assert "'size'='soon' in row 20" in found.sentence


def test_words_among_amounts_that_all_differ_are_set_aside_with_a_question() -> None:
    letters = "abcdefghij"
    cells = [
        f"{n / 7 + 3:.3f}" if n % 3 else f"order {letters[n // 10]}{letters[n % 10]}"
        for n in range(90)
    ]
    rows = [f"{cell},{n % 5},{'ab'[n % 2]}" for n, cell in enumerate(cells)]
    report = inspect_table(csv("c,x,y", *rows))
    assert report.usable
    (found,) = report.column("c").findings
    assert (found.kind, report.column("c").role) == ("mixed ignored", "ignore")
    assert is_question(found, report)


def test_grades_in_digits_and_roman_numerals_are_offered_to_be_joined():
    grades = ["1", "2", "3", "4", "2", "1", "I", "II", "III", "3"]
    lines = [f"{grades[i % 10]},{i % 9},{'ny'[i % 4 > 1]}" for i in range(200)]
    content = ("t.csv", "\n".join(["ASA,x,ill", *lines]).encode())
    (found,) = inspect_table(content).column("ASA").findings
    assert (found.kind, found.fixes[0].setting) == ("variants", "join")
    assert "seem to say the same" in found.sentence
    data = read_table(content, join_values=["ASA"])
    assert data.schema.columns[0].categories == ("1", "2", "3", "4")
    later = read_table(("n.csv", b"ASA,x,ill\nII,1,n\n2,1,n\n"), schema=data.schema)
    assert later.values[:, 0].tolist() == [1, 1]
    other = ("t.csv", content[1].replace(b"III,", b"S,").replace(b"II,", b"M,"))
    assert [f.kind for f in inspect_table(other).column("ASA").findings][:1] != ["variants"]
