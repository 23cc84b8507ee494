"""A tree in a few sentences."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from probtrees.experiment.fit import fit
from probtrees.explain.tree_summary import tree_summary
from probtrees.table.read_table import load_sample, read_table
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
    random = np.random.default_rng(0)
    south, plant = random.random(600) < 0.3, random.integers(0, 15, 600)
    ill = random.random(600) < np.where(south, 0.6, 0.1)
    region = np.where(south, "South", "North")
    frame = pd.DataFrame({"region": region, "plant": [f"P{k}" for k in plant], "ill": ill})
    model = fit(read_table(frame.astype(str), target="ill"), "c45", "hgs")
    words = tree_summary(model.tree, model.schema, 1, model.track_record)
    number = r"([\d.]+) %"
    named = re.findall(
        rf"region is (\w+): (?:{number}, [^,]*, which is )?{number} \(([\d.]+) to {number}\)", words
    )
    assert [each[0] for each in named] == ["South", "North"]
    assert all(float(low) <= float(share) <= float(high) for *_, share, low, high in named)
    assert model.tree.tree.n_leaves > 15
    assert words.count("- where") == 2


def test_every_group_is_told_or_counted():
    model = fit(load_sample("titanic"), "c45", "hgs", track_record=True)
    words = tree_summary(model.tree, model.schema, 1, model.track_record)
    assert words.count("- where") == model.tree.tree.n_leaves == 10
    assert "age is child: 96.9 %" in words.partition("Other groups:")[2]
    model = fit(load_sample("heart"), "c45", "hgs", track_record=True)
    words = tree_summary(model.tree, model.schema, 1, model.track_record)
    assert re.search(r"And \d+ more groups of \d+ rows, from [\d.]+ % to [\d.]+ %\.", words)


def test_without_a_record_no_group_is_named():
    model = fit(patients(100), "c45", "mle")
    words = tree_summary(model.tree, model.schema, 0)
    assert "none of them is named" in words
    assert "9 in 10" not in words
    assert words.startswith("Of ")
