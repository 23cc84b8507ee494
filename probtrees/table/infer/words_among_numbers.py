"""Words among numbers: a mistake among many, categories like them among fewer.

One odd word in a column of numbers is refused, since a whole column would change its kind by it.
Where words stand in many cells (sizes 38, 40, S, M), they belong there: the column is taken for
categories, and a question offers to read the numbers alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from probtrees.table.cells.arrow_arrays import flags
from probtrees.table.cells.raw_table import RawColumn, Texts
from probtrees.table.infer.almost_numbers import MIXED, which_are_numbers
from probtrees.table.infer.numbers_in_texts import read_number
from probtrees.table.infer.recognise_numbers import IGNORE
from probtrees.table.infer.settle_dates import MIXED_SHARE
from probtrees.table.infer.text_habits import (
    AS_CATEGORIES,
    listed,
    means_unknown,
    treat_as_missing,
)
from probtrees.table.read_options import SEVERAL
from probtrees.table.table_report import Finding, Fix, FoundCell

_MOST_TREATED = 50
_FEW_CODES, _MOSTLY = 2, 0.5
_NEARLY_ALL = 0.8
"""From this share of numbers on, a word among them is refused."""
_SHOWN = 3


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


def refused_word(
    name: str, column: Texts, is_word: NDArray[np.bool_], share: float
) -> Finding | None:
    """Refuse a word where nearly all cells are numbers; one that says "unknown" is no mistake."""
    odd = is_word.copy()
    odd[[code for code in np.flatnonzero(is_word) if means_unknown(column.texts[code])]] = False
    if share < _NEARLY_ALL or not odd.any():
        return None
    rule = f"must be a number, since {share:.0%} of the column are numbers."
    advice = "Correct or empty the cell, or set the column's type to 'nominal'."
    cells = np.append(odd, False)[column.codes]
    others = (read_number(name), AS_CATEGORIES, IGNORE)
    return wrong_cell(name, column, cells, rule, advice, others)


def words_question(name: str, column: Texts, share: float, *, ignored: bool) -> Finding:
    """Ask what a column is that holds numbers in many cells and words in many others."""
    others = [column.texts[code] for code in np.flatnonzero(~which_are_numbers(column))]
    return mixed_question(name, others, share, "numbers", ignored=ignored)


def mixed_question(
    name: str, others: Sequence[str], share: float, what: str, *, ignored: bool
) -> Finding:
    """Ask what a column is that holds numbers or dates in many cells, and others in the rest."""
    shown = [*map(repr, others[:_SHOWN]), *(["others"] if len(others) > _SHOWN else [])]
    so = "is ignored" if ignored else "is taken as categories"
    fixes = [Fix("Keep categories", "type", "nominal"), IGNORE]
    if len(others) <= _MOST_TREATED:
        label = f"Read as {what}, the rest missing"
        fixes.insert(0, Fix(label, "missing", SEVERAL.join(others)))
    elif what == "numbers":
        fixes.insert(0, read_number(name))
    return Finding(
        name,
        f"{MIXED} ignored" if ignored else MIXED,
        f"Column {name!r} holds {what} in {share:.0%} of its cells, and {listed(shown)} in the "
        f"rest; it {so}.",
        f"Treat the rest as missing to read it as {what}, or set its type to 'nominal' to keep "
        "the categories.",
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
