"""Score an uploaded table with the model on show, and say what is odd about its rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.errors import ProbTreesError
from probtrees.model.model import Model
from probtrees.report.odd_rows import (
    columns_of_other_unit,
    n_rows_unseen,
    strange_columns,
    unknown_words,
)
from probtrees.report.scored_table import SCORED_COLUMNS, costs_of_cut, scored_table
from probtrees.report.table_files import FOR_ANYBODY, FOR_EXCEL, csv_bytes, xlsx_bytes
from probtrees.score.decision import Cut
from probtrees.table.dataset import Dataset
from probtrees.table.encode import CellProblems
from probtrees.table.match import AbsentColumnsError, UnmatchedColumn
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_rows, read_written
from probtrees.ui.shared.exports import Export, ExportTab
from probtrees.ui.shared.give_table import ask_place
from probtrees.ui.shared.session.bounded_cache import Upload, content_of, limits
from probtrees.ui.shared.table_source import FILE_HELP
from probtrees.words import act_from, outcome_title, rows_text

_SHOWN_ROWS = 20
_BOX_WIDTH = 180
_NOT_RECORDED = "(not recorded)"
_LABELS = {
    "input": "input columns",
    "id": "ID columns",
    "leaf": "leaf",
    "rule": "rule",
    "odd": "what is odd",
}


@dataclass(frozen=True)
class ScoredFile:
    """A table that was scored: its rows, and every row's probabilities with what was asked for.

    ``n_unseen`` rows have a value that training had not, in a column that the model asks for.
    """

    rows: Dataset
    frame: pd.DataFrame
    n_unseen: int = 0


def ask_file(model: Model, act: Cut | None) -> ScoredFile | None:
    """Ask for a table, score it, decide from a chance on, show the rows; None without a table."""
    file = st.file_uploader(
        "A table with the same columns",
        key="export.score",
        help=f"The target may be absent; columns may come in any order. {FILE_HELP}",
    )
    offered = [name for name in _LABELS if model.kind == "tree" or name not in ("leaf", "rule")]
    chosen = st.pills(
        "Beside the probabilities",
        offered,
        selection_mode="multi",
        default=[name for name in offered if name != "id"],
        format_func=_LABELS.__getitem__,
        key=f"export.score columns {len(offered)}",
        persist_state="session",
        help="; ".join(f"{_LABELS[name]}: {SCORED_COLUMNS[name]}" for name in offered) + ".",
    )
    if file is None:
        also = f", and a decision: {act_from(*act[1:])}" if act else ""
        st.caption(f"Every row gets the probability of every class by the model on show{also}.")
        return None
    costs = act and costs_of_cut(len(model.schema.classes), act)
    try:
        upload = Upload(file.name, content_of(file))
        layout = ask_place(upload, "export.score", ReadOptions(unused=model.unused_columns))
        layout, rows, unreadable = _matched_rows(upload, model, layout)
        limits().check_table(rows.n_rows, rows.schema.n_columns)
        written = read_written((upload.name, upload.content), ReadOptions(**layout.place))
        table = scored_table(model, rows, unreadable, written, chosen, costs=costs)
    except ProbTreesError as problem:
        said = problem.problem if isinstance(problem, AbsentColumnsError) else str(problem)
        st.error(markdown_text(said))
        return None
    table = _preview(model, table, act and act[0])
    return ScoredFile(rows, table, n_rows_unseen(model, rows))


def _matched_rows(
    upload: Upload, model: Model, layout: ReadOptions
) -> tuple[ReadOptions, Dataset, CellProblems]:
    """Read a table, with names, values and units matched to training's as somebody says."""
    source, key = (upload.name, upload.content), f"export.score {upload.digest}"

    def read(how: ReadOptions) -> tuple[Dataset, CellProblems]:
        return read_rows(source, model.schema, how)

    try:
        rows, unreadable = read(layout)
    except AbsentColumnsError as problem:
        layout = _say_names(problem, layout, key)
        rows, unreadable = read(layout)
    units = _say_units(model, rows, layout, key)
    unknown = unknown_words(source, model, rows, layout, unreadable)
    said = match_values(unknown, f"{key} values", units) if unknown else units
    if said != layout:
        rows, unreadable = read(said)
    asked = [column.name for column in unknown]
    for name, sentence in strange_columns(model, rows, unreadable).items():
        if name not in asked:
            st.error(markdown_text(sentence))
    return said, rows, unreadable


def _say_names(problem: AbsentColumnsError, layout: ReadOptions, key: str) -> ReadOptions:
    """Ask which column of the file each absent one is, or whether it was not recorded."""
    meant = {name: written for written, name in problem.likely.items()}
    choices = [*problem.others, *([_NOT_RECORDED] if problem.can_do_without else [])]
    st.markdown("**Which columns are which?** The file lacks some of the model's by name.")
    chosen = {
        name: _ask_meaning(name, choices, meant.get(name), f"{key} column {name}")
        for name in problem.absent
    }
    if not st.toggle("Read it so", key=f"{key} names", disabled=None in chosen.values()):
        raise problem
    return replace(
        layout,
        renamed={w: name for name, w in chosen.items() if w not in (None, _NOT_RECORDED)},
        not_recorded=tuple(name for name, written in chosen.items() if written == _NOT_RECORDED),
    )


