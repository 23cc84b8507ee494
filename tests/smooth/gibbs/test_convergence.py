"""What draws are worth, whether chains agree, and what is warned of."""

import numpy as np
import pytest

from probtrees.smooth.gibbs.convergence import (
    effective_sample_size,
    r_hat,
    warn_of_chains,
    warn_of_few,
)


def test_effective_sample_size_of_an_autoregression() -> None:
    random = np.random.default_rng(1)
    noise = random.normal(size=20_000)
    draws = np.zeros(20_000)
    for i in range(1, 20_000):
        draws[i] = 0.9 * draws[i - 1] + noise[i]
    assert 700 < effective_sample_size(draws) < 1500
    assert effective_sample_size(np.zeros(10)) == 1
    assert effective_sample_size(np.array([1.0, 2.0])) == 1


def test_chains_that_agree_and_chains_that_do_not() -> None:
    random = np.random.default_rng(2)
    draws = random.normal(size=(4, 1000))
    assert r_hat(draws) < 1.01
    assert r_hat(draws + np.array([[0], [0], [0], [2]])) > 1.1
    assert r_hat(draws * np.array([[1], [1], [1], [5]])) > 1.1
    assert r_hat(draws + np.linspace(0, 3, 1000)) > 1.1


def test_r_hat_is_blind_to_scale_and_to_wild_draws() -> None:
    random = np.random.default_rng(3)
    draws = random.standard_cauchy(size=(4, 500))
    assert r_hat(draws) < 1.02
    assert r_hat(draws) == pytest.approx(r_hat(7 * draws + 3), rel=1e-9)


def test_what_has_not_settled_is_told() -> None:
    (sentence,) = warn_of_few(12.0, 900)
    assert sentence.startswith(
        "The 900 sweeps kept by HDP are worth only about 12 independent ones, so another seed may "
        "give other probabilities and intervals. Try more sweeps"
    )
    assert warn_of_few(30.0, 900) == ()
    assert warn_of_chains(1.05) == ()
    (sentence,) = warn_of_chains(np.inf)
    assert "R-hat inf" in sentence
