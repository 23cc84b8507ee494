"""Round a shaped tree to whole points, so that their sum says nearly what the model says.

Columns are cut into ranges and the tree into groups where what they add is about the same. What
every line adds is fitted to the log-odds of the model on training rows, then rounded to points of
a unit as coarse as it may be: so columns without a line are taken over, as far as they go along
with others, by those that have one.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import expit

from probtrees.explain.points_card import PointsCard, PointsLine, PointsLoss, PointsPart, Way
from probtrees.explain.rule import NOT_RECORDED_TEXT, Condition, conditions_text, range_words, rule
from probtrees.explain.shape_curves import additive_member, coded_values
from probtrees.grow.count_tree import CountTree
from probtrees.model.calibration import fit_line, log_odds, softened
from probtrees.model.column_shape import ColumnShape, NominalShape
from probtrees.model.member import AdditiveMember
from probtrees.model.model import Model
from probtrees.model.predict import additive_scores
from probtrees.model.routing import add_up_the_tree, find_leaves
from probtrees.model.track_record import observation_scale
from probtrees.score.metrics import area_under_curve, brier_score
from probtrees.table.dataset import Dataset, Schema
from probtrees.types import FloatArray, IntArray

UNITS = (3, 4, 5, 6, 8, 10)
"""Points between the lines of a part that add most and least, of those that many rows have."""

MOST_POINTS = 15
"""A line that few rows have may have more points than others, but no more than these."""

MOST_RANGES, MOST_GROUPS, MOST_LINES = 5, 16, 72
"""Ranges of a column, groups of the tree, and lines of a card, which is one printed page."""

CLOSE = 0.01
"""Root mean square change of probabilities from which on a finer unit is not worth its sums."""

ALIKE = 0.05
"""Log-odds by which sibling groups may differ, as a root mean square, and still be one."""

MOST_ROWS, MOST_PLACES, FARTHEST = 4000, 40, 8.0
"""Rows and places of cuts looked at, and log-odds beyond which nothing on a card need go."""

_COMMON, _STARTS, _PASSES, _OWN_ROWS = 0.05, 8, 5, 1.0
_FEWEST = 0.02
"""Part of the rows that a range of a column must have: a few rows tell nothing of their own."""


def round_to_points(model: Model, data: Dataset, units: Sequence[int] = UNITS) -> PointsCard:
    """Make the card of a shaped tree of two classes, for the second one.

    Parameters
    ----------
    data : the rows that the model was fitted to
    units : what to choose the unit from: points between the lines that add most and least
    """
    if data.n_rows > MOST_ROWS:
        sample = np.random.default_rng(data.n_rows).choice(data.n_rows, MOST_ROWS, replace=False)
        data = data.take(np.sort(sample))
    member = additive_member(model)
    said = np.clip(_log_odds(additive_scores(member, data)), -FARTHEST, FARTHEST)
    chance = expit(said)
    # As much as a change of log-odds changes the probability.
    weights = data.row_weights * np.maximum(chance * (1 - chance), 0.01)
    drafts = _fitted(_drafts(member, data), said, weights)
    best, least, kept = None, np.inf, drafts
    for most in units:
        chosen = _on_a_page(drafts, _reach(drafts) / most)
        if [draft.column for draft in chosen] != [draft.column for draft in kept]:
            kept = _fitted(chosen, said, weights)
        unit = _reach(kept) / most
        parts = [_points(draft, unit) for draft in kept]
        lines = [own[draft.line] for draft, own in zip(kept, parts, strict=True)]
        totals = np.sum([np.zeros(data.n_rows), *lines], axis=0)
        slope, base = _line(totals, said, weights)
        off = expit(base + slope * totals) - chance
        error = max(float(np.sqrt(np.average(off**2, weights=data.row_weights))), CLOSE)
        if error < least:
            drawn = zip(kept, parts, strict=True)
            shown = tuple(_part(draft, own, model) for draft, own in drawn if own.any())
            best, least = PointsCard(model, 1, slope, base, shown, most), error
        if error <= CLOSE:
            break
    assert best is not None
    return best


def points_loss(card: FloatArray, model: FloatArray, data: Dataset) -> PointsLoss | None:
    """Compare what a card and its model say about rows, float64[n, 2], with what happened.

    Rows of which either says nothing (NaN) are left out; None where no row is left.
    """
    known = ~np.isnan(card[:, 0] + model[:, 0])
    if not known.any():
        return None
    card, model, data = card[known], model[known], data.take(known)
    labels, w, off = data.labels, data.row_weights, np.abs(model - card)[:, 1]
    counted = w * observation_scale(w)
    happened = softened((labels == 1).astype(np.float64), counted)
    line, curvature = fit_line(log_odds(card[:, 1]), happened, counted)
    stray = _stray(expit(line[0] * log_odds(card[:, 1]) + line[1]), happened, counted)
    return PointsLoss(
        rows=data.n_rows,
        brier_binary=[brier_score(said, labels, w) / 2 for said in (model, card)],
        auc=[area_under_curve(said, labels, w) for said in (model, card)],
        mean_change=float(np.average(off, weights=w)),
        largest_change=float(off.max()),
        line=line.tolist(),
        covariance=(stray * np.linalg.inv(curvature)).tolist(),
    )


def _stray(chance: FloatArray, happened: FloatArray, weights: FloatArray) -> float:
    """Say how far tenths of rows stray from a line, over chance (McCullagh, Nelder 1989, 4.5)."""
    tenths = np.array_split(np.argsort(chance, kind="stable"), 10)
    kinds = weights * np.array([happened - chance, chance * (1 - chance)])
    off, spread = np.array([[own[at].sum() for at in tenths] for own in kinds])
    return max(float((off**2 / np.maximum(spread, 1e-9)).sum()) / 8, 1.0)


@dataclass(frozen=True)
class _Draft:
    """A part of a card before it is rounded.

    Attributes
    ----------
    column : None: the tree
    line : int64[n_rows], the line of every row; the last is that of a value not recorded, or of a
        row whose group cannot be told
    scores, rows : float64[n_lines], what every line adds to the log-odds, and who has it
    cuts : where a number is cut: a value up to a cut is on the line before it
    ends : the nodes of the tree that are groups
    codes : the values of a number that has few
    """

    column: int | None
    line: IntArray
    scores: FloatArray
    rows: FloatArray
    cuts: FloatArray | None = None
    ends: tuple[int, ...] = ()
    codes: tuple[float, ...] = ()


def _sums(place: IntArray, values: FloatArray, n_places: int) -> FloatArray:
    return np.bincount(place, values, n_places).astype(np.float64)


def _log_odds(scores: FloatArray) -> FloatArray:
    return np.asarray(scores[:, 1] - scores[:, 0])


def _drafts(member: AdditiveMember, data: Dataset) -> list[_Draft]:
    """Cut the tree into groups and every column into lines; the strongest column comes first."""
    columns, rest = [], _log_odds(additive_scores(member, data) - member.intercept)
    for shape in member.shapes:
        added = _log_odds(shape.scores(data.values[:, shape.column]))
        columns.append(_column(shape, added, data))
        rest = rest - added
    columns.sort(key=lambda draft: -float(np.cov(draft.scores, aweights=draft.rows, ddof=0)))
    return [_groups(member.smoothed.tree, rest, data), *columns]


def _column(shape: ColumnShape, added: FloatArray, data: Dataset) -> _Draft:
    """Cut a column into ranges, or into its categories."""
    column, x = data.schema.columns[shape.column], data.values[:, shape.column]
    cuts = None
    if column.is_nominal:
        every = np.append(np.arange(data.schema.n_values[shape.column], dtype=np.float64), np.nan)
        known = np.isfinite(x) & (x >= 0) & (x < len(every) - 1)
        line = np.where(known, x, len(every) - 1).astype(np.int64)
    else:
        cuts = _best_cuts(x, added, data.row_weights, column.unit)
        every = np.full(len(cuts) + 2, np.nan)
        line = np.where(np.isnan(x), len(cuts) + 1, np.searchsorted(cuts, x))
    rows = _sums(line, data.row_weights, len(every))
    sums = _sums(line, data.row_weights * added, len(every))
    alone = _log_odds(shape.scores(every))  # of categories, and of a missing value, without rows
    scores = np.where(rows > 0, sums / np.maximum(rows, 1e-300), alone)
    codes = () if isinstance(shape, NominalShape) else coded_values(column, shape)
    return _Draft(shape.column, line, scores, rows, cuts, codes=codes)


def _best_cuts(x: FloatArray, added: FloatArray, rows: FloatArray, unit: str) -> FloatArray:
    """Cut values into ranges of about one height each, at short numbers.

    Exact, by dynamic programming over the places between values (Fisher 1958).
    """
    known = np.isfinite(x)
    values, at = np.unique(x[known], return_inverse=True)
    if len(values) > MOST_PLACES:  # as many rows between two places everywhere
        below = np.cumsum(np.bincount(at, rows[known]))
        shares = below[-1] * np.arange(MOST_PLACES + 1) / MOST_PLACES
        values = np.unique(values[np.searchsorted(below, shares).clip(0, len(values) - 1)])
    pairs = zip(values[:-1].tolist(), values[1:].tolist(), strict=True)
    places = np.array([_short_between(low, high, unit) for low, high in pairs])
    between, n_between = np.searchsorted(places, x[known]), len(places) + 1
    sums = np.zeros((3, n_between + 1))
    for power in range(3):
        sums[power, 1:] = np.cumsum(_sums(between, rows[known] * added[known] ** power, n_between))
    inside = sums[:, None, :] - sums[:, :, None]  # from place i to place j
    cost = inside[2] - inside[1] ** 2 / np.maximum(inside[0], 1e-300)
    cost[inside[0] < _FEWEST * sums[0, -1]] = np.inf
    cost[np.tril_indices(n_between + 1)] = np.inf
    best, origins = cost[0].copy(), []
    for _ in range(min(MOST_RANGES, n_between) - 1):
        through = best[:, None] + cost
        best = through.min(axis=0)
        if not np.isfinite(best[-1]):  # so many ranges would have too few rows
            break
        origins.append(through.argmin(axis=0))
    chosen, end = [], n_between
    for origin in reversed(origins):
        end = int(origin[end])
        chosen.append(float(places[end - 1]))
    return np.array(chosen[::-1])


def _short_between(low: float, high: float, unit: str) -> float:
    """Return a number from one up to below another that is written with few digits.

    Between whole numbers it is whole.

    >>> _short_between(17.3, 22.9, ""), _short_between(1.0, 2.0, ""), _short_between(0.51, 0.54, "")
    (20.0, 1.0, 0.53)
    """
    middle, whole = low / 2 + high / 2, low % 1 == high % 1 == 0
    if unit == "date":
        return float(max(np.floor(middle), low))
    for digits in range(1, 16):
        number = float(f"{middle:.{digits}g}")
        if low <= number < high and not (whole and number % 1):
            return number
    return low


def _groups(tree: CountTree, added: FloatArray, data: Dataset) -> _Draft:
    """Cut the tree back to a few groups, by what the path adds to the rows of every node."""
    landing = find_leaves(tree, data.values, data.schema.n_values)
    told = np.diff(landing.first) == 1
    leaf = np.where(told, landing.nodes[landing.first[:-1]], 0)
    rows = _sums(leaf[told], data.row_weights[told], tree.n_nodes)
    sums = _sums(leaf[told], (data.row_weights * added)[told], tree.n_nodes)
    add_up_the_tree(tree, rows)
    add_up_the_tree(tree, sums)
    means = sums / np.maximum(rows, 1e-300)
    ends = _cut_back(tree, means, rows)
    group_of = np.full(tree.n_nodes, len(ends))
    group_of[ends] = np.arange(len(ends))
    for level in range(1, tree.max_depth + 1):
        nodes = np.flatnonzero(tree.arrays.depth == level)
        group_of[nodes] = np.minimum(group_of[nodes], group_of[tree.arrays.parent[nodes]])
    line = np.where(told, group_of[leaf], len(ends))
    found = _sums(line, data.row_weights, len(ends) + 1)
    return _Draft(None, line, np.append(means[ends], means[0]), found, ends=tuple(ends))


def _cut_back(tree: CountTree, means: FloatArray, rows: FloatArray) -> list[int]:
    """Return the nodes that are groups: siblings that add about the same become one, in turn."""
    n_open = tree.arrays.n_children.copy()
    waiting: list[tuple[float, int]] = []
    ends = {leaf for leaf in tree.leaves.tolist() if rows[leaf] > 0 or leaf == 0}
    closed = [leaf for leaf in tree.leaves.tolist() if leaf]  # no split is left below
    while True:
        for parent in tree.arrays.parent[closed].tolist():
            n_open[parent] -= 1
            if n_open[parent] == 0:
                children = list(tree.children(parent))
                loss = float(rows[children] @ (means[children] - means[parent]) ** 2)
                heapq.heappush(waiting, (loss, parent))
        if not waiting:
            break
        loss, node = heapq.heappop(waiting)
        if len(ends) <= MOST_GROUPS and loss > ALIKE**2 * rows[node]:
            break
        ends = {*ends.difference(tree.children(node)), node}
        closed = [node] if node else []
    return sorted(ends)


def _fitted(drafts: Sequence[_Draft], said: FloatArray, weights: FloatArray) -> list[_Draft]:
    """Let lines add up to the log-odds of the model, by least squares, one part after another.

    Lines of few rows stay near what the model adds there.
    """
    scores = [draft.scores for draft in drafts]
    total = np.sum([own[d.line] for own, d in zip(scores, drafts, strict=True)], axis=0)
    for _ in range(_PASSES):
        for at, draft in enumerate(drafts):
            total = total - scores[at][draft.line]
            left = said - total
            left = left - np.average(left - draft.scores[draft.line], weights=weights)
            n_lines = len(draft.scores)
            mass = np.bincount(draft.line, weights, n_lines) + _OWN_ROWS
            sums = np.bincount(draft.line, weights * left, n_lines) + _OWN_ROWS * draft.scores
            scores[at] = sums / mass
            total = total + scores[at][draft.line]
    return [replace(draft, scores=own) for draft, own in zip(drafts, scores, strict=True)]


def _line(totals: FloatArray, said: FloatArray, weights: FloatArray) -> tuple[float, float]:
    """Fit the log-odds of a sum of points: their slope and those of no points."""
    across, along = np.cov(totals, said, aweights=weights, ddof=0)[0]
    slope = float(along / across) if across > 0 else 1.0
    return slope, float(np.average(said - slope * totals, weights=weights))


def _reach(drafts: Sequence[_Draft]) -> float:
    """Return how far apart the lines of a part lie at most that many rows have."""
    many = [draft.scores[draft.rows >= _COMMON * draft.rows.sum()] for draft in drafts]
    return max([1e-9, *(float(np.ptp(scores)) for scores in many if scores.size)])


def _points(draft: _Draft, unit: float) -> IntArray:
    """Round what lines add, counted from where rounding moves rows least; most rows get none."""
    exact, share = draft.scores / unit, draft.rows / max(float(draft.rows.sum()), 1e-300)
    tried = np.rint(exact + np.arange(_STARTS)[:, None] / _STARTS)
    off = tried - exact
    apart = (off - (off @ share)[:, None]) ** 2 @ share
    points = tried[int(np.argmin(apart.round(9)))]
    points = points - points[np.argmax(draft.rows)]
    return np.asarray(np.clip(points, -MOST_POINTS, MOST_POINTS), dtype=np.int64)


def _on_a_page(drafts: Sequence[_Draft], unit: float) -> list[_Draft]:
    """Choose the parts that have points and fit on the page, in their order."""
    kept, n_lines = [], 0
    for draft in drafts:
        points = _points(draft, unit)
        shown = points[draft.rows > 0]
        n_own = len(shown) if draft.ends else len(set(shown.tolist()))
        if points.any() and n_lines + n_own <= MOST_LINES:
            kept.append(draft)
            n_lines += n_own
    return kept


_Line = tuple[str, list[int], tuple[tuple[Way, ...], ...]]
"""Words, the lines of a draft that are meant, and when they are."""


def _part(draft: _Draft, points: IntArray, model: Model) -> PointsPart:
    """Write the lines of a part; a group that no training row had has one only if it has points."""
    number, lines = draft.column, _column_lines(draft, points, model.schema)
    title = "group" if number is None else model.schema.titles[number]
    lines = _group_lines(draft, points, model) if number is None else lines
    made = [
        PointsLine(words, int(points[at[0]]), float(draft.rows[at].sum()), when)
        for words, at, when in lines
    ]
    kept = (line for line in made if line.rows or line.points or number is not None)
    return PointsPart(number, title, tuple(kept))


def _group_lines(draft: _Draft, points: IntArray, model: Model) -> Iterator[_Line]:
    """Write the rules of groups, those of fewest points first."""
    for at in np.argsort(points[:-1], kind="stable").tolist():
        found = rule(model.trees[0].tree, model.schema, draft.ends[at])
        yield conditions_text(found), [at], tuple(_ways(each, model.schema) for each in found)
    yield "cannot be told", [-1], ()


def _ways(condition: Condition, schema: Schema) -> tuple[Way, ...]:
    """List the ways to meet a condition."""
    names, found = schema.columns[condition.column].categories, []
    for way in (condition, *condition.others):
        codes = None if names is None or way.category is None else (names.index(way.category),)
        found.append((condition.column, _end(way.above), _end(way.up_to), codes, way.missing))
    return tuple(found)


def _end(number: float) -> float | None:
    return float(number) if np.isfinite(number) else None


def _column_lines(draft: _Draft, points: IntArray, schema: Schema) -> Iterator[_Line]:
    """Put categories, or neighbouring ranges, of the same points on one line."""
    number, cuts = draft.column or 0, draft.cuts
    column, own = schema.columns[number], points[:-1]
    runs = own if cuts is None else np.cumsum(np.diff(own, prepend=own[0]) != 0)
    together: dict[int, list[int]] = {}
    for at in range(len(own)) if cuts is not None else np.flatnonzero(draft.rows[:-1]).tolist():
        together.setdefault(int(runs[at]), []).append(at)
    for line in together.values():
        if cuts is None:
            names = column.categories or ()
            words = ", ".join(names[code] for code in line)
            way: Way = (number, None, None, tuple(line), False)
        else:
            low, high = ([-np.inf, *cuts, np.inf][end] for end in (line[0], line[-1] + 1))
            words = range_words(column, low, high, draft.codes)
            way = (number, _end(low), _end(high), None, False)
        yield words, line, ((way,),)
    yield NOT_RECORDED_TEXT, [-1], (((number, None, None, None, True),),)
