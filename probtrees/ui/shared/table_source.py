"""The table in use, what the person said about it, and what the app makes of that.

There is one table in use, on every page. What the person said and chose belongs to the table: it is
put by when another table comes into use, and there again when the table is. What the app proposes
(which column is predicted, what is set aside, which outcome is of interest) is worked out from the
table and from what was said, and kept nowhere else. So the same table with the same choices shows
the same, by whatever way one came.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.errors import ProbTreesError
from probtrees.table.dataset import Dataset
from probtrees.table.findings import Fix
from probtrees.table.guess import Guess, GuessedOutcome, guess_outcome, guess_reading
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import WrittenRows, read_to_learn, read_written, sample_path
from probtrees.table.table_report import FORMAT_NAMES, TableReport, inspect_table
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.bounded_cache import Upload, kept, limits
from probtrees.ui.shared.session.jobs import Report, result_of

FILE_HELP = f"{FORMAT_NAMES}, also gzipped or in a zip archive. It stays on this server."
READING = "reading"
"""Where the session keeps what was said about the columns of the table in use."""

_CHOICES, _PUT_BY, _NEXT = "keys of choices", "tables put by", "table to use"
_LEFT, _GOOD = "questions left", "last good"
_MOST_TABLES = 20
SEPARATE_ROWS = "c45.separate_rows"
T = TypeVar("T")


@dataclass(frozen=True)
class ChosenTable:
    """Where the table of a session comes from, and what was said about it.

    Attributes
    ----------
    upload : the file, or None for the sample
    sample : the sample's name; it stays chosen while an uploaded table is shown instead
    said : what the person said about its columns
    """

    upload: Upload | None
    sample: str
    said: ReadOptions = field(default_factory=ReadOptions)

    @property
    def name(self) -> str:
        """The name of the table."""
        return self.sample if self.upload is None else self.upload.name

    @property
    def file_name(self) -> str:
        """The name of the table's file."""
        return f"{self.sample}.csv" if self.upload is None else self.upload.name

    @property
    def file_key(self) -> str:
        """What is the same whatever was said about the table."""
        return f"sample {self.sample}" if self.upload is None else self.upload.digest

    @property
    def key(self) -> str:
        """What results made from the table are found again by."""
        return f"{self.file_key} {self.said}"

    @property
    def content(self) -> Any:
        """What is read."""
        upload = self.upload
        return sample_path(self.sample) if upload is None else (upload.name, upload.content)

    @property
    def guess(self) -> Guess:
        """How the app reads the table: as was said, and what was not said as it is meant."""
        if self.upload is None:
            return Guess(self.said, "")
        return _guessed(self.file_key, self.said, self)

    @property
    def reading(self) -> ReadOptions:
        """All that decides how the table is read."""
        return self.guess.reading

    @property
    def report(self) -> TableReport:
        """What there is to know about the table as it is read."""
        return _inspected(self.file_key, self.reading, self)

    @property
    def proposed_outcome(self) -> GuessedOutcome | None:
        """The outcome that is probably of interest, with the reason; None where there is none."""
        report = self.report
        if not report.class_counts or report.target is None:
            return None
        return guess_outcome(report.class_counts)

    @property
    def proposed_number(self) -> int | None:
        """The number of that outcome; samples have the usual one."""
        found = None if self.upload is None else self.proposed_outcome
        return None if found is None else found.number

    def read(self) -> Dataset:
        """Read the table, or find it again; an upload within the limits of the server."""
        return _read(self.file_key, self.name, self.reading, self)

    def read_beside_page(self, on_cancel: Callable[[], None] | None = None) -> Dataset:
        """Read the table, or find it again; if that takes long the page shows it and ends.

        A click on *Cancel* goes back to the last tree, or does what ``on_cancel`` says.
        """
        return self.beside_page("Reading", self.read, on_cancel or take_back)

    def beside_page(self, doing: str, make: Callable[[], T], on_cancel: Callable[[], None]) -> T:
        """Make something of the table that is kept; if that takes long the page shows it."""

        def work(_: Report) -> None:
            make()  # which keeps it

        title = f"{doing} {markdown_text(self.name)}"
        result_of((doing, self.name, self.key), work, title=title, on_cancel=on_cancel, kernels=())
        return make()

    def written_rows(self) -> WrittenRows:
        """Return all columns of the table as they stand in its file."""
        return _written(self.file_key, ReadOptions(**self.said.place), self)


def current_source() -> ChosenTable:
    """Return the table in use."""
    said: ReadOptions = st.session_state.get(READING, ReadOptions())
    return ChosenTable(state.current_upload(), state.current_sample(), said)


def say(said: ReadOptions) -> None:
    """Say this about the table in use, instead of what was said before."""
    st.session_state[READING] = said


def say_fix(fix: Fix) -> None:
    """Answer a question about the table in use."""
    source = current_source()
    if fix.option == "outcome":
        names = [name for name, _ in source.report.class_counts]
        st.session_state[state.OUTCOME] = names.index(fix.value)
    else:
        say(source.said.with_fix(fix))


