"""Cuts that are shown shorter part the same rows, and nothing but what is shown changes."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from probtrees.draw.code.rules_as_code import sql_rules
from probtrees.draw.tables import leaf_table
from probtrees.draw.tree_data import tree_texts
from probtrees.experiment.fit import fit, load_model
from probtrees.explain.path import path_steps
from probtrees.explain.rule import rule_text
from probtrees.grow.edits import Edit
from probtrees.grow.shown_cuts import shown_cut, with_shown_cuts
from probtrees.model.model import Model
from probtrees.table.read_table import read_table


@given(st.floats(-1e4, 1e4).filter(lambda cut: abs(cut) >= 1e-3), st.floats(1e-4, 100))
def test_a_shown_cut_lies_between_the_cut_and_the_next_value(cut: float, gap: float) -> None:
    shown = shown_cut(cut, cut + gap)
    assert cut - 1e-6 < shown < cut + gap
    assert len(f"{shown:.12g}") <= len(f"{cut:.12g}") or shown == cut


def test_a_cut_below_nothing_is_whole() -> None:
    assert shown_cut(2.71828, math.inf) == 3.0


def _frame() -> pd.DataFrame:
    months = np.arange(300) % 97
    return pd.DataFrame({"tenure": months / 12, "left": np.where(months <= 49, "yes", "no")})


def test_pictures_and_sentences_show_the_short_cut_and_exports_the_exact_one(tmp_path) -> None:
    frame = _frame()
    model = fit(read_table(frame, target="left"))
    smoothed, exact = model.tree, 49 / 12
    assert float(smoothed.tree.arrays.threshold[0]) == exact
    for schema in (model.schema, _again(model, tmp_path).schema):
        assert rule_text(smoothed.tree, schema, 1) == "tenure ≤ 4.1"
        texts = tree_texts(smoothed.tree, schema)
        assert texts["title"][1] == "tenure ≤ 4.1"
        assert texts["split"][0] == "tenure at 4.1"
    assert "4.08333333333" in leaf_table({"MLE": smoothed}, model.schema, 1)["rule"].iloc[0]
    assert repr(exact) in sql_rules(smoothed, model.schema)
    beside = path_steps(smoothed, model.schema, 2, 0, np.array([4.09, np.nan]))
    assert beside[1].condition == "tenure is above 4.08333333333"


def test_a_cut_that_somebody_wrote_is_shown_as_written() -> None:
    data = read_table(_frame(), target="left")
    tree = fit(data).tree.tree
    edit = Edit("split", (), "tenure", float(tree.arrays.threshold[0]))
    assert not with_shown_cuts(data, tree, (edit,)).schema.columns[0].shown_cuts
    assert with_shown_cuts(data, tree).schema.columns[0].shown_cuts


def _again(model: Model, folder) -> Model:
    model.save(folder / "model.json")
    return load_model(folder / "model.json")
