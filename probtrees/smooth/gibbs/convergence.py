"""Whether a sampler can be believed: what its draws are worth, and what to warn of."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from probtrees.grow.count_tree import CountTree
from probtrees.machine.lazy_module import stats
from probtrees.types import FloatArray

FEWEST_INDEPENDENT = 30
"""Kept sweeps should be worth at least this many independent draws of a concentration."""

_ADVICE = (
    "Try more sweeps (n_iterations), or a prior that leaves less open: a larger prior_shape and "
    "prior_rate."
)

LARGEST_R_HAT = 1.05
"""Chains with a larger R-hat disagree."""


def effective_sample_size(draws: FloatArray) -> float:
    """Estimate how many independent draws would give the mean as precisely.

    The number of draws divided by 1 + 2 sum of autocorrelations, the sum cut where pairs of
    neighbours stop being positive and kept from rising (Geyer 1992, sec. 3.3). Draws that
    never change are worth one; draws that alternate may be worth more than their number.

    >>> effective_sample_size(np.ones(100))
    1.0
    >>> 700 < effective_sample_size(np.random.default_rng(0).normal(size=1000)) < 1300
    True
    """
    n = draws.shape[0]
    centred = draws - draws.mean()
    power = np.abs(np.fft.rfft(centred, 2 * n)) ** 2
    covariance = np.fft.irfft(power)[:n]
    if n < 4 or covariance[0] <= 1e-24 * max(1.0, float(draws.mean() ** 2)) * n:
        return 1.0
    pairs = (covariance[0 : n - 1 : 2] + covariance[1:n:2]) / covariance[0]
    stop = int(np.argmax(pairs <= 0)) if (pairs <= 0).any() else pairs.shape[0]
    time = 2 * np.minimum.accumulate(pairs[:stop]).sum() - 1 if stop else 1.0
    return float(n / max(time, 1 / np.log10(max(n, 10))))


def r_hat(draws: FloatArray) -> float:
    """Compute the rank-normalised split R-hat of some chains, at most about 1.01 if they agree.

    Every chain is cut in two halves; R-hat compares the spread of all draws with the spread
    within halves, so a chain that is still on its way is noticed too. Ranks, made normal,
    stand for the draws, so that a few wild ones do not hide a difference; the larger of the
    values for the draws and for their distances from the median is taken, so that chains of
    equal centre and unequal spread differ too. Vehtari et al. (2021), Bayesian Analysis
    16(2), eq. 1-4 and sec. 4.

    Parameters
    ----------
    draws : float64[n_chains, n_draws], four draws or more in each

    >>> random = np.random.default_rng(0)
    >>> r_hat(random.normal(size=(4, 500))) < 1.02
    True
    >>> r_hat(random.normal(size=(4, 500)) + np.arange(4)[:, None]) > 1.5
    True
    """
    half = draws.shape[1] // 2
    if half < 2:
        return float("inf")
    halves = np.concatenate([draws[:, :half], draws[:, -half:]])
    if (halves == halves[0, 0]).all():
        return 1.0
    folded = np.abs(halves - np.median(halves))
    return max(_between_and_within(_normal_scores(one)) for one in (halves, folded))


def _normal_scores(draws: FloatArray) -> FloatArray:
    """Replace draws by the normal quantiles of their ranks among all chains (Blom's, eq. 14)."""
    ranks = stats.rankdata(draws).reshape(draws.shape)
    return np.asarray(ndtri((ranks - 0.375) / (draws.size + 0.25)))


def _between_and_within(draws: FloatArray) -> float:
    """Compare the spread of all draws with that within chains (eq. 1-4)."""
    n = draws.shape[1]
    within = float(draws.var(axis=1, ddof=1).mean())
    between = float(draws.mean(axis=1).var(ddof=1))
    if within <= 0.0:
        return 1.0 if between <= 0.0 else float("inf")
    return float(np.sqrt((n - 1) / n + between / within))


def warn_of_fractions(tree: CountTree) -> tuple[str, ...]:
    """Warn if the leaves hold fractions of rows."""
    counts = tree.arrays.counts[tree.leaves]
    n_fractional = int((np.abs(counts - np.rint(counts)) > 1e-9).any(axis=1).sum())
    if n_fractional == 0:
        return ()
    return (
        f"HDP needs whole rows: the counts of {n_fractional:,} of {tree.n_leaves:,} leaves, which "
        "hold fractions because of row weights or of missing values split over branches, were "
        "rounded.",
    )


def warn_of_few(size: float, n_kept: int) -> tuple[str, ...]:
    """Warn if the sampler has moved too little.

    Parameters
    ----------
    size : independent draws that the kept sweeps of all chains are worth
    n_kept : these sweeps
    """
    if size >= FEWEST_INDEPENDENT:
        return ()
    return (
        f"The {n_kept:,} sweeps kept by HDP are worth only about {size:.0f} independent ones, so "
        f"another seed may give other probabilities and intervals. {_ADVICE}",
    )


def warn_of_chains(r_hat: float) -> tuple[str, ...]:
    """Warn if chains have not settled on the same concentrations."""
    if r_hat <= LARGEST_R_HAT:
        return ()
    return (
        "The chains disagree: from different starts they have not come to the same "
        f"concentrations (R-hat {r_hat:.2f}, should be at most {LARGEST_R_HAT:g}), so "
        f"probabilities and intervals may be off. {_ADVICE}",
    )
