"""What columns tell about the class and about each other, and how much of it chance would give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from probtrees.grow.count.chance_information import (
    chance_between,
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


@dataclass(frozen=True)
class Information:
    """Information in nats as it was measured, and the part that chance alone would give."""

    measured: float
    chance: float = 0.0

    @property
    def beyond_chance(self) -> float:
        """What is left when chance is taken off."""
        return max(self.measured - self.chance, 0.0)


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
    return {
        column: Information(
            float(measured), chance_with_class(margins, column) if column in margins else 0.0
        )
        for column, measured in enumerate(_bench.counts.diagnostics.get("mutual_information", ()))
    }


@kept()
def information_between(
    key: tuple[Any, ...], member: int, pairs: tuple[tuple[int, int], ...], _bench: NetworkBench
) -> dict[tuple[int, int], Information] | None:
    """Say what pairs of columns share when the class is known; None where it was not measured."""
    measured = _bench.counts.diagnostics.get("conditional_mutual_information")
    if measured is None:
        return None
    margins, target = _margins(key, member, _bench), _bench.schema.target_column
    found = dict.fromkeys(pairs, Information(0.0))
    for pair in pairs:
        if target not in pair:
            known = set(pair) <= set(margins)
            chance = chance_between(margins, *pair) if known else 0.0
            found[pair] = Information(float(np.asarray(measured)[pair]), chance)
    return found


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
