"""The address of a view: sample, options and what is selected, never values of one's own data.

Every page writes its view into the address bar and can be opened by such an address. Names and
numbers only: of an uploaded table nothing is told, not even the names of its columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal
from urllib.parse import urlencode, urlsplit

import streamlit as st

from probtrees.draw.node_card import COLOUR_BY_WORDS
from probtrees.errors import ProbTreesError
from probtrees.experiment.registry import DEFAULT_SMOOTHER, LEARNERS, SMOOTHERS
from probtrees.table.read_options import ROLES, TYPES
from probtrees.table.repeats import REPEATS
from probtrees.table.samples import sample_names
from probtrees.ui.compare import choices as compare
from probtrees.ui.data.draft import Draft, current_draft, keep
from probtrees.ui.learn.learn_page import Lesson, read_lesson
from probtrees.ui.network import choices as network
from probtrees.ui.shared import cached, smoother_options, state
from probtrees.ui.shared.link_readers import one_of, whole
from probtrees.ui.shared.table_source import Reading, current_reading, use_reading

Page = Literal["tree", "network", "compare", "learn", "data"]

FORMAT = "1"
OWN_TABLE = "own"
"""Tells that the link was made on an uploaded table, which it does not carry."""

_FRAME = ("embed", "embed_options")
"""Parts of an address that Streamlit reads itself."""

_RESTORED, _PROBLEMS, _UNCHECKED = "link restored", "link problems", "link unchecked"
_OWN = "link of own table"


@dataclass(frozen=True)
class Part:
    """One part of a link: which choice it holds, how it is read and written.

    Reading raises ValueError when the text makes no sense. The usual value is left out.
    """

    key: str
    read: Callable[[str], Any]
    write: Callable[[Any], str] = str
    usual: Any = None


def restore(page: Page) -> None:
    """Take over what the link asks for, once, when a session opens."""
    if st.session_state.get(_RESTORED):
        return
    st.session_state[_RESTORED] = True
    query = {name: text for name, text in st.query_params.to_dict().items() if name not in _FRAME}
    problems = [] if query.pop("v", FORMAT) == FORMAT else ["v"]
    lesson, unread = read_lesson(query)
    problems += [name for name in unread if name != "v"]
    for field in fields(Lesson):
        if field.name in query:
            st.session_state[f"learn.{field.name}"] = getattr(lesson, field.name)
            del query[field.name]
    st.session_state[_OWN] = query.pop(OWN_TABLE, "") == "1"
    reading, unread = _read_reading(query)
    problems += unread
    parts = _all_parts()
    for name, text in query.items():
        try:
            st.session_state[parts[name].key] = parts[name].read(text)
        except (KeyError, ValueError):
            problems.append(name)
    if reading != Reading():
        problems += _use(reading, page)
    st.session_state[_UNCHECKED] = set(query)
    st.session_state[_PROBLEMS] = (page, problems)


def hold_choices() -> None:
    """Keep choices when the page changes.

    A widget of the same key on another page is another widget to Streamlit and would begin
    anew; what is assigned is taken over by it.
    """
    keys = {part.key for part in _all_parts().values()}
    keys |= {f"learn.{field.name}" for field in fields(Lesson)}
    for key in keys & set(st.session_state.keys()):
        st.session_state[key] = st.session_state[key]


def explain(page: Page) -> None:
    """Say in one sentence what the link asked for in vain, on the page that it opened."""
    opened, problems = st.session_state.get(_PROBLEMS, (page, []))
    if opened != page:
        st.session_state.pop(_PROBLEMS, None)
        st.session_state.pop(_OWN, None)
        return
    if problems:
        st.warning(_sentence(problems), icon=":material/link_off:")
    if st.session_state.get(_OWN) and state.current_upload() is None:
        st.info(
            "This link was made on an uploaded table, which a link does not carry: give the file "
            "on the Data page. Until then a sample is shown.",
            icon=":material/upload_file:",
        )


def check(name: str, n_possible: int) -> None:
    """Judge a number of the link once it is known what it counts; forget it if it is too large."""
    unchecked: set[str] = st.session_state.get(_UNCHECKED, set())
    if name not in unchecked:
        return
    unchecked.discard(name)
    key = _all_parts()[name].key
    if st.session_state.get(key, 0) >= n_possible:
        del st.session_state[key]
        page, problems = st.session_state.get(_PROBLEMS, ("tree", []))
        st.session_state[_PROBLEMS] = (page, [*problems, name])
        st.warning(_sentence([name]), icon=":material/link_off:")


def store(page: Page) -> None:
    """Write the view into the address bar: what differs from the usual, and the sample."""
    parts = view(page)
    kept = {name: text for name, text in st.query_params.to_dict().items() if name not in _FRAME}
    if kept != parts:
        frame = {name: st.query_params[name] for name in _FRAME if name in st.query_params}
        st.query_params.from_dict({**parts, **frame})


def view(page: Page) -> dict[str, str]:
    """Return the parts of the link to what the page shows now."""
    own = state.current_upload() is not None
    if page == "data":
        own = current_draft().upload is not None
    written = {"v": FORMAT}
    if page == "learn":
        written |= _lesson().to_query()
        if st.session_state.get("learn.source") in (None, "gene"):
            return written
    if own:
        written[OWN_TABLE] = "1"
    for name, part in _parts(page).items():
        value = st.session_state.get(part.key)
        if page == "data" and name == state.SAMPLE:
            value = current_draft().sample
        if value is None or value == part.usual or (own and name == state.SAMPLE):
            continue
        written[name] = part.write(value)
    if not own:
        written |= _write_reading(current_draft().reading if page == "data" else current_reading())
    return written


def link(page: Page) -> tuple[str, bool]:
    """Return the whole address of the view, and whether only this computer can follow it."""
    address = st.context.url or ""
    host = urlsplit(address).hostname or "localhost"
    return f"{address}?{urlencode(view(page))}", host in ("localhost", "127.0.0.1", "::1")


def _sentence(problems: Iterable[str]) -> str:
    names = ", ".join(repr(name[:40]) for name in dict.fromkeys(problems))
    return (
        f"The link is damaged or of another version: {names} could not be followed, the usual is "
        "shown instead.".replace("`", "'")
    )


def _all_parts() -> dict[str, Part]:
    pages: tuple[Page, ...] = ("tree", "network", "compare", "learn", "data")
    return {name: part for page in pages for name, part in _parts(page).items()}


def _parts(page: Page) -> dict[str, Part]:
    """List the parts of a page's links; a sample's own growing options are its usual ones."""
    parts = {
        state.SAMPLE: Part(state.SAMPLE, one_of(sample_names)),
        state.OUTCOME: Part(state.OUTCOME, whole()),
    }
    if page == "data":
        return parts
    special: Mapping[str, Any] = {}
    if state.current_upload() is None:
        special = state.SAMPLE_SETTINGS.get(state.current_sample(), {})
    for field in LEARNERS["c45"].options:
        usual = special.get(field.name, field.default)
        key = f"c45.{field.name}"
        parts[key] = Part(key, field.parse, usual=usual)
    if page == "learn":
        parts["source"] = Part("learn.source", one_of(lambda: ("gene", "leaf")), usual="gene")
        parts[state.NODE] = Part(state.NODE, whole())
        return parts
    parts[state.SMOOTHER] = Part(state.SMOOTHER, one_of(lambda: SMOOTHERS), usual=DEFAULT_SMOOTHER)
    parts |= {name: Part(name, *how) for name, how in smoother_options.link_parts().items()}
    if page == "tree":
        parts[state.OTHER] = Part(state.OTHER, one_of(lambda: SMOOTHERS))
        parts[state.COLOUR] = Part(state.COLOUR, one_of(lambda: COLOUR_BY_WORDS), usual="lift")
        parts[state.NODE] = Part(state.NODE, whole())
        parts[state.ROW] = Part(state.ROW, whole(1), usual=1)
        parts[state.TAB] = Part(state.TAB, one_of(lambda: state.TABS), usual=state.TABS[0])
    own = {"network": network.link_parts, "compare": compare.link_parts}.get(page)
    if own is not None:
        parts |= {name: Part(name, *how) for name, how in own().items()}
    return parts


def _lesson() -> Lesson:
    known = {field.name: st.session_state.get(f"learn.{field.name}") for field in fields(Lesson)}
    return replace(Lesson(), **{name: value for name, value in known.items() if value is not None})


def _read_reading(query: dict[str, str]) -> tuple[Reading, list[str]]:
    """Take roles and types of a sample's columns out of a link."""
    reading, problems = Reading(), []
    for name in list(query):
        kind, _, column = name.partition(".")
        if kind not in ("role", "type", "bin_target", "repeats"):
            continue
        text = query.pop(name)
        if kind == "bin_target" and text.isdecimal() and 2 <= int(text) <= 100:
            reading = replace(reading, bin_target=int(text))
        elif kind == "repeats" and (word := next((w for w in REPEATS if w == text), None)):
            reading = replace(reading, repeats=word)
        elif kind == "role" and column and text in ROLES:
            reading = reading.with_role(column, text)
        elif kind == "type" and column and text in TYPES:
            reading = reading.with_type(column, text)
        else:
            problems.append(name)
    return reading, problems


def _use(reading: Reading, page: Page) -> list[str]:
    """Read the sample as the link says; name what cannot be."""
    sample = state.current_sample()
    try:
        cached.sample_data(sample, reading)
    except ProbTreesError:
        return list(_write_reading(reading))
    if page == "data":
        keep(Draft(None, sample, reading))
    else:
        use_reading(reading)
    return []


def _write_reading(reading: Reading) -> dict[str, str]:
    written = {f"role.{column}": role for column, role in reading.roles}
    written |= {f"type.{column}": kind for column, kind in reading.types}
    if reading.bin_target is not None:
        written["bin_target"] = str(reading.bin_target)
    if reading.repeats != "auto":
        written["repeats"] = reading.repeats
    return written
