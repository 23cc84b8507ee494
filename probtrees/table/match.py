"""Match a table to score with the schema of a model: its columns, its values, its units.

Columns are found by name, whatever their case, blanks and accents; what is written otherwise than
in training is offered as a guess, never read as one. What a person says (renamed, not recorded,
steps such as recode and convert) is carried out on each chunk of rows alike.
"""

from __future__ import annotations

import difflib
import re
import shlex
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from probtrees.errors import DataError, OptionError, check_known, did_you_mean
from probtrees.table.dataset import UNSEEN, Column, Schema
from probtrees.table.encode import encode_named
from probtrees.table.findings import ROW_ROLES, Finding, Role, UnreadableTableError, listed
from probtrees.table.number_text import number_of, spell
from probtrees.table.raw_table import RawTable, Texts
from probtrees.table.read_options import ReadOptions
from probtrees.table.readings.dates import spell_dates
from probtrees.table.readings.find_reading import read_cells
from probtrees.table.readings.spellings import column_key
from probtrees.table.steps import STEPS, day_of, find_step, newest_day
from probtrees.words import first_few, rows_text

_FEW = 10
_ALIKE = 0.75
_MOST_VALUES = 24
"""More values than this nobody matches by hand."""
_LISTED = 4
_BRACKETS = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_WHEN_SCORING = ("recode", "convert", "missing", "age")


@dataclass(frozen=True)
class TableMatch:
    """How the rows of a table become rows of a schema.

    Attributes
    ----------
    schema : that of the model, with the days on which ages are counted
    called : by column of the table, what the schema calls it, where that differs
    roles : of weights, groups and times, by the names of the schema
    options : what a person said
    findings : what to know about it
    """

    schema: Schema
    called: Mapping[str, str]
    roles: Mapping[str, Role]
    options: ReadOptions
    findings: tuple[Finding, ...] = ()

    def bring(self, raw: RawTable) -> None:
        """Bring the columns of a table, or of a part of it, to those of the schema, in place."""
        columns = {self.called.get(name, name): column for name, column in raw.columns.items()}
        raw.columns.clear()
        raw.names = tuple(self.called.get(name, name) for name in raw.names)
        for name, column in columns.items():
            raw.columns[name] = column.without(self.options.missing_for(name))
        for said in self.options.steps:
            name, change = said["column"], STEPS[said["step"]].apply
            if name in raw.columns and change and said["step"] in ("recode", "convert"):
                of_model = next(c for c in self.schema.columns if c.source_name == name)
                raw.columns[name] = change(raw.columns[name], of_model, said, raw)
        raw.unused = self.options.unused


def match_table(
    schema: Schema, names: Sequence[str], options: ReadOptions, where: str
) -> TableMatch:
    """Find the columns of a schema among those of a table; refuse what it may not lack."""
    _check_said(schema, names, options, where)
    called = find_columns(schema, names, options)
    absent = _absent(schema, names, {called.get(name, name) for name in names}, options, where)
    said = {name: role for name, role in options.roles.items() if role in ROW_ROLES}
    roles = {called.get(name, name): role for name, role in said.items()}
    findings = []
    if called:
        pairs = listed([f"{there!r} as {name!r}" for there, name in list(called.items())[:_FEW]])
        sentence = f"Columns are read as said or spelled: {pairs}."
        findings.append(Finding(None, None, sentence, kind="names"))
    if asked := [name for name in absent if name not in options.unused]:
        lacks = first_few([*map(repr, asked)], _FEW)
        sentence = f"Not in the file, and taken as not recorded in every row: {lacks}."
        findings.append(Finding(None, None, sentence, kind="not recorded"))
    days = {step["column"]: day_of(step["on"]) for step in options.steps if step["step"] == "age"}
    columns = tuple(_on_day(c, days.get(c.source_name)) for c in schema.columns)
    return TableMatch(Schema(columns), called, roles, options, tuple(findings))


