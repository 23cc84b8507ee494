"""Words among numbers that mean missing, and codes for it that a name or a label declares.

Codes among numbers that a file of SPSS, Stata or SAS labels as no answer (999 is "keine Angabe")
are read as missing, unless somebody keeps them. Other single codes (996 is "Does not work") are
asked about by their labels: they may be missing, or count as 0.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow.compute as pc

from probtrees.table.cells.arrow_arrays import text_array
from probtrees.table.cells.missing_words import AMONG_NUMBERS, NO_DATE, NO_DAY, NO_VALUE, NOT_DONE
from probtrees.table.cells.raw_table import Dates, Numbers, RawColumn, RawTable, Texts
from probtrees.table.cells.same_words import folded
from probtrees.table.cells.value_labels import ValueLabels, number_of, with_zeros
from probtrees.table.infer.almost_numbers import MIXED, which_are_numbers
from probtrees.table.infer.numbers_in_texts import IN_TEXTS
from probtrees.table.infer.recognise_numbers import Recognised
from probtrees.table.infer.table_plan import ColumnPlan
from probtrees.table.infer.text_habits import (
    MEANS_UNKNOWN,
    listed,
    means_unknown,
    treat_as_missing,
)
from probtrees.table.infer.words_among_numbers import FEW_WORDS
from probtrees.table.read_options import SEVERAL, ReadOptions
from probtrees.table.table_report import Finding, Fix
from probtrees.types import FloatArray
from probtrees.words import quoted, rows_text

_CODE = re.compile(r"(?<![\d.,])(-?\d{1,5})\s*[=:]\s*([^,;()\[\]\d]+)")
_MARKS = frozenset(("n/a", "na", "n.a.", "n.a", "k.a.", "k. a.", "none", "null", "-", "missing"))
_IN_PAIRS = frozenset(("w.n.", "w. n.", "wn", "ka", "dk", "rf", "ref", "nr", "nsp", "ns", "nc"))
"""What is written beside such a mark: w.n./k.A., DK/NA. Alone it may be something else."""
_OR_NONE = frozenset(("none", "null", "-"))
"""Labels that may also say that there is none of what a column counts, which is 0."""
_NOT_ANSWERED = re.compile(
    r"(?:omitted|invalid|not administered|not presented|no valid|omis\w*|invalide|inv[aá]lido|"
    r"non administré|ungültig|ausgelassen|nicht administriert|nicht vorgelegt)"
    r"(?:(?: (?:or|and|oder|und|ou|o|e) | ?/ ?|, ?)[^\W\d_]+)?"
    r"(?: (?:response|answer|item|question|antwort|angabe|réponse))?"
)
"""Labels of large studies for a question that somebody passed over, or was never asked."""
_READ_AS_MISSING = ("dashes", FEW_WORDS, IN_TEXTS)
"""Kinds of findings about texts that are read as missing in a column."""
_LONGEST_MARK = 5
_MARK = re.compile(r"[B-DF-HJ-NP-TV-Z]{2,4}|(?:[^\W\d_]{1,2}\. ?){2,3}|[^\W\d_]/[^\W\d_]")
"""Abbreviations that are no words: NC, NSP, o.B., n/b."""
_FEW_CODES = 2
"""So few numbers beside "unknown" may be answers as well as it."""


_SAYS_NONE = re.compile(
    r"(?:^|\W)(?:no|none|not|never|nothing|nobody|without|(?:do|does|did|has|have|is|was)n['’]t|"
    r"zero|nicht|nie|niemals|kein\w*|ohne|aucun\w*|jamais|pas|sans|rien|nunca|ning[uú]n\w*|sin|"
    r"nada|nessun\w*|mai|non|senza|não|nenhum\w*|sem|nie|brak|нет|не|без)(?:\W|$)",
    re.I,
)
"""Labels that say that there is none of what a column counts."""


def words_among_amounts(column: Texts, among_days: bool = True) -> tuple[str, ...]:
    """Return words for "no value" of a column that holds nothing but numbers or dates else.

    ``among_days`` says whether eight zeros may be one, which they are among dates only.
    """
    if column.declared or column.boolean:
        return ()
    plain = pc.utf8_lower(pc.utf8_trim_whitespace(column.distinct))
    unknown = pc.match_substring_regex(plain, MEANS_UNKNOWN, ignore_case=True)
    unknown = pc.and_(unknown, pc.match_substring_regex(plain, r"\pL"))
    known = pc.is_in(plain, text_array(sorted(AMONG_NUMBERS)))
    for said in (NO_DATE, NOT_DONE, *([f"^{NO_DAY}$"] if among_days else [])):
        known = pc.or_(known, pc.match_substring_regex(plain, said))
    words = column.distinct.filter(pc.or_(known, unknown))
    if not len(words) or len(words) == column.n_distinct:
        return ()
    found: tuple[str, ...] = tuple(words.to_pylist())
    rest = column.without(found)
    dates = rest.dates
    are_dates = dates is not None and bool((dates.missing == rest.missing).all())
    if NO_DAY in found and not are_dates:
        return words_among_amounts(column, among_days=False)
    amounts = rest.without(rest.limits) if rest.limits else rest
    if are_dates or not bool(which_are_numbers(amounts).all()):
        return found if are_dates else ()
    of_words = pc.any(known, min_count=0).as_py()
    return found if of_words or rest.n_distinct > _FEW_CODES or _mostly(rest, column) else ()


def _mostly(some: Texts, column: Texts) -> bool:
    """Whether some of a column's cells are at least half of them, and not all the same."""
    return some.n_distinct > 1 and 2 * int(some.rows_of.sum()) >= int(column.rows_of.sum())


