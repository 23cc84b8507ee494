"""How a table is read: what the user said about its columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from probtrees.table.repeats import Repeats

_READING = "reading"


@dataclass(frozen=True)
class Reading:
    """Roles and types set by hand; columns that are not named are as inferred.

    Attributes
    ----------
    roles, types : by column name, sorted, so that equal readings are equal keys
    bin_target : how many classes a numeric target is cut into; None: not at all
    repeats : what becomes of copies of rows
    """

    roles: tuple[tuple[str, str], ...] = ()
    types: tuple[tuple[str, str], ...] = ()
    bin_target: int | None = None
    repeats: Repeats = "auto"

    def with_role(self, column: str, role: str) -> Reading:
        """Give a column a role; a role that only one column can have leaves the other."""
        roles = dict(self.roles)
        if role in ("target", "weight", "group", "time"):
            roles = {name: old for name, old in roles.items() if old != role}
        return replace(self, roles=_sorted({**roles, column: role}))

    def with_type(self, column: str, kind: str) -> Reading:
        """Say what a column holds."""
        return replace(self, types=_sorted({**dict(self.types), column: kind}))

    @property
    def arguments(self) -> dict[str, Any]:
        """The reading as arguments of ``read_table``."""
        given: dict[str, Any] = {"roles": dict(self.roles), "types": dict(self.types)}
        given["bin_target"] = self.bin_target
        return given if self.repeats == "auto" else {**given, "repeats": self.repeats}


def current_reading() -> Reading:
    """Return how the table in use is read."""
    reading: Reading = st.session_state.get(_READING, Reading())
    return reading


def use_reading(reading: Reading) -> None:
    """Read the table in use like this from now on."""
    st.session_state[_READING] = reading


def _sorted(settings: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(settings.items()))
