"""Arrow arrays and back, missing entries and slices included."""

from __future__ import annotations

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from probtrees.table.cells.arrow_arrays import flags, floats, text_array


@given(st.lists(st.text(max_size=5)))
def test_texts_survive_arrow(texts: list[str]) -> None:
    assert text_array(texts).to_pylist() == texts


@given(st.lists(st.booleans()), st.integers(0, 9))
def test_flags_survive_arrow(values: list[bool], offset: int) -> None:
    assert flags(pa.array(values, type=pa.bool_()).slice(offset)).tolist() == values[offset:]


def test_no_texts_give_no_numbers() -> None:
    assert len(floats(text_array([]).cast("float64"))) == 0
