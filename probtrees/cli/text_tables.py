"""Tables for a terminal: cells in columns, and the scores of cross-validations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from probtrees.experiment.evaluation.cross_validate import Result
from probtrees.words import score_decimals

BASE_RATE = "always the base rate"
_NUMBER = re.compile(r"$|-$|[-+<>]*[0-9.]")


def align(rows: Sequence[Sequence[Any]]) -> list[str]:
    """Pad cells to columns below their names: columns of numbers to the right, texts to the left.

    >>> align([["class", "rate", ""], ["yes", 0.25, "often"], ["no", None, ""]])
    ['class    rate', 'yes    0.2500  often', 'no          -']
    """
    columns = [[cell(entry) for entry in column] for column in zip(*rows, strict=True)]
    padded = []
    for column in columns:
        width, is_right = max(map(len, column)), all(map(_NUMBER.match, column[1:]))
        padded.append([text.rjust(width) if is_right else text.ljust(width) for text in column])
    return ["  ".join(row).rstrip() for row in zip(*padded, strict=True)]


def score_table(results: Sequence[Result]) -> str:
    """Lay results of one data set and model out as a table, the base rate as the last row."""
    first = results[0]
    folds = _folds_words(first) + (f" x {first.n_repeats}" if first.n_repeats > 1 else "")
    title = f"{first.dataset}: {first.n_rows:,} rows, {first.n_classes} classes, "
    title += f"{first.learner}, {folds}"
    if first.calibrate != "none":
        title += f", calibrated inside every fold ({first.calibrate})"
    rows: list[list[Any]] = [["smoother", *first.scores, "seconds"]]
    for result in results:
        seconds = f"{sum(result.seconds.values()):.2f}"
        rows.append([method_name(result), *result.scores.values(), seconds])
    rows.append([BASE_RATE, *first.base_rate.values(), ""])
    size = f"{first.nodes:.1f} nodes, {first.leaves:.1f} leaves, depth {first.depth:.1f} on average"
    return "\n".join([title, "", *align(rows), "", size, *first.remarks])


def method_name(result: Result) -> str:
    """Name a result by its smoother; a method of others, which has none, by its own name."""
    return result.smoother or result.learner


def _folds_words(result: Result) -> str:
    if result.n_folds == 1:
        return "hold-out"
    return "leave one out" if result.n_folds == result.n_rows else f"{result.n_folds} folds"


def cell(value: str | float | None) -> str:
    """Write what stands in a table: of a number as many decimals as tell it from others."""
    if value is None or isinstance(value, str):
        return "-" if value is None else value
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.{score_decimals(value, least=4)}f}" if abs(value) < 1000 else f"{value:.1f}"
