"""Dates with something else among them, and ranges that became dates."""

import json

import numpy as np
import pytest
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.table.column_profile import profile_table
from probtrees.table.dataset import Schema
from probtrees.table.read_options import SEVERAL
from probtrees.table.read_table import find_unmatched, read_table

DAYS = np.datetime64("2006-01-01") + np.arange(120) * 3
EPOCH = np.datetime64("1899-12-30")


def table(cells: list[str]) -> tuple[str, bytes]:
    lines = [f"{cell},{'ab'[n % 3 > 0]}" for n, cell in enumerate(cells)]
    return "t.csv", "\n".join(["seen,y", *lines]).encode()


def counted(every: int, later: int = 0) -> tuple[str, bytes]:
    """Write every so many dates as the day that Excel counts, so many days later."""
    days = enumerate(DAYS)
    return table([str(d if n % every else (d - EPOCH).astype(int) + later) for n, d in days])


@pytest.mark.parametrize("every", [2, 10])
def test_days_of_excel_among_dates_are_offered_to_be_read_as_dates(every):
    (asked,) = inspect_table(counted(every, later=2000)).column("seen").findings
    fix = asked.fixes[0]
    assert (fix.label, fix.setting, fix.value) == ("Read them as Excel dates", "type", "date")
    source = counted(every)
    report = inspect_table(source, types={"seen": "date"})
    assert report.usable
    assert report.column("seen").type == "date"
    assert "as days counted by Excel" in report.column("seen").findings[0].sentence
    data = read_table(source, types={"seen": "date"})
    plain = read_table(table([str(day) for day in DAYS]), schema=data.schema)
    np.testing.assert_array_equal(data.values, plain.values)
    again = read_table(source, schema=data.schema)
    np.testing.assert_array_equal(data.values, again.values)


@pytest.mark.parametrize("every", [2, 10])
def test_days_of_excel_that_are_about_as_late_as_the_dates_beside_them_are_dates(every):
    column = inspect_table(counted(every)).column("seen")
    assert column.type == "date"
    told = column.findings[0]
    assert f"in {120 // every} rows as days counted by Excel" in told.sentence
    assert (told.fixes[0].label, told.fixes[0].value) == ("Treat as categories", "nominal")
    kept = inspect_table(counted(every), types={"seen": "nominal"}).column("seen")
    assert kept.type == "nominal"


def test_other_texts_among_dates_are_asked_about():
    source = table([str(d) if n % 3 else f"{n % 50 + 250} DOY" for n, d in enumerate(DAYS)])
    report = inspect_table(source)
    (asked,) = (f for f in report.column("seen").findings if "holds dates in" in f.sentence)
    assert asked.severity == "warning"
    assert "67% of its cells, and '250 DOY'" in asked.sentence
    read, keep, _ = asked.fixes
    assert read.label == "Read as dates, the rest missing"
    settled = inspect_table(source, missing_in={"seen": str(read.value).split(SEVERAL)})
    assert settled.column("seen").type == "date"
    kept = inspect_table(source, types={"seen": str(keep.value)})
    assert not [f for f in kept.column("seen").findings if "holds dates" in f.sentence]


def test_numbers_that_are_no_days_are_not_offered_as_such():
    source = table([str(d) if n % 3 else str(n) for n, d in enumerate(DAYS)])
    labels = [fix.label for f in inspect_table(source).column("seen").findings for fix in f.fixes]
    assert "Read them as Excel dates" not in labels


def test_ranges_that_became_dates_are_asked_about_and_read_as_ranges():
    cells = ["0-2 %", "02-May", "5-10 %", ">10 %"] * 30
    (asked,) = inspect_table(table(cells)).column("seen").findings
    assert asked.severity == "warning"
    assert "'02-May' in 30 rows, among ranges such as '0-2 %'" in asked.sentence
    assert "'02-May' was 2-5 %" in asked.sentence
    (fix,) = asked.fixes
    assert (fix.label, fix.setting, fix.value) == ("Read '02-May' as '2-5 %'", "join", "seen")
    settled = inspect_table(table(cells), join_values=["seen"])
    assert not settled.column("seen").findings
    (said,) = (f for f in settled.findings if f.kind == "said")
    assert said.sentence.endswith("ranges in place of dates, '02-May' as '2-5 %'.")


def test_a_model_reads_ranges_and_the_dates_made_of_them_alike():
    cells = ["0-5", "06-Aug", "12-Oct", "6-8", "13-20"] * 30
    data = read_table(table(cells), join_values=["seen"])
    column = data.schema.features[0]
    assert column.categories == ("0-5", "6-8", "10-12", "13-20")
    later = table(["06-Aug", "6-8", "10-12", "12-Oct"])
    schema = Schema.from_dict(json.loads(json.dumps(data.schema.to_dict())))
    assert read_table(later, schema=schema).values[:, 0].tolist() == [1, 1, 2, 2]


def test_a_workbook_holds_whole_dates_where_ranges_were_typed():
    cells = ["0-5", "2024-08-06", "2024-12-10", "13-20"] * 30
    data = read_table(table(cells), join_values=["seen"])
    assert data.schema.features[0].categories == ("0-5", "6-8", "10-12", "13-20")


def test_one_range_that_is_left_among_dates_tells_what_these_were():
    cells = ["2024-03-01", "2024-06-04", "2024-09-07", "2024-12-10", "13-20"] * 30
    (asked,) = inspect_table(table(cells)).column("seen").findings
    assert asked.kind == "ranges as dates"
    data = read_table(table(cells), join_values=["seen"])
    assert data.schema.features[0].categories == ("1-3", "4-6", "7-9", "10-12", "13-20")


def test_ranges_in_turn_are_asked_about_where_all_became_dates():
    cells = ["01-Mar", "04-Jun", "07-Sep", "10-Dec"] * 30
    (asked,) = inspect_table(table(cells)).column("seen").findings
    assert "which would be ranges in turn" in asked.sentence
    kept = inspect_table(table(["01-Mar", "02-Jun", "11-Sep"] * 30)).column("seen").findings
    assert not [f for f in kept if f.kind == "ranges as dates"]


def test_a_range_among_many_dates_makes_them_no_ranges():
    cells = [str(day) for day in DAYS] * 2
    cells[7] = "5-10"
    findings = inspect_table(table(cells)).column("seen").findings
    assert not [f for f in findings if f.kind == "ranges as dates"]


def test_ranges_are_matched_with_the_dates_that_a_model_knows():
    data = read_table(table(["0-5", "06-Aug", "10-Dec", "13-20"] * 30))
    new = table(["0-5", "6-8", "10-12", "13-20"] * 10)
    (unknown,) = find_unmatched(new, data.schema, None, profile_table(data))
    assert unknown.guess == {"6-8": "06-Aug", "10-12": "10-Dec"}


@pytest.mark.parametrize("cells", [["02-May", "03-May", "other"], ["1-3", "4-6", "none"]])
def test_ranges_and_days_alone_are_not_told(cells):
    findings = inspect_table(table(cells * 40)).column("seen").findings
    assert not [f for f in findings if f.kind == "ranges as dates"]
