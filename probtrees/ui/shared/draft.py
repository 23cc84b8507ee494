"""The table on the Data page, which becomes the app's when the user says so.

A file that is given on any page is looked at here first, and its target guessed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from probtrees.errors import ProbTreesError
from probtrees.table.infer.guess_outcome import guess_outcome
from probtrees.table.infer.guess_reading import Look, guess_for, guess_reading
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.read_options import COLUMN_LISTS, ReadOptions
from probtrees.table.samples import sample_path
from probtrees.table.table_report import Finding, Fix, TableReport, UnreadableTableError
from probtrees.ui.shared.loaded_model import forget_loaded
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.bounded_cache import kept, limits
from probtrees.ui.shared.session.given_files import Upload
from probtrees.ui.shared.table_source import ChosenTable, current_source, use_source

_DRAFT, _REASON = "data.draft", "data.reason"
_OUTCOME, _LEFT = "data.outcome", "data.left"
_SEPARATE = "c45.separate_rows"
_SAID_OF_CELLS = (*COLUMN_LISTS, "missing", "type", "date_order", "as_written", "take back")


def current_draft() -> ChosenTable:
    """Return the table on the page; at first the one in use."""
    draft: ChosenTable | None = st.session_state.get(_DRAFT)
    return current_source() if draft is None else draft


def keep(draft: ChosenTable) -> None:
    """Show this table on the page."""
    st.session_state[_DRAFT] = draft


def keep_reading(reading: ReadOptions) -> None:
    """Show the sample in use on the page, read like this."""
    keep(ChosenTable(None, state.current_sample(), reading))


def chosen_outcome(draft: ChosenTable, target: str | None) -> str | None:
    """Name the outcome that was chosen for this very table and target, if one was."""
    asked, outcome = st.session_state.get(_OUTCOME, ("", None))
    return str(outcome) if asked == _asked(draft, target) and outcome is not None else None


def choose_outcome(draft: ChosenTable, target: str | None, outcome: str) -> None:
    """Keep the outcome of interest by name, until the table is put to use."""
    st.session_state[_OUTCOME] = (_asked(draft, target), outcome)


def meant_outcome(draft: ChosenTable, report: TableReport) -> str:
    """Name the outcome that was chosen, or else the one that is probably meant."""
    names = [name for name, _ in report.class_counts]
    chosen = chosen_outcome(draft, report.target)
    if chosen in names:
        return str(chosen)
    is_cut = draft.reading.cut_target is not None or draft.reading.bin_target is not None
    return names[-1 if is_cut else guess_outcome(report.class_counts)]


def leave_as_it_is(draft: ChosenTable, found: Finding) -> None:
    """Take a finding for answered: nothing is to be done about it."""
    st.session_state[_LEFT] = (_table(draft), *_left(draft), _mark(found))


def is_left(draft: ChosenTable, found: Finding) -> bool:
    """Whether somebody said that nothing is to be done about a finding."""
    return _mark(found) in _left(draft)


def _left(draft: ChosenTable) -> tuple[str, ...]:
    table, *marks = st.session_state.get(_LEFT, ("",))
    return tuple(marks) if table == _table(draft) else ()


def _mark(found: Finding) -> str:
    """Tell findings apart; numbers in their sentences may change when others are answered."""
    return repr((found.kind, found.column, [(fix.setting, fix.value) for fix in found.fixes]))


_SAID = {"outcome": (_OUTCOME, 2), "reason": (_REASON, 2), "left": (_LEFT, None)}
"""Where each is kept, and of how many texts it consists if that is settled."""


def said_on_page() -> dict[str, list[str]]:
    """Return what the Data page was told or guessed beside the reading, ready for JSON."""
    kept = {name: st.session_state.get(key) for name, (key, _) in _SAID.items()}
    said = {name: list(texts) for name, texts in kept.items() if texts}
    return said | ({_SEPARATE: ["yes"]} if st.session_state.get(_SEPARATE) else {})


def bring_said(record: Any) -> None:
    """Bring back what :func:`said_on_page` returned, as far as it is such."""
    for name, (key, length) in _SAID.items():
        said = record.get(name) if isinstance(record, dict) else None
        if not isinstance(said, list) or not said or len(said) != (length or len(said)):
            continue
        if all(isinstance(text, str) for text in said):
            st.session_state[key] = tuple(said)
    if isinstance(record, dict) and record.get(_SEPARATE) == ["yes"]:
        st.session_state[_SEPARATE] = True


def _table(draft: ChosenTable) -> str:
    return draft.sample if draft.upload is None else draft.upload.digest


def _asked(draft: ChosenTable, target: str | None) -> str:
    return f"{_table(draft)} {_names_from(draft.reading)} {target}"


def report_on(draft: ChosenTable) -> TableReport:
    """Look at the table as it would be read."""
    upload = draft.upload
    if upload is None:
        return _inspect(f"sample {draft.sample}", draft.reading, sample_path(draft.sample))
    return _inspect(upload.digest, draft.reading, (upload.name, upload.content))


def guessed(source: ChosenTable) -> ChosenTable:
    """Return a table that was just given, read as it is probably meant; the reason is kept."""
    try:
        guess = guess_reading(_look(source), source.reading)
    except ProbTreesError:
        return source  # what is wrong with it is said where it is shown
    found = replace(source, reading=guess.reading)
    st.session_state[_REASON] = (found.key, guess.reason)
    return found


def for_target(draft: ChosenTable, target: str) -> ChosenTable:
    """Return the table read for another target: what was set aside for the old one is not."""
    kept = {
        name: role
        for name, role in draft.reading.roles.items()
        if role not in ("target", "ignore") and name != target
    }
    reading = replace(draft.reading, roles=kept)
    return replace(draft, reading=guess_for(_look(draft), reading, target).reading)


def reason_for_target(draft: ChosenTable) -> str:
    """Say why the target was guessed; nothing once something was changed."""
    key, reason = st.session_state.get(_REASON, ("", ""))
    return str(reason) if key == draft.key else ""


def _look(source: ChosenTable) -> Look:
    return lambda reading: report_on(replace(source, reading=reading))


def take(upload: Upload) -> TableReport:
    """Put a file that was just given to use if it can be; else the Data page says what is wrong."""
    source = guessed(ChosenTable(upload, state.current_sample()))
    try:
        return take_reading(source)
    except UnreadableTableError:
        keep(source)  # there may be other ways to read it, which the Data page offers
        raise


def take_reading(source: ChosenTable) -> TableReport:
    """Put a table to use if it can be read like this; in any case show it on the Data page."""
    report = report_on(source)
    keep(source)
    if report.usable:
        use(source)
    return report


def use(draft: ChosenTable) -> None:
    """Build the other pages from this table."""
    report = report_on(draft)
    outcome = _outcome_after(draft, report)
    use_source(draft)
    forget_loaded()
    if outcome is not None:
        st.session_state[state.OUTCOME] = outcome


def _outcome_after(draft: ChosenTable, report: TableReport) -> int | None:
    """Return the outcome of interest once a table is in use; the same one if it was before."""
    classes = [name for name, _ in report.class_counts]
    if not classes:
        return None
    now: int | None = st.session_state.get(state.OUTCOME)
    before = current_source()
    same_table = (before.upload, before.sample) == (draft.upload, draft.sample)
    if now is not None and same_table and chosen_outcome(draft, report.target) is None:
        was = report_on(before)
        if (was.target, [name for name, _ in was.class_counts]) == (report.target, classes):
            return now
    return classes.index(meant_outcome(draft, report))


def apply_fix(draft: ChosenTable, column: str | None, fix: Fix, *others: str) -> None:
    """Follow a finding's advice about a column, and about others that it holds for alike."""
    reading = draft.reading
    if fix.setting == "separate_rows":
        st.session_state[_SEPARATE] = True
        return
    mended = reading.with_fix(column, fix.setting, fix.value)
    for other in others:
        mended = mended.with_fix(other, fix.setting, fix.value)
    if _names_from(mended) != _names_from(reading):  # words about columns are about others now
        keep(guessed(replace(draft, reading=mended.layout)))
        return
    if reason_for_target(draft) and fix.setting in _SAID_OF_CELLS:
        # Nobody chose the target or a role yet, and other cells may suggest another.
        unguessed = replace(mended, roles={}, bin_target=None, cut_target=None)
        keep(guessed(replace(draft, reading=unguessed)))
        return
    keep(replace(draft, reading=mended))


def _names_from(reading: ReadOptions) -> tuple[Any, ...]:
    """Return what decides where the names of the columns stand."""
    place = reading.place
    return *(place[name] for name in place if name != "as_written"), "title" in reading.as_written


@kept(spinner="Looking at the table")
def _inspect(key: str, reading: ReadOptions, _source: Any) -> TableReport:
    report = inspect_table(_source, **reading.arguments)
    limits().check_table(report.n_rows, len(report.columns))
    return report
