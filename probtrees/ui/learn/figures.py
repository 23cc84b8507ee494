"""The lesson's charts, drawn once for everybody who follows the same link.

The last entry of every key is the theme; before it stands what the chart is about.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from probtrees.draw.lesson_charts import Level, estimate_curve, posterior_chart, trace_chart
from probtrees.types import FloatArray

_KEPT = 128


@st.cache_resource(show_spinner=False, max_entries=_KEPT)
def curve(
    key: Any, x_title: str, _grid: FloatArray, _values: FloatArray, _levels: Sequence[Level]
) -> go.Figure:
    """Draw the estimate over a setting; the chosen point is the last but one of the key."""
    *_, chosen, theme = key
    return estimate_curve(
        _grid, _values, chosen=chosen, x_title=x_title, levels=_levels, theme=theme
    )


@st.cache_resource(show_spinner=False, max_entries=_KEPT)
def losses(key: Any, _weights: FloatArray, _losses: FloatArray, words: str) -> go.Figure:
    """Draw the loss over the weight; the weight that was found is the last but one of the key."""
    *_, found, theme = key
    return trace_chart(
        _losses, x=_weights, x_title="weight", y_title=words, mark=found, theme=theme
    )


@st.cache_resource(show_spinner=False, max_entries=_KEPT)
def concentration(key: Any, _values: FloatArray) -> go.Figure:
    """Draw the concentration, sweep by sweep."""
    return trace_chart(_values, x_title="sweep", y_title="concentration", theme=key[-1])


@st.cache_resource(show_spinner=False, max_entries=_KEPT)
def posterior(key: Any, _samples: FloatArray) -> go.Figure:
    """Draw the samples of a chance."""
    return posterior_chart(_samples, theme=key[-1])
