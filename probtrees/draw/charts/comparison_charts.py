"""Charts that compare: methods by their differences, selections of a network's columns by loss."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from probtrees.draw.charts.figure import empty_figure, method_style
from probtrees.draw.escape import html_text, shorten
from probtrees.draw.palette import PAINTS, Theme
from probtrees.experiment.evaluation.cross_validate import Result
from probtrees.experiment.evaluation.verdict import Verdict, cost_of, raw_margin, standing_of
from probtrees.score.differences import PairedDifferences
from probtrees.score.measures import MEASURES, Measure, part_shown
from probtrees.types import FloatArray

BASE_RATE = "Always the base rate"
_ROW, _COLUMN, _ABOVE, _BESIDE = 40, 0.13, 0.36, 25
"""Of the forest plot: the height of a line in pixels, the share of its width that a column has, by
what part of a line a name stands above its dot, and points beside the name that a click hits."""


def forest_chart(
    results: Mapping[str, Result],
    found: PairedDifferences,
    verdict: Verdict,
    margin: float,
    *,
    lit: str | None = None,
    theme: Theme = "light",
) -> go.Figure:
    """Draw paired differences to one method as dots with intervals, a line per method.

    Above each stands where its interval lies, or what else warns against the method; beside it
    its figure and, without a warning, the chance that it is best, and that it is at most the margin
    worse. Lines that would squeeze the others end at the edge with their number, the base rate too.

    Parameters
    ----------
    margin : differences of Brier scores, as people see them, that do not matter; shaded
    lit : the method that is highlighted; the others step back
    """
    measure, first = MEASURES[found.measure], next(iter(results.values()))
    scale = part_shown(measure.name, first.n_classes)
    near = raw_margin(measure.name, margin, results)
    lines = forest_lines(results, found, verdict, margin)
    what = measure.label.removesuffix(" score")
    n_columns = 1 if verdict.kind == "nothing" else 2 + (near is not None)
    heads = (what, "%<br>best", "%<br>as good")[:n_columns]
    way = "right" if measure.larger_is_better else "left"
    within = [line[1:4] for line in lines if n_columns == 1 or line.method != BASE_RATE]
    ends, band_end = np.array(within), scale * (near or 0.0)
    figure = empty_figure("", "", theme=theme, height=_ROW * len(lines) + 100)
    reach = 3 * float(np.nanmedian(np.nanmax(np.abs(ends), axis=1))) + 2 * band_end or 1.0
    edges = np.array([np.nanmin(ends, initial=-band_end), np.nanmax(ends, initial=band_end)])
    edges = np.clip(edges, -reach, reach) + np.array([-0.05, 0.05]) * reach
    of = f" (from ±{margin:g} of Brier score)" * (not math.isclose(band_end, margin))
    shaded = f"shaded: ±{band_end:.2g}{of}".replace("0.", ".") if band_end else ""
    minus = html_text(f"{what} minus {list(results)[found.reference]}'s: {way} is better")
    for at, line in enumerate(lines):
        note = _note(verdict, line, band_end, measure)
        figure.add_trace(_bar(line, note, at, edges, lit))
        zero = {"color": PAINTS[theme].faint, "width": 1}  # not through the names
        figure.add_shape(x0=0, x1=0, y0=at - 0.4, y1=at + 0.15, line=zero)
    digits = 4 if np.nanmin(np.abs([line.figure for line in lines])) < 0.1 else 3
    how = {"xref": "paper", "xanchor": "right", "showarrow": False, "font": {"size": 12}}
    for place, head in enumerate(heads):
        cells = [_cell(float(line[4 + place]), digits * (place == 0)) for line in lines]
        for y, text in enumerate([*cells, f"<b>{head}</b>"]):
            figure.add_annotation(text=text, x=1 - _COLUMN * (n_columns - 1 - place), y=y, **how)
    figure.add_vrect(-band_end, band_end, fillcolor=PAINTS[theme].faint, opacity=0.2, line_width=0)
    figure.update_yaxes(range=[-0.6, len(lines) + 0.4], visible=False)
    figure.update_xaxes(
        title_text=f"{minus}<br>{shaded}", range=edges, nticks=4, exponentformat="none"
    )
    return figure.update_layout(margin_t=5, margin_l=15, xaxis_domain=[0, 1 - _COLUMN * n_columns])


class ForestLine(NamedTuple):
    """A method: its difference with the ends of the interval, its figure, and the chances.

    That it is best, and at most the margin worse than the best. NaN is unknown.
    """

    method: str
    lower: float
    difference: float
    upper: float
    figure: float = math.nan
    p_best: float = math.nan
    p_within_margin: float = math.nan


def forest_lines(
    results: Mapping[str, Result], found: PairedDifferences, verdict: Verdict, margin: float
) -> list[ForestLine]:
    """Gather the lines of the methods and the base rate from the bottom up, the best one last."""
    near, first = raw_margin(found.measure, margin, results), next(iter(results.values()))
    chances = np.array([found.p_best(), found.p_near_best(near or 0.0)])
    scale, measure = part_shown(found.measure, first.n_classes), found.measure
    scores = {name: result.scores for name, result in results.items()}
    scores |= {BASE_RATE: first.base_rate} if found.base else {}
    lines, tests = [], [*found.lines, *filter(None, [found.base])]
    for n, (name, test) in enumerate(zip(scores, tests, strict=True)):
        told = (test.lower, test.difference, test.upper, scores[name][measure])
        shown = (math.nan if value is None else scale * value for value in told)
        said = [] if name in (BASE_RATE, *verdict.avoid) else chances[:, n].tolist()
        lines.append(ForestLine(name, *shown, *said))
    return sorted(lines, key=lambda one: -cost_of(scores[one.method], measure))


def _cell(number: float, digits: int) -> str:
    """Print a figure, or without digits a chance; what is unknown is left empty."""
    if math.isnan(number):
        return ""
    return f"{number:.{digits}f}".removeprefix("0") if digits else f"{100 * number:.0f}"


def _bar(line: ForestLine, note: str, y: int, edges: FloatArray, lit: str | None) -> go.Scatter:
    """Draw a dot in its interval below its name; what is beyond an edge is a triangle pointing on.

    A click beside the name, on points without colour, is one on the dot.
    """
    low, middle, high = line[1:4]
    colour, symbol, _ = method_style(line.method)
    colour = PAINTS["light"].rest if line.method == BASE_RATE else colour
    if middle < edges[0] or middle > edges[1]:
        symbol = "triangle-right" if middle > 0 else "triangle-left"
        note = f"{note} ({middle:+.3f})".strip()
    cut = [low < edges[0] <= middle, True, high > edges[1] >= middle]
    name, beside = html_text(shorten(line.method, 26)), np.linspace(edges[0], edges[1], _BESIDE)
    name = f"<b>{name}</b>" if note.startswith("use this") or lit == line.method else name
    ends = np.clip(line[1:4], *edges)
    reach = {"array": [0, ends[2] - ends[1]], "arrayminus": [0, ends[1] - ends[0]]}
    return go.Scatter(
        x=[*ends, *beside],
        y=[y] * 3 + [y + _ABOVE] * _BESIDE,
        mode="markers+text",
        text=["", "", "", f"{name}: {note}" if note else name],
        textposition="middle right",
        error_x={**reach, "color": colour, "thickness": 3, "width": 0},
        marker={
            "size": [*np.where(cut, [11, 13, 11], 0), *[20] * _BESIDE],
            "symbol": ["triangle-left", symbol, "triangle-right"],
            "opacity": [1.0] * 3 + [0.0] * _BESIDE,
            "color": colour,
        },
        opacity=1.0 if lit in (None, line.method) else 0.35,
        customdata=[line.method] * (3 + _BESIDE),
        cliponaxis=False,
        hovertext=f"{middle:+z.4f} (95 % interval {low:+z.4f} to {high:+z.4f})",
        hoverinfo="text",
    )


def _note(verdict: Verdict, line: ForestLine, margin: float, measure: Measure) -> str:
    """Say where an interval lies, or by which figure else a method is warned against."""
    if line.method == (BASE_RATE if verdict.kind == "nothing" else verdict.best):
        by = "by Brier score" * (measure.name != "brier")
        return ": ".join(filter(None, ("use this", verdict.choice or by)))
    if verdict.kind == "nothing" or line.lower == line.upper:
        return ""
    stands, why = standing_of(line[1:4], margin, measure.name), verdict.worse.get(line.method, "")
    is_other = why.partition(measure.label)[0] and stands != "worse"
    return verdict.label(line.method) if is_other or line.method in verdict.avoid else stands


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
    added = ["the class alone", *(f"+ {shorten(name, 24)}" for name in names)]
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
