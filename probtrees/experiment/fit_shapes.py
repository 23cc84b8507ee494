"""Fit a shaped tree: choose its settings by rows that inner trees have not seen, then fit it.

The tree is grown, and how rows are routed softly is chosen, before. What is fitted here are the
weights of the nodes and the shapes of the columns, together, by logistic regression.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from probtrees.experiment.choose_routing import route_softly
from probtrees.experiment.inner_evidence import reporting
from probtrees.experiment.shape_logit import ShapeFit, ShapeSetting
from probtrees.grow.count_tree import CountTree
from probtrees.grow.shaped_tree import ShapeWishes
from probtrees.machine.checkpoint import checkpoint
from probtrees.model.member import AdditiveMember
from probtrees.model.routing import SoftRouting
from probtrees.smooth.blend import Blend
from probtrees.smooth.evidence import Evidence, least
from probtrees.smooth.log_linear.logit import Coefficients, score_rows
from probtrees.smooth.log_linear.logit_rows import LogitRows
from probtrees.smooth.log_linear.softmax import normalise
from probtrees.table.dataset import Dataset
from probtrees.table.repeats import content_order
from probtrees.types import FloatArray, Progress

PENALTIES = (1000.0, 300.0, 100.0, 30.0, 10.0, 3.0, 1.0, 0.3, 0.1, 0.03, 0.01)
"""Of a node; where shapes were tried alone before, the third is tried first."""

RATIOS = (100.0, 30.0, 10.0, 3.0, 1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 0.0003)
"""Of all shapes together, from the strongest down: a penalty divided by a freedom."""

FREEDOMS = (1.0, 3.0, 10.0, 30.0, 100.0, 300.0)
"""Tried where the penalty is given; the middle one first."""

SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""How much of the answer comes from path and shapes, the rest from shapes alone."""

MOST_ROWS = 5000
"""Rows that an inner fit is made of while settings are chosen; more would cost more than they
tell, since a ridge penalty means the same whatever the number of rows."""

MOST_PRODUCTS = 20_000_000
"""Rows times features times classes of all inner fits together: beyond that fewer parts are
looked at, two at least."""

CLOSE_ENOUGH = 1e-3
"""How far an inner fit is taken while settings are chosen, see :meth:`Logit.fit`."""

ROUNDING = 1e-10
"""A loss that is lower by less than this share is not lower. A fit that begins where nothing is
left to gain at its tolerance ends there, and has the loss of the one before but for rounding."""

DEFAULT = (10.0, 10.0)
"""Penalty and freedom where no row could be held out."""

Inner = tuple[Dataset, Evidence, SoftRouting, int]
"""Rows, the inner trees of them, how rows are routed through these, and a seed."""

Place = tuple[int, int]
FitOf = Callable[[CountTree, SoftRouting, Dataset, ShapeWishes], ShapeFit]
Grid = list[list[tuple[float, float]]]


def choose_setting(
    inner: Inner, wishes: ShapeWishes, learner: Any, progress: Progress | None = None
) -> tuple[ShapeSetting, dict[str, Any]]:
    """Find the setting with the least summed Brier score of held-out rows.

    Returns
    -------
    the setting, and what was tried: ``tried`` float64[n, 3], penalty, freedom and loss;
    ``tried_alone`` float64[n, 2], ratio and loss of shapes alone; ``tried_shares`` float64[n, 2]
    """
    search = _Search(_set_up(*inner, wishes), progress)
    if not search.benches:
        given = ShapeSetting(learner.penalty or DEFAULT[0], learner.freedom or DEFAULT[1])
        return given, {"tried": np.empty((0, 3))}
    grid, start = _grid(learner)
    if learner.penalty is not None or learner.freedom is not None:
        i, j = search.walk(grid, start)
        return ShapeSetting(*grid[i][j]), {"tried": search.table}
    alone = _Search([bench.without_path() for bench in search.benches], progress)
    _, at = alone.walk([[(1.0, 1.0 / ratio) for ratio in RATIOS]], (0, 0))
    for bench, other in zip(search.benches, alone.benches, strict=True):
        bench.best = other.best
    notes = {"tried_alone": np.column_stack([1.0 / alone.table[:, 1], alone.table[:, 2]])}
    if all(bench.fit.features.tree.n_nodes == 1 for bench in search.benches):
        return ShapeSetting(*DEFAULT, share=0.0, ratio=RATIOS[at]), notes
    i, j = search.walk(grid, (start[0], at))
    losses = [_mixed_loss(search.benches, alone.benches, share) for share in SHARES]
    share = SHARES[least(np.array(losses))]
    notes |= {"tried": search.table, "tried_shares": np.column_stack([SHARES, losses])}
    return ShapeSetting(*grid[i][j], share=share, ratio=RATIOS[at]), notes


