"""Delimited text: how it may be written, and that numbers and words arrive as they were."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from probtrees.table.formats.missing_spellings import MISSING_SPELLINGS
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.errors import ProbTreesWarning
from probtrees.table.formats import delimited
from probtrees.table.read_table import read_table
from tests.table.tiny_table import TINY, check_tiny, csv


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters(delimiter: str) -> None:
    check_tiny(csv(*(line.replace(",", delimiter) for line in TINY)))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\r\r\n"])
def test_line_ends(end: str) -> None:
    check_tiny(("t.csv", end.join(TINY).encode()))
    check_tiny(("t.csv", (end.join(TINY) + end).encode()))


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "latin-1"]
)
def test_encodings(encoding: str) -> None:
    text = "größe,färbung,kind\n1,grün,a\n2,blau,b\n3,grün,a\n"
    data = read_table(("t.csv", text.encode(encoding)))
    assert data.schema.names == ("größe", "färbung", "kind")
    assert data.schema.columns[1].categories == ("blau", "grün")


def test_latin_1_where_windows_has_no_letter() -> None:
    content = b"x,g,y\n1,\x81\xe9,a\n2,b,b\n"  # unless it is said, these are taken for one sign
    data = read_table(("t.csv", content), encoding="latin-1")
    assert data.schema.columns[1].categories == ("b", "\x81é")
    assert "Western (ISO 8859-1)" in data.provenance.notes[0]


def test_decimal_comma() -> None:
    data = read_table(csv("size;kind", "1,5;a", "-2,25;b", "3;a", "1.234,5;b"))
    assert data.values[:, 0].tolist() == [1.5, -2.25, 3.0, 1234.5]


def test_decimal_comma_in_quotes() -> None:
    data = read_table(csv("size,kind", '"1,5",a', '"2,25",b', "3,a"))
    assert data.values[:, 0].tolist() == [1.5, 2.25, 3.0]


def test_thousands() -> None:
    data = read_table(csv("size,kind", '"1,234",a', '"12,345.5",b', "3,a"))
    assert data.values[:, 0].tolist() == [1234.0, 12345.5, 3.0]


def test_quotes() -> None:
    data = read_table(
        csv('size,"colour, or not",kind', '1,"red, dark",a', '2,"say ""blue""",b', "3,a\tb,a")
    )
    assert data.schema.names[1] == "colour, or not"
    assert data.schema.columns[1].categories == ("a\tb", "red, dark", 'say "blue"')


def test_single_quotes() -> None:
    data = read_table(csv("size,colour,kind", "1,'red, dark','a'", "2,'blue','b'"))
    assert data.schema.columns[1].categories == ("blue", "red, dark")
    assert data.schema.classes == ("a", "b")


def test_line_ends_inside_quotes() -> None:
    data = read_table(csv("x,g,y", '1,"two\nlines",a', "2,one,b", '3,"two\nlines",a'))
    assert data.schema.columns[1].categories == ("one", "two\nlines")


def test_a_stray_quote_is_a_letter() -> None:
    data = read_table(csv("x,g,y", '1,5" pipe,a', "2,hose,b", "3,hose,a"))
    assert '5" pipe' in (data.schema.columns[1].categories or ())


def test_excel_names_its_delimiter() -> None:
    check_tiny(csv("sep=;", *(line.replace(",", ";") for line in TINY)))


def test_blank_lines_and_blanks_around_cells() -> None:
    check_tiny(
        csv(
            "",
            " size , colour,kind",
            "",
            "1, red ,a",
            "   ",
            "2.5 ,blue,b",
            " ,red,a",
            "4,,b ",
            "",
        )
    )


def test_a_trailing_delimiter_and_row_names() -> None:
    check_tiny(csv(TINY[0], *(line + "," for line in TINY[1:])))
    check_tiny(csv(TINY[0] + ",", *(line + "," for line in TINY[1:])))
    check_tiny(csv("," + TINY[0], *(f"{n},{line}" for n, line in enumerate(TINY[1:]))))


