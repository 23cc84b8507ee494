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
    columns_of_other_values,
    n_rows_unseen,
    unknown_words,
    unreadable_columns,
)
from probtrees.report.scored_table import SCORED_COLUMNS, scored_table
from probtrees.report.table_files import FOR_ANYBODY, FOR_EXCEL, CsvStyle, csv_bytes, xlsx_bytes
from probtrees.table.dataset import Dataset
from probtrees.table.encode import CellProblems
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import UnmatchedColumn, read_rows, read_written
from probtrees.table.table_report import AbsentColumnsError
from probtrees.ui.shared.exports import Export, ExportTab
from probtrees.ui.shared.give_table import ask_place
from probtrees.ui.shared.session.bounded_cache import Upload, content_of, limits
from probtrees.ui.shared.table_source import FILE_HELP
from probtrees.words import outcome_title, percent

_DIGITS = 4
_SHOWN_ROWS, _MOST_PINNED = 20, 3
_HALF = 0.5
_BESIDE = 4
"""Boxes in a line."""
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


def ask_file(model: Model) -> ScoredFile | None:
    """Ask for a table, score it and show how it begins; None while there is none."""
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
    all_digits = st.toggle(
        "All digits",
        key="export.score digits",
        persist_state="session",
        help=f"Otherwise probabilities have {_DIGITS} digits after the point.",
    )
    if file is None:
        st.caption("Every row gets the probability of every class by the model on show.")
        return None
    try:
        upload = Upload(file.name, content_of(file))
        place = ReadOptions(unused=model.unused_columns)
        layout = ask_place(upload, "export.score", place)
        layout, rows, unreadable = _matched_rows(upload, model, layout)
        limits().check_table(rows.n_rows, rows.schema.n_columns)
        written = read_written((upload.name, upload.content), ReadOptions(**layout.place))
        digits = None if all_digits else _DIGITS
        table = scored_table(model, rows, unreadable, written, chosen, digits)
    except AbsentColumnsError as problem:
        st.error(markdown_text(problem.problem[:1].upper() + problem.problem[1:]))
        return None
    except ProbTreesError as problem:
        st.error(markdown_text(str(problem)))
        return None
    table = named_by_target(model, table)
    preview(model, table)
    return ScoredFile(rows, table, n_rows_unseen(model, rows, unreadable))


def _matched_rows(
    upload: Upload, model: Model, layout: ReadOptions
) -> tuple[ReadOptions, Dataset, CellProblems]:
    """Read a table, with names, values and units matched to training's as somebody says."""
    source, key = (upload.name, upload.content), f"export.score {upload.digest}"

    def read(how: ReadOptions) -> tuple[Dataset, CellProblems]:
        return read_rows(source, model.schema, how, model.profile)

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
    for sentence in unreadable_columns(model, unreadable, rows.n_rows, asked):
        st.error(markdown_text(sentence))
    for name, sentence in columns_of_other_values(model, rows).items():
        if name not in asked:
            st.error(markdown_text(sentence))
    return said, rows, unreadable


def _say_names(problem: AbsentColumnsError, layout: ReadOptions, key: str) -> ReadOptions:
    """Ask which column of the file each absent one is, or whether it was not recorded."""
    meant = {name: written for written, name in problem.likely.items()}
    choices = [*problem.others, *([_NOT_RECORDED] if problem.can_do_without else [])]
    st.markdown("**Which columns are which?** The file lacks some of the model's by name.")
    chosen: dict[str, str | None] = {}
    for name in problem.absent:
        guess = meant.get(name)
        chosen[name] = st.selectbox(
            f"{markdown_text(repr(name))} is",
            choices,
            index=choices.index(guess) if guess in choices else None,
            placeholder="choose a column",
            key=f"{key} column {name}",
        )
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

    Boxes are filled in where words tell; all of it counts once somebody says to read it so.

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
    """Show a box for every value of a column, guessed where its words tell."""
    st.markdown(markdown_text(column.sentence))
    pairs = {}
    for first in range(0, len(column.texts), _BESIDE):
        texts = column.texts[first : first + _BESIDE]
        for place, text in zip(st.columns(_BESIDE), texts, strict=False):
            guess = column.guess.get(text)
            meant = place.selectbox(
                f"{markdown_text(repr(text))} is",
                column.known,
                index=None if guess is None else column.known.index(guess),
                placeholder="not known",
                accept_new_options=column.is_number,
                key=f"{key} {column.name} {text}",
            )
            if meant is not None:
                pairs[text] = str(meant)
    return pairs


