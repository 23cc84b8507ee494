"""Postcodes are names of places, though they are written as numbers."""

from __future__ import annotations

import re

import numpy as np

from probtrees.table.cells.raw_table import RawColumn
from probtrees.table.table_report import Finding, Fix

_CALLED = re.compile(
    r"(^|[\W_])(plz|postleitzahl|zip( ?code)?|post ?codes?|postal ?code|code ?postal|postnummer|"
    r"postnr|c[oó]digo postal|kod pocztowy|psč|irányítószám|индекс|郵便番号|邮编|"
    r"우편번호|pin ?code)($|[\W_])",
    re.I,
)
_MAY_BE_CALLED = {
    "cp": 5,
    "cap": 5,
    "postal": 5,
    "pin": 6,
    "cep": 8,
}
"""Short names that mean something else above other numbers, and how many digits postcodes have
there: chest pain, capital, a pin."""
_LEAST, _MOST = 1000.0, 9_999_999.0


def are_postcodes(name: str, column: RawColumn) -> bool:
    """Whether a column is called postcode and holds whole numbers that may be some.

    >>> from probtrees.table.cells.raw_table import Numbers
    >>> cells = Numbers(np.array([80331.0, 84034.0, 10115.0]))
    >>> are_postcodes("PLZ", cells), are_postcodes("price", cells), are_postcodes("C.P.", cells)
    (True, False, True)
    """
    n_digits = _MAY_BE_CALLED.get(name.lower().replace(".", "").strip(), 0)
    if not n_digits and not _CALLED.search(name):
        return False
    values = column.as_numbers().values
    known = values[~np.isnan(values)]
    whole = len(known) > 0 and bool((known % 1 == 0).all())
    least, most = _LEAST, _MOST
    if n_digits:  # the lowest may have lost the 0 they begin with
        least, most = 10.0 ** (n_digits - 2), 10.0**n_digits - 1
        whole = whole and bool(np.median(known) >= 10 * least)
    return whole and bool(known.min() >= least and known.max() <= most)


def postcode_finding(name: str) -> Finding:
    """Say that postcodes are no amounts."""
    return Finding(
        name,
        "postcodes",
        f"Column {name!r} holds postcodes, kept as texts: names of places, not amounts.",
        "Set its type to 'numeric' to read them as numbers.",
        "note",
        (Fix("Read as numbers", "type", "numeric"),),
    )
