"""Where a number that is predicted is cut in two."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from probtrees.draw.palette import PAINTS
from probtrees.types import FloatArray
from probtrees.ui.shared.session import state
from probtrees.ui.shared.table_source import ChosenTable
from probtrees.words import percent

_FIELD_WIDTH, _N_BARS = 140, 40


def choose_threshold(
    source: ChosenTable,
    target: str,
    values: FloatArray,
    cut: float,
    say: Callable[[Mapping[str, Any]], None],
) -> None:
    """Show the values with the threshold, and ask for another one.

    Parameters
    ----------
    say : takes the step that cuts there
    """
    # The key is that of the column, so that who moves it by keys need not find it again.
    key = f"data.threshold {source.file_key} {target}"

    def take() -> None:
        if (said := st.session_state.get(key)) is not None:
            say({"step": "cut", "at": float(f"{said:.12g}")})

    st.plotly_chart(
        _histogram(values, cut),
        key="data.histogram",
        config={"displayModeBar": False, "staticPlot": True},
        alt=f"Histogram of {target} with the threshold {cut:g}",
    )
    whole = bool((values == np.floor(values)).all())
    low, high = float(values.min()), float(values.max())
    shown = min(max(float(np.floor(cut)) if whole else cut, low), high)
    step, kind = 1.0 if whole else float(f"{(high - low) / 200:.1g}"), int if whole else float
    st.session_state[key] = kind(shown)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.number_input(
            "Threshold",
            min_value=kind(low),
            max_value=kind(high),
            step=kind(step),
            key=key,
            on_change=take,
            format="%d" if whole else "%g",
            width=_FIELD_WIDTH,
            label_visibility="collapsed",
            help="Rows up to this number are one class, rows over it the other.",
        )
        st.caption(f"{percent(float((values > cut).mean()))} of the rows lie over {cut:g}.")


def _histogram(values: FloatArray, cut: float) -> go.Figure:
    """Draw the values with the threshold.

    Few whole numbers have a bar each, and what is over 5 begins behind the bar of 5.
    """
    paint, low, high = PAINTS[state.theme()], float(values.min()), float(values.max())
    is_whole = high - low <= _N_BARS and bool((values == np.floor(values)).all())
    bins = np.arange(low - 0.5, high + 1.0) if is_whole else np.linspace(low, high, _N_BARS + 1)
    at_cut = float(np.floor(cut)) + 0.5 if is_whole else cut
    counts, edges = np.histogram(values, bins=bins)
    middle = (edges[:-1] + edges[1:]) / 2
    colours = [paint.accent if at > at_cut else paint.line for at in middle]
    figure = go.Figure(go.Bar(x=middle, y=counts, marker_color=colours))
    figure.add_vline(x=at_cut, line_width=2, line_color=paint.text)
    figure.update_layout(
        height=110,
        margin={"l": 0, "r": 0, "t": 4, "b": 0},
        bargap=0.05,
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        yaxis={"visible": False},
        xaxis={"range": [float(edges[0]), float(edges[-1])], "visible": False},
    )
    return figure
