"""Delimited text: how it may be written, and that numbers and words arrive as they were."""

import numpy as np
import pytest

from probtrees.errors import DataError
from probtrees.table.formats import delimited
from probtrees.table.formats.arrow import MISSING_MARKS
from probtrees.table.formats.delimited import read_block
from probtrees.table.formats.head_and_footer import Head, describe_text
from probtrees.table.formats.source import TableSource
from probtrees.table.raw_table import Numbers, Texts
from probtrees.table.read_options import ReadOptions
from tests.table.formats.raw import column, columns, raw

LINES = ["size,colour,kind", "1,red,a", "2.5,blue,b", ",red,a", "4,,b"]
CELLS = {"size": ["1", "2.5", "", "4"], "colour": ["red", "blue", "red", ""], "kind": list("abab")}


def csv(*lines: str, end: str = "\n") -> tuple[str, bytes]:
    return "t.csv", end.join(lines).encode()


WRITTEN = {
    **{repr(mark): csv(*(line.replace(",", mark) for line in LINES)) for mark in ",;\t|"},
    **{repr(end): csv(*LINES, "", end=end) for end in ("\n", "\r\n", "\r", "\r\r\n")},
    "Excel names its delimiter": csv("sep=;", *(line.replace(",", ";") for line in LINES)),
    "a mark of UTF-8": ("t.csv", "\n".join(LINES).encode("utf-8-sig")),
    "blank lines, blanks around cells": csv(
        *("", " size , colour,kind", "", "1, red ,a", "   ", "2.5 ,blue,b", " ,red,a", "4,,b ", "")
    ),
    "rows of delimiters": csv(*LINES[:3], ",,", " , , ", *LINES[3:]),
    "a delimiter at the end": csv(LINES[0], *(line + "," for line in LINES[1:])),
    "one also behind the names": csv(*(line + "," for line in LINES)),
    "quotes": csv(*(",".join(f'"{cell}"' for cell in line.split(",")) for line in LINES)),
}


@pytest.mark.parametrize("case", WRITTEN)
def test_one_table_however_it_is_written(case: str) -> None:
    table = raw(WRITTEN[case])
    assert columns(table) == CELLS
    assert isinstance(table.columns["size"], Numbers)


BLANKS = {
    "one blank": ["x word y", "1 red a", "2 blue b", "3 red a", "4 blue b"],
    "several": ["  x  word   y", "  1  red    a", " 22  blue  b", "  3  red   a", "  4  red   b"],
    "two, one within cells": [
        "x  a word  y",
        "1  red  a",
        "2  light blue  b",
        "3  x  a",
        "4  z  b",
    ],
    "tabs beside numbers": ["1 3\tred", '2 4\t"light blue"', "3 1\tred", "7 7\tx"],
    "row names of R": ['"x" "y"', '"Mazda RX4" 21 6', '"Datsun" 22.8 4', '"V" 18 8', '"W" 1 2'],
}


@pytest.mark.parametrize("case", BLANKS)
def test_cells_between_blanks(case: str) -> None:
    table = raw(BLANKS[case], header_lines=0 if "tabs" in case else None)
    assert (len(table.columns), table.n_rows) == (3, 4)
    assert isinstance(table.columns["x" if "x" in table.columns else "column 1"], Numbers)
    if "R" in case:
        assert column(table, "row names")[0] == "Mazda RX4"


CELLS_READ = {
    "decimal comma": (["size;k", "1,5;a", "-2,25;b", "3;a"], [1.5, -2.25, 3.0]),
    "comma in quotes": (["size,k", '"1,5",a', '"2,25",b', "3,a"], [1.5, 2.25, 3.0]),
    "comma, points group": (["size;k", "1,5;a", "1.234,5;b"], ["1,5", "1.234,5"]),
    "thousands": (["size,k", '"1,234",a', '"12,345.5",b'], ["1,234", "12,345.5"]),
    "either": (["size;k", "2,070;a", "1,563;b"], ["2,070", "1,563"]),
    "codes": (["size,k", "10115,a", "01067,b"], ["10115", "01067"]),
    "short codes": (["size,k", "08,a", "12,b"], ["08", "12"]),
    "powers": (["size,k", "3E1,a", "2E4,b"], ["3E1", "2E4"]),
    "real powers": (["size,k", "3e1,a", "2.5E+4,b"], [30.0, 25000.0]),
    "versions": (["size,k", "1.9,a", "1.10,b"], ["1.9", "1.10"]),
    "points that may group": (["size,k", "1.234,a", "2.345,b"], ["1.234", "2.345"]),
    "some points": (["size,k", "80,a", "1.190,b"], ["80", "1.190"]),
    "three decimals": (["size,k", "1.234,a", "0.345,b"], [1.234, 0.345]),
    "None among numbers": (["size,k", "1,a", "None,b"], [1.0, np.nan]),
    "None among words": (["size,k", "red,a", "None,b"], ["red", "None"]),
    "a stray quote": (["size,k", '5" pipe,a', "hose,b"], ['5" pipe', "hose"]),
    "quotes in quotes": (["size,k", '"say ""x, y""",a', "z,b"], ['say "x, y"', "z"]),
    "line ends in quotes": (["size,k", '"two\nlines",a', "one,b"], ["two\nlines", "one"]),
    "all missing": (["size,k", "NA,a", "?,b"], ["", ""]),
}


