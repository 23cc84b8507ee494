"""The table on the Data page, which becomes the app's when the user says so.

A file that is given on any page is looked at here first, and its target guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import streamlit as st

from probtrees.errors import ProbTreesError
from probtrees.table.infer.guess_outcome import GuessedOutcome, guess_outcome
from probtrees.table.infer.guess_reading import Look, guess_for, guess_reading, why_not_used
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.read_options import COLUMN_LISTS, ReadOptions
from probtrees.table.samples import sample_path
from probtrees.table.table_report import (
    ColumnReport,
    Finding,
    Fix,
    TableReport,
    UnreadableTableError,
)
from probtrees.ui.shared.loaded_model import forget_loaded
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.bounded_cache import kept, limits
from probtrees.ui.shared.session.growing_answers import (
    all_answers,
    answer_growing,
    bring_answers,
    is_growing_with,
    read_answers,
    take_growing_back,
    write_answers,
)
from probtrees.ui.shared.table_source import ChosenTable, current_source, use_source

_DRAFT, _REASON = "data.draft", "data.reason"
_OUTCOME, _LEFT, _ASIDE = "data.outcome", "data.left", "data.aside"
_USED = "data.table in use"
"""How the page showed the table in use, and what was said of it, while it shows another."""
_SEPARATE_FIX = "separate_rows"
_GROWN = "grown"
_SAID_OF_CELLS = (*COLUMN_LISTS, "missing", "type", "date_order", "as_written", "take back")


def current_draft() -> ChosenTable:
    """Return the table on the page; at first the one in use."""
    draft: ChosenTable | None = st.session_state.get(_DRAFT)
    return current_source() if draft is None else draft


def keep(draft: ChosenTable) -> None:
    """Show this table on the page."""
    _put_by(draft)
    st.session_state[_DRAFT] = draft


def waits_beside(draft: ChosenTable) -> bool:
    """Whether another table is in use than the one on the page, however that is read."""
    return draft.key_begin != current_source().key_begin


def return_to_used() -> None:
    """Show the table in use again, as it was shown before another came, and drop that."""
    draft, said = st.session_state.get(_USED, (current_source(), None))
    if waits_beside(draft):  # meanwhile another came into use
        draft, said = current_source(), None
    if said is not None:
        _say_only(said)
    keep(draft)


def show_as_said(draft: ChosenTable, said: Any) -> None:
    """Show a table on the page with what was said of it earlier, instead of the one there."""
    _put_by(draft)
    _say_only(said)
    keep(draft)


def _say_only(said: Any) -> None:
    for key, _ in _SAID.values():
        st.session_state.pop(key, None)
    bring_said(said)


def _put_by(other: ChosenTable) -> None:
    """Put by what was said of the table in use before the page shows another table."""
    if waits_beside(other):
        st.session_state.setdefault(_USED, (_used_draft(), said_on_page()))
    else:
        st.session_state.pop(_USED, None)


def _used_draft() -> ChosenTable:
    draft = current_draft()
    return current_source() if waits_beside(draft) else draft


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
    return str(chosen) if chosen in names else names[_guessed(draft, report).number]


def reason_for_outcome(draft: ChosenTable, report: TableReport, outcome: str) -> str:
    """Say why an outcome is proposed; nothing where it was chosen or is another one."""
    if chosen_outcome(draft, report.target) is not None:
        return ""
    number, reason = _guessed(draft, report)
    return reason if report.class_counts[number][0] == outcome else ""


def _guessed(draft: ChosenTable, report: TableReport) -> GuessedOutcome:
    is_cut = draft.reading.cut_target is not None or draft.reading.bin_target is not None
    if is_cut:
        return GuessedOutcome(len(report.class_counts) - 1, "the highest numbers")
    target = None if report.target is None else report.column(report.target)
    title = "" if target is None else f"{target.name} {target.label}"
    return guess_outcome(report.class_counts, title)


def leave_as_it_is(draft: ChosenTable, found: Finding) -> None:
    """Take a finding for answered: nothing is to be done about it."""
    st.session_state[_LEFT] = (_table(draft), *_left(draft), _mark(found))


def is_answered(draft: ChosenTable, found: Finding) -> bool:
    """Whether somebody said what is to be done about a finding, or that nothing is."""
    return is_settled(draft, found) or _mark(found) in _left(draft)


def is_settled(draft: ChosenTable, found: Finding) -> bool:
    """Whether a finding is answered by how the tree is grown, which no reading tells."""
    return any(fix.setting == _SEPARATE_FIX for fix in found.fixes) and has_separate_rows(draft)


def has_separate_rows(draft: ChosenTable) -> bool:
    """Whether other rows give the tree of a table its shape than its numbers."""
    return is_growing_with(draft.file_key, _SEPARATE_FIX)


def use_all_rows(draft: ChosenTable) -> None:
    """Take separate rows for shape and numbers back."""
    take_growing_back(draft.file_key, _SEPARATE_FIX)


def _left(draft: ChosenTable) -> tuple[str, ...]:
    table, *marks = st.session_state.get(_LEFT, ("",))
    return tuple(marks) if table == _table(draft) else ()


def _mark(found: Finding) -> str:
    """Tell findings apart; numbers in their sentences may change when others are answered."""
    return repr((found.kind, found.column, [(fix.setting, fix.value) for fix in found.fixes]))


_SAID = {
    "outcome": (_OUTCOME, 2),
    "reason": (_REASON, 2),
    "left": (_LEFT, None),
    "aside": (_ASIDE, None),
}
"""Where each is kept, and of how many texts it consists if that is settled."""


def said_on_page() -> dict[str, list[str]]:
    """Return what the Data page was told or guessed beside the reading, ready for JSON."""
    kept = {name: st.session_state.get(key) for name, (key, _) in _SAID.items()}
    said = {name: list(texts) for name, texts in kept.items() if texts}
    answers = all_answers()
    return said | ({_GROWN: [write_answers(answers)]} if answers else {})


def is_as_guessed(draft: ChosenTable, said: Mapping[str, Sequence[str]]) -> bool:
    """Whether nobody has changed how a table is read, nor answered anything else about it."""
    told, *_ = said.get("reason", ("",))
    left, *marks = said.get("left", ("",))
    asked, *_ = said.get("outcome", ("",))
    is_answered = (left == _table(draft) and marks) or asked.startswith(_table(draft))
    # An answer about cells lets roles be guessed anew, so the reason alone does not tell.
    joined = tuple(name for name in draft.reading.join_values if name != _target(draft))
    rest = replace(draft.reading, roles={}, bin_target=None, cut_target=None, join_values=joined)
    is_guessed = rest == ReadOptions() and (told == draft.key or draft.reading == rest)
    return is_guessed and not is_answered and not has_separate_rows(draft)


def said_of_used() -> dict[str, list[str]]:
    """Return what was said of the table in use, also while the page shows another."""
    said: dict[str, list[str]]
    _, said = st.session_state.get(_USED, (None, None))
    return said_on_page() if said is None else said


def bring_said(record: Any) -> None:
    """Bring back what :func:`said_on_page` returned, as far as it is such."""
    for name, (key, length) in _SAID.items():
        said = record.get(name) if isinstance(record, dict) else None
        if not isinstance(said, list) or not said or len(said) != (length or len(said)):
            continue
        if all(isinstance(text, str) for text in said):
            st.session_state[key] = tuple(said)
    grown = record.get(_GROWN) if isinstance(record, dict) else None
    if isinstance(grown, list) and len(grown) == 1 and isinstance(grown[0], str):
        with suppress(ValueError, ProbTreesError):
            bring_answers(read_answers(grown[0]))


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
    _put_by(source)
    try:
        guess = guess_reading(_look(source), source.reading)
    except ProbTreesError:
        return source  # what is wrong with it is said where it is shown
    found = replace(source, reading=guess.reading)
    st.session_state[_REASON] = (found.key, guess.reason)
    _keep_why_aside(source.reading, found)
    return found


def for_target(draft: ChosenTable, target: str) -> ChosenTable:
    """Return the table read for another target: what was set aside for the old one is not."""
    kept = {
        name: role
        for name, role in draft.reading.roles.items()
        if role not in ("target", "ignore") and name != target
    }
    reading = replace(draft.reading, roles=kept, join_outcomes=())
    found = replace(draft, reading=guess_for(_look(draft), reading, target).reading)
    _keep_why_aside(reading, found)
    return found


def reason_for_target(draft: ChosenTable) -> str:
    """Say why the target was guessed; nothing once something was changed."""
    key, reason = st.session_state.get(_REASON, ("", ""))
    return str(reason) if key == draft.key else ""


def why_aside(draft: ChosenTable, column: ColumnReport) -> str:
    """Say why a column is set aside, also where the reason no longer shows in the table.

    A target that is cut otherwise may not be given away any more by what gave it away before.
    """
    if reason := why_not_used(column):
        return reason
    table, *said = st.session_state.get(_ASIDE, ("",))
    reasons = dict(zip(said[::2], said[1::2], strict=True)) if table == _table(draft) else {}
    return str(reasons.get(column.name, "set aside by you"))


def forget_why_aside(names: Iterable[str]) -> None:
    """Forget why columns were set aside: somebody has said what they are used for."""
    table, *said = st.session_state.get(_ASIDE, ("",))
    forgotten = set(names)
    pairs = [pair for pair in zip(said[::2], said[1::2], strict=True) if pair[0] not in forgotten]
    st.session_state[_ASIDE] = (table, *(text for pair in pairs for text in pair))


def _keep_why_aside(before: ReadOptions, draft: ChosenTable) -> None:
    """Keep which columns a guess has set aside, each with the reason."""
    roles = draft.reading.roles
    names = [name for name, role in roles.items() if role == "ignore" != before.roles.get(name)]
    report = report_on(draft)
    pairs = [(name, why_not_used(report.column(name))) for name in names]
    said = (text for pair in pairs if pair[1] for text in pair)
    st.session_state[_ASIDE] = (_table(draft), *said)


def _look(source: ChosenTable) -> Look:
    return lambda reading: report_on(replace(source, reading=reading))


def take(source: ChosenTable) -> TableReport:
    """Put a file that was just given to use if it can be; else the Data page says what is wrong."""
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
    st.session_state.pop(_USED, None)
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


def apply_fix(draft: ChosenTable, column: str | None, fix: Fix, others: Sequence[str] = ()) -> None:
    """Follow a finding's advice about a column, and about others that it holds for alike."""
    apply_fixes(draft, [(name, fix) for name in (column, *others)])