def cost_of_wishes(inner: Inner, wishes: ShapeWishes, setting: ShapeSetting) -> float:
    """Return how much worse held-out rows fare under wishes: the mean Brier score per row."""
    wished, free = _set_up(*inner, wishes), _set_up(*inner, ShapeWishes())
    n_rows = sum(float(bench.held_out.counts.sum()) for bench in wished)
    both = [sum(bench.loss_of(setting) for bench in benches) for benches in (wished, free)]
    return (both[0] - both[1]) / max(n_rows, 1e-300)


def _grid(learner: Any) -> tuple[Grid, Place]:
    """List penalties with freedoms in two directions, and where to begin."""
    penalties = PENALTIES if learner.penalty is None else (learner.penalty,)
    if learner.freedom is not None:
        return [[(penalty, learner.freedom)] for penalty in penalties], (0, 0)
    if learner.penalty is not None:
        return [[(learner.penalty, freedom) for freedom in FREEDOMS]], (0, len(FREEDOMS) // 2)
    return [[(penalty, penalty / ratio) for ratio in RATIOS] for penalty in penalties], (2, 0)


@dataclass
class _Bench:
    """One inner fit and the rows it has not seen; keeps where the last and the best fit ended."""

    fit: ShapeFit
    held_out: LogitRows
    last: tuple[Coefficients, FloatArray] | None = None
    best: tuple[Coefficients, FloatArray] | None = None
    """Coefficients, and the scores of the held-out rows."""

    def without_path(self) -> _Bench:
        """Return the same for shapes alone."""
        n_nodes = self.fit.features.tree.n_nodes
        return _Bench(self.fit.without_path(), self.held_out.without_first(n_nodes))

    def loss(self, penalty: float, freedom: float) -> float:
        """Fit under a setting, from where the best one ended, and return the held-out loss."""
        start = None if self.best is None else self.best[0]
        found = self.fit.fit(penalty, freedom, start, tolerance=CLOSE_ENOUGH, most_steps=200)
        self.last = found, score_rows(self.held_out, self.fit.logit.means, found)
        return _brier(self.last[1], self.held_out.counts)

    def loss_of(self, setting: ShapeSetting) -> float:
        """Fit under a setting with all its parts, and return the held-out loss."""
        found = self.fit.mixed(setting, tolerance=CLOSE_ENOUGH, most_steps=200)
        scores = score_rows(self.held_out, self.fit.logit.means, found)
        return _brier(scores, self.held_out.counts)


def _brier(scores: FloatArray, counts: FloatArray) -> float:
    """Return the summed Brier score of rows."""
    proba, weights = normalise(scores), counts.sum(axis=1)
    hits = float((counts * proba).sum())
    return float(weights @ (proba**2).sum(axis=1) - 2 * hits + weights.sum())


def _mixed_loss(both: Sequence[_Bench], alone: Sequence[_Bench], share: float) -> float:
    """Return the held-out loss where the best fits of both kinds have their share."""
    total = 0.0
    for first, second in zip(both, alone, strict=True):
        assert first.best is not None
        assert second.best is not None
        scores = share * first.best[1] + (1 - share) * second.best[1]
        total += _brier(scores, first.held_out.counts)
    return total


def _set_up(
    data: Dataset, evidence: Evidence, routing: SoftRouting, seed: int, wishes: ShapeWishes
) -> list[_Bench]:
    """Make an inner fit for every part, of at most so many rows."""
    random = np.random.default_rng([seed, 3])
    benches: list[_Bench] = []
    work = 0
    for part in evidence.parts:
        if len(benches) > 1 and work > MOST_PRODUCTS:
            break
        train, held_out = data.take(part.trained), data.take(part.rows)
        if train.n_rows > MOST_ROWS:
            train = train.take(random.permutation(content_order(train))[:MOST_ROWS])
        in_order = content_order(held_out)
        if held_out.n_rows > MOST_ROWS // 2:
            in_order = random.permutation(in_order)[: MOST_ROWS // 2]
        held_out = held_out.take(in_order)
        fit = ShapeFit.of(part.tree, routing, train, wishes)
        benches.append(_Bench(fit, fit.features.rows(held_out)))
        rows = fit.logit.rows
        work += (rows.sparse.value.size + rows.dense.size) * data.n_classes
    return benches


@dataclass
class _Search:
    """Tries settings on inner fits, each once."""

    benches: Sequence[_Bench]
    progress: Progress | None = None
    tried: dict[tuple[float, float], float] = field(default_factory=dict)

    @property
    def table(self) -> FloatArray:
        """float64[n, 3]: penalty, freedom, summed Brier score of all that were tried."""
        return np.array([(*setting, loss) for setting, loss in self.tried.items()])

    def walk(self, grid: Grid, start: Place) -> Place:
        """Walk to a place of the grid around which nothing is lower, one direction at a time."""
        place, lowest = start, self._try(*grid[start[0]][start[1]])
        self._keep()
        turns, failed = [(1, 0), (-1, 0), (0, 1), (0, -1)], 0
        while failed < len(turns):  # in each direction as long as it leads down
            turn = turns[0]
            i, j = place[0] + turn[0], place[1] + turn[1]
            inside = 0 <= i < len(grid) and 0 <= j < len(grid[0])
            new = inside and grid[i][j] not in self.tried
            loss = self._try(*grid[i][j]) if new else np.inf
            if loss >= lowest * (1 - ROUNDING):
                turns = [*turns[1:], turn]
                failed += 1
                continue
            place, lowest, failed = (i, j), loss, 0
            self._keep()
        return place

    def _keep(self) -> None:
        """Remember the fits that were made last as the best."""
        for bench in self.benches:
            bench.best = bench.last

    def _try(self, penalty: float, freedom: float) -> float:
        """Add up the losses of all parts, which are fitted side by side."""
        share = 0.5 + 0.4 * len(self.tried) / (len(self.tried) + 8)
        with reporting(self.progress, share), ThreadPoolExecutor(os.cpu_count()) as pool:
            checkpoint("choosing path and shapes")
            benches = self.benches
            tasks = [pool.submit(copy_context().run, b.loss, penalty, freedom) for b in benches]
            self.tried[penalty, freedom] = sum(task.result() for task in tasks)
        return self.tried[penalty, freedom]


def fit_shapes(
    data: Dataset,
    tree: CountTree,
    evidence: Evidence,
    learner: Any,
    seed: int = 0,
    progress: Progress | None = None,
    fit_of: FitOf = ShapeFit.of,
) -> AdditiveMember:
    """Choose routing and settings by held-out rows, and fit path and shapes.

    Parameters
    ----------
    data : the rows that the tree was grown from
    evidence : the inner trees of the same rows
    learner : its options ``penalty`` and ``freedom`` are used where they are not None
    seed : decides which rows are looked at where there are many
    fit_of : gets the last fit ready, of more rows than ``data`` where these are only a sample
    """
    smoothed, routing = route_softly(data, tree, evidence, Blend(), seed)
    wishes = ShapeWishes.of(data.schema, learner)
    inner = data, evidence, routing, seed
    setting, tried = choose_setting(inner, wishes, learner, progress)
    fitted = {**setting._asdict(), **tried}
    with reporting(progress, 0.9):
        checkpoint("fitting path and shapes")
        fit = fit_of(tree, routing, data, wishes)
        if wishes:
            fitted["wishes"] = wishes._asdict()
            fitted["cost_of_wishes"] = cost_of_wishes(inner, wishes, setting)
        return fit.member(smoothed, fit.mixed(setting), fitted)


def refit_shapes(member: AdditiveMember, tree: CountTree, data: Dataset) -> AdditiveMember:
    """Fit another tree, grown from other rows, with the settings of a member."""
    fitted = member.fitted
    kept = fitted.get("wishes", {})
    pairs = tuple((int(column), int(sign)) for column, sign in kept.get("directions", ()))
    banned = tuple(int(column) for column in kept.get("banned", ()))
    wishes = ShapeWishes(banned, pairs, int(kept.get("outcome", 1)))
    fit = ShapeFit.of(tree, member.routing, data, wishes)
    given = {name: float(fitted[name]) for name in ShapeSetting._fields if name in fitted}
    found = fit.mixed(ShapeSetting(**given), tolerance=1e-8, most_steps=1000)
    smoothed = member.smoothed.smoother.smooth(tree)
    return fit.member(smoothed, found, dict(fitted))
