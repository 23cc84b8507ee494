"""What a smaller tree costs on rows it has not seen: pruned, or with larger leaves.

Every way to grow is judged by inner models on the same parts of the rows, so that two of them
differ by the growing alone. No way is chosen here: who takes the best of many finds it too good.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from probtrees.experiment.grown_model import GrownModel, grow_model
from probtrees.experiment.inner_evidence import in_part
from probtrees.experiment.inner_models import unseen_scores
from probtrees.model.model import Model
from probtrees.score.unseen_scores import UnseenScores
from probtrees.types import Progress

SMALLEST_LEAVES = (2, 5, 10, 20, 50, 100, 200, 500, 1000)
"""Rows of the smallest leaf that are tried, as far as the table has rows for them."""
_MOST_TRIED = 6
_LEAVES_LEFT = 8
"""A smallest leaf is tried only where the table has rows for so many of them."""

_HARDLY_ANY, _MOST_APART = 5, 3
"""A tree of fewer leaves tells hardly anything; and ways that are tried in its place."""
_GAINED_AREA = 0.05
"""More area under the ROC curve than this is hardly luck where the Brier score gains as well."""


@dataclass(frozen=True)
class GrowingCost:
    """One way to grow, and what it does to unseen rows.

    Attributes
    ----------
    options : the growing options that differ from those in use; empty: as it is
    n_leaves : leaves of the tree grown from all rows
    brier : the Brier score of unseen rows; None where there are none
    cost : how much larger it is than as it is, with the ends of a 95 % interval
    auc : the area under the ROC curve of unseen rows; None where there is none
    """

    options: Mapping[str, Any]
    n_leaves: int
    brier: float | None
    cost: tuple[float, float, float] = (0.0, 0.0, 0.0)
    auc: float | None = None

    @property
    def is_noise(self) -> bool:
        """Whether the difference may be luck."""
        _, low, high = self.cost
        return low <= 0 <= high


KEPT_APART: Mapping[str, Any] = {"collapse": False}
"""Grows the leaves that C4.5 merges since all of them predict the same class."""


def merged_into_one(diagnostics: Mapping[str, Any]) -> int:
    """Count the leaves that C4.5 merged into a single one, since all predict the same class.

    >>> merged_into_one({"sizes": {"grown": {"leaves": 146}, "collapsed": {"leaves": 1}}})
    146
    """
    sizes = diagnostics.get("sizes", {})
    grown, merged = (sizes.get(which, {}).get("leaves", 1) for which in ("grown", "collapsed"))
    return int(grown) if merged == 1 < grown else 0


def are_better_apart(costs: Sequence[GrowingCost]) -> bool:
    """Whether unseen rows say that leaves merged by C4.5 have chances of their own.

    Of a rare outcome the Brier score hardly moves, so the order of rows counts too.

    >>> as_it_is = GrowingCost({}, 1, 0.192, auc=0.58)
    >>> are_better_apart([as_it_is, GrowingCost(KEPT_APART, 80, 0.183, (-0.009, -0.02, 0.0), 0.68)])
    True
    >>> are_better_apart([as_it_is, GrowingCost(KEPT_APART, 80, 0.195, (0.003, -0.01, 0.02), 0.52)])
    False
    """
    merged, apart = costs
    gains = apart.cost[0] < 0
    areas = (merged.auc or 0.5, apart.auc or 0.5)
    return gains and (not apart.is_noise or areas[1] >= max(areas[0], 0.5) + _GAINED_AREA)


def ways_to_grow(n_rows: float, in_use: Mapping[str, Any]) -> list[dict[str, Any]]:
    """List what to try: as it is, larger leaves, and pruning.

    >>> ways_to_grow(1000, {"min_leaf": 2, "prune": "none"})[:3]
    [{}, {'min_leaf': 5}, {'min_leaf': 10}]
    """
    fitting = [size for size in SMALLEST_LEAVES if size * _LEAVES_LEFT <= n_rows]
    sizes = [size for size in fitting if size != in_use["min_leaf"]][:_MOST_TRIED]
    ways: list[dict[str, Any]] = [{}, *({"min_leaf": size} for size in sizes)]
    other = "none" if in_use["prune"] == "pessimistic" else "pessimistic"
    return [*ways, {"prune": other}]


def kept_apart(costs: Sequence[GrowingCost]) -> list[dict[str, Any]]:
    """List larger leaves to try unmerged, where C4.5 made hardly anything of them.

    Of an outcome that is nowhere likely all large leaves predict the same class, and are one.

    >>> kept_apart([GrowingCost({}, 57, 0.1), GrowingCost({"min_leaf": 50}, 1, 0.1)])
    [{'collapse': False, 'min_leaf': 50}]
    """
    merged = [cost.options for cost in costs[1:] if cost.n_leaves < _HARDLY_ANY]
    sizes = [options["min_leaf"] for options in merged if "min_leaf" in options]
    return [{**KEPT_APART, "min_leaf": size} for size in sizes[-_MOST_APART:]]


def growing_costs(
    grown: GrownModel,
    smooth: Callable[[GrownModel], Model],
    ways: Sequence[Mapping[str, Any]],
    progress: Progress | None = None,
) -> list[GrowingCost]:
    """Grow in several ways and see what each costs on unseen rows.

    Parameters
    ----------
    grown : the tree as it is; its rows are grown from again
    smooth : gives a grown tree its probabilities
    ways : growing options that differ from those in use; the first is as it is
    """
    found: list[GrowingCost] = []
    first: UnseenScores | None = None
    for number, options in enumerate(ways):
        report, other = in_part(progress, number, len(ways)), grown
        if options:
            learner = replace(grown.spec.learner, **options)
            other = grow_model(grown.data, replace(grown.spec, learner=learner), report)
        scores = unseen_scores(other, smooth(other), report)
        first = scores if number == 0 else first
        cost = (0.0, 0.0, 0.0)
        if first is not None and scores is not None and number:
            cost = first.better_by(scores)
        brier, auc = (None, None) if scores is None else (scores.brier, scores.auc)
        found.append(GrowingCost(dict(options), other.n_leaves, brier, cost, auc))
    return found
