"""The address of a view: sample, options and what is selected, never values of one's own data.

Every page writes its view into the address bar and can be opened by such an address. Names and
numbers only: a link says nothing of what is in an uploaded table, not even the names of its
columns. Which choices a link holds is declared by its page; here they are only read and written.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode, urlsplit

import streamlit as st

from probtrees.errors import ProbTreesError
from probtrees.table.read_options import ReadOptions
from probtrees.ui.shared.page import Page, write_choices
from probtrees.ui.shared.session import state

FORMAT = "1"
OWN_TABLE = "own"
"""Marks a link that was made on an uploaded table, which it does not carry."""

_FRAME = ("embed", "embed_options")
"""Parts of an address that Streamlit reads itself."""

_STEPS: Mapping[str, Callable[[str, str], dict[str, Any]]] = {
    "bin_target": lambda _, text: {"step": "cut", "classes": int(text)},
    "cut_target": lambda _, text: {"step": "cut", "at": float(text)},
    "missing": lambda name, text: {"step": "missing", "column": name, "texts": text.split("\n")},
    "join": lambda name, _: {"step": "join", "column": name},
    "group": lambda name, _: {"step": "group", "column": name},
    "split_choices": lambda name, _: {"step": "split", "column": name},
    "ages": lambda name, _: {"step": "age", "column": name},
    "days_to": lambda name, text: {"step": "age", "column": name, "to": text},
    "join_outcomes": lambda _, text: {"step": "join outcomes", "values": text.split("\n")},
}
"""Parts of older links, and the steps that say the same."""
_IN_RECORDS = {"missing_in": "missing", "join_values": "join", "group_values": "group"}
_USUAL = {"date_parts": ["days"], "header_lines": 1}
"""What older sessions call such parts, and what they hold though nobody said it."""
PROBLEMS, UNCHECKED = "link problems", "link unchecked"


def check(name: str, n_possible: int) -> None:
    """Judge a number of the link once it is known what it counts; forget it if it is too large."""
    unchecked: dict[str, str] = st.session_state.get(UNCHECKED, {})
    key = unchecked.pop(name, None)
    if key is None or st.session_state.get(key, 0) < n_possible:
        return
    del st.session_state[key]
    page, problems = st.session_state.get(PROBLEMS, ("", []))
    st.session_state[PROBLEMS] = (page, [*problems, name])
    st.warning(sentence([name]), icon=":material/link_off:")


def store(page: Page) -> None:
    """Write the view into the address bar: what differs from the usual, and the sample."""
    written = view(page)
    if asked() != written:
        frame = {name: st.query_params[name] for name in _FRAME if name in st.query_params}
        st.query_params.from_dict({**written, **frame})


def view(page: Page) -> dict[str, str]:
    """Return the link to what the page shows now, part by part."""
    source = page.table()
    own = source is not None and source.upload is not None
    written = {"v": FORMAT, **({OWN_TABLE: "1"} if own else {})}
    held = {
        name: choice
        for name, choice in page.choices().items()
        if not (choice.of_table and source is None) and not (choice.of_sample and own)
    }
    values = state.held()
    if source is not None:
        values[state.SAMPLE] = None if own else source.sample
    written |= write_choices(values, held)
    if source is not None and not own:
        written |= write_reading(source.said)
    return written


def page_tools(page: Page, *, linked: bool = True) -> None:
    """Offer help, and the link to the view, which carries no loaded model."""
    words = "What this page shows, how to read it, and its address"
    with st.popover("Help", icon=":material/help:", help=words):
        st.markdown(page.full_help)
        if not linked:
            return
        parts, address = view(page), st.context.url or ""
        is_local = urlsplit(address).hostname in (None, "localhost", "127.0.0.1", "::1")
        st.code(f"{address}?{urlencode(parts)}", language=None, wrap_lines=True)
        words = "It brings back the sample, the options and what is selected."
        if OWN_TABLE in parts:
            words = (
                "It brings back the options and what is selected, but carries nothing of your "
                "table: whoever opens it has to upload the same file."
            )
        st.caption(words + (" It works only on this computer." if is_local else ""))
        if page.link_note:
            st.caption(page.link_note)


def asked() -> dict[str, str]:
    """Return the parts of the address that are ours."""
    return {name: text for name, text in st.query_params.to_dict().items() if name not in _FRAME}


def sentence(problems: Iterable[str]) -> str:
    """Say which parts of a link could not be followed."""
    names = ", ".join(repr(name[:40]) for name in dict.fromkeys(problems))
    return (
        f"The link is damaged or of another version: {names} could not be followed, the usual is "
        "shown instead.".replace("`", "'")
    )


def read_reading(query: dict[str, str]) -> tuple[ReadOptions, list[str]]:
    """Take what was said about a sample's columns out of a link."""
    reading, problems = ReadOptions(), []
    for name in list(query):
        part, _, column = name.partition(".")
        try:
            said = _said(reading, part, column, query[name])
        except (ProbTreesError, ValueError, TypeError):
            said = None
            problems.append(name)
        if said is not reading:
            del query[name]
        reading = said or reading
    return reading, problems


def _said(reading: ReadOptions, part: str, column: str, text: str) -> ReadOptions:
    """Add one part of a link to what is said; a part of something else changes nothing."""
    if part in _STEPS:
        return reading.with_step(_STEPS[part](column, text))
    if part == "role" and column:
        role: Any = text  # what is no role is refused
        return replace(reading, roles={**reading.roles, column: role})
    if part == "type" and column:
        return reading.with_type(column, text)
    if part == "steps":
        return replace(reading, steps=tuple(json.loads(text)))
    if part in ("repeats", "date_order"):
        return ReadOptions(**{**reading.arguments, part: text})
    return reading


def read_record(record: Mapping[str, Any]) -> ReadOptions:
    """Read how a session's table is read; older ones have options where there are steps now.

    >>> read_record({"roles": {"id": "ignore"}, "ages": ["born"], "header_lines": 1}).steps
    ({'step': 'age', 'column': 'born'},)
    """
    steps, known = [], {}
    for name, value in record.items():
        part = _IN_RECORDS.get(name, name)
        if not value or value == _USUAL.get(name):
            continue
        if part not in _STEPS:
            known[name] = value
            continue
        is_columns = isinstance(value, list) and part != "join_outcomes"
        by_column = dict.fromkeys(value, "") if is_columns else value
        if not isinstance(by_column, dict):
            by_column = {"": value}
        for column, text in by_column.items():
            steps.append(_STEPS[part](column, "\n".join(text) if isinstance(text, list) else text))
    said = ReadOptions.from_record(known)
    return replace(said, steps=(*steps, *said.steps))


def write_record(said: ReadOptions) -> dict[str, Any]:
    """Write what :func:`read_record` reads."""
    apart = {"target": said.target, "roles": dict(said.roles)}
    return said.record | {name: value for name, value in apart.items() if value}


def write_reading(reading: ReadOptions) -> dict[str, str]:
    """Write what :func:`read_reading` reads."""
    written: dict[str, str] = {f"role.{column}": role for column, role in reading.roles.items()}
    if reading.target is not None:
        written[f"role.{reading.target}"] = "target"
    written |= {f"type.{column}": kind for column, kind in reading.types.items()}
    if reading.steps:
        written["steps"] = json.dumps([dict(step) for step in reading.steps])
    if reading.date_order is not None:
        written["date_order"] = reading.date_order
    if reading.repeats != "auto":
        written["repeats"] = reading.repeats
    return written
