"""An empty plotly chart in the app's colours, for every chart to start from, and methods on it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple
from zlib import crc32

import plotly.graph_objects as go

from probtrees.draw.escape import html_text
from probtrees.draw.palette import INTEREST, OTHERS, PAINTS, Theme
from probtrees.experiment.evaluation.outside_models import OUTSIDE
from probtrees.experiment.registry import LEARNERS, SMOOTHERS

LEGEND_BELOW = {"orientation": "h", "y": -0.16, "yanchor": "top", "traceorder": "normal"}
"""Names of many methods below the plot, where the browser's tools do not cover them."""

SYMBOLS = ("circle", "square", "diamond", "cross", "triangle-up", "x", "star", "hexagon")
"""Shapes go with colours, so that nothing is shown by colour alone."""

_COLOURS = (INTEREST, *OTHERS)
_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


def empty_figure(x_title: str, y_title: str, *, theme: Theme, height: int = 420) -> go.Figure:
    """Make a chart with titled axes and nothing on it; its background is the page's."""
    paint = PAINTS[theme]
    axis = {"gridcolor": paint.card, "zeroline": False}
    return go.Figure(
        layout={
            "height": height,
            "margin": {"l": 60, "r": 15, "t": 10, "b": 50},
            "showlegend": False,
            "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "traceorder": "normal"},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"color": paint.text},
            "xaxis": {"title": {"text": html_text(x_title)}, **axis},
            "yaxis": {"title": {"text": html_text(y_title)}, **axis},
        }
    )


def diagonal(high: float, *, theme: Theme = "light") -> go.Scatter:
    """Draw the line on which two axes agree."""
    return go.Scatter(
        x=[0, high],
        y=[0, high],
        mode="lines",
        line={"color": PAINTS[theme].faint, "dash": "dash"},
        hoverinfo="skip",
        showlegend=False,
    )


def band(
    x: Sequence[float], lower: Sequence[float], upper: Sequence[float], colour: str
) -> go.Scatter:
    """Draw the area between the ends of intervals, for a line above it."""
    return go.Scatter(
        x=[*x, *reversed(x)],
        y=[*upper, *reversed(lower)],
        fill="toself",
        fillcolor=colour,
        opacity=0.12,
        mode="none",
        hoverinfo="skip",
        showlegend=False,
    )


class MethodStyle(NamedTuple):
    """How a method is drawn."""

    colour: str
    symbol: str
    dash: str

    @property
    def line(self) -> dict[str, str]:
        """Of its line."""
        return {"color": self.colour, "dash": self.dash}


@cache
def method_style(method: str) -> MethodStyle:
    """Give a method its colour, shape and dash: by its name alone, so the same in every chart.

    What stands in brackets behind the name, such as its options or the area under its curve, is no
    part of it. A smoother has one colour, ways as published come last. The dash tells models apart,
    and smoothers whose colours are alike to some eyes.

    >>> method_style("HGS") == method_style("C4.5 tree (min_leaf=20) · HGS (area 0.75)")
    True
    >>> method_style("Laplace"), method_style("TAN · Laplace").dash
    (MethodStyle(colour='#0072b2', symbol='square', dash='solid'), 'dashdot')
    """
    model, _, smoother = (part.partition(" (")[0] for part in method.rpartition(" · "))
    models = [entry.label for entry in LEARNERS.values()]
    known = [one.label for one in sorted(SMOOTHERS.values(), key=lambda one: bool(one.preset))]
    known += [*(other.label for other in OUTSIDE.values()), *models]
    own = known.index(smoother) if smoother in known else crc32(smoother.encode())
    of = models.index(model) if model in models else 0
    return MethodStyle(
        _COLOURS[own % len(_COLOURS)],
        SYMBOLS[own % len(SYMBOLS)],
        _DASHES[(of + 2 * own // len(_COLOURS)) % len(_DASHES)],
    )
