"""What a look at a table found: its columns, and what people should know about them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from probtrees.errors import DataError, as_sentence
from probtrees.words import as_people_read

Role = Literal["feature", "target", "ignore", "weight", "group", "time"]
"""What a column is for.

feature: predicted from; target: predicted; ignore: left out; weight: how often the row counts;
group: rows of one group (a patient, a policy) stay in one fold; time: lets folds train on the
past only.
"""

ColumnType = Literal["numeric", "nominal", "boolean", "date", "text", "identifier", "constant"]
"""What a column holds. "text" is free text; "constant" never changes or is always missing."""

Severity = Literal["note", "warning", "error"]
"""note: good to know; warning: worth a decision; error: the table cannot be used like this."""

_FEW = 10


@dataclass(frozen=True)
class Fix:
    """One setting that answers a finding, for a button: ``setting`` of a column = ``value``.

    "separate_rows" is an option of growing, the others say how the table is read. "take back"
    takes back what was said: ``value`` is the option, and what of it.
    """

    label: str
    setting: Literal[
        "role",
        "type",
        "bin_target",
        "cut_target",
        "repeats",
        "separate_rows",
        "missing",
        "join",
        "group",
        "empty_no",
        "split_choices",
        "one_scale",
        "numbers_in",
        "split_numbers",
        "ages",
        "fill_down",
        "fill_from_same",
        "keep_words",
        "none_is_zero",
        "days_to",
        "turn_marks",
        "as_written",
        "header_lines",
        "table",
        "date_parts",
        "date_order",
        "encoding",
        "odd_lines",
        "sheet",
        "not_recorded",
        "take back",
    ]
    value: str | float


@dataclass(frozen=True)
class FoundCell:
    """The cell that a finding is about.

    Attributes
    ----------
    text : what stands in it
    row : its row, counted from 1
    rule : what it must be, and why
    file : the file that the row is counted in, where the table has several
    line : the line of the sheet that holds the row, where that is known
    """

    text: str
    row: int
    rule: str
    file: str | None = None
    line: int | None = None

    def sentence(self, column: str) -> str:
        """Say which cell of a column breaks the rule."""
        place = f"row {self.row}" if self.file is None else f"row {self.row:,} of {self.file!r}"
        if self.line is not None and self.line != self.row:
            place += f" (line {self.line} of the sheet)"
        return f"{column!r}={self.text!r} in {place} {self.rule}"


@dataclass(frozen=True)
class Finding:
    """Something a person should know about a table.

    Attributes
    ----------
    column : the column it concerns; None for the table as a whole
    kind : a short key: "identifier", "constant", "many values", "missing class", "leak",
        "repeats", ...
    sentence : what was found, and where
    remedy : what to do about it
    severity : how much it matters
    fixes : settings that answer it
    cell : the cell it is about, if it is about a single one; the sentence names it
    texts : what stands in cells that are read as missing, if it is about these
    done : whether it tells of what was carried out, which its fixes take back: nothing is asked
    """

    column: str | None
    kind: str
    sentence: str
    remedy: str = ""
    severity: Severity = "note"
    fixes: tuple[Fix, ...] = ()
    cell: FoundCell | None = None
    texts: tuple[str, ...] = ()
    done: bool = False

    @classmethod
    def of_cell(
        cls, column: str, kind: str, cell: FoundCell, remedy: str, fixes: tuple[Fix, ...]
    ) -> Finding:
        """Report a cell that the table cannot be used with."""
        return cls(column, kind, cell.sentence(column), remedy, "error", fixes, cell)

    def in_file(self, file: str, row: int) -> Finding:
        """Return the same finding with its cell's place in a file."""
        assert self.cell is not None
        assert self.column is not None
        cell = replace(self.cell, row=row, file=file)
        return replace(self, sentence=cell.sentence(self.column), cell=cell)

    def in_line(self, line: int | None) -> Finding:
        """Return the same finding with the line of the sheet that its cell stands in."""
        if self.cell is None or self.column is None or line is None:
            return self
        cell = replace(self.cell, line=line)
        return replace(self, sentence=cell.sentence(self.column), cell=cell)

    def __str__(self) -> str:
        return as_people_read(as_sentence(f"{self.sentence} {self.remedy}".strip()))


OFFERED = ("tables", "sheets", "header lines", "no names")
"""Kinds of findings about how a file may be read otherwise."""


PADDED = "padded amounts"
"""The kind of the question whether numbers that begin with 0 are amounts."""

REMARKS = "remarks"
"""The kind of the question whether a column that is called so may be used."""

PERSONS = "names of people"
"""The kind of the question whether a column that seems to hold such may be used."""

SET_ASIDE = (
    PADDED,
    REMARKS,
    PERSONS,
    "several units",
    "two numbers",
    "odd texts ignored",
    "mixed ignored",
    "choices ignored",
    "numbers in texts ignored",
)
"""Kinds of findings because of which a column is ignored until somebody says how to read it."""


