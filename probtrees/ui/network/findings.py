"""What is known of the columns of the network on show, as the session keeps it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from probtrees.explain.known_range import KnownRange
from probtrees.explain.network_answer import Finding, Findings
from probtrees.explain.network_query import NetworkQuery
from probtrees.model.networks.dense_network import Variable
from probtrees.ui.network.network_page import KNOWN

_OF = "network.findings of"
_PICKED = "network.picked value"
_MOST_NAMED = 3


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
        if name in query.variables and fits(query.variables_named(name), finding)
    }


def not_used(findings: Findings) -> str:
    """Say what is known but no value of this network, which may cut columns otherwise."""
    kept: Mapping[str, Finding] = st.session_state.get(KNOWN, {})
    left = [f"{name} ({finding_text(kept[name])})" for name in kept if name not in findings]
    return f"Not used, since this network has no such value: {', '.join(left)}." if left else ""


def pick_value(column: int, value: int) -> None:
    """Note a value that was clicked; it is understood when the network is at hand."""
    st.session_state[_PICKED] = (column, value)


def _take(kept: dict[str, Finding], query: NetworkQuery, name: str, value: int) -> None:
    """Take a clicked value for known, or forget it if it was."""
    variable = query.variables.get(name)
    if variable is None or value >= len(variable.values):
        return
    known = kept.get(name, {})
    if fits(query.variables_named(name), known) and value_of(variable, known) == value:
        del kept[name]
        return
    say(name, finding_of(variable, value))


def finding_of(variable: Variable, value: int) -> Finding:
    """Write a value as a finding; as a range of numbers, which networks cut elsewhere know too."""
    if variable.not_recorded and value == len(variable.values) - 1:
        return None
    if not variable.points:
        return variable.values[value]
    return KnownRange.of_value(variable.points, value)


def value_of(variable: Variable, finding: Finding) -> int | None:
    """Return the one value of a column that is known; None where several are possible."""
    if isinstance(finding, Mapping):
        return None
    if not isinstance(finding, KnownRange):
        return variable.code(finding)
    for value in range(len(variable.points or ()) + 1):
        if KnownRange.of_value(variable.points or (), value) == finding:
            return value
    return None


def say(name: str, finding: Finding) -> None:
    """Say what is known of a column."""
    st.session_state.setdefault(KNOWN, {})[name] = finding


def forget(name: str) -> None:
    """Leave a column unobserved again."""
    st.session_state.setdefault(KNOWN, {}).pop(name, None)


def forget_all() -> None:
    """Leave all columns unobserved again."""
    st.session_state[KNOWN] = {}


def fits(variables: Sequence[Variable], finding: Finding) -> bool:
    """Whether a finding makes sense for a column, as every network with it has it."""
    if finding is None:
        return all(variable.not_recorded for variable in variables)
    if isinstance(finding, KnownRange | int | float):  # every network finds its own ranges in it
        return any(variable.points for variable in variables)
    names = {finding} if isinstance(finding, str) else set(finding)
    return all(names <= set(variable.values) for variable in variables)


def finding_text(finding: Finding) -> str:
    """Say what is known in words."""
    if isinstance(finding, Mapping):
        return _weighed_text(finding)
    if finding is None:
        return "not recorded"
    return f"{finding:.6g}" if isinstance(finding, int | float) else str(finding)


def _weighed_text(weights: Mapping[str, float]) -> str:
    """Say how values fit; which of them is likely is the network's to say.

    >>> _weighed_text({"yes": 1.0, "earlier": 1.0, "no": 0.0})
    'not no'
    >>> _weighed_text({"yes": 0.5, "earlier": 1.0, "no": 0.2})
    'not sure, earlier fits best'
    """
    most = max(weights.values())
    best = [value for value, weight in weights.items() if weight == most]
    ruled_out = [value for value, weight in weights.items() if weight == 0]
    if len(best) == len(weights):
        return "not sure, all values fit alike"
    if len(best) == 1 and len(ruled_out) == len(weights) - 1:
        return best[0]
    if len(best) + len(ruled_out) < len(weights):
        return f"not sure, {_either(best)} {'fits' if len(best) == 1 else 'fit'} best"
    return f"not {_either(ruled_out)}" if len(ruled_out) <= len(best) else _either(best)


def _either(values: Sequence[str]) -> str:
    """Join values by "or"; of many only the first are named."""
    if len(values) > _MOST_NAMED:
        return f"{', '.join(values[:_MOST_NAMED])} or {len(values) - _MOST_NAMED} more"
    *first, last = values
    return f"{', '.join(first)} or {last}" if first else last


def frozen(findings: Findings) -> tuple[Any, ...]:
    """Write findings as something that results can be found again by."""
    return tuple(
        (name, tuple(finding.items()) if isinstance(finding, Mapping) else finding)
        for name, finding in findings.items()
    )
