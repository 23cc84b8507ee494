"""A tree in a few sentences: its clearest groups, and what not to conclude from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from probtrees.explain.detail import group_probs
from probtrees.explain.rule import outcome_names, rule
from probtrees.explain.track import interval_text
from probtrees.grow.count_tree import CountTree
from probtrees.model.track_record import LeafInterval, TrackRecord, wilson_interval
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Schema
from probtrees.types import FloatArray
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

    shown: LeafInterval
    sure: LeafInterval


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
    rows = plural(total, tree.rows_word)
    said = [
        f"Of {rows}, {count_text(cases)} have {name} ({percent(base)}). The tree "
        f"divides them into {plural(tree.n_leaves, 'groups')}."
    ]
    intervals = _intervals(smoothed, outcome, base, record)
    chances, named = group_probs(smoothed)[:, outcome], []
    for words, sign in (("above", 1), ("below", -1)):
        listed = _clear_groups(tree, base, intervals, sign)
        listed.sort(key=lambda found: -sign * float(chances[found[0]]))
        if listed:
            said.append(f"Groups whose chance is clearly {words} that:")
            said += [_group(smoothed, schema, outcome, *found) for found in listed]
        named += [(node, sign) for node, _ in listed]
    untold = _untold(tree, chances, base, named) if named else []
    if 0 < len(untold) <= _MOST + 1:
        said.append("Other groups:")
        said += [_group(smoothed, schema, outcome, at, intervals[at].shown) for at in untold]
    elif untold:
        low, high = (percent(float(end)) for end in (chances[untold].min(), chances[untold].max()))
        rows = plural(float(tree.totals[untold].sum()), tree.rows_word)
        said.append(f"And {len(untold):,} more groups of {rows}, from {low} to {high}.")
    if record is None:
        said.append("How its groups fare on unseen rows is not known, so none of them is named.")
    elif len(said) == 1:
        said.append("No group's chance is clearly above or below that, judged by unseen rows.")
    caution = (
        "What not to conclude: that changing a value would change the chance. A group holds other "
        "rows, not changed ones."
    )
    ranges = (
        " Ranges: the true chances of 90 of 100 such leaves lie there, judged by rows not used to "
        "grow; those of groups that the tree divides further are judged by their own rows."
    )
    said.append(caution + ("" if record is None else ranges))
    return "\n".join(said)


def _untold(
    tree: CountTree, chances: FloatArray, base: float, named: Sequence[tuple[int, int]]
) -> list[int]:
    """List the leaves that no group tells of: neither named, nor in one on their side."""
    return [
        leaf
        for leaf in tree.leaves[tree.totals[tree.leaves] > 0].tolist()
        if not any(
            node == leaf or (node in tree.path(leaf) and sign * (chances[leaf] - base) > 0)
            for node, sign in named
        )
    ]


def _clear_groups(
    tree: CountTree, base: float, intervals: Mapping[int, _Bounds], sign: int
) -> list[tuple[int, LeafInterval]]:
    """Find the groups that are surely above (or below) the base rate; none lies in another.

    Inner nodes are groups too: fifty leaves of three rows each may be one story. Groups of five
    rows tell none, so those of some size come first, the one whose interval keeps farthest away
    from the base rate before the others.
    """
    total = float(tree.arrays.weight[0])
    some = max(_SOME_PART * total, min(_SOME_ROWS, _LARGE_PART * total))
    found = []
    for node, (_, sure) in intervals.items():
        away = sure.lower - base if sign > 0 else base - sure.upper
        if away > _CLEAR * min(base, 1 - base):
            found.append((bool(tree.arrays.weight[node] < some), -away, node))
    chosen: list[int] = []
    for is_small, _, node in sorted(found):
        if len(chosen) == _MOST or (is_small and chosen):
            break
        if not any(node in tree.path(other) or other in tree.path(node) for other in chosen):
            chosen.append(node)
    return [(node, intervals[node].shown) for node in chosen]


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
    ends = np.stack(record.intervals(chances[leaves], rows[leaves], outcome), axis=1)
    found = {
        leaf: _Bounds(LeafInterval(*pair), LeafInterval(*pair))
        for leaf, pair in zip(leaves.tolist(), ends.tolist(), strict=True)
    }
    for node in np.flatnonzero(filled & ~tree.is_leaf)[1:].tolist():
        rate = float(tree.arrays.counts[node, outcome] / rows[node])
        strict = LeafInterval(*wilson_interval(rate, float(rows[node]), _STRICT))
        if not strict.lower <= base <= strict.upper:
            found[node] = _Bounds(LeafInterval(*wilson_interval(rate, float(rows[node]))), strict)
    return found


def _group(
    smoothed: SmoothedTree, schema: Schema, outcome: int, node: int, interval: LeafInterval
) -> str:
    """Describe a group by its smoothed chance; the range of a larger one is that of its rows."""
    tree = smoothed.tree
    where = " and ".join(condition.words for condition in rule(tree, schema, node))
    smooth = percent(float(group_probs(smoothed)[node, outcome]))
    cases, rows = float(tree.arrays.counts[node, outcome]), float(tree.totals[node])
    counts = f"{count_text(cases)} of {plural(rows, tree.rows_word)}"
    observed, within = percent(cases / rows), f"({interval_text(interval)})"
    if tree.is_leaf[node] or observed == smooth:
        return f"- where {where}: {smooth} {within}, {counts}"
    return f"- where {where}: {smooth}, {counts}, which is {observed} {within}"
