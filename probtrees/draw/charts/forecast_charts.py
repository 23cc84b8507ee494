"""Charts about forecasts of one outcome: reliability, one method against another, costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from probtrees.draw.charts.figure import LEGEND_BELOW, band, diagonal, empty_figure, method_style
from probtrees.draw.escape import html_text, shorten
from probtrees.draw.palette import INTEREST, OTHERS, PAINTS, Paint, Theme
from probtrees.score.reliability import ReliabilityBin

_FAR_RIGHT = 0.8
"""From here on a number stands left above its dot, where a phone has room for it."""

_SQUARE = 560
"""Height in pixels of a chart with two axes from 0 to 1."""


def reliability_chart(
    bins: Sequence[ReliabilityBin],
    outcome: str,
    *,
    name: str = "",
    reach: float = 1.0,
    is_small: bool = False,
    theme: Theme = "light",
) -> go.Figure:
    """Draw observed against predicted with bars; a dot's area shows how many rows it holds.

    The plot is square, so that the line on which forecasts come true is a true diagonal. It has the
    colour of the method that is named; a small one has its name as title. Axes end at the reach.
    """
    paint, height = PAINTS[theme], 270 if is_small else _SQUARE
    titles = ("", "") if is_small else (f"predicted chance of {outcome}", "observed rate")
    figure = empty_figure(*titles, theme=theme, height=height)
    figure.add_trace(diagonal(reach, theme=theme))
    figure.add_trace(_bin_dots(bins, name, paint, is_small))
    square = {"tickformat": ".0%", "constrain": "domain", "nticks": 6}
    figure.update_xaxes(range=[-0.06 * reach, 1.08 * reach], **square)
    figure.update_yaxes(range=[-0.06 * reach, 1.1 * reach], scaleanchor="x", **square)
    figure.update_layout(margin_t=40)
    if is_small:
        title = {"text": html_text(shorten(name, 30)), "font": {"size": 14}}
        figure.update_layout(title=title, margin={"t": 30, "l": 35, "b": 25, "r": 5})
    return figure


def _bin_dots(bins: Sequence[ReliabilityBin], name: str, paint: Paint, small: bool) -> go.Scatter:
    """Draw the bins as dots with error bars, each beside its number of rows, if there is room."""
    most = max((one.rows for one in bins), default=1)
    return go.Scatter(
        x=[one.predicted for one in bins],
        y=[one.observed for one in bins],
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [one.upper - one.observed for one in bins],
            "arrayminus": [one.observed - one.lower for one in bins],
            "color": paint.faint,
        },
        mode="markers" if small else "markers+text",
        marker={
            "color": method_style(name).colour if name else INTEREST,
            "size": [(10 + 26 * (one.rows / most) ** 0.5) / (1 + small) for one in bins],
            "line": {"color": paint.text, "width": 1},
        },
        name=html_text(name),
        text=[f"{one.rows:,}" for one in bins],
        textposition=["top left" if one.predicted > _FAR_RIGHT else "bottom right" for one in bins],
        textfont={"size": 11},
        cliponaxis=False,
        hovertemplate="said %{x:.1%}, happened %{y:.1%}, %{text} rows<extra></extra>",
    )


def curves_chart(
    curves: Mapping[str, tuple[ArrayLike, ArrayLike]],
    x_title: str,
    y_title: str,
    *,
    references: Mapping[str, tuple[ArrayLike, ArrayLike]] | None = None,
    bands: Mapping[str, tuple[ArrayLike, ArrayLike]] | None = None,
    lit: str | None = None,
    is_square: bool = False,
    theme: Theme = "light",
) -> go.Figure:
    """Draw a curve per method over shares from 0 to 1, and dashed lines to compare with.

    Parameters
    ----------
    bands : by method, the lower and the upper ends of its intervals
    lit : the method that stands out
    """
    figure = empty_figure(x_title, y_title, theme=theme, height=_SQUARE if is_square else 460)
    for number, (label, (x, y)) in enumerate((references or {}).items()):
        line = {"color": PAINTS[theme].faint, "dash": ("dash", "dot")[number % 2]}
        figure.add_trace(go.Scatter(x=x, y=y, mode="lines", name=html_text(label), line=line))
    for method, (x, y) in curves.items():
        if bands is not None and method in bands:
            low, high = (list(np.asarray(end)) for end in bands[method])
            figure.add_trace(band(list(np.asarray(x)), low, high, method_style(method).colour))
        figure.add_trace(
            go.Scatter(
                x=x,
                y=y,
                name=html_text(method),
                mode="lines",
                line={**method_style(method).line, "width": 2},
                opacity=0.35 if lit not in (None, method) else 1.0,
                hovertemplate="%{x:.1%}: %{y:.3f}<extra>%{fullData.name}</extra>",
            )
        )
    figure.update_layout(showlegend=True, margin={"t": 40}, legend=LEGEND_BELOW)
    figure.update_xaxes(tickformat=".0%", range=[-0.02, 1.02])
    if is_square:
        figure.update_xaxes(constrain="domain")
        square = {"scaleanchor": "x", "constrain": "domain"}
        figure.update_yaxes(tickformat=".0%", range=[-0.02, 1.04], **square)
    return figure


def probability_scatter(
    first: ArrayLike, second: ArrayLike, labels: tuple[str, str], *, rows: ArrayLike, theme: Theme
) -> go.Figure:
    """Plot one method's probabilities of rows against another's; on the line they agree."""
    figure = empty_figure(labels[1], labels[0], theme=theme)
    figure.add_trace(diagonal(1.0, theme=theme))
    figure.add_trace(
        go.Scattergl(
            x=second,
            y=first,
            mode="markers",
            marker={"color": OTHERS[0], "size": 7, "opacity": 0.45},
            customdata=rows,
            hovertemplate="row %{customdata:,} %{x:.1%} and %{y:.1%}<extra></extra>",
        )
    )
    return figure.update_layout(xaxis_tickformat=".0%", yaxis_tickformat=".0%")
