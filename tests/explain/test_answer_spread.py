"""How far answers of networks drawn from a posterior are apart."""

from __future__ import annotations

import numpy as np
import pytest

from probtrees.experiment.fit import fit
from probtrees.explain.answer_spread import _drawn, answer_spread, has_spread
from probtrees.explain.network_query import NetworkQuery
from probtrees.smooth.hdp import HDP
from tests.small_tables import patients


def hdp_network(n_rows: int):
    return fit(patients(n_rows), "nb", HDP(n_iterations=200))


def test_draws_have_the_mean_and_the_spread_of_the_posterior() -> None:
    smoothed = hdp_network(60).members[0].trees[1]
    random = np.random.default_rng(1)
    drawn = np.array([_drawn(smoothed, random).probs for _ in range(3000)])
    assert drawn.sum(axis=2) == pytest.approx(1)
    assert drawn.mean(axis=0) == pytest.approx(smoothed.probs, abs=0.03)
    variance = (smoothed.std**2).sum(axis=1)
    assert drawn.var(axis=0).sum(axis=1) == pytest.approx(variance, rel=0.15)


@pytest.mark.slow
def test_answers_lie_around_the_network_s_own_and_closer_with_more_rows() -> None:
    widths = []
    for n_rows in (40, 400):
        model = hdp_network(n_rows)
        assert has_spread(model)
        answers = answer_spread(model, {"sex": "f"}, n_draws=25)
        own = NetworkQuery.of_model(model).ask({"sex": "f"}).target
        assert answers.sum(axis=1) == pytest.approx(1)
        assert answers.mean(axis=0) == pytest.approx(own, abs=0.1)
        widths.append(answers.std(axis=0).max())
    assert widths[1] < widths[0]
