"""Lines below the rows are left out, also in tables to predict and in chunks."""

from __future__ import annotations

import csv
import gzip
import io
from itertools import pairwise

import pytest
import xlsxwriter
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.errors import DataError
from probtrees.scale.files.text_blocks import piece_starts, read_text
from probtrees.scale.passes.open_chunks import open_chunks
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_rows, read_table, read_written

ROWS = "".join(f"P{n:03},{n % 7}.5,{'pq'[n % 2]},{'ab'[n % 3 > 0]}\n" for n in range(40))
TABLE = "id,x,c,y\n" + ROWS
FOOTERS = {
    "padded": ("Total,120,,\n", 1),
    "short": ("Total,120\n", 1),
    "alone": ("Total\n", 1),
    "Russian, with one number": ("Итого,,,193427\n", 1),
    "Japanese": ("合計,120,,\n", 1),
    "a sign": ("∑,120,,\n", 1),
    "Turkish": ("Genel Toplam:,120,,\n", 1),
    "Finnish": ("Yhteensä,120\n", 1),
    "an average": ("Media classe,6.4,,\n", 1),
    "not at the end of a line": ("Total,120", 1),
    "behind a blank line": ("\nSource: the ward's own list\n", 1),
    "without a blank line": ("Source: the list of the ward\n", 1),
    "short notes below a total": ("Total,120,,\n\nx: -9 = none\nWard 3\nK. M.\n", 4),
    "the trailer of an extract": ("TRL,0000040\n", 1),
    "a count of one cell": ('"Count: 1,100"\n', 1),
    "a count that begins with a number": ('"1,100 rows"\n', 1),
    "a number of one cell": ("1100\n", 1),
    "two short lines": ("Rows: 40\nEnd\n", 2),
    "two lines": ("\nTotal,20,,\nExported on 2024-03-01\n", 2),
}


def source(below: str) -> tuple[str, bytes]:
    return "t.csv", (TABLE + below).encode()


@pytest.mark.filterwarnings("ignore:'id' looks like an identifier")
@pytest.mark.parametrize("name", FOOTERS)
def test_left_out_wherever_the_table_is_read(name: str) -> None:
    below, n_lines = FOOTERS[name]
    report = inspect_table(source(below))
    assert report.n_rows == 40
    (totals,) = (found for found in report.findings if found.kind == "totals")
    assert ("2 lines" in totals.sentence) == (n_lines == 2)
    data = read_table(source(below))
    again, _ = read_rows(source(below), data.schema)
    assert again.n_rows == read_written(source(below)).n_rows == 40
    assert any("left out" in note for note in again.provenance.notes)


@pytest.mark.parametrize("below", ["P040,,,\n", "P040,3.5,p,a\n", "\nP040,1.5,p,a\n"])
def test_rows_are_rows(below: str) -> None:
    assert inspect_table(source(below)).n_rows == 41


def test_kept_if_the_user_says_so() -> None:
    kept = ("totals",)
    below = source("Total,120,,b\n")
    assert inspect_table(below, as_written=kept).n_rows == 41
    assert read_written(below, ReadOptions(as_written=kept)).n_rows == 41


def test_a_value_like_the_others_is_no_total() -> None:
    rows = "".join(f"{n % 5},{('total', 'part')[n % 2]},{'ab'[n % 3 > 0]}\n" for n in range(41))
    assert inspect_table(("t.csv", f"x,scope,y\n{rows}".encode())).n_rows == 41


def test_a_row_of_nothing_but_its_class_is_a_row() -> None:
    rows = "".join(f"{n}.5,w{n % 3},{n % 2}\n" for n in range(40))
    table = f"x,c,y\n{rows}"
    assert inspect_table(("t.csv", f"{table},,1\n".encode())).n_rows == 41
    assert inspect_table(("t.csv", f"{table},,20\n".encode())).n_rows == 40  # a sum


@pytest.mark.parametrize("block_bytes", [100, 170, 300, 1 << 20])
def test_in_chunks(tmp_path, block_bytes: int) -> None:
    path = tmp_path / "t.csv"
    for below, _ in FOOTERS.values():
        path.write_text(TABLE + below)
        blocks = read_text(str(path), ReadOptions(), block_bytes)
        assert sum(raw.n_rows for _, raw in blocks) == 40


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_chunks_report_what_they_leave_out(tmp_path, ending: str) -> None:
    (tmp_path / "a.csv").write_text(TABLE)
    below = (TABLE + FOOTERS["two lines"][0]).encode()
    (tmp_path / f"b.csv{ending}").write_bytes(gzip.compress(below) if ending else below)
    (note,) = [n for n in open_chunks(tmp_path).provenance.notes if "left out" in n]
    assert note.startswith("The last 2 lines")
    kept = open_chunks(tmp_path / "a.csv", as_written=["totals"]).provenance.notes
    assert not [n for n in kept if "left out" in n]


