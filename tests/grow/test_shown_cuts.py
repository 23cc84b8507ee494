"""Cuts that are shown shorter part the same rows, and nothing but what is shown changes."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from probtrees.experiment.fit import fit
from probtrees.grow.edits import Edit
from probtrees.grow.shown_cuts import shown_cut, with_shown_cuts
from probtrees.table.read_table import read_table


@given(st.floats(-1e4, 1e4).filter(lambda cut: abs(cut) >= 1e-3), st.floats(1e-4, 100))
def test_a_shown_cut_lies_between_the_cut_and_the_next_value(cut: float, gap: float) -> None:
    shown = shown_cut(cut, cut + gap)
    assert cut - 1e-6 < shown < cut + gap
    assert len(f"{shown:.12g}") <= len(f"{cut:.12g}") or shown == cut


def _frame() -> pd.DataFrame:
    months = np.arange(300) % 97
    return pd.DataFrame({"tenure": months / 12, "left": np.where(months <= 49, "yes", "no")})


def test_a_cut_that_somebody_wrote_is_shown_as_written() -> None:
    data = read_table(_frame(), target="left")
    tree = fit(data).tree.tree
    edit = Edit("split", (), "tenure", float(tree.arrays.threshold[0]))
    assert not with_shown_cuts(data, tree, (edit,)).schema.columns[0].shown_cuts
    assert with_shown_cuts(data, tree).schema.columns[0].shown_cuts