def apply_fixes(draft: ChosenTable, fixes: Sequence[tuple[str | None, Fix]]) -> None:
    """Follow advice about several columns at once, all of one kind."""
    (column, fix), reading = fixes[0], draft.reading
    if fix.setting == _SEPARATE_FIX:
        answer_growing(draft.file_key, {_SEPARATE_FIX: True})
        return
    mended = reading
    for name, each in fixes:
        mended = mended.with_fix(name, each.setting, each.value)
    if _names_from(mended) != _names_from(reading):  # words about columns are about others now
        keep(_moved(draft, mended))
        return
    # Who takes a guess about cells back does not want it guessed again.
    is_undone = _target(draft) in {*reading.join_values} - {*mended.join_values}
    is_undone |= len(mended.empty_no) < len(reading.empty_no)
    # What other rows are to fill hangs on the target, which is not guessed again therefore.
    is_undone |= mended.fill_from_same != reading.fill_from_same
    if reason_for_target(draft) and fix.setting in _SAID_OF_CELLS and not is_undone:
        # Nobody chose the target or a role yet, and other cells may suggest another.
        unguessed = replace(mended, roles={}, bin_target=None, cut_target=None)
        keep(guessed(replace(draft, reading=unguessed)))
        return
    if column is not None and column == _target(draft) and _is_about_numbers(fix):
        mended = guess_for(_look(draft), mended, column).reading
    keep(replace(draft, reading=mended))


