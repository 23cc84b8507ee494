"""Settings of linear smoothers, tried on rows that the tree has never seen.

Two families, both linear: a node's estimate is an average of the frequencies along its
path, so any mixture of them is one too.

Hierarchical shrinkage (Agarwal et al. 2022), from the root down:

.. math::
    phi_v = (n_v + m phi_p) / (N_v + m),
    psi_v = psi_p + (phi_v - phi_p) / (1 + lambda / N_p)

Hierarchical smoothing with one weight for all ancestors and a uniform above the root:

.. math:: p_k = (n_k + w sum_a n_ak / n_a + u / K) / (n + w depth + u)

n_k = counts, N = their sum, p = the parent, a = the ancestors, m = strength,
lambda = penalty, w = weight, u = uniform. A node without rows answers like its parent.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from probtrees.grow.count_tree import CountTree
from probtrees.machine.kernel_cache import runnable
from probtrees.smooth import _candidates_kernels as kernels
from probtrees.smooth.evidence import Evidence
from probtrees.types import FloatArray

Loss = Literal["squared", "log"]


@dataclass(frozen=True)
class Candidates:
    """Settings to choose from or to mix.

    Attributes
    ----------
    table : float64[n_candidates, 4], columns penalty, strength, weight, uniform; the first
        two are NaN for hierarchical smoothing, the last two for hierarchical shrinkage
    """

    table: FloatArray

    def __len__(self) -> int:
        return int(self.table.shape[0])

    def __add__(self, other: Candidates) -> Candidates:
        return Candidates(np.concatenate([self.table, other.table]))

    def losses(self, evidence: Evidence, loss: Loss = "squared") -> FloatArray:
        """Add up, for every candidate, the losses of all held-out rows."""
        total = np.zeros(len(self))
        for part in evidence.parts:
            given = part.tree.arrays, part.tree.totals, self.table, part.added_up
            runnable(kernels.add_losses)(*given, loss == "log", total)
        return total

    def probs(self, tree: CountTree, shares: FloatArray) -> FloatArray:
        """Give every node the candidates' average by share."""
        mixture = np.empty_like(tree.arrays.counts)
        kernels.mix_candidates(tree.arrays, tree.totals, self.table, shares, mixture)
        return mixture

    def path_shares(self, tree: CountTree, path: Sequence[int], shares: FloatArray) -> FloatArray:
        """Return how much of a node's estimate comes from each node on its path.

        Parameters
        ----------
        path : a node that has rows, then its ancestors up to the root

        Returns
        -------
        float64[len(path) + 1], the last one the uniform's
        """
        totals = tree.totals[list(path)]
        mixture = np.zeros(len(path) + 1)
        for candidate, share in zip(self.table, shares, strict=True):
            if share > 0:
                mixture += share * _path_shares(totals, candidate)
        return mixture


def shrinkage_candidates(penalties: Sequence[float], strengths: Sequence[float]) -> Candidates:
    """List the settings of hierarchical shrinkage: every penalty with every strength."""
    pairs = [(penalty, m) for m, penalty in itertools.product(strengths, penalties)]
    return Candidates(np.array([(*pair, np.nan, np.nan) for pair in pairs]))


def hgs_candidates(weights: Sequence[float] | FloatArray, uniform: float) -> Candidates:
    """List the settings of hierarchical smoothing with one weight for all ancestors."""
    return Candidates(np.array([(np.nan, np.nan, weight, uniform) for weight in weights]))


def _path_shares(totals: FloatArray, candidate: FloatArray) -> FloatArray:
    """Shares of one candidate along a path, the node first; the last is the uniform's."""
    penalty, strength, weight, uniform = candidate
    if np.isnan(weight):
        return _shrinkage_shares(totals, penalty, strength)
    lent = np.append(totals[0], np.full(len(totals) - 1, weight))
    return np.asarray(np.append(lent, uniform) / (lent.sum() + uniform))


def _shrinkage_shares(totals: FloatArray, penalty: float, strength: float) -> FloatArray:
    """Unroll both recursions of hierarchical shrinkage from the node up to the root.

    The step into a node is shortened by ``kept`` of its parent. A node's phi enters the sum
    with what was kept on the way in, less what is kept on the way out.
    """
    kept = totals[1:] / (totals[1:] + penalty)
    on_phi = np.append(kept, 1.0) - np.append(0.0, kept)
    shares = np.zeros(len(totals) + 1)
    passed_up = 0.0
    for place, total in enumerate(totals):
        is_root = place == len(totals) - 1
        carried = on_phi[place] + passed_up
        own = total / (total + (1.0 if is_root else strength))
        shares[place] = carried * own
        passed_up = carried * (1 - own)
    shares[-1] = passed_up
    return shares
