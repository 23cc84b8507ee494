"""What the user says about a table before it is read: roles, types, copies of rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import Field, dataclass, fields, replace
from functools import cached_property
from typing import Any, get_args

from probtrees.errors import DataError, OptionError, did_you_mean
from probtrees.table.encodings.known_encodings import find_encoding
from probtrees.table.option_fields import (
    SINGLE_ROLES,
    by_name,
    check_cut,
    check_each,
    check_single_roles,
    check_whole,
    check_words,
    hashable,
    plain_value,
)
from probtrees.table.read_fields import DATE_ORDERS, DATE_PARTS, DROP_LINES, HABITS, ReadFields
from probtrees.table.repeats import READ_REPEATS, check_repeats
from probtrees.table.table_report import ColumnType, Role

MOST_HEADER_LINES = 3
"""So many lines at most name the columns."""

SEVERAL = "\0"
"""Stands between several texts where one is expected; no cell holds it."""

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
    "fill_from_same": "fill_from_same",
    "keep_words": "keep_words",
    "none_is_zero": "none_is_zero",
    "turn_marks": "turn_marks",
}
"""Options that are lists of columns, by the setting of a :class:`.Fix` that adds one."""

_SAID_OF_CELLS = (
    "date_parts",
    "date_order",
    "missing_spellings",
    "missing_in",
    *COLUMN_LISTS.values(),
    "as_written",
    "days_to",
    "join_outcomes",
)
_PLACE = ("sheet", "table", "header_lines", "as_written", "encoding", "odd_lines")
_ARGUMENTS = ("cut_target", "sheet", "table", "header_lines", "repeats", "encoding", "odd_lines")
_SINGLE = ("repeats", "header_lines", "table", "date_order", "encoding", "sheet", "odd_lines")
"""Options that hold one value, by the setting of a :class:`.Fix` that gives it."""
_FOR_A_MODEL = ("not_recorded", "renamed", "recoded", "converted", "count_until")
"""Options that make sense only where there is a schema already."""
_TO_PREDICT = (*_PLACE, *_FOR_A_MODEL, "one_scale")
_SPELLED_TYPES = frozenset({"nominal", "boolean", "date", "text", "identifier"})


@dataclass(frozen=True)
class ReadOptions(ReadFields):
    """Roles and types set by the user, and the schema a new table must fit.

    Equal options have equal hashes, so that a table read before is found again by them.
    """

    def __hash__(self) -> int:
        return hash(tuple(hashable(getattr(self, option.name)) for option in fields(self)))

    def __post_init__(self) -> None:
        check_words("roles", self.roles, ROLES)
        check_words("types", self.types, TYPES)
        check_repeats(self.repeats, READ_REPEATS)
        check_each("date_parts", self.date_parts, DATE_PARTS, "a part of a date")
        order = () if self.date_order is None else (self.date_order,)
        check_each("date_order", order, DATE_ORDERS, "what comes first in a date")
        check_each("as_written", self.as_written, HABITS, "a habit of people who write tables")
        check_whole("header_lines", self.header_lines, MOST_HEADER_LINES, least=0)
        said = () if self.odd_lines is None else (self.odd_lines,)
        check_each("odd_lines", said, (DROP_LINES,), "what becomes of lines of another length")
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
        elif setting in _SINGLE:
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
            option, named = COLUMN_LISTS[setting], str(value).split(SEVERAL)
            changed[option] = tuple(sorted({*getattr(self, option), *named}))
            if setting not in ("join", "empty_no", "fill_from_same"):
                roles = self.roles.items()
                left = {n: r for n, r in roles if n not in named or r != "ignore"}
                changed |= {"roles": left} if len(left) < len(roles) else {}
        elif setting == "days_to" and column is not None:
            left = {n: r for n, r in self.roles.items() if n != column or r != "ignore"}
            changed = {"days_to": by_name({**self.days_to, column: str(value)}), "roles": left}
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
        if option == "join_outcomes":
            return replace(self, join_outcomes=())
        if option == "header_lines":
            return replace(self, header_lines=1)
        if option in ("types", "roles", "days_to"):
            by_column = getattr(self, option).items()
            rest: dict[str, Any] = {option: {n: said for n, said in by_column if n != column}}
            return replace(self, **rest)
        if option in ("table", "date_order", "encoding", "sheet", "odd_lines"):
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
        return tuple(option for option in flagged if option.name not in _FOR_A_MODEL)

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

    def keeps_words(self, name: str) -> bool:
        """Whether dashes and words for "no value" are values of a column."""
        return "dashes" in self.as_written or name in self.keep_words

    def missing_for(self, name: str) -> tuple[str, ...]:
        """List the spellings that mean missing in a column, by the user's word."""
        return (*self.missing_spellings, *self.missing_in.get(name, ()))

    def find_target(self, names: Sequence[str], where: str) -> str | None:
        """Name the column to predict; refuse options about columns that the table lacks."""
        self.check_columns(names, where)
        return self.target_name(names)

    def check_columns(self, names: Sequence[str], where: str) -> None:
        """Refuse options about columns that the table does not have."""
        for what in _FOR_A_MODEL:
            said = getattr(self, what) or ()
            named = said if isinstance(said, str) else list(said)
            if named and self.schema is None:
                raise OptionError(
                    f"{what}={named!r} must go with a schema. It says how a table differs from the "
                    "one that a model was learnt from."
                )
        given = [] if self.target is None else [("target", self.target)]
        given += [("roles: column", name) for name in self.roles]
        given += [("types: column", name) for name in self.types]
        given += [("missing_in: column", name) for name in self.missing_in]
        given += [("days_to: column", name) for pair in self.days_to.items() for name in pair]
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
        other = {n for c in columns for n in (c.spelling.at_column, c.spelling.filled_by) if n}
        return frozenset((*(column.source_name for column in columns), *other))

    def keeps(self, name: str) -> bool:
        """Whether a reader needs to read the column."""
        if self.all_columns or (self.schema is None and self.repeats == "once"):
            return True
        if self.schema is not None:
            is_said = self.roles.get(name) in ("weight", "group", "time")
            return is_said or name in self._schema_sources
        # Ages may be those on its dates, and days may be counted to them.
        is_used = self.roles.get(name) != "ignore" or name in self.fill_from_same
        return is_used or bool(self.ages) or bool(self.days_to)

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
