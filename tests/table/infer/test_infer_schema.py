"""The order of categories that no file declares."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from probtrees.table.infer.infer_schema import natural_order


@given(st.lists(st.text(max_size=4), unique=True), st.randoms())
def test_natural_order_does_not_depend_on_the_given_order(texts: list[str], chance: object) -> None:
    shuffled = texts[:]
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert natural_order(shuffled) == natural_order(texts)
    assert sorted(natural_order(texts)) == sorted(texts)
