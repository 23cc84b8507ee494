"""What stands below the questions of the Data page: findings, columns, class balance, rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.errors import ProbTreesError
from probtrees.table.infer.inspect_table import SEPARATE_ROWS, few_shape
from probtrees.table.infer.text_habits import listed
from probtrees.table.read_options import ROLES, TYPES
from probtrees.table.table_report import (
    ColumnReport,
    Finding,
    TableReport,
    UnreadableTableError,
)
from probtrees.ui.data.answer_all import offer_all
from probtrees.ui.data.answers import take_down, use_columns, use_fix
from probtrees.ui.shared.alike_findings import together
from probtrees.ui.shared.draft import (
    has_separate_rows,
    is_answered,
    is_settled,
    leave_as_it_is,
    use_all_rows,
)
from probtrees.ui.shared.finding_words import (
    beside_buttons,
    is_told,
    open_questions,
    urgency,
    without_options,
)
from probtrees.ui.shared.table_source import ChosenTable
from probtrees.words import percent, plural, rows_text

_ICONS = {
    "note": ":gray[:material/info:]",
    "warning": ":orange[:material/help:]",
    "said": ":green[:material/check:]",
}
_MOST_COLUMNS = 300
"""Columns that are listed for editing; more would be slow to draw."""
_MOST_ASKED, _MOST_SAID = 5, 3
"""Questions, and answers to them, that stand in sight."""
_MOST_MARKS = 3
_HALF = "Half of the rows give the tree its shape, the other half its numbers."


def why_not(draft: ChosenTable, problem: ProbTreesError) -> None:
    """Say why a file cannot be read, with other ways to read it."""
    offers = problem.findings if isinstance(problem, UnreadableTableError) else ()
    st.error(
        markdown_text(
            problem.problem if isinstance(problem, UnreadableTableError) else str(problem)
        )
    )
    for number, found in enumerate(offers):
        _finding(draft, found, number)


def findings(draft: ChosenTable, report: TableReport) -> None:
    """List what people should know, with one-click remedies: first what needs an answer.

    What was converted, and what they have said, stays in sight, since it is taken back there; the
    rest is folded away.
    """
    shared = together(report.findings, report.target)
    asked = open_questions(shared, report, partial(is_answered, draft))
    asked.sort(key=lambda found: urgency(found, report.target))
    settled = [found for found in shared if is_settled(draft, found)]
    if not settled and has_separate_rows(draft):
        settled = [Finding(None, "said", _HALF, "", "note", (SEPARATE_ROWS,))]
        shared = {**shared, settled[0]: ()}
    # How the tree is grown stands nowhere else on the page, so it comes first.
    said = settled + [found for found in shared if found.kind == "said" and found not in settled]
    told = [found for found in shared if is_told(found, report)]
    answered = told + said
    notes = [found for found in shared if found not in asked and found not in answered]

    def icon_of(found: Finding) -> str:
        return _ICONS["warning" if found in asked else "said" if found in answered else "note"]

    offer_all(draft, {found: shared[found] for found in asked}, report.target)
    seen = asked[:_MOST_ASKED] + told[:_MOST_SAID] + said[:_MOST_SAID]
    for number, found in enumerate(seen):
        halves = _settled_words(report) if found in settled else ""
        _finding(draft, found, number, shared[found], icon_of(found), halves)
    folded = asked[_MOST_ASKED:] + told[_MOST_SAID:] + said[_MOST_SAID:] + notes
    if folded:
        more = len(asked) - _MOST_ASKED
        words = f"{plural(more, 'more questions')}, and what else to know" if more > 0 else ""
        words = words or f"{plural(len(folded), 'things')} to know about how the table is read"
        # By its key it stays open when an answer changes the number in its name.
        with st.expander(words, key="data.more"):
            for number, found in enumerate(folded, start=len(seen)):
                halves = _settled_words(report) if found in settled else ""
                _finding(draft, found, number, shared[found], icon_of(found), halves)


def _finding(
    draft: ChosenTable,
    found: Finding,
    number: int,
    alike: Sequence[str] = (),
    icon: str = _ICONS["warning"],
    settled: str = "",
) -> None:
    """Show one finding with its remedies, which hold for columns like its own too.

    Parameters
    ----------
    settled : what is said in its place where how the tree is grown has answered it
    """
    words = settled or markdown_text(beside_buttons(found))
    advice = markdown_text(without_options(found.remedy)) or None
    with st.container(horizontal=True, vertical_alignment="center", key=f"finding_{number}"):
        if found.severity == "error":
            st.error(words, icon=":material/error:")
        else:
            st.markdown(f"{icon} {words}")
        if settled:
            st.button(
                "Take it back", key=f"data.fix {number}", on_click=use_all_rows, args=(draft,)
            )
        for fix in () if settled else found.fixes:
            st.button(
                markdown_text(fix.label),
                key=f"data.fix {number} {fix.label}",
                on_click=take_down,
                args=(draft, partial(use_fix, column=found.column, fix=fix, others=alike)),
                help=advice,
            )
        if icon == _ICONS["warning"] and found.severity == "warning":
            st.button(
                "Leave it",
                type="tertiary",
                key=f"data.leave {number}",
                on_click=leave_as_it_is,
                args=(draft, found),
                help="It is fine as it is. The question moves to what is folded away.",
            )


def _settled_words(report: TableReport) -> str:
    """Say what separate rows do, and where they leave too few of a class."""
    fewest = min((count for _, count in report.class_counts if count), default=0)
    return f"{_HALF} {few_shape(fewest)}".rstrip()


@dataclass
class _Grid:
    """What the grid of columns was drawn from, and what it shows after edits.

    It is drawn again only if the table is read in another way than shown: a new grid begins at its
    top, and whoever sets ten roles one after the other would scroll ten times. Its edits are gone
    when the page was left, so then it is drawn again too, with the roles that were set. ``facts``
    are the missing and different values of columns that were not edited in it.
    """

    table: str
    number: int
    frame: pd.DataFrame
    shown: list[tuple[str, str]]
    facts: dict[str, tuple[Any, ...]]

    @property
    def key(self) -> str:
        """Under which the browser's edits are kept, while the page is open."""
        return f"data.columns {self.number}"

    def take(self, edits: Mapping[int, Mapping[str, Any]]) -> dict[str, dict[str, str]]:
        """Show edits, by row all that were ever made; return what is new of them, by column."""
        said = {}
        for row, cells in edits.items():
            name, (role, kind) = str(self.frame["column"][row]), self.shown[row]
            before = {"role": role, "type": kind}
            after = before | {part: str(cells[part]) for part in before if part in cells}
            if after != before:
                said[name] = {part: after[part] for part in after if after[part] != before[part]}
                self.facts.pop(name, None)
                self.shown[row] = (after["role"], after["type"])
        return said


