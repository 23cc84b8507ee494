"""The table every learner reads: numbers and category codes, the class last."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import DataError, check_known
from probtrees.table import repeats as copies
from probtrees.table.number_text import number_of
from probtrees.table.raw_table import ValueLabels
from probtrees.table.readings.dates import DatePart
from probtrees.table.readings.find_reading import reading_named
from probtrees.table.readings.reading import PLAIN, AppliedStep, ColumnReading, reading_of_before
from probtrees.types import FloatArray, IntArray

if TYPE_CHECKING:
    import pandas as pd

MISSING = float("nan")
"""A cell without a value."""

UNSEEN = -1.0
"""The code of a category that the schema does not know (met only at prediction)."""

_LONGEST_LABEL = 40
"""Characters of a label that stand before values; the Data page shows all."""


@dataclass(frozen=True)
class Column:
    """One column: numeric, or nominal with its declared categories.

    Attributes
    ----------
    name : the name shown to people; unique within a schema
    categories : the values in code order; None for a numeric column
    source : the column of the user's table it is read from, if named otherwise
    date_part : which part of a date it holds; None unless it was made from a date
    reading : how its cells are written
    steps : what was done to it, resolved: scoring replays them in this order
    label : what it holds, in the words of a file that says so (SPSS, Stata, SAS)
    value_labels : what its categories are coded as in such a file: pairs of a code and its label;
        of numbers the labels of those that have some
    two_values : of a number that has but two values in the table it was learnt from, these: such
        codes are compared with a cut and named by what they are; empty for others
    shown_cuts : cuts of a tree that are shown shorter, each with how (``grow/shown_cuts.py``)
    """

    name: str
    categories: tuple[str, ...] | None = None
    source: str | None = None
    date_part: DatePart | None = None
    reading: ColumnReading = PLAIN
    steps: tuple[AppliedStep, ...] = ()
    label: str = ""
    value_labels: ValueLabels = ()
    two_values: tuple[float, ...] = field(default=(), compare=False)
    shown_cuts: tuple[tuple[float, float], ...] = field(default=(), compare=False)

    @property
    def is_nominal(self) -> bool:
        """Whether the column holds category codes."""
        return self.categories is not None

    @property
    def unit(self) -> str:
        """What its numbers count: "date" for days that are written as dates, "%", "h:mm", "mg"."""
        if self.date_part in ("days", "age"):
            return "date" if self.date_part == "days" else "year"
        return self.reading.unit

    @property
    def title(self) -> str:
        """What stands before its values: the label with the name behind, else the name.

        A long label ends with a whole word. Days are written as dates, so no "(days)".

        >>> Column("v02", label="Minutes of waiting").title
        'Minutes of waiting (v02)'
        >>> Column("q7", label="How satisfied are you with the opening hours?").title
        'How satisfied are you with the opening… (q7)'
        """
        if len(self.label) <= _LONGEST_LABEL:
            return self.full_title
        kept = self.label[:_LONGEST_LABEL].rpartition(" ")[0] or self.label[: _LONGEST_LABEL - 1]
        return replace(self, label=f"{kept.rstrip(' ,;:(')}…").full_title

    @property
    def full_title(self) -> str:
        """The same with the whole label, for where there is room: beside the pointer."""
        name = self.source_name if self.date_part == "days" else self.name
        is_said = name.lower() in (self.label.lower(), *self.label.lower().split())
        if not self.label or is_said or name != self.source_name:
            return name
        return f"{self.label} ({name})"

    @property
    def n_values(self) -> int:
        """How many categories are declared; 0 for a numeric column."""
        return len(self.categories) if self.categories is not None else 0

    @property
    def source_name(self) -> str:
        """The name of the column in the user's table."""
        return self.source or self.name

    @property
    def source_names(self) -> tuple[str, ...]:
        """The columns of the user's table that it is made of: its own, and that of another date."""
        others = (step.settings.get(key) for step in self.steps for key in ("on", "to"))
        return (self.source_name, *(str(name) for name in others if name))

    def step(self, name: str) -> AppliedStep | None:
        """Return how a step was applied to the column; None where it was not."""
        return next((step for step in self.steps if step.step == name), None)

    @cached_property
    def codes(self) -> dict[str, int]:
        """The code of every category, of texts that steps made one of them, and of its label.

        Where a label is a number, a number may be either and is what is written.
        """
        codes = {category: code for code, category in enumerate(self.categories or ())}
        are_words = all(number_of(label) is None for _, label in self.value_labels)
        meant = [step.settings.get("meant", {}) for step in self.steps]
        for known in (*meant, dict(self.value_labels if are_words else ())):
            for text, category in known.items():
                if category in codes:
                    codes.setdefault(text, codes[category])
        return codes

    def to_dict(self) -> dict[str, Any]:
        """Return the column as plain values, ready for JSON; what is as usual is left out."""
        usual, always = Column(self.name), ("name", "categories", "source", "date_part")
        record = {each.name: getattr(self, each.name) for each in fields(self)}
        kept = [n for n, value in record.items() if n in always or value != getattr(usual, n)]
        return {name: _plain(record[name]) for name in kept}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Column:
        """Read a column written by :meth:`to_dict`, also by versions without readings."""
        reading = ColumnReading.from_dict(record.get("reading") or {})
        steps = tuple(map(AppliedStep.from_dict, record.get("steps") or ()))
        try:
            if "day_first" in record:  # as versions wrote it that had no readings
                reading, steps = reading_of_before(record)
            reading_named(reading.name)
        except ValueError:
            rule = f"Column {record['name']!r} was read by an older version in a way now gone."
            raise DataError(f"{rule} Fit the model again.") from None
        others = [each.name for each in fields(cls) if each.name not in ("reading", "steps")]
        known = {name: _frozen(record[name]) for name in others if record.get(name) is not None}
        if len(set(known.get("categories", ()))) < len(known.get("categories", ())):
            raise DataError(f"Column {record['name']!r} must not list a category twice.")
        return cls(**known, reading=reading, steps=steps)


