"""Sheets of one table whose amounts are in different currencies: EUR in one, CHF in another.

A number does not tell its currency where a sheet is named by it, where a line above the names or a
name says it, a column of codes, or the format in which a workbook shows it. Read as one table 100
EUR and 100 CHF would be the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from probtrees.table.cells.special_numbers.scale_words import CURRENCY
from probtrees.table.cells.unit_names import currency_code, is_money
from probtrees.table.table_report import Finding, Fix

CURRENCIES = "currencies"
"""The kind of the question about them."""

_IN_WORDS = re.compile(
    r"(?<![^\W_])(?:USD|EUR|GBP|CHF|JPY|CNY|INR|AUD|CAD|SEK|NOK|DKK|PLN|CZK|Euro)(?![^\W_])"
    r"|[€£¥₹]|(?:US|A|C)?\$"
)
"""What names a currency among other words; Fr and kr are no words of their own there."""
_AMOUNT = re.compile(
    rf"[+−-]?({CURRENCY})\s?[+−-]?\d[\d.,' ]*|[+−-]?\d[\d.,' ]*(?:[.,][-–]+)?\s?({CURRENCY})"
)
_IN_BRACKETS = re.compile(r"\[\$([^\]-]*)(?:-[^\]]*)?\]")
"""How formats write a currency, and the place whose habits they follow: [$CHF-807], [$-407]."""
_NUMBER = re.compile(r"[+−-]?\d[\d.,' ]*")
_LOOKED_AT = 200
_MOSTLY = 0.5
_MOST_NAMED = 6


class SheetWords(NamedTuple):
    """What a sheet says: its name, the lines above the names of its columns, these, and rows.

    ``shown`` are formats in which its numbers are shown: ``#,##0.00 [$CHF-807]``.
    """

    name: str
    above: Sequence[str]
    names: Sequence[str]
    rows: Sequence[Sequence[str]]
    shown: Sequence[str] = ()


def ask_about_currencies(sheets: Iterable[SheetWords], what: str, back: Fix) -> tuple[Finding, ...]:
    """Say in sight that sheets which are read as one table have amounts in several currencies.

    Those that name several themselves, or none, tell nothing.

    Parameters
    ----------
    what : "sheets" or "files"
    back : reads one of them only
    """
    found = different_currencies(sheets)
    if not found:
        return ()
    return (
        Finding(
            None,
            CURRENCIES,
            f"Amounts of these {what} seem to be in different currencies ({found}), and are "
            "compared as if they were in one.",
            f"Convert them to one currency in the file, or read one of the {what} only.",
            "warning",
            (back,),
        ),
    )


def different_currencies(sheets: Iterable[SheetWords]) -> str:
    """Say which currency which sheets have, where these differ; nothing where they do not."""
    found = {sheet.name: code for sheet in sheets if (code := _currency(sheet))}
    return _listed(found) if len(set(found.values())) > 1 else ""


def words_in(name: str, lines: Sequence[Sequence[str]], shown: Sequence[str] = ()) -> SheetWords:
    """Part the first lines of a sheet: its names stand in the first that has the most cells.

    >>> words_in("May", [["Sales in EUR"], [], ["who", "paid"], ["a", "12"]]).above
    ['Sales in EUR']
    """
    filled = [sum(map(bool, line)) for line in lines]
    at = filled.index(max(filled, default=0)) if filled else 0
    above = [cell for line in lines[:at] for cell in line if cell]
    return SheetWords(name, above, lines[at] if lines else (), lines[at + 1 :], shown)


def _listed(found: Mapping[str, str]) -> str:
    """Say which currency which sheets have.

    >>> _listed({"Bern": "CHF", "Genf": "CHF", "Ulm": "EUR"})
    "CHF in 'Bern', 'Genf'; EUR in 'Ulm'"
    """
    parts = []
    for code in dict.fromkeys(found.values()):
        own = [repr(name) for name in found if found[name] == code]
        more = ", ..." * (len(own) > _MOST_NAMED)
        parts.append(f"{code} in {', '.join(own[:_MOST_NAMED])}{more}")
    return "; ".join(parts)


def _currency(sheet: SheetWords) -> str:
    """Return the currency of a sheet's amounts; nothing where it is not known, or there are more.

    What stands in cells counts more than names, and these more than titles.

    >>> rows = [("a", "1.50"), ("b", "2"), ("c", "3")]
    >>> _currency(SheetWords("Umsatz CHF", (), ("k", "x"), rows))
    'CHF'
    >>> _currency(SheetWords("CHF", (), ("k", "x"), [("a", "1,50 €"), ("b", "€ 2")]))
    'EUR'
    """
    some = sheet.rows[:_LOOKED_AT]
    columns = [[row[n].strip() for row in some if n < len(row)] for n in range(len(sheet.names))]
    kinds = [_of_cells([cell for cell in cells if cell]) for cells in columns]
    if not any(kind.has_numbers for kind in kinds):
        return ""
    in_cells = {code for kind in kinds for code in kind.codes}
    in_cells = in_cells or _in_formats(sheet.shown)
    in_names = _in_words(sheet.names)
    in_title = _in_words(sheet.above)
    told = next(filter(None, (in_cells, in_names, in_title, _in_words((sheet.name,)))), set())
    return next(iter(told)) if len(told) == 1 else ""


class _Cells(NamedTuple):
    codes: frozenset[str]
    has_numbers: bool


def _of_cells(cells: Sequence[str]) -> _Cells:
    """Tell which currencies stand in the cells of a column, and whether these hold numbers."""
    amounts = [match for cell in cells if (match := _AMOUNT.fullmatch(cell))]
    if amounts and len(amounts) >= _MOSTLY * len(cells):
        return _Cells(frozenset(currency_code(m[1] or m[2]) for m in amounts), True)
    if cells and all(map(_IN_WORDS.fullmatch, cells)):
        return _Cells(frozenset(map(currency_code, cells)), False)
    return _Cells(frozenset(), bool(cells) and all(map(_NUMBER.fullmatch, cells)))


def _in_formats(formats: Sequence[str]) -> set[str]:
    """Return the currencies that formats of numbers name.

    >>> _in_formats(["#,##0.00 [$Fr.-807]", "[$-407]0.00"])
    {'CHF'}
    """
    bracketed = {part for code in formats for part in _IN_BRACKETS.findall(code) if is_money(part)}
    others = (_IN_BRACKETS.sub("", code) for code in formats)
    return {currency_code(part) for part in bracketed} | _in_words(others)


def _in_words(texts: Iterable[str]) -> set[str]:
    return {currency_code(match[0]) for text in texts for match in _IN_WORDS.finditer(text)}
