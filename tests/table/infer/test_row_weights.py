"""Weights of surveys are offered as the weights of rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.infer.row_weights import ROW_WEIGHTS
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table
from probtrees.ui.shared.finding_words import decided

N = 60


def _table(name: str, values: np.ndarray) -> pd.DataFrame:
    frame = pd.DataFrame({"age": np.arange(N) % 37 + 20, name: values})
    return frame.assign(ill=["yes", "no", "no"] * (N // 3))


def _offers(name: str, values: np.ndarray, **reading: object) -> list[str]:
    report = inspect_table(_table(name, values), target="ill", **reading)
    return [found.kind for found in report.column(name).findings if found.kind == ROW_WEIGHTS]


def _said(options: ReadOptions) -> dict[str, object]:
    return {n: said for n, said in options.arguments.items() if said}


AROUND_ONE = np.linspace(0.4, 2.1, N).round(3)


@pytest.mark.parametrize("name", ["wgt", "weight", "Gewicht", "pond_final", "pweight", "poids"])
def test_numbers_around_one_that_are_called_weights_are_offered(name):
    assert _offers(name, AROUND_ONE) == [ROW_WEIGHTS]
    report = inspect_table(_table(name, AROUND_ONE), target="ill")
    (found,) = (f for f in report.column(name).findings if f.kind == ROW_WEIGHTS)
    weigh = found.fixes[0]
    data = read_table(_table(name, AROUND_ONE), target="ill", roles={name: weigh.value})
    assert data.weights is not None
    assert name not in data.schema.names


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("weight", np.linspace(48.5, 110.2, N)),
        ("wgt", np.arange(N) % 7 + 1.0),
        ("wgt", np.linspace(-0.5, 2.0, N)),
        ("height", AROUND_ONE),
    ],
    ids=["of bodies", "whole numbers", "negative numbers", "another name"],
)
def test_other_numbers_are_not(name, values):
    assert _offers(name, values) == []


def test_who_says_what_the_column_is_for_is_not_asked():
    for role in ("feature", "weight", "ignore"):
        assert _offers("wgt", AROUND_ONE, roles={"wgt": role}) == []


def test_weights_that_were_chosen_are_said_and_taken_back_to_the_question():
    options = ReadOptions().with_fix("wgt", "role", "weight")
    report = inspect_table(_table("wgt", AROUND_ONE), target="ill", **_said(options))
    (said,) = (f for f in report.column("wgt").findings if f.kind == "said")
    (back,) = said.fixes
    assert back.label == "Take it back"
    assert "rows weighted by wgt" in decided(report)
    options = options.with_fix("wgt", back.setting, back.value)
    assert _offers("wgt", AROUND_ONE, **_said(options)) == [ROW_WEIGHTS]