def _check_said(schema: Schema, names: Sequence[str], options: ReadOptions, where: str) -> None:
    """Refuse what is said of columns or values that a table or a model does not have."""
    columns = {column.source_name: column for column in schema.columns}
    needed = {column.source_name for column in schema.features}
    of_model = "a column of the model"
    for own, name in options.renamed.items():
        check_known("renamed: column", own, names, f"a column of {where}", DataError)
        check_known("renamed: column", name, columns, of_model, DataError)
    for name in options.not_recorded:
        check_known("not_recorded: column", name, needed, f"{of_model} to predict from", DataError)
    for said in options.steps:
        step = find_step(said)
        if step.name not in _WHEN_SCORING:
            rule = "must be said where a model is learnt, which keeps it. A table to score takes"
            raise OptionError(f"step={step.name!r} {rule} {listed([*map(repr, _WHEN_SCORING)])}.")
        check_known("steps: column", said["column"], columns, of_model, DataError)
        column = columns[said["column"]]
        for value in filter(None, said["values"].values() if step.name == "recode" else ()):
            fits = value in column.codes if column.is_nominal else number_of(value) is not None
            if not fits:
                rule = f"must be one that the model knows. {did_you_mean(value, column.codes)}"
                raise DataError(f"recode: value={value!r} of column {column.source_name!r} {rule}")


def find_columns(schema: Schema, names: Sequence[str], options: ReadOptions) -> dict[str, str]:
    """Find columns that a table calls otherwise: as said, or by case, blanks and accents only."""
    sources = schema.source_names
    called = {own: name for own, name in options.renamed.items() if own != name}
    wanted = [name for name in sources if name not in names and name not in called.values()]
    free = [name for name in names if name not in sources and name not in called]
    there, here = _by_key(free), _by_key(wanted)
    return called | {there[key]: here[key] for key in here if key in there}


def _by_key(names: Sequence[str]) -> dict[str, str]:
    """Return names by what is left of them without case, blanks and accents, where that differs."""
    n_of = Counter(map(column_key, names))
    return {column_key(name): name for name in names if n_of[column_key(name)] == 1}


class AbsentColumnsError(UnreadableTableError):
    """A table lacks columns that a model needs.

    Attributes
    ----------
    absent : these columns
    can_do_without : whether the table has another column of the model, so that these may be taken
        as not recorded
    likely : columns of the table that may be meant, and what the model calls them
    others : columns of the table that the model does not know
    """

    def __init__(
        self, problem: str, absent: list[str], likely: dict[str, str], others: list[str], some: bool
    ) -> None:
        ways, shown = [problem], list((likely or {"...": absent[0]}).items())[:_FEW]
        if others:
            said = " ".join(f"--rename {shlex.quote(f'{own}={name}')}" for own, name in shown)
            ways.append(f"If a column of the file is meant, say which is which: {said} (renamed).")
        if some:
            said = " ".join(f"--not-recorded {shlex.quote(name)}" for name in absent[:_FEW])
            ways.append(f"To do without, as if nobody had recorded it: {said} (not_recorded).")
        super().__init__(" ".join(ways))
        self.problem = problem
        self.absent, self.can_do_without = tuple(absent), some
        self.likely, self.others = likely, tuple(others)


def likely_names(absent: Sequence[str], names: Collection[str]) -> dict[str, str]:
    """Find columns that may be meant by absent ones: called nearly alike but for brackets.

    >>> likely_names(["Income (€)", "Geschlecht", "item 1"], ["income", "Geschl.", "item 2"])
    {'Income (€)': 'income', 'Geschlecht': 'Geschl.'}
    """
    free, found = {column_key(_BRACKETS.sub("", name)): name for name in names}, {}
    for name in absent:
        key = column_key(_BRACKETS.sub("", name))
        least = 1.0 if any(map(str.isdigit, key)) else _ALIKE
        for best in difflib.get_close_matches(key, free, 1, least):
            found[name] = free.pop(best)
    return found


def _absent(
    schema: Schema, names: Sequence[str], present: Collection[str], options: ReadOptions, where: str
) -> list[str]:
    """List the columns of a model that a table lacks; refuse those that it may not lack."""
    needed = list(dict.fromkeys(column.source_name for column in schema.features))
    absent = [name for name in needed if name not in present]
    refused = [n for n in absent if n not in (*options.not_recorded, *options.unused)]
    has_some = len(absent) < len(needed)
    if not refused and has_some:
        return absent
    others = [name for name in names if name not in (*needed, schema.target.source_name)]
    likely = {there: name for name, there in likely_names(refused, others).items()}
    absent = refused or absent
    lacks, has = (first_few([*map(repr, each)], _FEW) for each in (absent, names))
    advice = "Check that it is the right file and sheet, and that its first line names the columns."
    problem = f"columns {lacks} must be in {where}: the model needs them. It has {has}. {advice}"
    raise AbsentColumnsError(problem, absent, likely, others, has_some)


