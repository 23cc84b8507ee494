"""Three questions about a table, answered by guesses that can be changed, and one button.

What do you want to know, which outcome, what may not be used: who answers these has a tree.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.score.prevalence import rarest_outcome
from probtrees.table.cells.spelled_numbers import all_are_numbers
from probtrees.table.infer.dates.date_spans import USED_SPAN
from probtrees.table.infer.dates.leave_out_dates import LITTLE_ELSE
from probtrees.table.infer.guess_reading import REASONS
from probtrees.table.infer.target_classes import (
    MAX_NUMERIC_CLASSES,
    WORDS_IN_TARGET,
    read_as_said,
)
from probtrees.table.table_report import ColumnReport, TableReport
from probtrees.types import FloatArray
from probtrees.ui.data.answers import (
    take_down,
    use_cut,
    use_fix,
    use_joined,
    use_roles,
    use_target,
    was_stopped,
)
from probtrees.ui.data.choose_table import say_grow
from probtrees.ui.data.threshold import choose_threshold
from probtrees.ui.shared.draft import (
    choose_outcome,
    meant_outcome,
    reason_for_outcome,
    reason_for_target,
    why_aside,
)
from probtrees.ui.shared.session import state
from probtrees.ui.shared.table_source import ChosenTable, written_rows
from probtrees.words import percent

_MOST_COLUMNS = 2000
_MOST_REASONS = 8
_ABOVE, _EACH = "threshold", "each number"
_FEWEST_NUMBERS = 5
"""A target of so many numbers for classes is offered to be cut."""
_GROUPS = (3, 4, 5)
_FEWEST_TO_JOIN, _MOST_TO_JOIN = 3, 20


def three_questions(draft: ChosenTable, report: TableReport) -> None:
    """Ask what a tree needs to know, with answers guessed, and offer to grow it."""
    with st.container(border=True, key="three_questions"):
        first, second, third = st.columns(3, gap="medium")
        with first:
            _what(draft, report)
        with second:
            _which_outcome(draft, report)
        with third:
            _what_not(draft, report)
        _grow(draft, report)


def _what(draft: ChosenTable, report: TableReport) -> None:
    """Ask for the target; a number is asked where to cut it."""
    names = [column.name for column in report.columns][:_MOST_COLUMNS]
    target = report.target
    key = f"data.target {draft.key}"
    st.selectbox(
        "**1 · What do you want to know?**",
        names,
        index=names.index(target) if target in names else None,
        key=key,
        on_change=_say_target,
        args=(draft, key),
        format_func=lambda name: _with_label(report.column(name)),
        help="The column that is predicted from the others.",
    )
    if reason := reason_for_target(draft):
        st.caption(markdown_text(reason))
    if target is not None and _can_be_cut(report):
        _where_to_cut(draft, target, report)


def _say_target(draft: ChosenTable, key: str) -> None:
    target: str | None = st.session_state[key]
    if target is not None:
        take_down(draft, partial(use_target, target=target))


def _can_be_cut(report: TableReport) -> bool:
    """Whether the target is a number, or has so many numbers for classes that it might be one."""
    assert report.target is not None
    if report.column(report.target).type == "numeric":
        return True
    names = [name for name, _ in report.class_counts]
    return len(names) >= _FEWEST_NUMBERS and all_are_numbers(names)


def _with_label(column: ColumnReport) -> str:
    """Name a column, with what its file says it holds."""
    return f"{column.name}  ({column.label})" if column.label else column.name


def _where_to_cut(draft: ChosenTable, target: str, report: TableReport) -> None:
    """Make classes of a number: above or below a threshold, or a few groups of equal size.

    What means missing is no number, nor what is left out until somebody says what it is.
    """
    left_out = [f for f in report.column(target).findings if f.kind == WORDS_IN_TARGET]
    missing = (*draft.reading.missing_for(target), *(t for f in left_out for t in f.texts))
    column = written_rows(draft).columns[target].without(missing)
    said = read_as_said(target, column, draft.reading)
    values = (column if said is None else said.column).as_numbers().values
    values = values[np.isfinite(values)]
    if not len(values) or values.min() == values.max():
        return
    reading = draft.reading
    ways = [_ABOVE, *(f"{number} groups" for number in _GROUPS)]
    now = _ABOVE if reading.cut_target is not None else f"{reading.bin_target} groups"
    if len(np.unique(values)) <= MAX_NUMERIC_CLASSES:
        ways.append(_EACH)
        now = _EACH if reading.cut_target is None and reading.bin_target is None else now
    key = f"data.cut way {draft.key}"
    st.pills(
        "As",
        ways,
        default=now if now in ways else None,
        key=key,
        on_change=_say_way,
        args=(draft, target, _middle(values), key),
        label_visibility="collapsed",
    )
    if reading.cut_target is not None:
        counts = [n for _, n in report.class_counts]
        share = counts[-1] / sum(counts) if len(counts) == 2 and any(counts) else None
        choose_threshold(draft, target, values, reading.cut_target, share)


def _say_way(draft: ChosenTable, target: str, middle: float, key: str) -> None:
    way: str | None = st.session_state[key]
    if way is not None:
        cut = middle if way == _ABOVE else None
        groups = None if way in (_ABOVE, _EACH) else int(way.split()[0])
        take_down(draft, partial(use_cut, target=target, cut=cut, groups=groups))


def _middle(values: FloatArray) -> float:
    """Return a number that about half of the values lie over, and some certainly do."""
    middle = float(np.median(values))
    return middle if middle < values.max() else float(values[values < middle].max())


def _which_outcome(draft: ChosenTable, report: TableReport) -> None:
    """Ask for the outcome of interest; at first the one that is probably meant."""
    if not report.class_counts:
        st.markdown("**2 · Which outcome?**")
        st.caption("There are no outcomes yet: see what is marked below.")
        return
    counts = dict(report.class_counts)
    names, total = list(counts), max(sum(counts.values()), 1)
    outcome = _outcome(draft, report, names)
    # A box of its own for every reading: a browser keeps what a box says while its key stays.
    key = f"data.outcome {draft.key}"
    st.session_state[key] = outcome
    st.selectbox(
        "**2 · Which outcome?**",
        names,
        key=key,
        on_change=_use_outcome,
        args=(draft, report, key),
        format_func=lambda name: f"{name}  ({percent(counts[name] / total)})",
        help="Pictures, sentences and costs of the other pages are about this outcome.",
    )
    reason = reason_for_outcome(draft, report, outcome)
    guessed = f" Guessed: {markdown_text(reason)}." if reason else ""
    st.caption(f"{counts[outcome]:,} of {total:,} {_counted(report, total)}{guessed}")
    _several_outcomes(draft, report, names)


def _several_outcomes(draft: ChosenTable, report: TableReport, names: list[str]) -> None:
    """Offer to make one outcome of several, or to take that back."""
    reading = draft.reading
    if reading.join_outcomes:
        st.button(
            "Take the outcomes apart",
            key=f"data.apart {draft.key}",
            type="tertiary",
            on_click=take_down,
            args=(draft, partial(use_joined, target=report.target or "", outcomes=())),
        )
        return
    is_cut = reading.cut_target is not None or reading.bin_target is not None
    if is_cut or not _FEWEST_TO_JOIN <= len(names) <= _MOST_TO_JOIN:
        return
    with st.popover("Join outcomes", type="tertiary"):
        # One set for all readings of the table: clicks while another answer is followed are kept.
        key = f"data.joined {draft.file_key} {report.target}"
        if not set(st.session_state.get(key, ())) <= set(names):
            st.session_state[key] = [name for name in names if name in st.session_state[key]]
        chosen = st.pills(
            "Together, against all others",
            names,
            selection_mode="multi",
            key=key,
            format_func=markdown_text,
            help="As in a survey's top two boxes: 'Likely' and 'Very likely' are one outcome.",
        )
        said = [name for name in names if name in chosen]
        st.button(
            "Read them as one",
            key=f"data.join {draft.key}",
            disabled=not 2 <= len(said) < len(names),
            on_click=take_down,
            args=(draft, partial(use_joined, target=report.target or "", outcomes=said)),
        )


def _counted(report: TableReport, total: int) -> str:
    """Say what the numbers of a table's outcomes count: rows, or the cases they stand for."""
    weights = [column.name for column in report.columns if column.role == "weight"]
    if not weights or total <= report.n_rows:
        return "rows."
    return f"cases: each row counts as many as **{markdown_text(weights[0])}** says."


