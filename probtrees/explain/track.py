"""The track record of a probability, and the interval of a leaf, in sentences and in a table."""

from __future__ import annotations

import itertools
import math

from probtrees.model.group_rates import bin_of
from probtrees.model.track_record import LeafInterval, Similar, TrackRecord
from probtrees.words import count_text, percent, percentage, plural

TRACK_HEAD = ("given", "unseen rows", "on average given", "had it", "rate", "90 of 100 such lie")
"""What the columns of :func:`track_lines` hold."""

_EDGES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.98, 0.99, 1.0)
"""Where unseen rows are parted by the number they were given."""

_TELLS_NOTHING = 0.5
"""An interval wider than this part of the scale is called so."""

_WIDE, _LITTLE = 0.2, 0.2
"""An interval wider than the one, of rows that are worth less than this part, is explained."""


def track_bins(record: TrackRecord, outcome: int) -> list[Similar]:
    """List what happened to unseen rows, by the number they were given."""
    bins = [0, *(int(bin_of(edge)) for edge in _EDGES[1:-1]), int(bin_of(1.0)) + 1]
    found = [record.between(outcome, first, end) for first, end in itertools.pairwise(bins)]
    return [similar for similar in found if similar.rows > 0]


def track_lines(record: TrackRecord, outcome: int) -> list[list[str]]:
    """Lay a track record out as a table under :data:`TRACK_HEAD`."""
    return [
        [
            range_text(similar.low, similar.high, decimals=1, outwards=True),
            count_text(similar.rows),
            percent(similar.forecast or 0.0),
            count_text(similar.cases),
            percent(similar.cases / similar.rows),
            range_text(similar.lower, similar.upper, decimals=1),
        ]
        for similar in track_bins(record, outcome)
    ]


def track_sentence(similar: Similar) -> str:
    """Describe what happened to unseen rows that were given a similar number.

    >>> track_sentence(Similar(0.1, 0.25, 80, 9, 0.16, 0.1125, 0.066, 0.183))
    'Of 80 unseen rows given 10 to 25 %, 9 had it (11 %; 90 of 100 such rates lie between 6 and \
19 %).'

    Where the interval is wide in spite of many rows, it says why:

    >>> track_sentence(Similar(0.99, 1.0, 100, 100, 0.997, 1.0, 0.32, 1.0, worth=1.3))[129:]
    'So wide because they lie in few groups, each right or wrong as a whole: together they tell \
about as much as 1 row.'
    """
    given = range_text(similar.low, similar.high, outwards=True)
    if similar.rate is None or similar.rows <= 0:
        return f"No unseen row was given a similar number ({given})."
    rows = plural(round(similar.rows), "unseen rows")
    had = f"Of {rows} given {given}, {count_text(round(similar.cases))} had it"
    interval = interval_words("rates", similar.lower, similar.upper)
    return f"{had} ({_rate(similar.rate)}; {interval}).{_why_wide(similar)}"


def _why_wide(similar: Similar) -> str:
    """Say why many rows tell little, where they do; else nothing."""
    is_wide = similar.upper - similar.lower > _WIDE
    if not is_wide or similar.worth is None or similar.worth > _LITTLE * similar.rows:
        return ""
    worth = plural(max(1, round(similar.worth)), "rows")
    return (
        " So wide because they lie in few groups, each right or wrong as a whole: together they "
        f"tell about as much as {worth}."
    )


def interval_sentence(interval: LeafInterval) -> str:
    """Describe where the true chance in groups like a leaf lies.

    >>> interval_sentence(LeafInterval(0.0412, 0.189))
    'Judged by rows not used to grow, the true chances of 90 of 100 such leaves lie between 4 and \
19 %.'
    """
    words = interval_words("leaves", interval.lower, interval.upper)
    return f"Judged by rows not used to grow, the true chances of {words}."


def interval_words(of_what: str, low: float, high: float) -> str:
    """Say what an interval means, in the same words wherever one is shown.

    >>> interval_words("leaves", 0.0412, 0.189)
    '90 of 100 such leaves lie between 4 and 19 %'
    >>> interval_words("rows", 0.1, 0.9)
    '90 of 100 such rows lie between 10 and 90 %: too few rows to tell'
    """
    between = interval_text(low, high).replace(" to ", " and ", 1)
    return f"90 of 100 such {of_what} lie between {between}"


def interval_text(low: float, high: float) -> str:
    """Print where the true chance of a group lies; the group's own number stays inside.

    Of an interval wider than half the scale it is said that it tells nothing.

    >>> interval_text(0.012, 0.1634), interval_text(0.2, 0.9)
    ('1 to 17 %', '20 to 90 %: too few rows to tell')
    """
    doubt = ": too few rows to tell" if high - low > _TELLS_NOTHING else ""
    return range_text(low, high, outwards=True) + doubt


def range_text(
    low: float, high: float, *, decimals: int | None = None, outwards: bool = False
) -> str:
    """Print a range with no more digits than it deserves: one near 0 and 1, none elsewhere.

    Parameters
    ----------
    decimals : as many at least
    outwards : round the ends away from each other, so that what lies inside stays inside

    >>> range_text(0.999938, 1.0, outwards=True), range_text(0.0412, 0.189)
    ('99.9 to 100 %', '4 to 19 %')
    >>> range_text(0.0004, 0.0121)
    '0 to 1.2 %'
    """
    places = max(decimals or 0, 1 if high < 0.05 or low > 0.95 else 0)
    unit = 10.0**places
    below, above = 100 * low * unit, 100 * high * unit
    if outwards:
        below, above = math.floor(below + 1e-6), math.ceil(above - 1e-6)
    return f"{_end(round(below) / unit, places)} to {_end(round(above) / unit, places)} %"


def _end(value: float, decimals: int) -> str:
    """Print an end of a range; 0 and 100 need no digits."""
    return f"{value:.0f}" if value in (0.0, 100.0) else f"{value:.{decimals}f}"


def _rate(rate: float) -> str:
    """Print whole percents, unless the rate is so close to 0 or 1 that they say nothing."""
    return percentage(100 * rate, 0) if 0.05 <= rate <= 0.95 else percent(rate)