def say_target(target: str) -> None:
    """Predict this column; what was said of outcomes was said of another one.

    Where the app would predict it anyway nothing was said.
    """
    source = current_source()
    roles = {n: role for n, role in source.said.roles.items() if role != "target" and n != target}
    steps = tuple(step for step in source.said.steps if "column" in step)
    said, usual = replace(source.said, target=None, roles=roles, steps=steps), None
    with suppress(ProbTreesError):
        usual = replace(source, said=said).report.target
    say(said if target == usual else replace(said, target=target))
    for key in (state.OUTCOME, state.NODE):
        st.session_state.pop(key, None)


def is_left(question: str) -> bool:
    """Whether somebody said of a question about the table in use that all is fine as it is."""
    return question in st.session_state.get(_LEFT, ())


def leave(question: str) -> None:
    """Take a question about the table in use for answered: nothing is to be done."""
    st.session_state[_LEFT] = (*st.session_state.get(_LEFT, ()), question)


def hold_keys(keys: Iterable[str]) -> None:
    """Note where the session keeps what belongs to a table: the choices of all pages."""
    st.session_state[_CHOICES] = {READING, _LEFT, *keys} - {state.SAMPLE}


def use_table(table: ChosenTable) -> None:
    """Put a table to use when the page is drawn next, before any of its widgets."""
    st.session_state[_NEXT] = table


def while_in_use(take: Callable[[], None], key: str) -> Callable[[], None]:
    """Let a field about the table in use do something only as long as both are there.

    A browser that has not heard yet of another table sends the fields of the last one once more.
    """
    table = current_source().file_key

    def act() -> None:
        if current_source().file_key == table and key in st.session_state:
            take()

    return act


def settle_table() -> None:
    """Put the table to use that was asked for, with what was said and chosen about it before."""
    table: ChosenTable | None = st.session_state.pop(_NEXT, None)
    if table is None or table.file_key == current_source().file_key:
        return
    put_by = tables_put_by()
    put_by[current_source().file_key] = dict(_choices())
    for digest in list(put_by)[:-_MOST_TABLES]:
        del put_by[digest]
    forget_choices()
    _put_to_use(table)
    if table.said != ReadOptions():
        say(table.said)
    for key, value in put_by.pop(table.file_key, {}).items():
        st.session_state.setdefault(key, value)


def _put_to_use(table: ChosenTable) -> None:
    if table.upload is None:
        st.session_state.pop(state.UPLOAD, None)
        st.session_state[state.SAMPLE] = table.sample
    else:
        st.session_state[state.UPLOAD] = table.upload


def forget_choices() -> None:
    """Start afresh with the table in use: forget what was said and chosen."""
    for key in _choices():
        del st.session_state[key]


def remember_good() -> None:
    """Note the table and the choices that led to a tree, so that a change can be taken back."""
    st.session_state[_GOOD] = (current_source(), dict(_choices()))


def take_back() -> None:
    """Return to the table and the choices that last led to a tree, or to the first sample."""
    table, chosen = st.session_state.get(_GOOD, (ChosenTable(None, state.FIRST_SAMPLE), {}))
    forget_choices()
    _put_to_use(table)
    st.session_state.update(chosen)


def has_choices() -> bool:
    """Whether something was said about the table in use that can be forgotten."""
    return bool({READING, _LEFT} & set(_choices()))


def tables_put_by() -> dict[str, dict[str, Any]]:
    """Return what was said and chosen about tables that were in use before, by their file."""
    put_by: dict[str, dict[str, Any]] = st.session_state.setdefault(_PUT_BY, {})
    return put_by


def _choices() -> Mapping[str, Any]:
    keys: set[str] = st.session_state.get(_CHOICES, {READING, _LEFT})
    return {key: st.session_state[key] for key in sorted(keys) if key in st.session_state}


@kept()
def _guessed(key: str, said: ReadOptions, _source: ChosenTable) -> Guess:
    return guess_reading(lambda reading: _inspected(key, reading, _source), said)


@kept(spinner="Looking at the table")
def _inspected(key: str, reading: ReadOptions, _source: ChosenTable) -> TableReport:
    report = inspect_table(_source.content, reading)
    limits().check_table(report.n_rows, len(report.columns))
    return report


@kept()
def _written(key: str, place: ReadOptions, _source: ChosenTable) -> WrittenRows:
    return read_written(_source.content, place)


@kept(spinner="Reading the table")
def _read(key: str, name: str, reading: ReadOptions, _source: ChosenTable) -> Dataset:
    data = read_to_learn(_source.content, reading)[0]
    if _source.upload is not None:
        limits().check_table(data.n_rows, len(data.provenance.roles))
    return data


def is_readable(table: ChosenTable, on_cancel: Callable[[], None] | None = None) -> bool:
    """Whether a table can be read as was said; where that can be cancelled, beside the page."""
    try:
        table.read() if on_cancel is None else table.read_beside_page(on_cancel)
    except ProbTreesError:
        return False
    return True
