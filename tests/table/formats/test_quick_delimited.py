"""The quick reader gives exactly what the patient one gives, or nothing."""

from __future__ import annotations

import io
from pathlib import Path
from unittest import mock

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import config

from probtrees.table.cells.raw_table import Numbers, Texts
from probtrees.table.dataset import Dataset
from probtrees.table.formats import delimited, quick_delimited
from probtrees.table.formats.missing_spellings import MISSING_SPELLINGS
from probtrees.table.formats.sniff import sniff
from probtrees.table.formats.table_source import open_source
from probtrees.table.read_table import read_table

pytestmark = pytest.mark.skipif(
    bool(config.DISABLE_JIT), reason="the quick reader needs compiled code"
)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let small files be cut into many pieces."""
    monkeypatch.setattr(quick_delimited, "_FIRST_PIECE", 16)
    monkeypatch.setattr(quick_delimited, "_BLOCK", 64)
    monkeypatch.setattr(quick_delimited, "_PIECE", 192)


def read_both(source: object, **options: object) -> tuple[Dataset, Dataset]:
    patient = read_table(source, **options)  # type: ignore[arg-type]
    with (
        mock.patch.object(delimited, "WORTHWHILE", 0),
        mock.patch.object(delimited._Plan, "read_patiently", side_effect=AssertionError("slow")),
    ):
        return read_table(source, **options), patient  # type: ignore[arg-type]


def check_same(source: object, **options: object) -> None:
    quick, patient = read_both(source, **options)
    assert quick.schema == patient.schema
    np.testing.assert_array_equal(quick.values, patient.values)
    assert quick.provenance == patient.provenance


def is_plain(text: str) -> bool:
    with mock.patch.object(delimited, "WORTHWHILE", 0):
        source = open_source(text.encode())
        dialect = sniff(text, "", complete=True)
        kinds = dict.fromkeys(range(len(dialect.names)), "words")
        width = len(dialect.names)
        return quick_delimited.read_quickly(source, dialect, width, kinds) is not None  # type: ignore[arg-type]


def frame(n_rows: int, seed: int = 0) -> pd.DataFrame:
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
            "class": np.array(["no", "yes"])[random.integers(0, 2, n_rows)],
        }
    )
    table.loc[::7, "rounded"] = np.nan
    return table


TYPES = {"rare": "nominal", "name": "nominal"}


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_delimiters_and_line_ends(delimiter: str, end: str) -> None:
    text = frame(300).to_csv(index=False, sep=delimiter, lineterminator=end)
    check_same(("t.csv", text.encode()), types=TYPES)


def test_a_file_on_disk_with_and_without_a_last_line_end(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    text = frame(300).to_csv(index=False)
    path.write_text(text, encoding="utf-8")
    check_same(path, types=TYPES)
    path.write_text(text.rstrip("\n"), encoding="utf-8")
    check_same(path, types=TYPES)


def test_quotes_around_every_cell() -> None:
    text = frame(200).to_csv(index=False, quoting=1)
    check_same(("t.csv", text.encode()), types=TYPES)


def test_decimal_comma() -> None:
    text = frame(200).to_csv(index=False, sep=";", decimal=",")
    check_same(("t.csv", text.encode()), types=TYPES)


def test_ignored_columns_and_a_byte_order_mark() -> None:
    text = frame(200).to_csv(index=False)
    check_same(("t.csv", text.encode("utf-8-sig")), types=TYPES, roles={"whole": "ignore"})


def test_words_that_appear_late_and_outgrow_their_room() -> None:
    lines = [f"{n % 5},early,{'ab'[n % 2]}" for n in range(500)]
    lines += [f"{n % 5},late {n % 900},{'ab'[n % 2]}" for n in range(4000)]
    check_same(("t.csv", "\n".join(["x,word,y", *lines]).encode()), types={"word": "nominal"})


def test_missing_numbers() -> None:
    cells = [*MISSING_SPELLINGS, *(f"  {spelling} " for spelling in MISSING_SPELLINGS), "1", "2"]
    lines = [f"{cell},{'ab'[n % 2]}" for n, cell in enumerate(cells * 3)]
    check_same(("t.csv", "\n".join(["x,y", *lines]).encode()), types={"x": "numeric"})


@pytest.mark.parametrize(
    "odd",
    [
        '1,"two\nlines",a',
        '1,"say ""b""",a',
        '1,"b"c,a',
        "1,b",
        "1,b,a,4",
        "",
        "1,b\0,a",
        '1,"b,a',
        "1,b,a\r2,b,a",
    ],
)
def test_what_is_not_plain_is_left_to_patience(odd: str) -> None:
    lines = ["x,word,y", *["1,b,a"] * 30, odd, *["2,c,b"] * 30, ""]
    assert not is_plain("\n".join(lines))


