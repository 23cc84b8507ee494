"""How people write that a cell has no value, and where such marks stand in a table."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pyarrow as pa
import pyarrow.compute as pc

from probtrees.table.cells.arrow_arrays import text_array
from probtrees.table.cells.raw_table import RawColumn, Texts
from probtrees.table.cells.spelled_numbers import all_are_numbers
from probtrees.table.read_options import ReadOptions
from probtrees.table.table_report import Finding, Fix
from probtrees.words import plural, quoted

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
    "N/D",
    "n/d",
    "N/C",
    "n/c",
    "S/D",
    "s/d",
    "N.D.",
    "n.d.",
    "n. a.",
    "n. d.",
    "n.v.",
    "n. v.",
    "n.b.",
    "n. b.",
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
"k.A." is German for "not stated", "n.v." for "not at hand" and "n.b." for "not known", "N/D",
"N/C" and "S/D" are French and Spanish, "#NV" is what a German spreadsheet has for "#N/A"; the
others that begin with "#" are what spreadsheets write where a formula fails.
"""

BLANK_PADDED: tuple[str, ...] = (*(" " * n for n in range(1, 9)), " ?", "? ", " NA", "NA ")
"""Frequent spellings with white space, listed so that the quick number parser accepts them."""

MARKS = frozenset(MISSING_SPELLINGS[1:])
"""The same without the empty cell."""

_NOTHING = "None"
_MANY = 0.05
"""In more of a column's cells "None" may well be an answer, so that it is asked about."""

_NAMIBIA, _FEWEST_CODES = "NA", 3
_CODE = re.compile(r"[A-Z]{2}")
_REGIONS = frozenset({"EMEA", "APAC", "LATAM", "LAC", "MEA", "ANZ"})
"""Among codes of countries and regions "NA" is Namibia or North America."""

_PROVINCE = re.compile(
    r"A[GLNOPQRTV]|B[AGILNORSTZ]|C[ABEHILNORSTZ]|EN|F[CEGIMOR]|G[EOR]|I[MS]|KR|L[CEIOTU]|"
    r"M[BCEINOST]|N[OU]|O[GRT]|P[ACDEGINORTUVZ]|R[ACEGIMNO]|S[AIOPRSUV]|T[AENOPRSV]|UD|V[ABCEIRSTV]"
)
_ONLY_IN_ITALY = re.compile(r"A[PV]|C[BES]|EN|F[CEG]|LO|MB|NU|P[CDIOUVZ]|R[ACGMN]|UD|V[BRV]")
"""Provinces of Italy, and those that are neither a country nor a state of the USA besides."""

_MOST_NAMED = 5
_MOST_COLUMNS = 3


def marks_kept(name: str, options: ReadOptions) -> frozenset[str]:
    """Return the marks that are values in a column, as was said, or as its model knows them."""
    if options.schema is None:
        said = "marks" in options.as_written or name in options.keep_words
        return MARKS if said else frozenset()
    found: set[str] = set()
    for column in options.schema.columns:
        if column.source_name == name:
            found |= MARKS.intersection(column.categories or ())
    return frozenset(found)


def without_marks(column: RawColumn, kept: frozenset[str], options: ReadOptions) -> RawColumn:
    """Let marks be missing that are no values; among numbers none is, unless a model knows it."""
    if not isinstance(column, Texts):
        return column
    others = (text for text in column.texts if text not in kept)
    if options.schema is None and all_are_numbers(others, column.decimal):
        kept = frozenset()
    return column.without(MARKS - kept)


def marks_finding(columns: Mapping[str, pa.ChunkedArray]) -> Finding | None:
    """Report which marks for missing values stand in which columns of texts, and how often."""
    places: dict[str, dict[str, int]] = {}
    for name, column in columns.items():
        trimmed = pc.utf8_trim_whitespace(pc.cast(column, pa.string()))
        for entry in pc.value_counts(trimmed.filter(pc.is_in(trimmed, text_array(MARKS)))):
            places.setdefault(entry["values"].as_py(), {})[name] = entry["counts"].as_py()
    if not places:
        return None
    words, often = _said_of(places)
    may_be_answer = any(
        n_cells > _MANY * len(columns[name]) for name, n_cells in places.get(_NOTHING, {}).items()
    )
    return Finding(
        None,
        "marks",
        f"Read as missing: {words}.",
        "Take marks as written if they are values.",
        "warning" if may_be_answer else "note",
        (Fix("Keep such marks as values", "as_written", "marks"),),
        texts=often,
    )


def codes_findings(columns: Mapping[str, pa.ChunkedArray]) -> tuple[Finding, ...]:
    """Ask about "NA" among codes of countries and regions, where it is one of them."""
    return tuple(
        Finding(
            name,
            "maybe a code",
            f"{_NAMIBIA!r} in {plural(n_cells, 'cells')} of column {name!r} is read as missing, "
            f"though it stands among codes, {_as_of(column)}.",
            "Keep it as a value if it is one (--keep-words).",
            "warning",
            (Fix(f"Keep {_NAMIBIA!r} as a value", "keep_words", name),),
        )
        for name, column in columns.items()
        if (n_cells := _cells_of_a_code(column))
    )


def _as_of(column: pa.ChunkedArray) -> str:
    """Say what "NA" is among codes like those of a column."""
    others = set(pc.unique(pc.utf8_trim_whitespace(pc.cast(column, pa.string()))).to_pylist())
    others -= {*MARKS, "", None}
    if all(map(_PROVINCE.fullmatch, others)) and any(map(_ONLY_IN_ITALY.fullmatch, others)):
        return "as of the provinces of Italy (Napoli)"
    return "as of countries (Namibia) and regions (North America)"


def _cells_of_a_code(column: pa.ChunkedArray) -> int:
    """Count the cells with "NA", if all others are codes of two letters, or one is of regions."""
    trimmed = pc.utf8_trim_whitespace(pc.cast(column, pa.string()))
    counts = {
        entry["values"].as_py(): entry["counts"].as_py() for entry in pc.value_counts(trimmed)
    }
    others = [text for text in counts if text and text not in MARKS]
    are_codes = len(others) >= _FEWEST_CODES and all(map(_CODE.fullmatch, others))
    return counts.get(_NAMIBIA, 0) if are_codes or not _REGIONS.isdisjoint(others) else 0


def declared_finding(places: Mapping[str, Mapping[str, int]]) -> Finding | None:
    """Report which codes a file declares missing, by code and column in how many cells."""
    words, often = _said_of(places)
    sentence = f"Read as missing, since the file declares it: {words}."
    return Finding(None, "declared missing", sentence, texts=often) if often else None


def _said_of(places: Mapping[str, Mapping[str, int]]) -> tuple[str, tuple[str, ...]]:
    """Say which texts stand where, the most frequent first; and list them."""
    often = sorted(places, key=lambda mark: (-sum(places[mark].values()), mark))
    words = [f"{quoted(mark)} in {_where(places[mark])}" for mark in often[:_MOST_NAMED]]
    more = ", and others" if len(often) > _MOST_NAMED else ""
    return f"{'; '.join(words)}{more}", tuple(often)


def _where(counts: Mapping[str, int]) -> str:
    cells = plural(sum(counts.values()), "cells")
    if len(counts) > _MOST_COLUMNS:
        return f"{cells} of {len(counts)} columns"
    return f"{cells} of {', '.join(map(repr, counts))}"
