"""Columns whose cells were merged before the table was saved as CSV."""

import numpy as np
import pytest
import xlsxwriter
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.infer.merged_columns import FILL_DOWN
from probtrees.table.infer.repeated_identifiers import REPEATED

from probtrees.table.dataset import Schema
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table, read_to_predict

WARDS = ("north", "south", "west", "east")


def table(first, n_rows=40):
    lines = [f"{first(n)},{20 + n % 31},{n % 5}.5,{'yn'[n % 3 > 0]}" for n in range(n_rows)]
    return ("t.csv", "\n".join(["ward,age,b,ill", *lines]).encode())


def merged(n):
    return WARDS[n // 10] if n % 10 == 0 else ""


def offers(source):
    return [f for f in inspect_table(source).findings if f.kind == FILL_DOWN]


def test_merged_cells_of_a_text_are_filled_down_by_a_click():
    source = table(merged)
    (found,) = offers(source)
    (fix,) = found.fixes
    reading = ReadOptions().with_fix(found.column, fix.setting, fix.value)
    data = read_table(source, **reading.arguments)
    ward = data.schema.columns[0]
    assert [ward.categories[int(code)] for code in data.values[:, 0]] == [
        w for w in WARDS for _ in range(10)
    ]
    assert Schema.from_dict(data.schema.to_dict()) == data.schema
    np.testing.assert_array_equal(read_to_predict(source, data.schema).values, data.values)
    report = inspect_table(source, **reading.arguments)
    assert not [f for f in report.findings if f.kind == FILL_DOWN]
    (back,) = next(f for f in report.findings if f.kind == "said").fixes
    assert reading.with_fix("ward", back.setting, back.value) == ReadOptions()


@pytest.mark.parametrize(
    "first",
    [
        lambda n: f"{2019 + n // 10}" if n % 10 == 0 else "",
        lambda n: WARDS[[0, 8, 19, 31].index(n)] if n in (0, 8, 19, 31) else "",
    ],
)
def test_years_and_blocks_of_other_lengths_are_offered_too(first):
    assert len(offers(table(first))) == 1


@pytest.mark.parametrize(
    "first",
    [
        lambda n: "X" if n % 4 == 0 else "",
        lambda n: WARDS[n % 4] if n % 2 == 0 or n % 5 == 0 else "",
        lambda n: WARDS[n % 4] if np.random.default_rng(n).random() < 0.2 or n == 0 else "",
        lambda n: "" if n == 0 else merged(n),
        lambda n: WARDS[n % 4],
    ],
)
def test_what_is_missing_otherwise_is_not_filled(first):
    assert not offers(table(first))


def herds(n):
    return f"Betrieb {n // 10 + 1:02}" if n % 10 == 0 else ""


def test_what_says_whose_rows_they_are_stays_aside_once_it_is_filled_down():
    source = table(herds, n_rows=120)
    assert inspect_table(source).column("ward").role == "ignore"
    filled = inspect_table(source, fill_down=["ward"]).column("ward")
    assert (filled.role, filled.n_missing) == ("ignore", 0)
    (found,) = filled.findings
    assert found.kind == REPEATED
    assert "(12 in 120 rows) and is ignored" in found.sentence
    for fix, role in zip(found.fixes, ("group", "feature"), strict=True):
        said = ReadOptions(fill_down=("ward",)).with_fix("ward", fix.setting, fix.value)
        assert inspect_table(source, **said.arguments).column("ward").role == role


def test_blocks_of_several_sheets_say_whose_rows_they_are(tmp_path):
    path = tmp_path / "t.xlsx"
    with xlsxwriter.Workbook(path) as book:
        for month in ("May", "June"):
            sheet = book.add_worksheet(month)
            sheet.write_row(0, 0, ["herd", "age", "ill"])
            for n in range(120):
                sheet.write_row(n + 1, 0, [herds(n), 20 + n % 31, "yn"[n % 3 > 0]])
    report = inspect_table(path, sheet="all", fill_down=["herd"])
    assert (report.n_rows, report.column("herd").role) == (240, "ignore")
