"""A tree in a few sentences: its clearest groups, and what not to conclude from them."""

from __future__ import annotations

from probtrees.explain.rule import outcome_names, rule
from probtrees.explain.track import range_text
from probtrees.model.track_record import LeafInterval, TrackRecord
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Schema
from probtrees.words import count_text, percent, plural, rows_text

_MOST = 3


def tree_summary(
    smoothed: SmoothedTree, schema: Schema, outcome: int, record: TrackRecord | None = None
) -> str:
    """Describe a tree in words that can stand in a letter.

    Only groups whose interval, judged by rows not used to grow, lies on one side of the overall
    rate are named: the most extreme of many groups are extreme by luck.

    Parameters
    ----------
    record : the track record of the model; without one no group is named
    """
    tree = smoothed.tree
    name = f"{schema.columns[tree.target].name} = {outcome_names(tree, schema)[outcome]}"
    total, cases = float(tree.totals[0]), float(tree.arrays.counts[0, outcome])
    base = cases / total if total > 0 else 0.0
    said = [
        f"Of {rows_text(total)}, {count_text(cases)} have {name} ({percent(base)}). The tree "
        f"divides them into {plural(tree.n_leaves, 'groups')}."
    ]
    for words, sign in (("above", 1), ("below", -1)):
        listed = _clear_groups(smoothed, outcome, base, record, sign)
        if listed:
            said.append(f"Groups whose chance is clearly {words} that:")
            said += [_group(smoothed, schema, outcome, *found) for found in listed]
    if record is None:
        said.append("How its groups fare on unseen rows is not known, so none of them is named.")
    elif len(said) == 1:
        said.append("No group's chance is clearly above or below that, judged by unseen rows.")
    caution = (
        "What not to conclude: that changing a value would change the chance. A group holds other "
        "rows, not changed ones."
    )
    ranges = " Ranges hold the true chance 9 in 10 times, judged by rows not used to grow."
    said.append(caution + ("" if record is None else ranges))
    return "\n".join(said)


def _clear_groups(
    smoothed: SmoothedTree, outcome: int, base: float, record: TrackRecord | None, sign: int
) -> list[tuple[int, LeafInterval]]:
    """Find the groups that are surely above (or below) the base rate, the clearest first."""
    found = []
    for leaf in smoothed.tree.leaves.tolist() if record is not None else []:
        rows = float(smoothed.tree.arrays.weight[leaf])
        probability = float(smoothed.probs[leaf, outcome])
        interval = record.leaf_interval(probability, rows, outcome) if record and rows > 0 else None
        if interval is None:
            continue
        away = interval.lower - base if sign > 0 else base - interval.upper
        if away > 0:
            found.append((away, leaf, interval))
    found.sort(key=lambda each: -each[0])
    return [(leaf, interval) for _, leaf, interval in found[:_MOST]]


def _group(
    smoothed: SmoothedTree, schema: Schema, outcome: int, leaf: int, interval: LeafInterval
) -> str:
    tree = smoothed.tree
    where = " and ".join(condition.words for condition in rule(tree, schema, leaf)) or "all rows"
    return (
        f"- where {where}: {percent(float(smoothed.probs[leaf, outcome]))} "
        f"({range_text(interval.lower, interval.upper, outwards=True)}), "
        f"{count_text(float(tree.arrays.counts[leaf, outcome]))} of "
        f"{rows_text(float(tree.totals[leaf]))}"
    )
