"""Workbooks, files of statistics programs, JSON and Feather, all written by other libraries."""

import copy
import datetime as dt
import io
import json
import re
import zipfile

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather as arrow_feather
import pyreadstat
import pytest
import xlsxwriter
from probtrees.table.formats.format import Sheets
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.errors import DataError
from probtrees.machine import input_bytes
from probtrees.table.dataset import Schema
from probtrees.table.formats import excel
from probtrees.table.formats.open_table import sheets_of
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_rows, read_table
from tests.cli.command import run

ROWS = [
    ("age", "colour", "seen", "ill"),
    (41, "red", dt.datetime(2020, 1, 31), "no"),
    (52.5, "blue, dark", dt.datetime(2021, 2, 28), "yes"),
    (None, 'the "best"', None, "no"),
    (7, "red", dt.datetime(2022, 12, 1), "yes"),
]


def frame():
    return pd.DataFrame(ROWS[1:], columns=ROWS[0])


def workbook(sheets, **options):
    """Write a workbook: the rows of every sheet by name, put where ``at`` says."""
    content = io.BytesIO()
    book = xlsxwriter.Workbook(content, {"in_memory": True, **options})
    dates = book.add_format({"num_format": "yyyy-mm-dd"})
    for name, (rows, row, column) in sheets.items():
        sheet = book.add_worksheet(name)
        for down, cells in enumerate(rows):
            for right, cell in enumerate(cells):
                if isinstance(cell, dt.datetime):
                    sheet.write_datetime(row + down, column + right, cell, dates)
                elif cell is not None:
                    sheet.write(row + down, column + right, cell)
    book.close()
    return content.getvalue()


def ods(rows):
    """Write the rows with odfpy, as LibreOffice would."""
    content = io.BytesIO()
    pd.DataFrame(rows[1:], columns=rows[0]).to_excel(content, index=False, engine="odf")
    return content.getvalue()


def check_is_the_table(data):
    assert data.schema.classes == ("no", "yes")
    assert data.values[:, -1].tolist() == [0, 1, 0, 1]
    assert data.schema.names[0] == "age"
    np.testing.assert_array_equal(data.values[:, 0], [41, 52.5, np.nan, 7])
    colours = data.schema.features[1].categories
    assert colours == ("blue, dark", "red", 'the "best"')


@pytest.mark.parametrize("source", ["xlsx", "shifted", "ods"])
def test_a_sheet_is_read_like_the_table_it_holds(source):
    content = {
        "xlsx": lambda: workbook({"S": (ROWS, 0, 0)}),
        "shifted": lambda: workbook({"S": (ROWS, 5, 3)}),
        "ods": lambda: ods(ROWS),
    }[source]()
    data = read_table(("t." + source, content), types={"seen": "date"})
    check_is_the_table(data)
    days = data.values[:, [c.date_part == "days" for c in data.schema.columns]][:, 0]
    assert days[:2].tolist() == [18292.0, 18686.0]
    assert np.isnan(days[2])


def test_blank_rows_and_columns_around_a_table_do_not_count():
    rows = [*ROWS, (), (), (None, None, None, None, None)]
    content = workbook({"Cover": ([], 0, 0), "Data": (rows, 1, 1)})
    data = read_table(("t.xlsx", content))
    assert data.n_rows == 4
    note = "Sheet 'Data' is read, since it holds the table; the workbook also has 'Cover'."
    assert note in data.provenance.notes


def test_a_sheet_of_explanations_is_not_the_table():
    about = [("Created by", "Sales"), ("Status", "2024"), ("Contact", "Ms. B"), ("Version", 3)]
    rows = [("age", "income", "left")]
    rows += [(20 + n % 50, 1000.5 + n, "yes" if n % 3 else "no") for n in range(60)]
    key = [("Column", "Meaning", "Unit"), ("age", "age at entry", "years"), ("income", "", "EUR")]
    content = workbook({"Info": (about, 0, 0), "Customers": (rows, 0, 0), "Key": (key, 0, 0)})
    assert sheets_of(("t.xlsx", content)) == Sheets(("Info", "Customers", "Key"), "Customers")
    assert sheets_of(("t.xlsx", content), "Info") == Sheets(("Info", "Customers", "Key"), "Info")


