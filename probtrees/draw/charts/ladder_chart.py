"""The ladder of a leaf as a chart: from all rows down to the leaf, seen and estimated."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from probtrees.draw.bars import Axis
from probtrees.draw.charts.figure import empty_figure
from probtrees.draw.escape import html_text, shorten
from probtrees.draw.palette import INTEREST, PAINTS, Paint, Theme
from probtrees.explain.path import PathStep
from probtrees.words import rows_text

_RUNG_HEIGHT = 46
_LONGEST_LABEL = 48


def ladder_chart(
    steps: Sequence[PathStep],
    outcome: str,
    *,
    interval: tuple[float, float] | None = None,
    theme: Theme = "light",
) -> go.Figure:
    """Draw observed rates as dots, the larger the more rows, and the estimates as a line.

    Parameters
    ----------
    steps : from the root to the leaf
    outcome : the class of interest
    interval : where the true rate of the leaf lies, drawn at the last step
    """
    paint = PAINTS[theme]
    height = 110 + _RUNG_HEIGHT * len(steps)
    figure = empty_figure(f"chance of {outcome}", "", theme=theme, height=height)
    places = list(range(len(steps)))
    figure.add_trace(_observed_dots(steps, paint))
    figure.add_trace(
        go.Scatter(
            x=[step.estimate for step in steps],
            y=places,
            mode="lines+markers",
            line={"color": paint.text},
            marker={"size": 6},
            error_x=_error_bar(steps[-1].estimate, interval, len(steps)),
            name="estimated",
            hovertemplate="estimated %{x:.1%}<extra></extra>",
        )
    )
    labels = [html_text(shorten(step.condition, _LONGEST_LABEL)) for step in steps]
    marks = [share for s in steps for share in (s.estimate, s.observed) if share is not None]
    axis = Axis().closer([*marks, *(interval or ())])
    figure.update_xaxes(tickformat=".0%" if axis == Axis() else ".2~%", rangemode="tozero")
    if axis.low > 0:  # else it would begin at 0, with all that is drawn at its other end
        room = (axis.high - axis.low) / 20
        figure.update_xaxes(range=[axis.low - room, axis.high + room])
    figure.update_yaxes(tickvals=places, ticktext=labels, autorange="reversed", automargin=True)
    figure.update_layout(showlegend=True, margin={"t": 40})
    return figure


def _observed_dots(steps: Sequence[PathStep], paint: Paint) -> go.Scatter:
    """Draw the rates of the steps that have rows, the more rows the larger."""
    seen = [(at, step) for at, step in enumerate(steps) if step.observed is not None]
    most = max((step.rows for step in steps), default=1.0) or 1.0
    return go.Scatter(
        x=[step.observed for _, step in seen],
        y=[at for at, _ in seen],
        mode="markers",
        marker={
            "color": INTEREST,
            "size": [8 + 24 * (step.rows / most) ** 0.5 for _, step in seen],
            "line": {"color": paint.text, "width": 1},
        },
        name="observed",
        text=[rows_text(step.rows) for _, step in seen],
        hovertemplate="observed %{x:.1%} of %{text}<extra></extra>",
    )


def _error_bar(
    estimate: float, interval: tuple[float, float] | None, n_steps: int
) -> dict[str, object] | None:
    """Reach from the last estimate to the ends of an interval, and nowhere else."""
    if interval is None:
        return None
    others = [0.0] * (n_steps - 1)
    return {
        "type": "data",
        "symmetric": False,
        "array": [*others, max(interval[1] - estimate, 0.0)],
        "arrayminus": [*others, max(estimate - interval[0], 0.0)],
    }
