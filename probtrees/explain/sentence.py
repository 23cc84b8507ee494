"""A probability and what it rests on, in sentences whose printed parts add up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from probtrees.explain.rule import branch_condition
from probtrees.explain.sources import Source
from probtrees.grow.count_tree import CountTree
from probtrees.table.dataset import Schema
from probtrees.words import (
    count_text,
    percent,
    percent_decimals,
    percent_is_bound,
    percentage,
    plural,
    round_to_sum,
    share_text,
    whole_shares,
)

_WITHOUT_ROWS = {
    "uniform": "equal chances for all",
    "other leaves": "the estimates of other leaves",
}
"""What sources without rows of their own are."""


@dataclass(frozen=True)
class Group:
    """Sources named together in a sentence: their words, share and points.

    Where a table lists them beside the path their name will do, which has no cases.
    """

    words: str
    share: float
    points: float
    name: str = ""


def weight_sentence(probability: float, overall: float | None, groups: Sequence[Group]) -> str:
    """Describe how large a probability is and on whom its weight lies.

    >>> weight_sentence(0.161, 0.02, [
    ...     Group("these 7 rows (2 cases)", 0.5, 0.143),
    ...     Group("the 52 others where age is above 80 (3 cases)", 0.24, 0.013),
    ...     Group("the remaining 2,941 (55 cases)", 0.26, 0.005)])
    '16.1 % (1 in 6; 8 times the overall rate). Half the weight lies on these 7 rows (2 cases), \
24 % on the 52 others where age is above 80 (3 cases), 26 % on the remaining 2,941 (55 cases): \
14.3 + 1.3 + 0.5 percentage points.'
    """
    decimals = percent_decimals(probability)
    points = round_to_sum([100 * group.points for group in groups], decimals)
    shares = whole_shares([group.share for group in groups])
    printed = [
        (group.words, share, point)
        for group, share, point in zip(groups, shares, points, strict=True)
        if share > 0 or point > 0
    ]
    is_bound = percent_is_bound(probability)
    text = percent(probability) if is_bound else percentage(sum(points), decimals)
    text = _with_remarks(text, probability, overall)
    (first, share, _), *others = printed
    is_all = max(group.share for group in groups) > 1 - 1e-9
    text += f" {_weight_words(share, is_all)} lies on {first}"
    text += "".join(f", {share_text(share)} on {words}" for words, share, _ in others)
    if len(printed) > 1 and probability > 0 and not is_bound:
        added = " + ".join(f"{point:.{decimals}f}" for *_, point in printed)
        text += f": {added} percentage points"
    return text + "."


def mean_sentence(probability: float, overall: float | None, n_leaves: int) -> str:
    """Describe how large the chance of a group is that is the mean of its leaves.

    >>> mean_sentence(0.247, 0.319, 3)
    '24.7 % (1 in 4; 0.77 times the overall rate): the mean of its 3 leaves over their rows.'
    """
    text = _with_remarks(percent(probability), probability, overall).removesuffix(".")
    leaves = "its one leaf" if n_leaves == 1 else f"its {n_leaves:,} leaves"
    return f"{text}: the mean of {leaves} over their rows."


def steps_sentence(
    tree: CountTree,
    schema: Schema,
    probability: float,
    overall: float | None,
    sources: Sequence[Source],
) -> str:
    """Describe a probability that adds up in log-odds: where it starts, what each step moves.

    "39.1 % (3.9 times the overall rate). The path starts at 31.2 % (averaged over branches);
    where gene is yes +27.1, where sex is male -19.2 percentage points."
    """
    path = [source for source in reversed(sources) if source.node is not None]
    decimals = percent_decimals(probability)
    points = round_to_sum([100 * source.points for source in path], decimals)
    text = _with_remarks(percent(probability), probability, overall)
    text += f" The path starts at {percent(path[0].points)} (averaged over branches)"
    moves = [
        f"where {condition.words} {point:+.{decimals}f}"
        for source, point in zip(path[1:], points[1:], strict=True)
        if (condition := branch_condition(tree, schema, source.node or 0)) is not None
    ]
    return text + (f"; {', '.join(moves)} percentage points." if moves else ".")


def groups_of(tree: CountTree, schema: Schema, sources: Sequence[Source]) -> list[Group]:
    """Gather sources for a sentence: the node, its parent, all further up, the uniform."""
    own, *above = sources
    with_rows = [source for source in above if source.node is not None]
    without_rows = [source for source in above if source.node is None]
    bundles = [[own], with_rows[:1], with_rows[1:], *([source] for source in without_rows)]
    return [
        Group(
            _words(tree, schema, bundle),
            sum(source.share for source in bundle),
            sum(source.points for source in bundle),
            _words(tree, schema, bundle, with_cases=False),
        )
        for bundle in bundles
        if bundle
    ]


def _words(
    tree: CountTree, schema: Schema, bundle: Sequence[Source], *, with_cases: bool = True
) -> str:
    """Name what a bundle of sources is."""
    first = bundle[0]
    if first.node is None:
        return _WITHOUT_ROWS[first.kind]
    if first.kind == "ancestor":
        return "what its parent passes on" if len(bundle) == 1 else "what lies further up"
    rows = sum(source.rows for source in bundle)
    cases = f" ({plural(sum(source.cases for source in bundle), 'cases')})" if with_cases else ""
    if first.kind == "leaf":
        return f"{'this' if rows == 1 else 'these'} {plural(rows, tree.rows_word)}{cases}"
    condition = branch_condition(tree, schema, first.node)
    if condition is not None and len(bundle) == 1:
        return f"the {plural(rows, 'others')} where {condition.words}{cases}"
    return f"the remaining {count_text(rows)}{cases}"


def _with_remarks(text: str, probability: float, overall: float | None) -> str:
    """Add to a printed probability how often it is, and how far from the overall rate."""
    remarks = [words for words in (_one_in(probability), _times(probability, overall)) if words]
    return text + (f" ({'; '.join(remarks)})." if remarks else ".")


def _weight_words(share: float, is_all: bool) -> str:
    if share == 100:
        return "All the weight" if is_all else "Almost all the weight"
    return "Half the weight" if share == 50 else f"{share_text(share)} of the weight"


def _one_in(probability: float) -> str:
    """Write a probability as a chance: "1 in 6", "8 in 10"; nothing where it would mislead.

    It may be off by one in twenty of the rarer side: 45.9 % is not "1 in 2", 87 % not "9 in 10".
    """
    if 1e-7 < probability <= 0.5:
        cases, rows = 1, round(1 / probability)
    else:
        cases, rows = round(10 * probability), 10
    off = abs(cases / rows - probability)
    is_close = cases < rows and off <= 0.05 * min(probability, 1 - probability)
    return f"{cases} in {count_text(rows)}" if is_close else ""


def _times(probability: float, overall: float | None) -> str:
    """Compare a probability with the overall rate; nothing where there is none."""
    if not overall or probability <= 0:
        return ""
    ratio = probability / overall
    if 0.95 <= ratio <= 1.05:
        return "about the overall rate"
    digits = 0 if ratio >= 2.95 else 1 if ratio >= 0.95 else 2
    times = f"{ratio:,.{digits}f}"
    times = times.rstrip("0").rstrip(".") if digits else times
    return f"{times} times the overall rate" if times not in {"0", "1"} else ""
