"""Words among numbers that mean missing, and codes for it that the name of a column declares."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

import numpy as np
import pyarrow.compute as pc

from probtrees.table.cells.arrow_arrays import text_array
from probtrees.table.cells.missing_words import AMONG_NUMBERS, NO_DATE, NO_VALUE, NOT_DONE
from probtrees.table.cells.raw_table import Dates, Numbers, RawColumn, Texts
from probtrees.table.cells.value_labels import ValueLabels, number_of
from probtrees.table.infer.almost_numbers import which_are_numbers
from probtrees.table.infer.recognise_numbers import Recognised
from probtrees.table.infer.text_habits import (
    MEANS_UNKNOWN,
    listed,
    means_unknown,
    treat_as_missing,
)
from probtrees.table.read_options import SEVERAL
from probtrees.table.table_report import Finding
from probtrees.types import FloatArray
from probtrees.words import rows_text

_CODE = re.compile(r"(?<![\d.,])(-?\d{1,5})\s*[=:]\s*([^,;()\[\]\d]+)")
_MARKS = frozenset(("n/a", "na", "n.a.", "n.a", "k.a.", "k. a.", "none", "null", "-", "missing"))
_FEW_CODES = 2
"""So few numbers beside "unknown" may be answers as well as it."""


def words_among_amounts(column: Texts) -> tuple[str, ...]:
    """Return words for "no value" of a column that holds nothing but numbers or dates else."""
    if column.declared or column.boolean:
        return ()
    plain = pc.utf8_lower(pc.utf8_trim_whitespace(column.distinct))
    unknown = pc.match_substring_regex(plain, MEANS_UNKNOWN, ignore_case=True)
    unknown = pc.and_(unknown, pc.match_substring_regex(plain, r"\pL"))
    known = pc.is_in(plain, text_array(sorted(AMONG_NUMBERS)))
    for said in (NO_DATE, NOT_DONE):
        known = pc.or_(known, pc.match_substring_regex(plain, said))
    words = column.distinct.filter(pc.or_(known, unknown))
    if not len(words) or len(words) == column.n_distinct:
        return ()
    found: tuple[str, ...] = tuple(words.to_pylist())
    rest = column.without(found)
    dates = rest.dates
    are_dates = dates is not None and bool((dates.missing == rest.missing).all())
    amounts = rest.without(rest.limits) if rest.limits else rest
    if are_dates or not bool(which_are_numbers(amounts).all()):
        return found if are_dates else ()
    of_words = pc.any(known, min_count=0).as_py()
    return found if of_words or rest.n_distinct > _FEW_CODES or _mostly(rest, column) else ()


def _mostly(some: Texts, column: Texts) -> bool:
    """Whether some of a column's cells are at least half of them, and not all the same."""
    return some.n_distinct > 1 and 2 * int(some.rows_of.sum()) >= int(column.rows_of.sum())


def with_declared_codes(name: str, found: Recognised, labels: ValueLabels = ()) -> Recognised:
    """Offer to treat codes as missing that a name declares so (9 = n/a), or labels among numbers.

    Parameters
    ----------
    labels : codes of the column that the file has labels for
    """
    codes = [code for code, words in _CODE.findall(name) if _says_missing(words)]
    says = f"Column {name!r} names"
    if isinstance(found.column, Numbers) and not codes:
        codes = _labelled_missing(found.column.values, labels)
        says = f"The labels of column {name!r} name"
    held = [code for code in codes if _rows_of(found.column, code)]
    if not held:
        return found
    n_rows = sum(_rows_of(found.column, code) for code in held)
    finding = Finding(
        name,
        "maybe missing",
        f"{says} {' and '.join(held)} as a code for missing, which {rows_text(n_rows)} hold.",
        "Treat it as missing, unless that says something itself.",
        "warning",
        (treat_as_missing(*held),),
    )
    others = tuple(f for f in found.findings if f.kind != "maybe missing")
    return replace(found, findings=(*others, finding))


def _labelled_missing(values: FloatArray, labels: ValueLabels) -> list[str]:
    """Return codes among numbers whose labels mean missing, or that alone are negative."""
    coded = {
        number: (code, words) for code, words in labels if (number := number_of(code)) is not None
    }
    plain = values[~np.isnan(values) & ~np.isin(values, list(coded))]
    if not len(plain):
        return []  # answers of a scale, which all have labels
    return [
        code
        for number, (code, words) in sorted(coded.items())
        if _says_missing(words) or number < min(0.0, plain.min())
    ]


def ask_labelled_codes(
    name: str, column: RawColumn, labels: ValueLabels, findings: tuple[Finding, ...]
) -> tuple[Finding, ...]:
    """Ask about categories whose codes a file labels but does not declare as missing.

    Told by the label, "refused", and by the sign: where answers are counted from 0 or 1 on, a
    negative code stands for the reason why there is none, "not applicable".
    """
    if not isinstance(column, Texts):
        return findings  # numbers are asked about where they are recognised
    codes = {code: number_of(code) for code, _ in labels}
    numbers = {number for number in codes.values() if number is not None}
    below = {-number for number in numbers if number < 0}
    above = {number for number in numbers if number > 0}
    is_counted = max(numbers, default=-1.0) >= 0 and below != above  # else from worse to better
    found: dict[str, str] = {}
    for code, label in labels:
        number = codes[code]
        is_odd = number is not None and number < 0 and is_counted
        if (is_odd or _says_missing(label)) and column.rows_with([label]):
            found[label] = f"{label!r} (coded {code})"
    if not found or len(found) == column.n_distinct:
        return findings
    n_rows = column.rows_with(list(found))
    finding = Finding(
        name,
        "maybe missing",
        f"Column {name!r} has {listed(list(found.values()))} in {rows_text(n_rows)}, kept as a "
        "value, though it may only say why there is none.",
        "Treat it as missing, unless that says something itself.",
        "warning",
        (treat_as_missing(*found),),
    )
    return (*(f for f in findings if not _asks_about(f, found)), finding)


def _asks_about(finding: Finding, texts: Collection[str]) -> bool:
    """Whether a finding asks about these texts, and about no others."""
    if finding.kind != "maybe missing" or not finding.fixes:
        return False
    return set(str(finding.fixes[0].value).split(SEVERAL)) <= set(texts)


def _says_missing(words: str) -> bool:
    plain = words.strip().lower()
    return plain in NO_VALUE or plain in _MARKS or means_unknown(plain)


def _rows_of(column: RawColumn, code: str) -> int:
    """Count the rows that hold a code."""
    if isinstance(column, Dates):
        return 0
    if isinstance(column, Texts):
        return column.rows_with([code])
    return int((column.values == float(code)).sum())