def blank_labelled(
    raw: RawTable, options: ReadOptions, target: str | None
) -> tuple[RawTable, dict[str, Finding]]:
    """Read codes among numbers as missing that the file labels as no answer; say so of each column.

    Codes of the target are told where its classes are made. Among categories such a label is a
    value that no split mistakes for an amount; there it is asked about.
    """
    declared: dict[str, tuple[str, ...]] = dict(raw.declared_missing)
    told: dict[str, Finding] = {}
    for name, labels in raw.value_labels.items():
        column, is_used = raw.columns.get(name), options.roles.get(name, "feature") == "feature"
        is_free = is_used and name != target and not options.keeps_words(name)
        if not is_free or not isinstance(column, Numbers):
            continue
        said = dict(labels)
        codes = labelled_missing(column.values, labels)
        held = [code for code in codes if _rows_of(column, code) and is_no_answer(said[code])]
        if not held:
            continue
        raw.columns[name] = column.without(held)
        words = (said[code] for code in held)
        declared[name] = tuple(dict.fromkeys((*declared.get(name, ()), *held, *words)))
        told[name] = _labelled_finding(name, column, {code: said[code] for code in held})
    return (replace(raw, declared_missing=declared) if told else raw), told


def tell_labelled(plans: Sequence[ColumnPlan], told: Mapping[str, Finding]) -> list[ColumnPlan]:
    """Say of columns in use which of their codes are read as missing."""
    return [
        replace(plan, findings=(*plan.findings, told[plan.name]))
        if plan.name in told and plan.role == "feature"
        else plan
        for plan in plans
    ]


def _labelled_finding(name: str, column: Numbers, codes: Mapping[str, str]) -> Finding:
    """Say that codes among numbers are read as missing by their labels, with the way back."""
    shown = listed(
        [
            f"{code} ({quoted(label)}) in {rows_text(_rows_of(column, code))}"
            for code, label in codes.items()
        ]
    )
    verb, what = ("is", "it as a number") if len(codes) == 1 else ("are", "them as numbers")
    return Finding(
        name,
        FEW_WORDS,
        f"{shown} of column {name!r} {verb} read as missing, since the file labels "
        f"{what.split()[0]} so.",
        f"Keep {what} if that is wrong (--keep-words).",
        "warning",
        (Fix(f"Keep {what}", "keep_words", name),),
        texts=tuple(codes),
        done=True,
    )


def with_declared_codes(
    name: str, found: Recognised, labels: ValueLabels = (), *, kept: bool = False
) -> Recognised:
    """Offer to treat codes as missing that a name declares so (9 = n/a), or labels among numbers.

    Parameters
    ----------
    labels : codes of the column that the file has labels for
    kept : whether somebody said that those labelled as no answer are numbers
    """
    if kept and labels:
        codes = [code for code, words in labels if is_no_answer(words)]
        asked = tuple(f for f in found.findings if not _asks_about(f, codes))
        return replace(found, findings=asked)
    codes = [code for code, words in _CODE.findall(name) if says_missing(words)]
    says = f"Column {name!r} names"
    if isinstance(found.column, Numbers) and not codes:
        codes = labelled_missing(found.column.values, labels)
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


