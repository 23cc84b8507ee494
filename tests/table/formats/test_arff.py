"""ARFF: declarations are taken as they stand, quirks of real files are forgiven."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probtrees.errors import DataError
from probtrees.table.dataset import Dataset
from probtrees.table.formats import arff
from probtrees.table.read_table import read_table


def read(text: str) -> Dataset:
    """Read quickly and carefully; both must agree."""
    source = ("table.arff", text.encode())
    quick = read_table(source)
    with mock.patch.object(arff, "_read_quickly", return_value=None):
        careful = read_table(source)
    assert quick.schema == careful.schema
    np.testing.assert_array_equal(quick.values, careful.values)
    return quick


HEADER = "@relation r\n@attribute size real\n@attribute colour {red,blue}\n@attribute kind {a,b}\n"


def test_declared_values_without_rows_are_kept_in_order() -> None:
    data = read("@relation r\n@attribute c {z,y,x}\n@attribute k {w,v,u}\n@data\ny,u\ny,w\nx,u\n")
    assert data.schema.columns[0].categories == ("z", "y", "x")
    assert data.schema.classes == ("w", "v", "u")
    assert data.values.tolist() == [[1, 2], [1, 0], [2, 2]]


def test_nothing_is_inferred() -> None:
    rows = "\n".join(f"{n},7,word{n},{'ab'[n % 2]}" for n in range(30))
    words = ",".join(f"word{n}" for n in range(30))
    data = read(
        "@relation r\n@attribute id numeric\n@attribute constant INTEGER\n"
        f"@attribute text {{{words}}}\n@attribute kind {{a,b}}\n@data\n{rows}\n"
    )
    assert data.schema.names == ("id", "constant", "text", "kind")
    assert data.provenance.notes == ()


def test_a_bare_question_mark_is_missing_a_quoted_one_a_value() -> None:
    data = read(
        "@relation r\n@attribute c {'?',x}\n@attribute n real\n@attribute k {a,b}\n"
        "@data\n'?',1,a\n?,?,b\nx,2,a\n"
    )
    np.testing.assert_array_equal(data.values, [[0, 1, 0], [np.nan, np.nan, 1], [1, 2, 0]])


def test_rows_without_a_class_are_dropped() -> None:
    data = read(HEADER + "@data\n1,red,a\n2,red,?\n3,blue,b\n")
    assert data.provenance.rows_dropped == {"no class": 1}


@pytest.mark.parametrize(
    "text",
    [
        HEADER + "@data\n%\n% Instances\n%\n1,red,a\n,\n2,blue,b\n,\n",
        HEADER.replace(" ", "\t") + "@data\n1,red,a\n2,blue,b",
        HEADER.replace("\n", "\r\r\n") + "@data\r\r\n1,red,a\r\r\n2,blue,b\r\r\n",
        HEADER.replace("\n", "\r\n") + "@DATA\r\n\r\n1,red,a\r\n\r\n2,blue,b\r\n",
        HEADER.replace("colour {", "colour,{") + "@data\n1,red,a\n2,blue,b\n",
        HEADER.replace("red,blue", " red , 'blue' ") + "@data\n1 , red , 'a'\n 2,blue,b\n",
        HEADER.replace("@attribute", "@ATTRIBUTE") + "@data\n1,red,a\n2,blue,b\n",
        "%% Größe: Guimarães\n" + HEADER + "@data\n1,red,a\n2,blue,b\n",
        HEADER.replace("{red,blue}", "{red,\n  blue}") + "@data\n1,red,a\n2,blue,b\n",
        HEADER.replace("{red,blue}", "{red blue}") + "@data\n1 red a\n2\tblue\tb\n",
        HEADER + "@data\n{0 1, 1 red, 2 a}\n{0 2, 1 blue, 2 b}\n",
        HEADER + "@data\n1,\"red\",a\n2,'blue',b\n",
    ],
)
def test_quirks(text: str) -> None:
    data = read(text)
    assert data.schema.names == ("size", "colour", "kind")
    assert data.schema.columns[1].categories == ("red", "blue")
    assert data.values.tolist() == [[1, 0, 0], [2, 1, 1]]


def test_latin_1() -> None:
    text = "% Guimarães\n" + HEADER.replace("red", "grün") + "@data\n1,grün,a\n2,blue,b\n"
    data = read_table(("t.arff", text.encode("latin-1")))
    assert data.schema.columns[1].categories == ("grün", "blue")


def test_sparse_rows_leave_out_zeros_and_first_values() -> None:
    data = read(HEADER + "@data\n{}\n{0 2, 2 b}\n{1 blue}\n")
    assert data.values.tolist() == [[0, 0, 0], [2, 0, 1], [0, 1, 0]]


def test_quoted_names_and_values() -> None:
    data = read(
        "@relation 'a b'\n@attribute 'Feature \\'0\\'' real\n"
        "@attribute \"it's\" {'\\'(-inf-2.5]\\'','a, b'}\n@attribute class {'no','yes please'}\n"
        "@data\n1,'\\'(-inf-2.5]\\'',no\n2,'a, b','yes please'\n"
    )
    assert data.schema.names == ("Feature '0'", "it's", "class")
    assert data.schema.columns[1].categories == ("'(-inf-2.5]'", "a, b")
    assert data.schema.classes == ("no", "yes please")


def test_strings_and_dates_are_recognised_like_cells_of_a_csv() -> None:
    data = read(
        "@relation r\n@attribute s string\n@attribute d date 'yyyy-MM-dd'\n@attribute k {a,b}\n"
        "@data\nred,2020-01-01,a\nblue,2020-02-01,b\nred,?,a\n"
    )
    assert data.schema.columns[0].categories == ("blue", "red")
    assert data.schema.columns[1].date_part == "days"


def test_numeric_target_of_few_values() -> None:
    data = read("@relation r\n@attribute x real\n@attribute y real\n@data\n1,0\n2,1\n3,0\n")
    assert data.schema.classes == ("0", "1")


names = st.text(st.characters(exclude_categories=("C",)), min_size=1, max_size=8).map(str.strip)
values = names.filter(lambda text: text not in ("", "?"))


def quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


@settings(max_examples=60)
@given(
    st.lists(values, min_size=2, max_size=4, unique=True),
    st.lists(st.tuples(st.floats(-1e9, 1e9), st.integers(0, 1)), min_size=2, max_size=8),
)
def test_any_value_survives_quoting(words: list[str], rows: list[tuple[float, int]]) -> None:
    rows = [*rows, (0.0, 0), (1.0, 1)]
    lines = "\n".join(f"{number!r},{quoted(words[code])}" for number, code in rows)
    declared = ",".join(quoted(word) for word in words)
    text = f"@relation r\n@attribute x real\n@attribute y {{{declared}}}\n@data\n{lines}\n"
    data = read(text)
    assert data.schema.classes == tuple(words)
    assert data.values.tolist() == [[number, code] for number, code in rows]


LONG = 400_000


@pytest.mark.parametrize(
    "rows",
    [
        f"1,{' ' * LONG}x y,a",
        f"{{0 {' ' * LONG} 1, 2 a",
        f"{{{'1' * LONG}}}",
        f"1,'{'x' * LONG}\" ,a",
        "1," + "'\\" * LONG,
        '"' + '\\"' * LONG,
    ],
    ids=["spaces", "open sparse row", "digits", "open quote", "escapes", "escaped quotes"],
)
def test_a_long_line_takes_time_in_proportion(rows: str) -> None:
    """Where characters were tried again and again these took hours."""
    with pytest.raises(DataError, match="row 2"):
        read_table(("t.arff", (HEADER + f"@data\n1,'red',\"a\"\n{rows}\n").encode()))


@pytest.mark.parametrize("line", ["{red", "'c" + '\\"' * LONG, "{" + "'x" * LONG, "x" * LONG])
def test_a_declaration_that_never_ends_is_refused(line: str) -> None:
    text = f"@relation r\n@attribute c {line}\n" + "a,\n" * 100_000
    with pytest.raises(DataError):
        read_table(("t.arff", text.encode()))


@pytest.mark.parametrize(
    "row", ["{3 b}", "{0 1, x}", "{nonsense}", "{0 1} junk", "{0 1, 0 2}", "{-1 2}", "{0 1, {5}}"]
)
def test_a_sparse_row_that_is_none_is_refused(row: str) -> None:
    with pytest.raises(DataError, match=r"row 2 of 't\.arff' must name columns from 0 to 2"):
        read_table(("t.arff", (HEADER + f"@data\n{{0 1, 2 b}}\n{row}\n").encode()))
