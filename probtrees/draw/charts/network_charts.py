"""A chart about a network: the loss of every selection of its columns."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from probtrees.draw.charts.figure import empty_figure
from probtrees.draw.escape import html_text, shorten
from probtrees.draw.palette import Theme
from probtrees.types import FloatArray

_TEXT_LIMIT = 24


def loss_surface_chart(
    surface: FloatArray, chosen: tuple[int, int], names: Sequence[str], loss: str, *, theme: Theme
) -> go.Figure:
    """Draw the loss on rows left out over number of attributes and k, the chosen point marked.

    Parameters
    ----------
    surface : float64[n_attributes + 1, k_max + 1]
    chosen : attributes and k in use
    names, loss : the attributes in order, and what the loss is called
    """
    n_rows, n_columns = surface.shape
    added = ["the class alone", *(f"+ {shorten(name, _TEXT_LIMIT)}" for name in names)]
    figure = empty_figure("attributes", "parents beside the class (k)", theme=theme, height=320)
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
            colorbar={"title": loss, "thickness": 12},
            text=[[html_text(added[a]) for a in range(n_rows)]] * n_columns,
            hovertemplate="%{x} attributes (%{text}), k = %{y}: %{z:.4f}<extra></extra>",
        )
    )
    # Two rings: one is seen on dark cells, the other on light ones.
    for size, colour in ((24, "#000000"), (17, "#ffffff")):
        marker = {"symbol": "circle-open", "size": size, "color": colour, "line": {"width": 4}}
        figure.add_trace(
            go.Scatter(
                x=[chosen[0]], y=[chosen[1]], mode="markers", marker=marker, hoverinfo="skip"
            )
        )
    figure.update_yaxes(dtick=1)
    figure.update_layout(margin={"r": 0})
    return figure
