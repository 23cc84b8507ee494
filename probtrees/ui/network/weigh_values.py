"""Soft evidence: how well each value of a column fits what was seen.

The weights are taken over together, when they are all typed: each of them alone would be asked
as a question that nobody has.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from probtrees.draw.escape import label_text
from probtrees.model.networks.dense_network import Variable
from probtrees.ui.network.findings import say

_OPEN = "network.weights open"
_DONE = "network.weights done"
_COLUMNS = 2


def begin_to_weigh(variable: Variable) -> None:
    """Take all values of a column to fit alike, and show the form that says otherwise."""
    say(variable.name, dict.fromkeys(variable.values, 1.0))
    st.session_state[_OPEN] = True


def weigh_values(variable: Variable, known: Mapping[str, float]) -> None:
    """Ask how well each value of a column fits, in a form above the page: the answer stays in view.

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
