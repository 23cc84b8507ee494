"""Words behind a number that make it larger: 5k, 3.2 Mio. €, 44 Lakh, 1.5 Cr, 80 тыс. руб.

A crore is ten million and a lakh a hundred thousand; "Cr" is one beside lakhs and rupees only, and
credit elsewhere.
"""

from __future__ import annotations

import re

CURRENCY = (
    r"(?:US|HK|NT|NZ|MX|RD|AU|CA|[RACS])?\$|[€£¥₹₽₺₩₪₫฿₱₴₦₡₲₵₸₮₭₾₼]|USD|EUR|GBP|CHF|JPY|CNY|INR|AUD"
    r"|CAD|SEK|NOK|DKK|PLN|CZK|HUF|RON|BGN|RSD|TRY|ILS|UAH|RUB|ZAR|KES|NGN|GHS|EGP|MAD|AED|SAR|QAR"
    r"|PKR|BDT|LKR|IDR|MYR|SGD|THB|VND|VNĐ|PHP|HKD|TWD|KRW|NZD|MXN|BRL|ARS|CLP|COP|PEN|kr\.?|zł|Kč"
    r"|руб\.?|грн\.?|Fr\.?|Rs\.?|Rp\.?|RM|KSh|TL|S/\.?|ש[\"״]ח"
)
"""Signs and names of money."""

ABOUT = r"(?i:c?ca\.?|approx\.?|etwa|env\.|[~～≈]|約|约)" "[ \u00a0\u202f]?"
"""What says before a number that it is not exact."""

BEFORE_SOME = " before some of them (left out)"
"""How the words end that say so of a column, after those that stand there."""

_FACTORS = {
    **dict.fromkeys(("k", "tsd", "тыс", "тис", "tys", "tis", "mil"), 1e3),
    **dict.fromkeys(("lakh", "lakhs", "lac", "lacs"), 1e5),
    **dict.fromkeys(("m", "mio", "mn", "млн", "mln"), 1e6),
    **dict.fromkeys(("cr", "crore", "crores"), 1e7),
    **dict.fromkeys(("mrd", "bn", "b", "млрд", "mld"), 1e9),
}
_SCALED = re.compile(
    r"(k|K|M|[Mm]io|[Mm]rd|[Tt]sd|bn|mn|m|B|[Ll]akhs?|[Ll]acs?|[Cc]rores?|Cr|cr|"
    r"тыс|тис|tys|tis|mil|млн|mln|млрд|mld)\.?"
    rf"[ \u00a0\u202f]?({CURRENCY})?"
)
_BEFORE_UNIT = re.compile(
    r"(k|[Mm]io|[Mm]rd|[Tt]sd|bn|mn|[Ll]akhs?|[Ll]acs?|[Cc]rores?|тыс|тис|tys|tis|mil|млн|mln|млрд"
    r"|mld)\.?[ \u00a0\u202f](?:de |di )?(\S+)"
)
_ONLY_OF_MONEY = ("m", "B", "mil")
"""Behind amounts of money "m" is a million; elsewhere it is a metre, and "mil" a thin one."""
INDIAN = r"(?i)\d ?(?:lakhs?|lacs?|crores?)\b|₹|\bRs\b"
"""What tells that "Cr" is a crore; RE2 as Arrow has it."""


def scale_of(gap: str, after: str, *, has_money: bool) -> tuple[float, str] | None:
    """Return what a number is multiplied by, and the currency behind the word; None if by nothing.

    ``gap`` is the space before what stands ``after`` the number, ``has_money`` whether a currency
    stands before it.

    >>> scale_of(" ", "Mio. €", has_money=False), scale_of("", "m", has_money=True)
    ((1000000.0, '€'), (1000000.0, ''))
    >>> scale_of(" ", "m", has_money=False), scale_of(" ", "Lakh", has_money=False)
    (None, (100000.0, ''))
    """
    scaled = _SCALED.fullmatch(after)
    if scaled is None or (gap and after == "K"):  # 300 K is a temperature
        return None
    word, money = scaled.groups()
    if (has_money and money) or not (has_money or money or word not in _ONLY_OF_MONEY):
        return None
    return _FACTORS[word.lower()], money or ""


def scale_before_unit(after: str) -> tuple[float, str] | None:
    """Return what a number is multiplied by, and the word behind that, which may be a unit.

    >>> scale_before_unit("tys. km"), scale_before_unit("Tsd. km"), scale_before_unit("mil km")
    ((1000.0, 'km'), (1000.0, 'km'), (1000.0, 'km'))
    >>> scale_before_unit("kg N/ha") is None
    True
    """
    scaled = _BEFORE_UNIT.fullmatch(after)
    return None if scaled is None else (_FACTORS[scaled[1].lower()], scaled[2])