def _frozen(value: Any) -> Any:
    """Return a value of a record with tuples for lists."""
    return tuple(map(_frozen, value)) if isinstance(value, list | tuple) else value


def _plain(value: Any) -> Any:
    """Return a value of a column ready for JSON."""
    if isinstance(value, tuple):
        return list(map(_plain, value))
    return value.to_dict() if isinstance(value, ColumnReading | AppliedStep) else value


@dataclass(frozen=True)
class Schema:
    """The columns in order; the last one is the target."""

    columns: tuple[Column, ...]

    @property
    def target(self) -> Column:
        """The column to predict."""
        return self.columns[-1]

    @property
    def features(self) -> tuple[Column, ...]:
        """The columns to predict from."""
        return self.columns[:-1]

    @property
    def classes(self) -> tuple[str, ...]:
        """The declared classes, also those without rows."""
        return self.target.categories or ()

    @property
    def n_columns(self) -> int:
        """Number of columns, the target included."""
        return len(self.columns)

    @property
    def target_column(self) -> int:
        """The column number of the target."""
        return len(self.columns) - 1

    @property
    def with_exact_cuts(self) -> Schema:
        """The same for rules that rows are sorted by: no cut is shown shorter."""
        return Schema(tuple(replace(column, shown_cuts=()) for column in self.columns))

    @property
    def titles(self) -> tuple[str, ...]:
        """What people read before the values of all columns."""
        return tuple(column.title for column in self.columns)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all columns."""
        return tuple(column.name for column in self.columns)

    @property
    def source_names(self) -> tuple[str, ...]:
        """The columns of the user's table that it is made from, each once."""
        return tuple(dict.fromkeys(name for c in self.columns for name in c.source_names))

    @cached_property
    def n_values(self) -> NDArray[np.int32]:
        """Declared categories per column; 0 where numeric. What kernels receive."""
        return np.array([column.n_values for column in self.columns], dtype=np.int32)

    def to_dict(self) -> dict[str, Any]:
        """Return the schema as plain values, ready for JSON."""
        return {"columns": [column.to_dict() for column in self.columns]}

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> Schema:
        """Read a schema written by :meth:`to_dict`, also by versions that wrote a "spelling"."""
        return cls(tuple(map(Column.from_dict, record["columns"])))