def test_what_is_plain() -> None:
    assert is_plain("\n".join(["x,word,y", *['1,"b",a'] * 30, '1,5" pipe,a', ""]))


def test_a_word_among_numbers_is_left_to_patience() -> None:
    lines = ["x,y", *(f"{n},{'ab'[n % 2]}" for n in range(500)), "many,a", ""]
    with (
        mock.patch.object(delimited, "WORTHWHILE", 0),
        pytest.raises(ValueError, match=r"'x'='many' in row 501 must be a number"),
    ):
        read_table(("t.csv", "\n".join(lines).encode()))


def test_invalid_utf8_is_left_to_patience() -> None:
    text = "\n".join(["x,word,y", *["1,b,a", "2,c,b"] * 10_000, "3,gr\xfcn,a"])
    with mock.patch.object(delimited, "WORTHWHILE", 0):
        data = read_table(("t.csv", text.encode("latin-1")))
    assert data.schema.columns[1].categories == ("b", "c", "grün")


def numbers_read(spelled: list[str]) -> np.ndarray:
    text = "\n".join(["x", *spelled, ""])
    source = open_source(text.encode())
    dialect = sniff(text, "", complete=True)
    found = quick_delimited.read_quickly(source, dialect, 1, {0: "numbers"})
    assert found is not None
    assert isinstance(found[0], Numbers)
    return found[0].values


digits = st.text("0123456789", min_size=1, max_size=25)
decimals = st.builds(
    lambda sign, whole, point, exponent: f"{sign}{whole}{point}{exponent}",
    st.sampled_from(["", "-", "+"]),
    digits,
    st.one_of(st.just(""), st.just("."), digits.map(lambda part: f".{part}")),
    st.one_of(st.just(""), st.integers(-330, 300).map(lambda power: f"e{power}")),
)


@settings(max_examples=200)
@given(
    st.lists(
        st.one_of(decimals, st.floats(allow_nan=False, allow_infinity=False).map(repr)), min_size=1
    )
)
def test_numbers_are_rounded_as_python_does(spelled: list[str]) -> None:
    expected = np.array([float(cell) for cell in spelled])
    found = numbers_read(spelled)
    np.testing.assert_array_equal(found.view(np.uint64), expected.view(np.uint64))


@settings(max_examples=100)
@given(st.integers(2**52, 2**53 - 1), st.integers(0, 9), st.integers(0, 3))
def test_numbers_half_way_between_floats(significand: int, shift: int, fives: int) -> None:
    half_way = (2 * significand + 1) << shift
    spelled = [str(half_way), f"{half_way * 5**fives}e-{fives}"]
    expected = np.array([float(cell) for cell in spelled])
    np.testing.assert_array_equal(numbers_read(spelled), expected)


@settings(max_examples=60)
@given(st.integers(2, 60), st.integers(0, 2**32 - 1))
def test_random_frames(n_rows: int, seed: int) -> None:
    table = frame(n_rows, seed)
    table.loc[:1, "class"] = ["no", "yes"]
    file = io.StringIO()
    table.to_csv(file, index=False)
    check_same(("t.csv", file.getvalue().encode()), types=TYPES)


def test_texts_that_hardly_repeat_keep_their_spelling() -> None:
    text = "\n".join(["name", *(f"person {n}" for n in range(100)), ""])
    dialect = sniff(text, "", complete=True)
    found = quick_delimited.read_quickly(open_source(text.encode()), dialect, 1, {0: "strings"})
    assert found is not None
    assert not isinstance(found[0], (Numbers, Texts))
    assert found[0].to_pylist() == [f"person {n}" for n in range(100)]
