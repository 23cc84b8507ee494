"""Numbers as people type them."""

import math
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.errors import OptionError
from probtrees.table.dataset import Column
from probtrees.ui.shared.forms import value_of

number_of = partial(value_of, column=Column("dose"))


@given(st.floats(-1e6, 1e6).map(lambda number: round(number, 2)))
def test_points_and_commas_are_the_same_number(number):
    assert number_of(f"{number:.2f}") == number
    assert number_of(f"{number:.2f}".replace(".", ",")) == number
    assert number_of(f"{number:,.2f}") == number
    swapped = f"{number:,.2f}".translate(str.maketrans(",.", ".,"))
    assert number_of(swapped) == number


@pytest.mark.parametrize("text", ["7,005", "abc", "1,2,3", "nan", "inf", "1.2.3,4"])
def test_what_is_not_clear_is_not_guessed(text):
    with pytest.raises(OptionError):
        number_of(text)


def test_the_notation_of_the_table_is_understood():
    plain = Column("price").reading
    german = partial(
        value_of, column=Column("price", reading=replace(plain, unit="€", decimal=","))
    )
    assert german("12.000,50 €") == 12000.5
    assert german("€ 12.000,50") == 12000.5
    assert german("12.000", seen=(500.0, 50000.0)) == 12000
    assert german("12.125", seen=(0.0, 100.0)) == 12.125
    assert german("12,000.50") == 12000.5
    assert number_of("12.000") == 12
    assert number_of("7,005", seen=(0.0, 90.0)) == 7.005
    for seen in (None, (0.0, 1e6), (-5.0, -1.0)):
        with pytest.raises(OptionError, match="Write 12000 or 12"):
            german("12.000", seen=seen)


def test_nothing_is_not_recorded():
    assert math.isnan(number_of(""))
    assert number_of("0,125") == 0.125
    assert number_of("1 234,5") == 1234.5
