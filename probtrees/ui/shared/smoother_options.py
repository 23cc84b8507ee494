"""How the smoothers are set in this session: a form made from their options, folded away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.errors import OptionError
from probtrees.experiment.registry import DEFAULT_SMOOTHER, SMOOTHERS
from probtrees.options import OptionField
from probtrees.ui.shared import forms
from probtrees.ui.shared.page import LinkChoice, one_of
from probtrees.ui.shared.session import state

Settings = tuple[tuple[str, Any], ...]
"""Options by name, in an order of their own, so that they can be a key."""

CALIBRATIONS = {
    "none": "no",
    "platt": "a line (Platt)",
    "isotonic": "steps (isotonic)",
    "venn-abers": "steps twice (Venn-Abers)",
}
"""How answers can be calibrated in a comparison, by the name the command line gives it."""


def settings(options: Mapping[str, Any]) -> Settings:
    """Make options usable as a key."""
    return tuple(sorted(options.items()))


def option_key(name: str) -> str:
    """Return what the session's keys of a smoother's options begin with."""
    return f"smooth.{name}"


@cache
def smoother_fields(name: str) -> tuple[OptionField, ...]:
    """List a smoother's options, without the choices that have a name of their own.

    "HGS as published" is a smoother of its own, so "published" is no setting of the other.
    """
    entry = SMOOTHERS[name]
    others = [o for o in SMOOTHERS.values() if o.place == entry.place and o.name != name]
    named = {preset for other in others for preset in other.preset.items()}
    return tuple(
        replace(field, choices=tuple(c for c in field.choices if (field.name, c) not in named))
        for field in entry.options
    )


def smoother_settings(name: str) -> Settings:
    """Return the options of a smoother that differ from their defaults.

    Options that do not go together are not used; :func:`show_problem` says why.
    """
    try:
        return _chosen(name) if name else ()
    except OptionError:
        return ()


def show_problem(name: str) -> None:
    """Say why the options of a smoother cannot be used, if they cannot."""
    try:
        _chosen(name)
    except OptionError as problem:
        st.warning(markdown_text(f"{problem} The defaults are used."))


def _chosen(name: str) -> Settings:
    chosen = forms.chosen_options(smoother_fields(name), key=option_key(name))
    SMOOTHERS[name].make(chosen)
    return settings(chosen)


def smoothing_choices() -> dict[str, LinkChoice]:
    """List what links hold of the smoothing: the smoother, and the options of each."""
    choices = {
        state.SMOOTHER: LinkChoice(
            state.SMOOTHER, one_of(lambda: SMOOTHERS), usual=DEFAULT_SMOOTHER
        )
    }
    for name in SMOOTHERS:
        for field in smoother_fields(name):
            key = f"{option_key(name)}.{field.name}"
            choices[key] = LinkChoice(key, field.parse, usual=field.default)
    return choices


def current_smoother() -> str:
    """Name the smoother in use."""
    chosen = st.session_state.get(state.SMOOTHER)
    return chosen if chosen in SMOOTHERS else DEFAULT_SMOOTHER


def choose_smoother_options(name: str) -> None:
    """Ask for the options of a smoother."""
    fields = smoother_fields(name)
    st.markdown(f"**{markdown_text(SMOOTHERS[name].label)}**")
    if not fields:
        st.caption("This smoother has nothing to set.")
    forms.option_widgets(fields, key=option_key(name))
    st.button("Back to the defaults", on_click=_forget, args=(name,), disabled=not fields)


def _forget(name: str) -> None:
    for field in smoother_fields(name):
        st.session_state.pop(f"{option_key(name)}.{field.name}", None)
