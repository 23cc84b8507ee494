"""What the user says about a table before it is read: roles, types, copies of rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Literal, get_args

from probtrees.errors import DataError, OptionError, did_you_mean
from probtrees.table.dataset import DatePart, Schema
from probtrees.table.encodings.known_encodings import find_encoding
from probtrees.table.option_fields import (
    SINGLE_ROLES,
    by_name,
    check_cut,
    check_each,
    check_single_roles,
    check_whole,
    check_words,
    comma_separated,
    flagged,
    hashable,
    plain_value,
)
from probtrees.table.repeats import Repeats, check_repeats
from probtrees.table.table_report import ColumnType, Role

DATE_PARTS: tuple[DatePart, ...] = ("days", "month", "weekday")
USUAL_DATE_PARTS: tuple[DatePart, ...] = ("days",)
DateOrder = Literal["day", "month"]
"""What comes first in a date such as 3/4/2020."""

DATE_ORDERS: tuple[DateOrder, ...] = get_args(DateOrder)

Habit = Literal["title", "totals", "dashes", "marks", "names", "blanks", "merged", "layout"]
"""What is done about tables as people write them: lines above the header are left out, so is a line
of totals at the end, dashes and marks such as "NA" are read as missing, lines that repeat the
names of the columns are left out, blanks of a target that is marked or empty mean no, merged cells
of a sheet are filled down, and bars, rules and blanks of printed tables part their cells."""

MOST_HEADER_LINES = 3
"""So many lines at most name the columns."""

SEVERAL = "\0"
"""Stands between several texts where one is expected; no cell holds it."""

HABITS: tuple[Habit, ...] = get_args(Habit)
ROLES: tuple[Role, ...] = get_args(Role)
TYPES: tuple[ColumnType, ...] = ("numeric", "nominal", "boolean", "date", "text", "identifier")
COLUMN_LISTS = {
    "join": "join_values",
    "group": "group_values",
    "empty_no": "empty_no",
    "split_choices": "split_choices",
    "one_scale": "one_scale",
    "numbers_in": "numbers_in",
    "split_numbers": "split_numbers",
    "ages": "ages",
    "fill_down": "fill_down",
}
"""Options that are lists of columns, by the setting of a :class:`.Fix` that adds one."""

_SAID_OF_CELLS = (
    "date_parts",
    "date_order",
    "missing_spellings",
    "missing_in",
    *COLUMN_LISTS.values(),
    "as_written",
)
_PLACE = ("sheet", "table", "header_lines", "as_written", "encoding")
_ARGUMENTS = ("cut_target", "sheet", "table", "header_lines", "repeats", "encoding")
_TO_PREDICT = (*_PLACE, "not_recorded", "renamed", "one_scale")
_SPELLED_TYPES = frozenset({"nominal", "boolean", "date", "text", "identifier"})


@dataclass(frozen=True)
class ReadOptions:
    """Roles and types set by the user, and the schema a new table must fit.

    Equal options have equal hashes, so that a table read before is found again by them.

    Attributes
    ----------
    target : the column to predict; None: the last one without another role
    roles, types : by column name; columns not named are inferred
    bin_target : how many classes to cut a numeric target into; None: not at all
    date_parts : what to make of a date
    missing_spellings : further spellings that mean "missing"
    missing_in : the same by column name
    join_values : columns whose values that differ only in case and spaces are one
    as_written : habits of people that nothing is done about
    schema : read the table for this schema; None: infer one
    repeats : what becomes of copies of rows
    all_columns : read ignored columns too, to describe them
    cut_target : a number that cuts a numeric target into two classes; None: not at all
    sheet : of a workbook, by name or number from 1; "all" of the same columns; None: the first one
    table : of a sheet or text that holds several, by number from 1; None: all as one
    header_lines : how many lines name the columns; two are joined, "group name"; 0: none does, they
        are called "column 1", "column 2", ...
    not_recorded : columns of the schema that the table may lack; they are missing in every row
    unused : columns of the schema that its model never asks for, which the table may lack too
    group_values : columns whose rare values are one, "other"
    renamed : columns of the table that the schema calls otherwise: its name for each
    date_order : what comes first in dates like 3/4/2020 that do not say it; None: as the table says
    empty_no : columns that are marked or empty, where empty means no
    split_choices : columns of several answers in a cell, which become one column per answer
    one_scale : columns with a hundredth of some numbers, 1.72 among 172, which are multiplied
    encoding : of a text, by name; None: found by its bytes
    numbers_in : columns of texts of which the number in each cell is read; missing where none is
    split_numbers : columns of two numbers in a cell, "115/69", which become two columns
    ages : columns of birth dates that are used as ages in years
    fill_down : columns of which every value also stands for the empty cells below it
    """

    target: str | None = flagged(None, "--target", "COL", "column to predict (default: the last)")
    roles: Mapping[str, Role] = flagged(
        dict,
        "--role",
        "COL=ROLE",
        "feature, target, ignore, weight, group (stays in one fold) or time (folds train on the "
        "past only)",
    )
    types: Mapping[str, ColumnType] = flagged(
        dict, "--type", "COL=TYPE", "numeric, nominal, boolean, date, text or identifier"
    )
    bin_target: int | None = flagged(
        None,
        "--bin-target",
        "N",
        "cut a numeric target into N classes of about equal size",
        read=int,
    )
    date_parts: tuple[DatePart, ...] = flagged(
        USUAL_DATE_PARTS,
        "--date-parts",
        "PARTS",
        "what to make of a date, separated by commas: days, month, weekday "
        f"(default: {','.join(USUAL_DATE_PARTS)})",
        read=comma_separated,
    )
    missing_spellings: tuple[str, ...] = flagged(
        (),
        "--missing-text",
        "[COL=]TEXT",
        "a text that means that there is no value, everywhere or in one column",
    )
    schema: Schema | None = None
    repeats: Repeats = "auto"
    missing_in: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    join_values: tuple[str, ...] = flagged(
        (),
        "--join",
        "COL",
        "take values of a column that differ only in case and spaces for one",
    )
    as_written: tuple[Habit, ...] = flagged(
        (),
        "--as-written",
        None,
        "do nothing about title lines above the names of the columns and units below them, a "
        "line of totals at the end, dashes where there is no value, marks such as NA and k.A., "
        "lines that repeat the names, merged cells of a sheet, or the layout of a printed table",
        choices=HABITS,
    )
    all_columns: bool = False
    sheet: str | None = flagged(
        None,
        "--sheet",
        "NAME|N",
        "sheet of a workbook or file of a zip archive, by name or number, or 'all' that have the "
        "same columns (default: the first with a table)",
    )
    cut_target: float | None = flagged(
        None,
        "--cut-target",
        "X",
        "cut a numeric target into two classes: up to X, and over it",
        read=float,
    )
    table: int | None = flagged(
        None,
        "--table",
        "N",
        "which table of a sheet or a text that holds several, by its number from 1 (default: all "
        "as one)",
        read=int,
    )
    header_lines: int = flagged(
        1,
        "--header-lines",
        "N",
        "how many lines name the columns (1); two are joined, as in 'group name'; 0: none does",
        read=int,
    )
    not_recorded: tuple[str, ...] = flagged(
        (),
        "--not-recorded",
        "COL",
        "a column of the model that the table lacks: take it as not recorded in every row",
    )
    unused: tuple[str, ...] = ()
    group_values: tuple[str, ...] = flagged(
        (), "--group", "COL", "take all but the most frequent values of a column for one, 'other'"
    )
    renamed: Mapping[str, str] = flagged(
        dict,
        "--rename",
        "COL=NAME",
        "a column of the table, and what the model calls it",
    )
    date_order: str | None = flagged(
        None,
        "--date-order",
        None,
        "what comes first in dates like 3/4/2020 where nothing in their column says so",
        choices=DATE_ORDERS,
    )
    empty_no: tuple[str, ...] = flagged(
        (), "--empty-no", "COL", "a column that is marked (X) or empty: empty means no"
    )
    split_choices: tuple[str, ...] = flagged(
        (), "--split-choices", "COL", "a column of several answers in a cell: one column for each"
    )
    one_scale: tuple[str, ...] = flagged(
        (),
        "--one-scale",
        "COL",
        "multiply by 100 what is a hundredth: 1.72 among 172, .05 among 5 %",
    )
    encoding: str | None = flagged(
        None, "--encoding", "NAME", "encoding of a text, such as cp1251 (default: it is found)"
    )
    numbers_in: tuple[str, ...] = flagged(
        (), "--numbers-in", "COL", "read the number in each cell ('87.7 ± 0.5'); missing without"
    )
    split_numbers: tuple[str, ...] = flagged(
        (), "--split-numbers", "COL", "a column of two numbers in a cell (115/69): make two of it"
    )
    ages: tuple[str, ...] = flagged(
        (), "--age", "COL", "a column of birth dates: use the age in years instead"
    )
    fill_down: tuple[str, ...] = flagged(
        (), "--fill-down", "COL", "a column of merged cells: fill each value down over empty cells"
    )

    def __hash__(self) -> int:
        return hash(tuple(hashable(getattr(self, option.name)) for option in fields(self)))

    def __post_init__(self) -> None:
        check_words("roles", self.roles, ROLES)
        check_words("types", self.types, TYPES)
        check_repeats(self.repeats)
        check_each("date_parts", self.date_parts, DATE_PARTS, "a part of a date")
        order = () if self.date_order is None else (self.date_order,)
        check_each("date_order", order, DATE_ORDERS, "what comes first in a date")
        check_each("as_written", self.as_written, HABITS, "a habit of people who write tables")
        check_whole("header_lines", self.header_lines, MOST_HEADER_LINES, least=0)
        if self.table is not None:
            check_whole("table", self.table, None)
        if self.encoding is not None:
            find_encoding(self.encoding)
        check_cut(self.bin_target, self.cut_target)
        check_single_roles(self.roles, self.target)
        if self.schema is not None and (
            self.types or self.bin_target or self.join_values or self.cut_target is not None
        ):
            raise OptionError(
                "types, bin_target, cut_target and join_values must not be set together with a "
                "schema."
            )

    def with_role(self, column: str, role: str) -> ReadOptions:
        """Give a column a role; a role that only one column can have leaves the other."""
        roles = {
            name: old for name, old in self.roles.items() if old != role or role not in SINGLE_ROLES
        }
        return replace(self, roles=by_name({**roles, column: role}))

    def with_type(self, column: str, kind: str) -> ReadOptions:
        """Set what a column holds."""
        return replace(self, types=by_name({**self.types, column: kind}))

    def with_fix(self, column: str | None, setting: str, value: str | float) -> ReadOptions:
        """Follow the advice of a finding about a column, or about the table."""
        changed: dict[str, Any] = {}
        if setting in ("bin_target", "cut_target"):
            changed |= {"bin_target": None, "cut_target": None, setting: value}
        elif setting in ("repeats", "header_lines", "table", "date_order", "encoding", "sheet"):
            changed[setting] = value
        elif setting == "date_parts":
            changed[setting] = tuple(part for part in DATE_PARTS if part in str(value))
        elif setting == "as_written":
            kept = {*self.as_written, value}
            changed[setting] = tuple(habit for habit in HABITS if habit in kept)
        elif setting == "not_recorded":
            said = str(value).split(SEVERAL)
            changed[setting] = tuple(dict.fromkeys((*self.not_recorded, *said)))
        elif setting in COLUMN_LISTS:
            option = COLUMN_LISTS[setting]
            changed[option] = tuple(sorted({*getattr(self, option), str(value)}))
            if setting not in ("join", "empty_no") and self.roles.get(str(value)) == "ignore":
                changed["roles"] = {n: r for n, r in self.roles.items() if n != value}
        elif setting == "take back":
            return self._taken_back(column, *str(value).split(" ", 1))
        elif column is not None and setting == "missing":
            said = str(value).split(SEVERAL)
            texts = dict.fromkeys((*self.missing_in.get(column, ()), *said))
            changed["missing_in"] = by_name({**self.missing_in, column: tuple(texts)})
        elif column is not None:
            return (self.with_role if setting == "role" else self.with_type)(column, str(value))
        return replace(self, **changed)

    def _taken_back(self, column: str | None, option: str, what: str) -> ReadOptions:
        """Return the options without something that was said."""
        if option == "missing_in":
            texts = tuple(t for t in self.missing_in.get(column or "", ()) if t != what)
            others = {name: t for name, t in self.missing_in.items() if name != column}
            return replace(self, missing_in={**others, str(column): texts} if texts else others)
        if option == "header_lines":
            return replace(self, header_lines=1)
        if option == "types":
            return replace(self, types={n: t for n, t in self.types.items() if n != column})
        if option in ("table", "date_order", "encoding", "sheet"):
            nothing: dict[str, Any] = {option: None}
            return replace(self, **nothing)
        kept = tuple(said for said in getattr(self, option) if said != what)
        changed: dict[str, Any] = {option: kept}
        return replace(self, **changed)

    @staticmethod
    def flags(*, to_predict: bool = False) -> tuple[Field[Any], ...]:
        """Return the options with a flag that matter for a table to learn from, or to predict."""
        flagged = (option for option in fields(ReadOptions) if "flag" in option.metadata)
        if to_predict:
            return tuple(option for option in flagged if option.name in _TO_PREDICT)
        return tuple(option for option in flagged if option.name not in ("not_recorded", "renamed"))

    @property
    def layout(self) -> ReadOptions:
        """Where the table stands in its file, without what was said about its columns."""
        return ReadOptions(**self.place)

    @property
    def place(self) -> dict[str, Any]:
        """The same as arguments of ``read_table``."""
        return {name: getattr(self, name) for name in _PLACE}

    @property
    def arguments(self) -> dict[str, Any]:
        """What was said about the columns, as arguments of ``read_table``."""
        given: dict[str, Any] = {"roles": self.roles, "types": self.types}
        given["bin_target"] = self.bin_target
        usual = ReadOptions()
        for name in (*_SAID_OF_CELLS, *_ARGUMENTS):
            if getattr(self, name) != getattr(usual, name):
                given[name] = getattr(self, name)
        return given

    @property
    def record(self) -> dict[str, Any]:
        """What was said about the table, ready for JSON; the roles are recorded apart."""
        given = {
            name: value for name, value in self.arguments.items() if value or name == "header_lines"
        }
        given.pop("roles", None)
        return {name: plain_value(value) for name, value in given.items()}

    def missing_for(self, name: str) -> tuple[str, ...]:
        """List the spellings that mean missing in a column, by the user's word."""
        return (*self.missing_spellings, *self.missing_in.get(name, ()))

    def find_target(self, names: Sequence[str], where: str) -> str | None:
        """Name the column to predict; refuse options about columns that the table lacks."""
        self.check_columns(names, where)
        return self.target_name(names)

    def check_columns(self, names: Sequence[str], where: str) -> None:
        """Refuse options about columns that the table does not have."""
        if (self.not_recorded or self.renamed) and self.schema is None:
            named = list(self.not_recorded or self.renamed)
            what = "not_recorded" if self.not_recorded else "renamed"
            raise OptionError(
                f"{what}={named!r} must go with a schema. Name columns that a model needs and the "
                "table lacks."
            )
        given = [] if self.target is None else [("target", self.target)]
        given += [("roles: column", name) for name in self.roles]
        given += [("types: column", name) for name in self.types]
        given += [("missing_in: column", name) for name in self.missing_in]
        for option in COLUMN_LISTS.values():
            given += [(f"{option}: column", name) for name in getattr(self, option)]
        for what, name in given:
            if name not in names and self.schema is None:
                raise DataError(
                    f"{what}={name!r} must be a column of {where}. {did_you_mean(name, names)}"
                )

    def target_name(self, names: Sequence[str]) -> str | None:
        """Name the column to predict: the one set, else the last one without another role."""
        if self.schema is not None:
            return self.schema.target.source_name
        if self.target is not None:
            return self.target
        said = (name for name, role in self.roles.items() if role == "target")
        free = (name for name in reversed(names) if name not in self.roles)
        return next(said, next(free, None))

    @cached_property
    def _schema_sources(self) -> frozenset[str]:
        """The columns of the table that the schema is made from."""
        columns = self.schema.columns if self.schema is not None else ()
        dated = (column.spelling.at_column for column in columns if column.spelling.at_column)
        return frozenset((*(column.source_name for column in columns), *dated))

    def keeps(self, name: str) -> bool:
        """Whether a reader needs to read the column."""
        if self.all_columns:
            return True
        if self.schema is not None:
            is_said = self.roles.get(name) in ("weight", "group", "time")
            return is_said or name in self._schema_sources
        return self.roles.get(name) != "ignore" or bool(self.ages)  # which may be on its dates

    def concern(self, name: str) -> bool:
        """Whether somebody said or will ask something about this very column."""
        return self.all_columns or name in self.roles or name in self.types

    def as_text(self, names: Iterable[str]) -> set[str]:
        """Name the columns to keep as they are spelled, even if they hold nothing but numbers."""
        spelled = {name for name, given in self.types.items() if given in _SPELLED_TYPES}
        spelled |= {name for name, role in self.roles.items() if role == "group"}
        if self.schema is not None:
            return (
                spelled
                | {
                    column.source_name
                    for column in self.schema.columns
                    if column.is_nominal or column.date_part is not None
                }
                | {c.spelling.at_column for c in self.schema.columns}
            )
        target = self.target_name(list(names))
        is_cut = self.bin_target is not None or self.cut_target is not None
        if target is not None and not is_cut and target not in self.types:
            spelled.add(target)
        return spelled
