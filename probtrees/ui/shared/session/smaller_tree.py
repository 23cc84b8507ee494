"""Whether the app itself made the first tree of a table smaller, and what the person said to that.

It grows a smaller tree by the options of growing that everybody sees, and only where nobody has
chosen them. They are taken back when the table is read otherwise, since a tree of other columns
may need its leaves.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

import streamlit as st

from probtrees.ui.shared.link_choices import LinkChoice, one_of, whole

SMALLER = "tree.smaller"
"""Where the session, and a link, keep what was decided."""
_FOUND, _READ, _BY_HAND = "smaller tree found", "smaller tree of", "growing set by hand"
_VALUES = {"min_leaf": whole(1), "prune": one_of(lambda: ("none", "pessimistic"))}


class Smaller(NamedTuple):
    """What stands for a large tree.

    Attributes
    ----------
    n_leaves : leaves of the large one; 0: the person wants to see that one
    option, value : how the smaller one is grown
    """

    n_leaves: int
    option: str = ""
    value: Any = None


ALL_LEAVES = Smaller(0)


def read_smaller(text: str) -> Smaller:
    """Read it from a link.

    >>> read_smaller("184.min_leaf.20"), read_smaller("0") == ALL_LEAVES
    (Smaller(n_leaves=184, option='min_leaf', value=20), True)
    """
    if text == "0":
        return ALL_LEAVES
    n_leaves, option, value = text.split(".")
    if option not in _VALUES:
        raise ValueError(text)
    return Smaller(whole(1)(n_leaves), option, _VALUES[option](value))


def write_smaller(smaller: Smaller) -> str:
    """Write what :func:`read_smaller` reads."""
    return ".".join(map(str, smaller)) if smaller.n_leaves else "0"


SMALLER_CHOICE = LinkChoice(SMALLER, read_smaller, write_smaller)


def smaller_in_force() -> Smaller | None:
    """Return what the app chose, while the tree is grown like that."""
    smaller: Smaller | None = st.session_state.get(SMALLER)
    if smaller is None or not smaller.n_leaves:
        return None
    return smaller if st.session_state.get(f"c45.{smaller.option}") == smaller.value else None


def may_choose(file: str) -> bool:
    """Whether nobody has said yet how large the tree of a file is to be."""
    return SMALLER not in st.session_state and st.session_state.get(_BY_HAND) != file


def choose_smaller(reading: str, smaller: Smaller) -> None:
    """Grow the tree of a table like that when the page is drawn next."""
    st.session_state[_FOUND] = (reading, smaller)


def show_all_leaves(default: Any) -> None:
    """Grow the large tree again, and leave it at that."""
    smaller = smaller_in_force()
    if smaller is not None:
        st.session_state[f"c45.{smaller.option}"] = default
    st.session_state[SMALLER] = ALL_LEAVES


def settle_smaller(file: str, reading: str, chosen: Collection[str], usual: Any) -> None:
    """Put in force what was found, take back what was found for another table or reading.

    Parameters
    ----------
    file, reading : the file in use, and the key of it with how it is read
    chosen : the options of growing that differ from the usual
    usual : the usual values of those that the app may set
    """
    file_before, reading_before = st.session_state.get(_READ, (file, reading))
    st.session_state[_READ] = (file, reading)
    smaller = smaller_in_force()
    if smaller is not None and reading_before != reading:
        st.session_state[f"c45.{smaller.option}"] = usual[smaller.option]
        st.session_state.pop(SMALLER)
    elif smaller is None and set(chosen) & set(_VALUES):
        st.session_state[_BY_HAND] = file
    if file_before != file and smaller is None:
        st.session_state.pop(SMALLER, None)
    found_for, found = st.session_state.pop(_FOUND, ("", ALL_LEAVES))
    if found.n_leaves and found_for == reading and may_choose(file):
        st.session_state[f"c45.{found.option}"] = found.value
        st.session_state[SMALLER] = found
