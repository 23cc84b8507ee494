"""What columns tell about the class and about each other, and how much of it chance would give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from probtrees.draw.charts.network_charts import importance_chart, information_chart
from probtrees.draw.escape import markdown_text
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

_MANY_VALUES = 20
_FEW_ROWS = 30
"""A column of many values, each with few rows on average, is warned of like free text."""

_MOST_NAMED = 3


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
    measured = _numbers(bench.diagnostics.get("mutual_information"))
    if measured is None:
        return {}
    return _about_class(bench.key, member, bench, measured)


def information_between(
    bench: NetworkBench, member: int, pairs: Sequence[tuple[int, int]]
) -> dict[tuple[int, int], Information] | None:
    """Say what pairs of columns share when the class is known; None where it was not measured."""
    measured = _numbers(bench.diagnostics.get("conditional_mutual_information"))
    if measured is None:
        return None
    return _between(bench.key, member, tuple(pairs), bench, measured)


@kept()
def _about_class(
    key: tuple[Any, ...], member: int, _bench: NetworkBench, _measured: FloatArray
) -> dict[int, Information]:
    margins = _margins(key, member, _bench)
    return {
        column: Information(
            float(measured), chance_with_class(margins, column) if column in margins else 0.0
        )
        for column, measured in enumerate(_measured)
    }


@kept()
def _between(
    key: tuple[Any, ...],
    member: int,
    pairs: tuple[tuple[int, int], ...],
    _bench: NetworkBench,
    _measured: FloatArray,
) -> dict[tuple[int, int], Information]:
    margins = _margins(key, member, _bench)
    target = _bench.schema.target_column
    return {
        pair: Information(0.0)
        if target in pair
        else Information(
            float(_measured[pair]),
            chance_between(margins, *pair) if set(pair) <= set(margins) else 0.0,
        )
        for pair in pairs
    }


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


def say_uncut(bench: NetworkBench, member: int) -> None:
    """Explain below the picture why some numbers have one value only."""
    cuts = bench.cuts(member)
    uncut = [
        markdown_text(bench.schema.titles[column])
        for column in bench.dag(member).columns
        if cuts is not None and column in cuts.points and len(cuts.points[column]) == 0
    ]
    if not uncut:
        return
    more = f" and {len(uncut) - _MOST_NAMED} more" if len(uncut) > _MOST_NAMED else ""
    st.caption(
        f"Left whole, as *any value*: {', '.join(uncut[:_MOST_NAMED])}{more}. No cut of these "
        "numbers separates the classes better than chance. *Options* has other ways to cut."
    )


def warn_of_many_values(bench: NetworkBench, member: int) -> None:
    """Warn of columns that look like free text: what they tell is mostly chance."""
    about_class = information_about_class(bench, member)
    n_rows = float(bench.class_table.arrays.counts[0].sum())
    schema = bench.cut_schema(member)
    found = [
        column
        for column in bench.dag(member).columns
        if column in about_class
        and schema.n_values[column] >= _MANY_VALUES
        and n_rows < _FEW_ROWS * schema.n_values[column]
        and about_class[column].chance > about_class[column].measured / 2
    ]
    if not found:
        return
    named = "; ".join(
        f"**{markdown_text(schema.titles[column])}** ({schema.n_values[column]} values: "
        f"{about_class[column].measured:.3f} nats, by chance {about_class[column].chance:.3f})"
        for column in found[:_MOST_NAMED]
    )
    more = f" and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
    st.warning(
        f"What these columns seem to tell about the class is mostly chance: {named}{more}. They "
        "look like free text or names. The learners choose by what is measured, as published, so "
        "such a column may come early and send many arrows. Set it aside on the Data page, unless "
        "it means something.",
        icon=":material/notes:",
    )


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
        names = [column.title for column in bench.schema.features]
        left, right = st.columns(2, gap="medium")
        if about_class:
            beyond = np.array([about_class[column].beyond_chance for column in range(len(names))])
            with left:
                st.caption(
                    "What each attribute tells about the class: mutual information, less what it "
                    "would be on average if its values were shuffled among the rows."
                )
                st.plotly_chart(
                    importance_chart(beyond, names, theme=state.theme()),
                    key="network.single",
                    config=NO_BUTTONS,
                    alt="Mutual information with the class, chance taken off.",
                )
        if pairwise is not None:
            chart = information_chart(
                np.asarray(pairwise)[: len(names), : len(names)], names, theme=state.theme()
            )
            with right:
                st.caption(
                    "What two attributes tell about each other when the class is known, as "
                    "measured: of columns of many values most of it is chance."
                )
                st.plotly_chart(
                    chart,
                    key="network.information",
                    config=NO_BUTTONS,
                    alt="Conditional mutual information of pairs.",
                )


def _numbers(values: object) -> FloatArray | None:
    return None if values is None else np.asarray(values, dtype=np.float64)
