"""Find columns that almost alone predict the class: often they were written down after it.

One that does so by far better than all others, though not almost perfectly, is asked about too.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.machine.checkpoint import passing
from probtrees.table.dataset import Dataset
from probtrees.table.findings import Finding, Fix
from probtrees.types import FloatArray, IntArray

SUSPICIOUS = 0.97
"""Share of the errors of "always the most frequent class" that one column avoids."""

STRONG, FURTHER = 0.75, 2.0
"""A column that avoids so many is asked about if it avoids so many times as many as any other."""
_FEWEST_ROWS, _FEWEST_KNOWN = 20, 0.5
_MAX_ROWS = 50_000
_N_BINS, _ROWS_PER_BIN, _FREQUENT = 20, 10, 0.1
_Labels = NDArray[np.integer[Any]]


def leak_findings(data: Dataset) -> tuple[Finding, ...]:
    """Ask of the columns that may be leaks whether they were known beforehand."""
    findings = []
    for name, share in suspicious_features(data).items():
        sentence = f"Was {name!r} known beforehand? Guessing by it alone avoids {share:.0%} "
        sentence += "of the mistakes."
        fix = Fix("Ignore this column", "role", "ignore", name)
        use = Fix("Use it", "role", "feature", name)
        kind = "leak" if share >= SUSPICIOUS else "strong"
        findings.append(Finding(name, "aside", sentence, "", "warning", (fix, use), kind))
    return tuple(findings)


def suspicious_features(data: Dataset) -> dict[str, float]:
    """Return the columns that almost alone predict the class, with the share of errors they avoid.

    The app leaves these out until somebody says otherwise. Also the best of the others where it
    avoids far more than any other, which is left out nowhere: a good column may, too.
    """
    found = sorted(shares_avoided(data).items(), key=lambda entry: -entry[1])
    leaks = {name: share for name, share in found if share >= SUSPICIOUS}
    others = [(name, share) for name, share in found if share < SUSPICIOUS]
    second = others[1][1] if len(others) > 1 else 0.0
    return leaks | {n: share for n, share in others[:1] if share >= max(STRONG, FURTHER * second)}


def shares_avoided(data: Dataset) -> dict[str, float]:
    """Return the share of errors that each column of the user's table avoids alone."""
    shares: dict[str, float] = {}
    for at, column in enumerate(passing(data.schema.features, "looking for leaks")):
        values = data.values[:, at]
        if column.is_nominal:  # a missing one is a value of its own
            codes = np.where(np.isnan(values), -1, values).astype(np.int64) + 1
            share = _share_avoided(codes, data.labels, data.n_classes)
        else:
            share = _share_avoided(_ranges(values), data.labels, data.n_classes)
            share = max(share, share_by_one_cut(values, data.labels, data.n_classes))
        shares[column.source_name] = max(share, shares.get(column.source_name, share))
    return shares


def _ranges(numbers: FloatArray) -> IntArray:
    """Give numbers the number of their range, 0 where one is missing.

    A number that a tenth of the rows share, such as a refund of 0, is a range of its own.
    """
    known = numbers[np.isfinite(numbers)]
    values, counts = np.unique(known, return_counts=True)
    is_frequent = counts >= _FREQUENT * len(known)
    frequent, others = values[is_frequent], np.repeat(values, np.where(is_frequent, 0, counts))
    n_bins = min(_N_BINS, max(2, len(others) // _ROWS_PER_BIN))
    cuts = others[np.arange(1, n_bins) * len(others) // n_bins] if len(others) else others
    next_values = np.append(values[1:], np.inf)[is_frequent]
    cuts = np.sort(np.concatenate([cuts, frequent, next_values]))
    return np.where(np.isnan(numbers), 0, np.searchsorted(cuts, numbers, side="right") + 1)


def _share_avoided(values: IntArray, labels: _Labels, n_classes: int) -> float:
    """Compare guesses by value with always guessing the largest class.

    Values with fewer than five rows guess the largest class, or every rare value would look
    clever. Of many rows a part tells.
    """
    step = max(1, len(labels) // _MAX_ROWS)
    labels, values = labels[::step], values[::step]
    known = labels >= 0
    pairs = values[known] * n_classes + labels[known]
    n_values = int(values[known].max(initial=0)) + 1
    counts = np.bincount(pairs, minlength=n_values * n_classes).reshape(n_values, n_classes)
    n_rows, overall = counts.sum(), counts.sum(axis=0)
    errors_before = n_rows - overall.max(initial=0)
    guesses = np.where(counts.sum(axis=1) >= 5, counts.argmax(axis=1), overall.argmax())
    errors_after = n_rows - counts[np.arange(len(counts)), guesses].sum()
    return 1.0 - float(errors_after) / float(errors_before) if errors_before else 0.0


def share_by_one_cut(numbers: FloatArray, labels: _Labels, n_classes: int) -> float:
    """Return the share of errors that "above or below a number" avoids, of two classes.

    "Days late above 3" may be the very class, though no end of a range lies there.
    """
    known = (labels >= 0) & np.isfinite(numbers)
    if n_classes != 2 or known.sum() < _FEWEST_ROWS or known.sum() < _FEWEST_KNOWN * len(labels):
        return 0.0
    order = np.argsort(numbers[known], kind="stable")
    values, ones = numbers[known][order], (labels[known] == 1)[order]
    n_ones = int(ones.sum())
    before = min(n_ones, len(ones) - n_ones)
    places = np.flatnonzero(np.diff(values))
    if not before or not len(places):
        return 0.0
    left_ones = np.cumsum(ones)[places]
    wrong = left_ones + (len(ones) - places - 1) - (n_ones - left_ones)
    return 1.0 - float(min(wrong.min(), (len(ones) - wrong).min())) / before
