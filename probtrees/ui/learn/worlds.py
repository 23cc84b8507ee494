"""Known truths to try the methods on: who is right can only be said where the truth is known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from probtrees.smooth.hdp import HDP
from probtrees.types import FloatArray, IntArray
from probtrees.ui.learn.subject import GENE_SHAPE, TreeShape, count_tree

REPEATS = 200
SWEEPS = 200
"""Samples that are drawn of a world, and sweeps of HDP on each of them."""

MOST_LEAF_ROWS, USUAL_LEAF_ROWS = 50, 3
OWN_WORLD = "own"
"""The name of the world that is made of the tree of the lesson."""


@dataclass(frozen=True)
class World:
    """A tree whose leaves have known chances.

    Attributes
    ----------
    title : what the chooser says
    asked : who is in the leaf that is asked about, which gets as many rows as the reader wants
    shape : the tree
    chances, rows : of each of its leaves
    others : how rows without the outcome divide among the other outcomes
    """

    title: str
    asked: str
    shape: TreeShape
    chances: tuple[float, ...]
    rows: tuple[int, ...]
    others: tuple[float, ...] = (1.0,)

    @property
    def n_outcomes(self) -> int:
        """How many outcomes there are."""
        return 1 + len(self.others)

    @property
    def truth(self) -> float:
        """The chance that is asked for."""
        return self.chances[self.shape.place]

    def sizes(self, leaf_rows: int) -> IntArray:
        """Rows of every leaf, with so many in the one that is asked about."""
        sizes = np.array(self.rows)
        sizes[self.shape.place] = leaf_rows
        return sizes


def _gene_world(title: str, chances: tuple[float, ...], rows: tuple[int, ...]) -> World:
    """Give women and men with the gene, and everybody without it, their chances."""
    return World(title, "among men who have the gene", GENE_SHAPE, chances, rows)


WORLDS = {
    "signal": _gene_world("real signal", (0.3, 0.25, 0.05), (20, 3, 200)),
    "noise": _gene_world("nothing but noise", (0.1, 0.1, 0.1), (20, 3, 200)),
    "rare": _gene_world("a rare outcome", (0.03, 0.01, 0.01), (60, 3, 600)),
    "odd": _gene_world("a leaf unlike its family", (0.9, 0.1, 0.1), (20, 3, 200)),
    "deep": World(
        "a deep tree",
        "among the thin who are old, smoke and are ill",
        TreeShape(
            (-1, 0, 0, 1, 1, 3, 3, 5, 5),
            ("everybody", "old", "young", "smokes", "does not", "ill", "well", "thin", "other"),
            (7, 8, 6, 4, 2),
            leaf=7,
        ),
        chances=(0.5, 0.4, 0.3, 0.2, 0.1),
        rows=(3, 8, 20, 50, 200),
    ),
}


def own_world(
    shape: TreeShape,
    counts: tuple[float, ...],
    asked: str,
    truth: float,
    others: tuple[float, ...] = (1.0,),
) -> World:
    """Make a world of a tree: its leaves have the chances that they seem to have.

    What they seem to have is Laplace's (cases + 1)/(rows + K), which is never certain. The truth of
    the leaf that is asked about nobody knows: the reader says what if.
    """
    cases, rest = np.reshape(counts, (-1, 2)).round().astype(np.int64).T
    chances = (cases + 1) / (cases + rest + 1 + len(others))
    chances[shape.place] = truth
    rows = tuple((cases + rest).tolist())
    return World("this tree", asked, shape, tuple(chances.tolist()), rows, others)


def leaf_luck(seed: int) -> FloatArray:
    """Draw what decides the rows of the leaf, float64[repeats, rows]: below the truth is a case.

    It is the same whatever the truth and however many rows are asked for, so that another row
    joins those that are there, also in the browser.
    """
    return np.random.default_rng([seed, 1]).random((REPEATS, MOST_LEAF_ROWS))


def draw_samples(world: World, leaf_rows: int, seed: int) -> IntArray:
    """Draw samples of a world: cases and others of its leaves by turns."""
    sizes = world.sizes(leaf_rows)
    random = np.random.default_rng(seed)
    cases = random.binomial(world.rows, world.chances, size=(REPEATS, len(sizes)))
    luck = leaf_luck(seed)[:, :leaf_rows]
    cases[:, world.shape.place] = (luck < world.truth).sum(axis=1)
    return np.stack([cases, sizes - cases], axis=2).reshape(REPEATS, -1)


def run_world(
    world: World, leaf_rows: int, seed: int, report: Callable[[float, str], None] | None = None
) -> tuple[IntArray, FloatArray]:
    """Draw samples of a world and let HDP estimate its leaf on each; return both."""
    counts = draw_samples(world, leaf_rows, seed)
    said = np.zeros(REPEATS)
    for repeat in range(REPEATS):
        if report is not None and repeat % 10 == 0:
            report(repeat / REPEATS, f"sample {repeat + 1} of {REPEATS}")
        cells = _all_outcomes(world, counts[repeat], repeat)
        tree = count_tree(world.shape.parent, world.shape.ends, cells)
        smoother = HDP(n_iterations=SWEEPS, seed=repeat, tying="single")
        said[repeat] = smoother.smooth(tree).probs[world.shape.leaf, 0]
    return counts, said


def _all_outcomes(world: World, counts: IntArray, seed: int) -> IntArray:
    """Divide the others of every leaf among the other outcomes; the first outcome stays."""
    cases, others = counts.reshape(-1, 2).T
    random = np.random.default_rng([seed, 2])
    return np.column_stack([cases, random.multinomial(others, world.others)])
