"""Weights of surveys are offered as the weights of rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyreadstat
import pytest
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.infer.row_weights import ROW_WEIGHTS
from probtrees.ui.shared.finding_words import decided, is_question

from probtrees.explain.rule import all_rows_text
from probtrees.grow.c45 import C45
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table

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
    ("name", "label", "is_offered"),
    [
        ("v7", "Final teacher weight", True),
        ("v7", "design weight", True),
        ("v7", "Gewicht der Person (Hochrechnung)", True),
        ("TCHWGT", "", True),
        ("W_FSTUWT", "", True),
        ("v7", "Body weight", False),
        ("v7", "Final weight", False),
        ("v7", "Final teacher weight in kg", False),
        ("v7", "Gewicht der Person", False),
        ("v7", "", False),
    ],
)
def test_weights_far_from_one_are_offered_by_the_label_of_their_column(
    tmp_path, name, label, is_offered
):
    frame = _table(name, np.linspace(18.5, 96.2, N))
    pyreadstat.write_sav(frame, tmp_path / "t.sav", column_labels={name: label})
    report = inspect_table(tmp_path / "t.sav", target="ill")
    asked = [f for f in report.column(name).findings if f.kind == ROW_WEIGHTS]
    assert len(asked) == is_offered
    assert all(is_question(found, report) for found in asked)


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
    *_, back = said.fixes
    assert back.label == "Take it back"
    assert "rows weighted by wgt (numbers of rows are sums of weights)" in decided(report)
    options = options.with_fix("wgt", back.setting, back.value)
    assert _offers("wgt", AROUND_ONE, **_said(options)) == [ROW_WEIGHTS]


def test_weights_that_are_not_whole_are_scaled_to_the_rows_and_used_as_they_are_by_a_click():
    frame = _table("wgt", AROUND_ONE + 0.4)
    options = ReadOptions().with_fix("wgt", "role", "weight")
    report = inspect_table(frame, target="ill", **_said(options))
    (said,) = (f for f in report.column("wgt").findings if f.kind == "said")
    assert "scaled to a mean of 1 where it is 1.65" in said.sentence
    data = read_table(frame, target="ill", **_said(options))
    assert data.weights is not None
    assert data.weights.sum() == pytest.approx(N)
    np.testing.assert_allclose(data.weights * (AROUND_ONE + 0.4).mean(), AROUND_ONE + 0.4)
    plain = options.with_fix("wgt", said.fixes[0].setting, said.fixes[0].value)
    kept = read_table(frame, target="ill", **_said(plain))
    assert kept.weights is not None
    np.testing.assert_array_equal(kept.weights, AROUND_ONE + 0.4)
    again = inspect_table(frame, target="ill", **_said(plain))
    back = next(
        f for f in again.findings if f.kind == "said" and "as they are written" in f.sentence
    )
    assert plain.with_fix(None, back.fixes[0].setting, back.fixes[0].value) == options


def test_whole_weights_are_frequencies_and_stay():
    data = read_table(_table("wgt", np.arange(N) % 7 + 1.0), "ill", roles={"wgt": "weight"})
    assert data.weights is not None
    assert data.weights.sum() > N
    tree = C45().grow(data)
    assert not tree.is_weighted
    assert all_rows_text(tree) == "all rows"


def test_sums_of_weights_are_called_weighted():
    tree = C45().grow(read_table(_table("wgt", AROUND_ONE), "ill", roles={"wgt": "weight"}))
    assert tree.totals[0] == pytest.approx(N)
    assert all_rows_text(tree) == "all rows, weighted"
    assert not C45().grow(read_table(_table("height", AROUND_ONE), "ill")).is_weighted


def test_whole_numbers_of_people_that_a_row_stands_for_are_asked_about():
    rows = [f"{n % 9},{120 + n * 37 % 800},{60 + n * 7 % 45},{'ab'[n % 2]}" for n in range(200)]
    text = "\n".join(["x,fexp,gew,y", *rows]).encode()
    found = [f.column for f in inspect_table(("t.csv", text)).findings if f.kind == "row weights"]
    assert found == ["fexp"]  # 60 to 104 are rather kilograms
