"""Score an uploaded table with the model on show, and say what is odd about its rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

import pandas as pd
import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.errors import ProbTreesError
from probtrees.model.model import Model
from probtrees.report.odd_rows import (
    columns_in_doubt,
    columns_of_other_values,
    n_rows_unseen,
    unknown_words,
    unreadable_columns,
    words_for_numbers,
)
from probtrees.report.scored_table import SCORED_COLUMNS, scored_table
from probtrees.report.table_files import FOR_ANYBODY, FOR_EXCEL, CsvStyle, csv_bytes, xlsx_bytes
from probtrees.table.cells.encode import CellProblems
from probtrees.table.dataset import Dataset
from probtrees.table.formats.absent_columns import other_unit, unit_changes, units_in_cells
from probtrees.table.formats.open_table import sheet_as_learnt
from probtrees.table.infer.dates.counted_until import counted_columns
from probtrees.table.infer.text_habits import listed
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_rows
from probtrees.table.table_report import AbsentColumnsError, UnreadableTableError
from probtrees.table.written_rows import read_written
from probtrees.ui.shared.choose_sheet import choose_encoding_of, choose_sheet_of
from probtrees.ui.shared.exports import Export, ExportTab
from probtrees.ui.shared.finding_words import without_options
from probtrees.ui.shared.match_values import match_values
from probtrees.ui.shared.scoring.scored_preview import named_by_target, preview
from probtrees.ui.shared.scoring.units_of_file import in_units_of_training
from probtrees.ui.shared.session.bounded_cache import limits
from probtrees.ui.shared.session.given_files import Upload, content_of
from probtrees.ui.shared.table_source import FILE_HELP

_DIGITS = 4
_FEW = 4
_FEWEST_AT_ONCE, _NAMED = 3, 2
"""So many names are taken by one switch, which shows the first ones."""
_OTHER = "other unit: "
_EPOCH, _CENTURY = date(1970, 1, 1), timedelta(days=36525)
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
        source = (upload.name, upload.content)
        learnt = model.provenance.options.get("sheet")
        sheet = choose_sheet_of(upload, "export.score sheet", sheet_as_learnt(source, learnt))
        place = ReadOptions(sheet=sheet, unused=model.unused_columns)
        encoding = choose_encoding_of(upload, "export.score encoding", place)
        place = replace(place, encoding=encoding)
        layout, rows, unreadable = _rows_or_without(upload, model, place)
        in_units = in_units_of_training(
            *(model, rows, layout, lambda other: _rows(upload, model, other)[1]),
            f"export.score {upload.digest}",
        )
        if in_units != layout:
            layout, rows, unreadable = _rows(upload, model, in_units)
        until = _counted_until(upload, rows)
        if until is not None:
            layout = replace(layout, count_until=until)
            layout, rows, unreadable = _rows(upload, model, layout)
        layout, rows, unreadable, asked = _rows_as_matched(upload, model, layout, rows, unreadable)
        limits().check_table(rows.n_rows, rows.schema.n_columns)
        digits = None if all_digits else _DIGITS
        doubtful = columns_in_doubt(model, rows, layout)
        written = read_written(source, layout)
        table = scored_table(model, rows, unreadable, written, chosen, digits, doubtful=doubtful)
    except AbsentColumnsError as problem:
        words = problem.problem
        st.error(markdown_text(words[:1].upper() + words[1:]))
        return None
    except ProbTreesError as problem:
        st.error(markdown_text(str(problem)))
        return None
    for sentence in _strange_columns(model, rows, unreadable, asked):
        st.error(markdown_text(sentence))
    for sentence in words_for_numbers(model, unreadable, rows.n_rows, asked):
        st.warning(markdown_text(sentence))
    table = named_by_target(model, table)
    preview(model, table)
    return ScoredFile(rows, table, n_rows_unseen(model, rows, unreadable))


def _rows_as_matched(
    upload: Upload, model: Model, layout: ReadOptions, rows: Dataset, unreadable: CellProblems
) -> tuple[ReadOptions, Dataset, CellProblems, tuple[str, ...]]:
    """Read values as somebody matches them with those of training, where some or all differ.

    Returns the columns that are asked about as well.
    """
    unmatched = unknown_words((upload.name, upload.content), model, rows, layout, unreadable)
    asked = tuple(column.name for column in unmatched)
    recoded = match_values(unmatched, f"export.score values {upload.digest}") if asked else {}
    if not recoded:
        return layout, rows, unreadable, asked
    return *_rows(upload, model, replace(layout, recoded=recoded)), asked


def _strange_columns(
    model: Model, rows: Dataset, unreadable: CellProblems, said: tuple[str, ...] = ()
) -> list[str]:
    """Say which columns cannot be read, or have no value of training, but for those ``said``."""
    unlike = columns_of_other_values(model, rows)
    return [
        *unreadable_columns(model, unreadable, rows.n_rows, said),
        *(sentence for name, sentence in unlike.items() if name not in said),
    ]


def _rows_or_without(
    upload: Upload, model: Model, layout: ReadOptions
) -> tuple[ReadOptions, Dataset, CellProblems]:
    """Read a table; columns that it lacks are not recorded if the user says so."""
    try:
        return _rows(upload, model, layout)
    except AbsentColumnsError as problem:
        layout, absent = _lines_joined(upload, model, layout, problem)
        if absent is None:
            return _rows(upload, model, layout)
        said = _said_names(upload, model, absent.likely)
        said |= _chosen_names(upload, absent, said)
        layout, problem = replace(layout, renamed={**layout.renamed, **said}), absent
        left = tuple(name for name in problem.absent if name not in layout.renamed.values())
        if left and (not problem.can_do_without or not _do_without(upload, left)):
            return _rows(upload, model, layout)  # which names those that still lack
        return _rows(upload, model, replace(layout, not_recorded=left))


def _lines_joined(
    upload: Upload, model: Model, layout: ReadOptions, problem: AbsentColumnsError
) -> tuple[ReadOptions, AbsentColumnsError | None]:
    """Offer to join two lines of names if the model's columns are there then, by one switch.

    Returns how the table is read, and what it lacks like this; None where it lacks nothing.
    """
    fixes = [fix for found in problem.findings for fix in found.fixes]
    lines = next((fix.value for fix in fixes if fix.setting == "header_lines"), None)
    if not isinstance(lines, int) or lines < 2:
        return layout, problem
    joined = replace(layout, header_lines=lines)
    lacks = _lacks(upload, model, joined)
    renamed = {} if lacks is None else _without_other_units(model, lacks.likely)
    if lacks is not None and not renamed:
        return layout, problem
    pairs = f", {_few_pairs(renamed)}" if renamed else ""
    if not st.toggle(
        markdown_text(f"Join the two lines of names{pairs}"),
        key=f"export.score lines {upload.digest}",
        help=markdown_text(_pairs(renamed)) or None,
    ):
        if lacks is None or set(lacks.absent) <= set(renamed.values()):
            raise problem  # nothing else need be asked
        return layout, problem
    joined = replace(joined, renamed={**joined.renamed, **renamed})
    return joined, _lacks(upload, model, joined)


def _lacks(upload: Upload, model: Model, layout: ReadOptions) -> AbsentColumnsError | None:
    try:
        _rows(upload, model, layout)
    except AbsentColumnsError as problem:
        return problem
    return None


def _without_other_units(model: Model, likely: Mapping[str, str]) -> dict[str, str]:
    other = _other_units(model, likely)
    return {w: name for w, name in likely.items() if not other[w].startswith(_OTHER)}


def _other_units(model: Model, likely: Mapping[str, str]) -> dict[str, str]:
    """Say, by the names in a file, how numbers are converted, or that units merely differ."""
    units, changes = units_in_cells(model.schema), unit_changes(model.schema, likely)
    other = {w: other_unit(w, name, units.get(name, "")) for w, name in likely.items()}
    return {
        w: changes[name].words if name in changes else other[w] and f"{_OTHER}{other[w]}"
        for w, name in likely.items()
    }


def _pairs(renamed: Mapping[str, str]) -> str:
    return ", ".join(f"{written!r} as {name!r}" for written, name in renamed.items())


def _few_pairs(renamed: Mapping[str, str]) -> str:
    """Say what the first columns are taken for.

    >>> _few_pairs({"Patient Age": "Age", "Patient Sex": "Sex", "Lab Hb": "Hb"})
    "'Patient Age' as 'Age', 'Patient Sex' as 'Sex' and 1 more"
    """
    more = len(renamed) - _NAMED
    shown = _pairs(dict(list(renamed.items())[:_NAMED]))
    return f"{shown} and {more} more" if more > 0 else shown


def _said_names(upload: Upload, model: Model, likely: Mapping[str, str]) -> dict[str, str]:
    """Offer to take columns for those that the model calls otherwise: many by one switch."""
    other, alike = _other_units(model, likely), _without_other_units(model, likely)
    rest = {w: name for w, name in likely.items() if w not in alike}
    if len(alike) < _FEWEST_AT_ONCE:
        return _said_one_by_one(upload, likely, other)
    if st.toggle(
        f"Take {markdown_text(_few_pairs(alike))}",
        key=f"export.score names {upload.digest}",
        help=f"The names are alike: {markdown_text(_pairs(alike))}.",
    ):
        return alike | _said_one_by_one(upload, rest, other)
    with st.expander("One by one"):
        return _said_one_by_one(upload, likely, other)


def _said_one_by_one(
    upload: Upload, likely: Mapping[str, str], other: Mapping[str, str]
) -> dict[str, str]:
    said = {}
    for written, name in likely.items():
        beside = f" ({markdown_text(other[written])})" if other[written] else ""
        if st.toggle(
            f"Take {markdown_text(repr(written))} as {markdown_text(repr(name))}{beside}",
            key=f"export.score name {upload.digest} {name}",
            help="The names are alike. Look whether the unit is the same.",
        ):
            said[written] = name
    return said


def _chosen_names(
    upload: Upload, problem: AbsentColumnsError, said: Mapping[str, str]
) -> dict[str, str]:
    """Let the user choose, for every other absent column, which one of the file it is."""
    left = [name for name in problem.absent if name not in said.values()]
    free = [name for name in problem.others if name not in said]
    if not left or not free:
        return {}
    chosen: dict[str, str] = {}
    with st.expander("Say which columns of the file they are", expanded=len(left) <= _FEW):
        for name in left:
            written = st.selectbox(
                f"{markdown_text(repr(name))} is",
                [other for other in free if other not in chosen],
                index=None,
                placeholder="not in the file",
                key=f"export.score column {upload.digest} {name}",
            )
            if written is not None:
                chosen[written] = name
    return chosen


def _counted_until(upload: Upload, rows: Dataset) -> str | None:
    """Ask up to which day ages and years are counted; None while it is the day proposed."""
    counted = counted_columns(rows.schema, rows.provenance.notes)
    if not counted:
        return None
    proposed = _EPOCH + timedelta(days=max(column.spelling.at_day for column in counted))
    names = listed([repr(column.source_name) for column in counted])
    chosen = st.date_input(
        f"Count {markdown_text(names)} up to",
        proposed,
        min_value=_EPOCH - _CENTURY,
        max_value=date.today() + _CENTURY,
        key=f"export.score until {upload.digest}",
        help="The day on which the rows of this file were as they are written. Proposed is the "
        "newest date of the file, or the day of training where that is later.",
    )
    return None if chosen in (None, proposed) else str(chosen)


def _do_without(upload: Upload, absent: tuple[str, ...]) -> bool:
    """Offer to take columns that a file lacks as not recorded."""
    few = listed([repr(name) for name in absent]) if len(absent) <= _FEW else f"all {len(absent)}"
    return st.toggle(
        f"Take {markdown_text(few)} as not recorded",
        key=f"export.score without {upload.digest} {len(absent)}",
        help="Every row is answered as one whose cell is empty there.",
    )


def _rows(
    upload: Upload, model: Model, place: ReadOptions
) -> tuple[ReadOptions, Dataset, CellProblems]:
    """Read a table, if need be like the one that the model was made from: names in two lines."""
    source, layout = (upload.name, upload.content), place
    try:
        return (layout, *read_rows(source, model.schema, layout, model.profile))
    except UnreadableTableError as problem:
        learnt = model.provenance.options
        for found in problem.findings:
            fixes = (fix for fix in found.fixes if learnt.get(fix.setting) == fix.value)
            for fix in fixes:
                layout = layout.with_fix(None, fix.setting, fix.value)
        if layout == place:
            raise
    return (layout, *read_rows(source, model.schema, layout, model.profile))


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
        st.caption(markdown_text(without_options(sentence)))
    n_rows = "1 row" if rows.n_rows == 1 else f"{rows.n_rows:,} rows"
    words = f"{n_rows} scored, {found.n_unseen:,} with unseen values."
    if str(found.frame.columns[-1]).strip() == "odd":
        n_odd = int((found.frame.iloc[:, -1] != "").sum())
        words += f" The last column says what is odd about {n_odd:,} of them."
    st.caption(words)