def test_a_sheet_is_chosen_by_name_or_by_number():
    other = [("x", "y"), (1, "a"), (2, "b"), (3, "a")]
    content = workbook({"One": (ROWS, 0, 0), "2": (other, 0, 0), "Three": (ROWS, 0, 0)})
    assert read_table(("t.xlsx", content)).n_rows == 4
    assert read_table(("t.xlsx", content), sheet="2").schema.names == ("x", "y")
    assert read_table(("t.xlsx", content), sheet=3).n_rows == 4
    data = read_table(("t.xlsx", content), sheet="2")
    assert data.provenance.options == {"sheet": "2"}
    assert read_rows(("t.xlsx", content), data.schema, ReadOptions(sheet="2"))[0].n_rows == 3
    names, alike = ("One", "2", "Three"), ("One", "Three")
    assert sheets_of(("t.xlsx", content)) == Sheets(names, "One", alike)
    assert sheets_of(("t.xlsx", content), "3") == Sheets(names, "Three", alike)
    assert sheets_of(("t.csv", b"x,y")) is None
    with pytest.raises(DataError, match=r"sheet='Thre' must be a sheet of 't.xlsx'.*'Three'"):
        read_table(("t.xlsx", content), sheet="Thre")


def test_the_command_line_chooses_a_sheet(tmp_path, capsys):
    other = [("x", "y"), *((i % 7, "ab"[i % 7 > 3]) for i in range(60))]
    path = tmp_path / "t.xlsx"
    path.write_bytes(workbook({"One": (ROWS, 0, 0), "Two": (other, 0, 0)}))
    run(capsys, "grow", path, "--sheet", "Two", "--out", tmp_path / "m.json")
    printed = run(capsys, "predict", tmp_path / "m.json", path, "--sheet", "2")
    assert printed.splitlines()[0] == "a,b"
    assert len(printed.splitlines()) == 61


def test_numbers_and_truths_are_spelled_as_they_would_be_typed():
    rows = [("n", "t", "y"), (1e20, True, "a"), (0.1, False, "b")]
    data = inspect_table(("t.xlsx", workbook({"S": (rows, 0, 0)})))
    assert data.first_rows[0][:2] == ("1e+20", "True")
    assert data.first_rows[1][:2] == ("0.1", "False")


def test_formulas_that_failed_are_missing_and_said_to_be():
    content = io.BytesIO()
    book = xlsxwriter.Workbook(content, {"in_memory": True})
    sheet = book.add_worksheet()
    sheet.write_row(2, 1, ("bmi", "sure", "y"))
    for n in range(40):
        sheet.write_row(3 + n, 1, (20.5 + n % 9, n % 2 == 0, "ab"[n % 2]))
    for row, error in ((5, "#DIV/0!"), (9, "#DIV/0!"), (7, "#N/A")):
        sheet.write_formula(row, 1, "=1/0", None, error)
    book.close()
    report = inspect_table(("t.xlsx", content.getvalue()))
    bmi = report.column("bmi")
    assert (bmi.type, bmi.n_missing) == ("numeric", 3)
    (marks,) = (found for found in report.findings if found.kind == "marks")
    assert marks.sentence == (
        "Read as missing: '#DIV/0!' in 2 cells of 'bmi'; '#N/A' in 1 cell of 'bmi'."
    )
    assert report.first_rows[2][0] == "#DIV/0!"


def test_formulas_are_never_run_and_texts_that_look_like_them_are_texts():
    rows = [("x", "y"), *(("=1+1", "ab"[i % 2]) for i in range(4))]
    content = workbook({"S": (rows, 0, 0)}, strings_to_formulas=False)
    assert inspect_table(("t.xlsx", content)).first_rows[0] == ("=1+1", "a")


