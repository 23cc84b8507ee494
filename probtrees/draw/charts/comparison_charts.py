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
from probtrees.experiment.evaluation.verdict import Verdict, cost_of, raw_margin
from probtrees.score.measures import MEASURES, Scores, part_shown
from probtrees.score.paired_test import PairedTest
from probtrees.types import FloatArray

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

    Beside each stand its figure and, unless it is warned against, the chance that it is best, and
    that it is at most the margin worse. Lines that would squeeze the others end at the edge.

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
    heads = (what, "best?", "as<br>good?")[: 2 + (near is not None)]
    way = "right" if measure.larger_is_better else "left"
    ends, band_end = np.array([line[1:4] for line in lines]), scale * (near or 0.0)
    figure = empty_figure("", "", theme=theme, height=_ROW * len(lines) + 100)
    reach = 3 * float(np.nanmedian(np.nanmax(np.abs(ends), axis=1))) + 2 * band_end or 1.0
    edges = np.array([np.nanmin(ends, initial=-band_end), np.nanmax(ends, initial=band_end)])
    edges = np.clip(edges, -reach, reach)
    edges += np.array([-0.05, 0.05]) * reach
    shaded = [f"shaded: too small (±{band_end:.3g})".replace("0.", ".")] if band_end else []
    shaded += ["▸ goes on"] * bool(((ends < edges[0]) | (ends > edges[1])).any())
    minus = html_text(f"{what} minus {list(results)[found.reference]}'s: {way} is better")
    for at, line in enumerate(lines):
        figure.add_trace(_forest_trace(line, at, edges, is_faint=lit not in (None, line.method)))
    digits = 4 if np.nanmin(np.abs([line.figure for line in lines])) < 0.1 else 3
    bold = [f"<b>{head}</b>" for head in heads]
    rows = [*enumerate(_cells(line, digits) for line in lines), (len(lines) - 0.2, bold)]
    how = {"xref": "paper", "xanchor": "right", "showarrow": False, "font": {"size": 12}}
    for y, cells in rows:
        for place, text in enumerate(cells[: len(heads)], start=1 - len(heads)):
            figure.add_annotation(text=text, x=1 + _COLUMN * place, y=y, **how)
    faint = PAINTS[theme].faint
    figure.add_vrect(-band_end, band_end, fillcolor=faint, opacity=0.2, line_width=0)
    figure.add_vline(0, line={"color": faint, "width": 1})
    notes = {name: _note(verdict, name, measure.label) for name in results}
    notes = notes if len(set(notes.values())) > 1 else {}
    names = [_name_and_note(line.method, notes.get(line.method, ""), lit) for line in lines]
    figure.update_yaxes(tickvals=list(range(len(lines))), ticktext=names, automargin=True)
    figure.update_yaxes(tickfont_color=PAINTS[theme].text)
    figure.update_yaxes(range=[-0.6, len(lines) + 0.2], showgrid=False)
    figure.update_xaxes(
        title_text=f"{minus}<br>{', '.join(shaded)}", range=edges, nticks=5, exponentformat="none"
    )
    return figure.update_layout(margin_t=5, margin_l=10, xaxis_domain=[0, 1 - _COLUMN * len(heads)])


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
    """Gather the lines from the bottom up: the base rate, then methods, the best one last."""
    near, first = raw_margin(found.measure, margin, results), next(iter(results.values()))
    chances = np.array([found.p_best(), found.p_near_best(near or 0.0)])
    scale = part_shown(found.measure, first.n_classes)
    costs = [cost_of(result.scores, found.measure) for result in results.values()]

    def line(name: str, one: PairedTest, scores: Scores, *said: float) -> ForestLine:
        told = (one.lower, one.difference, one.upper, scores[found.measure])
        shown = (math.nan if value is None else scale * value for value in told)
        return ForestLine(name, *shown, *said)

    lines = [] if found.base is None else [line(BASE_RATE, found.base, first.base_rate)]
    for n in np.argsort(costs, kind="stable")[::-1]:
        name, result = list(results.items())[n]
        said = [] if name in verdict.avoid else chances[:, n].tolist()
        lines.append(line(name, found.lines[n], result.scores, *said))
    return lines


def _cells(line: ForestLine, digits: int) -> list[str]:
    """Print what stands beside a line."""
    cells = [f"{line.figure:.{digits}f}".removeprefix("0")]
    cells += [f"{100 * chance:.0f} %" for chance in line[5:]]
    unknown = "" if line.method == BASE_RATE else "–"
    return [unknown if "nan" in cell else cell for cell in cells]


def _forest_trace(line: ForestLine, y: int, edges: FloatArray, *, is_faint: bool) -> go.Scatter:
    """Draw a dot in its interval; what lies beyond an edge is a triangle that points on."""
    low, middle, high = line[1:4]
    colour, symbol, _ = method_style(line.method)
    if not edges[0] <= middle <= edges[1]:
        symbol = "triangle-right" if middle > 0 else "triangle-left"
    cut = [low < edges[0] <= middle, True, high > edges[1] >= middle]
    goes_on = ", beyond the picture's edge" * bool(low < edges[0] or high > edges[1])
    shape = {"size": np.where(cut, [11, 13, 11], 0), "color": colour, "opacity": 1.0}
    return go.Scatter(
        x=np.clip(line[1:4], *edges),
        y=[y] * 3,
        mode="lines+markers",
        line={"color": colour, "width": 3},
        marker={**shape, "symbol": ["triangle-left", symbol, "triangle-right"]},
        opacity=0.35 if is_faint else 1.0,
        customdata=[line.method] * 3,
        cliponaxis=False,
        hovertext=f"{middle:+z.4f} (95 % interval {low:+z.4f} to {high:+z.4f}{goes_on})",
        hoverinfo="text",
    )


def _note(verdict: Verdict, name: str, shown: str) -> str:
    """Say how a method stands, and by which figure where that is not of the measure shown."""
    why = {**verdict.worse, **verdict.avoid}.get(name, "").partition(" against")[0]
    return verdict.standing(name) + (f": {why}" if why and not why.startswith(shown) else "")


def _name_and_note(name: str, note: str, lit: str | None) -> str:
    text = html_text(shorten(name, 26)).replace("Always the ", "Always the<br>")
    text = f"<b>{text}</b>" if name == lit else text
    return f'{text}<br><span style="font-size:11px">{note}</span>' if note else text
