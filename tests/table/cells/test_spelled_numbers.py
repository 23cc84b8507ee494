"""Numbers as people spell them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.table.cells.arrow_arrays import text_array
from probtrees.table.cells.category_order import natural_order
from probtrees.table.cells.spelled_numbers import CLOCK, parse_numbers, read_numbers


@given(st.lists(st.floats(allow_nan=False)))
def test_numbers_as_python_writes_them(values: list[float]) -> None:
    found = parse_numbers(text_array(map(repr, values)))
    np.testing.assert_array_equal(found, values)


@given(st.lists(st.floats(-1e15, 1e15, allow_nan=False)))
def test_numbers_with_grouped_thousands(values: list[float]) -> None:
    rounded = [round(value, 2) for value in values]
    english = text_array(f"{value:,.2f}" for value in rounded)
    np.testing.assert_array_equal(parse_numbers(english), rounded)
    german = text_array(f"{value:,.2f}".translate({44: 46, 46: 44}) for value in rounded)
    np.testing.assert_array_equal(parse_numbers(german, ","), rounded)


@pytest.mark.parametrize("text", ["", "-", "1_000", "0x10", "1e", "1,2", "nan", "1.2.3", "１"])
def test_what_is_no_number(text: str) -> None:
    assert np.isnan(parse_numbers(text_array([text]))).all()


def test_no_texts_are_no_numbers() -> None:
    assert len(parse_numbers(text_array([]))) == 0


@given(st.lists(st.text(max_size=4), unique=True), st.randoms())
def test_natural_order_does_not_depend_on_the_given_order(texts: list[str], chance: object) -> None:
    shuffled = texts[:]
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert natural_order(shuffled) == natural_order(texts)
    assert sorted(natural_order(texts)) == sorted(texts)


def test_clock_times_are_hours():
    found = read_numbers(text_array(["14:30", "0:45:36", "7:15 PM"]))
    assert found.values.tolist() == [14.5, 0.76, 19.25]
    assert found.spelling.unit == CLOCK
    known = read_numbers(text_array(["08:15", "9.5", "noon"]), known=found.spelling)
    assert known.values.tolist()[:2] == [8.25, 9.5]
    assert np.isnan(known.values[2])
    assert np.isnan(read_numbers(text_array(["14:30", "16:9"])).values).all()


def test_a_known_column_is_read_with_the_other_decimal_mark_where_only_that_fits():
    known = read_numbers(text_array(["1.234,50 €", "0,5 €"])).spelling
    assert known.decimal == ","
    other = read_numbers(text_array(["20,000.50", "30.0"]), known=known)
    assert other.values.tolist() == [20000.5, 30]
    assert read_numbers(text_array(["1.234", "2,5"]), known=known).values.tolist() == [1234, 2.5]


def test_numbers_that_lack_the_unit_of_the_others_are_known():
    found = read_numbers(text_array(["12 km", "7", "3 km", "8"]))
    assert found.values.tolist() == [12, 7, 3, 8]
    assert found.bare == (1, 3)
    assert read_numbers(text_array(["12 km", "7 km"])).bare == ()


def test_units_whose_zeros_differ_are_converted_by_their_formula():
    found = read_numbers(text_array(["62 °C", "140 °F", "-40 °F", "300 K", "0 °C", "-5.5 °C"]))
    assert found.values.tolist() == [62, 60, -40, 26.85, 0, -5.5]
    assert "'°F', 'K' converted to it" in found.habits
    known = read_numbers(text_array(["212 °F", "20"]), known=found.spelling)
    assert known.values.tolist() == [100, 20]
    tyres = read_numbers(text_array(["2 bar", "2.1 bar", "2.2 bar", "2.3 bar", "250 kPa", "3 bar"]))
    assert tyres.values.tolist() == [2, 2.1, 2.2, 2.3, 2.5, 3]


@pytest.mark.parametrize("texts", [["3'051.50", "9'999.00"], ["12 345.5", "7 001"], ["1,200", "7"]])
def test_thousands_in_groups_are_told_however_they_are_parted(texts):
    assert "thousands in groups" in read_numbers(text_array(texts)).habits


def test_amounts_of_data_are_converted():
    found = read_numbers(text_array(["120 KB", "300 KB", "7 KB", "99 KB", "1.5 MB", "8 KB"]))
    assert found.values.tolist() == [120, 300, 7, 99, 1500, 8]


def test_codes_with_a_zero_in_front_are_no_thousands_though_a_k_stands_behind_them():
    codes = read_numbers(text_array(["0750012K", "0921045K", "0133207K"]))
    assert np.isnan(codes.values).all()
    assert read_numbers(text_array(["750K", "0.5K", "0K"])).values.tolist() == [750000, 500, 0]
