"""A tree as plain lists for the picture in the browser."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np

from probtrees.draw.tree_data import tree_numbers, tree_texts
from probtrees.table.dataset import Schema


def test_branches_are_named_without_their_column(small):
    texts = tree_texts(small.smoothed.tree, small.schema)
    assert texts["title"][1] == "age ≤ 54"
    assert texts["branch"][1] == "≤ 54"
    assert texts["names"][texts["column"][0]] == "age"
    assert texts["leaves"] == small.smoothed.tree.n_leaves - 1
    assert texts["empty"] == [5]
    json.dumps(texts)


def test_a_group_says_what_a_cut_tree_would_or_the_mean_of_its_leaves(small):
    smoothed, tree = small.smoothed, small.smoothed.tree
    numbers = tree_numbers(smoothed, outcome=1)
    np.testing.assert_allclose(numbers["answer"], smoothed.probs[:, 1], atol=1e-9)
    sampled = tree_numbers(replace(smoothed, std=np.zeros_like(smoothed.probs)), outcome=1)
    leaves = tree.leaves
    mean = np.average(smoothed.probs[leaves, 1], weights=tree.totals[leaves])
    assert abs(sampled["answer"][0] - mean) < 1e-8
    np.testing.assert_allclose(
        np.array(sampled["answer"])[leaves], smoothed.probs[leaves, 1], atol=1e-9
    )
    assert sampled["answerWords"] != numbers["answerWords"]


def test_the_target_goes_by_its_label_as_the_other_columns_do(small):
    *others, target = small.schema.columns
    labelled = Schema((*others, replace(target, label="Came back within a year?")))
    tree = small.smoothed.tree
    assert tree_texts(tree, small.schema)["target"] == target.name
    assert tree_texts(tree, labelled)["target"] == f"Came back within a year? ({target.name})"