def named_by_target(model: Model, table: pd.DataFrame) -> pd.DataFrame:
    """Head the probabilities by target and outcome, for people: P(event = 1) instead of 1."""
    names = [str(name) for name in table.columns]
    first, at = _place_of_answers(model, names)
    target = model.schema.target.name
    for place, outcome in zip(range(first, at), model.schema.classes, strict=True):
        name = f"P({outcome_title(target, outcome)})"
        while name in names:
            name += " "
        names[place] = name
    return table.set_axis(names, axis="columns")


def preview(model: Model, table: pd.DataFrame) -> None:
    """Show how the table begins: first what the model says, which is last in the file."""
    names = list(table.columns)
    first, at = _place_of_answers(model, names)
    if words := one_answer(model, table):
        st.info(markdown_text(words))
    said = [names[at], *names[first:at]]
    shown = table[[*said, *(name for name in names if name not in said)]].head(_SHOWN_ROWS)
    shown = shown.set_index(pd.RangeIndex(1, len(shown) + 1, name="row"))
    pinned = {name: st.column_config.Column(pinned=True) for name in said[:_MOST_PINNED]}
    st.dataframe(shown, key="export.scores", column_config=pinned)


def one_answer(model: Model, table: pd.DataFrame) -> str:
    """Say why one outcome is predicted in all rows; nothing where there are several, or one row."""
    first, at = _place_of_answers(model, list(map(str, table.columns)))
    answers, classes = table.iloc[:, at], model.schema.classes
    if len(table) < 2 or answers.nunique() != 1:
        return ""
    same = answers.iloc[0]
    highest = {
        outcome: float(table.iloc[:, first + place].max())
        for place, outcome in enumerate(classes)
        if outcome != same
    }
    other = max(highest, key=highest.__getitem__, default="")
    if not other or highest[other] >= _HALF:
        return ""
    most = percent(highest[other])
    said = f"All {len(table):,} rows are predicted {same!r}: "
    said += (
        f"no row reaches 50 % for {other!r}; the highest is {most}."
        if len(classes) == 2
        else f"it is the most probable in each; the highest of another is {most} for {other!r}."
    )
    return (
        f"{said} Sort by the probabilities to see who comes first; Compare, Threshold shows what "
        "acting at a lower chance would do."
    )


def _place_of_answers(model: Model, names: list[str]) -> tuple[int, int]:
    """Return where the probabilities begin, and where what is predicted stands behind them.

    A file that was scored before has a column of the same name, which comes first.
    """
    answer = f"predicted {model.schema.target.name}".rstrip()
    at = max(place for place, name in enumerate(names) if name.rstrip() == answer)
    return at - len(model.schema.classes), at


def scores_tab(model_of: Callable[[Any], Model]) -> ExportTab[ScoredFile | None]:
    """Declare the tab that scores a file with the model of what is on show."""
    return ExportTab("Score a file", lambda shown: ask_file(model_of(shown)), SCORES, _summary)


def _as_csv(style: CsvStyle) -> Callable[[ScoredFile | None], bytes]:
    return lambda found: csv_bytes(pd.DataFrame() if found is None else found.frame, style)


def _is_there(found: ScoredFile | None) -> bool:
    return found is not None


SCORES: tuple[Export[ScoredFile | None], ...] = (
    Export(
        "scored.xlsx",
        "Excel (.xlsx)",
        lambda found: b"" if found is None else xlsx_bytes(found.frame),
        is_offered=_is_there,
    ),
    Export("scored.csv", "CSV", _as_csv(FOR_ANYBODY), is_offered=_is_there),
    Export(
        "scored-decimal-comma.csv",
        "CSV with decimal comma",
        _as_csv(FOR_EXCEL),
        help="Semicolons between cells, decimal commas, and the mark by which Excel knows UTF-8.",
        is_offered=_is_there,
    ),
)


def _summary(found: ScoredFile | None) -> None:
    """Say how many rows were scored and how many are odd."""
    if found is None:
        return
    rows = found.rows
    for sentence in rows.provenance.notes:
        st.caption(markdown_text(sentence))
    n_rows = "1 row" if rows.n_rows == 1 else f"{rows.n_rows:,} rows"
    words = f"{n_rows} scored, {found.n_unseen:,} with unseen values."
    if str(found.frame.columns[-1]).strip() == "odd":
        n_odd = int((found.frame.iloc[:, -1] != "").sum())
        words += f" The last column says what is odd about {n_odd:,} of them."
    st.caption(words)
