"""Fit a shaped tree: choose its settings by rows that inner trees have not seen, then fit it.

The tree is grown, and how rows are routed softly is chosen, before. What is fitted here are the
weights of the nodes and the shapes of the columns, together, by logistic regression.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from probtrees.errors import OptionError, did_you_mean
from probtrees.experiment.choose_routing import measure_splits, route_softly
from probtrees.experiment.inner_evidence import inner_splits
from probtrees.grow.count_tree import CountTree
from probtrees.machine.checkpoint import checkpoint
from probtrees.model.additive_member import AdditiveMember
from probtrees.model.predict import soft_steps
from probtrees.model.routing import SoftRouting
from probtrees.model.shape_basis import ShapeBasis
from probtrees.smooth.blend import Blend
from probtrees.smooth.evidence import Evidence
from probtrees.smooth.held_out import least
from probtrees.smooth.log_linear.softmax import normalise
from probtrees.smooth.optimise.logit import Coefficients, Logit, LogitRows, SparseRows, score_rows
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.content_order import content_order
from probtrees.table.dataset import Dataset, Schema
from probtrees.types import FloatArray, Progress

PENALTIES = (1000.0, 300.0, 100.0, 30.0, 10.0, 3.0, 1.0, 0.3, 0.1, 0.03)
"""Tried from the largest to the smallest; under another freedom from the best one so far."""

FREEDOMS = (1.0, 3.0, 10.0, 30.0, 100.0, 300.0)
"""How much freer the shapes are than the path; the middle one is tried first."""

MOST_ROWS = 5000
"""Rows that an inner fit is made of while settings are chosen; more would cost more than they
tell, since a ridge penalty means the same whatever the number of rows."""

CLOSE_ENOUGH = 1e-3
"""How far an inner fit is taken while settings are chosen, see :meth:`Logit.fit`."""

DEFAULT = (10.0, 10.0)
"""Penalty and freedom where no row could be held out."""

HEAVIEST_PENALTY = 1e12
"""Under so much no feature moves, and sums of squares are still finite."""


class ShapeWishes(NamedTuple):
    """What an expert wants of shapes.

    Attributes
    ----------
    banned : columns that get none
    directions : columns with 1 where the shape must never fall, -1 where it must never rise
    """

    banned: tuple[int, ...] = ()
    directions: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, schema: Schema, learner: Any) -> ShapeWishes:
        """Find the columns that a learner's options name."""
        rising = _columns_named(schema, "increasing", learner.increasing)
        falling = _columns_named(schema, "decreasing", learner.decreasing)
        both = [(column, 1) for column in rising] + [(column, -1) for column in falling]
        if both and len(schema.classes) != 2:
            raise OptionError(
                "increasing and decreasing must go with two classes. Of more it is not said for "
                "which a shape should rise."
            )
        for column, _ in both:
            if schema.columns[column].is_nominal or ((column, 1) in both and (column, -1) in both):
                raise OptionError(
                    f"column={schema.names[column]!r} must be numeric to rise or to fall, and "
                    "must be asked for one of the two."
                )
        return cls(_columns_named(schema, "banned", learner.banned), tuple(both))


def _columns_named(schema: Schema, option: str, text: str) -> tuple[int, ...]:
    names = [column.name for column in schema.features]
    found = []
    for name in (part.strip() for part in text.split(",") if part.strip()):
        if name not in names:
            advice = did_you_mean(name, names)
            raise OptionError(f"{option}={name!r} must be a column of the table. {advice}")
        found.append(names.index(name))
    return tuple(found)


class ShapeFeatures(NamedTuple):
    """How rows become features: the nodes they pass softly, and the features of their columns."""

    tree: CountTree
    routing: SoftRouting
    basis: ShapeBasis

    def rows(self, data: Dataset) -> LogitRows:
        """Turn rows into features; all must have a class."""
        steps = soft_steps(self.tree, self.routing, data.values, data.schema.n_values)
        places = self.basis.sparse(data)
        order = np.argsort(places.rows, kind="stable")
        rows = places.rows[order]
        n_steps = np.diff(steps.first)
        n_more = np.bincount(rows, minlength=data.n_rows)
        first = np.concatenate([[0], np.cumsum(n_steps + n_more)])
        # Every row's nodes come first, then the features of its columns.
        step_row = np.repeat(np.arange(data.n_rows), n_steps)
        at_step = np.arange(step_row.size) + (first[:-1] - steps.first[:-1])[step_row]
        more_first = np.cumsum(n_more) - n_more
        at_more = np.arange(rows.size) + (first[:-1] + n_steps - more_first)[rows]
        index, value = np.empty(first[-1], dtype=np.int32), np.empty(first[-1])
        index[at_step], value[at_step] = steps.nodes, steps.shares
        index[at_more] = places.features[order] + self.tree.n_nodes
        value[at_more] = places.values[order]
        counts = np.zeros((data.n_rows, data.n_classes))
        counts[np.arange(data.n_rows), data.labels] = data.row_weights
        n_sparse = self.tree.n_nodes + self.basis.n_sparse
        return LogitRows(SparseRows(first, index, value), n_sparse, self.basis.dense(data), counts)