def test_a_number_that_breaks_the_promise_of_the_first_rows() -> None:
    lines = [f"{n / 8},{'ab'[n % 2]}" for n in range(40_000)]
    data = read_table(csv("x,y", *lines, "   ,a", "+7,b"))
    assert np.isnan(data.values[-2, 0])
    assert data.values[-1, 0] == 7
    assert data.n_rows == 40_002


def test_a_row_longer_than_a_block() -> None:
    long = "w" * 5_000_000
    data = read_table(csv("x,g,y", f"1,{long},a", "2,short,b", "3,short,a"))
    assert data.schema.columns[1].categories == ("short", long)


def many_columns(n_rows: int, seed: int = 0) -> pd.DataFrame:
    """Columns of every kind, some cells missing."""
    random = np.random.default_rng(seed)
    words = np.array(["red", "green", "", "light blue", "größe", "NA", "x" * 40])
    table = pd.DataFrame(
        {
            "precise": random.normal(size=n_rows) * 10.0 ** random.integers(-30, 30, n_rows),
            "rounded": random.normal(size=n_rows).round(2),
            "whole": random.integers(-(10**6), 10**6, n_rows),
            "word": words[random.integers(0, len(words), n_rows)],
            "rare": [f"w{n // 3}" for n in range(n_rows)],
            "name": [f"name {n}" for n in range(n_rows)],
            "class": np.array(["no", "yes"])[np.arange(n_rows) % 2],
        }
    )
    table.loc[::7, "rounded"] = np.nan
    return table


@pytest.mark.parametrize("block", [300, 1 << 22])
@pytest.mark.parametrize("quoting", [0, 1])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_the_file_holds_what_the_frame_holds(
    monkeypatch: pytest.MonkeyPatch, block: int, quoting: int, delimiter: str
) -> None:
    monkeypatch.setattr(delimited, "_BLOCK", block)
    frame = many_columns(300)
    text = frame.to_csv(index=False, sep=delimiter, quoting=quoting)
    options = {"types": {"rare": "nominal", "name": "nominal"}, "roles": {"whole": "ignore"}}
    found = read_table(("t.csv", text.encode("utf-8-sig")), **options)
    expected = read_table(frame.replace({"word": {"": None, "NA": None}}), **options)
    assert found.schema == expected.schema
    np.testing.assert_array_equal(found.values, expected.values)


def test_words_that_appear_late() -> None:
    lines = [f"{n % 5},early,{'ab'[n % 2]}" for n in range(500)]
    lines += [f"{n % 5},late {n % 900},{'ab'[n % 2]}" for n in range(4000)]
    data = read_table(csv("x,word,y", *lines), types={"word": "nominal"})
    assert len(data.schema.columns[1].categories or ()) == 901


def test_missing_numbers() -> None:
    spelled = [*MISSING_SPELLINGS, *(f"  {spelling} " for spelling in MISSING_SPELLINGS)]
    lines = [f"{cell},{'ab'[n % 2]}" for n, cell in enumerate([*spelled, "1", "2"])]
    data = read_table(csv("x,y", *lines), types={"x": "numeric"})
    assert np.isnan(data.values[: len(spelled), 0]).all()
    assert data.values[len(spelled) :, 0].tolist() == [1.0, 2.0]


def test_a_word_among_numbers_is_missing_and_named() -> None:
    lines = ["x,y", *(f"{n % 99},{'ab'[n % 2]}" for n in range(500)), "many,a", ""]
    with pytest.warns(ProbTreesWarning, match=r"'many' in 1 of 501 cells of column 'x'"):
        data = read_table(csv(*lines))
    assert np.isnan(data.values[500, 0])


def test_a_letter_that_is_not_utf8_far_below() -> None:
    text = "\n".join(["x,word,y", *["1,b,a", "2,c,b"] * 10_000, "3,gr\xfcn,a"])
    data = read_table(("t.csv", text.encode("latin-1")))
    assert data.schema.columns[1].categories == ("b", "c", "grün")


