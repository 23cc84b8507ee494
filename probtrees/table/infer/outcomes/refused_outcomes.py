"""Refusals that are an outcome, as of claims and applications, and no lack of an answer."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from probtrees.table.cells.raw_table import Texts
from probtrees.table.cells.same_words import folded, yes_or_no
from probtrees.table.read_options import SEVERAL
from probtrees.table.table_report import Finding

_REFUSED = re.compile(r"refused?|refusal|declined|rejected|refus(ée?)?|verweigert")
_LARGE_SHARE = 0.1
"""Few people refuse an answer; a refusal of more rows than this is what became of them."""


def ask_no_refusals(column: Texts, asked: Iterable[Finding]) -> tuple[Finding, ...]:
    """Leave out questions whether a refusal is missing, where it is an outcome like the others.

    So it is where refusals are a large share of a target. Beside yes and no somebody refused to
    answer, however many did.
    """
    asked = tuple(asked)
    rows = zip(column.texts, column.rows_of.tolist(), strict=True)
    refusals = {text: n for text, n in rows if n and _REFUSED.fullmatch(folded(text))}
    is_answer = {yes_or_no(text) for text in column.texts} >= {"yes", "no"}
    n_rows = int(np.sum(column.rows_of))
    if is_answer or max(refusals.values(), default=0) <= _LARGE_SHARE * n_rows:
        return asked
    return tuple(f for f in asked if not _is_about(f, refusals))


def _is_about(found: Finding, texts: Iterable[str]) -> bool:
    if found.kind != "maybe missing" or not found.fixes:
        return False
    return set(str(found.fixes[0].value).split(SEVERAL)) <= set(texts)