def labelled_missing(values: FloatArray, labels: ValueLabels) -> list[str]:
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
        if says_missing(words) or number < min(0.0, plain.min())
    ]


def with_labelled_codes(
    name: str, found: Recognised, labels: ValueLabels, *, none_is_zero: bool
) -> Recognised:
    """Ask about labelled codes that lie outside of a column's other numbers, by their labels.

    Parameters
    ----------
    none_is_zero : whether codes whose labels say "none" are to count as 0
    """
    column = found.column
    if not isinstance(column, Numbers) or not labels or found.type != "numeric":
        return found
    asked_of = {code for f in found.findings for code in _codes_asked(f)}
    declared = labelled_missing(column.values, labels)
    codes = {
        code: label
        for code, label in _single_codes(column, labels).items()
        if code not in declared and (code in asked_of or _SAYS_NONE.search(label))
    }
    zeros = [code for code, label in codes.items() if _SAYS_NONE.search(label)]
    if none_is_zero and zeros:
        spelled = (*zeros, *(codes[code] for code in zeros))
        numbers = replace(column, values=with_zeros(column.values, zeros))
        found = replace(found, column=numbers, spelling=replace(found.spelling, zero=spelled))
        codes = {code: label for code, label in codes.items() if code not in zeros}
        asked = [f for f in found.findings if not _asks_about(f, zeros)]
        found = replace(found, findings=tuple(asked))
        zeros = []
    if not codes:
        return found
    others = tuple(f for f in found.findings if not _asks_about(f, list(codes)))
    return replace(found, findings=(*others, _question(name, column, codes, zeros)))


def _single_codes(column: Numbers, labels: ValueLabels) -> dict[str, str]:
    """Return labels by code of those that no other number lies beyond; none if all have labels.

    Codes whose labels only say that nothing is known are asked about elsewhere.
    """
    numbers = {number: pair for pair in labels if (number := number_of(pair[0])) is not None}
    known = column.values[~np.isnan(column.values)]
    plain = known[~np.isin(known, list(numbers))]
    if not len(plain):
        return {}
    low, high = min(0.0, float(plain.min())), float(plain.max())
    return {
        code: label
        for number, (code, label) in sorted(numbers.items())
        if not low <= number <= high and (known == number).any() and not says_missing(label)
    }


def _question(name: str, column: Numbers, codes: dict[str, str], zeros: list[str]) -> Finding:
    shown = listed([f"{code} ({quoted(label)})" for code, label in codes.items()])
    n_rows = sum(_rows_of(column, code) for code in codes)
    fixes: tuple[Fix, ...] = (treat_as_missing(*codes),)
    remedy = "Treat it as missing if it is no number."
    if zeros:
        them = "it" if len(codes) == 1 else listed(zeros)
        fixes += (Fix(f"Count {them} as 0", "none_is_zero", name),)
        remedy = "Count it as 0 if it means none (--none-is-zero), or treat it as missing."
    sentence = (
        f"Column {name!r} holds {shown} in {rows_text(n_rows)}, which the file labels so, beyond "
        "its other numbers."
    )
    return Finding(name, "maybe missing", sentence, remedy, "warning", fixes)


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
    words = {label.strip().lower() for _, label in labels}
    answers = {f"{kind}{word}" for word in words for kind in ("in", "un")}  # valid and invalid
    for code, label in labels:
        number = codes[code]
        is_odd = number is not None and number < 0 and is_counted
        is_none = is_odd or (says_missing(label) and label.strip().lower() not in answers)
        if is_none and column.rows_with([label]):
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
    asked = _codes_asked(finding)
    return bool(asked) and asked <= set(texts)


def _codes_asked(finding: Finding) -> set[str]:
    """Return the codes of which a finding asks whether they are missing."""
    is_asked = finding.kind == "maybe missing" and finding.fixes
    return set(str(finding.fixes[0].value).split(SEVERAL)) if is_asked else set()


def ask_as_elsewhere(plans: Sequence[ColumnPlan], raw: RawTable) -> list[ColumnPlan]:
    """Ask about a value of categories that is read as missing in another column: NSP, NR, b.d.

    A longer word is asked about only if it says that there is no value: "closed" may be one.
    """
    words = words_read_as_none(plans)
    return [_asked_as_elsewhere(plan, raw, words) for plan in plans] if words else list(plans)