@dataclass(frozen=True)
class ShapeFit:
    """A logit whose features are nodes and columns, ready to be fitted under any setting."""

    features: ShapeFeatures
    logit: Logit
    wishes: ShapeWishes

    @classmethod
    def of(
        cls, tree: CountTree, routing: SoftRouting, data: Dataset, wishes: ShapeWishes
    ) -> ShapeFit:
        """Measure everything on training rows; the routing's gates are measured there too."""
        middle, spread = measure_splits(tree, data)
        routing = replace(routing, middle=middle, spread=spread)
        features = ShapeFeatures(tree, routing, ShapeBasis.measure(data, wishes.banned))
        return cls(features, Logit.of(features.rows(data)), wishes)

    def fit(
        self, penalty: float, freedom: float, start: Coefficients | None = None, **how: Any
    ) -> Coefficients:
        """Fit under a setting; ``how`` is passed on to :meth:`Logit.fit`."""
        penalties = self.penalties(penalty, freedom)
        return self.logit.fit(penalties, start, signs=self._signs(), **how)

    def _signs(self) -> FloatArray | None:
        """Return the direction of every feature that has one.

        All dense features of a numeric column rise with it, so that a shape rises everywhere
        where none of their weights is below 0.
        """
        directions = dict(self.wishes.directions)
        if not directions:
            return None
        signs = np.zeros(self.logit.rows.n_features)
        at = self.logit.rows.n_sparse
        for basis in self.features.basis.columns:
            signs[at : at + basis.n_dense] = directions.get(basis.column, 0)
            at += basis.n_dense
        return signs

    def penalties(self, penalty: float, freedom: float) -> FloatArray:
        """Return the penalty of every feature.

        The features of all columns together may vary ``freedom`` times as much as a node.
        """
        n_nodes = self.features.tree.n_nodes
        size = float(self.logit.variances[n_nodes:].sum())
        penalties = np.full(self.logit.rows.n_features, penalty)
        with np.errstate(over="ignore"):
            penalties[n_nodes:] *= max(size, 1e-12) / freedom
        return np.asarray(np.minimum(penalties, HEAVIEST_PENALTY))

    def member(
        self, smoothed: SmoothedTree, found: Coefficients, fitted: dict[str, Any]
    ) -> AdditiveMember:
        """Make the member of the coefficients that were found."""
        n_nodes, n_sparse = self.features.tree.n_nodes, self.logit.rows.n_sparse
        weights, means = found.weights, self.logit.means
        return AdditiveMember(
            trees=(smoothed,),
            routing=self.features.routing,
            intercept=found.intercept,
            node_weights=weights[:n_nodes].copy(),
            node_means=means[:n_nodes].copy(),
            shapes=self.features.basis.shapes(
                weights[n_sparse:],
                weights[n_nodes:n_sparse],
                means[n_sparse:],
                means[n_nodes:n_sparse],
            ),
            fitted=fitted,
        )


def fit_shapes(
    data: Dataset,
    tree: CountTree,
    evidence: Evidence,
    learner: Any,
    seed: int = 0,
    progress: Progress | None = None,
) -> AdditiveMember:
    """Choose routing and settings by held-out rows, and fit path and shapes.

    Parameters
    ----------
    data : the rows that the tree was grown from
    evidence : the inner trees of the same rows
    learner : its options ``penalty`` and ``freedom`` are used where they are not None
    seed : decides which rows are looked at where there are many
    """
    soft = route_softly(data, tree, evidence, Blend(), seed)
    wishes = ShapeWishes.of(data.schema, learner)
    benches = _set_up(data, evidence, soft.routing, seed, wishes)
    chosen = _choose(benches, learner, progress)
    if progress is not None:
        progress(0.9, "fitting path and shapes")
    fit = ShapeFit.of(tree, soft.routing, data, wishes)
    found = fit.fit(chosen.penalty, chosen.freedom)
    fitted = chosen._asdict()
    if any(wishes):
        fitted["wishes"] = {"banned": wishes.banned, "directions": wishes.directions}
        free = _set_up(data, evidence, soft.routing, seed, ShapeWishes())
        fitted["cost_of_wishes"] = _cost(benches, free, chosen)
    return fit.member(soft.smoothed, found, fitted)


def _cost(wished: Sequence[_Bench], free: Sequence[_Bench], chosen: ChosenSettings) -> float:
    """Return how much worse held-out rows fare under the wishes: the mean Brier score per row."""
    n_rows = sum(float(bench.held_out.counts.sum()) for bench in wished)
    both = [
        sum(bench.loss(chosen.penalty, chosen.freedom) for bench in benches)
        for benches in (wished, free)
    ]
    return (both[0] - both[1]) / max(n_rows, 1e-300)


