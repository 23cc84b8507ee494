"""Columns that almost alone predict the class: often they were written down after it."""

from __future__ import annotations

import numpy as np

from probtrees.machine.checkpoint import passing
from probtrees.table.dataset import Dataset
from probtrees.table.findings import Finding, Fix
from probtrees.types import FloatArray, IntArray

SUSPICIOUS = 0.97
"""Share of the errors of "always the most frequent class" that one column avoids."""

_MAX_ROWS = 50_000
_MOST_BINS, _ROWS_PER_BIN, _FEWEST_ROWS = 100, 10, 5


def leak_findings(data: Dataset) -> tuple[Finding, ...]:
    """Ask of the columns that may be leaks whether they were known beforehand."""
    ways = (("Ignore this column", "ignore"), ("Use it", "feature"))
    findings = []
    for name, share in suspicious_features(data).items():
        sentence = f"Was {name!r} known beforehand? Guessing by it alone avoids {share:.0%} of the "
        fixes = tuple(Fix(label, "role", role, name) for label, role in ways)
        findings.append(Finding(name, "aside", f"{sentence}mistakes.", "warning", fixes, "leak"))
    return tuple(findings)


def suspicious_features(data: Dataset) -> dict[str, float]:
    """Return the columns that almost alone predict the class, with the share of errors they avoid.

    The app leaves these out until somebody says otherwise.
    """
    shares: dict[str, float] = {}
    for at, column in enumerate(passing(data.schema.features, "looking for leaks")):
        values = data.values[:, at]
        if column.is_nominal:  # a missing one is a value of its own
            codes = np.where(np.isnan(values), -1, values).astype(np.int64) + 1
        else:
            codes = _ranges(values)
        share = _share_avoided(codes, data.labels, data.n_classes)
        if share >= SUSPICIOUS:
            shares[column.source_name] = max(share, shares.get(column.source_name, share))
    return dict(sorted(shares.items(), key=lambda entry: -entry[1]))


def _ranges(numbers: FloatArray) -> IntArray:
    """Give numbers the number of their range, 0 where one is missing.

    Ranges have about as many rows each: a number that many rows share, such as a refund of 0, is
    a range of its own.
    """
    known = np.sort(numbers[np.isfinite(numbers)])
    n_bins = min(_MOST_BINS, len(known) // _ROWS_PER_BIN)
    at = np.arange(1, n_bins) * len(known) // max(n_bins, 1)
    cuts, counts = np.unique(known[at], return_counts=True)
    shared = cuts[counts > 1]
    places = np.searchsorted(cuts, numbers, side="right") + np.searchsorted(shared, numbers) + 1
    return np.where(np.isnan(numbers), 0, places)


def _share_avoided(values: IntArray, labels: IntArray, n_classes: int) -> float:
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
    enough = counts.sum(axis=1) >= _FEWEST_ROWS
    guesses = np.where(enough, counts.argmax(axis=1), overall.argmax())
    errors_after = n_rows - counts[np.arange(len(counts)), guesses].sum()
    return 1.0 - float(errors_after) / float(errors_before) if errors_before else 0.0
