"""Printed parts add up to the printed whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.explain.rounding import percent, percent_decimals, round_to_sum


@given(st.lists(st.floats(0, 100), min_size=1, max_size=8), st.integers(0, 4))
def test_rounded_parts_add_up_and_stay_close(values: list[float], decimals: int) -> None:
    rounded = round_to_sum(values, decimals)
    assert round(sum(rounded), decimals) == pytest.approx(round(sum(values), decimals), abs=1e-9)
    unit = 10**-decimals
    assert all(abs(a - b) < unit + 1e-9 for a, b in zip(values, rounded, strict=True))


@given(st.floats(1e-7, 1 - 1e-7))
def test_a_percentage_never_reads_0_or_100_unless_it_is(probability: float) -> None:
    text = percent(100 * probability, percent_decimals(probability))
    assert float(text.removesuffix(" %")) not in {0.0, 100.0}
