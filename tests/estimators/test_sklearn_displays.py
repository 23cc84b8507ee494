import io

import numpy as np
import pandas as pd
import pytest

import probtrees
from probtrees.errors import OptionError
from probtrees.estimators.sklearn_displays import LeafExplanationDisplay, ReliabilityDisplay


@pytest.fixture(scope="module")
def rows():
    chance = np.random.default_rng(0)
    frame = pd.DataFrame({"age": chance.normal(50, 9, 200), "<b>$": chance.normal(size=200)})
    return frame, (frame["age"] + chance.normal(0, 4, 200) > 55).astype(int).to_numpy()


@pytest.fixture(scope="module")
def fitted(rows):
    return probtrees.C45Classifier(smoother="laplace", min_leaf=10).fit(*rows)


def test_a_row_and_its_leaf_are_one_picture(fitted, rows):
    frame, _ = rows
    row = frame.iloc[[3]]
    of_row = LeafExplanationDisplay.from_estimator(fitted, row, outcome=1)
    of_leaf = LeafExplanationDisplay.from_estimator(fitted, fitted.apply(row)[0], outcome=1)
    assert of_row.explanation == of_leaf.explanation
    assert of_row.explanation.probability == pytest.approx(fitted.predict_proba(row)[0, 1])
    assert "<b>$" not in of_row._repr_html_()
    assert of_row.ax_ is None
    named = LeafExplanationDisplay.from_estimator(fitted, row.iloc[0], outcome=1)
    assert named.explanation == of_row.explanation


def test_the_classes_of_an_estimator_may_be_numbers(fitted, rows):
    first = LeafExplanationDisplay.from_estimator(fitted, rows[0].iloc[[0]], outcome=0)
    second = LeafExplanationDisplay.from_estimator(fitted, rows[0].iloc[[0]], outcome=1)
    together = first.explanation.probability + second.explanation.probability
    assert together == pytest.approx(1)
    with pytest.raises(OptionError, match="must be a class"):
        LeafExplanationDisplay.from_estimator(fitted, 0, outcome=2)
    with pytest.raises(OptionError, match="must be a class"):
        ReliabilityDisplay.from_estimator(fitted, *rows, outcome=2)


def test_both_are_drawn_on_axes_of_matplotlib(fitted, rows):
    axes, others = pytest.importorskip("matplotlib.figure").Figure().subplots(2)
    shown = LeafExplanationDisplay.from_estimator(fitted, 2, outcome=1, ax=axes)
    assert (shown.ax_, axes.get_xlabel()) == (axes, "chance of 1")
    assert list(axes.lines[0].get_xdata()) == [step.estimate for step in shown.explanation.steps]
    judged = ReliabilityDisplay.from_estimator(fitted, *rows, ax=others)
    assert (judged.ax_, judged.figure_) == (others, None)
    assert others.get_xlabel() == "predicted chance of 1"
    assert judged.plot().figure_ is not None
    axes.figure.savefig(io.BytesIO())


def test_bins_hold_all_rows_and_what_happened(fitted, rows):
    shown = ReliabilityDisplay.from_estimator(fitted, *rows, outcome=1, n_bins=4)
    assert sum(one.rows for one in shown.bins) == 200
    assert sum(one.cases for one in shown.bins) == pytest.approx(rows[1].sum())
    labels, chances = ["ill", "well"] * 20, [0.9, 0.2] * 20
    shown = ReliabilityDisplay.from_predictions(labels, chances, outcome="ill")
    assert [one.observed for one in shown.bins] == [0, 1]
    assert "ill" in shown.figure_.layout.xaxis.title.text
    with pytest.raises(OptionError, match=r"outcome='il' must be an outcome of the target"):
        ReliabilityDisplay.from_predictions(labels, chances, outcome="il")
