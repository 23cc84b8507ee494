"""Words among numbers or dates: missing values where they are few, categories where they are many.

A few odd words (``kwar.`` in 3 of 750 cells) are read as missing, since a whole column would change
its kind by them; a question says so and offers to keep them. Where words stand in many cells (sizes
38, 40, S, M), or look like codes of a list (floors EG, 1, 2), they belong there: the column is
taken for categories, and a question offers to read the numbers alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from probtrees.table.cells.arrow_arrays import flags
from probtrees.table.cells.numbers_within import numbers_held
from probtrees.table.cells.periods import days_of_numbers
from probtrees.table.cells.raw_table import Dates, RawColumn, Texts
from probtrees.table.cells.unit_names import is_unit
from probtrees.table.infer.almost_numbers import MIXED, which_are_numbers
from probtrees.table.infer.dates.settle_dates import MIXED_SHARE
from probtrees.table.infer.numbers_in_texts import read_number
from probtrees.table.infer.recognise_numbers import IGNORE, Recognised
from probtrees.table.infer.text_habits import as_number, listed, treat_as_missing
from probtrees.table.read_options import SEVERAL
from probtrees.table.table_report import Finding, Fix, FoundCell
from probtrees.words import quoted

_MOST_TREATED = 50
_FEW_CODES, _MOSTLY = 2, 0.5
_FEW_SHARE, _MOST_FEW = 0.1, 10
"""Words in at most this share of the filled cells, and so many different ones, are few."""
_LONGEST_CODE, _LONGEST_LIST = 2, 20
"""So short a word beside so many different whole numbers may be one of a list of codes."""
_SHOWN = 3

_IN_CENTS = r"\d[.,]\d\d\s?\)?\s?(\pSc|[A-Za-z]{1,3})?-?$"
_AS_BOOKED = r"\d[.,' \x{a0}\x{202f}]\d{3}[.,]|^\W*\("
"""Amounts with two decimals; with thousands in groups, or in brackets."""
_NO_DATES = (0.0, 11111111.0, 88888888.0, 99991231.0, 99999998.0, 99999999.0)
"""What stands for no date among those of eight digits, which begin with this one."""
_FIRST_DAY = 19_000_101

FEW_WORDS = "few words"
"""The kind of a finding about words that are read as missing because they are few."""


def mixed_numbers(column: Texts) -> tuple[NDArray[np.bool_], float] | None:
    """Find words among numbers: which distinct texts are words, and the share of numbers.

    "3+" or "10-14" among numbers is a category, "unknown" is not. None where there are few numbers,
    or no words.
    """
    is_number = which_are_numbers(column)
    if not is_number.any():
        return None
    rows_of = column.rows_of
    share = rows_of[is_number].sum() / rows_of.sum()
    is_word = ~flags(pc.match_substring_regex(column.distinct, r"\d")) & ~is_number
    if is_number.sum() <= _FEW_CODES and share < _MOSTLY:
        return None  # 99 beside "single" and "married" is what nobody knew
    if column.numbers.spelling.unit and is_number.sum() <= is_word.sum():
        return None  # "2 years" beside "monthly" and "yearly" is a word
    return (is_word, float(share)) if share >= MIXED_SHARE and is_word.any() else None


def few_words(column: Texts) -> tuple[str, ...]:
    """Return the few words of a column that holds nothing but numbers, or dates, else.

    None where they may be codes of a list, or say in another way what the numbers say.
    """
    if column.declared or column.boolean or not column.n_distinct:
        return ()
    is_word = ~flags(pc.match_substring_regex(column.distinct, r"\d")) & ~which_are_numbers(column)
    is_word &= ~np.isin(column.texts, column.limits)
    words = tuple(column.texts[code] for code in np.flatnonzero(is_word))
    n_others = column.n_distinct - len(words)
    if not words or len(words) > min(_MOST_FEW, n_others // 2):
        return ()
    if column.rows_with(words) > _FEW_SHARE * column.rows_of.sum():
        return ()
    rest = column.without(words)
    dates = rest.dates
    if dates is not None and bool((dates.missing == rest.missing).all()):
        return words
    amounts = rest.without(rest.limits) if rest.limits else rest
    if not bool(which_are_numbers(amounts).all()) or _may_be_codes(amounts, words):
        return ()
    others = {column.join_keys[text] for text in amounts.texts}
    return () if others.intersection(column.join_keys[word] for word in words) else words


def no_dates(column: RawColumn) -> tuple[str, ...]:
    """Return numbers that programs write where there is no date: 99999999 among 20190412.

    None unless all others are dates of eight digits, and more than these.
    """
    if isinstance(column, Dates) or (isinstance(column, Texts) and not column.n_distinct):
        return ()
    if isinstance(column, Texts) and not bool(which_are_numbers(column).all()):
        return ()
    values = column.as_numbers().values
    known = values[~np.isnan(values)]
    others = np.isin(known, _NO_DATES)
    if not others.any() or others.mean() >= _MOSTLY or (known[~others] < _FIRST_DAY).any():
        return ()
    if np.isnan(days_of_numbers(known[~others])).any() or known[~others].max() > _NO_DATES[-1]:
        return ()
    return tuple(str(int(number)) for number in np.unique(known[others]))


def _may_be_codes(numbers: Texts, words: Sequence[str]) -> bool:
    """Whether a word of a letter or two stands beside a few whole numbers: grade K, floor EG."""
    values = numbers.numbers.values
    is_list = len(values) <= _LONGEST_LIST and bool((values == np.floor(values)).all())
    return is_list and any(len(word) <= _LONGEST_CODE and word.isalpha() for word in words)


def words_read_as_missing(name: str, column: Texts, words: tuple[str, ...], others: str) -> Finding:
    """Say that a few words among others, "numbers", are read as missing, with the way back."""
    shown = [*map(quoted, words[:_SHOWN]), *(["others"] if len(words) > _SHOWN else [])]
    verb, what = ("is", "it as a category") if len(words) == 1 else ("are", "them as categories")
    n_cells = int(column.rows_of.sum())
    return Finding(
        name,
        FEW_WORDS,
        f"{listed(shown)} in {column.rows_with(words):,} of {n_cells:,} cells of column {name!r} "
        f"{verb} read as missing, since all others are {others}.",
        f"Keep {what} if that says something (--keep-words).",
        "warning",
        (Fix(f"Keep {what}", "keep_words", name),),
        texts=words,
        done=True,
    )


def words_question(name: str, column: Texts, share: float, *, ignored: bool) -> Finding:
    """Ask what a column is that holds numbers in many cells and words in many others."""
    others = [column.texts[code] for code in np.flatnonzero(~which_are_numbers(column))]
    in_units = [text for text in others if _is_in_unit(text, column.decimal)]
    in_units.sort(key=lambda text: not any(map(str.isalpha, text)))
    if len(in_units) > len(others) / 2 and any(map(str.isalpha, in_units[0])):
        return _units_question(name, column, share, in_units, ignored=ignored)
    asked = mixed_question(name, others, share, "numbers", ignored=ignored)
    if not column.limits:
        return asked
    # "<5" is known as far as it goes, so that it is not thrown away with the words.
    named = as_number(column, column.limits[0])
    if few_words(column):
        label = f"Read as numbers, {named}, words missing"
        remedy = (
            "Set its type to 'numeric' to read it as numbers, words missing, or to 'nominal' to "
            "keep the categories."
        )
        fix = Fix(label, "type", "numeric")
        return replace(asked, remedy=remedy, fixes=(fix, *asked.fixes[1:]))
    words = [text for text in others if text not in column.limits]
    if not words or len(others) > _MOST_TREATED:
        return asked
    fix = Fix(f"Read as numbers, {named}, the rest missing", "missing", SEVERAL.join(words))
    return replace(asked, fixes=(fix, *asked.fixes))


def _is_in_unit(text: str, decimal: str) -> bool:
    """Whether a text is a number with a unit or none, whatever its decimal mark: 9,0 min."""
    held = numbers_held(text, decimal) if any(map(str.isdigit, text)) else None
    if held is None or len(held.numbers) > 1:
        return False
    return is_unit(held.unit) if held.unit else held.around == "#"


def _units_question(
    name: str, column: Texts, share: float, in_units: Sequence[str], *, ignored: bool
) -> Finding:
    """Ask about numbers of which some have a unit, with words among them that may be 0."""
    n_cells = int(column.rows_of.sum())
    share += column.rows_with(in_units) / n_cells
    is_word = ~flags(pc.match_substring_regex(column.distinct, r"\d"))
    words = [column.texts[code] for code in np.flatnonzero(is_word)]
    shown = [*map(repr, words[:_SHOWN]), *(["others"] if len(words) > _SHOWN else [])]
    named = [as_number(column, word) for word in words if word in column.limits]
    so = "is ignored" if ignored else "is taken as categories"
    fix = read_number(name)
    return Finding(
        name,
        f"{MIXED} ignored" if ignored else MIXED,
        f"Column {name!r} holds numbers in {share:.0%} of its cells, in some with a unit "
        f"({in_units[0]!r}), and {listed(shown)} in the rest; it {so}.",
        "Read the number in each cell (--numbers-in), or set its type to 'nominal' to keep the "
        "categories.",
        "warning",
        (
            replace(fix, label=f"{fix.label}, {named[0]}") if named else fix,
            Fix("Keep categories", "type", "nominal"),
            IGNORE,
        ),
    )


def mixed_question(
    name: str, others: Sequence[str], share: float, what: str, *, ignored: bool
) -> Finding:
    """Ask what a column is that holds numbers or dates in many cells, and others in the rest."""
    shown = [*map(repr, others[:_SHOWN]), *(["others"] if len(others) > _SHOWN else [])]
    so = "is ignored" if ignored else "is taken as categories"
    fixes = [Fix("Keep categories", "type", "nominal"), IGNORE]
    advice = f"Treat them as missing to read it as {what}."
    if len(others) <= _MOST_TREATED:
        label = f"Read as {what}, the rest missing"
        fixes.insert(0, Fix(label, "missing", SEVERAL.join(others)))
    elif what == "numbers":
        fixes.insert(0, read_number(name))
        advice = "Read the number in each cell (--numbers-in)."
    return Finding(
        name,
        f"{MIXED} ignored" if ignored else MIXED,
        f"Column {name!r} holds {what} in {share:.0%} of its cells, and {listed(shown)} in the "
        f"rest; it {so}.",
        f"{advice} Set its type to 'nominal' to keep the categories.",
        "warning",
        tuple(fixes),
    )


def wrong_cell(
    name: str,
    column: RawColumn,
    wrong: NDArray[np.bool_],
    rule: str,
    advice: str,
    others: tuple[Fix, ...] = (),
) -> Finding:
    """Refuse the first cell that breaks a rule; it, or all like it, may be taken as missing."""
    row = int(wrong.argmax())
    cell = FoundCell(column.cell(row), row + 1, rule)
    fixes = (treat_as_missing(cell.text), *_treat_all(column, wrong), *others)
    return Finding.of_cell(name, MIXED, cell, advice, fixes)


def _treat_all(column: RawColumn, wrong: NDArray[np.bool_]) -> tuple[Fix, ...]:
    """Offer to take all cells that break a rule as missing, if they are of a few spellings."""
    if not isinstance(column, Texts):
        return ()
    texts = [column.texts[code] for code in np.unique(column.codes[wrong])]
    return (treat_as_missing(*texts),) if 1 < len(texts) <= _MOST_TREATED else ()


def dashes_as_zero(column: RawColumn) -> tuple[RawColumn, tuple[str, ...]]:
    """Read the dashes of accounts as 0; return also which ones these are."""
    dashes = _plain_dashes(column.dashes) if isinstance(column, Texts) else ()
    if not dashes or not isinstance(column, Texts):
        return column, ()
    return column.respelled(dict.fromkeys(dashes, "0")), dashes


def ask_about_accounts(name: str, written: RawColumn, found: Recognised) -> Recognised:
    """Ask whether dashes among amounts of money are 0, as spreadsheets show it in accounts.

    Such amounts have two decimals in every cell, some have their thousands in groups or stand in
    brackets, and none is 0.
    """
    note = next((each for each in found.findings if each.kind == "dashes"), None)
    dashes = _plain_dashes(note.texts) if note is not None else ()
    if note is None or not dashes or found.type != "numeric" or not isinstance(written, Texts):
        return found
    amounts = written.distinct.filter(pc.match_substring_regex(written.distinct, r"\d"))
    in_cents = pc.all(pc.match_substring_regex(amounts, _IN_CENTS), min_count=0).as_py()
    in_groups = pc.any(pc.match_substring_regex(amounts, _AS_BOOKED), min_count=0).as_py()
    if not (in_cents and in_groups) or (found.column.as_numbers().values == 0).any():
        return found
    shown = listed(list(map(quoted, dashes)))
    asked = replace(
        note,
        sentence=f"{note.sentence.rstrip('.')}; in accounts it is an amount of 0.",
        remedy="Count it as 0 if it is one (--none-is-zero), or keep it as a value (--keep-words).",
        severity="warning",
        fixes=(Fix(f"Count {shown} as 0", "none_is_zero", name), *note.fixes),
    )
    others = tuple(each for each in found.findings if each is not note)
    return replace(found, findings=(*others, asked))


def _plain_dashes(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(text for text in texts if not text.strip("-–—"))
