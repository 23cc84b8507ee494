"""A comparison on one table as one HTML file that works offline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from probtrees.draw.charts.comparison_charts import BASE_RATE, forest_chart
from probtrees.draw.charts.forecast_charts import reliability_chart
from probtrees.draw.escape import html_text, shorten
from probtrees.experiment.evaluation.cross_validate import Result
from probtrees.experiment.evaluation.forecast_details import undefined_reasons
from probtrees.experiment.evaluation.verdict import (
    MARGIN,
    cost_of,
    differences_of,
    find_verdict,
    margin_words,
)
from probtrees.report.html_page import HtmlPage, add_provenance
from probtrees.score.measures import better_when_larger, shown_measures, shown_scores
from probtrees.score.reliability import ReliabilityBin, reliability_curve
from probtrees.table.dataset import Dataset
from probtrees.table.folds import Folds
from probtrees.words import percent, plural

_MOST_DIAGRAMS = 12
"""Methods whose reliability is drawn; a reader compares no more pictures than that."""


@dataclass(frozen=True)
class Compared:
    """What was compared, and how.

    Attributes
    ----------
    results : by the names of their methods
    data, folds : the rows, and how they were cut, once per repeat
    outcome : the class whose reliability is shown
    n_settings : how many settings were looked at on this table
    is_whole : whether nothing is left to be measured; else nothing is called best
    problems : sentences about what could not be measured
    commands : the command lines that measure the same
    margin : differences of Brier scores that do not matter
    """

    results: Mapping[str, Result]
    data: Dataset
    folds: Sequence[Folds]
    outcome: int
    n_settings: int
    is_whole: bool = True
    problems: Sequence[str] = ()
    commands: Sequence[str] = ()
    margin: float = MARGIN


def comparison_report(asked: Compared) -> str:
    """Write the report: the verdict, differences, measures, pictures, provenance, commands."""
    data = asked.data
    page = HtmlPage(f"Methods compared for {data.schema.target.name}: {data.provenance.source}")
    if asked.is_whole:
        _verdict(page, asked)
    else:
        page.text("Not all is measured yet, so nothing is called best.")
    page.text(_opening(asked))
    best_first = sorted(asked.results.items(), key=lambda one: cost_of(one[1].scores, "brier"))
    asked = replace(asked, results=dict(best_first))
    named, first = asked.results, next(iter(asked.results.values()))
    caution = f"{asked.n_settings:,} settings on one data set: confirm the choice on new rows."
    page.bullets([*asked.problems, *undefined_reasons(asked.results), *first.remarks, caution])
    page.heading("Measures")
    columns = [*(measure.label for measure in shown_measures()), "seconds"]
    rows = {name: (one.scores, f"{sum(one.seconds.values()):.1f}") for name, one in named.items()}
    rows[BASE_RATE] = (first.base_rate, "")
    listed = [
        [name, *shown_scores(scores, first.base_rate, data.n_classes), seconds]
        for name, (scores, seconds) in rows.items()
    ]
    caption = f"Smaller is better, except for {better_when_larger(shown_measures())}."
    page.table([["method", *columns], *listed], caption=caption)
    _reliability(page, asked)
    about = [["Held out", _folds_text(asked)], ["Settings compared", f"{asked.n_settings:,}"]]
    add_provenance(page, data.provenance, about)
    if asked.commands:
        page.heading("The same on the command line")
        page.preformatted("\n".join(asked.commands))
    return page.render()


def _verdict(page: HtmlPage, asked: Compared) -> None:
    """Say what may be concluded, first of all, and draw the differences it rests on."""
    results = list(asked.results.values())
    ask = differences_of(results, asked.data, asked.folds)
    found = find_verdict(asked.results, ask, margin=asked.margin)
    page.heading(found.headline, found.why)
    differences = ask("brier", list(asked.results).index(found.best))
    if differences is not None and len(results) > 1:
        page.chart(forest_chart(asked.results, differences, found, asked.margin))
        words = "Lines: 95 % intervals of the paired differences; shaded: too small to matter. "
        page.text(words + margin_words(asked.margin), note=True)


def _opening(asked: Compared) -> str:
    data = asked.data
    rate = float(np.average(data.labels == asked.outcome, weights=data.row_weights))
    return (
        f"{plural(len(asked.results), 'methods')} on {data.n_rows:,} rows of "
        f"{data.provenance.source}, all on the same folds: {_folds_text(asked)}. Rows are only "
        "predicted by models that have not seen them. Outcome of interest: "
        f"{data.schema.target.name} is {data.schema.classes[asked.outcome]}, "
        f"{percent(rate)} of all rows."
    )


def _folds_text(asked: Compared) -> str:
    n_folds, n_repeats = next(iter(asked.results.values())).n_folds, len(asked.folds)
    again = f", repeated {n_repeats} times" if n_repeats > 1 else ""
    if n_folds == asked.data.n_rows:
        return "each row left out once"
    if n_folds == 1:
        return f"one part of the rows held out{again}"
    return f"cross-validation with {n_folds} folds{again}"


def _reliability(page: HtmlPage, asked: Compared) -> None:
    """Draw for every method whether what it said came true."""
    page.heading(
        "Reliability",
        "On the dashed line forecasts come true. Bars: 95 % interval of the observed rate; "
        "numbers: rows in the bin. Of the first repeat.",
    )
    name_of_outcome = asked.data.schema.classes[asked.outcome]
    page.markup('<div class="charts">')
    for name, result in list(asked.results.items())[:_MOST_DIAGRAMS]:
        bins, what = _bins(asked, result), shorten(name_of_outcome, 40)
        figure = reliability_chart(bins, what, name=name)
        title = {"text": html_text(shorten(name, 50)), "font": {"size": 14}}
        figure.update_layout(title=title, margin={"t": 50})
        page.chart(figure)
    page.markup("</div>")
    left_out = len(asked.results) - _MOST_DIAGRAMS
    if left_out > 0:
        page.text(f"{left_out:,} more methods are not drawn.", note=True)


def _bins(asked: Compared, result: Result) -> list[ReliabilityBin]:
    tested = np.flatnonzero(~np.isnan(result.proba[0][:, 0]))
    return reliability_curve(
        result.proba[0][tested, asked.outcome],
        asked.data.labels[tested] == asked.outcome,
        None if asked.data.weights is None else asked.data.weights[tested],
    )
