"""Tables for a terminal: cells in columns, and the scores of cross-validations."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from probtrees.experiment.evaluation.cross_validate import Result
from probtrees.score.measures import shown_measures, shown_scores
from probtrees.words import score_text

BASE_RATE = "always the base rate"
_HEADS = {"brier": "Brier", "brier_skill": "skill"}
"""What is called otherwise than in JSON: people are shown the usual score of two outcomes."""
_NUMBER = re.compile(r"$|-$|[-+<>]*[0-9.]")


def align(rows: Sequence[Sequence[Any]]) -> list[str]:
    """Pad cells to columns below their names: columns of numbers to the right, texts to the left.

    >>> align([["class", "rate", ""], ["yes", 0.25, "often"], ["no", None, ""]])
    ['class   rate', 'yes    0.250  often', 'no         -']
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
    head = [_HEADS.get(measure.name, measure.name) for measure in shown_measures()]
    base, n_classes = first.base_rate, first.n_classes
    rows: list[list[Any]] = [["smoother", *head, "seconds"]]
    for result in results:
        seconds = f"{sum(result.seconds.values()):.2f}"
        rows.append([method_name(result), *shown_scores(result.scores, base, n_classes), seconds])
    rows.append([BASE_RATE, *shown_scores(base, base, n_classes), ""])
    size = f"{first.nodes:.1f} nodes, {first.leaves:.1f} leaves, depth {first.depth:.1f} on average"
    return "\n".join([title, "", *align(rows), "", size, *first.remarks])


def readable(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the measures of a JSON record under the names and in the values that people read.

    >>> readable({"brier": 0.3, "auc": 0.8, "brier_binary": 0.15})
    {'Brier': 0.15, 'auc': 0.8}
    """
    usual = {"brier": record["brier_binary"]} if "brier_binary" in record else {}
    found = {name: value for name, value in {**record, **usual}.items() if name != "brier_binary"}
    return {_HEADS.get(name, name): value for name, value in found.items()}


def method_name(result: Result) -> str:
    """Name a result by its smoother; a method of others, which has none, by its own name."""
    return result.smoother or result.learner


def _folds_words(result: Result) -> str:
    if result.n_folds == 1:
        return "hold-out"
    return "leave one out" if result.n_folds == result.n_rows else f"{result.n_folds} folds"


def cell(value: str | float | None) -> str:
    """Write what stands in a table: of a number three digits that count."""
    if value is None or isinstance(value, str):
        return "-" if value is None else value
    if isinstance(value, int):
        return f"{value:,}"
    return score_text(value)
