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


def weigh_values(variable: Variable, known: Mapping[str, float]) -> None:
    """Ask how well each value of a column fits.

    Parameters
    ----------
    known : the weights that hold now, by value
    """
    with st.form(f"network.weights {variable.name}"):
        st.caption(
            "How well does each value fit what you saw? Only ratios matter: 1 and 100 say that one "
            "value fits a hundred times as well as the other, 0 rules a value out."
        )
        weights = {
            value: st.number_input(
                label_text(value),
                min_value=0.0,
                value=float(known.get(value, 0.0)),
                step=0.1,
                format="%g",
                key=f"network.weight {variable.name} {value}",
            )
            for value in variable.values
        }
        is_sent = st.form_submit_button("Use these weights", icon=":material/balance:")
    if not is_sent:
        return
    if not any(weights.values()):
        st.warning("At least one value must fit: give one of them a weight above 0.")
        return
    say(variable.name, weights)
    st.rerun()