def _say_units(model: Model, rows: Dataset, layout: ReadOptions, key: str) -> ReadOptions:
    """Say which columns seem to be in another unit than in training, and offer to convert them."""
    for name, unit in columns_of_other_unit(model, rows).items():
        st.warning(markdown_text(unit.sentence))
        if st.toggle(
            markdown_text(f"{unit.remedy} ({name})"),
            key=f"{key} unit {name}",
            help="Every number of the column becomes one in the unit of training.",
        ):
            layout = layout.with_step({"step": "convert", "column": name, "how": unit.how})
    return layout


def match_values(columns: Sequence[UnmatchedColumn], key: str, layout: ReadOptions) -> ReadOptions:
    """Ask what the values of columns stand for that a model does not know.

    All of it counts once somebody says to read it so.

    Parameters
    ----------
    key : what tells the widgets of one file from those of another
    layout : how the file is read; returned with what is said
    """
    with st.container(border=True):
        st.markdown(
            "**Which values are which?** The file has other words than the training table. Until "
            "they are matched, these words tell the model nothing."
        )
        said = layout
        for column in columns:
            if pairs := _match_column(column, key):
                said = said.with_step({"step": "recode", "column": column.name, "values": pairs})
        reads = st.toggle("Read them so", key=f"{key} read", disabled=said == layout)
    return said if reads else layout


def _match_column(column: UnmatchedColumn, key: str) -> dict[str, str]:
    """Show a box for every value of a column."""
    st.markdown(markdown_text(column.sentence))
    pairs = {}
    with st.container(horizontal=True):
        for text in column.rows:
            own = f"{key} {column.name} {text}"
            meant = _ask_meaning(text, column.known, None, own, typed=column.is_number)
            if meant is not None:
                pairs[text] = meant
    return pairs


def _ask_meaning(
    text: str, known: Sequence[str], guess: str | None, key: str, *, typed: bool = False
) -> str | None:
    """Ask which of the known ones a name or a value is; None while nobody says."""
    meant = st.selectbox(
        f"{markdown_text(repr(text))} is",
        known,
        index=known.index(guess) if guess in known else None,
        placeholder="not known",
        accept_new_options=typed,
        key=key,
        width=_BOX_WIDTH,
    )
    return None if meant is None else str(meant)


def _preview(model: Model, table: pd.DataFrame, decided: int | None) -> pd.DataFrame:
    """Show how the table begins, first what the model says; return it with heads for people.

    A decision is about the class ``decided``, whose probability stands beside it.

    The probabilities are headed by target and outcome: P(event = 1) instead of 1. A file that was
    scored before has columns of the same names, which come first.
    """
    target, classes = model.schema.target.name, model.schema.classes
    names = [str(name) for name in table.columns]
    at = max(n for n, name in enumerate(names) if name.rstrip() == f"predicted {target}".rstrip())
    for place, outcome in enumerate(classes, at - len(classes)):
        name = f"P({outcome_title(target, outcome)})"
        while name in names:
            name += " "
        names[place] = name
    table = table.set_axis(names, axis="columns")
    chances = names[at - len(classes) : at]
    said = [] if decided is None else [names[at + 1], chances[decided]]
    shown = table[[*dict.fromkeys([*said, names[at], *chances, *names])]].head(_SHOWN_ROWS)
    shown = shown.set_index(pd.RangeIndex(1, len(shown) + 1, name="row"))
    st.dataframe(shown, key="export.scores")
    return table


def scores_tab(scored_by: Callable[[Any], tuple[Model, Any]]) -> ExportTab[ScoredFile]:
    """Declare the tab that scores a file by the model and the decision of what is on show."""
    return ExportTab("Score a file", lambda shown: ask_file(*scored_by(shown)), SCORES, _summary)


SCORES: tuple[Export[ScoredFile], ...] = (
    Export("scored.xlsx", "Excel (.xlsx)", lambda found: xlsx_bytes(found.frame)),
    Export("scored.csv", "CSV", lambda found: csv_bytes(found.frame, FOR_ANYBODY)),
    Export(
        "scored-decimal-comma.csv",
        "CSV with decimal comma",
        lambda found: csv_bytes(found.frame, FOR_EXCEL),
        help="Semicolons between cells, decimal commas, and the mark by which Excel knows UTF-8.",
    ),
)


def _summary(found: ScoredFile) -> None:
    """Say how many rows were scored and how many are odd."""
    for sentence in found.rows.provenance.notes:
        st.caption(markdown_text(sentence))
    words = f"{rows_text(found.rows.n_rows)} scored, {found.n_unseen:,} with unseen values."
    if str(found.frame.columns[-1]).strip() == "odd":
        n_odd = int((found.frame.iloc[:, -1] != "").sum())
        words += f" The last column says what is odd about {n_odd:,} of them."
    st.caption(words)
