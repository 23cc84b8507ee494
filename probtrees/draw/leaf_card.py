"""What is said about one node wherever it is explained: in the app and in a report."""

from __future__ import annotations

from collections.abc import Callable

from probtrees.draw.escape import html_text
from probtrees.draw.palette import PAINTS, Theme
from probtrees.draw.rings import Ring, ring_bar_html
from probtrees.explain.leaf import Explanation
from probtrees.explain.sentence import groups_of
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Schema
from probtrees.words import count_text, percent, percent_decimals, percent_is_bound, round_to_sum

OBSERVED = "Inner node · observed rate"


def shown_number(told: Explanation, *, is_leaf: bool) -> float:
    """Choose the number that stands for a node: a leaf's estimate, else the observed rate."""
    return told.probability if is_leaf or told.observed is None else told.observed


def headline_html(
    told: Explanation, target: str, *, kind: str, number: str, theme: Theme = "light"
) -> str:
    """Write the number large, and the rule as a sentence."""
    conditions = [f"<em>{html_text(words)}</em>" for words in told.rule]
    who = "All rows" if not conditions else "Rows where " + " and ".join(conditions)
    return (
        f'<div style="font-size:.8rem;color:{PAINTS[theme].faint}">{html_text(kind)}</div>'
        f'<div style="line-height:1.2"><span style="font-size:2.1rem;font-weight:700">'
        f'{html_text(number)}</span> <span style="font-size:1.1rem;overflow-wrap:anywhere">'
        f"{html_text(target)}: {html_text(told.outcome_name)}</span></div>"
        f'<div style="margin-top:.2rem;overflow-wrap:anywhere">{who}.</div>'
    )


def rings_html(
    smoothed: SmoothedTree,
    schema: Schema,
    told: Explanation,
    *,
    theme: Theme = "light",
    number_text: Callable[[float], str] = count_text,
) -> str:
    """Draw whose rows a number rests on; the printed shares and points add up."""
    sources = told.rings or told.contributions
    groups = groups_of(smoothed.tree, schema, sources, number_text=number_text)
    decimals = percent_decimals(told.probability)
    tiny = told.probability < 0.5 and percent_is_bound(told.probability)
    shares = round_to_sum([100 * group.share for group in groups], 0)
    points = round_to_sum([100 * group.points for group in groups], decimals)
    parts = [
        Ring(
            group.words,
            group.share,
            f"{share:.0f} %" if share > 0 else "under 1 %",
            "under 0.001 points" if tiny else f"+{point:.{decimals}f} points",
        )
        for group, share, point in zip(groups, shares, points, strict=True)
        if share > 0 or point > 0
    ]
    return ring_bar_html(parts, theme=theme)


def spread_text(told: Explanation) -> str:
    """Print the posterior interval, named for what it is."""
    if told.spread is None:
        return "Posterior interval: none computed by this smoother."
    return (
        f"90 % interval {percent(told.spread.lower)} to {percent(told.spread.upper)}: "
        f"{told.spread.note}."
    )
