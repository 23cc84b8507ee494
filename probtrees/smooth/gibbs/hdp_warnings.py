"""Warnings of the HDP sampler: rounded rows, too few sweeps, chains that disagree."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from probtrees.grow.count_tree import CountTree
from probtrees.types import FloatArray

FEWEST_INDEPENDENT = 30
"""Kept sweeps should be worth at least this many independent draws of a concentration."""

MOST_ADVISED = 1_000_000
"""More sweeps than this are not advised; then the prior should say more."""

LARGEST_R_HAT = 1.05
"""Chains with a larger R-hat disagree."""


def warn_of_fractions(tree: CountTree) -> tuple[str, ...]:
    """Warn if the leaves hold fractions of rows, and of where these come from."""
    n_fractional = int(_has_fractions(tree.arrays.counts[tree.leaves]).sum())
    if n_fractional == 0:
        return ()
    return (
        f"HDP needs whole rows: the counts of {n_fractional:,} of {tree.n_leaves:,} leaves, which "
        f"hold fractions {_cause(tree)}, were rounded.",
    )


def _cause(tree: CountTree) -> str:
    """Return what makes a tree's counts fractional.

    Splitting a row over branches leaves the root's counts as they are, and a grown tree has
    ``fragments`` exactly if it split rows.
    """
    is_weighted = bool(_has_fractions(tree.arrays.counts[:1])[0])
    if tree.fragments is None:
        if is_weighted:
            return "because of row weights"
        return "because of row weights or of missing values split over branches"
    if is_weighted:
        return "because of row weights and of missing values split over branches"
    return "of rows with missing values, which were split over branches"


def _has_fractions(counts: FloatArray) -> NDArray[np.bool_]:
    return np.asarray((np.abs(counts - np.rint(counts)) > 1e-9).any(axis=1))


def warn_of_few(size: float, n_kept: int, n_iterations: int, n_chains: int) -> tuple[str, ...]:
    """Warn if the sampler has moved too little.

    Parameters
    ----------
    size : independent draws that the kept sweeps of all chains are worth
    n_kept : kept sweeps of each chain
    """
    if size >= FEWEST_INDEPENDENT:
        return ()
    whose = f"each of HDP's {n_chains} chains" if n_chains > 1 else "HDP"
    together = "together " if n_chains > 1 else ""
    return (
        f"The {n_kept:,} sweeps kept by {whose} are {together}worth only about {size:.0f} "
        "independent ones, so another seed may give other probabilities and intervals. "
        + _advise(n_iterations, n_iterations * 2 * FEWEST_INDEPENDENT / max(size, 1.0)),
    )


def warn_of_chains(r_hat: float, n_iterations: int) -> tuple[str, ...]:
    """Warn if chains have not settled on the same concentrations."""
    if r_hat <= LARGEST_R_HAT:
        return ()
    return (
        "The chains disagree: from different starts they have not come to the same "
        f"concentrations (R-hat {r_hat:.2f}, should be at most {LARGEST_R_HAT:g}), so "
        f"probabilities and intervals may be off. {_advise(n_iterations, n_iterations * 4)}",
    )


def _advise(n_iterations: int, enough: float) -> str:
    """Advise more sweeps, or a prior that says more where they would be far too many."""
    if enough <= MOST_ADVISED:
        return f"Try n_iterations={_round_up(enough)}."
    more = f"n_iterations={MOST_ADVISED}, or " if n_iterations < MOST_ADVISED else ""
    return f"Try {more}a prior that leaves less open: a larger prior_shape and prior_rate."


def _round_up(number: float) -> int:
    """Round up to one leading digit.

    >>> _round_up(1234)
    2000
    """
    unit = 10.0 ** int(math.log10(number))
    return int(math.ceil(number / unit) * unit)
