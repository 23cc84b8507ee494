"""What learners note beside their trees, and proof that a file's notes have that form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from probtrees.errors import DataError

Check = Callable[[Any, int], bool]
"""Whether a note has its form, given the number of attributes."""


def _is_text(value: Any, _: int) -> bool:
    return isinstance(value, str)


def _is_count(value: Any, _: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31


def _is_list(is_entry: Check) -> Check:
    return lambda value, n: isinstance(value, list) and all(is_entry(each, n) for each in value)


def _is_attribute(value: Any, n_attributes: int) -> bool:
    return _is_count(value, n_attributes) and value < n_attributes


def _is_array(has_shape: Callable[[tuple[int, ...], int], bool]) -> Check:
    """Check for finite numbers in the shape they must have."""
    return lambda value, n: (
        isinstance(value, np.ndarray)
        and value.dtype.kind in "fi"
        and bool(np.isfinite(value).all())
        and has_shape(value.shape, n)
    )


def _is_sizes(value: Any, _: int) -> bool:
    return isinstance(value, Mapping) and all(isinstance(part, Mapping) for part in value.values())


def _is_edit(note: Any, n_attributes: int) -> bool:
    """Whether a correction has its words, and says whether it was followed."""
    return (
        isinstance(note, Mapping)
        and isinstance(note.get("words"), str)
        and isinstance(note.get("on"), bool)
        and isinstance(note.get("why", 0), str | None)
        and ("followed" in note) == ("inner_trees" in note)
        and _is_count(note.get("followed", 0), n_attributes)
        and _is_count(note.get("inner_trees", 0), n_attributes)
    )


_is_surface = _is_array(lambda shape, n: len(shape) == 2 and shape[0] <= n + 1)

_FORMS: Mapping[str, Check] = {
    "removed": _is_list(_is_text),
    "sizes": _is_sizes,
    "joined_unlike": _is_count,
    "edits": _is_list(_is_edit),
    "order": _is_list(_is_attribute),
    "k": _is_count,
    "n_attributes": _is_count,
    "loss": _is_text,
    "criterion": _is_text,
    "mutual_information": _is_array(lambda shape, n: shape == (n,)),
    "conditional_mutual_information": _is_array(lambda shape, n: shape == (n, n)),
    "loss_surface": _is_surface,
    "loss_errors": _is_surface,
    "selection": _is_text,
}


def check_diagnostics(notes: Mapping[str, Any], n_attributes: int, n_members: int) -> None:
    """Refuse notes that pictures and texts could not be made from; others are let through.

    Parameters
    ----------
    n_members : how many members must be described if each is described on its own
    """
    for name, is_right in _FORMS.items():
        if name in notes and not is_right(notes[name], n_attributes):
            raise DataError(f"diagnostics {name!r} must have the form that learners give it.")
    members = notes.get("members")
    if members is None:
        return
    if not isinstance(members, list) or len(members) != n_members:
        raise DataError(f"diagnostics must describe all {n_members} members or none.")
    for own in members:
        check_diagnostics({**own, "members": None}, n_attributes, n_members)
