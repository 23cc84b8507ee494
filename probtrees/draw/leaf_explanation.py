"""What is said about one node wherever it is explained: in the app and in a report."""

from __future__ import annotations

from collections.abc import Sequence

from probtrees.draw import markup
from probtrees.draw.escape import html_text
from probtrees.draw.palette import PAINTS, Theme, along
from probtrees.explain.detail import group_probs, is_group_mean
from probtrees.explain.leaf import Explanation
from probtrees.explain.rule import all_rows_text, branch_condition
from probtrees.explain.sentence import groups_of
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Schema
from probtrees.words import (
    outcome_title,
    percent,
    percent_decimals,
    percent_is_bound,
    round_to_sum,
    share_text,
    whole_shares,
)

Part = tuple[str, float, str, str]
"""A source of a probability: its words, its weight, and both of its numbers as printed."""


def headline_words(smoothed: SmoothedTree, explained: Explanation, of_leaf: str) -> tuple[str, str]:
    """Say what kind of number stands for a node, and the number: the one in its picture.

    Parameters
    ----------
    of_leaf : the kind, where the node is a leaf
    """
    number = percent(float(group_probs(smoothed)[explained.node, explained.outcome]))
    if smoothed.tree.is_leaf[explained.node]:
        return of_leaf, number
    observed = "" if explained.observed is None else f"; observed {percent(explained.observed)}"
    return f"Inner node · as a group{observed}", number


def number_html(number: str, words: str) -> str:
    """Write a number large, and what it is of beside it."""
    return (
        '<div style="line-height:1.2"><span style="font-size:2.1rem;font-weight:700">'
        f'{html_text(number)}</span> <span style="font-size:1.1rem;overflow-wrap:anywhere">'
        f"{html_text(words)}</span></div>"
    )


def headline_html(explained: Explanation, target: str, kind: str, number: str, theme: Theme) -> str:
    """Write the number large, and the rule as a sentence."""
    conditions = [f"<em>{html_text(words)}</em>" for words in explained.rule]
    who = "All rows" if not conditions else "Rows where " + " and ".join(conditions)
    return (
        f'<div style="font-size:.8rem;color:{PAINTS[theme].faint}">{html_text(kind)}</div>'
        f"{number_html(number, outcome_title(target, explained.outcome_name))}"
        f'<div style="margin-top:.2rem;overflow-wrap:anywhere">{who}.</div>'
    )


def rings_html(smoothed: SmoothedTree, schema: Schema, explained: Explanation, theme: Theme) -> str:
    """Draw whose rows a number rests on; the printed shares and percentage points add up.

    A mean of leaves rests on what each of them rests on: of that nothing is drawn.
    """
    if is_group_mean(smoothed, explained.node):
        return ""
    sources = explained.rings or explained.contributions
    if sources[0].log_odds is not None:
        return _steps_html(smoothed, schema, explained, theme)
    groups = groups_of(smoothed.tree, schema, sources)
    decimals = percent_decimals(explained.probability)
    tiny = explained.probability < 0.5 and percent_is_bound(explained.probability)
    shares = whole_shares([group.share for group in groups])
    points = round_to_sum([100 * group.points for group in groups], decimals)
    parts = [
        (
            group.name,
            group.share,
            share_text(share),
            "under 0.001" if tiny else f"+{point:.{decimals}f}",
        )
        for group, share, point in zip(groups, shares, points, strict=True)
        if share > 0 or point > 0
    ]
    return _parts_html(parts, "weight", theme)


def _steps_html(
    smoothed: SmoothedTree, schema: Schema, explained: Explanation, theme: Theme
) -> str:
    """List what every step of the path adds, in log-odds and in percentage points."""
    path = [source for source in reversed(explained.contributions) if source.node is not None]
    decimals = percent_decimals(explained.probability)
    points = round_to_sum([100 * source.points for source in path], decimals)
    parts: list[Part] = []
    for source, point in zip(path, points, strict=True):
        condition = branch_condition(smoothed.tree, schema, source.node or 0)
        words = all_rows_text(smoothed.tree) if condition is None else f"where {condition.words}"
        parts.append((words, 0.0, f"{source.log_odds:+.2f}", f"{point:+.{decimals}f}"))
    return _parts_html(parts, "log-odds", theme)


def spread_text(explained: Explanation, smoothed: SmoothedTree) -> str:
    """Print the posterior interval, named for what it is; nothing where a smoother has none."""
    if explained.spread is None:
        return "" if smoothed.lower is None else "Posterior interval: of leaves only."
    return (
        f"90 % interval {percent(explained.spread.lower)} to {percent(explained.spread.upper)}: "
        f"{explained.spread.note}."
    )


def _parts_html(parts: Sequence[Part], unit: str, theme: Theme) -> str:
    """Draw the shares as one bar, with a line of words for every source, and its numbers."""
    paint = PAINTS[theme]
    strong = (paint.accent, paint.sequential[1])
    bar, lines = [], []
    for number, (words, share, share_words, points) in enumerate(parts):
        colour = along(strong, number / max(len(parts) - 1, 1))
        bar.append((share, colour, f"{words}: {share_words} of the weight"))
        names, numbers = [f"{markup.swatch(colour)} {html_text(words)}"], (share_words, points)
        lines.append(markup.line(names, None, [*map(html_text, numbers)], paint))
    heads = ("rests on", unit, "percentage points")
    return markup.parts_bar(bar, paint) + markup.table(lines, heads, n_left=1, theme=theme)
