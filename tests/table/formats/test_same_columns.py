"""Sheets and files of the same columns are read as one table, if somebody wants it."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest
import xlsxwriter
from odf.opendocument import OpenDocumentSpreadsheet
from odf.table import Table, TableCell, TableRow
from odf.text import P
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.ui.shared.finding_words import decided

from probtrees.cli import main
from probtrees.errors import DataError
from probtrees.table.formats.open_table import sheet_as_learnt, sheets_of
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table
from probtrees.table.table_report import UnreadableTableError

NAMES = ("age", "colour", "ill")
Sheets = dict[str, list[tuple[object, ...]]]


def months() -> Sheets:
    """Three sheets of the same columns, with a title or totals, and one of explanations."""
    rows = [(n + 20, ("red", "blue")[n % 2], ("no", "yes")[n % 3 % 2]) for n in range(30)]
    return {
        "January": [NAMES, *rows[:10], ("Total", 245, "")],
        "February": [("Report of February",), (), NAMES, *rows[10:22]],
        "March": [NAMES, *rows[22:]],
        "Key": [("colour", "meaning"), ("red", "warm"), ("blue", "cold")],
    }


def as_xlsx(sheets: Sheets) -> tuple[str, bytes]:
    content = io.BytesIO()
    book = xlsxwriter.Workbook(content, {"in_memory": True})
    for name, rows in sheets.items():
        sheet = book.add_worksheet(name)
        for number, row in enumerate(rows):
            sheet.write_row(number, 0, row)
    book.close()
    return "months.xlsx", content.getvalue()


def as_ods(sheets: Sheets) -> tuple[str, bytes]:
    book = OpenDocumentSpreadsheet()
    for name, rows in sheets.items():
        table = Table(name=name)
        for row in rows:
            line = TableRow()
            for cell in row:
                is_text = isinstance(cell, str)
                said = {} if is_text else {"value": str(cell)}
                found = TableCell(valuetype="string" if is_text else "float", **said)
                found.addElement(P(text=str(cell)))
                line.addElement(found)
            table.addElement(line)
        book.spreadsheet.addElement(table)
    content = io.BytesIO()
    book.write(content)
    return "months.ods", content.getvalue()


def as_zip(sheets: Sheets, encoding: str = "utf-8") -> tuple[str, bytes]:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, rows in sheets.items():
            text = "".join(";".join(map(str, row)) + "\n" for row in rows)
            archive.writestr(f"{name}.csv", text.encode(encoding))
    return "months.zip", content.getvalue()


@pytest.mark.parametrize("write", [as_xlsx, as_ods])
def test_sheets_of_the_same_columns_are_offered_and_joined(write) -> None:
    book = write(months())
    offer = next(found for found in inspect_table(book).findings if found.kind == "sheets")
    assert "'January', 'February', 'March' have the same columns" in offer.sentence
    fix = offer.fixes[0]
    said = ReadOptions().with_fix(None, fix.setting, fix.value)
    report = inspect_table(book, **said.arguments)
    assert report.n_rows == 30
    assert [(c.name, c.role) for c in report.columns][:2] == [
        ("sheet", "ignore"),
        ("age", "feature"),
    ]
    joined = next(found for found in report.findings if found.kind == "sheets")
    assert "'Key' left out" in joined.sentence
    back = joined.fixes[0]
    assert said.with_fix(None, back.setting, back.value) == ReadOptions()
    data = read_table(book, sheet="all")
    assert data.schema.names == NAMES
    assert data.values[:, 0].tolist() == [float(n + 20) for n in range(30)]
    wanted = read_table(book, sheet="all", roles={"sheet": "feature"})
    assert wanted.schema.columns[0].categories == ("February", "January", "March")
    assert read_table(book, sheet="all", schema=data.schema).n_rows == 30


def test_files_of_an_archive_are_joined_whatever_their_encoding() -> None:
    sheets = months()
    sheets["March"][1] = (42, "żółty", "no")
    del sheets["February"]
    archive = as_zip(sheets, "cp1250")
    offer = next(found for found in inspect_table(archive).findings if found.kind == "sheets")
    assert "'January.csv', 'March.csv' have the same columns" in offer.sentence
    data = read_table(archive, sheet="all")
    assert data.n_rows == 18
    assert "żółty" in (data.schema.columns[1].categories or ())
    found = sheets_of(archive, "all")
    assert found is not None
    assert (found.read, found.alike) == ("all", ("January.csv", "March.csv"))


def test_sheets_of_different_columns_are_not_joined() -> None:
    sheets = months()
    del sheets["February"], sheets["March"]
    book = as_xlsx(sheets)
    assert not [found for found in inspect_table(book).findings if found.kind == "sheets"]
    with pytest.raises(DataError, match="must be of sheets or files with the same columns"):
        read_table(book, sheet="all")


def wards() -> Sheets:
    """Two sheets with a title, a line of groups above the names, subtotals and a total."""
    names = ("floor", "ward", "age", "falls", "fell")
    years: Sheets = {}
    for year, n in (("2023", 12), ("2024", 16)):
        rows = [
            (f"floor {n % 4}", "AB"[n % 2], n + 20, n % 3, ("no", "yes")[n % 3 % 2])
            for n in range(n)
        ]
        above = [(f"Falls of {year}",), (), ("Patient", "", "", "Findings", "")]
        total = ("Total", "", "", n, "")
        years[year] = [*above, names, *rows[:6], ("Subtotal", "", "", 6, ""), *rows[6:], total]
    return years


def test_sheets_are_joined_wherever_each_alone_can_be_read() -> None:
    book = as_xlsx(wards())
    alone = [read_table(book, sheet=year) for year in ("2023", "2024")]
    assert [data.n_rows for data in alone] == [12, 16]
    assert any(found.kind == "sheets" for found in inspect_table(book).findings)
    data = read_table(book, sheet="all")
    assert data.schema == alone[0].schema
    assert data.values.tolist() == [*alone[0].values.tolist(), *alone[1].values.tolist()]
    said = {found.kind: found.sentence for found in inspect_table(book, sheet="all").findings}
    assert said["header lines"].startswith("In 2 of 2 sheets: the line above the names")
    assert "are taken from line 4; what stands above them ('Falls of 2023')" in said["title"]
    both = read_table(book, sheet="all", header_lines=2)
    assert "Findings falls" in both.schema.names
    kept = read_table(book, sheet="all", as_written=("totals",))
    assert kept.n_rows == 28  # the totals have no class
    assert kept.provenance.rows_read == 32


def test_columns_under_the_same_groups_are_not_offered_as_one_table() -> None:
    sheets = wards()
    sheets["2024"][3] = ("floor", "doctor", "years", "visits", "came")
    assert not [
        found for found in inspect_table(as_xlsx(sheets)).findings if found.kind == "sheets"
    ]


def test_a_row_that_is_too_long_is_named_with_its_sheet_and_a_way_back() -> None:
    sheets = wards()
    sheets["2024"].insert(6, (*sheets["2024"][6], "see 3"))
    with pytest.raises(UnreadableTableError, match="row 3 of the sheet '2024'") as caught:
        read_table(as_xlsx(sheets), sheet="all")
    assert str(caught.value).endswith("One of the sheets alone can be read by its name.")
    fix = caught.value.findings[0].fixes[0]
    assert ReadOptions(sheet="all").with_fix(None, fix.setting, fix.value) == ReadOptions()


def test_columns_in_another_order_and_spelling_are_put_in_place():
    rows = [(n + 20, 3.5 + n, "no" if n % 3 else "yes") for n in range(12)]
    turned = [(weight, age, ill) for age, weight, ill in rows]
    content = as_xlsx(
        {
            "2022": [("age", "Weight_kg", "ill"), *rows],
            "2023": [("Weight (kg)", "Age", "ill"), *turned],
        }
    )
    (offer,) = (found for found in inspect_table(content).findings if found.kind == "sheets")
    assert offer.fixes[0].label == "Read all 2 as one table"
    data = read_table(content, sheet="all", target="ill")
    assert data.schema.names == ("age", "Weight_kg", "ill")
    np.testing.assert_array_equal(data.values[:12], data.values[12:])


def test_columns_that_could_be_mixed_up_are_not_put_in_another_order():
    rows = [(n, n + 50, "no" if n % 3 else "yes") for n in range(12)]
    content = as_xlsx(
        {"one": [("a-1", "a_1", "ill"), *rows], "two": [("a_1", "a-1", "ill"), *rows]}
    )
    with pytest.raises(UnreadableTableError, match="with the same columns"):
        read_table(content, sheet="all", target="ill")


def years(renamed: str) -> Sheets:
    """Two sheets of which the second calls one of its columns otherwise."""
    rows = [(f"s{n % 3}", n + 20, n % 7, ("no", "yes")[n % 3 % 2]) for n in range(30)]
    names = ("School", "age", "marks", "passed")
    return {"2022": [names, *rows[:14]], "2023": [(renamed, *names[1:]), *rows[14:]]}


def test_a_sheet_with_more_words_in_one_name_is_read_with_the_others():
    source = as_xlsx(years("School name"))
    (offer,) = (f for f in inspect_table(source).findings if f.kind == "sheets")
    assert "but for 'School name' in '2023' for 'School'" in offer.sentence
    assert [(fix.setting, fix.value) for fix in offer.fixes] == [("sheet", "all")]
    assert sheets_of(source).alike == ("2022", "2023")
    report = inspect_table(source, sheet="all")
    assert report.n_rows == 30
    assert report.column("School").missing_share == 0
    said = [f.sentence for f in report.findings if f.kind == "sheets"]
    assert "Column 'School name' of the sheet '2023' is read as 'School'." in said


@pytest.mark.parametrize("renamed", ["Teacher", "School (2)"])
def test_a_sheet_with_another_name_is_said_to_be_left_out(renamed):
    source = as_xlsx(years(renamed))
    told = [f for f in inspect_table(source).findings if f.kind == "sheets"]
    (fix,) = told[0].fixes
    assert fix.label == f"Read both, {renamed!r} as 'School'"
    both = inspect_table(source, sheet=str(fix.value))
    assert both.n_rows == 30
    assert both.column("School").missing_share == 0
    said = [f.sentence for f in both.findings if f.kind == "sheets"]
    assert f"Column {renamed!r} of the sheet '2023' is read as 'School'." in said
    assert (
        f"The sheet '2023' has a column {renamed!r} where '2022' has 'School'" in told[0].sentence
    )
    with pytest.raises(DataError, match="same columns"):
        inspect_table(source, sheet="all")


def test_the_sheet_that_differs_from_all_others_is_neither_read_nor_told_many_times():
    rows = [(f"s{n % 3}", n + 20, n % 7, ("no", "yes")[n % 3 % 2]) for n in range(60)]
    names, other = ("School", "age", "marks", "passed"), ("School", "age", "marks /6", "passed")
    sheets = {f"m{n}": [names, *rows] for n in range(5)} | {"odd": [other, *rows, *rows[:9]]}
    overview = {"overview": [("month", "rows"), ("m0", 60), ("m1", 60)]}
    (offer,) = (f for f in inspect_table(as_xlsx(overview | sheets)).findings if f.kind == "sheets")
    assert "only 'm0' is read. To be left out: 'overview' (other columns), 'odd'" in offer.sentence
    first = {"odd": sheets.pop("odd")} | sheets
    (offer,) = (f for f in inspect_table(as_xlsx(first)).findings if f.kind == "sheets")
    assert offer.sentence.startswith(
        "The sheets 'm0', 'm1', 'm2', 'm3', 'm4' have a column 'marks'"
    )
    assert [fix.label for fix in offer.fixes] == ["Read all 6, 'marks' as 'marks /6'"]


def test_sheets_that_differ_in_two_names_are_not_mentioned():
    sheets = years("Teacher")
    sheets["2023"][0] = ("Teacher", "years", "marks", "passed")
    assert not [f for f in inspect_table(as_xlsx(sheets)).findings if f.kind == "sheets"]


def test_a_sheet_that_differs_in_one_name_is_named_in_the_question_and_above_the_tree() -> None:
    names = ("pupil", "year", "Mark", "passed")
    rows = [(f"p{n}", n % 3 + 7, n * 7 % 60, ("no", "yes")[n % 3 % 2]) for n in range(12)]
    book = as_xlsx(
        {
            "North": [names, *rows],
            "South": [names, *rows],
            "Harbour": [("pupil", "year", "Mark /100", "passed"), *rows],
            "Key": [("code", "meaning"), (1, "yes"), (2, "no")],
        }
    )
    left = "left out: 'Harbour' ('Mark /100' instead of 'Mark'), 'Key' (other columns)"
    asked = [found for found in inspect_table(book).findings if found.kind == "sheets"]
    assert len(asked) == 1
    assert "'North', 'South' have the same columns" in asked[0].sentence
    assert left in asked[0].sentence
    labels = ["Read all 2 as one table", "Read all 3, 'Mark /100' as 'Mark'"]
    assert [fix.label for fix in asked[0].fixes] == labels
    report = inspect_table(book, sheet="all")
    (told,) = (found for found in report.findings if found.kind == "sheets left out")
    assert told.severity == "warning"
    assert [fix.label for fix in told.fixes] == ["Read them too, 'Mark /100' as 'Mark'"]
    assert f"sheets {left}" in decided(report)
    assert not any(words.startswith("sheet left out") for words in decided(report))


def test_the_names_of_most_sheets_are_those_of_nearly_all_and_the_command_line_has_them(
    tmp_path, capsys
) -> None:
    names = ("pupil", "year", "Mark", "passed")
    rows = [(f"p{n}", n % 3 + 7, n * 7 % 60, ("no", "yes")[n % 3 % 2]) for n in range(12)]
    path = tmp_path / "marks.xlsx"
    name, content = as_xlsx(
        {
            "Harbour": [("pupil", "year", "Mark /100", "passed"), *rows],
            "North": [names, *rows],
            "South": [names, *rows],
            "Key": [("code", "meaning"), (1, "yes"), (2, "no")],
        }
    )
    report = inspect_table((name, content), sheet="nearly-all")
    assert report.n_rows == 36
    assert "Mark" in [column.name for column in report.columns]
    assert sheets_of((name, content), "nearly-all").read == "all"
    (told,) = (found for found in report.findings if found.kind == "sheets left out")
    assert (told.severity, told.fixes) == ("note", ())
    path.write_bytes(content)
    assert main(["grow", str(path), "--sheet", "nearly-all", "--role", "pupil=ignore"]) == 0
    assert "36" in capsys.readouterr().out


def test_dates_of_several_spellings_and_days_of_excel_are_one_date_column() -> None:
    spelled = {
        "DE": [f"2024-0{n}-01" for n in range(1, 7)],
        "FR": [45292, 45323, 45352, 45383, 45413, 45444],
        "PL": [f"2024-0{n}" for n in range(1, 7)],
    }
    sheets: Sheets = {
        name: [
            ("Month", "x", "c", "ill"),
            *((cells[n % 6], n % 7, "pq"[n % 2], ("no", "yes")[n % 3 % 2]) for n in range(30)),
        ]
        for name, cells in spelled.items()
    }
    months_read = inspect_table(as_xlsx(sheets), sheet="all").column("Month")
    assert months_read.type == "date"
    assert "in 30 rows as days counted by Excel (45292)" in months_read.findings[0].sentence
    data = read_table(as_xlsx(sheets), sheet="all", roles={"Month": "feature"})
    place = [column.source_name for column in data.schema.columns].index("Month")
    days = data.values[:, place].reshape(3, 30)
    np.testing.assert_array_equal(days[1], days[0])
    np.testing.assert_array_equal(days[2], days[0])


def test_the_line_above_the_tree_says_what_was_read_as_one() -> None:
    book = as_xlsx(
        {"A": [("x", "y"), (1, "ja"), (2, "no")], "B": [("x", "y"), (3, "Ja"), (4, "no")]}
    )
    said = decided(inspect_table(book, sheet="all", join_values=["y"]))
    assert "sheets 'A', 'B' read as one table" in said
    assert "values of y joined over spelling" in said
    assert not any("read as one" in words for words in decided(inspect_table(book)))


def test_a_model_of_several_sheets_reads_several_of_a_new_file(tmp_path, capsys) -> None:
    for name, content in (("old.xlsx", as_xlsx(months())[1]), ("new.xlsx", as_xlsx(months())[1])):
        (tmp_path / name).write_bytes(content)
    model, new = str(tmp_path / "m.json"), str(tmp_path / "new.xlsx")
    assert main(["grow", str(tmp_path / "old.xlsx"), "--sheet", "all", "--out", model]) == 0
    capsys.readouterr()
    assert main(["predict", model, new]) == 0
    answer = capsys.readouterr()
    n_rows = 30
    assert len(answer.out.splitlines()) == n_rows + 1
    assert "are read as one table" in answer.err
    assert main(["predict", model, new, "--sheet", "1"]) == 0
    assert len(capsys.readouterr().out.splitlines()) < n_rows + 1
    one = as_xlsx({"only": next(iter(months().values()))})
    (tmp_path / "one.xlsx").write_bytes(one[1])
    assert main(["predict", model, str(tmp_path / "one.xlsx")]) == 0
    assert sheet_as_learnt(new, "2") is None
