"""Numbers as people spell them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.table.cells.arrow_arrays import text_array
from probtrees.table.cells.spelled_numbers import natural_order, parse_numbers


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
