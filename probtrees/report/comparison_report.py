"""A comparison on one table as one HTML file that works offline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from probtrees.draw.charts.forecast_charts import reliability_chart
from probtrees.draw.escape import html_text, shorten
from probtrees.experiment.evaluation.cross_validate import Result
from probtrees.experiment.evaluation.forecast_details import undefined_reasons
from probtrees.experiment.evaluation.leading_methods import (
    base_rate_words,
    compares_rows,
    leading_results,
)
from probtrees.report.html_page import HtmlPage, add_provenance
from probtrees.score.measures import better_when_larger, shown_measures, shown_scores
from probtrees.score.reliability import ReliabilityBin, reliability_curve
from probtrees.score.significance import LeadingSet
from probtrees.table.dataset import Dataset
from probtrees.table.folds import Folds
from probtrees.words import p_text, percent, plural

BASE_RATE = "Always the base rate"

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
    """

    results: Mapping[str, Result]
    data: Dataset
    folds: Sequence[Folds]
    outcome: int
    n_settings: int
    is_whole: bool = True
    problems: Sequence[str] = ()
    commands: Sequence[str] = ()


def comparison_report(asked: Compared) -> str:
    """Write the report: measures, what may be concluded, pictures, provenance, commands."""
    data = asked.data
    page = HtmlPage(f"Methods compared for {data.schema.target.name}: {data.provenance.source}")
    page.text(_opening(asked))
    if asked.problems:
        page.bullets(asked.problems)
    leading = None
    if asked.is_whole and len(asked.results) > 1:
        leading = leading_results(list(asked.results.values()), data, asked.folds)
    _measures(page, asked, leading)
    page.heading("What may be concluded")
    missing = undefined_reasons(asked.results)
    worse = base_rate_words(asked.results, "brier")
    remarks = next(iter(asked.results.values())).remarks
    caution = f"{asked.n_settings:,} settings on one data set: confirm the choice on new rows."
    page.bullets([*_conclusions(asked, leading), *worse, *missing, *remarks, caution])
    _reliability(page, asked)
    about = [["Held out", _folds_text(asked)], ["Settings compared", f"{asked.n_settings:,}"]]
    add_provenance(page, data.provenance, about)
    if asked.commands:
        page.heading("The same on the command line")
        page.preformatted("\n".join(asked.commands))
    return page.render()


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


def _measures(page: HtmlPage, asked: Compared, leading: LeadingSet | None) -> None:
    """Add every measure of every method, beside the base rate."""
    head = ["method", *(measure.label for measure in shown_measures()), "seconds"]
    base, n_classes = next(iter(asked.results.values())).base_rate, asked.data.n_classes
    rows = [
        [name, *shown_scores(found.scores, base, n_classes), f"{sum(found.seconds.values()):.1f}"]
        for name, found in asked.results.items()
    ]
    rows.append([BASE_RATE, *shown_scores(base, base, n_classes), ""])
    if leading is not None:
        head.insert(1, "p against the best")
        for row, p in zip(rows, leading.adjusted_p, strict=False):
            row.insert(1, p_text(float(p)))
        rows[leading.best][1] = "smallest Brier score"
        rows[-1].insert(1, "")
    page.heading("Measures")
    caption = f"Smaller is better, except for {better_when_larger(shown_measures())}."
    if leading is not None:
        caption += " Bold: cannot be distinguished from the smallest Brier score."
    members = () if leading is None else leading.members
    page.table([head, *rows], caption=caption, marked=members)


def _conclusions(asked: Compared, leading: LeadingSet | None) -> list[str]:
    """Say which methods differ, and never that one of several is the best."""
    if not asked.is_whole:
        return ["Not all is measured yet, so nothing is called best."]
    if leading is None:
        return ["A single method was measured: there is nothing to compare it with."]
    names = list(asked.results)
    alike = [names[number] for number in leading.members if number != leading.best]
    others = [name for n, name in enumerate(names) if n not in leading.members]
    over = "rows" if compares_rows("brier", asked.data, asked.folds, "rows") else "folds"
    return [
        f"By Brier score these cannot be distinguished from {names[leading.best]} (corrected "
        f"paired t-test over the {over}, Holm-corrected at 5 %): {', '.join(alike) or 'none'}.",
        f"These are worse: {', '.join(others) or 'none'}.",
    ]


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
