"""Charts about a network: the loss of every selection, information between columns, cuts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from probtrees.draw.charts.figure import empty_figure
from probtrees.draw.escape import html_text, shorten
from probtrees.draw.palette import INTEREST, OTHERS, Theme
from probtrees.types import FloatArray

_TEXT_LIMIT = 24


def loss_surface_chart(
    surface: FloatArray, chosen: tuple[int, int], names: Sequence[str], *, theme: Theme = "light"
) -> go.Figure:
    """Draw the loss on rows left out over number of attributes and k, the chosen point marked.

    Parameters
    ----------
    surface : float64[n_attributes + 1, k_max + 1]
    chosen : attributes and k in use
    names : the attributes in order
    """
    n_rows, n_columns = surface.shape
    added = ["the class alone", *(f"+ {shorten(name, _TEXT_LIMIT)}" for name in names)]
    figure = empty_figure("attributes", "parents beside the class (k)", theme=theme, height=340)
    figure.add_trace(
        go.Heatmap(
            z=surface.T,
            x=list(range(n_rows)),
            y=list(range(n_columns)),
            colorscale="Viridis",
            reversescale=True,
            # The class alone loses so much more that it would take all colours.
            zmin=float(surface.min()),
            zmax=float(surface[1:].max()) if n_rows > 1 else None,
            colorbar={"title": "loss"},
            text=[[html_text(added[a]) for a in range(n_rows)] for _ in range(n_columns)],
            hovertemplate="%{x} attributes (%{text}), k = %{y}: %{z:.4f}<extra></extra>",
        )
    )
    # Two rings: one is seen on dark cells, the other on light ones.
    for size, colour in ((24, "#000000"), (17, "#ffffff")):
        figure.add_trace(
            go.Scatter(
                x=[chosen[0]],
                y=[chosen[1]],
                mode="markers",
                marker={
                    "symbol": "circle-open",
                    "size": size,
                    "color": colour,
                    "line": {"width": 4},
                },
                hoverinfo="skip",
            )
        )
    figure.update_yaxes(dtick=1)
    return figure


def information_chart(
    pairwise: FloatArray, names: Sequence[str], *, theme: Theme = "light"
) -> go.Figure:
    """Draw the conditional mutual information of every pair of columns as a heat map."""
    labels = [html_text(shorten(name, _TEXT_LIMIT)) for name in names]
    values = np.array(pairwise, dtype=np.float64)
    np.fill_diagonal(values, np.nan)
    places = list(range(len(labels)))
    figure = empty_figure("", "", theme=theme, height=480)
    figure.add_trace(
        go.Heatmap(
            z=values,
            x=places,
            y=places,
            colorscale="Viridis",
            colorbar={"title": "nats"},
            text=[[f"{row} and {column}" for column in labels] for row in labels],
            hovertemplate="%{text}: %{z:.4f} nats<extra></extra>",
        )
    )
    figure.update_xaxes(tickvals=places, ticktext=labels, automargin=True)
    figure.update_yaxes(tickvals=places, ticktext=labels, automargin=True, autorange="reversed")
    return figure


def importance_chart(
    values: FloatArray, names: Sequence[str], *, theme: Theme = "light"
) -> go.Figure:
    """Draw what every attribute tells about the class, the most telling on top."""
    order = np.argsort(values, kind="stable")
    labels = [html_text(shorten(names[i], _TEXT_LIMIT)) for i in order]
    figure = empty_figure("nats", "", theme=theme, height=90 + 22 * len(order))
    # Numbers as places and names as their texts: two columns may be shortened to one name.
    figure.add_trace(
        go.Bar(
            x=values[order],
            y=list(range(len(order))),
            orientation="h",
            marker={"color": OTHERS[0]},
            text=labels,
            textposition="none",
            hovertemplate="%{text}: %{x:.4f} nats<extra></extra>",
        )
    )
    figure.update_yaxes(tickvals=list(range(len(order))), ticktext=labels, automargin=True)
    return figure


def cuts_chart(
    values: ArrayLike, points: Sequence[float], name: str, *, theme: Theme = "light"
) -> go.Figure:
    """Draw the histogram of a numeric column with the places where it is cut."""
    figure = empty_figure(name, "rows", theme=theme, height=340)
    figure.add_trace(go.Histogram(x=values, nbinsx=60, marker={"color": OTHERS[0]}))
    for point in points:
        figure.add_vline(x=point, line={"color": INTEREST, "width": 2})
    figure.update_layout(height=240)
    return figure
