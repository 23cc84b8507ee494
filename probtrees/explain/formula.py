"""The formula behind a node's probability, with the node's numbers filled in."""

from __future__ import annotations

from probtrees.smooth.filled_formula import FilledFormula, show_number
from probtrees.smooth.smoothed_tree import SmoothedTree


def fill_formula(smoothed: SmoothedTree, node: int, outcome: int) -> FilledFormula:
    """Fill a smoother's formula in; one that offers none is shown as the sum of its parts."""
    own = getattr(smoothed.smoother, "formula", None)
    if own is not None:
        filled: FilledFormula = own(smoothed, node, outcome)
        return filled
    return sum_of_parts(smoothed, node, outcome)


def sum_of_parts(smoothed: SmoothedTree, node: int, outcome: int) -> FilledFormula:
    """Write a probability as the shares of its sources times what each of them says."""
    parts = smoothed.contributions(node)
    terms = [
        f"{show_number(share)}·{show_number(value / share)}"
        for share, value in zip(parts.shares, parts.values[:, outcome], strict=True)
        if share > 0
    ]
    value = float(smoothed.probs[node, outcome])
    return FilledFormula(
        general="p = sum of share·q over the node, its ancestors and the uniform",
        steps=(f"p = {' + '.join(terms)} = {show_number(value)}",),
        symbols={
            "share": "the weight a source carries",
            "q": "what the source says about this outcome",
        },
        value=value,
    )
