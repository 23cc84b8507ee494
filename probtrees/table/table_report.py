"""All that a face needs to show a table before it is used, and to ask about it.

Faces import this module, ``read_table``, ``read_options`` and ``dataset``; how a table is looked at
is their business no more than how it is read.
"""

from __future__ import annotations

from probtrees.table.findings import (
    ROLES,
    AbsentColumnsError,
    ColumnType,
    Finding,
    Fix,
    Role,
    UnreadableTableError,
)
from probtrees.table.formats.open_table import FORMAT_NAMES, TABLE_SUFFIXES, sheets_of
from probtrees.table.formats.source import Sheets
from probtrees.table.infer.guess import Guess, GuessedOutcome, guess_outcome, guess_reading
from probtrees.table.infer.inspect import ColumnReport, TableReport, inspect_table
from probtrees.table.infer.leaks import (
    carrying_features,
    leaking_features,
    shares_avoided,
    strong_feature,
)
from probtrees.table.read_options import TYPES

__all__ = [
    "FORMAT_NAMES",
    "ROLES",
    "TABLE_SUFFIXES",
    "TYPES",
    "AbsentColumnsError",
    "ColumnReport",
    "ColumnType",
    "Finding",
    "Fix",
    "Guess",
    "GuessedOutcome",
    "Role",
    "Sheets",
    "TableReport",
    "UnreadableTableError",
    "carrying_features",
    "guess_outcome",
    "guess_reading",
    "inspect_table",
    "leaking_features",
    "shares_avoided",
    "sheets_of",
    "strong_feature",
]
