"""Colours that people with any colour vision can tell apart, for light and dark pages.

Outcomes take the colours of Okabe and Ito (2008); a scale from "below the base rate" to
"above it" runs from blue over a neutral to orange; amounts run along one hue.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from probtrees.model.calibration import log_odds

Theme = Literal["light", "dark"]
ColourBy = Literal["lift", "class", "rows", "difference", "acting"]

COLOUR_BY_WORDS: dict[ColourBy, str] = {
    "lift": "chance relative to the overall rate",
    "class": "most probable class",
    "rows": "number of rows",
    "difference": "difference between two smoothers",
}

INTEREST = "#e69f00"
"""The outcome of interest, in keeping with the warm end of the scale around the base rate."""

OTHERS = (
    "#0072b2",
    "#009e73",
    "#cc79a7",
    "#56b4e9",
    "#d55e00",
    "#b8a800",
    "#7b5ea7",
    "#8c510a",
    "#5c9ead",
)
"""Colours of the other outcomes in order; further ones share :attr:`Paint.rest`."""


@dataclass(frozen=True)
class Paint:
    """The colours of one theme.

    Attributes
    ----------
    text, faint : text, and text or lines of less weight
    page, card, line : background, background of a box, its border
    rest : outcomes that have no colour of their own
    diverging : seven stops from far below to far above the base rate
    sequential : five stops from nothing to much
    accent : what is selected
    mark : what was asked for, beside what is selected
    """

    text: str
    faint: str
    page: str
    card: str
    line: str
    rest: str
    accent: str
    mark: str
    diverging: tuple[str, ...]
    sequential: tuple[str, ...]


PAINTS: dict[Theme, Paint] = {
    "light": Paint(
        text="#1b2430",
        faint="#5b6675",
        page="#ffffff",
        card="#f6f8fa",
        line="#9aa5b1",
        rest="#a9b0b8",
        accent="#0b5fa5",
        mark="#b0126b",
        diverging=("#7fb2e5", "#abcdef", "#d6e7f7", "#f4f5f6", "#fbe5cb", "#f8c98f", "#f0a550"),
        sequential=("#f4f6f8", "#d5e3ea", "#a9c9d6", "#78acc0", "#4c8fa8"),
    ),
    "dark": Paint(
        text="#e7ecf2",
        faint="#9fabb8",
        page="#10151c",
        card="#1a222d",
        line="#57636f",
        rest="#6b757f",
        accent="#6db3f2",
        mark="#ff7ac0",
        diverging=("#1d5c97", "#1f486f", "#203549", "#262c33", "#4a3721", "#744c1b", "#9c6213"),
        sequential=("#20272f", "#223c48", "#235262", "#246a7f", "#25839d"),
    ),
}


def bar_colours(n_outcomes: int, outcome: int, theme: Theme = "light") -> dict[int, str]:
    """List outcomes as bars show them, the one of interest first and always in the same colour.

    >>> bar_colours(3, 1), bar_colours(12, 1)[11]
    ({1: '#e69f00', 0: '#0072b2', 2: '#009e73'}, '#a9b0b8')
    """
    others = [k for k in range(n_outcomes) if k != outcome]
    colours = (INTEREST, *OTHERS, *[PAINTS[theme].rest] * n_outcomes)
    return dict(zip([outcome, *others], colours, strict=False))


LIFT_REACH = 3.0
"""How far from the base rate the scale ends, in log-odds: odds about 20 times the base's."""


def relative_to_base(probability: NDArray[np.float64], base: float) -> NDArray[np.float64]:
    """Place probabilities on a scale from -1 (far below the base rate) to 1 (far above).

    The distance is in log-odds, so that 2 % against a base of 1 % counts as much as 99 %
    against 98 %; the scale ends at :data:`LIFT_REACH`.

    >>> relative_to_base(np.array([0.0, 0.1, 1.0]), 0.1).tolist()
    [-1.0, 0.0, 1.0]
    """
    distance = log_odds(probability) - log_odds(np.array(base))
    return np.asarray(np.clip(distance / LIFT_REACH, -1.0, 1.0))


def ink_on(fill: str) -> str:
    """Choose black or white for words on a colour, by contrast as the WCAG define it.

    >>> ink_on("#ffffff"), ink_on("#0072b2")
    ('#000000', '#ffffff')
    """
    channels = np.array([*bytes.fromhex(fill[1:])]) / 255
    linear = np.where(channels > 0.04045, ((channels + 0.055) / 1.055) ** 2.4, channels / 12.92)
    light = float(linear @ (0.2126, 0.7152, 0.0722)) + 0.05
    return "#000000" if light / 0.05 >= 1.05 / light else "#ffffff"


def along(stops: tuple[str, ...], position: float) -> str:
    """Mix a colour at a position from 0 to 1 along evenly spaced stops.

    >>> along(("#000000", "#ffffff"), 0.5)
    '#808080'
    """
    place = min(max(position, 0.0), 1.0) * (len(stops) - 1)
    low = min(int(place), len(stops) - 2)
    share = place - low
    both = zip(*(bytes.fromhex(stop[1:]) for stop in stops[low : low + 2]), strict=True)
    return f"#{bytes(round(a * (1 - share) + b * share) for a, b in both).hex()}"
