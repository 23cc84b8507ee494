"""A results file of ``probtrees benchmark``, looked at in the app as the report that it makes."""

from __future__ import annotations

import csv
import io

import streamlit as st

from probtrees.errors import DataError
from probtrees.experiment.evaluation.benchmark import FEWEST_COLUMNS, result_columns
from probtrees.experiment.evaluation.benchmark_results import Summary, summarise
from probtrees.report.benchmark_report import benchmark_report
from probtrees.ui.shared.session.bounded_cache import content_of, kept


def read_results(content: bytes) -> Summary:
    """Read a results file."""
    try:
        rows = list(csv.DictReader(io.StringIO(content.decode("utf-8"))))
    except (UnicodeDecodeError, csv.Error):
        rows = []
    known = bool(rows) and set(FEWEST_COLUMNS) <= set(rows[0]) <= set(result_columns())
    if not known or any(None in row.values() for row in rows):
        raise DataError(
            "file must be a results file of 'probtrees benchmark'. Give the file named by --out."
        )
    try:
        return summarise(rows)
    except ValueError as problem:
        raise DataError("file must hold numbers as benchmark results.") from problem


def results_file() -> None:
    """Ask for a results file, and show every method, who beats whom, and every data set."""
    file = st.file_uploader(
        "Results of 'probtrees benchmark'",
        type=["csv"],
        key="benchmark.file",
        help="The file that --out names: one row per data set, model and smoother.",
    )
    if file is None:
        st.info("Upload a results file to see who beats whom over many data sets.")
    else:
        st.iframe(_report(content_of(file)), alt="Every method over all data sets")


@kept(spinner="Comparing the methods")
def _report(content: bytes) -> str:
    return benchmark_report(read_results(content))
