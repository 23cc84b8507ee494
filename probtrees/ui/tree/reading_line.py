"""One quiet line above the tree: what was decided when a table was read, and how it is grown."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.errors import ProbTreesError
from probtrees.experiment.registry import LEARNERS
from probtrees.table.infer.leaks import STRONG_COLUMN
from probtrees.table.infer.outcomes.worked_out import WORKED_OUT
from probtrees.table.infer.text_habits import VARIANTS
from probtrees.table.table_report import Finding, Fix, TableReport
from probtrees.ui.shared.alike_findings import together
from probtrees.ui.shared.choose_sheet import sheet_words
from probtrees.ui.shared.draft import (
    apply_fix,
    current_draft,
    is_answered,
    leave_as_it_is,
    report_on,
    take_reading,
    use,
)
from probtrees.ui.shared.finding_words import IN_SIGHT, above_tree, decided, open_questions
from probtrees.ui.shared.page import go_to
from probtrees.ui.shared.session.growing_answers import set_before, take_growing_back
from probtrees.ui.shared.table_source import ChosenTable, current_source
from probtrees.ui.shared.workbench import TreeBench
from probtrees.words import as_people_read, count_text, plural

KNOWN_LATE = (STRONG_COLUMN, "leak", WORKED_OUT)
"""Kinds of questions about columns in use that the tree may owe its answers to."""
_MOST_NAMED = 2
"""So many questions of a kind are asked above the tree itself; others are counted."""


def reading_line(asked_elsewhere: Collection[str] = ()) -> None:
    """Say what was decided, and what is open, with the way to where it is changed.

    Parameters
    ----------
    asked_elsewhere : columns of which the page already asks whether they were known beforehand
    """
    source = current_source()
    if source.upload is None:
        return
    try:
        report = report_on(source)
    except ProbTreesError:
        return  # the page itself says what is wrong
    waiting = _answered_since(source)
    if waiting is not None:
        _offer_to_grow(*waiting)
    others = _asked(source, report) if waiting is None else _asked(*waiting)
    asked = [f for f in others if f.kind not in KNOWN_LATE or f.column not in asked_elsewhere]
    if waiting is None:
        suspected = [found for found in asked if found.kind in KNOWN_LATE][:_MOST_NAMED]
        miscounted = [found for found in asked if _is_of_counts(found, report.target)]
        miscounted = [found for found in miscounted if found not in suspected]
        miscounted = sorted(miscounted, key=lambda found: found.kind != VARIANTS)[:_MOST_NAMED]
        for found in miscounted:
            _ask_what_counts(source, found, report.target)
        for found in suspected:
            _ask_if_known(source, found, others[found])
        asked = [found for found in asked if found not in (*suspected, *miscounted)]
    if asked:
        # Of all questions the one about what is predicted changes most.
        is_of_target = any(found.column == report.target for found in asked)
        about = f", also about **{markdown_text(report.target or '')}**" if is_of_target else ""
        icon = ":orange[:material/help:]"
        st.caption(f"{icon} **{plural(len(asked), 'questions')}** open{about}.", width="content")
        _to_data_page("Answer")
    said = decided(report)
    words = [sheet] if (sheet := sheet_words(source.upload, source.reading.sheet)) else []
    words += [f"When reading: {markdown_text('; '.join(said))}."] if said else []
    if words:
        with st.container(key="decided"):
            st.caption(" ".join(words))
    if not asked and (words or waiting):
        _to_data_page("Change")


def _is_of_counts(found: Finding, target: str | None) -> bool:
    """Whether all of the tree hangs on the answer: what is counted, how often, and by what."""
    return bool(found.fixes) and (found.column == target or found.kind in IN_SIGHT)


def _ask_what_counts(source: ChosenTable, found: Finding, target: str | None) -> None:
    """Ask in sight what makes all numbers of the tree wrong if it is not as it was read."""
    st.markdown(
        f":orange[:material/warning: {markdown_text(above_tree(found, target))}]",
        width="content",
    )
    first, about = found.fixes[0], f"{found.kind} {found.column}"
    st.button(
        markdown_text(first.label),
        type="tertiary",
        key=f"answer {about} {first.label}",
        on_click=_follow,
        args=(source, found.column, first),
        help="Grows the tree again. The Data page takes it back.",
    )
    st.button(
        "Leave it",
        type="tertiary",
        key=f"leave {about}",
        on_click=leave_as_it_is,
        args=(source, found),
        help="It is fine as it is. Keeps the tree, and asks no more.",
    )


def _follow(source: ChosenTable, column: str | None, fix: Fix) -> None:
    """Answer as the Data page does, and grow the tree again."""
    apply_fix(source, column, fix)
    take_reading(current_draft())


def _ask_if_known(source: ChosenTable, found: Finding, others: Sequence[str]) -> None:
    """Ask in sight about a column that the tree may owe its answers to, though known too late.

    ``others`` are those that are asked about in the same sentence.
    """
    name = str(found.column)
    st.markdown(
        f":orange[:material/error:] {markdown_text(as_people_read(found.sentence))}",
        width="content",
    )
    st.button(
        "Ignore them" if others else "Ignore it",
        type="tertiary",
        key=f"ignore suspected {name}",
        on_click=_ignore,
        args=(source, (name, *others)),
        help="Grows the tree again without. The Data page takes it back.",
    )
    st.button(
        "They were known" if others else "It was known",
        type="tertiary",
        key=f"suspected is known {name}",
        on_click=leave_as_it_is,
        args=(source, found),
        help="Keeps the tree, and asks no more.",
    )


def _ignore(source: ChosenTable, names: Sequence[str]) -> None:
    reading = source.reading
    for name in names:
        reading = reading.with_role(name, "ignore")
    take_reading(replace(source, reading=reading))


def growing_line(bench: TreeBench, form: str = "tree") -> None:
    """Say which rows are counted where not all are, and what was set before this table came.

    Nobody who looks at the picture would else know it: it shows half as many rows as there are.

    Parameters
    ----------
    form : what the tree is, one of ``FORMS``. The members of a council are grown in their own way.
    """
    source = current_source()
    is_halved = bench.counts.grown.spec.learner.separate_rows and bench.data.n_rows > 1
    if form == "council":
        if is_halved:
            st.caption(
                "*Use separate rows* is on, but does not hold for a council: its members learn "
                "from **all rows**."
            )
        return
    if is_halved:
        st.caption(_which_rows(bench, form), width="content")
        st.button(
            "Use all rows",
            type="tertiary",
            key="use all rows",
            on_click=take_growing_back,
            args=(source.file_key, "separate_rows"),
        )
    kept = {n: v for n, v in set_before(source.file_key).items() if n != "separate_rows"}
    if kept:
        labels = {field.name: field.label for field in LEARNERS["c45"].options}
        words = ", ".join(f"{labels[name]}: {value}" for name, value in kept.items())
        st.caption(
            f"Still grown as set for another table: {markdown_text(words)}.", width="content"
        )
        st.button(
            "Grow as usual",
            type="tertiary",
            key="grow as usual",
            on_click=_grow_as_usual,
            args=(source.file_key, tuple(kept)),
        )


def _which_rows(bench: TreeBench, form: str) -> str:
    """Say what the halves of the rows are for."""
    counted, rows = float(bench.tree.totals[0]), float(bench.data.row_weights.sum())
    if form == "tree":
        return (
            f"Counted are **half of the rows**, {count_text(counted)} of {count_text(rows)}; the "
            "others only give the tree its shape."
        )
    return (
        f"**Half of the rows**, {count_text(rows - counted)} of {count_text(rows)}, give the tree "
        "its splits; what paths and columns add is learnt from all of them."
    )


def _grow_as_usual(file: str, options: Sequence[str]) -> None:
    for option in options:
        take_growing_back(file, option)


def _to_data_page(label: str) -> None:
    """Offer the page where everything about the table is said."""
    if st.button(
        label,
        type="tertiary",
        key="to findings",
        help="Opens the Data page, where each of them is one click.",
    ):
        go_to("data")


def _offer_to_grow(draft: ChosenTable, report: TableReport) -> None:
    """Say that the tree is not grown as the Data page shows the table, and offer to do so."""
    st.caption("**What was changed on the Data page is not in this tree yet.**", width="content")
    if report.usable:
        st.button(
            "Grow again",
            type="tertiary",
            key="grow as answered",
            on_click=use,
            args=(draft,),
            help="Builds the pages from the table as the Data page shows it.",
        )


def _asked(table: ChosenTable, report: TableReport) -> dict[Finding, tuple[str, ...]]:
    """Return the questions that the Data page asks about a table, each with its other columns."""
    shown = together(report.findings, report.target)
    asked = open_questions(shown, report, partial(is_answered, table))
    return {found: shown[found] for found in asked}


def _answered_since(source: ChosenTable) -> tuple[ChosenTable, TableReport] | None:
    """Return the table in use as the Data page shows it, where it was changed there since."""
    draft = current_draft()
    if draft.file_key != source.file_key or draft.key == source.key:
        return None
    try:
        return draft, report_on(draft)
    except ProbTreesError:
        return None  # the Data page says what is wrong
