"""Incomes of people and sales of firms in which 0 stands where nobody stated one.

A program that needs a number is given 0,00. A true 0 exists too, so it is only asked about, and
only where the others lie far above. Of bonuses, balances and claims it is usual, and a second
income, that of a partner or of rents, is one that many do not have.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from probtrees.table.cells.raw_table import Texts
from probtrees.table.read_options import SEVERAL
from probtrees.table.table_report import Finding
from probtrees.types import FloatArray

_CALLED = re.compile(
    r"(^|[\W_])((haushalts|jahres|monats|brutto|netto)*einkommen|incomes?|salary|salaries|wages?|"
    r"earnings|(jahres|monats|grund|brutto|netto)*gehalt|(jahres|monats|brutto|netto)*lohn|"
    r"(jahres|monats|netto)?umsatz|revenus?|revenues?|salaires?|chiffre d['’]affaires|reddit[oi]|"
    r"stipendi[oi]?|salari[oi]?|fatturato|ingresos?|sueldos?|salarios?|salários?|renda|rendimentos?|"
    r"doch[oó]d|dochody|wynagrodzenie|pensja|zarobki|inkomen|salaris|inkomst|jövedelem|příjem|"
    r"доход|зарплата)($|[\W_])",
    re.I,
)
_MAY_BE_NONE = re.compile(
    r"co-?applicant|spouse|partner|husband|wife|second|other|extra|addition|side|rent|passive|"
    r"capital|investment|interest|dividend|bonus|gain|loss|change|diff|growth|lost|miet|neben|"
    r"zusatz|ehe|sonstig|kapital|veränderung|conjoint|autre|locat|otros|extra|cónyuge|altr[oi]|"
    r"coniuge|affitt|współ|małżon|inn[ey]|outr[ao]s|cônjuge|claim|debt|balance|saldo",
    re.I,
)
_FEWEST_ROWS, _LEAST_SHARE, _FEWEST_DIFFERENT = 5, 0.01, 20
_FAR_BELOW = 0.1
"""No other number may lie below this share of the middle one."""


def lacks_incomes(name: str, values: FloatArray) -> bool:
    """Whether zeros of an income may mean that nobody stated it.

    >>> some = np.array([0.0] * 9 + [1200.0 + 35 * n for n in range(60)])
    >>> lacks_incomes("Einkommen_netto", some), lacks_incomes("Bonus", some)
    (True, False)
    >>> lacks_incomes("CoapplicantIncome", some), lacks_incomes("income", np.append(some, 40.0))
    (False, False)
    """
    split = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    if not _CALLED.search(split) or _MAY_BE_NONE.search(split):
        return False
    rest, n_zeros = values[values > 0], int((values == 0).sum())
    are_many = n_zeros >= max(_FEWEST_ROWS, _LEAST_SHARE * len(values)) and n_zeros < len(rest)
    is_spread = are_many and len(np.unique(rest)) >= _FEWEST_DIFFERENT
    return is_spread and bool(rest.min() >= _FAR_BELOW * np.median(rest))


def codes_as_written(findings: Iterable[Finding], column: Texts) -> Iterator[Finding]:
    """Let the answer that 0 is missing name the cells that hold it, where these say 0,00."""
    for found in findings:
        fix = found.fixes[0] if found.kind == "maybe missing" and found.fixes else None
        if fix is None or fix.setting != "missing" or fix.value != "0" or "0" in column.texts:
            yield found
            continue
        values = column.numbers.values.tolist()
        texts = [text for text, number in zip(column.texts, values, strict=True) if number == 0]
        yield replace(found, fixes=(replace(fix, value=SEVERAL.join(texts)), *found.fixes[1:]))
