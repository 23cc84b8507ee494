"""Dates that do not say how they are meant: 3/4/2020, and 22.12.33.

Which of two small numbers is the day is taken from the rest of the table: from its other dates, and
from how it writes numbers. Two digits of a birthday stand for no year to come.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from probtrees.table.cells.dates import OLD_YEARS, DateHabit, this_year, today
from probtrees.table.cells.raw_table import Dates, RawColumn, RawTable, Texts
from probtrees.table.infer.text_habits import treat_as_missing
from probtrees.table.read_options import ReadOptions
from probtrees.table.table_report import Finding, Fix
from probtrees.words import rows_text

MIXED_SHARE = 0.25
"""A column of which more texts than this are no dates holds none."""

BIRTH = re.compile(
    r"birth|born|\bd\.?o\.?b\b|geb(urt|oren|\b)|naissance|\bn[ée]e?\b|nacimiento|nascita|nascimento|"
    r"urodzenia|рожд|fødsel|födelse|geboorte|出生|生年月日|생년월일",
    re.I,
)
_LONG_AGO = 15 * 365
_FAR_AHEAD = 300
"""The Thai year is 543 ahead of ours."""
_STAND_INS = frozenset(
    float(np.datetime64(day, "D").astype(np.int64))
    for day in (
        *("1900-01-01", "1899-12-30", "1899-12-31", "1970-01-01", "1901-01-01", "1111-11-11"),
        *("9999-12-31", "9999-12-30", "9999-09-09", "2099-12-31", "2999-12-31", "1800-01-01"),
    )
)
"""Dates that programs write where there is none, in days since 1970."""
_ISO = re.compile(r"\d{4}-\d\d-(\d\d)\b")
_IN_PARTS = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.]\d{4}\b")
_MONTHS, _ENOUGH = 12, 20
_MONTH_FIRST = ("$", "us$", "usd")
_DAY_FIRST = ("€", "£", "eur", "gbp", "chf")


def settle_dates(raw: RawTable, options: ReadOptions) -> None:
    """Note with every column of dates how it is read where it does not say so itself."""
    dated = {
        name: column.dates
        for name, column in raw.columns.items()
        if isinstance(column, Texts) and not column.declared and column.dates is not None
    }
    dated = {n: d for n, d in dated.items() if np.isnan(d.distinct).mean() <= MIXED_SHARE}
    said = options.date_order is not None
    unsure = [name for name, d in dated.items() if d.assumed or (d.year_first and said)]
    day_first, because = _order(raw, dated, options.date_order) if unsure else (None, "")
    for name, dates in dated.items():
        last_year = dates.last_year
        if last_year and BIRTH.search(name):
            last_year = _last_birth(raw, name, dated)
        habit = DateHabit(day_first, because) if name in unsure else DateHabit()
        column = raw.columns[name]
        if isinstance(column, Texts) and (habit.day_first, last_year) != (None, dates.last_year):
            raw.columns[name] = replace(column, dated=replace(habit, last_year=last_year))


def _last_birth(raw: RawTable, name: str, dated: dict[str, Dates]) -> int:
    """Return the latest year of birthdays: nobody is born after today, or after the last visit.

    Other columns tell the last visit, if it was not long ago.
    """
    latest = float(today())
    others = [d for n, d in dated.items() if not BIRTH.search(n)]
    others += [c for n, c in raw.columns.items() if isinstance(c, Dates) and not BIRTH.search(n)]
    visits = [float(np.fmax.reduce(d.distinct, initial=np.nan)) for d in others]
    if visits and latest - _LONG_AGO < max(visits) < latest:
        latest = max(visits)
    last_year = int(np.datetime64(int(latest), "D").astype("datetime64[Y]").astype(int)) + 1970
    column = raw.columns[name]
    assert isinstance(column, Texts)
    born = replace(column, dated=replace(column.dated, last_year=last_year)).dates
    to_come = born is not None and bool((born.distinct > latest).any())
    return last_year - to_come


def _order(raw: RawTable, dated: dict[str, Dates], said: str | None) -> tuple[bool | None, str]:
    """Decide whether the day comes first, and say what tells so; None where nothing does."""
    if said is not None:
        return said == "day", ""
    sure = {name: d for name, d in dated.items() if d.day_first is not None and not d.assumed}
    orders = {dates.day_first for dates in sure.values()}
    if len(orders) == 1:
        return orders.pop(), f"as in column {next(iter(sure))!r}"
    spellings = [
        column.numbers.spelling
        for name, column in raw.columns.items()
        if isinstance(column, Texts) and name not in dated and _holds_numbers(column)
    ]
    if raw.decimal_comma or any(spelling.decimal == "," for spelling in spellings):
        return True, "as where numbers have a decimal comma"
    units = {spelling.unit for spelling in spellings}
    if len({*units}.intersection((*_MONTH_FIRST, *_DAY_FIRST))) == 1:
        money = next(unit for unit in units if unit in (*_MONTH_FIRST, *_DAY_FIRST))
        return money in _DAY_FIRST, f"as where amounts are in {money}"
    return None, ""


def _holds_numbers(column: Texts) -> bool:
    return not np.isnan(column.first_numbers.values).all()


def date_findings(name: str, dates: Dates, habit: DateHabit) -> tuple[Finding, ...]:
    """Report how dates are read that do not say so themselves."""
    findings: tuple[Finding, ...] = ()
    if dates.assumed or habit.because:
        findings = (_order_finding(name, bool(dates.day_first), habit.because),)
    if dates.year_first:
        sentence = f"Dates in column {name!r} are read with the year first, as in 20-03-27."
        remedy = "If the day comes first, say so (--date-order day)."
        fixes = (Fix("Day first", "date_order", "day"),)
        findings += (Finding(name, "date order", sentence, remedy, "note", fixes),)
    if dates.last_year:
        none_ahead = ", none of them to come" if dates.last_year <= this_year() else ""
        sentence = (
            f"Years of two digits in column {name!r} are read as {dates.last_year - 99} to "
            f"{dates.last_year}{none_ahead}."
        )
        findings += (Finding(name, "short years", sentence, "Write years with four digits."),)
    if (years := _other_calendar(dates)) is not None:
        sentence = (
            f"Years in column {name!r} are {years[0]} to {years[1]}, as in another calendar; they "
            "are read as if it were the Gregorian one, so days between two dates are not exact."
        )
        remedy = "Write them as 2019-12-31 to have them exact."
        findings += (Finding(name, "other calendar", sentence, remedy, "warning"),)
    return findings


def numeral_dates(name: str, column: RawColumn) -> Finding:
    """Say that numbers such as 20231206 are read as dates."""
    example = column.cell(int((~column.missing).argmax()))
    return Finding(
        name,
        "date spelling",
        f"Column {name!r} holds dates written as numbers ({example}), read as dates.",
        "Set its type to 'numeric' to take them as numbers.",
        "note",
        (Fix("Read as numbers", "type", "numeric"),),
    )


def stand_in_dates(name: str, dates: Dates, column: Texts) -> tuple[Finding, ...]:
    """Ask about dates that programs write where there is none: 1900-01-01, 9999-12-31."""
    rows: dict[float, int] = {}
    for day, n_rows in zip(dates.distinct.tolist(), column.rows_of.tolist(), strict=True):
        if not np.isnan(day):
            rows[np.floor(day)] = rows.get(np.floor(day), 0) + n_rows
    found = [day for day in rows if day in _STAND_INS and rows[day] > 1]
    others = [n_rows for day, n_rows in rows.items() if day not in found]
    meant = [day for day in found if rows[day] > max(others, default=0)]
    texts = [
        text
        for text, day in zip(column.texts, dates.distinct.tolist(), strict=True)
        if not np.isnan(day) and np.floor(day) in meant
    ]
    if not texts:
        return ()
    n_rows = column.rows_with(texts)
    sentence = (
        f"Column {name!r} holds {' and '.join(map(repr, texts[:2]))} in {n_rows:,} rows, more "
        "often than any other date."
    )
    remedy = "If that means 'not known', treat it as missing."
    return (
        Finding(name, "maybe missing", sentence, remedy, "warning", (treat_as_missing(*texts),)),
    )


def swapped_dates(name: str, column: Texts) -> tuple[Finding, ...]:
    """Ask about dates whose day and month Excel took the wrong way round, where it could.

    It makes dates of 3/4/2020 in the order of its own country, and leaves 25/4/2020 as a text in a
    country that has no month 25. So all dates have days up to 12, and all texts one beyond.
    """
    iso = [int(match[1]) for text in column.texts if (match := _ISO.match(text))]
    pairs = [(int(m[1]), int(m[2])) for text in column.texts if (m := _IN_PARTS.match(text))]
    beyond = [max(pair) for pair in pairs if min(pair) <= _MONTHS]
    if min(len(iso), len(beyond)) < _ENOUGH or max(iso) > _MONTHS or min(beyond) <= _MONTHS:
        return ()
    texts = [text for text in column.texts if _ISO.match(text)]
    like = next(text for text in column.texts if _IN_PARTS.match(text))
    sentence = (
        f"In column {name!r} all dates such as {texts[0][:10]} have a day up to {_MONTHS} "
        f"({rows_text(column.rows_with(texts))}), and all such as {like!r} one beyond: a "
        "spreadsheet seems to have taken day and month the wrong way round where it could."
    )
    remedy = "Bring the column into the sheet again as text, or ignore it."
    ignore = Fix("Ignore this column", "role", "ignore")
    return (Finding(name, "date order", sentence, remedy, "warning", (ignore,)),)


def _other_calendar(dates: Dates) -> tuple[int, int] | None:
    """Return the first and last year if all are those of a Persian, Islamic or Thai calendar."""
    known = dates.distinct[~np.isnan(dates.distinct)]
    if not len(known):
        return None
    ends = np.array([known.min(), known.max()]).astype("datetime64[D]").astype("datetime64[Y]")
    first, last = (ends.astype(np.int64) + 1970).tolist()
    old = OLD_YEARS[0] <= first and last <= OLD_YEARS[1]
    return (first, last) if old or first >= this_year() + _FAR_AHEAD else None


def _order_finding(name: str, day_first: bool, because: str) -> Finding:
    """Report which number was taken for the day, with a way to say the other one."""
    order = "day" if day_first else "month"
    fixes = (Fix("Day first", "date_order", "day"), Fix("Month first", "date_order", "month"))
    if because:
        sentence = f"Dates in column {name!r} are read with the {order} first, {because}."
        other = fixes[day_first]
        remedy = f"If it is the other way, say so (--date-order {other.value})."
        return Finding(name, "date order", sentence, remedy, "note", (other,))
    return Finding(
        name,
        "date order",
        f"Dates in column {name!r} are read with the {order} first; nothing in the table says so.",
        "Say which it is (--date-order day or month).",
        "warning",
        fixes,
    )
