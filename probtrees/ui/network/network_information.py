"""What columns tell about the class and about each other, and how much of it chance would give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from probtrees.draw.charts.network_charts import importance_chart, information_chart
from probtrees.grow.count.chance_information import (
    chance_between,
    chance_with_class,
    margins_of_rows,
    margins_of_tables,
)
from probtrees.types import FloatArray
from probtrees.ui.network.network_bench import NetworkBench
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.bounded_cache import kept

INFORMATION_OPEN = "network.information open"

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


def information_about_class(bench: NetworkBench, member: int) -> dict[int, Information]:
    """Say of every column what it tells about the class; nothing where that was not measured."""
    measured = bench.diagnostics.get("mutual_information")
    return {} if measured is None else _about_class(bench.key, member, bench)


def information_between(
    bench: NetworkBench, member: int, pairs: Sequence[tuple[int, int]]
) -> dict[tuple[int, int], Information] | None:
    """Say what pairs of columns share when the class is known; None where it was not measured."""
    measured = bench.diagnostics.get("conditional_mutual_information")
    return None if measured is None else _between(bench.key, member, tuple(pairs), bench)


@kept()
def _about_class(key: tuple[Any, ...], member: int, _bench: NetworkBench) -> dict[int, Information]:
    margins = _margins(key, member, _bench)
    return {
        column: Information(
            float(measured), chance_with_class(margins, column) if column in margins else 0.0
        )
        for column, measured in enumerate(_bench.diagnostics["mutual_information"])
    }


@kept()
def _between(
    key: tuple[Any, ...], member: int, pairs: tuple[tuple[int, int], ...], _bench: NetworkBench
) -> dict[tuple[int, int], Information]:
    margins, target = _margins(key, member, _bench), _bench.schema.target_column
    measured = np.asarray(_bench.diagnostics["conditional_mutual_information"])
    found = dict.fromkeys(pairs, Information(0.0))
    for pair in pairs:
        if target not in pair:
            known = set(pair) <= set(margins)
            chance = chance_between(margins, *pair) if known else 0.0
            found[pair] = Information(float(measured[pair]), chance)
    return found


@kept()
def _margins(key: tuple[Any, ...], member: int, _bench: NetworkBench) -> dict[int, FloatArray]:
    """Count values by class: of all columns where rows are at hand, else of those with a table."""
    target = _bench.schema.target_column
    found = margins_of_tables(_bench.members[member].trees, target)
    cuts = _bench.cuts(member)
    if _bench.rows is not None and len(found) < target:
        rows = _bench.rows if cuts is None else cuts.apply(_bench.rows)
        found = margins_of_rows(rows) | found
    return found


def information(bench: NetworkBench, member: int) -> None:
    """Show what attributes share with the class and with each other, folded away."""
    about_class = information_about_class(bench, member)
    pairwise = bench.diagnostics.get("conditional_mutual_information")
    if not about_class and pairwise is None:
        return
    folded = st.expander(
        "Information: with the class, and between attributes",
        icon=":material/apps:",
        on_change="rerun",
        key=INFORMATION_OPEN,
    )
    if not folded.open:
        return
    with folded:
        left, right = st.columns(2, gap="medium")
    names, theme = [column.title for column in bench.schema.features], state.theme()
    if about_class:
        beyond = np.array([about_class[column].beyond_chance for column in range(len(names))])
        left.caption(
            "What each attribute tells about the class: mutual information, less what it would be "
            "on average if its values were shuffled among the rows."
        )
        left.plotly_chart(
            importance_chart(beyond, names, theme=theme),
            key="network.single",
            config=NO_BUTTONS,
            alt="Mutual information with the class, chance taken off.",
        )
    if pairwise is not None:
        shown = np.asarray(pairwise)[: len(names), : len(names)]
        right.caption(
            "What two attributes tell about each other when the class is known, as measured: of "
            "columns of many values most of it is chance."
        )
        right.plotly_chart(
            information_chart(shown, names, theme=theme),
            key="network.information",
            config=NO_BUTTONS,
            alt="Conditional mutual information of pairs.",
        )
