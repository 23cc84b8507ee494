"""What is known of the columns of the network on show: in the session, in words, in a link.

A finding is a value, a range of numbers, *not recorded*, or soft evidence: how well each value of
a column fits what was seen.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from probtrees.draw.escape import label_text
from probtrees.explain.known_range import KnownRange
from probtrees.explain.network_answer import Finding, Findings
from probtrees.explain.network_query import NetworkQuery
from probtrees.model.networks.dense_network import Variable

KNOWN = "network.findings"
"""Where the session keeps what is known of the columns of the network that is asked, by name."""
_PICKED = "network.picked value"
_MOST_NAMED = 3
_OPEN, _DONE = "network.weights open", "network.weights done"
_COLUMNS = 2
_LONGEST = 4000
"""Letters of such a part of a link; browsers cut longer addresses off."""


def findings_about(query: NetworkQuery) -> dict[str, Finding]:
    """Return what is known, and take over what was clicked in the picture.

    What was said about another network is kept as far as this one knows the columns and values.
    """
    kept: dict[str, Finding] = st.session_state.setdefault(KNOWN, {})
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
    """Say what is known in words; of soft evidence the weights, which is likely the network says.

    >>> finding_text({"yes": 1.0, "no": 0.2})
    'not sure (yes 1, no 0.2)'
    """
    if isinstance(finding, Mapping):
        named = [f"{value} {weight:g}" for value, weight in finding.items()]
        more = ", …" if len(named) > _MOST_NAMED else ""
        return f"not sure ({', '.join(named[:_MOST_NAMED])}{more})"
    if finding is None:
        return "not recorded"
    return f"{finding:.6g}" if isinstance(finding, int | float) else str(finding)


def frozen(findings: Findings) -> tuple[Any, ...]:
    """Write findings as something that results can be found again by."""
    return tuple(
        (name, tuple(finding.items()) if isinstance(finding, Mapping) else finding)
        for name, finding in findings.items()
    )


def begin_to_weigh(variable: Variable) -> None:
    """Take all values of a column to fit alike, and show the form that says otherwise."""
    say(variable.name, dict.fromkeys(variable.values, 1.0))
    st.session_state[_OPEN] = True


def weigh_values(variable: Variable, known: Mapping[str, float]) -> None:
    """Ask how well each value of a column fits, in a form above the page: the answer stays in view.

    The weights are taken over together, when they are all typed: each of them alone would be asked
    as a question that nobody has.

    Parameters
    ----------
    known : the weights that hold now, by value
    """
    if st.session_state.pop(_DONE, False):
        st.session_state[_OPEN] = False
    folded = st.popover("Weights", icon=":material/balance:", on_change="rerun", key=_OPEN)
    if not folded.open:
        return
    with folded, st.form(f"network.weights {variable.name}", border=False):
        st.caption(
            "How well does each value fit what you saw? Only ratios matter: 1 and 100 say that one "
            "value fits a hundred times as well as the other, 0 rules a value out."
        )
        places = st.columns(_COLUMNS)
        weights = {
            value: places[at % _COLUMNS].number_input(
                label_text(value),
                min_value=0.0,
                value=float(known.get(value, 0.0)),
                step=0.1,
                format="%g",
                key=f"network.weight {variable.name} {value}",
            )
            for at, value in enumerate(variable.values)
        }
        is_sent = st.form_submit_button("Use these weights", icon=":material/balance:")
        if is_sent and not any(weights.values()):
            st.warning("At least one value must fit: give one of them a weight above 0.")
            return
    if is_sent:
        say(variable.name, weights)
        st.session_state[_DONE] = True
        st.rerun()


def write_findings(findings: Findings) -> str:
    """Write findings so that they can be read in the address.

    >>> write_findings({"sex": "female", "age": 30.0, "cabin": None})
    '{"sex":"female","age":30.0,"cabin":null}'
    >>> write_findings({"age": KnownRange(51.0, math.inf)})
    '{"age":[51.0,null]}'
    """
    plain = {name: _plain(finding) for name, finding in findings.items()}
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))


def _plain(finding: Finding) -> object:
    """Write a finding as JSON has it; a range as its ends, those that are open as null."""
    if isinstance(finding, KnownRange):
        return [end if math.isfinite(end) else None for end in finding]
    return dict(finding) if isinstance(finding, Mapping) else finding


def read_findings(text: str) -> dict[str, Finding]:
    """Read findings; whether columns and values exist is seen when the network is at hand."""
    if len(text) > _LONGEST:
        raise ValueError(text)
    found = json.loads(text)
    if not isinstance(found, dict) or not all(_is_finding(each) for each in found.values()):
        raise ValueError(text)
    return {
        name: _range_of(each) if isinstance(each, list) else each for name, each in found.items()
    }


def _range_of(ends: list[float | None]) -> KnownRange:
    low, high = ends
    return KnownRange(-math.inf if low is None else low, math.inf if high is None else high)


def _is_finding(found: object) -> bool:
    if isinstance(found, dict):
        return bool(found) and all(_is_number(weight) and weight >= 0 for weight in found.values())
    if isinstance(found, list):
        ends = [end for end in found if end is not None]
        are_ends = bool(ends) and all(map(_is_number, ends))
        return len(found) == 2 and are_ends and ends == sorted(set(ends))
    return found is None or isinstance(found, str) or _is_number(found)


def _is_number(found: object) -> bool:
    return isinstance(found, int | float) and not isinstance(found, bool) and math.isfinite(found)
