"""Look at a table before using it: what every column holds, and what to ask about it.

Faces import this module, ``read_table``, ``read_options`` and ``dataset``; how a table is looked at
is their business no more than how it is read.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from probtrees.errors import DataError
from probtrees.machine.checkpoint import passing
from probtrees.table.arrow_arrays import mask_array
from probtrees.table.dataset import Dataset
from probtrees.table.findings import QUESTIONS, Finding, Fix
from probtrees.table.formats.open_table import FORMAT_NAMES, TABLE_SUFFIXES, open_table, sheets_of
from probtrees.table.formats.source import Sheets
from probtrees.table.infer.plan import MAX_NUMERIC_CLASSES, TablePlan, plan_table, read_target
from probtrees.table.infer.recognise import ColumnPlan
from probtrees.table.number_text import short_text
from probtrees.table.raw_table import Numbers, RawColumn, RawTable, Texts
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import encode_planned
from probtrees.table.readings.find_reading import read_cells
from probtrees.table.readings.spellings import CLOCK
from probtrees.table.readings.words import missing_among
from probtrees.table.repeats import describe_repeats
from probtrees.table.steps import apply_steps
from probtrees.types import FloatArray, IntArray

__all__ = ["FORMAT_NAMES", "MAX_NUMERIC_CLASSES", "TABLE_SUFFIXES", "Sheets", "sheets_of"]

_N_BARS = 20
_N_FIRST_ROWS = 10
_WHY = {
    "identifier": "its values tell single rows apart",
    "row names": "it names the rows",
    "person": "it names people",
    "text": "it is free text",
    "several answers": "its cells hold several answers each",
    "constant": "it never changes",
    "many values": "it has too many different values",
    "date": "it is a date",
    "counter": "it counts the rows",
    "leak": "it almost alone predicts the answer. Was this known at the time?",
}
"""Why a column is set aside, by the kind of what was found about it."""


@dataclass(frozen=True)
class ColumnReport(ColumnPlan):
    """One column of a table as it would be read: what is planned for it, and what it holds.

    Attributes
    ----------
    means_missing : texts in it that say that there is no value
    n_missing, missing_share : cells without a value, and their share of all rows
    n_distinct : how many different values it has
    examples : its most frequent values (texts), or its lowest, middle and highest (numbers, dates)
    bars : the rows of its most frequent values, or of numbers those of ranges of equal width
    first : its first cells as texts; missing ones are empty
    """

    means_missing: tuple[str, ...] = ()
    n_missing: int = 0
    missing_share: float = 0.0
    n_distinct: int = 0
    examples: tuple[str, ...] = ()
    bars: tuple[int, ...] = ()
    first: tuple[str, ...] = ()

    @property
    def why(self) -> str:
        """Why it is set aside, or would better be, in a few words."""
        kinds = [*(found.kind for found in self.findings), self.type]
        return next((_WHY[kind] for kind in kinds if kind in _WHY), "see the question below")


@dataclass(frozen=True)
class TableReport:
    """A table as it would be read.

    Attributes
    ----------
    n_rows : rows found
    columns : all columns, in file order
    findings : everything found, about the table and about its columns
    class_counts : the classes and how many rows each has, or cases where rows stand for several
    target_numbers : the numbers of a target that can be cut; None for others
    """

    n_rows: int
    columns: tuple[ColumnReport, ...]
    findings: tuple[Finding, ...]
    class_counts: tuple[tuple[str, int], ...]
    target_numbers: FloatArray | None = None

    @property
    def target(self) -> str | None:
        """The name of the column to predict."""
        return next((column.name for column in self.columns if column.role == "target"), None)

    @property
    def usable(self) -> bool:
        """Whether the table can be read as it stands."""
        return not any(finding.severity == "error" for finding in self.findings)

    @property
    def questions(self) -> tuple[Finding, ...]:
        """What is asked: what stops the table first, then by the order of the questions."""
        asked = [f for f in self.findings if f.question is not None and f.fixes]
        levels = ("error", "warning", "note")
        asked.sort(key=lambda f: (levels.index(f.severity), QUESTIONS.index(f.question or "aside")))
        return tuple(asked)

    def column(self, name: str) -> ColumnReport:
        """Find a column by name."""
        return next(column for column in self.columns if column.name == name)


def inspect_table(source: Any, options: ReadOptions | None = None) -> TableReport:
    """Describe a table as :func:`~probtrees.table.read_table.read_table` would read it.

    What would stop it is reported as a finding of severity "error" with settings that answer it;
    only a file that is no table at all raises.
    """
    options = replace(options or ReadOptions(), all_columns=True)
    table = open_table(source, options)
    raw = table.raw
    plan = plan_table(raw, options, table.where)
    columns = [_describe(column, raw) for column in plan.columns]
    numbers = _target_numbers(raw, plan, options)
    findings, is_wrong = plan.findings, any(f.severity == "error" for f in plan.all_findings)
    counts: tuple[tuple[str, int], ...] = ()
    try:
        data = None if is_wrong else encode_planned(table, plan, options)
    except DataError as problem:  # a cell cannot be read, or no row has all that is needed
        data, findings = None, (*findings, Finding(None, None, str(problem), "error"))
    if data is not None:
        # Somebody may have said already that a column may be used.
        used = {name for name, role in options.roles.items() if role == "feature"}
        leaks = {f.column: (f,) for f in leak_findings(data) if f.column not in used}
        columns = [replace(c, findings=c.findings + leaks.get(c.name, ())) for c in columns]
        counts, findings = _class_counts(data), findings + _row_findings(data)
    findings += tuple(finding for column in columns for finding in column.findings)
    n_rows = raw.n_rows if plan.columns else 0
    return TableReport(n_rows, tuple(columns), findings, counts, numbers)


def _target_numbers(raw: RawTable, plan: TablePlan, options: ReadOptions) -> FloatArray | None:
    """Return the numbers of a target that holds nothing else."""
    name = next((column.name for column in plan.columns if column.role == "target"), "")
    found = raw.columns.get(name)
    if found is None:
        return None
    found = found.without(options.missing_for(name))
    texts = found.as_texts()
    numbers = read_target(found, texts, raw.decimal, options.types.get(name, "")).values
    return np.append(numbers, np.nan)[texts.codes] if len(numbers) else None


def _class_counts(data: Dataset) -> tuple[tuple[str, int], ...]:
    """Count the rows of each class, or the cases that they stand for."""
    weights = data.weights
    is_whole = weights is not None and bool((weights == np.floor(weights)).all())
    counts = np.bincount(data.labels, weights if is_whole else None, minlength=data.n_classes)
    return tuple(zip(data.schema.classes, counts.astype(np.int64).tolist(), strict=True))


def _row_findings(data: Dataset) -> tuple[Finding, ...]:
    """Report rows without a class, and what becomes of copies of rows."""
    findings = []
    if n_lost := data.provenance.rows_dropped.get("no class"):
        target = data.schema.target.source_name
        sentence = f"{n_lost:,} rows have no value of the target {target!r} and are left out."
        findings.append(Finding(target, None, sentence, kind="missing class"))
    if sentence := describe_repeats(data):
        other = Fix("Keep copies together", "repeats", "together")
        if data.repeats_rule == "together" and data.n_repeated:
            other = Fix("Take copies as different cases", "repeats", "apart")
        findings.append(Finding(None, "rows", sentence, fixes=(other,), kind="repeats"))
    return tuple(findings)


def _describe(plan: ColumnPlan, raw: RawTable) -> ColumnReport:
    found, gone = raw.columns[plan.name], plan.reading.missing
    if plan.type in ("numeric", "date") and isinstance(found, Texts):
        words = found.distinct.filter(mask_array(missing_among(found.distinct))).to_pylist()
        gone = tuple(dict.fromkeys((*gone, *words)))
    found = found.without(gone)
    n_missing, n_rows = int(found.missing.sum()), len(found.missing)
    values, unit = _values(plan, found, raw)
    if values is None:
        texts = found.as_texts()
        often = np.argsort(-texts.rows_of, kind="stable")[: (texts.rows_of > 0).sum()].tolist()
        n_distinct, counts = len(often), texts.rows_of[often[:_N_BARS]]
        examples = [texts.texts[code] for code in often[:3]]
    else:
        known = values[np.isfinite(values)]
        distinct = np.unique(known)
        n_distinct, n_bars = len(distinct), min(_N_BARS, len(distinct))
        chosen = np.unique(distinct[[0, n_distinct // 2, -1]]).tolist() if n_distinct else []
        examples = [short_text(value, unit) for value in chosen]
        # Halves, since the difference of numbers far apart is infinite.
        low, high = (distinct[0] / 2, distinct[-1] / 2) if n_distinct else (0.0, 0.0)
        inner = np.linspace(low, high, n_bars + 1)[1:-1]
        counts = np.bincount(np.searchsorted(inner, known / 2, "right"), minlength=n_bars)
    held: dict[str, Any] = {"n_missing": n_missing, "missing_share": n_missing / max(n_rows, 1)}
    held |= {"means_missing": gone, "first": tuple(map(found.cell, range(n_rows)[:_N_FIRST_ROWS]))}
    held |= {"n_distinct": n_distinct, "examples": tuple(examples), "bars": tuple(counts.tolist())}
    return ColumnReport(**vars(plan), **held)


def _values(plan: ColumnPlan, found: RawColumn, raw: RawTable) -> tuple[FloatArray | None, str]:
    """Return the numbers or days of a column and their unit; None for texts."""
    is_date = plan.type == "date"
    made = next((c for c in plan.columns if c.date_part in ("age", "span")), None)
    if made is not None:
        cells = apply_steps(raw, made) or found
        return read_cells(cells, plan.reading)[0], made.unit
    if plan.type in ("numeric", "date") or type(found) is Numbers:
        values, _ = read_cells(found, plan.reading, is_date=is_date, decimal=raw.decimal)
        unit = plan.reading.unit
        return values, "date" if is_date else unit if unit in ("%", CLOCK) else ""
    return None, ""


# --- leaks: columns that almost alone predict the class, often since they were written after it ---


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
