"""The report of a benchmark: the papers' tables and pictures, in one file that works offline."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import pandas as pd

from probtrees.draw.charts.critical_difference import critical_difference_svg
from probtrees.experiment.evaluation.benchmark import BASE_RATE, Failure, Summary
from probtrees.report.html_page import HtmlPage
from probtrees.score.measures import MEASURES, better_when_larger
from probtrees.score.significance import MethodTests, compare_methods
from probtrees.version import __version__
from probtrees.words import p_text

DECIMALS = 4
"""Measures are compared as the papers print them; a difference beyond is a draw."""


def benchmark_report(summary: Summary, failures: Sequence[Failure] = ()) -> str:
    """Write the report of results as HTML; failures are what could not be measured."""
    page = HtmlPage("Benchmark of smoothed probability models")
    page.text(
        f"{len(summary.methods)} methods on {summary.n_datasets} data sets, {_how(summary)}. Means "
        "and ranks use the data sets on which every method has a figure. The method "
        f"{BASE_RATE} always answers with the class frequencies of its training rows."
    )
    tests = {}
    if summary.n_datasets >= 2 and len(summary.methods) >= 2:
        for measure in ("rmse", "error"):
            table = summary.table(measure).to_numpy()
            tests[measure] = compare_methods(summary.methods, table, decimals=DECIMALS)
    _means(page, summary, tests["rmse"].leading.members if tests else ())
    for measure, found in tests.items():
        _comparison(page, measure, found)
    _every_data_set(page, summary)
    if failures:
        page.heading("What could not be measured")
        rows = [[failure.dataset, failure.model, failure.reason] for failure in failures]
        page.table([["data set", "model", "reason"], *rows])
    page.text(f"Made by probtrees {__version__}.", note=True)
    return page.render()


def _how(summary: Summary) -> str:
    """Say how rows were held out; one fold is a part of the rows, held out once."""
    folds, repeats = (pd.to_numeric(summary.frame[name]) for name in ("folds", "repeats"))
    counts = " or ".join(str(n) for n in sorted(set(folds)))
    return f"each measured on held-out rows: folds {counts}, repeats {int(repeats.max())}"


def _means(page: HtmlPage, summary: Summary, alike: Sequence[int]) -> None:
    page.heading("Means over the data sets")
    rows = [["method", *(MEASURES[name].label for name in summary.measures), "rank by RMSE"]]
    for method, own in summary.means.items():
        digits = [2 if name == "rank_by_rmse" else DECIMALS for name in own]
        means = zip(own.values(), digits, strict=True)
        rows.append([method, *("-" if mean is None else f"{mean:.{n}f}" for mean, n in means)])
    leading = alike if len(alike) < len(summary.methods) else ()
    larger = better_when_larger(MEASURES[name] for name in summary.measures)
    caption = f"Smaller is better, except for {larger}, the share of the base rate's Brier score "
    caption += "that is saved."
    if leading:
        caption += " Bold: not distinguishable from the best by RMSE."
    page.table(rows, caption=caption, marked=leading)
    if summary.remarks:
        page.text(f"{'; '.join(summary.remarks)}.", note=True)


def _comparison(page: HtmlPage, measure: str, found: MethodTests) -> None:
    """Show who wins how often against whom, and which methods cannot be distinguished."""
    names, best = found.names, found.leading.best
    alike = ", ".join(names[i] for i in found.leading.members if i != best)
    page.heading(f"Who beats whom by {MEASURES[measure].label}")
    page.text(
        f"{names[best]} has the best average rank. On {found.ranks.n_sets} data sets these cannot "
        f"be distinguished from it (Wilcoxon, Holm-corrected, 5 %): {alike or 'none'}."
    )
    rows = [["", *(f"against {name}" for name in names)]]
    for i, name in enumerate(names):
        cells = ["" if i == j else _record(found, i, j) for j in range(len(names))]
        rows.append([name, *cells])
    page.table(
        rows,
        caption="Win-draw-loss of the row against the column at four decimals, with the "
        "p-value of a sign test, two-sided / one-sided.",
    )
    ranks = found.ranks.average_ranks
    page.themed(
        lambda theme: critical_difference_svg(names, ranks, found.critical_difference, theme=theme)
    )
    page.text(
        f"Friedman's test: chi-square {found.ranks.chi_square:.2f}, "
        f"p {p_text(found.ranks.p_chi_square)}. Methods whose bars overlap do not differ by "
        f"Nemenyi's test at 5 %.",
        note=True,
    )
    rows = [["pair", *found.p_values]]
    pairs = zip(combinations(names, 2), *found.p_values.values(), strict=True)
    for (first, second), *p_values in pairs:
        rows.append([f"{first} and {second}", *(p_text(float(p)) for p in p_values)])
    page.table(rows, folded="Adjusted p-values of every pair")


def _record(found: MethodTests, i: int, j: int) -> str:
    record = found.records[i, j]
    return f"{record.text} ({p_text(record.p_two_sided)} / {p_text(record.p_one_sided)})"


def _every_data_set(page: HtmlPage, summary: Summary) -> None:
    page.heading("Every data set")
    for measure in summary.measures:
        table = summary.table(measure)
        rows = [["data set", *summary.methods]]
        for dataset, values in zip(table.index, table.to_numpy(), strict=True):
            rows.append([str(dataset), *(f"{value:.{DECIMALS}f}" for value in values)])
        page.table(rows, folded=MEASURES[measure].label)
