"""Charts about forecasts of one outcome: reliability, one method against another, costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go
from numpy.typing import ArrayLike

from probtrees.draw.benchmark_charts import method_style
from probtrees.draw.escape import html_text
from probtrees.draw.figure import diagonal, empty_figure
from probtrees.draw.palette import INTEREST, OTHERS, PAINTS, Theme

_FAR_RIGHT = 0.8
"""From here on a number stands left above its dot, where a phone has room for it."""


@dataclass(frozen=True)
class Bin:
    """One bin of a reliability diagram: what was said, what happened, and how sure that is."""

    predicted: float
    observed: float
    lower: float
    upper: float
    rows: int


def reliability_chart(bins: Sequence[Bin], outcome: str, *, theme: Theme = "light") -> go.Figure:
    """Draw observed against predicted with bands; a dot's area shows how many rows it holds."""
    paint = PAINTS[theme]
    figure = empty_figure(f"predicted chance of {outcome}", "observed rate", theme=theme)
    figure.add_trace(diagonal(1.0, theme=theme))
    most = max((one.rows for one in bins), default=1)
    figure.add_trace(
        go.Scatter(
            x=[one.predicted for one in bins],
            y=[one.observed for one in bins],
            error_y={
                "type": "data",
                "symmetric": False,
                "array": [one.upper - one.observed for one in bins],
                "arrayminus": [one.observed - one.lower for one in bins],
                "color": paint.faint,
            },
            mode="markers+text",
            marker={
                "color": INTEREST,
                "size": [10 + 26 * (one.rows / most) ** 0.5 for one in bins],
                "line": {"color": paint.text, "width": 1},
            },
            text=[f"{one.rows:,}" for one in bins],
            textposition=[
                "top left" if one.predicted > _FAR_RIGHT else "bottom right" for one in bins
            ],
            textfont={"size": 11},
            hovertemplate="said %{x:.1%}, happened %{y:.1%}, %{text} rows<extra></extra>",
        )
    )
    figure.update_xaxes(tickformat=".0%", range=[-0.03, 1.05])
    figure.update_yaxes(tickformat=".0%", range=[-0.08, 1.05])
    return figure


def probability_scatter(
    first: ArrayLike,
    second: ArrayLike,
    labels: tuple[str, str],
    *,
    words: Sequence[str] | None = None,
    theme: Theme = "light",
) -> go.Figure:
    """Plot one method's probabilities against another's; on the line they agree.

    ``words`` name every point to who hovers over it.
    """
    figure = empty_figure(labels[1], labels[0], theme=theme)
    figure.add_trace(diagonal(1.0, theme=theme))
    figure.add_trace(
        go.Scattergl(
            x=second,
            y=first,
            mode="markers",
            marker={"color": OTHERS[0], "size": 7, "opacity": 0.45},
            text=None if words is None else [html_text(text) for text in words],
            hovertemplate="%{text} %{x:.1%} and %{y:.1%}<extra></extra>",
        )
    )
    figure.update_xaxes(tickformat=".0%")
    figure.update_yaxes(tickformat=".0%")
    return figure


def cost_chart(
    curves: Mapping[str, tuple[ArrayLike, ArrayLike]], *, theme: Theme = "light"
) -> go.Figure:
    """Plot the mean cost per row against the threshold from which one acts, a line per method."""
    figure = empty_figure("act at or above this chance", "mean cost per row", theme=theme)
    for number, (method, (thresholds, costs)) in enumerate(curves.items()):
        figure.add_trace(
            go.Scatter(
                x=thresholds,
                y=costs,
                name=html_text(method),
                mode="lines",
                line={"color": method_style(number)["color"], "shape": "vh"},
            )
        )
    figure.update_layout(showlegend=True)
    figure.update_xaxes(tickformat=".0%")
    return figure