def words_read_as_none(plans: Sequence[ColumnPlan]) -> dict[str, str]:
    """Return the words that are read as missing, and the column that each is read so in."""
    found = (f for plan in plans for f in plan.findings if f.kind in _READ_AS_MISSING and f.texts)
    words = {folded(text): str(f.column) for f in found for text in f.texts}
    return {word: name for word, name in words.items() if any(map(str.isalpha, word))}


def missing_as_elsewhere(
    plan: ColumnPlan, raw: RawTable, words: Mapping[str, str]
) -> tuple[str, ...]:
    """Return marks among numbers that are read as missing in another column: NC, o.B.

    Nothing unless all else are numbers. Words that may tell something themselves are no marks.
    """
    column = raw.columns.get(plan.name)
    is_mixed = any(f.kind.startswith(MIXED) for f in plan.findings)
    if not is_mixed or not isinstance(column, Texts) or column.declared:
        return ()
    others = [column.texts[code] for code in np.flatnonzero(~which_are_numbers(column))]
    known = all(folded(text) in words and _MARK.fullmatch(text.strip()) for text in others)
    return tuple(others) if known else ()


def missing_as_in(name: str, column: Texts, marks: Sequence[str], other: str) -> Finding:
    """Say that marks among numbers are read as missing as they are in another column."""
    verb, what = ("is", "it as a category") if len(marks) == 1 else ("are", "them as categories")
    return Finding(
        name,
        FEW_WORDS,
        f"{listed(list(map(quoted, marks)))} in {column.rows_with(marks):,} of "
        f"{int(column.rows_of.sum()):,} cells of column {name!r} {verb} read as missing, as in "
        f"column {other!r}, since all others are numbers.",
        f"Set its type to 'nominal' to keep {what}.",
        "warning",
        (Fix(f"Keep {what}", "type", "nominal"),),
        texts=tuple(marks),
        done=True,
    )


def _asked_as_elsewhere(plan: ColumnPlan, raw: RawTable, words: Mapping[str, str]) -> ColumnPlan:
    column = raw.columns.get(plan.name)
    is_asked = plan.role == "feature" and plan.type == "nominal" and isinstance(column, Texts)
    if not is_asked or not isinstance(column, Texts) or column.declared:
        return plan
    texts = [
        text
        for text in column.texts
        if folded(text) in words and (len(text) <= _LONGEST_MARK or means_unknown(text))
    ]
    n_rows = column.rows_with(texts) if texts else 0
    if not n_rows or 2 * n_rows > column.rows_of.sum() or len(texts) == column.n_distinct:
        return plan
    finding = Finding(
        plan.name,
        "maybe missing",
        f"Column {plan.name!r} has {listed(list(map(quoted, texts)))} in {rows_text(n_rows)}, kept "
        f"as a value, which is read as missing in column {words[folded(texts[0])]!r}.",
        "Treat it as missing, unless that says something itself.",
        "warning",
        (treat_as_missing(*texts),),
    )
    others = (f for f in plan.findings if not _asks_about(f, texts))
    return replace(plan, findings=(*others, finding))


def says_missing(words: str) -> bool:
    """Whether the label of a code says no more than that there is no value.

    >>> says_missing("Omitted or invalid"), says_missing("keine Angabe"), says_missing("Agree")
    (True, True, False)
    """
    plain = words.strip().lower()
    known = plain in NO_VALUE or plain in _MARKS or means_unknown(plain)
    known = known or _NOT_ANSWERED.fullmatch(plain) is not None
    parts = [part.strip() for part in plain.split("/")]
    are_marks = (part in _IN_PAIRS or part in _MARKS or means_unknown(part) for part in parts)
    return known or (len(parts) > 1 and all(are_marks))


def is_no_answer(label: str) -> bool:
    """Whether the label of a number says that nobody knows it, and cannot say that it is 0.

    >>> is_no_answer("w.n./k.A."), is_no_answer("brak danych"), is_no_answer("none")
    (True, True, False)
    """
    return says_missing(label) and label.strip().lower() not in _OR_NONE


def _rows_of(column: RawColumn, code: str) -> int:
    """Count the rows that hold a code."""
    if isinstance(column, Dates):
        return 0
    if isinstance(column, Texts):
        return column.rows_with([code])
    return int((column.values == float(code)).sum())