@dataclass(frozen=True)
class Provenance:
    """What was read, what was left out and why, and with which settings.

    Attributes
    ----------
    source : the file's name without its folder, or a word for data given in memory
    sha256 : hash of the bytes that were read; empty for data given in memory
    rows_read, rows_dropped : rows found, and rows left out by reason
    roles : the role of every column of the table, by name
    notes : sentences about decisions made while reading (ignored columns and why, ...)
    options : settings that shaped the data or the model
    seed : the seed of everything random, if anything was
    version : the version of probtrees that did the work
    """

    source: str = "data in memory"
    sha256: str = ""
    rows_read: int = 0
    rows_dropped: Mapping[str, int] = field(default_factory=dict)
    roles: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int | None = None
    version: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the record as plain values, ready for JSON."""
        return {**asdict(self), "notes": list(self.notes)}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Provenance:
        """Read a record written by :meth:`to_dict`; unknown keys are ignored."""
        known = {name: record[name] for name in cls.__dataclass_fields__ if name in record}
        for name in ("source", "sha256"):
            if not isinstance(known.get(name, ""), str):
                raise DataError(f"provenance {name} must be a text. Write the file again.")
        known["notes"] = tuple(known.get("notes", ()))
        return cls(**known)


@dataclass(frozen=True)
class Dataset:
    """Rows under a schema.

    Attributes
    ----------
    values : float64[n_rows, n_columns], C order. Numbers as they are, categories as
        codes, NaN where missing, :data:`UNSEEN` for a category outside the schema.
        At prediction the last column may be all NaN.
    weights : float64[n_rows] or None when every row counts once
    groups : int64[n_rows] or None; rows of one group stay in one fold
    times : float64[n_rows] or None; lets folds train on the past only
    source_rows : int64[n_rows] or None; the rows' numbers (from 0) in the table they were
        read from, None when they are all of its rows in its order
    repeats : what becomes of copies, as ``read_table`` is told; None: every row is an observation
        as it stands
    """

    schema: Schema
    values: FloatArray
    name: str = "data"
    weights: FloatArray | None = None
    groups: IntArray | None = None
    times: FloatArray | None = None
    source_rows: IntArray | None = None
    provenance: Provenance = field(default_factory=Provenance)
    repeats: copies.Repeats | None = "auto"

    def __post_init__(self) -> None:
        if self.repeats is not None:
            check_known("repeats", self.repeats, copies.REPEATS, "one of its words")

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.values.shape[0])

    @property
    def n_classes(self) -> int:
        """Number of declared classes."""
        return len(self.schema.classes)

    @property
    def labels(self) -> IntArray:
        """The class code of every row."""
        return self.values[:, -1].astype(np.int64)

    @property
    def row_weights(self) -> FloatArray:
        """The weight of every row, ones where none were given."""
        return np.ones(self.n_rows) if self.weights is None else self.weights

    @property
    def row_numbers(self) -> IntArray:
        """The number of every row in the table it was read from, counted from 0."""
        return np.arange(self.n_rows) if self.source_rows is None else self.source_rows

    def to_frame(self) -> pd.DataFrame:
        """Return the rows as learners see them, as a pandas frame; categories by name."""
        import pandas as pd  # noqa: PLC0415  it takes long to load, and most never ask

        columns: dict[str, Any] = dict(zip(self.schema.names, self.values.T, strict=True))
        for column in self.schema.columns:
            if column.categories is not None:
                codes = np.nan_to_num(columns[column.name], nan=UNSEEN).astype(np.int64)
                names = pd.Index(list(column.categories))
                columns[column.name] = pd.Categorical.from_codes(codes, names)
        return pd.DataFrame(columns)

    def __repr__(self) -> str:
        classes = ", ".join(self.schema.classes[:5]) + ", ..." * (self.n_classes > 5)
        shape = f"{self.n_rows:,} rows, {self.schema.n_columns - 1} columns"
        return f"<{self.name}: {shape} and the class {self.schema.target.name} ({classes})>"

    def _repr_html_(self) -> str:
        return str(self.to_frame().to_html(max_rows=10, notebook=True))

    def take(self, rows: NDArray[Any]) -> Dataset:
        """Return the rows picked by a mask or by numbers, in that order."""
        names, rule = ("weights", "groups", "times"), self.repeats_rule
        given = {name: whole for name in names if (whole := getattr(self, name)) is not None}
        # They may repeat a row although none does here.
        rule = "together" if rule is None and self.repeats is not None else rule
        values, numbers = np.ascontiguousarray(self.values[rows]), self.row_numbers[rows]
        parts = {name: whole[rows] for name, whole in given.items()}
        return replace(self, values=values, source_rows=numbers, repeats=rule, **parts)

    @cached_property
    def repeats_rule(self) -> Literal["together", "apart"] | None:
        """What becomes of copies in this table; None if it has none that could be kept together.

        Rows taken from the table keep its rule, whatever few of them would suggest.
        """
        rule = self.repeats
        if rule == "auto":
            numbers = self.values[:, :-1][:, self.schema.n_values[:-1] == 0]
            # A table of which every row stands there three times, or weighs 3, holds no more than
            # one of which every row stands there once.
            weights = self.row_weights if copies.are_copies(self.weights) else np.ones(self.n_rows)
            times = np.bincount(self._contents, weights).astype(np.float64)  # whole if empty
            n_rows = float(weights.sum() / times[times > 0].min(initial=np.inf))
            rule = "together" if copies.measured_finely(numbers, n_rows) else "apart"
        is_plain = rule == "together" and self.weights is None and self.n_repeated == 0
        return None if is_plain else rule

    @cached_property
    def _contents(self) -> IntArray:
        """The number of every row's content, the class included."""
        return copies.number_rows(self.values)

    @cached_property
    def n_repeated(self) -> int:
        """How many rows hold what an earlier row holds, the class included."""
        return self.n_rows - (int(self._contents.max(initial=-1)) + 1)

    def observations(self) -> Dataset:
        """Return the rows as learners must see them: none is a copy of another's judge.

        Copies that stay together become one row of their summed weight; whole weights that
        are dealt out become rows of weight 1.
        """
        rows = self.distinct_rows()[0] if self.repeats_rule == "together" else self.copies_apart()
        return replace(rows, repeats=None)

    def copies_apart(self) -> Dataset:
        """Deal whole weights out as rows of weight 1, where copies are to be apart.

        Other weights, and more than ``MOST_COPIES`` copies, stay whole.
        """
        weights = self.weights
        if self.repeats_rule != "apart" or weights is None or not copies.are_copies(weights):
            return self
        if (weights == 1).all() or not 0 < weights.sum() <= copies.MOST_COPIES:
            return self
        rows = np.repeat(np.arange(self.n_rows), weights.astype(np.int64))
        return replace(self.take(rows), weights=None)

    def distinct_rows(self) -> tuple[Dataset, IntArray]:
        """Merge copies that stay together into one row of their summed weight.

        Rows of different groups or times are not merged, but their groups are joined: copies
        are never on both sides of a cut. Also tells which of them every row is.
        """
        if self.repeats_rule != "together":
            return self, np.arange(self.n_rows)
        content = number = self._contents
        groups = None if self.groups is None else copies.join_groups(self.groups, content)
        roles = [role for role in (self.groups, self.times) if role is not None]
        if roles:
            number = copies.number_rows(np.column_stack([content, *roles]).astype(np.float64))
            if groups is None and number.max(initial=-1) > content.max(initial=-1):
                groups = content  # the same row at different times
        first = np.unique(number, return_index=True)[1]
        weights = np.bincount(number, self.row_weights).astype(np.float64)
        rows = replace(self.take(first), groups=None if groups is None else groups[first])
        return replace(rows, weights=None if (weights == 1).all() else weights), number
