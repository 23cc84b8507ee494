"""Guess what a table is about: which column one wants to know, and which may not be used for it.

The guesses are for people who look at them: each comes with its reason, and is one click away
from being changed. Whoever calls `read_table` gets the last column, as ever.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from probtrees.table.cells.same_words import join_keys, plainly_alike
from probtrees.table.infer.column_names.numbered_kinds import numbered_kind
from probtrees.table.infer.column_names.target_words import PERHAPS, SELDOM, TARGETS
from probtrees.table.infer.columns_together.redcap_export import (
    REDCAP_EVENT,
    REDCAP_FORM,
    is_added_by_redcap,
    is_from_redcap,
)
from probtrees.table.infer.identifying_numbers import labelled_identifier
from probtrees.table.infer.marked_cells import EMPTY_CLASS, MARKED, is_tick
from probtrees.table.infer.outcomes.intentions import says_intention
from probtrees.table.infer.outcomes.ordered_numbers import are_ordered_numbers
from probtrees.table.infer.outcomes.worked_out import WORKED_OUT, why_worked_out
from probtrees.table.infer.repeated_identifiers import REPEATED, why_shared
from probtrees.table.infer.row_weights import (
    AROUND_ONE,
    ROW_COUNTS,
    called_weight,
    labelled_weight,
    name_words,
)
from probtrees.table.infer.target_classes import MAX_NUMERIC_CLASSES, ways_to_cut
from probtrees.table.infer.text_habits import means_unknown
from probtrees.table.read_options import ReadOptions
from probtrees.table.table_report import PADDED, PERSONS, REMARKS, ColumnReport, Fix, TableReport

Look = Callable[[ReadOptions], TableReport]
"""Looks at the table as it would be read like this."""

_PERIOD = re.compile(
    r"(?:[A-Za-z]{1,3}[ -]?)?(?:19|20)\d\d(?:\s?[/–-]\s?(?:\d\d|\d{4}))?|"
    r"(?:(?:19|20)\d\d[ /-]?)?[QHSTqhst][ -]?[1-4](?:[ /-]?(?:19|20)?\d\d)?|\d\d/\d\d"
)
"""Years, school years and parts of a year: 2022/23, SY2023-2024, 2023 Q1. Nobody asks for these."""
_LEVEL = re.compile("grade|klasse|class")
_HIGHEST_MARK = 7
"""A grade with such numbers is rather the class that a pupil goes to than a mark."""
_MOST_CLASSES = 10
"""More categories than this are seldom what one wants to know."""

_MOST_MISSING = 0.5
"""A column that is empty in more rows than this is rather part of something else."""

REASONS = {
    "identifier": "it only names the row",
    REPEATED: "it names something that several rows share",
    "counter": "it counts the rows",
    "origin": "it says which sheet or file a row is from",
    REDCAP_EVENT: "it says when or on which form of REDCap a row was filled in",
    REDCAP_FORM: "it says whether a form of REDCap is complete",
    "text": "it is free text",
    REMARKS: "it holds remarks, which are often written down afterwards",
    PERSONS: "it seems to hold names, numbers or addresses of people",
    "constant": "it never changes",
    "leak": "it almost alone predicts the answer. Was this known at the time?",
    "many values": "it has too many different values, each in a few rows only",
    "date": "it is a date, which often says more about how the data were gathered",
    "several units": "its numbers are in several units",
    "two numbers": "each of its cells holds two numbers",
    "choices ignored": "its cells hold several answers each",
    "odd texts ignored": "there are texts among its numbers",
    PADDED: "its numbers are filled up with zeros, as codes are",
    "mixed ignored": "there are words among its numbers",
    "numbers in texts ignored": "its numbers are written as texts",
}
"""Why a column is not used, by the kind of what was found about it."""


_ITEM = re.compile(r"(.*\d[_. ]|.+[_. ])\d{1,2}")
_FEWEST_ITEMS = 3
_LAST_BUT_DATES = 1.5
"""For the last column but for dates, remarks and numbers of rows, which are no answers."""
_AMOUNT = re.compile(r"\d\D|\D\d|\d\d")
_BEGINS_AS_NUMBER = re.compile(r"\W*\d")
_SENTENCE = re.compile(r"\w+\W+\w+\W+\w+")


def why_not_used(column: ColumnReport) -> str:
    """Say in a few words why a column is not used; nothing where a person said so."""
    for found in column.findings:
        if found.kind == WORKED_OUT:
            return why_worked_out(found)
    kinds = [found.kind for found in column.findings] + [column.type]
    # The reason that matters most; whose rows they are predicts what is so for all of them.
    kinds.sort(key=lambda kind: (kind != REPEATED, kind != "leak"))
    kind = next((kind for kind in kinds if kind in REASONS), "")
    if kind == "identifier" and any(_SENTENCE.search(text) for text in column.examples):
        return "nearly every row has another text"
    if kind == "constant" and column.n_distinct > 1:
        return "it is empty in every row that is used"
    if kind == REPEATED:
        return why_shared(labelled_identifier(column.label) or column.name)
    return REASONS.get(kind, "")


@dataclass(frozen=True)
class Guess:
    """How a table is probably meant, and why its target is what one wants to know."""

    reading: ReadOptions
    reason: str


def guess_reading(look: Look, reading: ReadOptions) -> Guess:
    """Guess the target, and set aside what would spoil an answer about it."""
    report = look(reading)
    target, reason = guess_target(report)
    if target is None:
        return Guess(reading, reason)
    return guess_for(look, reading, target, reason)


def guess_for(look: Look, reading: ReadOptions, target: str, reason: str = "") -> Guess:
    """Guess the rest for a target: its classes, where a number is cut, and what may not be used."""
    reading = replace(reading.with_role(target, "target"), bin_target=None, cut_target=None)
    reading = _with_classes_joined(look, reading, target)
    reading = _with_ticks_alike(reading, look(reading))
    report = look(reading)
    errors = [found for found in report.column(target).findings if found.severity == "error"]
    fixes = [fix for found in errors for fix in found.fixes]
    if reading.types.get(target) not in ("nominal", "boolean"):
        fixes += _ways_to_cut_scale(report)
    middle = next((float(fix.value) for fix in fixes if fix.setting == "cut_target"), None)
    if middle is not None:
        reading = replace(reading, cut_target=middle)
        report = look(reading)
    for column in report.columns:
        if column.name == target or column.name in reading.roles:
            continue
        if _counts_cases(column):
            reading = reading.with_role(column.name, "weight")
        elif _spoils(column):
            reading = reading.with_role(column.name, "ignore")
    return Guess(_with_dates_settled(reading, report), reason)


def _ways_to_cut_scale(report: TableReport) -> tuple[Fix, ...]:
    """Offer to cut outcomes that are points of a long scale, which are classes as they stand."""
    names = [name for name, _ in report.class_counts]
    if report.target is None or not are_ordered_numbers(names, report.target):
        return ()
    rows_of = np.array([n for _, n in report.class_counts])
    return ways_to_cut(np.array(names, dtype=np.float64), rows_of)


def _with_classes_joined(look: Look, reading: ReadOptions, target: str) -> ReadOptions:
    """Let classes be one that differ in nothing but case, spaces, a final dot, or POS for positive.

    Where others would be joined with them, such as words that may be misspelt, somebody is asked.
    """
    report = look(reading)
    groups = plainly_alike((name for name, _ in report.class_counts), with_results=True)
    fixes = [fix for found in report.column(target).findings for fix in found.fixes]
    if not groups or all(fix.setting != "join" for fix in fixes):
        return reading
    joined = reading.with_fix(target, "join", target)
    n_fewer = sum(len(group) - 1 for group in groups)
    is_plain = len(look(joined).class_counts) == len(report.class_counts) - n_fewer
    return joined if is_plain else reading


def _with_ticks_alike(reading: ReadOptions, report: TableReport) -> ReadOptions:
    """Let empty cells of ticked columns mean no where they do so in another one of the table."""
    kinds = {found.kind for c in report.columns if c.role == "target" for found in c.findings}
    if EMPTY_CLASS not in kinds and not reading.empty_no:
        return reading
    for column in report.columns:
        is_marked = column.role == "feature" and any(f.kind == MARKED for f in column.findings)
        if is_marked and any(map(is_tick, column.examples)):
            reading = reading.with_fix(column.name, "empty_no", column.name)
    return reading


def _with_dates_settled(reading: ReadOptions, report: TableReport) -> ReadOptions:
    """Say of dates what they are for: whoever sets aside another column must not bring them in."""
    for column in report.columns:
        if column.type == "date" and column.name not in reading.roles:
            reading = reading.with_role(column.name, column.role)
    return reading


def _spoils(column: ColumnReport) -> bool:
    """Whether a column tells the answer, or whose row it is, or is free text."""
    return (
        column.role == "feature"
        and any(found.kind in ("leak", WORKED_OUT, "counter") for found in column.findings)
    ) or (column.role == "ignore" and column.type == "text")


def guess_target(report: TableReport) -> tuple[str | None, str]:
    """Name the column that one probably wants to know, and why."""
    forms = _forms(report)
    stated = _stated_once_a_record(report)
    columns = {n: column for n, column in enumerate(stated) if n not in forms}
    # Surveys have the weights of their rows behind.
    last = max((n for n, column in columns.items() if not _is_weight_of_rows(column)), default=-1)
    possible = {
        number: column
        for number, column in columns.items()
        if _can_be_target(column, report.n_rows)
    }
    if not possible:
        return None, "No column can be predicted as it stands."
    last_answer = _last_answer(possible)
    items = _items_of_batteries(column.name for column in report.columns)
    scored = [
        (
            _score(column, number, last)
            + _LAST_BUT_DATES * (number == last_answer < last)
            - 2.0 * (column.name in items),
            number,
            column,
        )
        for number, column in possible.items()
    ]
    _, number, column = max(scored, key=lambda entry: entry[:2])
    behind = " but for the weights" if last < max(columns) else ""
    place = f"the last column{behind}" if number == last else ""
    if number == last_answer < last:
        place = "the last column that can be an answer"
    return column.name, _reason(column, place)


def _forms(report: TableReport) -> set[int]:
    """Return the places of columns that only say when or how forms of REDCap were filled in."""
    names = [column.name for column in report.columns]
    if not is_from_redcap(names):
        return set()
    return {number for number, name in enumerate(names) if is_added_by_redcap(name)}


def _stated_once_a_record(report: TableReport) -> list[ColumnReport]:
    """Let a column lack nothing that is filled in at one event of every record of REDCap."""
    columns = list(report.columns)
    if not any(c.name == "redcap_event_name" for c in columns) or not columns[0].n_distinct:
        return columns
    per_record = report.n_rows / columns[0].n_distinct
    stated = [min(1.0, (1.0 - c.missing_share) * per_record) for c in columns]
    return [replace(c, missing_share=1 - s) for c, s in zip(columns, stated, strict=True)]


def _last_answer(possible: Mapping[int, ColumnReport]) -> int:
    """Return the place of the last column that can be an answer; -1 where none tells.

    One that hardly anybody filled in is passed over, but then a number before it may be anything.
    """
    filled = [number for number, column in possible.items() if not _is_hardly_filled(column)]
    last = max(filled, default=-1)
    is_passed_over = max(possible) > last
    return -1 if last >= 0 and is_passed_over and _is_numeric(possible[last]) else last


def _items_of_batteries(names: Iterable[str]) -> set[str]:
    """Return names that are numbered parts of one question: Q3_1, Q3_2, Q3_3.

    >>> sorted(_items_of_batteries(["Q1", "Q2", "Q3_1", "Q3_2", "Q3_3", "end"]))
    ['Q3_1', 'Q3_2', 'Q3_3']
    """
    stems: dict[str, list[str]] = {}
    for name in names:
        if match := _ITEM.fullmatch(name):
            stems.setdefault(match.group(1), []).append(name)
    return {name for alike in stems.values() if len(alike) >= _FEWEST_ITEMS for name in alike}


def _can_be_target(column: ColumnReport, n_rows: int) -> bool:
    if column.type in ("identifier", "text", "constant", "date"):
        return False
    if _is_weight_of_rows(column):
        return False
    if column.n_distinct < 2:
        return _is_marked(column)
    few = column.n_distinct <= MAX_NUMERIC_CLASSES or column.n_distinct <= n_rows / 20
    return few or _is_numeric(column)


def _is_marked(column: ColumnReport) -> bool:
    """Whether a column holds one mark where something is so, and nothing elsewhere.

    An amount, such as a fee that is the same for all, is no mark.
    """
    return _has_one_value(column) and not _holds_amount(column)


def _has_one_value(column: ColumnReport) -> bool:
    return any(found.kind in (MARKED, EMPTY_CLASS) for found in column.findings)


def _holds_amount(column: ColumnReport) -> bool:
    return any(_AMOUNT.search(text) for text in column.examples)


def _is_weight_of_rows(column: ColumnReport) -> bool:
    """Whether a column says how much each row counts, as in surveys; nobody asks to know that."""
    if _counts_cases(column):
        return True
    called = called_weight(column.name) or labelled_weight(column.label)
    is_few = column.n_distinct <= MAX_NUMERIC_CLASSES
    if not called or not (is_few or _is_numeric(column)):
        return False
    if called == "surely" and not is_few:
        return True
    try:
        numbers = sorted(map(float, column.examples))
    except ValueError:  # amounts in a unit are no weights of rows
        return False
    if is_few and (not numbers or numbers[0] <= 0 or all(map(float.is_integer, numbers))):
        return False  # classes, such as light and heavy in codes
    least, most = AROUND_ONE
    return called == "surely" or least <= numbers[len(numbers) // 2] <= most


def _counts_cases(column: ColumnReport) -> bool:
    """Whether a column says for how many cases each row stands, in a table of counts."""
    return any(found.kind == ROW_COUNTS for found in column.findings)


def _is_numeric(column: ColumnReport) -> bool:
    return column.type == "numeric"


def _score(column: ColumnReport, number: int, last: int) -> float:
    """Weigh name, kind and place: a name says most, then two values, then the last place."""
    is_level = number != last and _is_level(column)
    score = 0.0 if is_level else 4.0 * _says(column, TARGETS) + 2.0 * _says(column, PERHAPS)
    score += 4.0 * (says_intention(column.label) and not is_level)
    is_seldom = _says(column, SELDOM) or SELDOM.fullmatch(column.label.strip().lower())
    score -= 3.0 * (bool(is_seldom) or _holds_periods(column))
    n_classes = _n_classes(column)
    few = n_classes <= _MOST_CLASSES
    score += 2.0 if n_classes == 2 else 1.0 if few else 0.0
    score += 0.5 * _says_yes_or_no(column)
    are_many = _is_numeric(column) and column.n_distinct > MAX_NUMERIC_CLASSES
    score -= 1.0 * (are_many and not _says(column, TARGETS))
    if n_classes > 2 and all(text.isdecimal() for text in column.examples):
        kind = numbered_kind(column.name)
        is_thing = kind is not None and kind.has_rows  # the line of a bus, a sector
        score -= 3.0 if is_thing else 0.5 if few else 0.0  # or a count, say, of wagons
    score -= 2.0 * (not _is_numeric(column) and column.n_distinct > _MOST_CLASSES)
    if _has_one_value(column) and _holds_amount(column):
        score -= 6.0  # a fee, say, which follows from what one wants to know
    elif not _is_marked(column):
        score -= 2.0 * column.missing_share  # rows without a class are dropped
        score -= 6.0 * _is_hardly_filled(column)
    return score + (3.0 if number == last else 0.5 if number == 0 else 0.0)


def _is_hardly_filled(column: ColumnReport) -> bool:
    """Whether most rows say nothing, and nothing tells that blanks are an answer too.

    Few words in a column that is called as what people ask for do: the reason of an exit.
    """
    if column.missing_share <= _MOST_MISSING or _is_marked(column):
        return False
    is_amount = any(_BEGINS_AS_NUMBER.match(text) for text in column.examples)
    return is_amount or column.n_distinct > _MOST_CLASSES or not _says(column, TARGETS)


def _holds_periods(column: ColumnReport) -> bool:
    """Whether all values are years, school years or parts of a year."""
    labels = [label for label, _ in column.bars] if not _is_numeric(column) else []
    return bool(labels) and all(_PERIOD.fullmatch(label.strip()) for label in labels)


def _is_level(column: ColumnReport) -> bool:
    """Whether a grade or class is that which a pupil goes to, 7 to 12, rather than a mark."""
    if not _says(column, _LEVEL) or column.n_distinct > MAX_NUMERIC_CLASSES:
        return False
    try:
        numbers = [float(text) for text in column.examples]
    except ValueError:
        return False
    return min(numbers, default=0.0) >= 1 and max(numbers, default=0.0) >= _HIGHEST_MARK


def _n_classes(column: ColumnReport) -> int:
    """Count the values; those that differ in case and spaces only, or all say yes or no, once."""
    if _is_marked(column):
        return 2
    if _is_numeric(column) or len(column.bars) != column.n_distinct:
        return column.n_distinct
    return len(set(join_keys(_stated(column))))


def _stated(column: ColumnReport) -> list[str]:
    """List the values; beside yes and no not those that say neither, as "don't know" does."""
    labels = [label for label, _ in column.bars]
    said = [label for label in labels if not means_unknown(label)]
    return said if {"yes", "no"} == set(join_keys(said)) else labels


def _says_yes_or_no(column: ColumnReport) -> bool:
    """Whether all values are words for yes and no, however they are written."""
    return not _is_numeric(column) and {"yes", "no"} == set(join_keys(_stated(column)))


def _says(column: ColumnReport, words: re.Pattern[str]) -> bool:
    """Whether one of the words is a word of the column's name; y is a target's if it is all."""
    if words is TARGETS and column.name.strip().lower() == "y":
        return True
    return any(words.fullmatch(word) for word in name_words(column.name))


def _reason(column: ColumnReport, place: str) -> str:
    n_classes = _n_classes(column)
    kind = "two different values" if n_classes == 2 else f"{n_classes:,} values"
    if n_classes < column.n_distinct:
        kind += ", written in several ways" if n_classes < len(_stated(column)) else " and others"
    kind = "a mark or nothing in each row" if _is_marked(column) else kind
    if says_intention(column.label):
        return f"Guessed by its label; it has {kind}."
    if _says(column, TARGETS) or _says(column, PERHAPS):
        return f"Guessed by its name; it has {kind}."
    if place:
        return f"Guessed because it is {place}; it has {kind}."
    return f"Guessed because it has {kind}."
