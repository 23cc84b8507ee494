"""Charts about several methods: their differences, and over many data sets."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from probtrees.draw.charts.figure import empty_figure, method_style
from probtrees.draw.escape import html_text, shorten
from probtrees.draw.palette import PAINTS, Theme
from probtrees.experiment.evaluation.cross_validate import Result
from probtrees.experiment.evaluation.leading_methods import PairedDifferences
from probtrees.experiment.evaluation.verdict import Verdict, raw_margin
from probtrees.score.measures import MEASURES, part_shown
from probtrees.score.paired_test import PairedTest
from probtrees.types import FloatArray
from probtrees.words import score_texts

BASE_RATE = "Always the base rate"
_ROW, _COLUMN = 40, 0.15
"""Height in pixels of a line of the forest plot, and the share of its width that a column has."""


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

    Beside each stand its figure, the chance that it is best, and that it is at most the margin
    worse than the best. Lines that would squeeze the others end at the edge.

    Parameters
    ----------
    margin : differences of Brier scores, as people see them, that do not matter; shaded
    lit : the method that is highlighted; the others step back
    """
    measure, first = MEASURES[found.measure], next(iter(results.values()))
    scale = part_shown(measure.name, first.n_classes)
    near = raw_margin(measure.name, margin, results)
    lines = _forest_lines(results, found, scale, near)
    heads = [measure.label.removesuffix(" score"), "%<br>best", "% as<br>good"][
        : 2 + (near is not None)
    ]
    way = "right" if measure.larger_is_better else "left"
    title = f"{measure.label} minus {list(results)[found.reference]}'s: {way} is better"
    ends, band_end = np.array([line.ends for line in lines]), scale * (near or 0.0)
    figure = empty_figure("", "", theme=theme, height=_ROW * len(lines) + 100)
    shaded = f"shaded: too small (±{band_end:.3g})".replace("0.", ".") if band_end else ""
    figure.update_xaxes(title_text=f"{html_text(title)}<br>{shaded}", exponentformat="none")
    reach = 3 * float(np.nanmedian(np.nanmax(np.abs(ends), axis=1))) + 2 * band_end or 1.0
    edges = np.array([np.nanmin(ends, initial=-band_end), np.nanmax(ends, initial=band_end)])
    edges = np.clip(edges, -reach, reach)
    edges += np.array([-0.05, 0.05]) * reach
    for at, line in enumerate(lines):
        figure.add_trace(_forest_trace(line, at, edges, is_faint=lit not in (None, line.name)))
    bold = [(place, f"<b>{head}</b>") for place, head in enumerate(heads)]
    rows = [*enumerate(line.cells for line in lines), (len(lines) - 0.2, bold)]
    for y, (place, text) in ((y, cell) for y, cells in rows for cell in cells):
        x = 1 - _COLUMN * (len(heads) - 1 - place)
        how = {"xref": "paper", "xanchor": "right", "showarrow": False, "font": {"size": 12}}
        figure.add_annotation(text=text, x=x, y=y, **how)
    paint = {"fillcolor": PAINTS[theme].faint, "opacity": 0.2, "line_width": 0}
    figure.add_vrect(-band_end, band_end, **paint)
    figure.add_vline(0, line={"color": PAINTS[theme].faint, "width": 1})
    notes = {name: verdict.standing(name) for name in results}
    notes = notes if len(set(notes.values())) > 1 else {}
    names = [_name_and_note(line.name, notes.get(line.name, ""), lit) for line in lines]
    figure.update_yaxes(tickvals=list(range(len(lines))), ticktext=names, automargin=True)
    figure.update_yaxes(range=[-0.6, len(lines) + 0.2], showgrid=False)
    figure.update_xaxes(range=edges, domain=[0, 1 - _COLUMN * len(heads)], nticks=5)
    return figure.update_layout(margin={"t": 5, "l": 10})


class _ForestLine(NamedTuple):
    """A method: the interval and its middle, and what stands beside it, by column."""

    name: str
    ends: tuple[float, ...]
    cells: list[tuple[int, str]]


def _forest_lines(
    results: Mapping[str, Result], found: PairedDifferences, scale: float, near: float | None
) -> list[_ForestLine]:
    """Gather the lines from the bottom up: the base rate, then methods, the best one last."""
    chances = [found.p_best()] if near is None else [found.p_best(), found.p_near_best(near)]
    sign = -1 if MEASURES[found.measure].larger_is_better else 1

    def line(name: str, one: PairedTest, value: float | None, *said: str) -> _ForestLine:
        ends = (one.lower, one.difference, one.upper)
        figure = "–" if value is None else score_texts(scale * value)[0]
        known = tuple(math.nan if end is None else scale * end for end in ends)
        return _ForestLine(name, known, list(enumerate([figure, *said])))

    values = [result.scores[found.measure] for result in results.values()]
    order = np.argsort([math.inf if v is None else sign * v for v in values], kind="stable")[::-1]
    lines = [
        line(list(results)[n], found.lines[n], values[n], *(f"{100 * c[n]:.0f}" for c in chances))
        for n in order
    ]
    if found.base is None:
        return lines
    base = next(iter(results.values())).base_rate[found.measure]
    return [line(BASE_RATE, found.base, base), *lines]


def _forest_trace(line: _ForestLine, y: int, edges: FloatArray, *, is_faint: bool) -> go.Scatter:
    """Draw a dot in its interval; what lies beyond an edge is a triangle that points on."""
    low, middle, high = line.ends
    colour, symbol, _ = method_style(line.name)
    if not edges[0] <= middle <= edges[1]:
        symbol = "triangle-right" if middle > 0 else "triangle-left"
    cut = [low < edges[0] <= middle, True, high > edges[1] >= middle]
    shape = {"size": np.where(cut, [11, 13, 11], 0), "color": colour, "opacity": 1.0}
    return go.Scatter(
        x=np.clip(line.ends, *edges),
        y=[y] * 3,
        mode="lines+markers",
        line={"color": colour, "width": 3},
        marker={**shape, "symbol": ["triangle-left", symbol, "triangle-right"]},
        opacity=0.25 if is_faint else 1.0,
        customdata=[line.name] * 3,
        cliponaxis=False,
        hovertext=f"{middle:+.4f} (95 % interval {low:+.4f} to {high:+.4f})",
        hoverinfo="text",
    )


def _name_and_note(name: str, note: str, lit: str | None) -> str:
    text = html_text(shorten(name, 26)).replace("Always the ", "Always the<br>")
    text = f"<b>{text}</b>" if name == lit else text
    return f'{text}<br><span style="font-size:11px">{note}</span>' if note else text
