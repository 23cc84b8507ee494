"""The track record of a probability, in one sentence."""

from __future__ import annotations

from probtrees.explain.rounding import percent, percent_decimals, rows_text
from probtrees.track_record import Similar


def track_sentence(similar: Similar) -> str:
    """Say what happened to unseen rows that were given a similar number.

    >>> track_sentence(Similar(0.1, 0.25, 80, 9, 0.16, 0.1125, 0.066, 0.183))
    'Of 80 unseen rows given 10 to 25 %, 9 had it (11 %; 90 % interval 7 to 18 %).'
    """
    given = _range(similar.low, similar.high)
    if similar.rate is None or similar.rows <= 0:
        return f"No unseen row was given a similar number ({given})."
    rows = f"{rows_text(round(similar.rows))} unseen row{'' if round(similar.rows) == 1 else 's'}"
    rate = percent(100 * similar.rate, _decimals(similar.rate))
    interval = _range(similar.lower, similar.upper)
    return (
        f"Of {rows} given {given}, {rows_text(round(similar.cases))} had it "
        f"({rate}; 90 % interval {interval})."
    )


def _range(low: float, high: float) -> str:
    decimals = max(_decimals(low), _decimals(high)) if high < 0.05 or low > 0.95 else 0
    return f"{percent(100 * low, decimals).removesuffix(' %')} to {percent(100 * high, decimals)}"


def _decimals(probability: float) -> int:
    """Print whole percents, unless the probability is so close to 0 or 1 that they say nothing."""
    return 0 if 0.05 <= probability <= 0.95 else percent_decimals(probability)
