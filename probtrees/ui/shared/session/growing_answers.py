"""How the tree of one table is to be grown, as an answer to a question about that table.

*Use separate rows*, or a smaller tree that was found to be as good, is said of one table. It is set
by the options of growing that everybody sees, but another table never gets it: not in this
session, not in another tab, by a link or from a kept session. What somebody sets in *Growing*
without being asked holds for later tables too; of it is known for which table it was set.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import streamlit as st

from probtrees.experiment.registry import LEARNERS
from probtrees.ui.shared.link_choices import LinkChoice
from probtrees.ui.shared.session.smaller_tree import check_number

ANSWERED = "tree.answered"
"""Where the session, and a link, keep the answers in force."""
_BY_FILE, _BY_HAND, _USUAL = "growing answers", "growing set at", "growing usual"
_BETWEEN = "~"


class Answer(NamedTuple):
    """One option of growing that was set for a table.

    Attributes
    ----------
    option, value : how its tree is grown
    of : the check number of the file
    """

    option: str
    value: Any
    of: str


def read_answers(text: str) -> tuple[Answer, ...]:
    """Read answers from a link.

    >>> read_answers("c0de.min_leaf.20~c0de.separate_rows.True")[1]
    Answer(option='separate_rows', value=True, of='c0de')
    """
    fields = {field.name: field for field in LEARNERS["c45"].options if field.reader is None}
    found = []
    for part in filter(None, text.split(_BETWEEN)):
        of, option, value = part.split(".", 2)
        if option not in fields:
            raise ValueError(text)
        found.append(Answer(option, fields[option].parse(value), of))
    return tuple(found)


def write_answers(answers: Iterable[Answer]) -> str:
    """Write what :func:`read_answers` reads."""
    return _BETWEEN.join(f"{answer.of}.{answer.option}.{answer.value}" for answer in answers)


ANSWERS_CHOICE = LinkChoice(ANSWERED, read_answers, write_answers, usual=())


def answer_growing(file: str, options: Mapping[str, Any]) -> None:
    """Grow the tree of a file, and of no other, like that when it is grown next."""
    _answers_of(file).update(options)


def answered_for(file: str, option: str) -> Any:
    """Return what was answered about an option for a file; None where nothing was."""
    return _answers_of(file).get(option)


def take_growing_back(file: str, option: str) -> None:
    """Grow the tree of a file, which may not be in use, without an option, whoever set it."""
    _answers_of(file).pop(option, None)
    own = (option, check_number(file))
    left = tuple(answer for answer in _in_force() if (answer.option, answer.of) != own)
    st.session_state[ANSWERED] = left
    if all(answer.option != option for answer in left):
        usual = st.session_state.get(_USUAL, {})
        st.session_state[_key(option)] = usual.get(option, _default(option))


def is_growing_with(file: str, option: str) -> bool:
    """Whether the tree of a file is, or would be, grown with an option that is switched on."""
    return bool(answered_options(file, _session_value(option)).get(option))


def answered_options(file: str, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out of the options of growing what was answered for other files; add this one's."""
    strange = {
        answer.option
        for answer in _in_force()
        if answer.of != check_number(file) and chosen.get(answer.option) == answer.value
    }
    waiting = _waiting(file)
    own = {name: value for name, value in waiting.items() if value != _default(name)}
    not_taken = strange | waiting.keys()
    return {name: value for name, value in chosen.items() if name not in not_taken} | own


def settle_answers(file: str, usual: Mapping[str, Any]) -> None:
    """Put the answers of the file in use in force, and take those of other files back.

    Parameters
    ----------
    usual : the options that its tree is grown with unless somebody says otherwise
    """
    waiting = _waiting(file)
    by_file: dict[str, dict[str, Any]] = st.session_state[_BY_FILE]
    of = check_number(file)
    kept: list[Answer] = []
    for answer in _in_force():
        stands = st.session_state.get(_key(answer.option)) == answer.value
        known = by_file.setdefault(answer.of, {})
        if answer.of == of and stands:
            kept.append(answer)
            known.setdefault(answer.option, answer.value)
        elif answer.of == of:
            if known.get(answer.option) == answer.value:  # somebody has set it otherwise by hand
                known.pop(answer.option)
        else:
            known.setdefault(answer.option, answer.value)
            if stands:
                st.session_state[_key(answer.option)] = usual[answer.option]
    for name, value in waiting.items():
        st.session_state[_key(name)] = value
        kept = [answer for answer in kept if answer.option != name]
        kept.append(Answer(name, value, of))
    st.session_state[ANSWERED] = tuple(kept)
    _leave_usual(usual)


def _leave_usual(usual: Mapping[str, Any]) -> None:
    """Do not grow a table by what is usual for the sample that was shown before."""
    for name, before in st.session_state.get(_USUAL, usual).items():
        if before != usual[name] and st.session_state.get(_key(name)) == before:
            st.session_state[_key(name)] = usual[name]
    st.session_state[_USUAL] = dict(usual)


def note_by_hand(file: str, chosen: Mapping[str, Any]) -> None:
    """Remember for which file each option was set that is no answer.

    Parameters
    ----------
    chosen : the options of growing that differ from the usual, less those the app has set
    """
    before: dict[str, tuple[Any, str]] = st.session_state.get(_BY_HAND, {})
    answered = {answer.option for answer in _in_force()}
    now = {
        name: before[name] if name in before and before[name][0] == value else (value, file)
        for name, value in chosen.items()
        if name not in answered
    }
    st.session_state[_BY_HAND] = now


def set_before(file: str) -> dict[str, Any]:
    """Return the options in force that were set by hand while another table was in use."""
    by_hand: dict[str, tuple[Any, str]] = st.session_state.get(_BY_HAND, {})
    return {name: value for name, (value, table) in by_hand.items() if table != file}


def all_answers() -> tuple[Answer, ...]:
    """Return the answers for all files of the session."""
    answers: dict[str, dict[str, Any]] = st.session_state.get(_BY_FILE, {})
    given = [Answer(name, value, of) for of in answers for name, value in answers[of].items()]
    return tuple(given)


def bring_answers(answers: Iterable[Answer]) -> None:
    """Bring back what :func:`all_answers` returned."""
    by_file: dict[str, dict[str, Any]] = st.session_state.setdefault(_BY_FILE, {})
    for answer in answers:
        by_file.setdefault(answer.of, {}).setdefault(answer.option, answer.value)


def _answers_of(file: str) -> dict[str, Any]:
    by_file: dict[str, dict[str, Any]] = st.session_state.setdefault(_BY_FILE, {})
    return by_file.setdefault(check_number(file), {})


def _waiting(file: str) -> dict[str, Any]:
    """Return the answers for a file that are not in force yet."""
    of = check_number(file)
    in_force = {(answer.option, answer.value) for answer in _in_force() if answer.of == of}
    return {item[0]: item[1] for item in _answers_of(file).items() if item not in in_force}


def _in_force() -> tuple[Answer, ...]:
    answers: tuple[Answer, ...] = st.session_state.get(ANSWERED, ())
    return answers


def _session_value(option: str) -> dict[str, Any]:
    return {option: st.session_state.get(_key(option), _default(option))}


def _key(option: str) -> str:
    return f"c45.{option}"


def _default(option: str) -> Any:
    return next(field.default for field in LEARNERS["c45"].options if field.name == option)
