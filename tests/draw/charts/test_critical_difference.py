"""The critical-difference diagram: valid SVG, everything on it, nothing unescaped."""

import re
import xml.etree.ElementTree as ET
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.draw.charts.critical_difference import critical_difference_svg

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_names_from_users_are_escaped(theme: str) -> None:
    names = ["<img src=x onerror=alert(1)>", '"]; & é 🙂', "x" * 500]
    svg = critical_difference_svg(names, [1, 2, 3], 0.5, theme=theme)
    ET.fromstring(svg)
    assert "<img" not in svg


@given(st.lists(st.floats(1, 9), min_size=2, max_size=9), st.floats(0.01, 5))
def test_bars_of_methods_that_lie_close_overlap_and_no_others(ranks: list[float], width: float):
    ranks = [min(rank, len(ranks)) for rank in ranks]
    names = [f"m{number}" for number in range(len(ranks))]
    root = ET.fromstring(critical_difference_svg(names, ranks, width, theme="light"))
    bars = [re.findall(r"-?[\d.]+", path.get("d")) for path in root.iter(f"{SVG}path")]
    ends = [(float(x), float(end)) for x, _, end in bars if len({x, end}) == 2][-len(ranks) :]
    for (i, one), (j, other) in combinations(enumerate(np.sort(ranks)), 2):
        if abs(other - one - width) > 0.01:
            assert (ends[j][0] < ends[i][1]) == (other - one < width)
