"""Trees to draw: small, wide, and with hostile names."""

from dataclasses import dataclass

import numpy as np
import pytest

from probtrees.grow.count_tree import LEFT, NOT_RECORDED, RIGHT, CountTree, make_arrays
from probtrees.smooth.m_estimate import Laplace
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Column, Schema
from tests.small_tables import HOSTILE, schema_of

ESCAPED = ("&lt;b&gt;", "a\\nb\\", "line\nbreak\x00")
"""Texts that look escaped already, or need it in DOT."""


@dataclass(frozen=True)
class Drawable:
    smoothed: SmoothedTree
    schema: Schema


def _tree() -> CountTree:
    """Age at 54 (left, right, not recorded); below left: sex, male empty."""
    nan = float("nan")
    counts = np.array([[60, 12], [40, 2], [15, 10], [5, 0], [40, 2], [0, 0]], dtype=float)
    return CountTree(
        target=2,
        arrays=make_arrays(
            parent=[-1, 0, 0, 0, 1, 1],
            depth=[0, 1, 1, 1, 2, 2],
            first_child=[1, 4, -1, -1, -1, -1],
            n_children=[3, 2, 0, 0, 0, 0],
            column=[0, 1, -1, -1, -1, -1],
            threshold=[54, nan, nan, nan, nan, nan],
            branch=[0, LEFT, RIGHT, NOT_RECORDED, 0, 1],
            weight=counts.sum(axis=1),
            counts=counts,
        ),
    )


@pytest.fixture
def small() -> Drawable:
    schema = schema_of("age, sex: female male, ill: no yes")
    return Drawable(Laplace().smooth(_tree()), schema)


@pytest.fixture(params=(*HOSTILE, *ESCAPED), ids=range(len(HOSTILE) + len(ESCAPED)))
def hostile(request: pytest.FixtureRequest) -> Drawable:
    text = request.param
    schema = Schema((Column(text), Column(text, (text, "b")), Column(text, ("no", text))))
    return Drawable(Laplace().smooth(_tree()), schema)
