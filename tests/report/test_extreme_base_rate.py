"""A base rate of 95 %: pictures of a report and of a notebook say where their colours end."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import probtrees


@pytest.fixture(scope="module")
def model() -> probtrees.FittedModel:
    chance = {"a": 0.99, "b": 0.05, "c": 0.5}
    place = np.repeat(["a", "b", "c"], [2800, 100, 100])
    drawn = np.random.default_rng(0).random(len(place))
    passed = np.where(drawn < [chance[name] for name in place], "yes", "no")
    table = pd.DataFrame({"place": place, "passed": passed})
    return probtrees.fit(table, target="passed", smoother="laplace")


def test_a_report_and_a_notebook_say_where_the_colours_end(model, tmp_path) -> None:
    path = tmp_path / "report.html"
    model.report(path, outcome="yes")
    for page in (path.read_text(), model.plot(outcome="yes")._repr_html_()):
        assert "far below (12 % or less)" in page
