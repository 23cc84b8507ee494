"""Choose how softly rows are routed, by rows that the trees have never seen."""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from probtrees.grow.count_tree import CountTree
from probtrees.model import _predict_kernels as kernels
from probtrees.model.routing import SoftRouting
from probtrees.smooth.blend import Blend
from probtrees.smooth.candidates import Candidates, hgs_candidates, shrinkage_candidates
from probtrees.smooth.evidence import Evidence, evened_out, least
from probtrees.smooth.hgs import HGS
from probtrees.smooth.shrinkage import Shrinkage
from probtrees.smooth.smoothed_tree import SmoothedTree, Smoother, smooth_like
from probtrees.table.dataset import Dataset
from probtrees.table.repeats import content_order
from probtrees.types import FloatArray

BLURS = (0.0, 0.1, 0.2, 0.4, 0.8)
STRAYS = (0.0, 1.0, 4.0, 16.0, 64.0, 256.0)
PENALTIES = (0.001, 2.0, 8.0, 30.0, 120.0)
STRENGTHS = (0.0, 1.0)
WEIGHTS = (0.02, 0.1, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""The settings tried, all with all; weights where the smoother is HGS."""

MOST_ROWS = 2000
"""Held-out rows that are looked at; more would cost more than they tell."""

STAGES = ((1 / 8, 8, 12), (1 / 3, 3, 5))
"""After this share of the rows, so many routes and so many pairs of settings stay."""

FEWEST_ROWS = 200
"""Rows that must have been looked at before a setting is given up."""


def route_softly(
    data: Dataset, tree: CountTree, evidence: Evidence, smoother: Smoother, seed: int = 0
) -> tuple[SmoothedTree, SoftRouting]:
    """Smooth a tree and choose its soft routing.

    The settings are those under which at most 2,000 held-out rows have the least summed
    Brier score. Shrinkage, and HGS with one weight, are tuned together with the routing,
    since a row that goes down many paths needs less of them; a blend gives way to shrinkage
    for the same reason. Any other smoother keeps its own settings.

    Parameters
    ----------
    data : the rows that the tree was grown from
    evidence : the inner trees of the same rows
    seed : decides which held-out rows are looked at
    """
    has_cuts = bool(np.isfinite(tree.arrays.threshold).any())
    routes = np.array(list(itertools.product(BLURS if has_cuts else BLURS[:1], STRAYS)))
    grid, trees = _grid(smoother), [part.tree for part in evidence.parts]
    if grid is None:
        smoothed, n_sets = smoother.smooth(tree, evidence), 1
        probs = [smooth_like(smoothed, inner, evidence)[:, None] for inner in trees]
    else:
        n_sets = len(grid)
        alone = np.eye(n_sets)
        probs = [np.stack([grid.probs(t, each) for each in alone], axis=1) for t in trees]
    losses = _search(_set_up(data, evidence, probs, seed), routes, n_sets)
    route, best = divmod(least(losses), n_sets)
    if grid is not None:
        smoothed = _with_setting(smoother, tree, grid.table[best])
    blur, stray = routes[route].tolist()
    middle, spread = measure_splits(tree, data)
    tried = {"blur": routes[:, 0], "stray": routes[:, 1], "loss": losses.min(axis=1)}
    return smoothed, SoftRouting(blur, stray, middle, spread, tried)


def measure_splits(tree: CountTree, data: Dataset) -> FloatArray:
    """Measure the middle of every numeric cut's gap and the spread of its values.

    A cut between numbers so large that their squares or sums are infinite is sharp, as written.

    Returns
    -------
    float64[2, n_nodes]: middle, spread
    """
    gates = np.empty((2, tree.n_nodes))
    values = np.ascontiguousarray(data.values)
    kernels.measure_splits(
        tree.arrays, values, data.schema.n_values, data.row_weights, gates[0], gates[1]
    )
    gates[0] = np.where(np.isinf(gates[0]), tree.arrays.threshold, gates[0])
    gates[1] = np.where(np.isfinite(gates[1]), gates[1], 0.0)
    return gates


@dataclass(frozen=True)
class _Bench:
    """One inner tree, ready to try settings on rows it has not seen, in random order.

    ``probs[node, h]`` is what set h of smoother settings says at a node.
    """

    tree: CountTree
    gates: FloatArray
    probs: FloatArray
    rows: Dataset

    def score(
        self, routes: FloatArray, sets: NDArray[np.intp], share: tuple[float, float]
    ) -> FloatArray:
        """Add up the losses of a stretch of the rows for all routes with all sets."""
        losses = np.zeros((len(routes), len(sets)))
        start, end = (round(edge * self.rows.n_rows) for edge in share)
        kernels.score_routes(
            self.tree.arrays,
            self.gates,
            routes,
            np.ascontiguousarray(self.probs[:, sets]),
            self.rows.values[start:end],
            self.rows.schema.n_values,
            self.rows.row_weights[start:end],
            losses,
        )
        return losses


def _set_up(
    data: Dataset, evidence: Evidence, probs: Sequence[FloatArray], seed: int
) -> list[_Bench]:
    random = np.random.default_rng([seed, 2])
    per_part = -(-MOST_ROWS // max(len(evidence.parts), 1))
    benches = []
    for part, of_part in zip(evidence.parts, probs, strict=True):
        in_order = part.rows[content_order(data.take(part.rows))]
        looked_at = random.permutation(in_order)[:per_part]
        gates = measure_splits(part.tree, data.take(part.trained))
        benches.append(_Bench(part.tree, gates, of_part, data.take(looked_at)))
    return benches


def _search(benches: Sequence[_Bench], routes: FloatArray, n_sets: int) -> FloatArray:
    """Score settings on more and more rows, going on with the best ones only.

    Returns
    -------
    float64[n_routes, n_sets], infinite where a setting was given up
    """
    losses = np.zeros((len(routes), n_sets))
    n_rows = sum(bench.rows.n_rows for bench in benches)
    kept_routes, kept_sets = np.arange(len(routes)), np.arange(n_sets)
    seen = 0.0
    for share, n_routes, n_pairs in (*STAGES, (1.0, 1, 1)):
        until = min(1.0, max(share, FEWEST_ROWS / max(n_rows, 1)))
        kept = np.ix_(kept_routes, kept_sets)
        ask = partial(_Bench.score, routes=routes[kept_routes], sets=kept_sets, share=(seen, until))
        with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:  # side by side
            losses[kept] += sum(pool.map(ask, benches))
        seen = until
        if until == 1.0:
            break
        so_far = evened_out(losses[kept])
        by_route = so_far.min(axis=1)
        best_routes = kept_routes[np.sort(np.argsort(by_route, kind="stable")[:n_routes])]
        pairs = np.argsort(so_far, axis=None, kind="stable")[:n_pairs]
        best_sets = np.unique(kept_sets[pairs % len(kept_sets)])
        given_up = np.ones_like(losses, dtype=np.bool_)
        given_up[np.ix_(best_routes, best_sets)] = False
        losses[given_up] = np.inf
        kept_routes, kept_sets = best_routes, best_sets
    return losses


def _grid(smoother: Smoother) -> Candidates | None:
    """List the settings to tune together with the routing; None: the smoother keeps its own."""
    if isinstance(smoother, Blend):
        return shrinkage_candidates(PENALTIES, STRENGTHS)
    if isinstance(smoother, Shrinkage) and smoother.needs_evidence:
        return shrinkage_candidates(
            PENALTIES if smoother.penalty is None else (smoother.penalty,),
            STRENGTHS if smoother.strength is None else (smoother.strength,),
        )
    if isinstance(smoother, HGS) and (smoother.fit, smoother.weights) == ("evidence", "single"):
        return hgs_candidates(WEIGHTS, smoother.uniform)
    return None


def _with_setting(smoother: Smoother, tree: CountTree, setting: FloatArray) -> SmoothedTree:
    """Smooth a tree with one of the settings of the grid."""
    penalty, strength, weight, _ = setting
    if isinstance(smoother, HGS):
        return smoother.with_weights(tree, np.array([weight]))
    return Shrinkage(penalty=penalty, strength=strength).smooth(tree)
