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
from probtrees.explain.network_answer import Finding, Findings, KnownRange
from probtrees.explain.network_query import NetworkQuery
from probtrees.model.networks.dense_network import Variable

KNOWN = "network.findings"
"""Where the session keeps what is known of the columns of the network that is asked, by name."""
CASES = "network.cases"
"""Where it keeps cases to be seen side by side: what was known in each."""
_MOST_NAMED = 3
_COLUMNS = 2
_LONGEST = 4000
"""Letters of such a part of a link; browsers cut longer addresses off."""


def findings_about(query: NetworkQuery) -> dict[str, Finding]:
    """Return what is known, also what was said about other networks, as far as it fits this one."""
    return known_to(query, st.session_state.setdefault(KNOWN, {}))


def known_to(query: NetworkQuery, findings: Findings) -> dict[str, Finding]:
    """Return the findings whose columns and values a network has."""
    return {
        name: finding
        for name, finding in findings.items()
        if name in query.variables and fits(query.variables_named(name), finding)
    }


def pick_value(query: NetworkQuery, name: str, value: int) -> None:
    """Take over a value that was clicked: it is known, or, where it was, it is taken back.

    This is done before the page is drawn again, whose first step is to keep what is known.
    """
    variable = query.variables.get(name)
    if variable is None or value >= len(variable.values):
        return
    if value_of(variable, findings_about(query).get(name, {})) == value:
        forget(name)
    else:
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


def forget(*names: str) -> None:
    """Leave columns unobserved again."""
    for name in names:
        st.session_state.setdefault(KNOWN, {}).pop(name, None)


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


def weigh_values(variable: Variable, known: Mapping[str, float]) -> None:
    """Ask how well each value of a column fits.

    The weights are taken over together, when they are all typed: each of them alone would be asked
    as a question that nobody has.

    Parameters
    ----------
    known : the weights that hold now, by value
    """
    with st.form(f"network.weights {variable.name}"):
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
        elif is_sent:
            say(variable.name, weights)
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
    found = json.loads(text) if len(text) <= _LONGEST else None
    if not isinstance(found, dict):
        raise ValueError(text)
    return {name: _read(each) for name, each in found.items()}


def _read(found: Any) -> Finding:
    """Read what :func:`_plain` writes."""
    if found is None or isinstance(found, str):
        return found
    if isinstance(found, dict) and found:
        weights = {value: _number(weight) for value, weight in found.items()}
        if min(weights.values()) >= 0:
            return weights
    elif isinstance(found, list) and len(found) == 2 and found != [None, None]:
        low = -math.inf if found[0] is None else _number(found[0])
        high = math.inf if found[1] is None else _number(found[1])
        if low < high:
            return KnownRange(low, high)
    elif not isinstance(found, dict | list):
        return _number(found)
    raise ValueError(found)


def _number(found: Any) -> float:
    if isinstance(found, bool) or not isinstance(found, int | float) or not math.isfinite(found):
        raise ValueError(found)
    return found
