from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.score.bias_variance import bias_variance


def distributions(random: np.random.Generator, n: int, k: int) -> np.ndarray:
    return random.dirichlet(np.ones(k), n)


@given(st.integers(2, 6), st.integers(1, 12), st.integers(2, 4), st.integers(0, 2**31))
def test_bias_and_variance_add_up_to_the_loss(runs: int, n: int, k: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    forecasts = [distributions(random, n, k) for _ in range(runs)]
    labels = random.integers(0, k, n)
    split = bias_variance(forecasts, labels)
    brier = np.mean([((f - np.eye(k)[labels]) ** 2).sum(axis=1).mean() for f in forecasts])
    error = np.mean([(f.argmax(axis=1) != labels).mean() for f in forecasts])
    for name, loss in (("brier", brier), ("error", error)):
        parts = split[f"{name}_bias"] + split[f"{name}_variance"]
        assert (split[name], parts) == pytest.approx((loss, loss), abs=1e-12)


def test_weights_in_bias_and_variance_count_like_repeated_rows() -> None:
    random = np.random.default_rng(3)
    runs = [distributions(random, 6, 3) for _ in range(4)]
    labels, times = random.integers(0, 3, 6), np.array([1, 2, 0, 3, 1, 1])
    weighted = bias_variance(runs, labels, times)
    rows = np.repeat(np.arange(6), times)
    repeated = bias_variance([run[rows] for run in runs], labels[rows])
    assert weighted == pytest.approx(repeated, abs=1e-12)