@pytest.mark.parametrize("case", CELLS_READ)
def test_cells(case: str) -> None:
    lines, expected = CELLS_READ[case]
    found = raw(lines).columns["size"]
    if isinstance(expected[0], str):
        assert isinstance(found, Texts)
        assert [found.cell(row) for row in range(len(expected))] == expected
    else:
        assert isinstance(found, Numbers)
        np.testing.assert_array_equal(found.values, expected)


def test_a_file_says_its_decimal_mark() -> None:
    assert raw(CELLS_READ["comma, points group"][0]).decimal == ","
    assert raw(["a;b;c", "1,5;1.234;x", "2,5;2.345;y"]).decimal == ","
    assert raw(["a;b;c", "1,5;1.25;x", "2,5;2.5;y"]).decimal == "."


@pytest.mark.parametrize("late", ["007", "+7", "   ", "x", "1,5", "NA"])
def test_a_cell_that_breaks_the_promise_of_the_first_rows(late: str) -> None:
    lines = [f"{n + 100},{n / 8},{'ab'[n % 2]}" for n in range(2000)]
    table = raw(["n,x,y", *lines, f'"{late}",0.5,a', f'1,"{late}",b'])
    assert table.n_rows == 2002
    expected = "" if late in ("   ", "NA") else late.removeprefix("+")
    assert column(table, "n")[-2:] == [expected, "1"]
    assert column(table, "x")[-2:] == ["0.5", "7" if late == "007" else expected]
    assert column(table, "x")[:2] in (["0", "0.125"], ["0.0", "0.125"])


@pytest.mark.parametrize("place", ["numbers", "words"])
def test_marks_of_no_value(place: str) -> None:
    marks = [*MISSING_MARKS, *(f"  {mark} " for mark in MISSING_MARKS)]
    others = ["1", "2"] if place == "numbers" else ["red", "none"]
    table = raw(["x,y", *(f"{cell},a" for cell in [*others, *marks])])
    assert column(table, "x") == [*others, *[""] * len(marks)]


@pytest.mark.parametrize("kept", ["x", "z"])
def test_only_the_columns_that_are_wanted(kept: str) -> None:
    other = "z" if kept == "x" else "x"
    options = ReadOptions(target="y", roles={other: "ignore"})
    source = TableSource("t.csv", b"x,z,y\n1,2,a\n3,4,b\n")
    table = delimited.read_delimited(source, options)
    assert (table.names, set(table.columns)) == (("x", "z", "y"), {kept, "y"})


def test_blocks_of_a_file_are_read_as_its_beginning_says() -> None:
    text = "Report\nx;word;y\n" + "".join(f"{n},5;w{n % 3};a\n" for n in range(50)) + "Total;;\n"
    head = describe_text(Head(text[:300].encode(), complete=False), "'t.csv'")
    start = head.rows_start(text.encode())
    middle = start + text[start:].index("20,5")
    blocks = [text[start:middle].encode(), text[middle:].encode()]
    parts = [
        read_block(
            TableSource("t.csv", block, rows_before=20 * n), head, ReadOptions(), is_last=n > 0
        )
        for n, block in enumerate(blocks)
    ]
    assert [part.n_rows for part in parts] == [20, 30]
    assert column(parts[1], "x")[0] == "20.5"
    bad = TableSource("t.csv", b"1,5;w;a\n1;2;3;4\n", rows_before=20)
    with pytest.raises(DataError, match=r"^row 22 of 't\.csv' must have 3 cells"):
        read_block(bad, head, ReadOptions())


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "a,b,c\n1,2,3\n1,2,3\n1,2,3,4\n1,2,3\n",
            r"row 3 of 't\.csv' \(line 4\) must have 3 cells",
        ),
        ("a,b\n1,2\n1,2\n" + '"1,2\n3,4\n' * 9, "A quote that is never closed may be the cause"),
        ("", "must hold a table; it is empty"),
        (" \n\n", "must hold a table; it is empty"),
        ("1.5,a\n2.5,b\n", r"line 1 of 't\.csv' must hold the names.*try header_lines=0"),
        ("a,b\n1,\0\n", "a binary file"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        raw(("t.csv", text.encode()))


def test_long_names_and_rows_longer_than_a_block() -> None:
    names = [f"{'a long name ' * 12}{number}" for number in range(1400)]
    rows = [",".join(["1"] * 1399 + ["xy"[row % 2]]) for row in range(4)]
    assert raw([",".join(names), *rows]).names == tuple(names)
    long = "w" * 5_000_000
    assert column(raw(["x,g,y", f"1,{long},a", "2,short,b"]), "g") == [long, "short"]
