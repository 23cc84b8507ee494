"""All that a face needs to show a table before it is used, and to ask about it.

Faces import this module, ``read_table``, ``read_options`` and ``dataset``; how a table is looked at
is their business no more than how it is read.
"""

from __future__ import annotations

from probtrees.table.findings import (
    QUESTIONS,
    ROLES,
    AbsentColumnsError,
    ColumnType,
    Finding,
    Fix,
    Question,
    Role,
    UnreadableTableError,
    listed,
)
from probtrees.table.formats.open_table import ALL_SUFFIXES, FORMAT_NAMES, TABLE_SUFFIXES, sheets_of
from probtrees.table.formats.source import Sheets
from probtrees.table.infer.guess import Guess, GuessedOutcome, Look, guess_outcome, guess_reading
from probtrees.table.infer.identify import is_called_identifier
from probtrees.table.infer.inspect import ColumnReport, TableReport, inspect_table
from probtrees.table.infer.leaks import (
    Carrier,
    carrying_features,
    leaking_features,
    shares_avoided,
    strong_feature,
)
from probtrees.table.read_options import TYPES
from probtrees.table.steps import STEPS, Step

__all__ = [
    "ALL_SUFFIXES",
    "FORMAT_NAMES",
    "QUESTIONS",
    "ROLES",
    "STEPS",
    "TABLE_SUFFIXES",
    "TYPES",
    "AbsentColumnsError",
    "Carrier",
    "ColumnReport",
    "ColumnType",
    "Finding",
    "Fix",
    "Guess",
    "GuessedOutcome",
    "Look",
    "Question",
    "Role",
    "Sheets",
    "Step",
    "TableReport",
    "UnreadableTableError",
    "carrying_features",
    "guess_outcome",
    "guess_reading",
    "inspect_table",
    "is_called_identifier",
    "leaking_features",
    "listed",
    "shares_avoided",
    "sheets_of",
    "strong_feature",
]
