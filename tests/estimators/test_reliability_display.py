import numpy as np
import pytest

import probtrees
from probtrees.errors import OptionError
from probtrees.estimators.reliability_display import ReliabilityDisplay


@pytest.fixture(scope="module")
def fitted():
    chance = np.random.default_rng(0)
    rows = chance.normal(size=(300, 2))
    y = np.where(rows[:, 0] + chance.normal(size=300) > 0, "ill", "well")
    return probtrees.C45Classifier(smoother="laplace").fit(rows[:150], y[:150]), rows[150:], y[150:]


def test_bins_hold_all_rows_and_what_happened(fitted):
    model, rows, y = fitted
    shown = ReliabilityDisplay.from_estimator(model, rows, y, outcome="ill", n_bins=4)
    assert sum(one.rows for one in shown.bins) == 150
    assert sum(one.cases for one in shown.bins) == pytest.approx(np.sum(y == "ill"))
    assert "ill" in shown.figure_.layout.xaxis.title.text
    assert shown.ax_ is None


def test_it_is_drawn_on_axes_of_matplotlib(fitted):
    figure = pytest.importorskip("matplotlib.figure").Figure()
    axes = figure.subplots()
    model, rows, y = fitted
    shown = ReliabilityDisplay.from_estimator(model, rows, y, ax=axes)
    assert shown.ax_ is axes
    assert axes.get_xlabel() == "predicted chance of well"


def test_a_class_that_is_none_is_refused(fitted):
    with pytest.raises(OptionError, match="must be a class"):
        ReliabilityDisplay.from_estimator(*fitted, outcome="il")


def test_labels_are_held_against_the_outcome():
    labels, chances = ["ill", "well"] * 20, [0.9, 0.2] * 20
    shown = ReliabilityDisplay.from_predictions(labels, chances, outcome="ill")
    assert [one.observed for one in shown.bins] == [0, 1]
    with pytest.raises(OptionError, match=r"outcome='il' must be one of the labels. Did you mean"):
        ReliabilityDisplay.from_predictions(labels, chances, outcome="il")
