"""Numbers of a column as the column is written: plain, dates, clock times, percentages.

Pictures, rules, paths, forms and reports write the numbers of the data by this one function.
"""

from __future__ import annotations

import numpy as np

from probtrees.table.cells.dates import spell_dates
from probtrees.table.cells.spelled_numbers import CLOCK

_MOST_DAYS = 4e6
"""Days that are further from 1970 are no dates that people write."""


def number_text(value: float, unit: str = "") -> str:
    """Print a number of the data without float noise, and as its column is written.

    ``unit`` is that of the column: dates, clock times and percentages are written as such.

    >>> number_text(0.1 + 0.2), number_text(54.0), number_text(-1.5e-7)
    ('0.3', '54', '-1.5e-07')
    >>> number_text(10476, "date"), number_text(14.866666666667, "h:mm"), number_text(59.6, "%")
    ('1998-09-07', '14:52', '59.6 %')
    """
    if unit == "date" and abs(value) < _MOST_DAYS:
        return spell_dates(np.array([value]))[0].removesuffix(":00")
    if unit == CLOCK and value >= 0:
        minutes, seconds = divmod(round(value * 3600), 60)
        text = f"{minutes // 60}:{minutes % 60:02d}"
        return f"{text}:{seconds:02d}" if seconds else text
    return f"{value:.12g} %" if unit == "%" else f"{value:.12g}"