@pytest.mark.parametrize("name", ["t.xlsx", "t.xlsb", "t.ods"])
def test_a_damaged_workbook_gives_one_sentence(name):
    content = workbook({"S": (ROWS, 0, 0)})
    with pytest.raises(DataError, match="must be a complete Excel or OpenDocument workbook"):
        read_table((name, content[: len(content) // 2]))


def test_an_old_workbook_that_is_none_gives_one_sentence():
    with pytest.raises(DataError, match="must be a complete Excel or OpenDocument workbook"):
        read_table(("t.xls", bytes.fromhex("d0cf11e0a1b11ae1") + bytes(2000)))


def test_an_empty_workbook_says_so():
    with pytest.raises(DataError, match="its sheets are empty"):
        read_table(("t.xlsx", workbook({"S": ([], 0, 0)})))


def test_a_workbook_that_is_text_is_read_as_text():
    assert read_table(("t.xls", b"x\ty\n1\ta\n2\tb\n")).n_rows == 2


def test_a_workbook_made_to_burst_is_refused(monkeypatch):
    monkeypatch.setattr(input_bytes, "HARMLESS", 1 << 20)
    monkeypatch.setattr(excel, "HARMLESS", 1 << 20)
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/worksheets/sheet1.xml", b" " * (4 << 20))
    with pytest.raises(DataError, match="must not unpack to more than 200 times"):
        read_table(("t.xlsx", content.getvalue()))


def test_a_cell_far_outside_does_not_fill_the_memory():
    far = [("x", "y"), (1, "a"), (2, "b")]
    book = io.BytesIO()
    with xlsxwriter.Workbook(book, {"in_memory": True}) as written:
        sheet = written.add_worksheet()
        for row, cells in enumerate(far):
            sheet.write_row(row, 0, cells)
        sheet.write(1_048_575, 16_383, "far")
    with pytest.raises(DataError, match="must not take more memory"):
        read_table(("t.xlsx", book.getvalue()))


def labelled():
    found = frame().assign(colour=["red", "blue", "red", "red"], ill=[2.0, 1.0, 2.0, 1.0])
    found["seen"] = [None if pd.isna(day) else day.date() for day in found["seen"]]
    return found


@pytest.mark.parametrize("kind", ["dta", "sav", "zsav", "por", "xpt"])
def test_statistics_programs(kind, tmp_path):
    path = tmp_path / f"t.{kind}"
    write = getattr(pyreadstat, f"write_{'xport' if kind == 'xpt' else kind.replace('z', '')}")
    has_labels = kind in ("dta", "sav", "zsav")
    labels = {"ill": {1: "well", 2: "ill", 3: "never seen"}, "age": {7: "seven"}}
    extra = {"compress": True} if kind == "zsav" else {}
    if kind in ("dta", "sav", "zsav"):
        extra["variable_value_labels"] = labels
    write(labelled(), str(path), **extra)
    data = read_table(path)
    assert data.n_rows == 4
    np.testing.assert_array_equal(data.values[:, 0], [41, 52.5, np.nan, 7])
    classes = ("well", "ill") if has_labels else ("1", "2")
    assert data.schema.classes == classes
    assert data.values[:, -1].tolist() == [1, 0, 1, 0]
    assert any("Only some values" in note for note in data.provenance.notes) == has_labels
    assert any(column.date_part for column in data.schema.columns)


@pytest.mark.parametrize(
    ("name", "program"), [("t.sas7bdat", "SAS"), ("t.sav", "SPSS"), ("t.dta", "Stata")]
)
def test_a_damaged_file_of_a_statistics_program_gives_one_sentence(name, program):
    head = bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011")
    with pytest.raises(DataError, match=f"must be a complete {program} file"):
        read_table((name, (head if program == "SAS" else b"rubbish") + bytes(3000)))


RECORDS = [
    {"x": 1, "inner": {"a": True}, "y": "p"},
    {"x": 2.5, "y": "q", "later": [1, 2]},
    {"x": None, "inner": {"a": False}, "y": "p"},
]


@pytest.mark.parametrize(
    "layout", ["list", "lines", "columns", "pandas", "split", "rows", "wrapped"]
)
def test_json_however_it_is_laid_out(layout):
    flat = [{"x": r["x"], "y": r["y"]} for r in RECORDS]
    text = {
        "list": lambda: json.dumps(RECORDS),
        "lines": lambda: "\n".join(map(json.dumps, RECORDS)) + "\n\n",
        "columns": lambda: json.dumps({key: [r[key] for r in flat] for key in ("x", "y")}),
        "pandas": lambda: pd.DataFrame(flat).to_json(),
        "split": lambda: pd.DataFrame(flat).to_json(orient="split"),
        "rows": lambda: json.dumps([["x", "y"], *([r["x"], r["y"]] for r in flat)]),
        "wrapped": lambda: json.dumps({"data": RECORDS}),
    }[layout]()
    data = read_table(("t.json", text.encode()), "y", roles={"x": "feature"})
    assert data.schema.classes == ("p", "q")
    np.testing.assert_array_equal(data.values[:, 0], [1, 2.5, np.nan])
    names = {column.source_name for column in data.schema.columns}
    names |= set(data.provenance.roles)
    assert names >= ({"x", "inner.a", "y", "later"} if layout in ("list", "lines") else {"x", "y"})


@pytest.mark.parametrize(
    "text", ["[1, 2]", "[{]", "{}", "[" * 100_000, '{"a": 1}\n{"a"', '[{"a.b": 1, "a": {"b": 2}}]']
)
def test_json_without_records_gives_one_sentence(text):
    with pytest.raises(DataError, match="must be"):
        read_table(("t.json", text.encode()))


@pytest.mark.parametrize("compression", ["uncompressed", "lz4", "zstd"])
def test_feather(compression):
    content = io.BytesIO()
    arrow_feather.write_feather(pa.Table.from_pandas(frame()), content, compression=compression)
    check_is_the_table(read_table(("t.feather", content.getvalue())))
    with pytest.raises(DataError, match="must be a complete Feather file"):
        read_table(("t.feather", content.getvalue()[:300]))


def test_feather_that_lies_about_its_texts_is_refused():
    table = pa.table({"x": ["a", "b", "c"], "y": ["p", "q", "p"]})
    content = io.BytesIO()
    arrow_feather.write_feather(table, content, compression="uncompressed")
    honest = content.getvalue()
    offsets = np.array([0, 1, 2, 3], np.int32).tobytes()
    assert offsets in honest
    wrong = honest.replace(offsets, np.array([0, 1, 9_000_000, 3], np.int32).tobytes(), 1)
    with pytest.raises(DataError, match="must be a complete Feather file"):
        read_table(("t.feather", wrong))


def test_options_with_a_sheet_are_other_options():
    plain = ReadOptions()
    assert ReadOptions(sheet="a") != copy.copy(plain)
    assert ReadOptions(sheet="a").arguments["sheet"] == "a"
    assert "sheet" not in plain.arguments


@pytest.mark.parametrize("above", [0, 3])
def test_lines_are_counted_as_the_sheet_shows_them(above):
    rows = [("Report of the ward",), (), ("age", "dose", "ill")]
    rows += [(n, n * 1.5, "no" if n % 2 else "yes") for n in range(20)]
    rows += [(), (5, "soon", "no"), *((n, n + 0.5, "yes") for n in range(9))]
    content = workbook({"A": (rows, above, 1)})
    said = [
        str(finding)
        for finding in inspect_table(("b.xlsx", content), types={"dose": "numeric"}).findings
    ]
    assert f"taken from line {3 + above};" in said[0]
    assert any(f"in row 21 (line {25 + above} of the sheet)" in words for words in said)


def shown_otherwise():
    """Shares shown as percent, durations and clock times, set apart from the corner."""
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        sheet = book.add_worksheet("A & B")
        looks = [book.add_format({"num_format": look}) for look in ("0.0%", "[h]:mm:ss", "hh:mm")]
        sheet.write_row(2, 1, ["share", "took", "at", "part", "y"])
        for row, n in enumerate(range(24), start=3):
            sheet.write_number(row, 1, n / 40, looks[0])
            sheet.write_datetime(row, 2, dt.timedelta(minutes=30 * n), looks[1])
            sheet.write_datetime(row, 3, dt.time(n, 30), looks[2])
            sheet.write_number(row, 4, n / 40, looks[0] if n % 2 else None)
            sheet.write(row, 5, "no" if n < 12 else "yes")
    return "t.xlsx", file.getvalue()


def test_a_workbook_is_read_like_what_is_saved_from_it():
    data = read_table(shown_otherwise())
    units = [column.spelling.unit for column in data.schema.features]
    assert units == ["%", "h:mm", "h:mm", ""]
    assert data.values[10].tolist() == [25, 5, 10.5, 0.25, 0]
    lines = [f"{n / 40:.1%},{n // 2}:{n % 2 * 3}0:00,{n}:30,{n / 40}" for n in range(24)]
    saved = ("t.csv", "\n".join(["share,took,at,part", *lines]).encode())
    again = read_table(saved, schema=data.schema)
    np.testing.assert_allclose(again.values[:, :-1], data.values[:, :-1])


def test_percent_of_an_open_document_is_read_as_it_is_shown():
    rows = [("size", "share", "y"), *((n, 0.25 + n / 100, "yn"[n % 2]) for n in range(1, 25))]
    plain, shown = io.BytesIO(ods(rows)), io.BytesIO()
    with zipfile.ZipFile(plain) as old, zipfile.ZipFile(shown, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "content.xml":  # cells of the second column say that they are percent
                cell = rb'<table:table-cell[^>]*office:value="0\.[^>]*>'
                content = re.sub(cell, lambda m: m[0].replace(b'"float"', b'"percentage"'), content)
            new.writestr(name, content)
    data = read_table(("t.ods", shown.getvalue()))
    assert [column.spelling.unit for column in data.schema.features] == ["", "%"]
    np.testing.assert_allclose(data.values[:2, 1], [26, 27])


def test_a_model_of_bare_values_gets_them_again():
    lines = [f"{n / 40},{1800 * n},{'yes' if n > 11 else 'no'}" for n in range(24)]
    old = read_table(("t.csv", "\n".join(["share,took,y", *lines]).encode()))
    again = read_table(shown_otherwise(), schema=old.schema)
    np.testing.assert_allclose(again.values, old.values)


def test_shares_without_a_percent_sign_are_warned_of():
    data = read_table(shown_otherwise())
    bare = b"share,took,at,part\n0.887,1:00,2:00,1\n0.1,1:00,2:00,1\n"
    (note,) = read_table(("t.csv", bare), schema=data.schema).provenance.notes
    assert note.startswith("Column 'share': training wrote percent signs; here there are none")


def test_a_sheet_of_explanations_is_passed_over():
    about = [("This file holds",), ("what was measured",), ("in 2020",), ("ask", "us")]
    content = workbook({"ReadMe": (about, 0, 0), "Data": (ROWS, 0, 0)})
    assert sheets_of(("t.xlsx", content)).read == "Data"
    assert sheets_of(("t.xlsx", content), "ReadMe").read == "ReadMe"


@pytest.mark.parametrize("wrap", [lambda r: {"data": r}, lambda r: {"of": {"n": 2, "rows": r}}])
def test_records_inside_an_answer_of_a_server(wrap):
    records = [{"a": n, "y": "ny"[n % 2]} for n in range(8)]
    content = json.dumps({"status": "ok", "count": 8} | wrap(records)).encode()
    assert read_table(("t.json", content)).n_rows == 8


def test_labels_of_columns_are_kept(tmp_path):
    table = pd.DataFrame({"v1": [1.0, 2.0] * 6, "v2": np.arange(12.0) % 5, "y": [1.0, 2, 2] * 4})
    labels = {"v1": {1: "m", 2: "f"}, "y": {1: "yes", 2: "no"}}
    said = ["Sex of respondent", None, "y"]
    pyreadstat.write_sav(
        table, tmp_path / "t.sav", column_labels=said, variable_value_labels=labels
    )
    schema = read_table(tmp_path / "t.sav").schema
    assert [column.label for column in schema.columns] == ["Sex of respondent", "", ""]
    assert Schema.from_dict(schema.to_dict()) == schema
    report = inspect_table(tmp_path / "t.sav")
    assert report.column("v1").label == "Sex of respondent"


def merged_workbook(n_sheets=1):
    """Write wards in merged cells below a title and names in two lines, which are merged too."""
    content = io.BytesIO()
    book = xlsxwriter.Workbook(content, {"in_memory": True})
    for number in range(n_sheets):
        sheet = book.add_worksheet(f"Year {number}")
        sheet.merge_range(1, 1, 1, 4, "Falls\nof a year")
        sheet.write_row(3, 1, ["ward", "age", "", "ill"])
        sheet.merge_range(3, 3, 4, 3, "room")
        for row in range(5, 35):
            ill = "yes" if row % 3 else "no"
            sheet.write_row(row, 2, [20 + row, f"r{row % 4}", ill])
        for first, ward in ((5, "north"), (15, "south"), (25, "west")):
            sheet.merge_range(first, 1, first + 9, 1, ward)
        sheet.write_row(35, 1, ["Total", 1185])
    book.close()
    return "falls.xlsx", content.getvalue()


def test_merged_cells_are_filled_down_over_their_rows():
    report = inspect_table(merged_workbook())
    (found,) = (f for f in report.findings if f.kind == "merged")
    assert "27 cells" in found.sentence
    data = read_table(merged_workbook(), "ill")
    ward = data.schema.columns[data.schema.names.index("ward")]
    codes = data.values[:, data.schema.names.index("ward")]
    read = [ward.categories[int(code)] for code in codes if not np.isnan(code)]
    assert read == ["north"] * 10 + ["south"] * 10 + ["west"] * 10
    later = read_rows(merged_workbook(), data.schema)[0]
    assert not np.isnan(later.values[:, data.schema.names.index("ward")]).any()


def test_merged_cells_can_be_taken_as_written():
    data = read_table(merged_workbook(), "ill", as_written=["merged"])
    wards = data.values[:, data.schema.names.index("ward")]
    assert np.count_nonzero(~np.isnan(wards)) == 3


def test_merged_cells_of_all_sheets_are_filled_down():
    report = inspect_table(merged_workbook(2), sheet="all")
    (found,) = (f for f in report.findings if f.kind == "merged")
    assert "54 cells" in found.sentence
    assert report.column("ward").n_missing == 0


def test_merged_cells_of_an_open_document_are_filled_down():
    wards = {1: "north", 11: "south", 21: "west"}
    rows = [
        ("ward", "age", "ill"),
        *((wards.get(n, ""), 20 + n, "yes" if n % 3 else "no") for n in range(1, 31)),
    ]
    plain, merged = io.BytesIO(ods(rows)), io.BytesIO()
    with zipfile.ZipFile(plain) as old, zipfile.ZipFile(merged, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "content.xml":
                cell = rb"<table:table-cell([^>]*>(?:<text:p>)?(?:north|south|west)<)"
                spanned = rb'<table:table-cell table:number-rows-spanned="10"\1'
                content, n_merged = re.subn(cell, spanned, content)
                assert n_merged == 3
            new.writestr(name, content)
    report = inspect_table(("t.ods", merged.getvalue()))
    assert report.column("ward").n_missing == 0
    assert "27 cells" in next(f.sentence for f in report.findings if f.kind == "merged")
