"""The critical-difference diagram: valid SVG, everything on it, nothing unescaped."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.draw.charts.critical_difference import critical_difference_svg, tied_groups

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_names_from_users_are_escaped(theme: str) -> None:
    names = ["<img src=x onerror=alert(1)>", '"]; & é 🙂', "x" * 500]
    svg = critical_difference_svg(names, [1, 2, 3], 0.5, theme=theme)
    ET.fromstring(svg)
    assert "<img" not in svg


@given(st.lists(st.floats(1, 9), min_size=1, max_size=12), st.floats(0.01, 5))
def test_bars_join_what_lies_close_and_nothing_else(ranks: list[float], width: float) -> None:
    ascending = np.sort(ranks)
    groups = tied_groups(ascending, width)
    joined = {
        (i, j) for first, last in groups for i in range(first, last) for j in range(i + 1, last + 1)
    }
    close = {
        (i, j)
        for i in range(len(ranks))
        for j in range(i + 1, len(ranks))
        if ascending[j] - ascending[i] < width
    }
    assert joined == close
    ET.fromstring(critical_difference_svg([f"m{i}" for i in range(len(ranks))], ranks, width))