def refit_shapes(member: AdditiveMember, tree: CountTree, data: Dataset) -> AdditiveMember:
    """Fit another tree, grown from other rows, with the settings of a member."""
    kept = member.fitted.get("wishes", {})
    pairs = tuple((int(column), int(sign)) for column, sign in kept.get("directions", ()))
    wishes = ShapeWishes(tuple(int(column) for column in kept.get("banned", ())), pairs)
    fit = ShapeFit.of(tree, member.routing, data, wishes)
    settings = float(member.fitted["penalty"]), float(member.fitted["freedom"])
    smoothed = member.smoothed.smoother.smooth(tree)
    return fit.member(smoothed, fit.fit(*settings, tolerance=1e-6), dict(member.fitted))


class ChosenSettings(NamedTuple):
    """The settings of a fit, and the held-out Brier score of all that were tried."""

    penalty: float
    freedom: float
    tried: FloatArray
    """float64[n, 3]: penalty, freedom, summed Brier score"""


@dataclass
class _Bench:
    """One inner fit and the rows it has not seen; keeps where the last fits ended."""

    fit: ShapeFit
    held_out: LogitRows
    ended: dict[float, Coefficients] = field(default_factory=dict)
    """By penalty; under another freedom the minimum lies near."""

    def loss(self, penalty: float, freedom: float) -> float:
        """Fit under a setting and return the summed Brier score of the held-out rows."""
        nearest = min(self.ended, key=lambda other: abs(np.log(other / penalty)), default=penalty)
        start = self.ended.get(nearest)
        found = self.fit.fit(penalty, freedom, start, tolerance=CLOSE_ENOUGH, most_steps=200)
        self.ended[penalty] = found
        proba = normalise(score_rows(self.held_out, self.fit.logit.means, found))
        counts = self.held_out.counts
        weights = counts.sum(axis=1)
        true = (counts * proba).sum(axis=1)
        return float(weights @ (proba**2).sum(axis=1) - 2 * true.sum() + weights.sum())


def _set_up(
    data: Dataset, evidence: Evidence, routing: SoftRouting, seed: int, wishes: ShapeWishes
) -> list[_Bench]:
    """Make an inner fit for every part, of at most so many rows."""
    random = np.random.default_rng([seed, 3])
    benches = []
    for part, split in zip(evidence.parts, inner_splits(data, seed=seed), strict=True):
        train, held_out = data.take(split.trained), data.take(part.rows)
        if train.n_rows > MOST_ROWS:
            train = train.take(random.permutation(content_order(train))[:MOST_ROWS])
        if held_out.n_rows > MOST_ROWS // 2:
            in_order = random.permutation(content_order(held_out))
            held_out = held_out.take(in_order[: MOST_ROWS // 2])
        fit = ShapeFit.of(part.tree, routing, train, wishes)
        benches.append(_Bench(fit, fit.features.rows(held_out)))
    return benches


def _choose(benches: Sequence[_Bench], learner: Any, progress: Progress | None) -> ChosenSettings:
    """Find the settings with the least loss: along penalties, and from the middle freedom out."""
    if not benches:
        given = (learner.penalty or DEFAULT[0], learner.freedom or DEFAULT[1])
        return ChosenSettings(*given, np.empty((0, 3)))
    penalties = PENALTIES if learner.penalty is None else (learner.penalty,)
    freedoms = FREEDOMS if learner.freedom is None else (learner.freedom,)
    tried: dict[tuple[float, float], float] = {}

    def best_penalty(freedom: int, start: int) -> tuple[int, float]:
        if progress is not None:
            n_tried = len({freedom for _, freedom in tried})
            progress(0.5 + 0.4 * n_tried / len(freedoms), "choosing path and shapes")

        def loss(penalty: int) -> float:
            setting = penalties[penalty], freedoms[freedom]
            tried[setting] = _summed_loss(benches, *setting)
            return tried[setting]

        return _walk_down(loss, start, len(penalties))

    middle = len(freedoms) // 2
    at, least_loss = best_penalty(middle, 0)
    for direction in (1, -1):
        place = middle + direction
        while 0 <= place < len(freedoms):
            found, loss = best_penalty(place, at)
            if loss >= least_loss:
                break
            at, least_loss = found, loss
            place += direction
    table = np.array([(*setting, loss) for setting, loss in tried.items()])
    penalty, freedom, _ = table[least(table[:, 2])].tolist()
    return ChosenSettings(penalty, freedom, table)


def _walk_down(loss: Callable[[int], float], start: int, n_places: int) -> tuple[int, float]:
    """Walk from a place to the next lowest one: onwards, or back if that leads up at once."""
    best, lowest = start, loss(start)
    for direction in (1, -1):
        place = start + direction
        while 0 <= place < n_places and (here := loss(place)) < lowest:
            best, lowest = place, here
            place += direction
        if best != start:
            break
    return best, lowest


def _summed_loss(benches: Sequence[_Bench], penalty: float, freedom: float) -> float:
    """Add up the losses of all parts, which are fitted side by side."""
    checkpoint("choosing path and shapes")
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        tasks = [pool.submit(copy_context().run, bench.loss, penalty, freedom) for bench in benches]
        return sum(task.result() for task in tasks)