def _grid(draft: ChosenTable, shown: Sequence[ColumnReport]) -> _Grid:
    """Return the grid as it is, or a new one if another table or another reading is shown."""
    now = [(column.role, column.type) for column in shown]
    table = f"{draft.name} {[column.name for column in shown]}"
    grid: _Grid | None = st.session_state.get("data.grid")
    facts = {column.name: (column.n_missing, column.n_distinct) for column in shown}
    if (
        grid is not None
        and grid.key in st.session_state
        and grid.table == table
        and grid.shown == now
        and grid.facts.items() <= facts.items()
    ):
        return grid
    frame = pd.DataFrame(
        {
            "column": [column.name for column in shown],
            "role": [column.role for column in shown],
            "type": [column.type for column in shown],
            "missing": [100 * column.missing_share for column in shown],
            "values": [column.n_distinct for column in shown],
            "examples": [_examples(column) for column in shown],
            "histogram": [[count for _, count in column.bars] for column in shown],
        }
    )
    if any(column.label for column in shown):
        frame.insert(1, "label", [column.label for column in shown])
    grid = _Grid(table, 1 if grid is None else grid.number + 1, frame, list(now), facts)
    st.session_state["data.grid"] = grid
    return grid


def _examples(column: ColumnReport) -> str:
    """Show some values, first of all a cell that was read as a number it does not look like."""
    shown = (column.written, *column.examples[1:]) if column.written else column.examples
    return ", ".join(shown)


