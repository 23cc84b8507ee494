"""What a person says about a table before it is read: roles, types, steps, copies of rows."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from probtrees.errors import DataError, OptionError, check_known
from probtrees.table.dataset import Schema
from probtrees.table.findings import ROLES, ROW_ROLES, Fix, Role
from probtrees.table.readings.find_reading import READING_NAMES
from probtrees.table.readings.spellings import column_key
from probtrees.table.repeats import REPEATS, Repeats

DateOrder = Literal["day", "month"]
"""What comes first in a date such as 3/4/2020."""

TYPES = ("numeric", "nominal", "boolean", "date", "month", "weekday", "text", "identifier")
"""What people may say that a column holds; the name of a reading says it more exactly."""

ALL_TYPES = tuple(dict.fromkeys((*TYPES, *READING_NAMES)))

SINGLE_ROLES: tuple[Role, ...] = ("target", *ROW_ROLES)
"""Roles that only one column can have."""

MOST_HEADER_LINES = 3
"""So many lines at most name the columns."""

SaidStep = Mapping[str, Any]
"""A step as a person says it, plain data: ``{"step": "join", "column": "sex"}``."""


def read_steps(source: str) -> tuple[SaidStep, ...]:
    """Read a list of steps as JSON, from a file or as it is."""
    try:
        steps = json.loads(source if source[:1] == "[" else Path(source).read_text("utf-8"))
        if not isinstance(steps, list):
            raise ValueError("it holds none")
    except (OSError, ValueError) as error:
        rule = 'must be a JSON file with a list of steps: [{"step": "join", "column": "sex"}, ...]'
        raise OptionError(f"--steps {source!r} {rule}: {error}.") from error
    return tuple(steps)


@dataclass(frozen=True)
class ReadOptions:
    """All that can be said about a table. Equal options have equal hashes.

    The arguments of ``read_table`` say what each is; a type may also be the name of a reading.

    Attributes
    ----------
    schema : read the table for this schema; None: infer one
    all_columns : read ignored columns too, to describe them
    unused : columns of the schema that its model never asks for, which the table may lack too
    """

    target: str | None = None
    roles: Mapping[str, Role] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    steps: tuple[SaidStep, ...] = ()
    missing: tuple[str, ...] = ()
    schema: Schema | None = None
    repeats: Repeats = "auto"
    sheet: str | None = None
    header_lines: int | None = None
    date_order: DateOrder | None = None
    encoding: str | None = None
    renamed: Mapping[str, str] = field(default_factory=dict)
    not_recorded: tuple[str, ...] = ()
    all_columns: bool = False
    unused: tuple[str, ...] = ()

    def __hash__(self) -> int:
        said = {option.name: getattr(self, option.name) for option in fields(self)}
        return hash(json.dumps(said, sort_keys=True, default=repr))

    def __post_init__(self) -> None:
        for what, given, words in (("roles", self.roles, ROLES), ("types", self.types, ALL_TYPES)):
            for name, word in given.items():
                check_known(f"{what}[{name!r}]", word, words, "one of its words")
        check_known("repeats", self.repeats, REPEATS, "one of its words")
        check_known("date_order", self.date_order or "day", ("day", "month"), "'day' or 'month'")
        numbers = list(map(repr, (*range(MOST_HEADER_LINES + 1), None)))
        rule = f"a whole number from 0 to {MOST_HEADER_LINES}, of lines that name the columns"
        check_known("header_lines", repr(self.header_lines), numbers, rule)
        try:
            codecs.lookup("utf-8" if self.encoding is None else self.encoding)
        except LookupError as error:
            rule = "must be the name of an encoding. Try 'utf-8', 'cp1252' or 'Shift-JIS'."
            raise OptionError(f"encoding={self.encoding!r} {rule}") from error
        given = {**self.roles, **({} if self.target is None else {self.target: "target"})}
        for role in SINGLE_ROLES:
            named = [name for name, its in given.items() if its == role]
            if len(named) > 1:
                two = f"{named[0]!r} and {named[1]!r}"
                raise OptionError(f"roles: {role!r} must be given to one column, not to {two}.")
        if self.schema is not None and self.types:
            raise OptionError("types must not be set together with a schema. The model keeps them.")
        for step in self.steps:
            if not isinstance(step, Mapping) or not isinstance(step.get("step"), str):
                rule = "must be a mapping with a 'step', such as {'step': 'join', 'column': 'sex'}"
                raise OptionError(f"steps: {step!r} {rule}.")

    def with_role(self, column: str, role: Role) -> ReadOptions:
        """Give a column a role; a role that only one column can have leaves the other."""
        is_single = role in SINGLE_ROLES
        roles = {n: old for n, old in self.roles.items() if not is_single or old != role}
        target = None if role == "target" or column == self.target else self.target
        return replace(self, roles=dict(sorted({**roles, column: role}.items())), target=target)

    def with_type(self, column: str, kind: str) -> ReadOptions:
        """Set what a column holds, or how it is written."""
        return replace(self, types=dict(sorted({**self.types, column: kind}.items())))

    def with_step(self, step: SaidStep) -> ReadOptions:
        """Add a step; one of the same kind for the same column is replaced, texts are added."""
        key = step["step"], step.get("column")
        same = [old for old in self.steps if (old["step"], old.get("column")) == key]
        if step["step"] == "missing":
            texts = dict.fromkeys(text for old in (*same, step) for text in old["texts"])
            step = {**step, "texts": list(texts)}
        return replace(self, steps=(*(old for old in self.steps if old not in same), step))

    def with_missing(self, column: str, texts: Sequence[str]) -> ReadOptions:
        """Let these texts, and no other of a column's own, mean missing in it."""
        said = [{"step": "missing", "column": column, "texts": list(texts)}] if texts else []
        old = self.steps_for(column, "missing")
        return replace(self, steps=(*(step for step in self.steps if step not in old), *said))

    def with_fix(self, fix: Fix) -> ReadOptions:
        """Follow the advice of a finding; what is no option of reading changes nothing."""
        if fix.option == "role":
            return self.with_role(str(fix.column), fix.value)
        if fix.option == "type":
            return self.with_type(str(fix.column), fix.value)
        if fix.option == "step":  # a column that is changed is used
            kept = {n: r for n, r in self.roles.items() if (n, r) != (fix.column, "ignore")}
            return replace(self, roles=kept).with_step(fix.value)
        is_known = fix.option in {option.name for option in fields(self)}
        return replace(self, **{fix.option: fix.value}) if is_known else self

    @property
    def place(self) -> dict[str, Any]:
        """Where the table stands in its file, as arguments of ``read_table``."""
        return {name: getattr(self, name) for name in ("sheet", "header_lines", "encoding")}

    @property
    def arguments(self) -> dict[str, Any]:
        """What was said, as arguments of ``read_table``; without the target and the schema."""
        usual, left_out = ReadOptions(), ("target", "schema", "all_columns", "unused")
        said = [option.name for option in fields(self) if option.name not in left_out]
        return {n: getattr(self, n) for n in said if getattr(self, n) != getattr(usual, n)}

    @property
    def record(self) -> dict[str, Any]:
        """What was said about the table, ready for JSON; the roles are recorded apart."""
        given = {name: value for name, value in self.arguments.items() if name != "roles"}
        record: dict[str, Any] = json.loads(json.dumps(given, default=dict))
        return record

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> ReadOptions:
        """Read what :attr:`record` wrote; refuse what is no option."""
        known = [option.name for option in fields(cls)]
        for name in record:
            check_known("option", name, known, "one of reading a table")
        lists: dict[str, Any] = {n: tuple(v) for n, v in record.items() if isinstance(v, list)}
        return cls(**{**record, **lists})

    def steps_for(self, name: str, kind: str | None = None) -> tuple[SaidStep, ...]:
        """Return the steps about a column, or those of one kind among them."""
        steps = (step for step in self.steps if step.get("column") == name)
        return tuple(step for step in steps if kind in (None, step["step"]))

    def missing_for(self, name: str) -> tuple[str, ...]:
        """List the texts that mean missing in a column, by the person's word."""
        said = (str(text) for step in self.steps_for(name, "missing") for text in step["texts"])
        return tuple(dict.fromkeys((*self.missing, *said)))

    def check_columns(self, names: Sequence[str], where: str) -> None:
        """Refuse options about columns that the table does not have."""
        if self.schema is not None:
            return
        if self.renamed or self.not_recorded:
            rule = "must go with a schema: they say how a table differs from that of a model"
            raise OptionError(f"renamed and not_recorded {rule}.")
        given = [] if self.target is None else [("target", self.target)]
        given += [("roles: column", name) for name in self.roles]
        given += [("types: column", name) for name in self.types]
        given += [("steps: column", step["column"]) for step in self.steps if "column" in step]
        for what, name in given:
            check_known(what, name, names, f"a column of {where}", DataError)

    def target_name(self, names: Sequence[str]) -> str | None:
        """Name the column to predict: the one set, else the last one without another role."""
        if self.schema is not None:
            return self.schema.target.source_name
        said = (name for name, role in self.roles.items() if role == "target")
        free = (name for name in reversed(names) if name not in self.roles)
        return self.target or next(said, next(free, None))

    @cached_property
    def _keys_of_schema(self) -> frozenset[str]:
        """What the columns of the schema are called, apart from case, blanks and accents."""
        return frozenset(map(column_key, self.schema.source_names if self.schema else ()))

    def keeps(self, name: str) -> bool:
        """Whether a reader needs to read the column."""
        if self.all_columns:
            return True
        if self.schema is not None:
            is_said = self.roles.get(name) in ROW_ROLES
            return is_said or column_key(self.renamed.get(name, name)) in self._keys_of_schema
        # Ages may be those on its dates, and days may be counted to them.
        return self.roles.get(name) != "ignore" or any(s["step"] == "age" for s in self.steps)

    def as_text(self, names: Iterable[str]) -> set[str]:
        """Name the columns to keep as they are spelled, even if they hold nothing but numbers."""
        spelled = {name for name, given in self.types.items() if given != "numeric"}
        spelled |= {name for name, role in self.roles.items() if role == "group"}
        spelled |= {str(s["column"]) for s in self.steps if s["step"] in ("join", "recode")}
        if self.schema is not None:
            kept = [c for c in self.schema.columns if c.is_nominal or c.date_part is not None]
            keys = {column_key(column.source_name) for column in kept}
            return spelled | {n for n in names if column_key(self.renamed.get(n, n)) in keys}
        target = self.target_name(list(names))
        is_cut = any(step["step"] == "cut" for step in self.steps)
        if target is not None and not is_cut and target not in self.types:
            spelled.add(target)
        return spelled
