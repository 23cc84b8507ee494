"""Find columns that almost alone predict the class: often they were written down after it."""

from __future__ import annotations

import numpy as np

from probtrees.table.cells.raw_table import Numbers, RawColumn, Texts
from probtrees.table.infer.recognise_numbers import IGNORE, USE
from probtrees.table.table_report import Finding
from probtrees.types import IntArray

SUSPICIOUS = 0.97
"""Share of the errors of "always the most frequent class" that one column avoids."""

_N_BINS = 20
_MAX_ROWS = 50_000


def leak_finding(
    name: str, column: RawColumn, classes: Texts, *, is_used: bool = True
) -> Finding | None:
    """Warn if guessing the class from this column alone is nearly always right."""
    share = errors_avoided(column, classes)
    if share < SUSPICIOUS:
        return None
    sentence = f"Column {name!r} almost alone predicts the class"
    if not is_used:
        return Finding(name, "leak", f"{sentence} and is not used.", fixes=(USE,))
    advice = "Was this known at the time of prediction?"
    return Finding(name, "leak", f"{sentence}.", advice, "warning", (IGNORE,))


def errors_avoided(column: RawColumn, classes: Texts) -> float:
    """Compare guesses by value (numbers: by 20 ranges) with always guessing the largest class.

    Values with fewer than five rows guess the largest class, or every rare value would look
    clever.
    """
    step = max(1, len(classes.codes) // _MAX_ROWS)
    labels = classes.codes[::step]
    values = _values(column)[::step]
    known = labels >= 0
    labels, values = labels[known], values[known]
    if len(labels) == 0:
        return 0.0
    counts = np.zeros((int(values.max()) + 1, classes.n_distinct), dtype=np.int64)
    np.add.at(counts, (values, labels), 1)
    overall = counts.sum(axis=0)
    errors_before = len(labels) - overall.max()
    guesses = np.where(counts.sum(axis=1) >= 5, counts.argmax(axis=1), overall.argmax())
    errors_after = len(labels) - counts[np.arange(len(counts)), guesses].sum()
    return 1.0 - float(errors_after) / float(errors_before) if errors_before else 0.0


def _values(column: RawColumn) -> IntArray:
    """Give every value of a column a number, missing as a value of its own."""
    if isinstance(column, Texts):
        return column.codes.astype(np.int64) + 1
    numbers = column.values if isinstance(column, Numbers) else column.days
    known = numbers[np.isfinite(numbers)]
    if not len(known):
        return np.zeros(len(numbers), dtype=np.int64)
    cuts = np.unique(np.quantile(known, np.arange(1, _N_BINS) / _N_BINS))
    return np.where(np.isnan(numbers), 0, np.searchsorted(cuts, numbers) + 1)
