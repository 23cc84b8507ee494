"""What a probability rests on: nodes that overlap, or rings that count no row twice.

And the formula behind it, with the numbers of the node filled in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from probtrees.grow.count_tree import CountTree
from probtrees.smooth.smoothed_tree import Contributions, FilledFormula, SmoothedTree, show_number
from probtrees.types import FloatArray

SourceKind = Literal["leaf", "ancestor", "others", "uniform", "other leaves"]


@dataclass(frozen=True)
class Source:
    """One thing that a probability rests on.

    Attributes
    ----------
    kind : "leaf": the node's own rows; "ancestor": all rows of an ancestor; "others": the
        rows of an ancestor that are not in the node below it; "uniform": every outcome
        alike; "other leaves": what the published M-branch program lets in
    node : the node in question; None for the last two kinds
    rows, cases : its rows, and those with the outcome; 0 for the last two kinds
    share : the weight it carries; the shares of all sources sum to 1
    points : what it adds to the probability; the points of all sources sum to it
    log_odds : what it adds to the log-odds against the most probable other outcome; None where
        the smoother does not add up in log-odds
    """

    kind: SourceKind
    node: int | None
    rows: float
    cases: float
    share: float
    points: float
    log_odds: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the source as plain values, ready for JSON."""
        record = asdict(self)
        return {
            name: value for name, value in record.items() if value is not None or name == "node"
        }


def sources(tree: CountTree, parts: Contributions, outcome: int) -> tuple[Source, ...]:
    """List the node, its ancestors and the uniform, each with what it contributes.

    The rows of an ancestor include those of the nodes below it.
    """
    nodes, n_nodes = list(parts.nodes), len(parts.nodes)
    figures = [tree.totals[nodes], tree.arrays.counts[nodes, outcome]]
    figures += [parts.shares[:n_nodes], parts.values[:n_nodes, outcome]]
    if parts.log_odds is not None:
        figures.append(_log_odds(parts.log_odds, outcome)[:n_nodes])
    return _listed(parts, outcome, "ancestor", figures)


def _log_odds(scores: FloatArray, outcome: int) -> FloatArray:
    """Take the steps of an outcome's score against those of the most probable other one."""
    others = scores.sum(axis=0)
    others[outcome] = -np.inf
    return np.asarray(scores[:, outcome] - scores[:, int(np.argmax(others))])


def rings(tree: CountTree, parts: Contributions, outcome: int) -> tuple[Source, ...]:
    """Recut the contributions into disjoint groups of rows: the node's, its parent's others, ...

    A row of the parent's others is also a row of every node further up, so it carries what
    each of those lends to each of its rows: sum of share / rows over the ancestors it is in.
    Empty where the sources are not rows (HDP's ancestors hold pseudo-counts, HLS's deltas).
    """
    if not parts.has_rings:
        return ()
    nodes = list(parts.nodes)
    totals = tree.totals[nodes]
    lent = np.divide(parts.shares[: len(nodes)], totals, out=np.zeros(len(nodes)), where=totals > 0)
    weight_of_row = np.cumsum(lent[::-1])[::-1]
    cases = tree.arrays.counts[nodes, outcome]
    ring_rows = np.diff(totals, prepend=0.0)
    ring_cases = np.diff(cases, prepend=0.0)
    figures = [np.maximum(ring_rows, 0.0), np.maximum(ring_cases, 0.0)]
    figures += [ring_rows * weight_of_row, ring_cases * weight_of_row]
    return _listed(parts, outcome, "others", figures)


def _listed(
    parts: Contributions, outcome: int, above: SourceKind, figures: Sequence[FloatArray]
) -> tuple[Source, ...]:
    """List the nodes by their figures, then the uniform and, where they leak in, other leaves."""
    rows = zip(parts.nodes, np.stack(figures, axis=1).tolist(), strict=True)
    own = (Source(above if at else "leaf", node, *row) for at, (node, row) in enumerate(rows))
    kinds: list[SourceKind] = ["uniform", "other leaves"] if parts.other_leaves else ["uniform"]
    rest = (
        Source(kind, None, 0.0, 0.0, float(parts.shares[at]), float(parts.values[at, outcome]))
        for at, kind in enumerate(kinds, start=len(parts.nodes))
    )
    return (*own, *rest)


def fill_formula(smoothed: SmoothedTree, node: int, outcome: int) -> FilledFormula:
    """Fill a smoother's formula in.

    That of one which offers none is the shares of its sources times what each of them says.
    """
    own = getattr(smoothed.smoother, "formula", None)
    if own is not None:
        filled: FilledFormula = own(smoothed, node, outcome)
        return filled
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
