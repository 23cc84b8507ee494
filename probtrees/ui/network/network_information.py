"""What columns and arrows tell, and how much of it chance would give."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from scipy.special import chdtrc

from probtrees.grow.count.chance_information import (
    arrow_information,
    chance_with_class,
    margins_of_rows,
    margins_of_tables,
)
from probtrees.types import FloatArray
from probtrees.ui.network.network_bench import NetworkBench
from probtrees.ui.shared.session.bounded_cache import kept

NO_BUTTONS = {"displayModeBar": False}
"""Buttons would cover what a chart shows, or what is to be clicked in it."""

NOT_CUT = (
    "It has one value only. A number is left whole where no cut separates the classes better than "
    "chance: knowing it then changes nothing."
)
"""Said of a column that nothing can be asked about."""


def bits(nats: float) -> float:
    """Write information as people know it: one bit is the answer to one even question."""
    return nats / math.log(2)


@dataclass(frozen=True)
class Information:
    """Information in nats as rows measure it, and the part that chance alone would give."""

    measured: float
    chance: float = 0.0
    n_rows: float = 1.0

    @property
    def beyond_chance(self) -> float:
        """What is left when chance is taken off."""
        return max(self.measured - self.chance, 0.0)

    @property
    def is_clear(self) -> bool:
        """Whether less than one table in a hundred has as much by chance: 2 N I is chi-squared."""
        expected, found = 2 * self.n_rows * self.chance, 2 * self.n_rows * self.measured
        return bool(chdtrc(expected, found) < 0.01)  # learners choose the best of many

    @property
    def words(self) -> str:
        """Say it in bits."""
        measured, chance = bits(self.measured), bits(self.chance)
        if not self.is_clear:
            return f"no more than chance ({measured:.3f} bits; chance alone: {chance:.3f})"
        return f"{bits(self.beyond_chance):.3f} bits beyond chance ({measured:.3f} − {chance:.3f})"


@kept()
def information_about_class(
    key: tuple[Any, ...], member: int, _bench: NetworkBench
) -> dict[int, Information]:
    """Say of every column what it tells about the class; nothing where that was not measured.

    Parameters
    ----------
    key : of the network, by which what was worked out is found again
    """
    margins = _margins(key, member, _bench)
    n_rows = float(_bench.counts.members[member].trees[0].totals[0])
    return {
        column: Information(
            float(measured), chance_with_class(margins, column) if column in margins else 0, n_rows
        )
        for column, measured in enumerate(_bench.counts.diagnostics.get("mutual_information", ()))
    }


@kept()
def arrow_informations(
    key: tuple[Any, ...], member: int, _bench: NetworkBench
) -> dict[tuple[int, int], Information]:
    """Say of every arrow what its parent tells about its child, the child's other parents known."""
    trees = _bench.counts.members[member].trees
    dag = _bench.dag(member)
    return {
        (parent, tree.target): Information(*arrow_information(tree, parent), float(tree.totals[0]))
        for tree in trees
        for parent in dag.parents[tree.target]
    }


@kept()
def _margins(key: tuple[Any, ...], member: int, _bench: NetworkBench) -> dict[int, FloatArray]:
    """Count values by class: of all columns where rows are at hand, else of those with a table."""
    target = _bench.schema.target_column
    found = margins_of_tables(_bench.counts.members[member].trees, target)
    cuts = _bench.cuts(member)
    if _bench.counts.rows is not None and len(found) < target:
        rows = _bench.counts.rows if cuts is None else cuts.apply(_bench.counts.rows)
        found = margins_of_rows(rows) | found
    return found
