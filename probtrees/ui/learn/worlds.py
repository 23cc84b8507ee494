"""Known truths to try the methods on: who is right can only be said where the truth is known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from probtrees.smooth.hdp import HDP
from probtrees.types import FloatArray, IntArray
from probtrees.ui.learn.subject import GENE_ENDS, GENE_PARENT, MALE_CARRIERS, count_tree

REPEATS = 200
SWEEPS = 200
"""Samples that are drawn of a world, and sweeps of HDP on each of them."""


@dataclass(frozen=True)
class World:
    """A tree whose leaves have known chances.

    Attributes
    ----------
    title : what the chooser says
    parent : the parent of every node, in level order
    names : what leads to every node
    ends : the leaves
    chances, rows : of each of them, in the same order
    leaf : the leaf that is asked about; it gets as many rows as the reader wants
    """

    title: str
    parent: tuple[int, ...]
    names: tuple[str, ...]
    ends: tuple[int, ...]
    chances: tuple[float, ...]
    rows: tuple[int, ...]
    leaf: int

    @property
    def truth(self) -> float:
        """The chance that is asked for."""
        return self.chances[self.ends.index(self.leaf)]

    def sizes(self, leaf_rows: int) -> IntArray:
        """Rows of every leaf, with so many in the one that is asked about."""
        sizes = np.array(self.rows)
        sizes[self.ends.index(self.leaf)] = leaf_rows
        return sizes


def _gene_world(title: str, chances: tuple[float, ...], rows: tuple[int, ...]) -> World:
    """Give women and men with the gene, and everybody without it, their chances."""
    names = ("everybody", "gene", "no gene", "women", "men")
    return World(title, GENE_PARENT, names, GENE_ENDS, chances, rows, MALE_CARRIERS)


WORLDS = {
    "signal": _gene_world("real signal", (0.8, 0.6, 0.1), (20, 3, 200)),
    "noise": _gene_world("nothing but noise", (0.1, 0.1, 0.1), (20, 3, 200)),
    "rare": _gene_world("a rare outcome", (0.03, 0.01, 0.01), (60, 3, 600)),
    "odd": _gene_world("a leaf unlike its family", (0.9, 0.1, 0.1), (20, 3, 200)),
    "deep": World(
        "a deep tree",
        parent=(-1, 0, 0, 1, 1, 3, 3, 5, 5),
        names=("everybody", "old", "young", "smokes", "does not", "ill", "well", "thin", "other"),
        ends=(7, 8, 6, 4, 2),
        chances=(0.5, 0.4, 0.3, 0.2, 0.1),
        rows=(3, 8, 20, 50, 200),
        leaf=7,
    ),
}


@dataclass(frozen=True)
class WorldRuns:
    """Samples of a world, and what HDP says on each.

    Attributes
    ----------
    counts : int64[repeats, 2 * leaves], cases and others of the world's leaves by turns
    hdp : float64[repeats]
    """

    counts: IntArray
    hdp: FloatArray


def run_world(
    world: World, leaf_rows: int, seed: int, report: Callable[[float, str], None] | None = None
) -> WorldRuns:
    """Draw samples of a world and let HDP estimate its leaf on each."""
    random = np.random.default_rng(seed)
    sizes = world.sizes(leaf_rows)
    cases = random.binomial(sizes, world.chances, size=(REPEATS, len(sizes)))
    counts = np.stack([cases, sizes - cases], axis=2).reshape(REPEATS, -1)
    said = np.zeros(REPEATS)
    for repeat in range(REPEATS):
        if report is not None and repeat % 10 == 0:
            report(repeat / REPEATS, f"sample {repeat + 1} of {REPEATS}")
        tree = count_tree(world.parent, world.ends, counts[repeat])
        smoother = HDP(n_iterations=SWEEPS, seed=repeat, tying="single")
        said[repeat] = smoother.smooth(tree).probs[world.leaf, 0]
    return WorldRuns(counts, said)
