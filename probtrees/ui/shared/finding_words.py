"""How the app says what was found in a table: by its buttons, where the command line has options.

The sentences are those of the findings. A remedy is left to the buttons that do it, and what the
command line calls it is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from probtrees.table.cells.spelled_numbers import all_are_numbers
from probtrees.table.formats.same_columns import SHEETS_LEFT
from probtrees.table.formats.text.grouped_points import POINTS
from probtrees.table.infer.almost_numbers import MIXED
from probtrees.table.infer.columns_together.filled_elsewhere import EMPTY_WHERE_USED
from probtrees.table.infer.dates.date_spans import SPAN, USED_SPAN
from probtrees.table.infer.dates.start_dates import START
from probtrees.table.infer.marked_cells import MARKED, MISSING_CLASS
from probtrees.table.infer.numbers_in_texts import IN_TEXTS
from probtrees.table.infer.outcomes.worked_out import WORKED_OUT
from probtrees.table.infer.recognise_numbers import UNITS_CONVERTED
from probtrees.table.infer.repeated_identifiers import REPEATED
from probtrees.table.infer.row_weights import MAYBE_COUNTS, ROW_COUNTS, ROW_WEIGHTS
from probtrees.table.infer.text_habits import LIMITS, OF_TYPE, VARIANTS, listed
from probtrees.table.infer.words_among_numbers import FEW_WORDS
from probtrees.table.read_options import SEVERAL
from probtrees.table.table_report import (
    OFFERED,
    PERSONS,
    REMARKS,
    SET_ASIDE,
    ColumnReport,
    Finding,
    TableReport,
)
from probtrees.words import as_people_read, plural, quoted, rows_text

_OPTION = re.compile(r" \(--[a-z-]+( .*?)?\)(?=\.|$)")
_NAMED, _LONGEST = 3, 28
_SHEETS = "sheet"
"""The option that reads several sheets; a button beside what it did takes it back."""
_SAID = {
    "join_values": "values of {} joined over spelling",
    "empty_no": "empty cells of {} read as no",
    OF_TYPE: "{} read without units",
    "group_values": "rare values of {} read as one",
    "split_numbers": "two columns made of {}",
    "split_choices": "a column made of each answer of {}",
    "numbers_in": "numbers taken from the texts of {}",
    "one_scale": "{} brought to one scale",
    "ages": "{} used as years since then",
    "fill_down": "{} filled down",
    "keep_words": "dashes and words of {} kept",
    "none_is_zero": "codes for none of {} read as 0",
    "turn_marks": "marks of {} read the other way",
}
"""What was said about columns, or guessed, by the option that a button beside it takes back."""
_SAID_OF_TABLE = ("header_lines", "table", "date_order", "odd_lines", "fill_from_same")
"""Options about the table as a whole that are repeated as they are on the Data page."""
_OF_AMOUNTS = (LIMITS, MIXED, "two scales", "two units", "number spelling", "decimal comma", POINTS)
"""Kinds of questions about what the numbers of a column mean."""
_UNUSED_TILL_SAID = (MARKED, *(kind for kind in SET_ASIDE if kind not in (REMARKS, PERSONS)))
"""Kinds of questions about columns that tell nothing as they stand: 120/80, 'x' or empty."""
OF_CASES = (ROW_COUNTS, MAYBE_COUNTS, ROW_WEIGHTS)
"""Kinds of questions whether a row stands for several cases, or for more than another."""
IN_SIGHT = (*OF_CASES, EMPTY_WHERE_USED)
"""Kinds of questions that are asked above the tree, besides those about the target."""
_OF_COLUMNS = {
    "read as numbers": ("number spelling", LIMITS),
    "read as dates": ("date spelling",),
    "used as birth dates": ("birth",),
    "used as days to another date": (USED_SPAN,),
}
"""Kinds of notes that say how columns are read."""
_OF_TABLE = {
    "totals": "totals are left out",
    "title": "lines above the names are left out",
    "stacked": "tables are joined",
    "merged": "merged cells are filled down",
    "printed": "a printed table is taken apart",
    "decimal comma": "commas are read as decimal marks",
    POINTS: "points before three digits group thousands",
}
"""Kinds of notes about the table as a whole."""


def without_options(text: str) -> str:
    """Leave out what the command line calls a remedy that has a button here.

    >>> without_options("Make one column of each answer (--split-choices).")
    'Make one column of each answer.'
    """
    return _OPTION.sub("", text)


def beside_buttons(found: Finding) -> str:
    """Say what was found; what to do about it stands on the buttons.

    >>> beside_buttons(Finding(None, "kind", "Two orders.", "Say which (--date-order)."))
    'Two orders. Say which.'
    """
    return as_people_read(without_options(found.sentence if found.fixes else str(found)))


def above_tree(found: Finding, target: str | None) -> str:
    """Say in short what is asked about the target, or about cases that were not counted.

    >>> alike = Finding("ill", "variants", "Column 'ill' has values that differ: 'y' and 'Y'.")
    >>> above_tree(alike, "ill")
    "Target 'ill' has values that differ: 'y' and 'Y'. They are counted as different outcomes."
    >>> above_tree(Finding("cases", "row counts", "Each row seems to stand for many."), "ill")
    "'cases' looks like numbers of cases; here each row counts once."
    """
    if found.kind == EMPTY_WHERE_USED:
        return beside_buttons(found)
    if found.column != target:
        what = "weights of a survey" if found.kind == ROW_WEIGHTS else "numbers of cases"
        return f"{quoted(str(found.column))} looks like {what}; here each row counts once."
    said = beside_buttons(found)
    if said.startswith("Column "):
        said = f"Target {said.removeprefix('Column ')}"
    return said + " They are counted as different outcomes." * (found.kind == VARIANTS)


def is_question(found: Finding, report: TableReport) -> bool:
    """Whether a finding needs an answer; what is left out is said with the third question.

    Remarks are so, and nobody needs to be asked a second time.
    """
    if found.done:
        return False
    if found.severity == "note" or found.column is None:
        return found.severity != "note"
    is_set_aside = found.kind in SET_ASIDE and found.kind != REMARKS
    needs_one = found.severity == "error" or is_set_aside or found.kind in (REPEATED, START, SPAN)
    return needs_one or report.column(found.column).role != "ignore"


def is_told(found: Finding, report: TableReport) -> bool:
    """Whether a finding tells, in sight, of what was carried out and changes a column in use."""
    if not found.done or found.severity == "note":
        return False
    return found.column is None or report.column(found.column).role != "ignore"


def open_questions(
    findings: Iterable[Finding], report: TableReport, is_left: Callable[[Finding], bool]
) -> list[Finding]:
    """List what needs an answer and was not left as it is."""
    return [found for found in findings if is_question(found, report) and not is_left(found)]


def urgency(found: Finding, target: str | None) -> tuple[bool, ...]:
    """Return what questions are put in order by.

    Once it is settled how the file is read, much of the rest may settle itself. What concerns the
    answer itself, or how good it seems, comes before what concerns one column: whose rows they
    are, how much each counts, and what was not known beforehand. Then comes whether numbers are
    understood at all, and which of them mean missing: a 999 moves a split. Columns that tell
    nothing until somebody says how they are read, other values that mean missing, and spellings
    come before what a column is used for.

    >>> rare = Finding("zip", "many values", "Many."), Finding("fee", "strong", "Known before?")
    >>> [found.kind for found in sorted(rare, key=lambda found: urgency(found, "paid"))]
    ['strong', 'many values']
    """
    return (
        found.kind not in OFFERED,
        found.severity != "error",
        found.column != target,
        found.kind not in (REPEATED, *IN_SIGHT),
        found.kind not in ("leak", WORKED_OUT, "strong"),
        found.kind not in _OF_AMOUNTS,
        not _is_about_codes(found),
        found.kind not in _UNUSED_TILL_SAID,
        found.kind not in ("maybe missing", VARIANTS),
    )


def _is_about_codes(found: Finding) -> bool:
    """Whether a finding asks if numbers, such as 999, mean missing."""
    texts = str(found.fixes[0].value).split(SEVERAL) if found.fixes else []
    return found.kind == "maybe missing" and bool(texts) and all_are_numbers(texts)


def decided(report: TableReport) -> list[str]:
    """List in a few words each what was decided when the table was read and changes the numbers."""
    left_out = [c.name for c in report.columns if c.role == "ignore" and not _says_origin(c)]
    said = [f"{_names(left_out)} left out"] if left_out else []
    sheets = [found for found in report.findings if found.kind == SHEETS_LEFT]
    as_one = [_as_one_table(f.sentence) for f in report.findings if _is_said_of(f, _SHEETS)]
    said = as_one + [_as_part(found.sentence) for found in sheets] + _dropped(report) + said
    weights = [column.name for column in report.columns if column.role == "weight"]
    numbers = "numbers of rows are sums of weights"
    said += [f"rows weighted by {_names(weights)} ({numbers})"] if weights else []
    notes = [found for found in report.findings if found.severity == "note" or found.done]
    used = {column.name for column in report.columns if column.role != "ignore"}
    for words, kinds in _OF_COLUMNS.items():
        columns = [str(n.column) for n in notes if n.kind in kinds and n.column in used]
        said += [f"{_names(dict.fromkeys(columns))} {words}"] if columns else []
    in_one = [str(f.column) for f in report.findings if f.kind == UNITS_CONVERTED]
    said += [f"{_names(in_one)} converted to one unit"] if in_one else []
    for option, words in _SAID.items():
        columns = [str(n.column) for n in notes if n.column in used and _is_said_of(n, option)]
        if option == OF_TYPE:  # others are kept as categories, units and all
            columns = [name for name in columns if report.column(name).type == "numeric"]
        said += [words.format(_names(dict.fromkeys(columns)))] if columns else []
    said_of_cells = (FEW_WORDS, IN_TEXTS)
    blanked = [f for f in report.findings if f in notes or f.kind in said_of_cells]
    own = [text for found in notes if found.column in used for text in _called_missing(found)]
    texts = dict.fromkeys(own + [text for found in blanked for text in found.texts])
    words_found = {note.kind for note in notes}
    said += [f"{_quoted(texts)} read as missing"] if texts else []
    said += [words for kind, words in _OF_TABLE.items() if kind in words_found]
    said += [_as_part(note.sentence) for note in notes if note.kind == EMPTY_WHERE_USED]
    of_table = [n for n in notes if n.kind == "said" and n.column is None]
    return said + [_as_part(n.sentence) for n in of_table if _is_said_of(n, *_SAID_OF_TABLE)]


def _dropped(report: TableReport) -> list[str]:
    """Say how many rows are not in the tree since nobody knows their outcome."""
    target = report.target
    if target is None or not any(found.kind == MISSING_CLASS for found in report.findings):
        return []
    return [f"{rows_text(report.column(target).n_missing)} without {target!r} dropped"]


def _says_origin(column: ColumnReport) -> bool:
    """Whether a column only says which sheet a row is from, so that nobody would miss it."""
    return any(found.kind == "origin" for found in column.findings)


def _as_part(sentence: str) -> str:
    """Put a sentence among the parts of another.

    >>> _as_part("Sheets left out: 'Key' (other columns).")
    "sheets left out: 'Key' (other columns)"
    """
    return f"{sentence[:1].lower()}{sentence[1:]}".rstrip(".")


def _as_one_table(sentence: str) -> str:
    """Say which sheets are one table; others and the column of their names are said elsewhere.

    >>> _as_one_table("The sheets 'DE', 'FR' are read as one table. Column 'sheet' says it.")
    "sheets 'DE', 'FR' read as one table"
    """
    return f"{sentence.partition(' are read')[0].removeprefix('The ')} read as one table"


def _is_said_of(found: Finding, *options: str) -> bool:
    """Whether somebody said it by one of these options, which can be taken back."""
    backs = [str(f.value).partition(" ")[0] for f in found.fixes if f.setting == "take back"]
    return any(option in backs for option in options)


def _called_missing(found: Finding) -> list[str]:
    """Return what somebody called missing, as a finding repeats it."""
    values = [str(f.value).partition(" ") for f in found.fixes if f.setting == "take back"]
    return [text for option, _, text in values if option == "missing_in"]


def _quoted(texts: Iterable[str]) -> str:
    """List what stands in cells; of many the first.

    >>> _quoted(["-", "n.c."])
    "'-' and 'n.c.'"
    """
    shown = [text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…" for text in texts]
    more = [plural(len(shown) - _NAMED, "others")] if len(shown) > _NAMED else []
    return listed([*map(quoted, shown[:_NAMED]), *more])


def _names(columns: Iterable[str]) -> str:
    """List columns; of many the first, and how many more.

    >>> _names(["id", "age", "sex", "day", "remark"])
    'id, age, sex and 2 more columns'
    """
    names = [n if len(n) <= _LONGEST else n[: _LONGEST - 1].rstrip() + "…" for n in columns]
    more = len(names) - _NAMED
    if more > 1:
        return f"{', '.join(names[:_NAMED])} and {more} more columns"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