def _outcome(draft: ChosenTable, report: TableReport, names: list[str]) -> str:
    """Name the outcome of interest: the one on the other pages, the one chosen, or a guess."""
    in_use: int | None = st.session_state.get(state.OUTCOME)
    if draft.is_in_use and in_use is not None and in_use < len(names):
        return names[in_use]
    if draft.is_in_use:
        counts = np.array([n for _, n in report.class_counts], dtype=np.float64)
        return names[rarest_outcome(counts)]
    return meant_outcome(draft, report)


def _use_outcome(draft: ChosenTable, report: TableReport, key: str) -> None:
    """Keep the chosen outcome; the other pages ask about it too if they show this table."""
    outcome = st.session_state[key]
    choose_outcome(draft, report.target, outcome)
    if draft.is_in_use:
        names = [name for name, _ in report.class_counts]
        st.session_state[state.OUTCOME] = names.index(outcome)


def _what_not(draft: ChosenTable, report: TableReport) -> None:
    """Ask what must stay out of the tree: what is known too late, or says whose row it is."""
    others = [column for column in report.columns if column.role in ("feature", "ignore")]
    others = others[:_MOST_COLUMNS]
    left_out = [column.name for column in others if column.role == "ignore"]
    key = f"data.left out {draft.key}"
    st.multiselect(
        "**3 · What may not be used?**",
        [column.name for column in others],
        default=left_out,
        key=key,
        on_change=_say_left_out,
        args=(draft, left_out, key),
        placeholder="Everything may be used",
        help="Columns that are not known when the question is asked, or only name the row.",
    )
    known = {column.name: column for column in others}
    by_reason: dict[str, list[str]] = {}
    for name in left_out:
        why = why_aside(draft, known[name])
        why = why if why in REASONS.values() else markdown_text(why)  # it may name columns
        by_reason.setdefault(why, []).append(name)
    if by_reason:
        st.caption("  \n".join(f"{_few(names)}: {why}" for why, names in by_reason.items()))
    _dates_used(draft, [column for column in others if column.role == "feature"])


