"""Tables for a terminal: cells in columns, and the scores of cross-validations."""

from __future__ import annotations

from collections.abc import Sequence

from probtrees.experiment.evaluation.cross_validate import Result
from probtrees.words import score_decimals

BASE_RATE = "always the base rate"


def align(rows: Sequence[Sequence[str]]) -> list[str]:
    """Pad cells to columns, the first to the left, the others to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def score_table(results: Sequence[Result]) -> str:
    """Lay results of one data set and model out as a table, the base rate as the last row."""
    first = results[0]
    folds = _folds_words(first) + (f" x {first.n_repeats}" if first.n_repeats > 1 else "")
    title = f"{first.dataset}: {first.n_rows:,} rows, {first.n_classes} classes, "
    title += f"{first.learner}, {folds}"
    if first.calibrate != "none":
        title += f", calibrated inside every fold ({first.calibrate})"
    rows = [["smoother", *first.scores, "seconds"]]
    for result in results:
        cells = [cell(value) for value in result.scores.values()]
        rows.append([method_name(result), *cells, f"{sum(result.seconds.values()):.2f}"])
    rows.append([BASE_RATE, *map(cell, first.base_rate.values()), ""])
    size = f"{first.nodes:.1f} nodes, {first.leaves:.1f} leaves, depth {first.depth:.1f} on average"
    return "\n".join([title, "", *align(rows), "", size, *first.remarks])


def method_name(result: Result) -> str:
    """Name a result by its smoother; a method of others, which has none, by its own name."""
    return result.smoother or result.learner


def _folds_words(result: Result) -> str:
    if result.n_folds == 1:
        return "hold-out"
    return "leave one out" if result.n_folds == result.n_rows else f"{result.n_folds} folds"


def cell(value: float | None) -> str:
    """Write a score with as many decimals as tell it from others; none as a dash."""
    if value is None:
        return "-"
    return f"{value:.{score_decimals(value, least=4)}f}" if abs(value) < 1000 else f"{value:.1f}"
