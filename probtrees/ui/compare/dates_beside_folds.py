"""Dates that the folds do not follow, named beside the folds, with one click to follow them."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from probtrees.draw.escape import markdown_text, shorten
from probtrees.table.dataset import Dataset
from probtrees.ui.shared.draft import current_draft, report_on, take_reading
from probtrees.ui.shared.page import go_to
from probtrees.ui.shared.table_source import current_source
from probtrees.ui.shared.workbench import TreeBench

_LONGEST_NAME = 28


def dates_beside_folds(bench: TreeBench) -> None:
    """Say that rows are held out regardless of their dates, and offer to let time decide."""
    source, draft = current_source(), current_draft()
    if draft.upload == source.upload and draft.sample == source.sample and not draft.is_in_use:
        st.caption(
            "The Data page reads this table otherwise by now; here it is as before until you press "
            "*Grow the tree* there."
        )
    found = _unfollowed_dates(bench.data)
    if not found:
        return
    names = ", ".join(shorten(name, _LONGEST_NAME) for name in found)
    first = markdown_text(shorten(found[0], _LONGEST_NAME))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f"Rows are held out by chance, whatever their dates ({markdown_text(names)}): some are "
            "predicted from later ones.",
            width="content",
        )
        if st.button(
            f"Train on the past only, by {first}",
            icon=":material/schedule:",
            type="tertiary",
            key="compare.by time",
            help="Gives the column the role time, as on the Data page: it then orders the folds "
            "and predicts nothing itself.",
        ):
            reading = source.reading.with_role(found[0], "time")
            if not take_reading(replace(source, reading=reading)).usable:
                go_to("data")
            st.rerun()


def _unfollowed_dates(data: Dataset) -> list[str]:
    """Name the columns that hold dates, where the folds follow none."""
    roles = data.provenance.roles
    may_be = "ignore" in roles.values() or any(c.date_part for c in data.schema.features)
    if data.times is not None or not may_be:
        return []
    return [
        column.name
        for column in report_on(current_source()).columns
        if column.type == "date" and column.role in ("feature", "ignore")
    ]
