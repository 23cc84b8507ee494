"""Whether the app itself made the first tree of a table smaller, and what the person said to that.

It grows a smaller tree by the options of growing that everybody sees, and only where nobody has
chosen them. What it found is true of one table as it was read then, and carries a check number of
that: in another table, tab, link or kept session it is taken back, and nothing is said of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

import streamlit as st

from probtrees.ui.shared.link_choices import LinkChoice, one_of, whole

SMALLER = "tree.smaller"
"""Where the session, and a link, keep what was decided."""
_FOUND, _BY_HAND = "smaller tree found", "growing set by hand"
_LEFT = "smaller tree left"
_TRUTHS = ("False", "True")
_VALUES: Mapping[str, Callable[[str], Any]] = {
    "min_leaf": whole(1),
    "prune": one_of(lambda: ("none", "pessimistic")),
    "collapse": lambda text: bool(_TRUTHS.index(text)),
}
_SIZES = ("min_leaf", "prune")
"""Options by which somebody says how large a tree is to be."""


class Smaller(NamedTuple):
    """What stands for a large tree.

    Attributes
    ----------
    n_leaves : leaves of the large one; 0: the person wants to see that one
    options : how the smaller one is grown
    of : the check number of what it was found for: the table as it is read, or, where all leaves
        are wanted, its file
    """

    n_leaves: int
    options: tuple[tuple[str, Any], ...] = ()
    of: str = ""

    def is_of(self, file: str, reading: str) -> bool:
        """Whether it was found for this file, read like this."""
        return self.of == check_number(reading if self.n_leaves else file)


def check_number(text: str) -> str:
    """Return four digits that tell tables apart; too few to say anything of what is in them."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:4]


def read_smaller(text: str) -> Smaller:
    """Read it from a link.

    >>> read_smaller("184.min_leaf.20.c0de"), read_smaller("0.c0de").n_leaves
    (Smaller(n_leaves=184, options=(('min_leaf', 20),), of='c0de'), 0)
    >>> read_smaller("184.collapse.False.min_leaf.20.c0de").options
    (('collapse', False), ('min_leaf', 20))
    """
    leaves, *parts = text.split(".")
    of = parts.pop() if len(parts) % 2 else ""
    if leaves == "0" and not parts:
        return Smaller(0, of=of)
    names = parts[::2]
    if not names or not {*names} <= {*_VALUES}:
        raise ValueError(text)
    options = tuple(
        (name, _VALUES[name](value)) for name, value in zip(names, parts[1::2], strict=True)
    )
    return Smaller(whole(1)(leaves), options, of)


def write_smaller(smaller: Smaller) -> str:
    """Write what :func:`read_smaller` reads.

    >>> write_smaller(Smaller(184, (("min_leaf", 20),), "c0de"))
    '184.min_leaf.20.c0de'
    """
    parts = [part for option in smaller.options for part in option]
    return ".".join(map(str, (smaller.n_leaves, *parts, smaller.of)))


SMALLER_CHOICE = LinkChoice(SMALLER, read_smaller, write_smaller)


def smaller_in_force() -> Smaller | None:
    """Return what the app chose, while the tree is grown like that."""
    smaller: Smaller | None = st.session_state.get(SMALLER)
    if smaller is None or not smaller.n_leaves:
        return None
    stands = all(st.session_state.get(f"c45.{name}") == value for name, value in smaller.options)
    return smaller if stands else None


def may_choose(file: str) -> bool:
    """Whether nobody has said yet how large the tree of a file is to be."""
    return SMALLER not in st.session_state and st.session_state.get(_BY_HAND) != file


def choose_smaller(reading: str, smaller: Smaller) -> None:
    """Grow the tree of a table like that when the page is drawn next."""
    st.session_state[_FOUND] = (reading, smaller)


def show_all_leaves(file: str, usual: Mapping[str, Any] | None = None, fewer: int = 0) -> None:
    """Grow the large tree of a file again, and leave it at that; the way back is kept.

    Parameters
    ----------
    usual : the usual values of the options that make the tree smaller
    fewer : leaves of the smaller tree
    """
    smaller = smaller_in_force()
    if smaller is not None:
        for name, _ in smaller.options:
            st.session_state[f"c45.{name}"] = (usual or {})[name]
        st.session_state[_LEFT] = (smaller, fewer)
    st.session_state[SMALLER] = Smaller(0, of=check_number(file))


def smaller_left(file: str, reading: str) -> tuple[Smaller, int] | None:
    """Return the smaller tree that was left for all leaves of this table, and its leaves."""
    decided: Smaller | None = st.session_state.get(SMALLER)
    left: tuple[Smaller, int] | None = st.session_state.get(_LEFT)
    if decided is None or decided.n_leaves or left is None:
        return None
    return left if left[0].is_of(file, reading) else None


def return_to_smaller() -> None:
    """Grow the smaller tree that was left again."""
    smaller, _ = st.session_state.pop(_LEFT)
    _set(smaller)
    st.session_state[SMALLER] = smaller


def _set(smaller: Smaller) -> None:
    for name, value in smaller.options:
        st.session_state[f"c45.{name}"] = value


def without_strange(file: str, reading: str, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out of the options of growing what the app set for another table or reading."""
    smaller = smaller_in_force()
    is_strange = smaller is not None and not smaller.is_of(file, reading)
    strange = dict(smaller.options) if smaller is not None and is_strange else {}
    return {name: value for name, value in chosen.items() if name not in strange}


def settle_smaller(file: str, reading: str, chosen: Collection[str], usual: Any) -> None:
    """Put in force what was found, take back what was found for another table or reading.

    Parameters
    ----------
    file, reading : the file in use, and the key of it with how it is read
    chosen : the options of growing that differ from the usual, without those of another table
    usual : the usual values of those that the app may set
    """
    smaller, in_force = st.session_state.get(SMALLER), smaller_in_force()
    overruled = False
    if smaller is not None and not smaller.is_of(file, reading):
        if in_force is not None:
            _set(smaller._replace(options=tuple((n, usual[n]) for n, _ in smaller.options)))
        st.session_state.pop(SMALLER)
    elif smaller is not None and in_force is None:
        overruled = smaller.n_leaves > 0
    if overruled or (in_force is None and set(chosen) & set(_SIZES)):
        st.session_state[_BY_HAND] = file
    found_for, found = st.session_state.pop(_FOUND, ("", Smaller(0)))
    if found.n_leaves and found_for == reading and may_choose(file):
        _set(found)
        st.session_state[SMALLER] = found._replace(of=check_number(reading))