def _say_left_out(draft: ChosenTable, left_out: list[str], key: str) -> None:
    chosen = set(st.session_state[key])
    changed = chosen ^ set(left_out)
    roles = {name: "ignore" if name in chosen else "feature" for name in changed}
    take_down(draft, partial(use_roles, roles=roles))


def _few(names: list[str]) -> str:
    """List columns that are left out for one reason."""
    shown = ", ".join(f"**{markdown_text(name)}**" for name in names[:_MOST_REASONS])
    more = len(names) - _MOST_REASONS
    shown += f" and {more} more" if more > 0 else ""
    return f"{shown}, each" if len(names) > 1 else shown


def _dates_used(draft: ChosenTable, used: list[ColumnReport]) -> None:
    """Say of dates that are used why they are: most of them are not."""
    dates = [column for column in used if column.type == "date"][:_MOST_REASONS]
    little = len(used) - len(dates) < LITTLE_ELSE
    for column in dates:
        kinds = {found.kind: found for found in column.findings}
        why = "there is little else" if little else "you said so"
        words = f"a date, used since {why}"
        words = "birth dates, used since they tell the age" if "birth" in kinds else words
        words = _as_years(kinds["age"].sentence) if "age" in kinds else words
        words = "used as the days to another date" if USED_SPAN in kinds else words
        st.caption(f"**{markdown_text(column.name)}**: {words}")
        for fix in kinds["birth"].fixes[:1] if "birth" in kinds else ():
            st.button(
                fix.label,
                key=f"data.age {draft.key} {column.name}",
                type="tertiary",
                on_click=take_down,
                args=(draft, partial(use_fix, column=column.name, fix=fix)),
                help="A tree then splits by age, also in later tables.",
            )


def _as_years(sentence: str) -> str:
    r"""Say up to which day years are counted, and what becomes of that in a later table.

    >>> print(_as_years("Column 'hired' is used as the years since then, counted on 2022-01-08."))
    used as the years since then\, counted on 2022\-01\-08; *Score a file* asks for the day again
    """
    said = markdown_text(sentence[sentence.rindex("used as") :].rstrip("."))
    return f"{said}; *Score a file* asks for the day again"


def _grow(draft: ChosenTable, report: TableReport) -> None:
    """Offer the tree; say what is in the way."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Grow the tree",
            type="primary",
            icon=":material/account_tree:",
            disabled=not report.usable,
            on_click=say_grow,
            help="Builds the pages from this table, read like this, and opens the tree.",
        )
        if not report.usable:
            begin = "**Not grown**: first" if was_stopped(draft) else "First"
            st.caption(f"{begin} settle what is marked as an error below.")
        elif draft.is_in_use:
            st.caption("The other pages are built from this table.")
        else:
            st.caption("Not grown yet. Until then the other pages stay as they are.")