def _target(draft: ChosenTable) -> str | None:
    """Name what is predicted, by what was said."""
    return next((n for n, role in draft.reading.roles.items() if role == "target"), None)


def _is_about_numbers(fix: Fix) -> bool:
    """Whether a target may become a number by what is said, or no longer be one."""
    if fix.setting == "take back":
        return str(fix.value).split(" ", 1)[0] in ("numbers_in", "types")
    return fix.setting in ("numbers_in", "type")


def _moved(draft: ChosenTable, mended: ReadOptions) -> ChosenTable:
    """Read a table from another place of its file; what was said holds if its columns are there."""
    plain = replace(draft, reading=mended.layout)
    try:
        before, after = report_on(draft), report_on(plain)
    except ProbTreesError:
        return guessed(plain)
    if not {column.name for column in before.columns} <= {column.name for column in after.columns}:
        return guessed(plain)
    if before.target is None or reason_for_target(draft):
        return guessed(replace(draft, reading=replace(mended, roles={}, cut_target=None)))
    return for_target(replace(draft, reading=mended), before.target)


def _names_from(reading: ReadOptions) -> tuple[Any, ...]:
    """Return what decides where the names of the columns stand."""
    place = reading.place
    return *(place[name] for name in place if name != "as_written"), "title" in reading.as_written


@kept(spinner="Looking at the table")
def _inspect(key: str, reading: ReadOptions, _source: Any) -> TableReport:
    report = inspect_table(_source, **reading.arguments)
    limits().check_table(report.n_rows, len(report.columns))
    return report