def numbers_read(spelled: list[str]) -> np.ndarray:
    rows = [f"{cell},{'ab'[number % 2]}" for number, cell in enumerate([*spelled, "0", "0"])]
    return read_table(csv("x,y", *rows), types={"x": "numeric"}).values[:-2, 0]


digits = st.text("0123456789", min_size=1, max_size=25)
decimals = st.builds(
    lambda sign, whole, point, exponent: f"{sign}{whole}{point}{exponent}",
    st.sampled_from(["", "-", "+"]),
    digits,
    st.one_of(st.just(""), st.just("."), digits.map(lambda part: f".{part}")),
    st.one_of(st.just(""), st.integers(-330, 280).map(lambda power: f"e{power}")),
)


@settings(max_examples=100)
@given(
    st.lists(
        st.one_of(decimals, st.floats(allow_nan=False, allow_infinity=False).map(repr)), min_size=1
    )
)
def test_numbers_are_rounded_as_python_does(spelled: list[str]) -> None:
    expected = np.array([float(cell) for cell in spelled])
    np.testing.assert_array_equal(numbers_read(spelled), expected)


@settings(max_examples=50)
@given(st.integers(2**52, 2**53 - 1), st.integers(0, 9), st.integers(0, 3))
def test_numbers_half_way_between_floats(significand: int, shift: int, fives: int) -> None:
    half_way = (2 * significand + 1) << shift
    spelled = [str(half_way), f"{half_way * 5**fives}e-{fives}"]
    np.testing.assert_array_equal(numbers_read(spelled), [float(cell) for cell in spelled])


def test_a_line_of_names_may_be_long() -> None:
    names = [f"{'a long name ' * 12}{number}" for number in range(1400)]
    rows = [
        ",".join([str(row + number) for number in range(1399)] + ["xy"[row % 2]])
        for row in range(4)
    ]
    text = "\n".join([",".join(names), *rows])
    assert len(text.splitlines()[0]) > 1 << 17
    data = read_table(("t.csv", text.encode()))
    assert data.schema.names == tuple(names)
    assert data.n_rows == 4


def test_a_column_without_a_name_is_called_by_its_number():
    lines = "\n".join(f"{n % 9},{'uv'[n % 2]},{'no' if n % 3 else 'yes'}" for n in range(40))
    report = inspect_table(("t.csv", f"x,,y\n{lines}\n".encode()))
    assert [column.name for column in report.columns] == ["x", "column 2", "y"]
    assert any("it is called 'column 2' here" in found.sentence for found in report.findings)


@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_rows_of_delimiters_alone_are_no_rows(mark, end):
    lines = [mark.join(("x", "g", "y"))]
    for n in range(30):
        lines += [mark.join((str(n), "ab"[n % 2], "yn"[n % 3 == 0]))]
        lines += [mark * 2] * (n % 4 == 0) + [f" {mark} {mark} "] * (n % 9 == 0)
    report = inspect_table(("t.csv", end.join(lines).encode()))
    assert report.n_rows == 30
    assert not any(column.n_missing for column in report.columns)


def test_a_legend_beside_the_table_is_left_out_and_told():
    legend = {3: "1,early", 4: "2,late", 5: "9,not known"}
    rows = [f"{n},{n % 7},{'ab'[n % 3 > 0]},,{legend.get(n, ',')}" for n in range(40)]
    raw = inspect_table(("t.csv", "\n".join(["age,x,y,,,", *rows]).encode()))
    assert [column.name for column in raw.columns] == ["age", "x", "y"]
    said = [f.sentence for f in raw.findings if "apart beside the table" in f.sentence]
    assert len(said) == 2
    assert "Column 6" in said[1]
    assert "3 cells ('early')" in said[1]
    full = [f"{n},{n % 7},{'ab'[n % 3 > 0]},,{n % 5},{n % 4}" for n in range(40)]
    kept = inspect_table(("t.csv", "\n".join(["age,x,y,,,", *full]).encode()))
    assert [column.name for column in kept.columns][3:] == ["column 5", "column 6"]
