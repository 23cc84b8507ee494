"""The diagram joins exactly the methods whose ranks lie within the critical difference."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from probtrees.draw.critical_difference import critical_difference_svg, indistinct_groups

ranks = st.lists(st.floats(1, 9), min_size=1, max_size=9)


def test_overlapping_runs_are_both_shown() -> None:
    assert indistinct_groups([1, 2, 3], 1.5) == [(1, 2), (2, 3)]


def test_a_run_inside_another_is_not_shown() -> None:
    assert indistinct_groups([1, 1.5, 2, 4], 2) == [(1, 2), (2, 4)]
    assert indistinct_groups([1, 1.5, 2], 5) == [(1, 2)]


@given(ranks, st.floats(0.1, 5))
def test_two_methods_share_a_bar_if_and_only_if_they_are_close(
    average: list[float], difference: float
) -> None:
    groups = indistinct_groups(average, difference)
    for a in average:
        for b in average:
            if a < b:
                joined = any(low <= a and b <= high for low, high in groups)
                assert joined == (b <= a + difference)


@given(ranks)
def test_every_method_is_named_with_its_rank(average: list[float]) -> None:
    names = [f"<m{i}> & co" for i in range(len(average))]
    root = ET.fromstring(critical_difference_svg(names, average, 0.8))
    texts = [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]
    for name, rank in zip(names, average, strict=True):
        assert f"{name}  {rank:.2f}" in texts
