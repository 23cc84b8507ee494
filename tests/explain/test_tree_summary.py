"""A tree in a few sentences."""

from __future__ import annotations

import re

from probtrees.experiment.fit import fit
from probtrees.explain.tree_summary import tree_summary
from tests.small_tables import patients


def test_only_groups_that_unseen_rows_support_are_named():
    model = fit(patients(300), "c45", "hgs")
    words = tree_summary(model.tree, model.schema, 0, model.track_record)
    counts = model.tree.tree.arrays.counts
    base = counts[0, 0] / counts[0].sum()
    above, _, below = words.partition("clearly below")
    for part, sign in ((above.partition("clearly above")[2], 1), (below, -1)):
        for low, high in re.findall(r"\(([\d.]+) to ([\d.]+) %\)", part):
            near = float(low) if sign > 0 else float(high)
            assert sign * (near / 100 - base) > -0.011
    assert "What not to conclude" in words


def test_a_group_told_in_many_leaves_is_named_whole_and_inside_its_own_range():
    model = fit(patients(600), "c45", "hgs")
    tree = model.tree.tree
    for outcome in (0, 1):
        words = tree_summary(model.tree, model.schema, outcome, model.track_record)
        named = re.findall(r": ([\d.]+) % \(([\d.]+) to ([\d.]+) %\), [\d,]+ of ([\d,]+)", words)
        assert named
        assert all(float(low) <= float(chance) <= float(high) for chance, low, high, _ in named)
        assert (
            max(int(rows.replace(",", "")) for *_, rows in named) > tree.totals[tree.leaves].max()
        )


def test_without_a_record_no_group_is_named():
    model = fit(patients(100), "c45", "mle")
    words = tree_summary(model.tree, model.schema, 0)
    assert "none of them is named" in words
    assert "9 in 10" not in words
    assert words.startswith("Of ")
