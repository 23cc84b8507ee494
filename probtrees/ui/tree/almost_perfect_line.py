"""A loud line above a tree that is almost never wrong, about the column that it owes that to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.experiment.unseen_scores import AlmostPerfect, almost_perfect
from probtrees.table.infer.recognise_numbers import IGNORE
from probtrees.table.table_report import Finding
from probtrees.ui.shared.draft import is_answered, leave_as_it_is, report_on, take_reading
from probtrees.ui.shared.quality import known_scores
from probtrees.ui.shared.table_source import current_source
from probtrees.ui.shared.workbench import TreeBench
from probtrees.ui.tree.reading_line import KNOWN_LATE


def almost_perfect_line(bench: TreeBench, smoother: str) -> tuple[str, ...]:
    """Ask about the columns of an almost perfect tree of one's own table, once its scores are.

    Returns
    -------
    which columns are asked about, so that nothing else on the page does
    """
    source = current_source()
    if source.upload is None:
        return ()
    found = _not_answered(almost_perfect(known_scores(bench, smoother), bench.data))
    if found is None or is_answered(source, _finding(found)):
        return ()
    one = len(found.columns) == 1
    with st.container(key="almost_perfect"):
        said, leave, keep = st.columns([7, 1.5, 1.5], vertical_alignment="center", gap="small")
        said.warning(
            f"**{markdown_text(found.question)}** {markdown_text(found.reason)}",
            icon=":material/error:",
        )
        leave.button(
            "Leave it out" if one else "Leave them out",
            type="primary",
            width="stretch",
            key="leave carrying out",
            on_click=_leave_out,
            args=(found,),
            help="Grows the tree again without. The Data page takes it back.",
        )
        keep.button(
            "It is known" if one else "They are known",
            width="stretch",
            key="carrying is known",
            on_click=_keep,
            args=(found,),
            help="Keeps the tree, and asks no more.",
        )
    return found.columns


def _not_answered(found: AlmostPerfect | None) -> AlmostPerfect | None:
    """Return what is left to ask: of some columns the Data page may have asked before."""
    if found is None:
        return None
    source = current_source()
    asked = _asked_before(found.columns)
    left = {name for name, each in asked if is_answered(source, each)}
    columns = tuple(name for name in found.columns if name not in left)
    return replace(found, columns=columns) if columns else None


def _asked_before(columns: Sequence[str]) -> list[tuple[str, Finding]]:
    """List what was found when reading about columns that may be known too late."""
    report = report_on(current_source())
    return [
        (name, found)
        for name in columns
        for found in report.column(name).findings
        if found.kind in KNOWN_LATE
    ]


def _leave_out(found: AlmostPerfect) -> None:
    source = current_source()
    reading = source.reading
    for name in found.columns:
        reading = reading.with_role(name, "ignore")
    take_reading(replace(source, reading=reading))


def _keep(found: AlmostPerfect) -> None:
    source = current_source()
    for each in (_finding(found), *(each for _, each in _asked_before(found.columns))):
        leave_as_it_is(source, each)


def _finding(found: AlmostPerfect) -> Finding:
    """Write the question as a finding, which can be taken for answered."""
    return Finding(", ".join(found.columns), "almost perfect", found.question, fixes=(IGNORE,))
