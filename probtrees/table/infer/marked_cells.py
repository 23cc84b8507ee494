"""Columns that are marked or empty: an X where something holds, and nothing where it does not.

Whoever ticks boxes leaves the others empty, so in a column with a single value "empty" is an answer
rather than a gap. Of a target it is taken for one, of other columns that is asked; a guess takes
ticks of one table alike.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from probtrees.table.cells.raw_table import RawColumn, Texts
from probtrees.table.cells.same_words import folded, yes_or_no
from probtrees.table.infer.recognise_numbers import Recognised
from probtrees.table.table_report import Finding, Fix
from probtrees.words import rows_text

NO, NONE = "no", "none"
"""The category that empty cells of a marked column are, and of one with several other words."""

MARKED = "marked or empty"
"""The kind of the finding about a column like that."""

EMPTY_CLASS = "blanks"
"""The kind of the finding about a target like that."""

MISSING_CLASS = "missing class"
"""The kind of the finding about rows of a target that say nothing."""

_MANY_EMPTY = 0.05
"""Share of the rows above which empty cells of a target may be an outcome."""

_NOT_MARKS = frozenset({"no", "n", "nein", "non", "false", "f", "0", "off", "aus", "nie", "never"})
"""What would say "no" itself: the empty cells beside it are no second answer."""
_LONGEST = 40


def mark_of(column: RawColumn) -> str:
    """Return the only value of a column that is empty elsewhere; nothing if it is no mark."""
    missing = column.missing
    if not missing.any() or missing.all():
        return ""
    if not isinstance(column, Texts):
        known = column.as_numbers().values[~missing]
        if (known != known[0]).any():
            return ""
    texts = column.as_texts()
    present = np.flatnonzero(texts.rows_of)
    if texts.declared or len(present) != 1:
        return ""
    mark = texts.texts[present[0]]
    return "" if len(mark) > _LONGEST or folded(mark) in _NOT_MARKS else mark


def is_tick(mark: str) -> bool:
    """Whether a mark says no more than that something is so, as in a box that is ticked.

    >>> [is_tick(mark) for mark in ("x", "✓", "1", "ja", "letter")]
    [True, True, True, True, False]
    """
    return len(mark) == 1 or yes_or_no(mark) == "yes"


def with_empty_as_no(column: RawColumn) -> tuple[Texts, str]:
    """Let empty cells be a category; return also which."""
    texts = column.as_texts()
    answer = _answer_of_empty(texts)
    kept = dict.fromkeys((*texts.texts, answer))
    code = list(kept).index(answer)
    codes = np.where(texts.codes < 0, code, texts.codes).astype(np.int32)
    filled = Texts.of(codes, kept, declared=texts.declared)
    return replace(filled, decimal=texts.decimal), answer


def _answer_of_empty(texts: Texts) -> str:
    """Name the category that empty cells are: no, as the column writes it, or none."""
    said = [texts.texts[code] for code in np.flatnonzero(texts.rows_of)]
    says_yes = any(yes_or_no(text) == "yes" for text in said if not text.isdigit())
    usual = NO if says_yes or len(said) <= 1 else NONE
    return next((text for text in texts.texts if folded(text) in _NOT_MARKS), usual)


def read_empty_as_no(found: Recognised) -> Recognised:
    """Read a column as somebody said: empty means no."""
    column, answer = with_empty_as_no(found.column)
    findings = tuple(finding for finding in found.findings if finding.kind != MARKED)
    return Recognised(column, "boolean", findings, replace(found.spelling, empty=answer))


def offer_empty_as_no(name: str, found: Recognised) -> Recognised:
    """Add the offer to read empty cells as "no", where a column is marked or empty."""
    mark = mark_of(found.column) if found.type == "nominal" else ""
    if not mark:
        return found
    finding = Finding(
        name,
        MARKED,
        f"{_marked(name, mark, found.column)}; empty is taken as not known.",
        "If it means no, say so (--empty-no).",
        "warning" if is_tick(mark) else "note",
        (Fix("Empty means no", "empty_no", name),),
    )
    return replace(found, findings=(*found.findings, finding))


def empty_target_finding(name: str, mark: str, column: RawColumn, answer: str) -> Finding:
    """Report that empty cells of the target are a class."""
    return Finding(
        name,
        EMPTY_CLASS,
        f"{_marked(name, mark, column)}: empty means {answer!r}.",
        "Take blanks as written if empty means that it is not known.",
        "note",
        (Fix("Empty means not known", "as_written", "blanks"),),
    )


def ask_empty_class(name: str, column: RawColumn, n_blank: int) -> tuple[Finding, ...]:
    """Ask what empty cells of a target mean, if there are many that nobody has spoken about.

    Parameters
    ----------
    n_blank : cells that were empty before anybody said which words mean missing
    """
    n_empty, n_rows = int(column.missing.sum()), len(column.missing)
    if n_empty == n_rows or min(n_empty, n_blank) < _MANY_EMPTY * n_rows:
        return ()
    sentence = f"{_rows_have(n_empty)} no class and will be dropped."
    leave = Fix("Leave these rows out", "as_written", "blanks")
    texts = column.as_texts()
    answer = _answer_of_empty(texts)
    if n_empty > n_rows / 2 and _says_no_too(texts, answer):
        remedy = "Where something did not happen the column says so: empty is not known."
        return (Finding(name, MISSING_CLASS, sentence, remedy, "warning", (leave,)),)
    own = "Blank is an outcome of its own" if answer == NONE else f"Empty means {answer!r}"
    remedy = (
        "If an empty cell says that nothing happened, it is an outcome of its own "
        f"(--empty-no {shlex.quote(name)})."
    )
    fixes = (Fix(own, "empty_no", name), leave)
    return (Finding(name, MISSING_CLASS, sentence, remedy, "warning", fixes),)


def _says_no_too(texts: Texts, answer: str) -> bool:
    """Whether cells say what empty ones would mean, and others something else."""
    present = {texts.texts[code] for code in np.flatnonzero(texts.rows_of)}
    return answer in present and len(present) > 1


def words_as_empty(name: str, words: Sequence[str], n_rows: int, answer: str) -> Finding:
    """Warn that rows of words that somebody called missing are of the class of empty cells."""
    shown = " and ".join(map(repr, words))
    return Finding(
        name,
        "words as blanks",
        f"{shown} of {name!r} mean no more than an empty cell, and empty cells are the outcome "
        f"{answer!r}: {rows_text(n_rows)} of these words count as {answer!r}, too.",
        "Keep them as outcomes, or let empty cells have none.",
        "warning",
        tuple(Fix(f"Keep {word!r} as it is", "take back", f"missing_in {word}") for word in words),
    )


def missing_class(column: RawColumn) -> tuple[Finding, ...]:
    """Report that rows of a target have no class, where there is nothing to ask about it."""
    n_empty = int(column.missing.sum())
    if not n_empty:
        return ()
    sentence = f"{_rows_have(n_empty)} no class and will be dropped."
    return (Finding(None, MISSING_CLASS, sentence),)


def _rows_have(n_rows: int) -> str:
    return "1 row has" if n_rows == 1 else f"{n_rows:,} rows have"


def _marked(name: str, mark: str, column: RawColumn) -> str:
    n_empty = int(column.missing.sum())
    marked = rows_text(len(column.missing) - n_empty)
    return f"Column {name!r} holds {mark!r} in {marked} and is empty in {n_empty:,}"
