"""What is known of the columns of the network on show, as the session keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from probtrees.explain.network_answer import Finding, Findings
from probtrees.explain.network_query import NetworkQuery
from probtrees.model.networks.dense_network import Variable
from probtrees.ui.network.network_page import KNOWN

_OF = "network.findings of"
_PICKED = "network.picked value"


def findings_of(key: tuple[Any, ...], query: NetworkQuery) -> dict[str, Finding]:
    """Return what is known, and take over what was clicked in the picture.

    What was said about another network is kept as far as this one knows the columns and values.
    """
    kept: dict[str, Finding] = st.session_state.setdefault(KNOWN, {})
    source = f"{key[:2]}"
    # Findings that came with a link are about no table yet.
    if st.session_state.get(_OF) not in (None, source):
        kept = st.session_state[KNOWN] = {}
    st.session_state[_OF] = source
    picked = st.session_state.pop(_PICKED, None)
    names = query.column_names
    if picked is not None and picked[0] < len(names):
        _take(kept, query, names[picked[0]], picked[1])
    return {
        name: finding
        for name, finding in kept.items()
        if name in query.variables and fits(query.variables[name], finding)
    }


def pick_value(column: int, value: int) -> None:
    """Note a value that was clicked; it is understood when the network is at hand."""
    st.session_state[_PICKED] = (column, value)


def _take(kept: dict[str, Finding], query: NetworkQuery, name: str, value: int) -> None:
    """Take a clicked value for known, or forget it if it was."""
    variable = query.variables.get(name)
    if variable is None or value >= len(variable.values):
        return
    known = kept.get(name, {})
    if not isinstance(known, Mapping) and fits(variable, known) and variable.code(known) == value:
        del kept[name]
        return
    say(name, finding_of(query, variable, value))


def finding_of(query: NetworkQuery, variable: Variable, value: int) -> Finding:
    """Write a value as a finding; as a number where networks cut the column in other places."""
    if variable.not_recorded and value == len(variable.values) - 1:
        return None
    if variable.points is None or query.cuts_alike(variable.name):
        return variable.values[value]
    points = variable.points
    return points[value] if value < len(points) else points[-1] + 1.0


def say(name: str, finding: Finding) -> None:
    """Say what is known of a column."""
    st.session_state.setdefault(KNOWN, {})[name] = finding


def forget(name: str) -> None:
    """Leave a column unobserved again."""
    st.session_state.setdefault(KNOWN, {}).pop(name, None)


def forget_all() -> None:
    """Leave all columns unobserved again."""
    st.session_state[KNOWN] = {}


def fits(variable: Variable, finding: Finding) -> bool:
    """Whether a finding makes sense for a column."""
    if isinstance(finding, Mapping):
        return set(finding) <= set(variable.values)
    if finding is None:
        return variable.not_recorded
    if isinstance(finding, str):
        return finding in variable.values
    return variable.points is not None


def finding_text(finding: Finding) -> str:
    """Say what is known in words."""
    if isinstance(finding, Mapping):
        likely = max(finding, key=lambda value: finding[value])
        return f"not sure, most likely {likely}"
    if finding is None:
        return "not recorded"
    return finding if isinstance(finding, str) else f"{finding:g}"


def frozen(findings: Findings) -> tuple[Any, ...]:
    """Write findings as something that results can be found again by."""
    return tuple(
        (name, tuple(finding.items()) if isinstance(finding, Mapping) else finding)
        for name, finding in findings.items()
    )