@pytest.mark.parametrize("cut", range(5))
def test_in_pieces_cut_anywhere(tmp_path, cut: int) -> None:
    path = tmp_path / "t.csv"
    path.write_text(TABLE + FOOTERS["two lines"][0])
    piece_bytes = len(TABLE.encode()) - 40 + 10 * cut
    starts = piece_starts(str(path), piece_bytes)
    pieces = [
        read_text(str(path), ReadOptions(), 1 << 20, *ends) for ends in pairwise([*starts, None])
    ]
    assert sum(raw.n_rows for piece in pieces for _, raw in piece) == 40


@pytest.mark.parametrize("first", ["Max", "Media Markt", "Mean"])
def test_names_that_could_be_statistics_stay_rows(first: str) -> None:
    names = ("Anna", "Ben", "Cleo", first)
    rows = "".join(f"{names[n % 4]},{n % 7}.5,{'pq'[n % 2]},{'ab'[n % 3 > 0]}\n" for n in range(40))
    assert inspect_table(("t.csv", f"name,x,c,y\n{rows}".encode())).n_rows == 40


def test_a_person_called_max_is_a_row_even_if_little_is_known() -> None:
    rows = ROWS.replace("P020,6.5,p,b", "Max,6.5,,")
    assert rows != ROWS
    assert inspect_table(("t.csv", f"id,x,c,y\n{rows}".encode())).n_rows == 40


@pytest.mark.filterwarnings("ignore:'id' looks like an identifier")
def test_a_name_of_two_lines_hides_neither_totals_nor_notes() -> None:
    lines = TABLE.replace("id,x,c,y", 'id,"x\r\nin mg",c,y').splitlines(keepends=True)
    text = "".join([*lines[:20], "Subtotal P,57,,\n", *lines[20:], "Total,120,,\n\nWard 3\n"])
    for name, content in (("t.csv", text.encode()), ("t.xlsx", as_workbook(text))):
        report = inspect_table((name, content))
        assert [column.name for column in report.columns] == ["id", "x in mg", "c", "y"]
        assert report.n_rows == 40
    words = text.replace("P030,2.5", "P030,many")
    with pytest.raises(DataError, match="row 31"):
        read_table(("t.csv", words.encode()), types={"x in mg": "numeric"})


@pytest.mark.parametrize("word", ["Total", "Ergebnis", "汇总"])
def test_sums_below_groups_are_told_by_the_name_of_the_group(word: str) -> None:
    lines = []
    for town in ("London", "Leeds", "Bristol"):
        lines += [f"{town},{n * 7 % 50},{'pq'[n % 2]},{'yn'[n % 3 > 0]}\n" for n in range(20)]
        lines.append(f"{town} {word},490,,7\n")
    text = "".join(["town,x,c,y\n", *lines])
    report = inspect_table(("t.csv", text.encode()))
    assert report.n_rows == 60
    assert report.column("town").n_distinct == 3
    (found,) = (found for found in report.findings if found.kind == "totals")
    assert f"'London {word}'" in found.sentence
    assert inspect_table(("t.csv", text.encode()), as_written=("totals",)).n_rows == 63


def test_rows_that_go_on_with_a_word_are_kept() -> None:
    rows = "".join(f"Leeds{' East' * (n % 2)},{n},p,{'yn'[n % 3 > 0]}\n" for n in range(40))
    assert inspect_table(("t.csv", f"town,x,c,y\n{rows}".encode())).n_rows == 40


def as_workbook(text: str) -> bytes:
    content = io.BytesIO()
    book = xlsxwriter.Workbook(content, {"in_memory": True})
    sheet = book.add_worksheet()
    for number, row in enumerate(csv.reader(io.StringIO(text, newline=""))):
        sheet.write_row(number, 0, row)
    book.close()
    return content.getvalue()


@pytest.mark.parametrize("last", ["Count: 1,100", "End of report", "1,100 rows", "Records: 1,100"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_title_lines_above_and_short_lines_below_go_together(last: str, encoding: str) -> None:
    rows = "".join(f'"Jo {n % 7}, Roe","{n}",p,{"ab"[n % 3 > 0]}\n' for n in range(900))
    above = '"Audit"\n"Run by: x@y.example","Run on: 11/14/2024 3:12 PM"\n"Sites: all"\n\n'
    text = f'{above}"Worker","n","c","y"\n{rows}"{last}"\n'
    report = inspect_table(("t.csv", text.encode(encoding)))
    assert report.n_rows == 900
    (totals,) = (found for found in report.findings if found.kind == "totals")
    assert last in totals.sentence


def test_a_row_of_another_length_is_named_by_its_line_below_a_title() -> None:
    text = f"Audit\nAll sites,today\n\n{TABLE}P040,1.5,p,a,b\n{ROWS}"
    with pytest.raises(DataError, match=r"^row 41 of .* \(line 45\) must have 4 .* it has 5"):
        read_table(("t.csv", text.encode()))
