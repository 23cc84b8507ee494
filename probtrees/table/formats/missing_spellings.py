"""How people write that a cell has no value."""

from __future__ import annotations

MISSING_SPELLINGS: tuple[str, ...] = (
    "",
    "?",
    "NA",
    "N/A",
    "n/a",
    "na",
    "<NA>",
    "#N/A",
    "#NA",
    "NaN",
    "nan",
    "-nan",
    "-NaN",
    "null",
    "NULL",
    "Null",
    "None",
    "NaT",
    ".",
    "N.A.",
    "n.a.",
    "k.A.",
    "k. A.",
    "#NV",
    "#N/V",
    "#N/D",
    "#N/B",
    "#VALUE!",
    "#WERT!",
    "#VALEUR!",
    "#DIV/0!",
    "#REF!",
    "#BEZUG!",
    "#NAME?",
    "#NUM!",
    "#ZAHL!",
    "#NULL!",
    "(null)",
    "\\N",
)
"""Cells of a delimited file that count as missing, after white space around them is removed.

Spellings are matched exactly, so the surname "Null" is lost but "none" is kept: in lower case
it usually is a category ("symptoms: none"). "." is how SAS and SPSS write a missing number,
"k.A." is German for "not stated", "#NV" what a German spreadsheet has for "#N/A"; the
others that begin with "#" are what spreadsheets write where a formula fails.
"""

BLANK_PADDED: tuple[str, ...] = (*(" " * n for n in range(1, 9)), " ?", "? ", " NA", "NA ")
"""Frequent spellings with white space, listed so that the quick number parser accepts them."""
