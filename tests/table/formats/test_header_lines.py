"""Names of columns in two lines: offered, joined when asked, wherever a table is read."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
import xlsxwriter
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.errors import DataError, OptionError
from probtrees.scale.passes.open_chunks import open_chunks
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_rows, read_table, read_written
from probtrees.table.table_report import UnreadableTableError

ROWS = "".join(
    f"{20 + n % 50},{130 + n % 9},{3 + n % 3}.5,{'yes' if n % 3 else 'no'}\n" for n in range(40)
)
JOINED = ("Patient age", "Blood Na", "Blood K", "Outcome ill")
TWO_LINES = {
    "merged, few groups": ("Patient,Blood,,\nage,Na,K,ill\n", (*JOINED[:3], "Blood ill")),
    "merged": ("Patient,Blood,,Outcome\nage,Na,K,ill\n", JOINED),
    "repeated": ("Patient,Blood,Blood,Outcome\nage,Na,K,ill\n", JOINED),
    "below a title": ("Ward 7\n\nPatient,Blood,Blood,Outcome\nage,Na,K,ill\n", JOINED),
    "merged over two lines": (
        "age,Blood,,ill\n,Na,K,\n",
        ("age", "Blood Na", "Blood K", "ill"),
    ),
}


def source(above: str, rows: str = ROWS) -> tuple[str, bytes]:
    return "t.csv", (above + rows).encode()


QUESTIONS = 'How old?,Sodium?,Potassium?,Ill?\n"{""ImportId"":""a""}",' + ",".join(
    ['"{""ImportId"":""b""}"'] * 3
)
DESCRIBED = {
    "units": ("years,mmol/l,[µS/cm],", 2),
    "units below a title": ("years,mmol/l,[µS/cm],", 2),
    "questions of a survey": (QUESTIONS, 0),
}


@pytest.mark.parametrize("case", DESCRIBED)
def test_lines_that_describe_columns_are_no_rows(case: str, tmp_path: Path) -> None:
    lines, joins = DESCRIBED[case]
    title = "Ward 7\n\n" if "title" in case else ""
    given = source(f"{title}age,Na,K,ill\n{lines}\n")
    found = inspect_table(given)
    said = next(finding for finding in found.findings if "below the names" in str(finding))
    kept, *join = [(fix.setting, fix.value) for fix in said.fixes]
    assert (found.usable, found.n_rows, kept) == (True, 40, ("as_written", "title"))
    assert join == ([("header_lines", joins)] if joins else [])
    data = read_table(given)
    assert (data.schema.names, data.n_rows) == (("age", "Na", "K", "ill"), 40)
    path = tmp_path / given[0]
    path.write_bytes(given[1])
    assert sum(chunk.n_rows for chunk in open_chunks(path).chunks()) == 40
    if joins:
        joined = read_table(given, header_lines=2).schema.names
        assert joined == ("age years", "Na mmol/l", "K [µS/cm]", "ill")
    if not title:
        written = inspect_table(given, as_written=["title"])
        assert written.n_rows == 40 + len(lines.splitlines())


@pytest.mark.parametrize(
    "line",
    ["m,mg,s,", "m,,,", "12,mmol/l,mmol/l,", "tall,mmol/l,mmol/l,"],
    ids=["values further below", "one unit", "a number", "a word"],
)
def test_a_row_of_short_words_stays_a_row(line: str) -> None:
    rows = "".join(f"{'m' if n % 2 else 'w'},{n % 9},{n % 5},{n % 3 > 0}\n" for n in range(40))
    found = inspect_table(source(f"sex,a,b,c\n{line}\n", rows))
    assert not any("below the names" in str(finding) for finding in found.findings)


@pytest.mark.parametrize("case", TWO_LINES)
def test_two_lines_are_offered_and_joined(case: str) -> None:
    above, names = TWO_LINES[case]
    try:
        found = inspect_table(source(above)).findings
    except UnreadableTableError as problem:
        found = problem.findings
    (offer,) = (finding for finding in found if finding.kind == "header lines")
    assert [(fix.setting, fix.value) for fix in offer.fixes] == [("header_lines", 2)]
    data = read_table(source(above), header_lines=2)
    assert data.schema.names == names
    assert data.n_rows == 40
    assert data.provenance.options["header_lines"] == 2
    again, _ = read_rows(source(above), data.schema, ReadOptions(header_lines=2))
    written = read_written(source(above), ReadOptions(header_lines=2))
    assert tuple(written.columns) == names
    assert again.n_rows == written.n_rows == 40


@pytest.mark.parametrize(
    "above",
    [
        "age,Na,K,ill\n",
        "Ward 7,,,\nage,Na,K,ill\n",
        "age,Na,K,ill\nTBD,131,4.5,yes\n",
        "age,Na,K,ill\nunknown,unknown,unknown,yes\n",
        "age,Na,K,ill\n-,-,-,no\n",
    ],
)
def test_a_first_row_is_no_second_line(above: str) -> None:
    assert not [f for f in inspect_table(source(above)).findings if f.kind == "header lines"]


def test_groups_above_complete_names_are_left_out_unless_they_are_joined() -> None:
    above = "Ward 7,,,\n\n,Blood,,\nage,Na,K,ill\n"
    report = inspect_table(source(above))
    assert [column.name for column in report.columns] == ["age", "Na", "K", "ill"]
    assert report.n_rows == 40
    (offer,) = (found for found in report.findings if found.kind == "header lines")
    assert offer.severity == "note"
    assert "'Blood Na'" in offer.remedy
    joined = read_table(source(above), header_lines=2).schema.names
    assert joined == ("age", "Blood Na", "Blood K", "Blood ill")


def test_a_table_to_predict_can_be_given_how_to_be_read() -> None:
    above, _ = TWO_LINES["merged, few groups"]
    schema = read_table(source(above), header_lines=2).schema
    with pytest.raises(
        DataError, match=r"'t.csv' has no column in common.*'Patient age'.*header_lines=2"
    ):
        read_table(source(above), schema=schema)


@pytest.mark.parametrize("lines", [-1, 4, "2", True])
def test_a_wrong_number_is_refused(lines: int) -> None:
    with pytest.raises(OptionError, match=r"header_lines=.* must be a whole number, from 0 to 3"):
        ReadOptions(header_lines=lines)


def test_chunks_join_them_too(tmp_path: Path) -> None:
    above, names = TWO_LINES["below a title"]
    path = tmp_path / "t.csv"
    path.write_text(above + ROWS)
    table = open_chunks(path, header_lines=2)
    assert table.schema.names == names
    assert table.n_rows == sum(chunk.n_rows for chunk in table.chunks()) == 40
    assert any("'Ward 7'" in note for note in table.provenance.notes)
    path.write_text(TWO_LINES["merged, few groups"][0] + ROWS)
    assert any("header lines to 2" in note for note in open_chunks(path).provenance.notes)


def test_columns_without_names_are_numbered_if_one_says_so() -> None:
    rows = "\n".join(f"{n}.5,{'mf'[n % 2]},{'yes' if n % 3 else 'no'}" for n in range(12))
    source = ("t.csv", rows.encode())
    with pytest.raises(UnreadableTableError, match="try header_lines=0") as problem:
        read_table(source)
    assert [fix.value for found in problem.value.findings for fix in found.fixes] == [0]
    data = read_table(source, header_lines=0)
    assert data.schema.names == ("column 1", "column 2", "column 3")
    assert data.values[0].tolist() == [0.5, 1, 0]
    assert data.provenance.options["header_lines"] == 0
    whole = ("t.csv", rows.replace(".5", "").encode())
    (found,) = (f for f in inspect_table(whole).findings if f.kind == "no names")
    assert "(0, m, no)" in found.sentence
    assert inspect_table(whole, header_lines=0).n_rows == 12
    assert not any(f.kind == "no names" for f in inspect_table(whole, header_lines=0).findings)


def test_a_second_line_that_completes_the_names_is_offered_where_they_lack() -> None:
    rows = "".join(f"P{n},{20 + n},{n % 5},{n % 7},{'ny'[n % 2]}\n" for n in range(12))
    for second in (",,Na,K,", ",,2020,2021,"):
        table = f"id,age,Blood,,ill\n{second}\n{rows}"
        with pytest.raises(UnreadableTableError, match="try header_lines=2"):
            read_table(("t.csv", table.encode()))
        names = read_table(("t.csv", table.encode()), header_lines=2, roles={"id": "ignore"}).schema
        assert names.names[1:3] == tuple(f"Blood {name}" for name in second.split(",")[2:4])


def test_a_line_of_units_may_hold_other_words_above_numbers() -> None:
    rows = "".join(f"c{n},{n % 6},{20 + n}.5,{n * 9},{'ny'[n % 2]}\n" for n in range(12))
    units = ",No.,kg/Tag,Tsd/ml,"
    report = inspect_table(("t.csv", f"cow,lactation,milk,cells,ill\n{units}\n{rows}".encode()))
    assert "'No., kg/Tag, Tsd/ml'" in next(f.sentence for f in report.findings if f.kind == "title")
    assert report.column("cells").type == "numeric"
    names = ",Na,K,,"
    report = inspect_table(("t.csv", f"cow,lactation,milk,cells,ill\n{names}\n{rows}".encode()))
    assert not any(found.kind == "title" for found in report.findings)


def test_units_below_two_lines_of_names_with_merged_cells_are_no_row() -> None:
    sheet = io.BytesIO()
    with xlsxwriter.Workbook(sheet) as book:
        page, percent = book.add_worksheet(), book.add_format({"num_format": "0.0%"})
        page.write(0, 0, "Infections 2019 to 2025")
        for at, name in enumerate(("Home", "Ill")):
            page.merge_range(2, at, 3, at, name)
        page.merge_range(2, 2, 2, 3, "Staff")
        page.merge_range(2, 4, 2, 6, "Hygiene")
        page.write_row(3, 2, ("Nurses", "Turnover", "Seen", "Gel", "Rate"))
        page.write_row(4, 2, ("n", "%", "n", "ml/turno", "per 1000 days"))
        for n in range(30):
            page.write_row(5 + n, 0, (f"H{n % 3}", "ny"[n % 2], 4 + n % 7))
            page.write(5 + n, 3, (n % 11) / 100, percent)
            page.write_row(5 + n, 4, (n % 9, 18.5 + n % 4, n / 7))
    names = ["Home", "Ill", "Nurses", "Turnover", "Seen", "Gel", "Rate"]
    joined = [*names[:2], *(f"Staff {n}" for n in names[2:4]), *(f"Hygiene {n}" for n in names[4:])]
    for n_lines, called in ((1, names), (2, joined)):
        report = inspect_table(("t.xlsx", sheet.getvalue()), "Ill", header_lines=n_lines)
        assert [column.name for column in report.columns] == called
        assert report.n_rows == 30
        assert {column.type for column in report.columns[2:]} == {"numeric"}
        offers = [fix.label for f in report.findings for fix in f.fixes if fix.value == 2]
        assert offers == ["Join the two lines of names"] * (n_lines == 1)


def test_a_wide_line_above_the_names_describes_the_file() -> None:
    above = '"EXTF";700;21;"Buchungsstapel";9;2024;;"RE";"";29098;4;"EUR"\n'
    rows = "".join(
        f"{n},{n % 9}5;{'SH'[n % 2]};{8400 + n % 4};{'01'[n % 3 > 0]}\n" for n in range(40)
    )
    found = inspect_table(("t.csv", f"{above}Umsatz;Seite;Summe;fest\n{rows}".encode()))
    assert [column.name for column in found.columns] == ["Umsatz", "Seite", "Summe", "fest"]
    assert (found.n_rows, found.column("Umsatz").type) == (40, "numeric")
    assert any("'EXTF 700" in finding.sentence for finding in found.findings)


@pytest.mark.parametrize("station", ['"TOA5","St1","CR1000"', '"TOA5","St1","CR1000","12345"'])
def test_the_four_lines_of_a_data_logger(station: str) -> None:
    rest = ',"CR1000.Std.32","CPU:a.CR1","3","Table1"' if station.count(",") == 2 else ""
    above = (
        f"{station}{rest}\n"
        '"TIMESTAMP","RECORD","AirT","alarm"\n"TS","RN","Deg C",""\n"","","Avg","Smp"\n'
    )
    rows = "".join(
        f'"2024-05-01 {n // 6:02d}:{n % 6}0:00",{n},{n % 9}.5,{n % 2}\n' for n in range(40)
    )
    found = inspect_table(("t.dat", (above + rows).encode()))
    assert [column.name for column in found.columns] == ["TIMESTAMP", "RECORD", "AirT", "alarm"]
    assert (found.n_rows, found.column("AirT").type) == (40, "numeric")


def test_names_that_groups_tell_apart_are_found_below_a_title() -> None:
    above = "Survey 2023,,,,\n\n,before,,after,\nsize,noise,traffic,noise,traffic\n"
    rows = "".join(f"{n % 7},{n % 5},{n % 4},{n % 3},{'ab'[n % 2]}\n" for n in range(40))
    found = inspect_table(("t.csv", (above + rows).encode()))
    (offer,) = [fix for f in found.findings if f.kind == "header lines" for fix in f.fixes]
    assert (found.n_rows, offer.setting, offer.value) == (40, "header_lines", 2)
    data = read_table(("t.csv", (above + rows).encode()), header_lines=2)
    assert data.schema.names[1:4] == ("before noise", "before traffic", "after noise")


@pytest.mark.parametrize("pattern", ["mm/dd/yy", "dd.mm.yyyy", "YYYY-MM-DD", "TT.MM.JJJJ", "hh:mm"])
def test_how_dates_are_written_is_a_unit_too(pattern: str) -> None:
    rows = "".join(f"{n + 1}/{n + 2}/22,{20 + n}.5,{'ny'[n % 2]}\n" for n in range(10))
    report = inspect_table(("t.csv", f"seen,weight,ill\n{pattern},kg,\n{rows}".encode()))
    assert report.n_rows == 10
    assert any(found.kind == "title" for found in report.findings)
