"""One click for all questions whether a value means missing, and one that takes them back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.table.read_options import SEVERAL
from probtrees.table.table_report import Finding, Fix
from probtrees.ui.data.answers import take_down, use_fixes
from probtrees.ui.shared.table_source import ChosenTable
from probtrees.words import quoted

_ANSWERED = "data.answered together"
_FEWEST = 3
"""So many questions of one kind are answered together."""
_SHOWN = 4

Answers = tuple[tuple[str, Fix], ...]


def offer_all(
    draft: ChosenTable, asked: Mapping[Finding, Sequence[str]], target: str | None
) -> None:
    """Offer to answer questions whether values mean missing at once, or to take that back.

    What concerns the target is answered by itself: it changes what is counted.

    Parameters
    ----------
    asked : open questions, each with the other columns that it is about
    """
    proposed = [found for found in asked if _is_proposed(found, target)]
    if len(proposed) >= _FEWEST:
        answers = tuple(
            (name, found.fixes[0]) for found in proposed for name in _columns(found, asked[found])
        )
        with st.container(horizontal=True, vertical_alignment="center", key="answer_together"):
            st.markdown(f"{len(proposed)} of the questions ask whether a value means missing.")
            st.button(
                f"Answer all {len(proposed)} as proposed",
                key="data.answer all",
                on_click=take_down,
                args=(draft, partial(_answer_all, answers=answers)),
                help=markdown_text(f"Read as missing: {_listed(answers)}. Can be taken back."),
            )
    elif answers := _answered(draft):
        with st.container(horizontal=True, vertical_alignment="center", key="answered_together"):
            words = markdown_text(f"Read as missing, as proposed: {_listed(answers)}.")
            st.markdown(f":green[:material/check:] {words}")
            st.button(
                "Take all of them back",
                key="data.take all back",
                on_click=take_down,
                args=(draft, partial(_take_back, answers=answers)),
            )


def _is_proposed(found: Finding, target: str | None) -> bool:
    """Whether a question about a column has one answer, that values mean missing."""
    is_only = [fix.setting for fix in found.fixes] == ["missing"]
    return found.kind == "maybe missing" and is_only and found.column not in (None, target)


def _columns(found: Finding, others: Sequence[str]) -> tuple[str, ...]:
    return (str(found.column), *others)


def _answer_all(draft: ChosenTable, answers: Answers) -> None:
    st.session_state[_ANSWERED] = draft.file_key, answers
    use_fixes(draft, answers)


def _take_back(draft: ChosenTable, answers: Answers) -> None:
    st.session_state.pop(_ANSWERED, None)
    texts = [(name, text) for name, fix in answers for text in _texts(fix)]
    use_fixes(draft, [(n, Fix("Take it back", "take back", f"missing_in {t}")) for n, t in texts])


def _answered(draft: ChosenTable) -> Answers:
    """Return what was answered together, if all of it still holds for this table."""
    file_key, answers = st.session_state.get(_ANSWERED, ("", ()))
    said = draft.reading.missing_in
    hold = all(set(_texts(fix)) <= set(said.get(name, ())) for name, fix in answers)
    return answers if file_key == draft.file_key and hold else ()


def _texts(fix: Fix) -> list[str]:
    return str(fix.value).split(SEVERAL)


def _listed(answers: Answers) -> str:
    """Name values with their columns; of many the first."""
    parts = [
        f"{' and '.join(map(quoted, _texts(fix)))} in {name!r}" for name, fix in answers[:_SHOWN]
    ]
    more = [f"{len(answers) - _SHOWN} more"] if len(answers) > _SHOWN else []
    return ", ".join([*parts, *more])
