"""Numbers as people read them: percentages, counts and plurals, in one voice everywhere.

The same probability reads the same in a picture, a sentence, a report and the app.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

import numpy as np

_SMALLEST = 1e-5
"""Probabilities closer to 0 or 1 than this are printed as a bound."""
_NEAR_END = 0.05
"""Shares closer to 0 or 1 than this have decimals."""
_MOST_DECIMALS = 4
_MOST_OF_SCORES = 7
"""Decimals of a score."""
_ESCAPED = re.compile(r"\\(?:\\|'|[nrt]|xa0|u202f|u2009|u3000)")
_SEEN = {"\\'": "'"} | {
    "\\" + code: " " for code in ("n", "r", "t", "xa0", "u202f", "u2009", "u3000")
}
_SMALL_COUNT, _WHOLE_FROM = 0.05, 10
"""Counts below the first would read 0.0; those from the second on are printed in whole rows."""


def percent(probability: float) -> str:
    """Print a probability as a percentage with digits where they matter.

    >>> percent(0.1614), percent(0.00042), percent(0.99957), percent(0.0), percent(1.0)
    ('16.1 %', '0.042 %', '99.957 %', '0 %', '100 %')
    >>> percent(2e-9), percent(1 - 1e-12)
    ('< 0.001 %', '> 99.999 %')
    """
    if percent_is_bound(probability):
        return "< 0.001 %" if probability < 0.5 else "> 99.999 %"
    return percentage(100 * probability, percent_decimals(probability))


def act_from(chance: float, lot: float = 1.0) -> str:
    """Say from which chance on to act, in the same words on screen and in files.

    >>> act_from(0.0744)
    'act from a chance of 7.4 % on'
    >>> act_from(0.135, 0.4)
    'act above a chance of 13.5 %, by lot on 40.0 % of those at it'
    """
    if lot < 1:
        return f"act above a chance of {percent(chance)}, by lot on {percent(lot)} of those at it"
    return f"act from a chance of {percent(chance)} on"


def after_number(name: str) -> str:
    """Write the name of an outcome so that it can follow a number: "20 % 1" cannot be read.

    >>> after_number("yes"), after_number("1"), after_number("-1")
    ('yes', '= 1', '= -1')
    """
    return f"= {name}" if name.lstrip("+-.<>≤≥ ")[:1].isdigit() else name


def outcome_words(target: str, name: str) -> str:
    """Name an outcome where its column is not named: by itself, unless it is a mere number.

    >>> outcome_words("heart disease", "yes"), outcome_words("event", "1")
    ('yes', 'event = 1')
    """
    return name if after_number(name) == name else f"{target} = {name}"


def outcome_title(target: str, name: str) -> str:
    """Name an outcome and its column.

    >>> outcome_title("heart disease", "yes"), outcome_title("event", "1")
    ('heart disease: yes', 'event = 1')
    """
    return f"{target}: {name}" if after_number(name) == name else f"{target} = {name}"


def percent_is_bound(probability: float) -> bool:
    """Whether :func:`percent` prints a bound, because the digits would all be 0 or 9.

    >>> percent_is_bound(2e-6), percent_is_bound(2e-5), percent_is_bound(0.0)
    (True, False, False)
    """
    return 0.0 < min(probability, 1 - probability) < _SMALLEST


def percent_decimals(probability: float) -> int:
    """Choose how many decimals a percentage needs so that it does not read 0 or 100.

    >>> percent_decimals(0.161), percent_decimals(0.0042), percent_decimals(0.99996)
    (1, 2, 3)
    """
    distance = min(probability, 1 - probability)
    if distance <= 0:
        return 0
    return max(1, min(3, -math.floor(math.log10(distance)) - 1))


def percentage(value: float, decimals: int) -> str:
    """Print a number that is already in percent.

    Halves are rounded up, as browsers do, so that pictures and sentences say the same.

    >>> percentage(16.1, 1), percentage(50.0, 1), percentage(100, 0), percentage(46.25, 1)
    ('16.1 %', '50.0 %', '100 %', '46.3 %')
    """
    if not math.isfinite(value):
        return f"{value} %"
    return f"{Decimal(value).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)} %"


def whole_percents(*shares: float) -> list[str]:
    """Print shares of rows in whole percents, with decimals for all where one is near 0 or 1.

    An outcome that few rows have would be rounded away, and with it what a model is good for.

    >>> whole_percents(0.786, 0.677), whole_percents(0.996, 0.9987), whole_percents(1.0, 0.6)
    (['79 %', '68 %'], ['99.6 %', '99.9 %'], ['100 %', '60 %'])
    >>> whole_percents(0.9997)
    ['99.97 %']
    """
    distances = [min(share, 1 - share) for share in shares]
    rare = [distance for distance in distances if 0 < distance < _NEAR_END]
    decimals = max((-math.floor(math.log10(200 * distance)) for distance in rare), default=0)
    decimals = min(max(decimals, 1), _MOST_DECIMALS) if rare else 0
    return [percentage(100 * share, decimals if 0 < share < 1 else 0) for share in shares]


def unbroken(text: str) -> str:
    """Keep every percent sign on the line of its number.

    >>> unbroken("5 %") == "5\N{NO-BREAK SPACE}%"
    True
    """
    return text.replace(" %", "\N{NO-BREAK SPACE}%")


def round_to_sum(values: Sequence[float], decimals: int) -> list[float]:
    """Round numbers so that they add up to their rounded sum.

    Every number is cut off; what is missing from the sum goes, one last digit each, to
    those that lost most.

    >>> round_to_sum([14.2857, 1.3846, 0.486], 1), round(14.2857 + 1.3846 + 0.486, 1)
    ([14.3, 1.4, 0.5], 16.2)
    >>> round_to_sum([33.4, 33.3, 33.3], 0)
    [34.0, 33.0, 33.0]
    """
    unit = 10.0**decimals
    scaled = np.asarray(values, dtype=np.float64) * unit
    units = np.floor(scaled)
    short = round(round(float(sum(values)), decimals) * unit) - int(units.sum())
    most_lost = np.argsort(units - scaled, kind="stable")[: max(short, 0)]
    units[most_lost] += 1
    return [round(float(number) / unit, decimals) for number in units]


def whole_shares(shares: Sequence[float]) -> list[float]:
    """Round parts of a whole to percents that add up, whole ones where these do.

    Elsewhere one of them would be off by more than half a percent: then they have a decimal.

    >>> whole_shares([0.926, 0.072, 0.002]), whole_shares([0.3809, 0.3505, 0.2546, 0.014])
    ([93.0, 7.0, 0.0], [38.1, 35.0, 25.5, 1.4])
    """
    rounded = [float(round(100 * share)) for share in shares]
    if sum(rounded) == round(100 * sum(shares)):
        return rounded
    return round_to_sum([100 * share for share in shares], 1)


def share_text(share: float) -> str:
    """Print a percentage of :func:`whole_shares`.

    >>> share_text(38.1), share_text(50.0), share_text(0.0)
    ('38.1 %', '50 %', 'under 1 %')
    """
    return f"{share:g} %" if share > 0 else "under 1 %"


def count_text(count: float) -> str:
    """Print a count: whole rows with thousands marks, of fractions as much as people read.

    Weighted rows, and rows that go several ways since a value is not recorded, have fractions.
    Tables and files hold them exactly.

    >>> count_text(2201.0), count_text(411.77), count_text(3.25), count_text(1e7)
    ('2,201', '412', '3.3', '10,000,000')
    >>> count_text(9.96), count_text(0.0004)
    ('10', '0.0004')
    """
    if abs(count - round(count)) < 1e-9:
        return f"{round(count):,}"
    if abs(count) < _SMALL_COUNT:
        return f"{count:.1g}"
    tenths = Decimal(count).quantize(Decimal("0.1"), ROUND_HALF_UP)
    if abs(tenths) < _WHOLE_FROM:
        return str(tenths)
    return f"{Decimal(count).quantize(Decimal(1), ROUND_HALF_UP):,}"


def plural(number: float, word: str) -> str:
    """Put a number before a plural noun, made singular for one.

    >>> plural(1, "cases"), plural(2941, "rows"), plural(1, "leaves")
    ('1 case', '2,941 rows', '1 leaf')
    """
    endings = {"leaves": "leaf", "branches": "branch"}
    one = next(
        (
            word.removesuffix(many) + single
            for many, single in endings.items()
            if word.endswith(many)
        ),
        word.removesuffix("s"),
    )
    return f"{count_text(number)} {one if number == 1 else word}"


def as_people_read(sentence: str) -> str:
    r"""Take out of a sentence what Python writes for signs in cells that people see as a space.

    Cells stand in sentences between quotes as Python writes them; a hard space or a line end among
    their words is a space to the reader, and a quote needs no stroke before it.

    >>> print(as_people_read(f"Values {'43' + chr(160) + 'min'!r} and {chr(39) + chr(34)!r}."))
    Values '43 min' and ''"'.
    >>> print(as_people_read(repr("C:\\new")))
    'C:\\new'
    """
    return _ESCAPED.sub(lambda found: _SEEN.get(found[0], found[0]), sentence)


def first_few(texts: Sequence[str], most: int) -> str:
    """List the first texts, and that there are more.

    >>> first_few("abc", 3), first_few("abcd", 3)
    ('a, b, c', 'a, b, c, ...')
    """
    return ", ".join(texts[:most]) + (", ..." if len(texts) > most else "")


def rows_text(count: float) -> str:
    """Print a number of rows: ``1 row``, ``2,201 rows``."""
    return plural(count, "rows")


def score_text(score: float | None) -> str:
    """Write a score with three digits that count, wherever its first one is; a dash for none.

    Where an outcome is rare, so are mistakes, and all that tells models apart lies behind noughts.

    >>> score_text(0.287), score_text(0.0024), score_text(5.3217), score_text(-1234.5)
    ('0.287', '0.00240', '5.32', '-1234')
    """
    return "-" if score is None else f"{score:z.{score_decimals(score)}f}"


def score_decimals(*scores: float | None) -> int:
    """Choose how many decimals scores need so that each has three digits that count.

    >>> score_decimals(0.287, 0.31), score_decimals(0.0024, 0.31), score_decimals(0.0, None)
    (3, 5, 3)
    """
    sizes = [abs(float(f"{score:.2e}")) for score in scores if score and math.isfinite(score)]
    needed = max((2 - math.floor(math.log10(size)) for size in sizes), default=3)
    return max(0, min(needed, _MOST_OF_SCORES))


def score_texts(*scores: float) -> list[str]:
    """Write scores between 0 and 1 as papers do, each with three digits that count.

    >>> score_texts(0.287, 0.31), score_texts(0.00239, 1.0, -0.4)
    (['.287', '.310'], ['.00239', '1.00', '-.400'])
    """
    return [score_text(score).replace("0.", ".", 1) for score in scores]


def p_text(p: float) -> str:
    """Write a p-value as papers do.

    >>> p_text(0.0314), p_text(0.00002)
    ('0.031', '<0.001')
    """
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def bits(nats: float) -> float:
    """Write information as people know it: one bit is the answer to one even question."""
    return nats / math.log(2)
