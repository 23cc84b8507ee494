"""What columns and arrows tell, and how much of it chance would give."""

from __future__ import annotations

from typing import Any

import numpy as np

from probtrees.draw.network_arrows import Arc
from probtrees.grow.count.chance_information import (
    BeyondChance,
    arrow_information,
    class_information,
    margins_of_tables,
)
from probtrees.grow.count.mutual_information import WithClass
from probtrees.grow.count.nominal_rows import nominal_rows
from probtrees.table.dataset import Dataset
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


@kept()
def informations(
    key: tuple[Any, ...], member: int, _bench: NetworkBench
) -> tuple[dict[int, BeyondChance], dict[Arc, BeyondChance]]:
    """Say what columns tell about the class, and arrows about their ends, where that is at hand.

    Parameters
    ----------
    key : of the network, by which what was worked out is found again
    """
    counts, cuts, target = _bench.counts, _bench.cuts(member), _bench.schema.target_column
    trees = counts.members[member].trees
    margins = margins_of_tables(trees, target)
    if counts.rows is not None and len(margins) < target:
        margins = margins_of_rows(cuts.apply(counts.rows) if cuts else counts.rows) | margins
    return class_information(margins), arrow_information(trees)


def margins_of_rows(data: Dataset) -> dict[int, FloatArray]:
    """Count how often every value of a nominal table occurs in each class."""
    rows = nominal_rows(data)
    counted = WithClass.empty(rows.n_values)
    counted.update(rows)
    cells = np.split(counted.counts, counted.first_cell[1:-1])
    return {column: each.reshape(-1, data.n_classes).T for column, each in enumerate(cells)}