def _on_day(column: Column, day: float | None) -> Column:
    """Count the years of a column up to a day, if one is said, where no date of the row says it."""
    if day is None or (age := column.step("age")) is None or "day" not in age.settings:
        return column
    counted = replace(age, settings={**age.settings, "day": day})
    return replace(column, steps=tuple(counted if s is age else s for s in column.steps))


def with_newest_days(
    schema: Schema, raw: RawTable, options: ReadOptions
) -> tuple[Schema, tuple[Finding, ...]]:
    """Count ages up to the newest date of a table, if that is later than the day of training.

    In a table of the next year everybody is a year older. Days that somebody said stay.
    """
    said = {step["column"] for step in options.steps if step["step"] == "age"}
    there = [column for column in schema.columns if column.source_name in raw.columns]
    cells = ((raw.columns[c.source_name], c.reading) for c in there if c.date_part is not None)
    days = (read_cells(*each, is_date=True, decimal=raw.decimal)[0] for each in cells)
    newest, counted, findings = max(map(newest_day, days), default=-np.inf), {}, []
    for column in there:
        name, age = column.source_name, column.step("age")
        settings = age.settings if age else {}
        if "day" in settings and settings.get("on", "") not in raw.columns:
            day = settings["day"] if name in said else max(settings["day"], newest)
            counted[column.name] = _on_day(column, day)
            shown = spell_dates(np.array([day]))[0]
            sentence = f"Column {name!r} is read as the years up to {shown}."
            findings.append(Finding(name, None, sentence, kind="age"))
    return Schema(tuple(counted.get(c.name, c) for c in schema.columns)), tuple(findings)


@dataclass(frozen=True)
class UnmatchedColumn:
    """A column with values that were not in training.

    Attributes
    ----------
    name : of the column in the user's table
    rows : how many rows each of these values has, the most frequent first
    known : the values of training; of numbers only where these were two
    is_all : whether no row has a value that was in training
    is_number : whether training had numbers
    """

    name: str
    rows: Mapping[str, int]
    known: tuple[str, ...]
    is_all: bool
    is_number: bool

    @property
    def sentence(self) -> str:
        """Say what differs."""
        had = first_few([*map(repr, self.known)], _LISTED) or "numbers"
        has = "no value that was" if self.is_all else "values that were never"
        told = [f"{text!r} in {rows_text(n)}" for text, n in self.rows.items()]
        words = f"Column {self.name!r} has {has} seen in training, where it had {had}: "
        return f"{words}{first_few(told, _LISTED)}."

    @property
    def remedy(self) -> str:
        """Say which options match them."""
        said = (shlex.quote(f"{self.name}={text}=VALUE") for text in list(self.rows)[:_FEW])
        return f"Say which is which: {' '.join(f'--recode {each}' for each in said)}."


class UnmatchedValuesError(DataError):
    """Columns of numbers hold nothing but words, or a target no class that a model knows."""

    def __init__(self, columns: Sequence[UnmatchedColumn]) -> None:
        super().__init__(" ".join(f"{column.sentence} {column.remedy}" for column in columns))
        self.columns = tuple(columns)


def unmatched_columns(raw: RawTable, columns: Sequence[Column]) -> tuple[UnmatchedColumn, ...]:
    """List the columns that have a few unknown values, or words where training had numbers."""
    found = []
    for column in columns:
        written = raw.columns.get(column.source_name)
        is_made = column.date_part is not None or column.step("split") is not None
        if is_made or not isinstance(written, Texts):
            continue
        written = written.without(column.reading.missing)
        if column.is_nominal:
            is_unknown = encode_named(raw, column) == UNSEEN
        else:
            _, is_unknown = read_cells(written, column.reading, decimal=raw.decimal)
        counts = Counter(map(written.texts.__getitem__, written.codes[is_unknown].tolist()))
        is_all = len(counts) == (written.rows_of > 0).sum()
        if 0 < len(counts) <= _MOST_VALUES and (is_all or column.is_nominal):
            known = column.categories or tuple(map(spell, column.two_values))
            name, rows, is_number = column.source_name, counts.most_common(), not column.is_nominal
            found.append(UnmatchedColumn(name, dict(rows), known, is_all, is_number))
    return tuple(found)
