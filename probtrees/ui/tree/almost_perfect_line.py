"""A loud line above a tree that is almost never wrong, about the column that it owes that to."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.experiment.unseen_scores import AlmostPerfect, almost_perfect
from probtrees.ui.shared.quality import known_scores
from probtrees.ui.shared.questions import KNOWN_LATE
from probtrees.ui.shared.table_source import current_source, is_left, leave, say
from probtrees.ui.shared.workbench import TreeBench


def almost_perfect_line(bench: TreeBench, smoother: str) -> tuple[str, ...]:
    """Ask about the columns of an almost perfect tree of one's own table, once its scores are.

    Returns
    -------
    which columns are asked about, so that nothing else on the page does
    """
    if current_source().upload is None:
        return ()
    found = almost_perfect(known_scores(bench, smoother), bench.data)
    if found is None:
        return ()
    # Of some columns the Data page may have asked before.
    columns = tuple(name for name in found.columns if not any(map(is_left, _keys(name))))
    if not columns:
        return ()
    found, one = replace(found, columns=columns), len(columns) == 1
    with st.container(key="almost_perfect"):
        said, leave_out, keep = st.columns([7, 1.5, 1.5], vertical_alignment="center", gap="small")
        said.warning(
            f"**{markdown_text(found.question)}** {markdown_text(found.reason)}",
            icon=":material/error:",
        )
        leave_out.button(
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
    return columns


def _keys(name: str) -> list[str]:
    """List the questions whether a column was known before the outcome."""
    return [f"aside {kind} {name}" for kind in KNOWN_LATE]


def _leave_out(found: AlmostPerfect) -> None:
    said = current_source().said
    for name in found.columns:
        said = said.with_role(name, "ignore")
    say(said)


def _keep(found: AlmostPerfect) -> None:
    for name in found.columns:
        leave(_keys(name)[0])
