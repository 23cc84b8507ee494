"""A tree in a few sentences: its clearest groups, and what not to conclude from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from probtrees.explain.detail import group_probs
from probtrees.explain.rule import outcome_names, rule
from probtrees.explain.track import interval_text
from probtrees.grow.count_tree import CountTree
from probtrees.model.track_record import TrackRecord, wilson_interval
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Schema
from probtrees.words import count_text, percent, plural

_MOST = 3

_SOME_PART, _SOME_ROWS, _LARGE_PART = 0.01, 20, 0.05
"""A group is of some size with a hundredth of the rows, and with 20, or a twentieth of few."""

_CLEAR = 0.05
"""The least distance of an interval from the base rate, as a part of it: less is not printed."""

_STRICT = 0.999
"""The level at which an inner node must differ from the base rate."""


class _Bounds(NamedTuple):
    """Where the true rate of a group lies, as shown, and to choose it among many groups by."""

    shown: tuple[float, float]
    sure: tuple[float, float]


def tree_summary(
    smoothed: SmoothedTree, schema: Schema, outcome: int, record: TrackRecord | None = None
) -> str:
    """Describe a tree in words that can stand in a letter.

    Only groups whose interval lies on one side of the overall rate are named: the most extreme
    of many groups are extreme by luck. A leaf's is judged by rows not used to grow.

    Parameters
    ----------
    record : the track record of the model; without one no group is named
    """
    tree = smoothed.tree
    name = f"{schema.columns[tree.target].title} = {outcome_names(tree, schema)[outcome]}"
    total, cases = float(tree.totals[0]), float(tree.arrays.counts[0, outcome])
    base = cases / total if total > 0 else 0.0
    leaves = tree.leaves[tree.totals[tree.leaves] > 0]
    said = [
        f"Of {plural(total, tree.rows_word)}, {count_text(cases)} have {name} ({percent(base)}). "
        f"The tree divides them into {plural(len(leaves), 'groups')}."
    ]
    intervals = _intervals(smoothed, outcome, base, record)
    chances, named = group_probs(smoothed)[:, outcome], list[int]()
    for words, sign in (("above", 1), ("below", -1)):
        listed = _clear_groups(tree, base, intervals, sign)
        listed.sort(key=lambda node: -sign * float(chances[node]))
        if listed:
            said.append(f"Groups whose chance is clearly {words} that:")
            said += [_group(smoothed, schema, outcome, node, intervals[node]) for node in listed]
        named += listed
    rest = [leaf for leaf in leaves.tolist() if not set(tree.path(leaf)) & set(named)]
    if record is None:
        said.append("How its groups fare on unseen rows is not known, so none of them is named.")
    elif not named:
        said.append("No group's chance is clearly above or below that, judged by unseen rows.")
    told = [] if record is None or len(leaves) == 1 else rest
    if 0 < len(told) <= _MOST + 1:
        said.append("Other groups:" if named else "Its groups:")
        said += [_group(smoothed, schema, outcome, leaf, intervals[leaf]) for leaf in told]
    elif told:
        said.append(
            f"{'And' if named else 'In its'} {len(told):,} {'more ' if named else ''}groups: "
            f"{_had(tree, outcome, told)}; chances from "
            f"{percent(float(chances[told].min()))} to {percent(float(chances[told].max()))}."
        )
    caution = (
        "What not to conclude: that changing a value would change the chance. A group holds other "
        "rows, not changed ones."
    )
    ranges = (
        " Chances are smoothed, so they need not be the share that had it. In brackets: the true "
        "chances of 90 of 100 such groups lie there, judged by rows not used to grow; of groups "
        "that the tree divides further by their own rows."
    )
    said.append(caution + (ranges if any(line.startswith("- where") for line in said) else ""))
    return "\n".join(said)


def _clear_groups(
    tree: CountTree, base: float, intervals: Mapping[int, _Bounds], sign: int
) -> list[int]:
    """Find the groups that are surely above (or below) the base rate; none lies in another.

    Inner nodes are groups too: fifty leaves of three rows each may be one story. Groups of five
    rows tell none, so those of some size come first, the one whose interval keeps farthest away
    from the base rate before the others.
    """
    total = float(tree.arrays.weight[0])
    some = max(_SOME_PART * total, min(_SOME_ROWS, _LARGE_PART * total))
    found = []
    for node, (_, sure) in intervals.items():
        away = sure[0] - base if sign > 0 else base - sure[1]
        if away > _CLEAR * min(base, 1 - base):
            found.append((bool(tree.arrays.weight[node] < some), -away, node))
    chosen: list[int] = []
    for is_small, _, node in sorted(found):
        if len(chosen) == _MOST or (is_small and chosen):
            break
        if not any(node in tree.path(other) or other in tree.path(node) for other in chosen):
            chosen.append(node)
    return chosen


def _intervals(
    smoothed: SmoothedTree, outcome: int, base: float, record: TrackRecord | None
) -> dict[int, _Bounds]:
    """Bound the true rates of groups: of leaves by the record, of inner nodes by their rows.

    The record is one of leaves, which are small. The rows of an inner node helped to choose it
    among many, so it has an interval only where its rate would stand a far stricter test.
    """
    if record is None:
        return {}
    tree = smoothed.tree
    chances, rows = group_probs(smoothed)[:, outcome], tree.arrays.weight
    filled = (tree.totals > 0) & (rows > 0)
    leaves = np.flatnonzero(filled & tree.is_leaf)
    ends = (each.tolist() for each in record.intervals(chances[leaves], rows[leaves], outcome))
    pairs = zip(leaves.tolist(), zip(*ends, strict=True), strict=True)
    found = {leaf: _Bounds(pair, pair) for leaf, pair in pairs}
    for node in np.flatnonzero(filled & ~tree.is_leaf)[1:].tolist():
        rate = float(tree.arrays.counts[node, outcome] / rows[node])
        strict = wilson_interval(rate, float(rows[node]), _STRICT)
        if not strict[0] <= base <= strict[1]:
            found[node] = _Bounds(wilson_interval(rate, float(rows[node])), strict)
    return found


def _group(smoothed: SmoothedTree, schema: Schema, outcome: int, node: int, bounds: _Bounds) -> str:
    """Describe a group: a leaf by its smoothed chance, a larger one by the share of its rows."""
    tree = smoothed.tree
    where = " and ".join(condition.words for condition in rule(tree, schema, node))
    had, within = _had(tree, outcome, [node]), interval_text(*bounds.shown)
    if tree.is_leaf[node]:
        return f"- where {where}: {percent(float(smoothed.probs[node, outcome]))} ({within}); {had}"
    below = sum(node in tree.path(leaf) and tree.totals[leaf] > 0 for leaf in tree.leaves)
    return f"- where {where}: {had}, in all such rows {within}; {below} of the groups"


def _had(tree: CountTree, outcome: int, nodes: Sequence[int]) -> str:
    """Say how many rows of some groups had the outcome."""
    cases, rows = float(tree.arrays.counts[nodes, outcome].sum()), float(tree.totals[nodes].sum())
    return f"{count_text(cases)} of {plural(rows, tree.rows_word)} had it ({percent(cases / rows)})"
