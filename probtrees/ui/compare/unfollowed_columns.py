"""Dates and identifiers that folds do not follow, named beside them; one click follows them."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from probtrees.draw.escape import markdown_text, shorten
from probtrees.table.dataset import Dataset
from probtrees.table.infer.identifying_numbers import is_called_identifier, named_thing
from probtrees.table.infer.repeated_identifiers import MOST_DISTINCT
from probtrees.table.table_report import ColumnReport, Role
from probtrees.ui.shared.draft import current_draft, report_on, take_reading
from probtrees.ui.shared.page import go_to
from probtrees.ui.shared.table_source import current_source

_LONGEST_NAME = 28


def unfollowed_columns(data: Dataset) -> None:
    """Say what rows are held out regardless of, and offer to let time or groups decide."""
    source, draft = current_source(), current_draft()
    if draft.upload == source.upload and draft.sample == source.sample and not draft.is_in_use:
        st.caption(
            "The Data page reads this table otherwise by now; here it is as before until you press "
            "*Grow the tree* there."
        )
    dates = _dates(data)
    if dates:
        names = ", ".join(_shown(name) for name in dates)
        _offer(
            f"Rows are held out by chance, whatever their dates ({names}): some are predicted from "
            "later ones.",
            f"Train on the past only, by {_shown(dates[0])}",
            (dates[0], "time"),
            "it then orders the folds",
        )
    whose = _identifiers(data)
    if whose:
        name = _shown(whose[0])
        _offer(
            f"Several rows have the same {name}, and some of them train what tests the others.",
            f"Keep rows of one {name} together",
            (whose[0], "group"),
            "rows with the same value are then held out together",
        )


def _offer(words: str, label: str, wanted: tuple[str, Role], effect: str) -> None:
    """Show a sentence, and the button that gives a column the role wanted for it."""
    column, role = wanted
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(words, width="content")
        if st.button(
            label,
            icon=":material/schedule:" if role == "time" else ":material/group_work:",
            type="tertiary",
            key=f"compare.by {role}",
            help=f"Gives the column the role {role}, as on the Data page: {effect}, and the column "
            "itself predicts nothing.",
        ):
            source = current_source()
            reading = source.reading.with_role(column, role)
            if not take_reading(replace(source, reading=reading)).usable:
                go_to("data")
            st.rerun()


def _shown(name: str) -> str:
    return markdown_text(shorten(name, _LONGEST_NAME))


def _dates(data: Dataset) -> list[str]:
    """Name the columns that hold dates, where the folds follow none."""
    may_be = "ignore" in data.provenance.roles.values()
    may_be |= any(column.date_part is not None for column in data.schema.features)
    if data.times is not None or not may_be:
        return []
    return [column.name for column in _free_columns() if column.type == "date"]


def _identifiers(data: Dataset) -> list[str]:
    """Name the columns that say whose row it is and repeat, where no column groups the rows."""
    if data.groups is not None or not any(map(_names_whose, data.provenance.roles)):
        return []
    return [
        column.name
        for column in _free_columns()
        if _names_whose(column.name)
        and column.type in ("nominal", "numeric", "identifier")
        and 1 < column.n_distinct <= MOST_DISTINCT * (data.n_rows - column.n_missing)
    ]


def _names_whose(name: str) -> bool:
    """Whether a column is called like one that says whose row it is."""
    return is_called_identifier(name) or named_thing(name) != "one"


def _free_columns() -> list[ColumnReport]:
    """List the columns that could be given another role."""
    columns = report_on(current_source()).columns
    return [column for column in columns if column.role in ("feature", "ignore")]
