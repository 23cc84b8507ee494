"""Amounts filled up with zeros to one width, as mainframes write them: 00000201439, 0082, 051.

They begin with 0 as postcodes and codes do, and are kept as texts like them. What tells them apart:
nearly all have zeros to spare, and they are of many sizes. Whether they are amounts a person says,
of all such columns of a table at once.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from probtrees.table.cells.raw_table import RawTable, Texts
from probtrees.table.infer.identifying_numbers import identify
from probtrees.table.infer.named_codes import is_called_code
from probtrees.table.infer.postcodes import are_postcodes
from probtrees.table.infer.repeated_identifiers import REPEATED
from probtrees.table.infer.table_plan import ColumnPlan
from probtrees.table.read_options import ReadOptions
from probtrees.table.table_report import PADDED, Finding, Fix
from probtrees.types import FloatArray, IntArray

_ANSWERED = ("leading zeros", "identifier", REPEATED, "many values", "maybe missing")
"""Findings about the texts, which are moot once they are numbers."""
_DIGITS = re.compile(r"\d{3,}", re.A)
_FEWEST = 30
"""Different values; fewer are codes as well."""
_PADDED_SHARE = 0.8
"""A width with room to spare: of numbers that are given, nine in ten would fill it."""
_SEVERAL_SIZES, _A_SIZE = 3, 0.005
"""Numbers of digits, and the share of the rows that one must have."""
_NEARLY_ALL, _FAR_BELOW = 0.9, 0.3
"""Where hardly any two are alike, the middle one is far below the highest, unless they are given
out in turn."""
_SORTS = re.compile(
    r"(^|[\W_])(agent|agency|broker|vermittler|product|produkt|plan|tarif|tariff|type|typ|class|"
    r"klasse|zone|group|gruppe|unit|line|key|no|nr|num|seq)s?($|[\W_\d])",
    re.I,
)
"""What is numbered from 1 and has two sizes too."""


def ask_padded_amounts(
    plans: Sequence[ColumnPlan], raw: RawTable, options: ReadOptions
) -> list[ColumnPlan]:
    """Ask of columns that may be padded amounts whether they are.

    Numbers of two sizes (051 beside 007) are asked about only beside others of more.
    """
    sizes = {
        plan.name: _sizes(plan.name, raw.columns[plan.name])
        for plan in plans
        if any(found.kind == "leading zeros" for found in plan.findings)
        and plan.role in ("feature", "ignore")
        and plan.name not in options.roles
        and plan.name not in options.types
    }
    if max(sizes.values(), default=0) < _SEVERAL_SIZES:
        return list(plans)
    return [
        _asked(plan, raw.columns[plan.name]) if sizes.get(plan.name, 0) > 1 else plan
        for plan in plans
    ]


def _sizes(name: str, column: object) -> int:
    """Count the numbers of digits that padded amounts have; 0 where they are none."""
    if not isinstance(column, Texts) or column.declared:
        return 0
    texts = np.array(column.texts)
    rows_of = column.rows_of
    widths = {len(text) for text in column.texts}
    if len(widths) != 1 or not all(map(_DIGITS.fullmatch, column.texts)):
        return 0
    stands_in = "9" * widths.pop()
    texts, rows_of = texts[texts != stands_in], rows_of[texts != stands_in]
    values, n_rows = texts.astype(np.float64), int(rows_of.sum())
    if len(np.unique(values)) < _FEWEST or is_called_code(name) or are_postcodes(name, column):
        return 0
    is_padded = np.char.startswith(texts, "0")
    if rows_of[is_padded].sum() < _PADDED_SHARE * n_rows or _are_given(name, values, rows_of):
        return 0
    digits = np.floor(np.log10(np.maximum(values, 1))).astype(np.int64)
    found = int((np.bincount(digits, rows_of) > _A_SIZE * n_rows).sum())
    return 0 if found < _SEVERAL_SIZES and _SORTS.search(name) else found


def _are_given(name: str, values: FloatArray, rows_of: IntArray) -> bool:
    """Whether numbers were given to what the rows are about."""
    cells = np.repeat(values, rows_of)
    lowest, highest = float(values.min()), float(values.max())
    if len(values) >= _NEARLY_ALL * len(cells) and np.median(cells) > _FAR_BELOW * highest:
        return True
    return identify(name, cells, lowest, highest)


def _asked(plan: ColumnPlan, column: object) -> ColumnPlan:
    assert isinstance(column, Texts)
    example = next(text for text in column.texts if text.startswith("0"))
    meanwhile = "left out" if plan.role == "ignore" else "taken for categories"
    finding = Finding(
        plan.name,
        PADDED,
        f"Column {plan.name!r} holds numbers filled up with zeros ({example!r}) of many sizes: "
        f"amounts, or codes? It is {meanwhile}.",
        "Read them as numbers if a larger one is more of something "
        f"(--type {shlex.quote(plan.name)}=numeric).",
        "warning",
        (Fix("Read as numbers", "type", "numeric"),),
    )
    others = tuple(found for found in plan.findings if found.kind not in _ANSWERED)
    return replace(plan, findings=(finding, *others))