def columns_table(draft: ChosenTable, report: TableReport) -> None:
    """Show every column; its role and its type can be changed."""
    shown = report.columns[:_MOST_COLUMNS]
    grid = _grid(draft, shown)
    types = sorted({*TYPES, *(column.type for column in shown)})
    config: dict[str, Any] = {
        "role": st.column_config.SelectboxColumn(
            options=list(ROLES),
            required=True,
            help="feature: predicted from; target: predicted; ignore: left out; weight: how often "
            "a row counts; group: rows that stay in one fold; time: folds train on the past.",
        ),
        "type": st.column_config.SelectboxColumn(
            options=types, required=True, help="What the column holds."
        ),
        "missing": st.column_config.ProgressColumn(format="%.1f %%", min_value=0, max_value=100),
        "values": st.column_config.NumberColumn(help="How many different values."),
        "histogram": st.column_config.BarChartColumn(y_min=0),
    }
    st.data_editor(
        grid.frame,
        hide_index=True,
        disabled=["column", "label", "missing", "values", "examples", "histogram"],
        column_config=config,
        key=grid.key,
        on_change=_take_down_edits,
        args=(draft, grid),
    )
    if len(report.columns) > _MOST_COLUMNS:
        st.caption(f"The first {_MOST_COLUMNS} of {len(report.columns):,} columns.")


def _take_down_edits(draft: ChosenTable, grid: _Grid) -> None:
    """Take edits of the grid down like other answers, which may draw it again meanwhile."""
    edits: dict[int, dict[str, Any]] = st.session_state[grid.key]["edited_rows"]
    if said := grid.take(edits):
        take_down(draft, partial(use_columns, said=said))


def class_balance(report: TableReport) -> None:
    """Show how many rows each class has."""
    if not report.class_counts:
        return
    total = max(sum(count for _, count in report.class_counts), 1)
    frame = pd.DataFrame(
        {
            "class": [name for name, _ in report.class_counts],
            "rows": [count for _, count in report.class_counts],
            "share": [100 * count / total for _, count in report.class_counts],
        }
    )
    st.markdown(f"**Classes of {markdown_text(report.target or '')}**")
    st.dataframe(
        frame,
        hide_index=True,
        column_config={
            "share": st.column_config.ProgressColumn(format="%.1f %%", min_value=0, max_value=100)
        },
        key="data.classes",
        alt="Rows and share of every class",
    )


def first_rows(report: TableReport) -> None:
    """Show how the table begins; what was understood of its cells stands with the columns."""
    names = [column.name for column in report.columns]
    how = "cells as they stand in the file" if report.rows_as_written else "missing cells empty"
    st.markdown(f"**First rows**, {how}")
    st.dataframe(pd.DataFrame(list(report.first_rows), columns=names), hide_index=True)


def headline(draft: ChosenTable, report: TableReport) -> str:
    """Say what the table is in one line."""
    n_missing = sum(column.n_missing for column in report.columns)
    cells = max(report.n_rows * len(report.columns), 1)
    target, failed = report.target, _failed_formulas(report)
    words = "no target" if target is None else f"target: **{markdown_text(target)}**"
    return (
        f"**{markdown_text(draft.name)}** · {rows_text(report.n_rows)} · "
        f"{plural(len(report.columns), 'columns')} · {percent(n_missing / cells)} of the cells "
        f"missing{failed} · {words}"
    )


def _failed_formulas(report: TableReport) -> str:
    """Say which marks of failed formulas are among the missing cells."""
    marks = [text for found in report.findings if found.kind == "marks" for text in found.texts]
    failed = [text for text in marks if text.startswith("#")][:_MOST_MARKS]
    return f" (also {markdown_text(listed(failed))})" if failed else ""
