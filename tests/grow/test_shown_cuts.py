"""Cuts that are shown shorter part the same rows."""

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from probtrees.experiment.fit import fit
from probtrees.explain.rule import branch_condition
from probtrees.grow.shown_cuts import shown_cut, with_shown_cuts
from probtrees.table.read_table import read_table


@given(st.floats(-1e4, 1e4).filter(lambda cut: abs(cut) >= 1e-3), st.floats(1e-4, 100))
def test_a_shown_cut_lies_between_the_cut_and_the_next_value(cut: float, gap: float) -> None:
    shown = shown_cut(cut, cut + gap)
    assert cut - 1e-6 < shown < cut + gap
    assert len(f"{shown:.12g}") <= len(f"{cut:.12g}") or shown == cut


def test_only_a_computed_cut_is_shown_shorter_and_no_value_lies_between() -> None:
    frame = pd.DataFrame({"dti": [*np.arange(300, 410), *np.arange(412, 522)]}) / 10
    frame = frame.assign(months=frame["dti"] / 12, y=np.repeat(["no", "yes"], 110))
    for name, shown in (("dti", 40.9), ("months", 3.41)):
        tree = fit(read_table(frame[[name, "y"]], target="y")).trees[0].tree
        schema = with_shown_cuts(read_table(frame[[name, "y"]], target="y"), tree).schema
        assert branch_condition(tree, schema, 1).up_to == tree.arrays.threshold[0]
        assert branch_condition(tree, schema, 1).predicate == f"≤ {shown}"
