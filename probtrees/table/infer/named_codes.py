"""Numbers under the name of a code, a version, or of what has names: religions, wards, stores.

They name and do not measure, though a tree would ask whether the code is at most 4719. Whether they
are rather categories, a person must say.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from probtrees.table.cells.raw_table import Numbers
from probtrees.table.cells.spelled_numbers import spell
from probtrees.table.infer.identifying_numbers import numbered
from probtrees.table.infer.recognise_numbers import Recognised
from probtrees.table.table_report import Finding, Fix

_CALLED = re.compile(
    r"(^|[\W_])(codes?|kode|código|codigo|codice|kod|код|コード|代码|代碼|nace|naics|isco|"
    r"icd[- ]?(9|10)?|drg|mcc|kst|kostenstelle|cost ?cent(er|re)|fips|ags|bukr|buchungskreis|"
    r"(sach|gegen|haupt)?konto|gl account|ledger|vorwahl|area ?code|dewey|ddc|gtin|ean|upc|"
    r"hs|hts|taric|bfs-?nr|gemeinde-?nr)($|[\W_\d])",
    re.I,
)
_VERSIONS = re.compile(r"(^|[\W_])(version|release|firmware|build)($|[\W_])", re.I)
_KINDS = re.compile(
    r"(^|[\W_])(race|ethnic(ity)?|religion|konfession|nationality|nationalität|marital|"
    r"(marital|civil) ?status|familienstand|état civil|estado civil|bundesland|kanton(s?nr)?|"
    r"canton|province|provinz|provincia|region|región|région|regione|county|country|land|pays|país|"
    r"occupation|profession|beruf|industry|branche|department|dept|abteilung|fachabteilung|station|"
    r"ward|room|zimmer|raum|store|shop|filiale|branch|machine|maschine|teacher|lehrer|operator|"
    r"supplier|lieferant|vendor|carrier|colou?r|farbe|category|kategorie|catégorie|categoría)"
    r"($|[\W_])",
    re.I,
)
"""What has names, which somebody numbered."""
_COUNTED = re.compile(
    r"(^|[\W_])(n|no|num|number|anzahl|count|total|mean|rate|index|size)($|[\W_])"
)
_FEWEST, _MOST = 3, 1000
_LEAST = 10.0
"""Codes of one digit may be grades."""


def is_called_code(name: str) -> bool:
    """Whether a column is named like codes, versions, or what has names.

    >>> is_called_code("NACE code"), is_called_code("Betrag")
    (True, False)
    """
    split = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return any(pattern.search(split) for pattern in (_CALLED, _VERSIONS, _KINDS))


def ask_about_codes(name: str, found: Recognised) -> Recognised:
    """Ask whether numbers are codes where their name says so.

    >>> codes = Recognised(Numbers(np.array([4711.0, 4719.0, 6201.0] * 9)), "numeric")
    >>> [len(ask_about_codes(n, codes).findings) for n in ("NACE code", "encoded", "Bundesland")]
    [1, 0, 1]
    >>> [len(ask_about_codes(n, codes).findings) for n in ("Bus-Nr.", "buses")]
    [1, 0]
    """
    column = found.column
    if found.type != "numeric" or not isinstance(column, Numbers):
        return found
    split = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    is_code = _CALLED.search(split) is not None
    is_version = _VERSIONS.search(split) is not None
    is_kind = _KINDS.search(split) is not None and not _COUNTED.search(split.lower())
    thing = numbered(name)
    if not (is_code or is_version or is_kind or thing):
        return found
    known = np.unique(column.values[~np.isnan(column.values)])
    n_rows = int((~np.isnan(column.values)).sum())
    few = _FEWEST <= len(known) <= min(_MOST, n_rows // 2)
    if not few or known[0] < 0 or ((is_code or thing) and known[-1] < _LEAST):
        return found
    if (is_kind or thing) and (known % 1).any():
        return found
    called = "codes" if is_code else "versions" if is_version else "something that has names"
    called = f"numbers of a {thing}" if thing else called
    finding = Finding(
        name,
        "codes",
        f"Column {name!r} holds {len(known):,} different numbers ({spell(known[0])} to "
        f"{spell(known[-1])}), which its name calls {called}; they are read as amounts.",
        "Treat them as categories if a larger one is not more of something.",
        "warning" if is_code or is_version or thing else "note",
        (Fix("Treat as categories", "type", "nominal"),),
    )
    return replace(found, findings=(*found.findings, finding))