class UnreadableTableError(DataError):
    """A file cannot be read as one table; ``findings`` offer other ways to read it."""

    def __init__(self, problem: object, findings: tuple[Finding, ...] = ()) -> None:
        super().__init__(" ".join([str(problem), *map(_offer, findings)]))
        self.problem = str(problem)
        self.findings = findings


def _offer(found: Finding) -> str:
    """Say another way to read a file; to take a setting back, which is a click, is to leave it."""
    fix = found.fixes[0]
    if fix.setting == "take back":
        return found.sentence
    return f"{found.sentence.rstrip('.')}; try {fix.setting}={fix.value}."


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
        self,
        problem: str,
        absent: Sequence[str],
        findings: tuple[Finding, ...] = (),
        *,
        can_do_without: bool,
        likely: Mapping[str, str] | None = None,
        others: Sequence[str] = (),
    ) -> None:
        ways = [_way_to_rename(likely or {"...": absent[0]})] if likely or others else []
        ways += [_way_without(absent)] if can_do_without else []
        super().__init__(" ".join([problem, *ways]), findings)
        self.problem = problem
        self.in_terminal = (
            problem,
            *(_flags_to_rename(likely or {"...": absent[0]}) if likely or others else ()),
            *(_flags_without(absent) if can_do_without else ()),
            *map(_offer, findings),
        )
        self.absent = tuple(absent)
        self.can_do_without = can_do_without
        self.likely = dict(likely or {})
        self.others = tuple(others)


def _flags_to_rename(likely: Mapping[str, str]) -> list[str]:
    """Say in lines which options take columns for those that the model calls otherwise."""
    shown = list(likely.items())[:_FEW]
    flags = [f"    --rename {shlex.quote(f'{own}={name}')}" for own, name in shown]
    return ["If a column of the file is meant, say which is which:", *flags]


def _flags_without(absent: Sequence[str]) -> list[str]:
    """Say in lines which options take columns as not recorded."""
    flags = [f"    --not-recorded {shlex.quote(name)}" for name in absent[:_FEW]]
    more = [f"    and so on for {len(absent) - _FEW} more"] if len(absent) > _FEW else []
    them = "it" if len(absent) == 1 else "them"
    return [f"To do without, as if nobody had recorded {them}:", *flags, *more]


def _way_to_rename(likely: Mapping[str, str]) -> str:
    """Say how columns are taken for those that the model calls otherwise."""
    shown = dict(list(likely.items())[:_FEW])
    flags = " ".join(f"--rename {shlex.quote(f'{own}={name}')}" for own, name in shown.items())
    return f"Or say which columns they are: renamed={shown!r} or {flags}."


def _way_without(absent: Sequence[str]) -> str:
    """Say how absent columns are taken as not recorded, in Python and on the command line."""
    them, flags = "it", f"--not-recorded {shlex.quote(absent[0])}"
    if len(absent) > 1:
        them, flags = "them", f"{flags} ..."
    few = [*map(repr, absent[:_FEW]), *(["..."] if len(absent) > _FEW else [])]
    return f"Or take {them} as not recorded: not_recorded=[{', '.join(few)}] or {flags}."


@dataclass(frozen=True)
class ColumnReport:
    """One column of a table as it would be read.

    Attributes
    ----------
    name, type, role : its name, what it holds, what it is for
    n_missing, missing_share : cells without a value, and their share of all rows
    n_distinct : how many different values it has
    examples : its most frequent values (texts), or its lowest, middle and highest (numbers, dates)
    bars : labels and counts of a histogram
    findings : what to know about it
    label : what it holds in the words of its file, if that says so
    written : a cell and the number it was read as, ``2,070 → 2.07``, where they look different
    """

    name: str
    type: ColumnType
    role: Role
    n_missing: int
    missing_share: float
    n_distinct: int
    examples: tuple[str, ...]
    bars: tuple[tuple[str, int], ...]
    findings: tuple[Finding, ...] = ()
    label: str = ""
    written: str = ""


@dataclass(frozen=True)
class TableReport:
    """A table as it would be read.

    Attributes
    ----------
    source : the file's name
    n_rows : rows found
    columns : all columns, in file order
    findings : everything found, about the table and about its columns
    class_counts : the classes and how many rows each has, or cases where rows stand for several
    first_rows : the first rows as text
    rows_as_written : whether these are the cells of the file, and not what was read of them, where
        missing cells are empty
    """

    source: str
    n_rows: int
    columns: tuple[ColumnReport, ...]
    findings: tuple[Finding, ...]
    class_counts: tuple[tuple[str, int], ...]
    first_rows: tuple[tuple[str, ...], ...]
    rows_as_written: bool = False

    @property
    def target(self) -> str | None:
        """The name of the column to predict."""
        return next((column.name for column in self.columns if column.role == "target"), None)

    @property
    def usable(self) -> bool:
        """Whether the table can be read as it stands."""
        return not any(finding.severity == "error" for finding in self.findings)

    def column(self, name: str) -> ColumnReport:
        """Find a column by name."""
        return next(column for column in self.columns if column.name == name)
