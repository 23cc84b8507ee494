"""ARFF: declarations are taken as they stand, quirks of real files are forgiven."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probtrees.errors import DataError
from probtrees.table.raw_table import Numbers, RawTable, Texts
from probtrees.table.read_table import read_table
from tests.table.formats.raw import column, raw

HEADER = "@relation r\n@attribute size real\n@attribute colour {red,blue}\n@attribute kind {a,b}\n"
ROWS = "@data\n1,red,a\n2,blue,b\n"


def read(text: str) -> RawTable:
    return raw(("table.arff", text.encode()))


def coded(table: RawTable) -> list[list[float]]:
    """Return the values, categories as codes, NaN where missing."""
    found = [
        column.values if isinstance(column, Numbers) else np.where(column.missing, np.nan, codes)
        for column in table.columns.values()
        for codes in [column.codes if isinstance(column, Texts) else None]
    ]
    return np.column_stack(found).tolist()


QUIRKS = {
    "comments, commas": HEADER + "@data\n%\n% Instances\n1,red,a\n,\n2,blue,b\n,\n",
    "tabs": HEADER.replace(" ", "\t") + "@data\n1,red,a\n2,blue,b",
    "odd line ends": HEADER.replace("\n", "\r\r\n") + "@data\r\r\n1,red,a\r\r\n2,blue,b\r\r\n",
    "blank lines": HEADER.replace("\n", "\r\n") + "@DATA\r\n\r\n1,red,a\r\n\r\n2,blue,b\r\n",
    "a comma after a name": HEADER.replace("colour {", "colour,{") + ROWS,
    "blanks": HEADER.replace("red,blue", " red , 'blue' ") + "@data\n1 , red , 'a'\n 2,blue,b\n",
    "capitals": HEADER.replace("@attribute", "@ATTRIBUTE") + ROWS,
    "letters in comments": "%% Größe: Guimarães\n" + HEADER + ROWS,
    "no commas": HEADER.replace("{red,blue}", "{red blue}") + "@data\n1 red a\n2\tblue\tb\n",
    "two kinds of quotes": HEADER + "@data\n1,\"red\",a\n2,'blue',b\n",
}


@pytest.mark.parametrize("case", QUIRKS)
def test_quirks(case: str) -> None:
    table = read(QUIRKS[case])
    assert table.names == ("size", "colour", "kind")
    colour = table.columns["colour"]
    assert isinstance(colour, Texts)
    assert (colour.texts, colour.declared) == (("red", "blue"), True)
    assert coded(table) == [[1, 0, 0], [2, 1, 1]]


def test_declared_values_without_rows_are_kept_in_order() -> None:
    table = read("@relation r\n@attribute c {z,y,x}\n@attribute s string\n@data\ny,u\ny,w\nx,?\n")
    assert table.columns["c"].as_texts().texts == ("z", "y", "x")
    assert column(table, "c") == ["y", "y", "x"]
    assert column(table, "s") == ["u", "w", ""]


def test_a_declared_value_that_no_row_has_is_no_wrong_cell() -> None:
    text = "@relation r\n@attribute x {a,b}\n@attribute y {n,p}\n@data\n"
    with pytest.raises(DataError, match="it has 0 rows"):
        read_table(("t.arff", text.encode()), types={"x": "number"})


def test_a_bare_question_mark_is_missing_a_quoted_one_a_value() -> None:
    table = read("@relation r\n@attribute c {'?',x}\n@attribute n real\n@data\n'?',1\n?,?\nx,2\n")
    np.testing.assert_array_equal(coded(table), [[0, 1], [np.nan, np.nan], [1, 2]])


def test_quoted_names_and_values_and_letters() -> None:
    table = read(
        "@relation 'a b'\n@attribute 'Feature \\'0\\'' real\n"
        "@attribute \"it's\" {'\\'(-inf-2.5]\\'','a, b'}\n@attribute class {'no','yes please'}\n"
        "@data\n1,'\\'(-inf-2.5]\\'',no\n2,'a, b','yes please'\n"
    )
    assert table.names == ("Feature '0'", "it's", "class")
    assert column(table, "it's") == ["'(-inf-2.5]'", "a, b"]
    latin = (HEADER.replace("red", "grün") + ROWS.replace("red", "grün")).encode("latin-1")
    assert column(raw(("t.arff", latin)), "colour") == ["grün", "blue"]


names = st.text(st.characters(exclude_categories=("C",)), min_size=1, max_size=8).map(str.strip)
values = names.filter(lambda text: text not in ("", "?"))


def quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


@settings(max_examples=60, deadline=None)
@given(
    st.lists(values, min_size=2, max_size=4, unique=True),
    st.lists(st.tuples(st.floats(-1e9, 1e9), st.integers(0, 1)), min_size=2, max_size=8),
)
def test_any_value_survives_quoting(words: list[str], rows: list[tuple[float, int]]) -> None:
    lines = "\n".join(f"{number!r},{quoted(words[code])}" for number, code in rows)
    declared = ",".join(quoted(word) for word in words)
    table = read(f"@relation r\n@attribute x real\n@attribute y {{{declared}}}\n@data\n{lines}\n")
    assert table.columns["y"].as_texts().texts == tuple(words)
    assert coded(table) == [[number, code] for number, code in rows]


LONG = 400_000
LONG_ROWS = {
    "blanks": f"1,{' ' * LONG}x y,a",
    "open quote": f"1,'{'x' * LONG}\" ,a",
    "escapes": "1," + "'\\" * LONG,
    "escaped quotes": '"' + '\\"' * LONG,
}


@pytest.mark.parametrize("case", LONG_ROWS)
def test_a_long_line_takes_time_in_proportion(case: str) -> None:
    """Where characters were tried again and again these took hours."""
    with pytest.raises(DataError, match="row 2"):
        read(HEADER + f"@data\n1,'red',\"a\"\n{LONG_ROWS[case]}\n")


@pytest.mark.parametrize("line", ["{red", "'c" + '\\"' * LONG, "{" + "'x" * LONG, "x" * LONG])
def test_a_declaration_that_never_ends_is_refused(line: str) -> None:
    with pytest.raises(DataError):
        read(f"@relation r\n@attribute c {line}\n" + "a,\n" * 100_000)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (HEADER + "@data\n1,red,a\n{0 1, 1 red, 2 b}\n", "row 2 .* or save sparse rows in full"),
        (
            HEADER + "@data\n1,green,a\n",
            r"'colour'='green' in row 1 .* must be one of the values that its header",
        ),
        (HEADER + "@data\nx,red,a\n", r"'size'='x' in row 1 .* must be a number"),
        (HEADER + "@data\n1,red\n", "row 1 of .* must have 3 cells"),
        (HEADER, "must have a line '@data'"),
        ("@relation r\n@data\n1\n", "must have at least one @attribute"),
        ("@relation r\n@attribute x\n@data\n1\n", "a name and a type"),
        ("@relation r\n@attribute x odd\n@data\n1\n", "found '@attribute x odd'"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        read(text)
