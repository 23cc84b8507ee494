"""A tree in a few sentences."""

import re

import numpy as np
import pandas as pd
import pytest

from probtrees.experiment.fit import fit
from probtrees.explain.tree_summary import tree_summary
from probtrees.table.dataset import Dataset
from probtrees.table.read_table import load_sample, read_table
from probtrees.words import percent
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


def told(words: str) -> list[tuple[int, int, str]]:
    """List what groups are said to have: cases, rows, and the share as it is printed."""
    found = re.findall(r"([\d,]+) of ([\d,]+) rows? had it \(([\d.]+ %)\)", words)
    return [(int(c.replace(",", "")), int(r.replace(",", "")), share) for c, r, share in found]


@pytest.mark.parametrize(("sample", "outcome"), [("titanic", 1), ("heart", 1), ("plants", 1)])
def test_every_row_is_told_of_once_and_shares_are_those_of_the_counts(sample, outcome):
    data = plants() if sample == "plants" else load_sample(sample)
    model = fit(data, "c45", "hgs", track_record=True)
    words = tree_summary(model.tree, model.schema, outcome, model.track_record)
    groups, tree = told(words), model.tree.tree
    totals = tree.arrays.counts[0, outcome], tree.totals[0]
    assert (sum(c for c, *_ in groups), sum(r for _, r, _ in groups)) == totals
    assert all(share == percent(cases / rows) for cases, rows, share in groups)
    assert ("more groups" in words) != ("Other groups" in words or words.count("- where") == 2)
    within = re.findall(r"\(([\d.]+) %\), in all such rows ([\d.]+) to ([\d.]+) %", words)
    assert all(float(low) <= float(share) <= float(high) for share, low, high in within)
    if sample == "titanic":
        assert "age is child: 96.9 % " in words.partition("Other groups:")[2]
    if sample == "plants":  # told in many leaves, named whole
        assert re.findall(r"where region is (\w+):", words) == ["South", "North"]
        assert tree.n_leaves > 15


@pytest.mark.parametrize(("n_values", "head"), [(3, "Its groups:"), (12, "In its 12 groups: ")])
def test_groups_that_do_not_stand_out_are_told_of_too(n_values, head):
    random, n = np.random.default_rng(5), 360
    frame = pd.DataFrame({"ward": random.permutation([f"w{k % n_values}" for k in range(n)])})
    frame["ill"] = np.where(random.random(n) < 0.3, "yes", "no")
    options = {"prune": "none", "collapse": False}
    model = fit(read_table(frame, "ill"), "c45", "hgs", options=options, track_record=True)
    words = tree_summary(model.tree, model.schema, 1, model.track_record)
    assert "No group's chance is clearly above or below" in words
    assert head in words
    totals = [sum(numbers) for numbers in list(zip(*told(words), strict=True))[:2]]
    assert totals == [(frame.ill == "yes").sum(), n]
    assert ("In brackets" in words) == (n_values == 3)


def plants() -> Dataset:
    random = np.random.default_rng(0)
    south, plant = random.random(600) < 0.3, random.integers(0, 15, 600)
    ill = random.random(600) < np.where(south, 0.6, 0.1)
    region = np.where(south, "South", "North")
    frame = pd.DataFrame({"region": region, "plant": [f"P{k}" for k in plant], "ill": ill})
    return read_table(frame.astype(str), target="ill")


def test_without_a_record_no_group_is_named():
    model = fit(patients(100), "c45", "mle")
    words = tree_summary(model.tree, model.schema, 0)
    assert "none of them is named" in words
    assert "9 in 10" not in words
    assert words.startswith("Of ")
