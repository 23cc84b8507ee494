"""A gallery of tables as people have them, each with the reading that a person would expect."""

from __future__ import annotations

import csv
import datetime
import io
import unicodedata
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from probtrees.table.infer.guess_reading import guess_for, guess_reading
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.errors import ProbTreesWarning
from probtrees.table.dataset import Dataset, Schema
from probtrees.table.number_text import number_text
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_rows, read_table, read_to_predict
from probtrees.table.table_report import TableReport

N_ROWS = 36
NUMBERS = (1234.5, -17.25, 0.5, 80321.0, 12.0, -1050.75, 3.5, 999.5, 41.0)
DAYS = tuple(datetime.date(2019 + n % 4, 1 + n * 5 % 12, 1 + n * 7 % 28) for n in range(N_ROWS))
WORDS = ("red", "blue", "green")


@dataclass(frozen=True)
class Messy:
    """A table, how its column ``c`` is to be read, and the finding that says so.

    ``values`` are those of the first rows: numbers, texts, days since 1970-01-01, None if missing.
    """

    content: bytes
    type: str
    values: Sequence[float | str | None]
    finding: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    role: str = "feature"
    n_rows: int = N_ROWS


def table(cells: Sequence[str], delimiter: str = ",", above: str = "", below: str = "") -> bytes:
    """Write a table whose column ``c`` has these cells, again and again.

    Another column has decimal points, so that a decimal comma belongs to ``c`` alone.
    """
    file = io.StringIO()
    writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
    writer.writerow(["x", "c", "g", "y"])
    for n in range(N_ROWS):
        cell = cells[n % len(cells)]
        writer.writerow([f"{n % 5}.5", cell, WORDS[n % 3], "yes" if n % 4 else "no"])
    return (above + file.getvalue() + below).encode()


def point(number: float) -> str:
    return f"{number:,.2f}"


def comma(number: float) -> str:
    return point(number).translate(str.maketrans(",.", ".,"))


NUMBER_HABITS: dict[str, Callable[[float], str]] = {
    "thousands": point,
    "thousands by apostrophe": lambda x: point(x).replace(",", "'"),
    "thousands by space": lambda x: point(x).replace(",", " "),
    "thousands by narrow space": lambda x: point(x).replace(",", "\u202f"),
    "dollar": lambda x: f"${point(x)}" if x >= 0 else f"-${point(-x)}",
    "dollar, minus inside": lambda x: f"${point(x)}",
    "dollar in brackets": lambda x: f"${point(x)}" if x >= 0 else f"(${point(-x)})",
    "euro behind": lambda x: f"{point(x)} €",
    "euro and comma": lambda x: f"{comma(x)} €",
    "currency code": lambda x: f"{point(x)} USD",
    "currency code before": lambda x: f"CHF {point(x)}",
    "percent": lambda x: f"{x}%",
    "percent, space": lambda x: f"{x} %",
    "percent, comma": lambda x: f"{x} %".replace(".", ","),
    "milligrams": lambda x: f"{x} mg",
    "milligrams attached": lambda x: f"{x}mg",
    "unit with a stroke": lambda x: f"{x} mmol/l",
    "degrees": lambda x: f"{x} °C",
    "area": lambda x: f"{x} kg/m2",
    "thousands in Russian": lambda x: f"{x / 1000} тыс. руб.".replace(".", ",", 1),
    "square metres": lambda x: f"{x}m2",
    "brackets behind a dollar": lambda x: f"$ {point(x)}" if x >= 0 else f"$ ({point(-x)})",
    "brackets before a euro": lambda x: f"{comma(x)} €" if x >= 0 else f"({comma(-x)}) €",
    "minus far from a dollar": lambda x: f"$ {point(x)}" if x >= 0 else f"- $ {point(-x)}",
    "rupiah": lambda x: f"Rp {comma(x)}",
    "two dollars": lambda x: f"${point(x)} MXN",
    "dollars of a place": lambda x: f"HK${point(x)}",
    "shekel": lambda x: f'{point(x)} ש"ח',
    "thousands in short": lambda x: f"{x / 1000}k",
    "only some in short": lambda x: f"{x / 1000:.6g}k" if abs(x) > 999 else f"{x}",
    "dollars in short": lambda x: f"${x / 1e6:.12f}m" if x >= 0 else f"-${-x / 1000}k",
    "millions, comma": lambda x: f"{x / 1e6:.12f} Mio. €".replace(".", ",", 1),
    "plural": lambda x: f"{x} year" + "s" * (x != 1),
    "any case": lambda x: f"{x} KG" if x > 1 else f"{x} kg",
    "unit, comma": lambda x: f"{x} cm".replace(".", ","),
    "brackets": lambda x: f"{x}" if x >= 0 else f"({-x})",
    "brackets, thousands": lambda x: point(x) if x >= 0 else f"({point(-x)})",
    "minus behind": lambda x: f"{x}" if x >= 0 else f"{-x}-",
    "long minus": lambda x: f"{x}".replace("-", "−"),
    "plus": lambda x: f"{x:+}",
    "comma": lambda x: f"{x}".replace(".", ","),
    "comma and thousands": comma,
    "exponent": lambda x: f"{x:.6e}",
    "spaces around": lambda x: f"  {x} ",
    "thin spaces": lambda x: point(x).replace(",", "\u2009"),
    "curly apostrophes": lambda x: point(x).replace(",", "’"),
    "wide digits": lambda x: f"{x}".translate(
        str.maketrans("0123456789.", "０１２３４５６７８９．")
    ),
    "Arabic digits": lambda x: f"{x}".translate(str.maketrans("0123456789.", "٠١٢٣٤٥٦٧٨٩٫")),
    "powers of ten": lambda x: f"{x / 1000}·10³",
    "powers of ten, roof": lambda x: f"{x / 1000} x 10^3",
    "myriads": lambda x: f"{x / 1e4:.8f}万",
    "apostrophe before": lambda x: f"'{x}",
    "one point among commas": lambda x: f"{x}" if x == 3.5 else f"{x}".replace(".", ","),
}
UNREPORTED = ("thousands by", "long minus", "plus", "exponent", "spaces around")

DATE_HABITS: dict[str, str] = {
    "ISO": "%Y-%m-%d",
    "ISO with time": "%Y-%m-%dT00:00:00",
    "year first, strokes": "%Y/%m/%d",
    "day first, points": "%d.%m.%Y",
    "day first, points and spaces": "%d. %m. %Y",
    "day first, a last point": "%d.%m.%Y.",
    "ISO, comma before milliseconds": "%Y-%m-%d 00:00:00,000",
    "day first, dashes": "%d-%m-%Y",
    "day first, strokes": "%d/%m/%Y",
    "month first": "%m/%d/%Y",
    "month by name": "%d %b %Y",
    "month by long name": "%B %d, %Y",
    "month by name, dashes": "%d-%b-%Y",
    "month by name, two digits": "%d-%b-%y",
    "two digits of the year": "%d.%m.%y",
    "two digits, month first": "%m/%d/%y",
    "month by name, strokes": "%d/%b/%y",
    "month by name, nothing between": "%d%b%Y",
    "year first, points and spaces": "%Y. %m. %d.",
    "the year behind the time of day": "%a %b %d 00:00:00 +0000 %Y",
}

MONTHS_ABROAD = {
    "Dutch": "januari februari maart april mei juni juli augustus september oktober november "
    "december",
    "Polish": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października "
    "listopada grudnia",
    "Russian": "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "Czech": "ledna února března dubna května června července srpna září října listopadu prosince",
    "Finnish": "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta "
    "elokuuta syyskuuta lokakuuta marraskuuta joulukuuta",
    "Greek": "Ιανουαρίου Φεβρουαρίου Μαρτίου Απριλίου Μαΐου Ιουνίου Ιουλίου Αυγούστου Σεπτεμβρίου "
    "Οκτωβρίου Νοεμβρίου Δεκεμβρίου",
    "Ukrainian": "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада "
    "грудня",
    "Turkish": "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık",
}
BEHIND_YEARS = {"Polish": " r.", "Russian": " г.", "Ukrainian": " р."}

MISSING_HABITS = {
    "dash": "-",
    "two dashes": "--",
    "long dash": "–",
    "point": ".",
    "n/a": "n/a",
    "k.A.": "k.A.",
    "N/D": "N/D",
    "said like a dash": "keine Angabe",
    "question mark": "?",
    "NULL": "NULL",
    "blank": "   ",
    "spreadsheet error": "#DIV/0!",
    "Dutch spreadsheet error": "#N/B",
}


def number_tables() -> Iterator[tuple[str, Messy]]:
    for name, write in NUMBER_HABITS.items():
        cells = [write(number) for number in NUMBERS]
        finding = None if name.startswith(UNREPORTED) else "number spelling"
        yield name, Messy(table(cells, ";"), "numeric", NUMBERS, finding)
        if name in ("dollar", "milligrams", "comma", "percent"):
            holes = Messy(table([*cells, "-"], ";"), "numeric", [*NUMBERS, None], "dashes")
            yield f"{name} and dashes", holes


def date_tables() -> Iterator[tuple[str, Messy]]:
    days = [float((day - datetime.date(1970, 1, 1)).days) for day in DAYS]
    for name, pattern in DATE_HABITS.items():
        cells = [day.strftime(pattern) for day in DAYS]
        yield f"date, {name}", Messy(table(cells, ";"), "date", days, "date")
    early = [datetime.date(2024, 1 + n % 12, 1 + n * 7 % 12) for n in range(N_ROWS)]
    days = [float((day - datetime.date(1970, 1, 1)).days) for day in early]
    day_first = [day.strftime("%d/%m/%Y") for day in early]
    yield "either order, semicolons", Messy(table(day_first, ";"), "date", days, "date order")
    said = {"date_order": "day"}
    yield "either order, said", Messy(table(day_first), "date", days, None, said)
    month_first = [day.strftime("%m/%d/%Y") for day in early]
    yield "either order, nothing says", Messy(table(month_first), "date", days, "date order")
    months = ("janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août")
    french = [datetime.date(2024, 1 + n % 8, 2 + n * 7 % 25) for n in range(N_ROWS)]
    days = [float((day - datetime.date(1970, 1, 1)).days) for day in french]
    cells = [f"{day.day} {months[day.month - 1]} 2024" for day in french]
    yield "months in French", Messy(table(cells, ";"), "date", days, "date")
    born = [datetime.date(1927 + n * 2, 12, 22) for n in range(N_ROWS)]
    days = [float((day - datetime.date(1970, 1, 1)).days) for day in born]
    cells = [day.strftime("%d.%m.%y") for day in born]
    yield "nobody is born in future", Messy(table(cells, ";"), "date", days, "short years")

    abroad = {"Chinese": [f"{day.year}年{day.month}月{day.day}日" for day in DAYS]}
    for language, names in MONTHS_ABROAD.items():
        behind = BEHIND_YEARS.get(language, "")
        named = [f"{day.day} {names.split()[day.month - 1]} {day.year}{behind}" for day in DAYS]
        abroad[language] = named
    days = [float((day - datetime.date(1970, 1, 1)).days) for day in DAYS]
    for language, cells in abroad.items():
        yield f"dates in {language}", Messy(table(cells, ";"), "date", days, "date")
    persian = [f"139{n % 9}/{1 + n % 12}/{1 + n * 7 % 28}" for n in range(N_ROWS)]
    yield "Persian dates", Messy(table(persian), "date", (), "other calendar")

    yield from period_tables()
    clock = ["14h30", "9h05", "23h00"]
    yield "hours in French", Messy(table(clock), "numeric", [14.5, 9 + 1 / 12, 23.0])
    for language, clock in {
        "Swedish": ["kl. 14.30", "kl. 09.15", "kl. 23.00"],
        "German": ["14.30 Uhr", "9.15 Uhr", "23.00 Uhr"],
        "Korean": ["오후 2:30", "오전 9:15", "오후 11:00"],
        "Japanese": ["午後2時30分", "午前9時15分", "午後11時00分"],
        "Spanish": ["2:30 p. m.", "9:15 a. m.", "11:00 p. m."],
        "Greek": ["2:30 μμ", "9:15 πμ", "11:00 μμ"],
        "English": ["2.30 pm", "9.15 am", "11.00 pm"],
    }.items():
        yield f"clock times in {language}", Messy(table(clock), "numeric", [14.5, 9.25, 23.0])
    signed = ["-1:30", "0:15", "12:00"]
    yield "hours below zero", Messy(table(signed), "numeric", [-1.5, 0.25, 12.0])


def period_tables() -> Iterator[tuple[str, Messy]]:
    months = [datetime.date(2018 + n % 5, 1 + n * 5 % 12, 1) for n in range(N_ROWS)]
    begun = [float((day - datetime.date(1970, 1, 1)).days) for day in months]
    for pattern in ("%m/%Y", "%Y-%m", "%b %Y", "%B %Y", "%b-%y", "%m.%Y"):
        cells = [day.strftime(pattern) for day in months]
        finding = "date spelling" if "." in pattern else "date"
        yield f"months, {pattern}", Messy(table(cells), "date", begun, finding)
    for pattern in ("%b/%y", "%b %y", "%b.%y", "%b '%y"):
        cells = [day.strftime(pattern) for day in months]
        yield f"months, {pattern}", Messy(table(cells), "date", begun, "short years")
    quarters = {"Q3 2021": 18809.0, "Q1 2020": 18262.0, "Q4 2019": 18170.0}
    yield "quarters", Messy(table([*quarters]), "date", [*quarters.values()])
    named = [f"{day.year}年{day.month}月" for day in months]
    yield "months in Chinese", Messy(table(named), "date", begun, "date")
    weeks = {"2021-W07": 18673.0, "2020-W53": 18624.0, "2021-W01": 18631.0}
    yield "weeks", Messy(table([*weeks]), "date", [*weeks.values()])
    seasons = ["2010/11", "2011/12", "2012/13"]
    yield "seasons", Messy(table(seasons), "nominal", seasons)
    days = [float((day - datetime.date(1970, 1, 1)).days) for day in DAYS]
    digits = [day.strftime("%Y%m%d") for day in DAYS]
    yield "eight digits", Messy(table(digits), "date", days, "date spelling")
    said = {"types": {"c": "numeric"}}
    numbers = [float(text) for text in digits]
    yield "eight digits, numbers", Messy(table(digits), "numeric", numbers, None, said)
    amounts = ["20231206", "20239999", "20230000"]
    yield "eight digits, no dates", Messy(table(amounts), "numeric", [20231206.0, 20239999.0])
    stamps = ["2024/05/01 12:00:00 AM GMT+1", "2024/05/01 1:00:00 PM GMT+1"]
    yield "times with a zone", Messy(table(stamps), "date", [19843.958333333332, 19844.5])


def missing_tables() -> Iterator[tuple[str, Messy]]:
    for name, text in MISSING_HABITS.items():
        finding = "dashes" if "dash" in name else None
        numbers = Messy(table(["1.5", text, "7"]), "numeric", [1.5, None, 7.0], finding)
        yield f"number or {name}", numbers
        yield (
            f"word or {name}",
            Messy(table(["a", text, "b"]), "nominal", ["a", None, "b"], finding),
        )


def amounts_and_answers() -> Iterator[tuple[str, Messy]]:
    sides = ["4.625,38 S", "1.000,00 H", "0,00"]
    balances = Messy(table(sides, ";"), "numeric", [-4625.38, 1000.0, 0.0], "number spelling")
    yield "debit and credit in German", balances
    sides = ["1,234.50 CR", "12.00 DR", "7.25 CR"]
    yield "debit and credit", Messy(table(sides), "numeric", [1234.5, -12.0, 7.25])
    yield "signs behind", Messy(table(["120-", "30+", "7-"]), "numeric", [-120.0, 30.0, -7.0])
    terms = ["3M", "6M", "12M", "24M"]
    yield "terms in months", Messy(table(terms), "nominal", terms)
    views = ["3M", "6M", "450K", "24M"]
    yield "millions beside thousands", Messy(table(views), "numeric", [3e6, 6e6, 4.5e5, 2.4e7])
    meters = [8 + 37 * n for n in range(N_ROWS)]
    for unit in ("kWh", "€", "m²"):
        cells = [f"{n * 10:,} {unit}".replace(",", ".") for n in meters]
        numbers = [float(n * 10) for n in meters]
        yield f"thousands by point, {unit}", Messy(table(cells), "numeric", numbers)
    cells = [f"{n * 1.125:,.3f}".translate(str.maketrans(",.", "\u00a0,")) for n in meters]
    numbers = [n * 1.125 for n in meters]
    yield "spaces and three decimals", Messy(table(cells, ";"), "numeric", numbers)
    cells = [f"{n * 10:,}".replace(",", ".") if n % 3 else f"{n * 10}" for n in meters]
    numbers = [float(n * 10) for n in meters]
    yield "thousands by point in some", Messy(table(cells, ";"), "numeric", numbers)
    counts = [0, *meters[1:]]
    cells = [f"{n * 10:,}".replace(",", ".") for n in counts]
    numbers = [float(n * 10) for n in counts]
    yield "thousands by point, none", Messy(table(cells, ";"), "numeric", numbers)
    scales = [f"{n / 10:.3f} kg" for n in meters]
    numbers = [n / 10 for n in meters]
    yield "three decimals and a unit", Messy(table(scales), "numeric", numbers)
    known = [f"{n / 8} {'JU'[n % 2]}" if n < 400 else f"{n / 8}" for n in meters]
    numbers = [n / 8 for n in meters]
    yield "estimated or not detected", Messy(table(known), "numeric", numbers, "number spelling")
    known = [f"{n / 8} {'pe'[n % 2]}" if n % 3 else f"{n / 8}" for n in meters]
    cells = [*known[:-1], ":"]
    yield "provisional", Messy(table(cells), "numeric", [*numbers[:-1], None], "number spelling")
    halves = ["6½", "7", "1¼", "12"]
    yield "halves", Messy(table(halves), "numeric", [6.5, 7.0, 1.25, 12.0], "number spelling")
    inches = ["1 1/2", "3/4", "2", "5 3/8"]
    yield "fractions", Messy(table(inches), "numeric", [1.5, 0.75, 2.0, 5.375], "number spelling")
    lakhs = ["1,23,456", "12,34,567.50", "99,000", "750"]
    named = [123456.0, 1234567.5, 99000.0, 750.0]
    yield "lakhs", Messy(table(lakhs), "numeric", named, "number spelling")
    yield "seconds and hours", Messy(table(["12 s", "3 h"]), "nominal", ["12 s", "3 h"])
    answers = ["none", "1", "2", "3", "5+", "about 6", "6-8", "4", "10 or more"]
    named = [0.0, 1.0, 2.0, 3.0, 5.0, 6.0, 7.0, 4.0, 10.0]
    yield "answers are offered", Messy(table(answers), "nominal", answers, "limits")
    said = {"types": {"c": "numeric"}}
    yield "answers, read", Messy(table(answers), "numeric", named, "limits", said)
    nobody = ["keine", "1", "2", "3"]
    yield "keine is offered", Messy(table(nobody), "nominal", nobody, "limits")
    odd = [*map(str, range(12)), *(f"{n}x/7" for n in range(6))]
    yield "many odd texts", Messy(table(odd), "nominal", odd, "odd texts")


def habits_of_programs() -> Iterator[tuple[str, Messy]]:
    days = [f"{'Sat' if n % 2 else 'Sun'} {1 + n % 28:02d}/08/23" for n in range(N_ROWS)]
    yield "weekdays before dates", Messy(table(days), "date", [19570.0, 19571.0], "date")
    euros = ["75.794 €", "120.887 €", "35.455 €"]
    yield "thousands of euros", Messy(table(euros), "numeric", [75794.0, 120887.0, 35455.0])
    litres = ["1.659 €", "1.704 €", "1.589 €"]
    yield "prices of fuel", Messy(table(litres), "numeric", [1.659, 1.704, 1.589])
    rates = [f"1.{1950 + n}" for n in range(N_ROWS)]
    yield "rates that look like months", Messy(table(rates), "numeric", [1.195, 1.1951])
    seats = ["12C", "14D", "9C"]
    yield "seats", Messy(table(seats), "nominal", seats)
    names = ["Jones, F.", "Smith, F.", "Jones, G.", "Smith, G.", "Lee, F.", "Lee, G."]
    yield "names in two parts", Messy(table(names), "nominal", names)
    states = ["single", "99", "married", "widowed"]
    yield "a code among words", Messy(table(states), "nominal", states, "maybe missing")
    marks = ["1-", "2", "3-", "4", "2+"]
    known = [1.3, 2.0, 3.3, 4.0, 1.7]
    yield "school marks", Messy(table(marks), "numeric", known, "number spelling")
    volts = ["3.669V", "3.1V", "2.98V"]
    yield "volts", Messy(table(volts), "numeric", [3.669, 3.1, 2.98], "number spelling")
    cold = ["-9999", "-12", "31", "118"]
    yield "-9999 among negative ones", Messy(table(cold), "numeric", [-9999.0], "maybe missing")
    booked = ["$1,200", "$-", "$35"]
    yield "nothing in accounts", Messy(table(booked), "numeric", [1200.0, 0.0, 35.0])
    waits = ["3h 20m", "45m", "2d 4h"]
    yield "durations", Messy(table(waits), "numeric", [3 + 1 / 3, 0.75, 52.0], "number spelling")
    yield from habits_of_trades()
    yield from ages()
    yield from points()
    scales = [f"{n % 40 + 40} {'kg' if n % 2 else 'lbs'}" for n in range(N_ROWS)]
    pounds = [40 * 0.45359237, 41.0, 42 * 0.45359237]
    kilos = Messy(table(scales), "numeric", pounds, "units converted")
    yield "kilograms and pounds", kilos
    for word in ("NAN", "<NG", "< BG", "u.d.N."):
        traces = ["3.5", word, "4.1", "12", "7.25"]
        yield f"{word} among numbers", Messy(table(traces), "numeric", [3.5, None], "dashes")
    for word in ("not weighed", "nicht gewogen", "non prise", "??", "NT", "n. erh."):
        weights = ["3.5", word, "4.1", "12", "7.25"]
        yield f"{word} among numbers", Messy(table(weights), "numeric", [3.5, None], "dashes")
    cats = [f"{1000 * n + 2100} g" if n % 9 == 4 else f"{n + 2}.1" for n in range(N_ROWS)]
    weighed = Messy(table(cats), "numeric", [n + 2.1 for n in range(9)], "units converted")
    yield "a few grams among kilograms", weighed
    warm = [f"{9 * n + 32} °F" if n % 3 == 2 else f"{5 * n} °C" for n in range(N_ROWS)]
    celsius = Messy(table(warm), "numeric", [0.0, 5.0, 10.0, 15.0, 20.0, 25.0], "units converted")
    yield "Celsius and Fahrenheit", celsius
    cold = [f"{n - 7} °C" if n % 3 else f"{n + 266.15:.2f} K" for n in range(N_ROWS)]
    frost = [float(n - 7) for n in range(N_ROWS)]
    yield "Celsius and kelvin", Messy(table(cold), "numeric", frost, "units converted")
    mixed = [f"{n % 40 + 40} {'mg' if n % 2 else 'ml'}" for n in range(N_ROWS)]
    several = Messy(table(mixed), "nominal", (), "several units", role="ignore")
    yield "milligrams and millilitres", several
    turns = ["täglich", "wöchentlich", "monatlich", "nie"]
    yield "how often", Messy(table(turns), "nominal", turns)


def habits_of_trades() -> Iterator[tuple[str, Messy]]:
    """Sailors, runners, midwives, herbaria, pharmacies, the markets of India."""
    spelled: dict[str, dict[str, float]] = {
        "places": {"54°11'N": 54 + 11 / 60, "6°30'S": -6.5, "0°45'N": 0.75},
        "places to the second": {"6° 38' 24\" W": -6.64, "4° 0' 36\" E": 4.01},
        "places in degrees and minutes": {"54 30.6 N": 54.51, "3 15.0 S": -3.25},
        "places in decimals": {"51.974 S": -51.974, "10.4 N": 10.4, "3.25 N": 3.25},
        "the side before": {"S51.974": -51.974, "N10.4": 10.4},
        "west in Spanish": {"3.7° O": -3.7, "2.1° E": 2.1},
        "east in German": {"7.5° O": 7.5, "2.25° W": -2.25},
        "feet and inches": {"5'6\"": 66.0, "6'": 72.0, "5'11\"": 71.0},
        "feet and inches in words": {"5 ft 6 in": 66.0, "6 ft": 72.0, "4 ft 11 in": 59.0},
        "pounds and ounces": {"7 lb 3 oz": 115.0, "6 lbs 15 oz": 111.0, "8 lb": 128.0},
        "stones and pounds": {"11st 4lb": 158.0, "9st 13lb": 139.0, "10st": 140.0},
        "minutes and seconds by strokes": {"4'27\"": 267.0, "3'05\"": 185.0, "5'50\"": 350.0},
        "minutes and hundredths": {"1:06,19": 66.19, "58,32": 58.32, "1:10,00": 70.0},
        "minutes, said behind": {"26:20 min": 1580.0, "18:05 min": 1085.0},
        "weeks and days": {"5w 2d": 888.0, "1d": 24.0, "3h 30m": 3.5},
        "months and years in letters": {
            **{f"{n} M": float(n) for n in range(2, 9)},
            **{f"{n} J": 12.0 * n for n in range(1, 4)},
        },
        "lakhs and crores": {"44.5 Lakh": 4.45e6, "1.5 Cr": 1.5e7, "9 Lakh": 9e5},
        "rupees": {"Rs. 2,49,709/-": 249709.0, "Rs. 1,019/-": 1019.0, "Rs. 750/-": 750.0},
    }
    for name, numbers in spelled.items():
        messy = Messy(table([*numbers], ";"), "numeric", [*numbers.values()], "number spelling")
        yield name, messy
    newtons = ["12 N", "7 N", "3 N", "15 N"]
    yield "newtons", Messy(table(newtons), "numeric", [12.0, 7.0, 3.0, 15.0])
    seats = ["N12", "S7", "N3"]
    yield "blocks of seats", Messy(table(seats), "nominal", seats)
    leaves = {"18.VII.2021": 18826.0, "1.I.2020": 18262.0, "24.XII.1999": 10949.0}
    yield "months in Roman numerals", Messy(table([*leaves]), "date", [*leaves.values()])
    spoken = {"July 18th, 2021": 18826.0, "January 1st, 2020": 18262.0}
    yield "days counted in English", Messy(table([*spoken]), "date", [*spoken.values()])
    expiry = {"07/25": 20270.0, "11/24": 20028.0, "02/26": 20485.0}
    yield "months with short years", Messy(table([*expiry]), "date", [*expiry.values()])
    months = {"03/24": 19783.0, "11/24": 20028.0, "12/24": 20058.0}
    yield "months of a year, no points", Messy(table([*months]), "date", [*months.values()])
    no_years = ["07/08", "11/12", "02/04"]
    yield "no months with short years", Messy(table(no_years), "nominal", no_years)
    votes = ["yes", "no", "Refusal"]
    yield "a refusal", Messy(table(votes), "nominal", votes, "maybe missing")
    ticks = ["1", "2", "1,2", "1,3", "3", "2,3"]
    yield "ticked answers", Messy(table(ticks), "nominal", ticks, "choices")
    grades = {"1,0": 1.0, "1,3": 1.3, "1,7": 1.7, "2,0": 2.0, "2,3": 2.3, "3": 3.0}
    yield "grades with decimals", Messy(table([*grades], ";"), "numeric", [*grades.values()])
    genes = ["TP53", "BRCA1", "2-Sep", "MYC", "1-Mrz", "EGFR"]
    yield "genes as dates", Messy(table(genes), "nominal", genes, "names as dates")


def units_of_all_scripts() -> Iterator[tuple[str, Messy]]:
    words: dict[str, Callable[[int], str]] = {
        "years in Japanese": lambda n: f"{n}歳",
        "people in Japanese": lambda n: f"{n}人",
        "yen": lambda n: f"{n}円",
        "hours in Chinese": lambda n: f"{n}小时",
        "years in Korean": lambda n: f"{n}세",
        "years in Russian": lambda n: f"{n} {'год' if n % 10 == 1 else 'года' if n < 5 else 'лет'}",
        "years in Polish": lambda n: f"{n} {'rok' if n == 1 else 'lata' if n < 5 else 'lat'}",
        "years in German": lambda n: f"{n} Jahr" + "e" * (n > 1),
        "years in German, close": lambda n: f"{n}Jahre",
        "years in French, close": lambda n: f"{n}ans",
        "years in Italian": lambda n: f"{n} ann" + ("i" if n > 1 else "o"),
        "centimetres, close": lambda n: f"{n}cm",
        "centimetres in Russian": lambda n: f"{n}см",
    }
    numbers = [1.0, 2.0, 53.0, 12.0, 31.0]
    for name, write in words.items():
        cells = [write(int(number)) for number in numbers]
        yield name, Messy(table(cells), "numeric", numbers, "number spelling")
        bare = Messy(table([*cells, "7"]), "numeric", [*numbers, 7.0], "number spelling")
        yield f"{name}, one without", bare
    houses = ["1号", "2号", "3号"]
    delays = [f"{n * 40} ms" if n < 25 else f"{n / 25:g} s" for n in range(1, N_ROWS)]
    seconds = [40.0 * n for n in range(1, N_ROWS)]
    yield "milliseconds and seconds", Messy(table(delays), "numeric", seconds, "units converted")
    lots = [f"{n / 8} acres" if n % 3 else f"{n * 1000:,} sq ft" for n in range(1, N_ROWS)]
    acres = [n / 8 if n % 3 else n * 92.90304 / 4046.8564224 for n in range(1, N_ROWS)]
    yield "acres and square feet", Messy(table(lots), "numeric", acres, "units converted")
    myriads = ["1,214万円", "980万円", "1億2,000万円"]
    named = [12140000.0, 9800000.0, 120000000.0]
    yield "myriads in groups", Messy(table(myriads, ";"), "numeric", named, "number spelling")
    yield "houses in Chinese", Messy(table(houses), "nominal", houses)


def numbers_in_texts() -> Iterator[tuple[str, Messy]]:
    """Cells with a number in some wrapping: it is said, and read if somebody asks for it."""
    wrapped: dict[str, Callable[[int], str]] = {
        "floors in Chinese": lambda n: f"{n}层楼",
        "an error behind": lambda n: f"{n}.0 ± 0.{n % 9 + 1}",
        "footnotes": lambda n: f"{n}" + ("*", "", " a)", " (H)", "¹")[n % 5],
        "ranges": lambda n: f"{n - 1}-{n + 1}",
        "words around": lambda n: f"{n} Personen ca.",
        "a name before": lambda n: f"T={n}.0",
    }
    numbers = [20 + 3 * n for n in range(N_ROWS)]
    said = {"numbers_in": ["c"]}
    for name, write in wrapped.items():
        cells = [write(number) for number in numbers]
        silent = Messy(table(cells), "nominal", (), "numbers in texts ignored", role="ignore")
        yield f"{name}, offered", silent
        holes = [*cells[:-1], "see note"]
        values = [*map(float, numbers[:-1]), None]
        yield name, Messy(table(holes), "numeric", values, "numbers in texts", said)
    flagged = [f"{n}{' H' if n > 90 else ' L' if n < 40 else ''}" for n in numbers]
    yield "high and low", Messy(table(flagged), "numeric", numbers, "number spelling")
    touching = [f"{n}{'H' if n > 90 else ''}" for n in numbers]
    yield "high, without a space", Messy(table(touching), "numeric", numbers, "number spelling")
    judged = [f"{n} mmol/L {'H' if n > 90 else 'N'}" for n in numbers]
    yield "judged in all cells", Messy(table(judged), "numeric", numbers, "number spelling")
    flats = [f"{n % 4 + 1} {'AL'[n % 2]}" for n in range(8)]
    yield "flats left and right", Messy(table(flats), "nominal", flats)
    pressures = [f"{120 + n % 6}/{70 + n // 6}" for n in range(N_ROWS)]
    yield "pressures", Messy(table(pressures), "nominal", (), "two numbers", role="ignore")
    said = {"split_numbers": ["c"]}
    first = [120.0 + n % 6 for n in range(N_ROWS)]
    yield "pressures, split", Messy(table(pressures), "numeric", first, "numbers in texts", said)
    sizes = [f"{20 + n % 6} x {7 + n // 6} cm" for n in range(N_ROWS)]
    offered = Messy(table(sizes), "nominal", (), "numbers in texts ignored", role="ignore")
    yield "lengths and widths", offered
    for name, cells in {
        "rooms": [f"Room {n}" for n in range(18)],
        "places in a train": [f"{n}{'ABC'[n % 3]}" for n in range(18)],
        "age groups": [f"{n}-{n + 4}" for n in range(0, 90, 5)],
        "codes of diseases": [f"E1{n % 5}.{n % 9}" for n in range(18)],
    }.items():
        yield name, Messy(table(cells), "nominal", cells)


def codes_and_marks() -> Iterator[tuple[str, Messy]]:
    for name, codes in {
        "wards with an E": ["3E1", "2E4", "12E3"],
        "sections": ["1.1", "1.2", "1.9", "1.10", "1.11", "2.1"],
        "versions": ["3.9", "3.10", "3.8"],
    }.items():
        yield name, Messy(table(codes), "nominal", codes, "codes")
        said = {"types": {"c": "numeric"}}
        yield f"{name}, numbers", Messy(table(codes), "numeric", [*map(float, codes)], None, said)
    yield "powers of ten with an E", Messy(table(["1E5", "1E6"]), "numeric", [1e5, 1e6])
    yield "typed with and without a 0", Messy(table(["1.1", "1.10", "1.5"]), "numeric", [1.1, 1.1])
    unseen = ["Nord", "Nord\u200b", "S\u00fcd", "\ufeffS\u00fcd"]
    yield (
        "signs nobody sees",
        Messy(table(unseen), "nominal", ["Nord", "Nord", "S\u00fcd", "S\u00fcd"]),
    )
    grades = ["A", "\u0410", "B", "C"]
    yield "letters that look alike", Messy(table(grades), "nominal", grades, "variants")
    mac = ["Köln", unicodedata.normalize("NFD", "Köln"), "Ulm"]
    yield "accents of their own", Messy(table(mac), "nominal", ["Köln", "Köln", "Ulm"])
    for name, mark in {
        "an asterisk": "*",
        "a stroke": "/",
        "points": "...",
        "crosses": "xx",
        "below the limit": "<LOQ",
        "not to be determined": "nicht bestimmbar",
    }.items():
        yield name, Messy(table(["1.5", mark, "7"]), "numeric", [1.5, None, 7.0], "dashes")
        yield f"{name} among words", Messy(table(["a", mark, "b"]), "nominal", (), "maybe missing")
    for name, pattern, mark in [
        ("no date in SQL", "%Y-%m-%d", "0000-00-00"),
        ("no date in SAP", "%d.%m.%Y", "00.00.0000"),
        ("no date in America", "%m/%d/%Y", "00/00/0000"),
    ]:
        cells = [mark, *(day.strftime(pattern) for day in DAYS[1:])]
        first = float((DAYS[1] - datetime.date(1970, 1, 1)).days)
        yield name, Messy(table(cells), "date", [None, first], "dashes")
    spans = {"0 days 01:30:00": 1.5, "2 days 00:45:00": 48.75, "1 day, 3:00:00": 27.0}
    yield "durations of Python", Messy(table([*spans]), "numeric", [*spans.values()])
    spans = {"PT1H30M": 1.5, "P2DT45M": 48.75, "PT36S": 0.01}
    yield "durations of ISO", Messy(table([*spans]), "numeric", [*spans.values()])
    yield "dashes as minus", Messy(table(["\u20137.5", "3", "\u201312"]), "numeric", [-7.5, 3, -12])


AGES: dict[str, dict[str, float]] = {
    "years and months": {"3 y 6 m": 3.5, "4 m": 1 / 3, "2 y": 2.0, "7 y": 7.0},
    "close together": {"14y 9m": 14.75, "6y4m": 6 + 1 / 3, "3 mos": 0.25, "2y": 2.0},
    "weeks": {"2 yrs": 2, "8 wks": 56 / 365.25, "1 yr": 1, "7 yrs": 7, "4 yrs": 4, "9 m": 0.75},
    "German": {"13,5 J.": 13.5, "6 Mon.": 0.5, "2 J.": 2, "7 J.": 7, "3 J.": 3, "1 J.": 1},
    "French": {
        "2 ans et 3 mois": 2.25,
        "1 an": 1.0,
        "3 ans": 3.0,
        "6 mois": 0.5,
        "4 j": 4 / 365.25,
    },
    "Spanish": {"1 año y 6 meses": 1.5, "2 años": 2.0, "9 meses": 0.75, "3 años": 3.0},
    "Polish": {"3 lata": 3, "1 r.": 1, "5 lat": 5, "6 mies.": 0.5, "7 lat": 7, "2 lata": 2},
    "mostly months": {"18 m": 18, "4 m": 4, "2 y": 24, "9 m": 9, "7 m": 7, "1 m": 1},
    "old": {
        "2 years old": 2,
        "6 m old": 0.5,
        "3 years old": 3,
        "1 year old": 1,
        "4 y": 4,
        "9 y": 9,
    },
}
NO_AGES = {
    "men and women": ["34 m", "28 w", "51 m", "47 w", "19 w", "66 m", "72 w"],
    "months or metres": ["3 m", "5 d", "7 m", "9 d", "12 m", "14 d", "20 m"],
    "flats": ["1a", "2a", "1d", "2d", "3t", "3a", "4r"],
    "the smaller first": ["6 m 3 y", "4 m 2 y", "1 m 1 y", "2 m 7 y", "3 m 1 y", "5 m 2 y"],
}


def ages() -> Iterator[tuple[str, Messy]]:
    """Years, months, weeks and days in one column are one number, in the unit of most cells."""
    for name, cells in AGES.items():
        found = Messy(table([*cells]), "numeric", [*cells.values()], "number spelling")
        yield f"ages: {name}", found
    for name, texts in NO_AGES.items():
        yield f"no ages: {name}", Messy(table(texts), "nominal", texts)
    kept = [*AGES["German"]]
    said = {"types": {"c": "nominal"}}
    yield "ages, kept", Messy(table(kept), "nominal", kept, None, said)


def points() -> Iterator[tuple[str, Messy]]:
    """Points out of one number are that many; out of several numbers they are no such."""
    told = "number spelling"
    yield "points", Messy(table(["4/9", "7/9", "1/9", "9/9"]), "numeric", [4, 7, 1, 9], told)
    marks = ["17/20", "7,5/20", "12/20"]
    yield "points and halves", Messy(table(marks), "numeric", [17, 7.5, 12], told)
    yield (
        "points in words",
        Messy(table(["8 of 10", "3 of 10", "5 of 10"]), "numeric", [8, 3], told),
    )
    for name, cells in {
        "halves": ["1/2", "2/2", "0/2"],
        "out of several numbers": ["4/9", "7/8", "1/9", "3/9"],
        "more than all": ["4/9", "12/9", "1/9"],
        "two of them": ["1/9", "2/9"],
    }.items():
        yield f"no points: {name}", Messy(table(cells), "nominal", cells)


def scales_and_choices() -> Iterator[tuple[str, Messy]]:
    heights = ["1.72", "172", "181", "1.81", "165", "190", "1.65"]
    two = [1.72, 172.0, 181.0, 1.81, 165.0, 190.0, 1.65]
    yield "two scales are offered", Messy(table(heights), "numeric", two, "two scales")
    said = {"one_scale": ["c"]}
    one = [172.0, 172.0, 181.0, 181.0, 165.0, 190.0, 165.0]
    yield "one scale", Messy(table(heights), "numeric", one, None, said)
    shares = ["5 %", "0.05", "12 %", "0.5 %", "0.005"]
    two = [5.0, 0.05, 12.0, 0.5, 0.005]
    yield "shares and percent", Messy(table(shares), "numeric", two, "two scales")
    one = [5.0, 5.0, 12.0, 0.5, 0.5]
    yield "shares and percent, one", Messy(table(shares), "numeric", one, None, said)
    wide = ["1.72", "3.5", "172", "250", "0.4", "99"]
    yield "one wide scale", Messy(table(wide), "numeric", [1.72, 3.5, 172.0])
    picked = ["Price", "Price, Quality", "Quality; Service", "Service", "Price, Service"]
    yield "several answers", Messy(table(picked), "nominal", picked, "choices")
    said = {"split_choices": ["c"]}
    first = ["yes", "yes", "no", "no", "yes"]
    yield "several answers, split", Messy(table(picked), "nominal", first, None, said)
    places = ["Bonn, NRW", "Köln, NRW", "Ulm, BW"]
    yield "places", Messy(table(places), "nominal", places)


def tables_between_words_and_numbers() -> Iterator[tuple[str, Messy]]:
    limits = ["5.5", "<5", ">80", "7"]
    yield "limits are offered", Messy(table(limits), "nominal", limits, "limits")
    said = {"types": {"c": "numeric"}}
    yield "limits, read", Messy(table(limits), "numeric", [5.5, 5.0, 80.0, 7.0], "limits", said)
    many = [f"{n / 7:.3f}" for n in range(N_ROWS - 2)] + ["<0.05", ">80"]
    first = [n / 7 for n in range(3)]
    numbers = [round(value, 3) for value in first]
    yield "many limits", Messy(table(many), "numeric", numbers, "limits")
    said = {"types": {"c": "nominal"}}
    yield "many limits, kept", Messy(table(many), "nominal", many[:3], None, said)
    some = [f"{n}" for n in range(N_ROWS - 1)] + ["10-50"]
    yield (
        "a range among many",
        Messy(table(some), "numeric", [0.0, 1.0, 2.0], "limits"),
    )
    rest = [f"{n}" for n in range(N_ROWS - 1)] + ["4/7 b"]
    odd = Messy(table(rest), "nominal", (), "odd texts ignored", role="ignore")
    yield "an odd text among many", odd
    prices = ["€ 205.093,-", "€ 1.250,-", "€ 95,-"]
    yield "a dash for no cents", Messy(table(prices, ";"), "numeric", [205093.0, 1250.0, 95.0])
    years = ["ca. 1993", "2001", "1987", "2010"]
    about = Messy(table(years), "numeric", [1993.0, 2001.0, 1987.0, 2010.0], "number spelling")
    yield "about", about
    floors = ["1. OG", "2. OG", "EG", "3. OG"]
    yield "floors", Messy(table(floors), "nominal", floors)
    scale = ["1", "5", "98", "3", "99"]
    yield "98 and 99", Messy(table(scale), "numeric", [1.0, 5.0, 98.0, 3.0, 99.0], "maybe missing")
    pressures = [f"{120 + n % 6}/{80 + n // 6}" for n in range(N_ROWS)]
    two = Messy(table(pressures), "nominal", (), "two numbers", role="ignore")
    yield "two numbers in a cell", two
    cases = [f"{4711 + n}/{23 + n % 2}" for n in range(N_ROWS)]
    yield "cases by year", Messy(table(cases), "identifier", (), "identifier", role="ignore")
    customers = [f"K-{1023 + n}" for n in range(24)]
    named = Messy(table(customers), "identifier", (), "repeated identifier", role="ignore")
    yield "customers of several rows", named
    wards = [f"W-{100 + n}" for n in range(12)]
    yield "wards", Messy(table(wards), "nominal", wards)
    sums = ["$32.3M", "$12K", "$1.1M"]
    yield "millions in short", Messy(table(sums), "numeric", [32300000.0, 12000.0, 1100000.0])
    terms = ["monthly", "yearly", "2 years"]
    yield "a number among words", Messy(table(terms), "nominal", terms)


def marked_tables() -> Iterator[tuple[str, Messy]]:
    for mark in ("X", "x", "1", "ja", "✓"):
        cells = [mark, "", "", mark, ""]
        gaps = [mark if cell else None for cell in cells]
        yield (
            f"{mark} or empty is offered",
            Messy(table(cells), "nominal", gaps, "marked or empty"),
        )
        said = {"empty_no": ["c"]}
        filled = [cell or "no" for cell in cells]
        yield f"{mark} or empty, taken", Messy(table(cells), "boolean", filled, None, said)
    yield "no or empty", Messy(table(["no", "", "no"]), "nominal", ["no", None, "no"])


def tables_with_sums() -> Iterator[tuple[str, Messy]]:
    lines = table(["1.5", "-3"]).decode().splitlines(keepends=True)
    numbers = [1.5, -3.0]
    between = "".join([*lines[:12], "Subtotal,11.5,,\n", *lines[12:25], "Zwischensumme,7,,\n"])
    yield "subtotals", Messy((between + "".join(lines[25:])).encode(), "numeric", numbers, "totals")
    for words in (["Mean", "SD", "Min", "Max"], ["Średnia"], ["Mittelwert:"], ["MOYENNE"], ["Ø"]):
        means = "".join(f"{word},0.75,,\n" for word in words)
        between = "".join([*lines[:20], means, *lines[20:], means])
        yield f"{words[0]} between", Messy(between.encode(), "numeric", numbers, "totals")
    named = "".join(lines) + "Grand total,,,\n"
    yield "a grand total", Messy(named.encode(), "numeric", numbers, "totals")
    nameless = "".join(lines) + ",-54.0,,\n"
    yield "a total without a name", Messy(nameless.encode(), "numeric", numbers, "totals")
    footnote = "".join(lines) + "Total,,,\n,* in CHF,,\n"
    yield "a footnote below", Messy(footnote.encode(), "numeric", numbers, "totals")
    values = "".join(line.replace("red", "total") for line in lines)
    yield "total as a value", Messy(values.encode(), "numeric", numbers)


def graded_tables() -> Iterator[tuple[str, Messy]]:
    for grades in (["+-", "1+", "2+", "-"], ["1+", "-", "2+", "3+"], ["++", "-"], ["-", "pos"]):
        yield f"minus beside {grades[0]} {grades[1]}", Messy(table(grades), "nominal", grades)
    tested = Messy(table(["pos", "neg", "-"]), "nominal", ["pos", "neg", None], "dashes")
    yield "a dash beside neg is none", tested


def other_tables() -> Iterator[tuple[str, Messy]]:
    plus = Messy(table(["+", "-", "+"]), "nominal", ["+", "-", "+"])
    yield "plus and minus are values", plus
    codes = ["01067", "10115", "80331"]
    yield "postcodes", Messy(table(codes), "nominal", codes, "leading zeros")
    yield "hours", Messy(table(["00", "07", "23"]), "numeric", [0.0, 7.0, 23.0])
    mixed = ["3 apples", "2 pears", "4 plums"]
    yield "different units", Messy(table(mixed), "nominal", mixed)
    ages = ["0-4", "5-9", "10-14"]
    yield "ranges", Messy(table(ages), "nominal", ages)
    more = ["1", "2", "3+"]
    yield "and more", Messy(table(more), "nominal", more)
    yield "letters behind", Messy(table(["1a", "2a", "1b"]), "nominal", ["1a", "2a", "1b"])
    words = ["employed", "Employed", "retired"]
    yield "case", Messy(table(words), "nominal", words, "variants")
    joined = ["Employed", "Employed", "retired"]
    options = {"join_values": ["c"]}
    yield "case, joined", Messy(table(words), "nominal", joined, None, options)
    spoken = ["Yes", "y", "yes", "No", "N", "No"]
    yield "yes and y", Messy(table(spoken), "nominal", spoken, "variants")
    one = ["Yes", "Yes", "Yes", "No", "No", "No"]
    yield "yes and y, joined", Messy(table(spoken), "nominal", one, None, options)
    winds = ["N", "NO", "no", "S"]
    apart = ["N", "NO", "NO", "S"]
    yield "winds, joined", Messy(table(winds), "nominal", apart, None, options)
    sums = [f"{'$€£'[n % 3]}{n + 1}.50" for n in range(N_ROWS)]
    paid = Messy(table(sums), "nominal", (), "several units", {}, "ignore")
    yield "several currencies", paid
    plain = {"types": {"c": "numeric"}}
    yield "currencies dropped", Messy(table(sums), "numeric", [1.5, 2.5, 3.5], "said", plain)
    unknown = ["a", "unknown", "b"]
    pending = ["a", "TBD", "b"]
    yield "to be done is offered", Messy(table(pending), "nominal", pending, "maybe missing")
    yield "unknown is offered", Messy(table(unknown), "nominal", unknown, "maybe missing")
    options = {"missing_in": {"c": ["unknown"]}}
    yield "unknown, taken", Messy(table(unknown), "nominal", ["a", None, "b"], None, options)
    far = ["31", "999", "54"]
    yield "999 is offered", Messy(table(far), "numeric", [31.0, 999.0, 54.0], "maybe missing")
    options = {"missing_in": {"c": ["999"]}}
    yield "999, taken", Messy(table(far), "numeric", [31.0, None, 54.0], None, options)
    words_in = {"missing_in": {"c": ["soon"]}}
    late = Messy(table(["4", "soon", "6"]), "numeric", [4.0, None, 6.0], None, words_in)
    yield "a word among numbers, taken", late
    for pair in (("yes", "no"), ("True", "False"), ("J", "N"), ("ja", "nein"), ("on", "off")):
        yield f"boolean {pair[0]}", Messy(table(pair), "boolean", pair)
    kept = {"as_written": ["dashes"]}
    yield "dashes kept", Messy(table(["a", "-"]), "nominal", ["a", "-"], None, kept)
    kept = {"types": {"c": "nominal"}}
    yield "units kept", Messy(table(["1 mg", "2 mg"]), "nominal", ["1 mg", "2 mg"], None, kept)
    kept = {"types": {"c": "numeric"}}
    yield "zeros dropped", Messy(table(codes), "numeric", [1067.0, 10115.0, 80331.0], None, kept)


def lines_around() -> Iterator[tuple[str, Messy]]:
    cells, values = ["1.5", "-3"], [1.5, -3.0]
    aboves = {
        "a title": "Sales report\n",
        "a title and a blank line": "Sales report\n\n",
        "titles with commas": "Sales, all regions\nas of 2020-01-05, draft\n",
        "a padded title": "Sales report,,,\n,,,\n",
        "a quoted title": '"Sales, ""all"" regions"\n\n\n',
        "blank lines": "\n\n",
        "a title with semicolons": "Sales; regions\n",
    }
    for name, above in aboves.items():
        finding = None if name == "blank lines" else "title"
        yield name, Messy(table(cells, above=above), "numeric", values, finding)
        semicolons = table(cells, ";", above=above.replace(",,,", ";;;"))
        yield f"{name}, semicolons", Messy(semicolons, "numeric", values, finding)
    units = table(cells).replace(b"\n", b"\nyears,mg/L,,\n", 1)
    yield "units below the names", Messy(units, "numeric", values, "title")
    for word in ("Total", "Grand total", "Summe:"):
        texts = Messy(table(["a", "b"], below=f"120,{word},,\n"), "nominal", ["a", "b"], "totals")
        yield f"{word} below", texts
    both = table(cells, above="Report\n\n", below="9,9,Total,\n")
    yield "title and totals", Messy(both, "numeric", values, "totals")
    kept = Messy(
        table(["a", "b"], below="120,Total,,no\n"),
        "nominal",
        ["a", "b"],
        None,
        {"as_written": ["totals"]},
        n_rows=N_ROWS + 1,
    )
    yield "totals kept", kept
    a_value = table(["Total", "Part"], below="")
    yield "total as a value", Messy(a_value, "nominal", ["Total", "Part"])


GALLERY = dict(
    case
    for cases in (
        number_tables(),
        date_tables(),
        missing_tables(),
        amounts_and_answers(),
        units_of_all_scripts(),
        numbers_in_texts(),
        codes_and_marks(),
        scales_and_choices(),
        habits_of_programs(),
        tables_between_words_and_numbers(),
        marked_tables(),
        tables_with_sums(),
        graded_tables(),
        other_tables(),
        lines_around(),
    )
    for case in cases
)


def read(messy: Messy) -> Dataset:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ProbTreesWarning)
        return read_table(("messy.csv", messy.content), **messy.options)


def values_of(data: Dataset) -> list[float | str | None]:
    number = next(n for n, column in enumerate(data.schema.columns) if column.source_name == "c")
    column, values = data.schema.columns[number], data.values[:, number].tolist()
    if column.categories is None:
        return [None if np.isnan(value) else value for value in values]
    return [None if np.isnan(code) else column.categories[int(code)] for code in values]


@pytest.mark.parametrize("name", GALLERY)
def test_read_as_expected(name: str) -> None:
    messy = GALLERY[name]
    report = inspect_table(("messy.csv", messy.content), **messy.options)
    assert report.column("c").type == messy.type
    assert report.column("c").role == messy.role or messy.type == "date"
    assert report.n_rows == messy.n_rows
    if messy.finding is not None:
        assert messy.finding in [finding.kind for finding in report.findings]
    data = read(messy)
    found = values_of(data)[: len(messy.values)] if messy.values else ()
    expected = [pytest.approx(v) if isinstance(v, float) else v for v in messy.values]
    assert list(found) == expected
    # A model reads later tables as it read the first one.
    kept = messy.options.get("as_written", ())
    again = read_table(("again.csv", messy.content), schema=data.schema, as_written=kept)
    np.testing.assert_array_equal(again.values, data.values)


@pytest.mark.parametrize("mark", ["X", "1", "ja", "✓"])
@pytest.mark.parametrize("name", ["Mahnung", "c"])
def test_a_target_that_is_marked_or_empty_has_two_classes(mark: str, name: str) -> None:
    lines = [f"{n % 7}.5,{n % 5},{mark if n % 3 == 0 else ''},{n % 4}" for n in range(60)]
    source = ("t.csv", "\n".join([f"a,b,{name},d", *lines]).encode())

    def look(reading: ReadOptions) -> TableReport:
        return inspect_table(source, **reading.arguments)

    data = read_table(source, target=name)
    assert sorted(data.schema.classes) == sorted([mark, "no"])
    assert data.n_rows == 60
    again = read_table(("n.csv", b"a,b,d,%b\n1,2,3,\n" % name.encode()), schema=data.schema)
    assert data.schema.classes[int(again.values[0, -1])] == "no"
    guess = guess_reading(look, ReadOptions())
    report = look(guess.reading if name == "Mahnung" else ReadOptions(roles={name: "target"}))
    assert report.target == name
    assert dict(report.class_counts) == {mark: 20, "no": 40}
    (back,) = [fix for f in report.column(name).findings for fix in f.fixes]
    gone = look(
        guess_for(look, ReadOptions(), name).reading.with_fix(name, back.setting, back.value)
    )
    (error,) = [found for found in gone.findings if found.severity == "error"]
    assert [fix.setting for fix in error.fixes] == ["empty_no"]


def test_there_are_enough_of_them() -> None:
    assert len(GALLERY) >= 60


def test_words_in_a_target_and_names_twice_are_repaired_by_a_click() -> None:
    lines = [
        f"{n % 7},{n % 5},{'TBD' if n == 3 else 'soon' if n == 9 else n * 1.3}" for n in range(60)
    ]
    source = ("t.csv", "\n".join(["age,age,price", *lines]).encode())
    report = inspect_table(source)
    assert [column.name for column in report.columns] == ["age", "age (2)", "price"]
    assert (report.findings[0].kind, report.findings[0].column) == ("repeated name", "age (2)")
    (found,) = report.column("price").findings
    assert found.severity == "error"
    assert [fix.label for fix in found.fixes] == [
        "Treat 'TBD' as missing",
        "Treat these 2 values as missing",
        "Ask whether it is over 39",
        "Cut it into 5 classes",
    ]
    reading = ReadOptions().with_fix("price", "missing", found.fixes[1].value)
    reading = reading.with_fix("price", "cut_target", 30.0)
    data = read_table(source, **reading.arguments)
    assert data.n_rows == 58
    assert data.schema.classes == ("up to 30", "over 30")


def test_a_date_that_was_set_aside_stays_so() -> None:
    lines = [f"2020-01-{1 + n % 28:02},{n % 7},{n % 5},{n % 3},{'ab'[n % 2]}" for n in range(60)]
    source = ("t.csv", "\n".join(["day,p,q,r,y", *lines]).encode())

    def look(reading: ReadOptions) -> TableReport:
        return inspect_table(source, **reading.arguments)

    reading = guess_reading(look, ReadOptions()).reading
    fewer = reading.with_role("p", "ignore")
    assert [look(given).column("day").role for given in (reading, fewer)] == ["ignore", "ignore"]
    assert look(fewer).column("day").findings[0].fixes[0].label == "Use it anyway"


@pytest.mark.parametrize(
    "scale",
    [
        ["Strongly disagree", "Disagree", "Neutral", "Agree", "Strongly agree"],
        ["nie", "selten", "manchmal", "oft", "immer"],
        ["low", "Medium", "HIGH"],
        ["sehr unzufrieden", "unzufrieden", "zufrieden", "sehr zufrieden"],
        ["jamais", "parfois", "souvent", "toujours"],
    ],
)
def test_answers_of_a_scale_keep_their_order(scale: list[str]) -> None:
    data = read_table(("t.csv", table(scale[::-1])))
    assert data.schema.columns[1].categories == tuple(scale)


def test_points_group_thousands_where_another_column_has_a_decimal_comma() -> None:
    cells = [f"{12 + n}.{n * 37 % 10}00;{n},50€;{'yn'[n % 3 > 0]}" for n in range(N_ROWS)]
    content = "\n".join(["pay;fee;y", *cells]).encode()
    data = read_table(("t.csv", content))
    assert data.values[:3, 0].tolist() == [12000.0, 13700.0, 14400.0]
    again = read_table(("t.csv", content), schema=data.schema)
    np.testing.assert_array_equal(again.values, data.values)
    plain = read_table(("p.csv", b"pay;fee;y\n12000;1,50;y\n980;2,50;n\n"), schema=data.schema)
    assert plain.values[:, 0].tolist() == [12000.0, 980.0]
    points = content.replace(b",50\xe2\x82\xac", b"")
    assert read_table(("t.csv", points)).values[0, 0] == 12.0
    small = [f"{1 + n % 9}.{n * 37 % 10}00;{n},50€;{'yn'[n % 3 > 0]}" for n in range(N_ROWS)]
    litres = "\n".join(["pay;fee;y", *small])
    assert read_table(("t.csv", litres.encode())).values[1, 0] == 2700
    as_decimals = read_table(("t.csv", litres.encode()), as_written=["points"])
    assert as_decimals.values[1, 0] == 2.7
    hundreds = litres.replace("\n1.000;", "\n992;", 1).encode()
    assert read_table(("t.csv", hundreds)).values[:2, 0].tolist() == [992.0, 2700.0]


def test_points_group_thousands_where_hundreds_have_none() -> None:
    sales = [f"{990 + 10 * n}" if n < 1 else f"{1 + n}.{n * 70 % 1000:03}" for n in range(N_ROWS)]
    lines = [f"{cell};{1 + n % 9}.500;{'yn'[n % 3 > 0]}" for n, cell in enumerate(sales)]
    data = read_table(("t.csv", "\n".join(["sales;rent;y", *lines]).encode()))
    assert data.values[:3, :2].tolist() == [[990, 1500], [2070, 2500], [3140, 3500]]
    again = read_table(("t.csv", "\n".join(["sales;rent;y", *lines]).encode()), schema=data.schema)
    np.testing.assert_array_equal(again.values, data.values)
    litres = [line.replace("990;", "0.990;") for line in lines]
    plain = read_table(("t.csv", "\n".join(["sales;rent;y", *litres]).encode()))
    assert plain.values[:2, :2].tolist() == [[0.99, 1.5], [2.07, 2.5]]


def test_a_unit_that_the_name_of_a_column_says_is_not_shown_again() -> None:
    rows = "".join(f"{n}.5 mg,{n % 9} ans,{n} µmol/L,{'a' if n % 3 else 'b'}\n" for n in range(30))
    data = read_table(("t.csv", f"dose (mg),age,bilirubin,y\n{rows}".encode()))
    shown = [number_text(7, column.unit) for column in data.schema.features]
    assert shown == ["7", "7 ans", "7 µmol/L"]


@pytest.mark.parametrize(
    ("every", "unit", "words"),
    [(20, "", "in 2 of 36 cells only"), (2, "mg/dl", "'mg/dL' (not in 18")],
)
def test_a_unit_of_a_few_cells_is_not_that_of_the_column(every: int, unit: str, words: str) -> None:
    cells = [f"{90 + n}" + " mg/dL" * (n % every == 0) for n in range(N_ROWS)]
    data = read_table(("t.csv", table(cells)))
    column = data.schema.columns[1]
    assert column.unit == unit
    assert words in " ".join(data.provenance.notes)
    assert Schema.from_dict(data.schema.to_dict()) == data.schema
    again = read_table(("t.csv", table(cells)), schema=data.schema)
    np.testing.assert_array_equal(again.values, data.values)
    assert data.values[:2, 1].tolist() == [90.0, 91.0]


def test_milliseconds_under_the_name_of_a_time_are_dates() -> None:
    moments = [f"{1704067200000 + 43_200_000 * n}" for n in range(N_ROWS)]
    content = table(moments).replace(b"x,c,", b"x,c_ts,")
    data = read_table(("t.csv", content), roles={"c_ts": "feature"})
    assert data.values[:2, 1].tolist() == [19723.0, 19723.5]
    again = read_table(("t.csv", content), schema=data.schema)
    np.testing.assert_array_equal(again.values, data.values)


def test_answers_in_one_cell_are_found_again_in_later_tables() -> None:
    picked = ["Price", "Price, Quality", "Quality; Service", "Service", "Price, Service"]
    data = read_table(("t.csv", table(picked)), split_choices=["c"])
    assert data.schema.names[1:4] == ("c: Price", "c: Quality", "c: Service")
    later = b"x,c,g,y\n1,service | price,red,no\n1,Colour,red,no\n1,,red,no\n"
    rows = read_table(("later.csv", later), schema=data.schema).values[:, 1:4]
    np.testing.assert_array_equal(rows, [[1, 0, 1], [0, 0, 0], [np.nan] * 3])


def test_ticked_answers_are_no_decimals_where_other_columns_have_a_comma() -> None:
    ticks = ["1", "2", "1,2", "1,3", "3", "2,3"]
    rows = [f"{n % 7},5;{ticks[n % 6]};{'ab'[n % 3 > 0]}" for n in range(60)]
    source = ("t.csv", "\n".join(["x;c;y", *rows]).encode())
    report = inspect_table(source)
    assert {"codes", "choices"} <= {finding.kind for finding in report.column("c").findings}
    data = read_table(source, split_choices=["c"])
    assert data.schema.names == ("x", "c: 1", "c: 2", "c: 3", "y")
    later = read_to_predict(("new.csv", b"x;c\n1,5;2,3\n2,5;1\n"), data.schema)
    assert [[cell == 1 for cell in row[1:4]] for row in later.values] == [
        [False, True, True],
        [True, False, False],
    ]
    assert read_table(source, types={"c": "numeric"}).values[2, 1] == 1.2


def test_cells_without_a_number_are_told_and_odd_in_later_tables() -> None:
    cells = [f"~{n} Std. ca." for n in range(30)] + ["see note"]
    report = inspect_table(("a.csv", table(cells)), numbers_in=["c"])
    said = next(f for f in report.column("c").findings if f.kind == "numbers in texts")
    assert "1 of 36 cells without a number that could be read so: 'see note'" in said.sentence
    with pytest.warns(ProbTreesWarning, match="1 of 36 cells"):
        data = read_table(("a.csv", table(cells)), numbers_in=["c"])
    assert data.schema.columns[1].spelling == type(data.schema.columns[1].spelling).from_dict(
        data.schema.columns[1].spelling.to_dict()
    )
    _, problems = read_rows(("b.csv", table(cells)), data.schema)
    assert problems == {30: ["c='see note' holds no number to read"]}


def test_flags_are_left_out_of_later_tables_too() -> None:
    cells = [f"{n}{' H' if n > 60 else ''}" for n in range(40, 70)]
    for said in ([], ["c"]):
        data = read_table(("a.csv", table(cells)), numbers_in=said)
        column = data.schema.columns[1]
        assert (column.unit, column.spelling.flags) == ("", True)
        assert Schema.from_dict(data.schema.to_dict()) == data.schema
        later = b"x,c,g,y\n1,71.5 HH,red,no\n1,2 L,red,no\n1,50,red,no\n"
        rows = read_table(("later.csv", later), schema=data.schema).values[:, 1]
        assert rows.tolist() == [71.5, 2.0, 50.0]


def test_a_flag_that_touches_its_number_is_no_unit() -> None:
    data = read_table(("a.csv", table([f"{n}{'H' if n > 60 else ''}" for n in range(40, 70)])))
    assert data.schema.columns[1].unit == ""
    later = b"x,c,g,y\n1,71.5HH,red,no\n1,103 mg/dL,red,no\n"
    rows = read_to_predict(("later.csv", later), data.schema)
    assert rows.values[:, 1].tolist() == [71.5, 103.0]
    hours = read_table(("a.csv", table([f"{n}H" for n in range(40, 70)])))
    assert hours.schema.columns[1].unit == "h"


def test_amounts_converted_when_scoring_are_said() -> None:
    cells = [f"{100 + 10 * n} mg" for n in range(30)]
    later = ("later.csv", b"x,c,g,y\n1,1.5 g,red,no\n1,300 mg,red,no\n1,2 g,red,no\n")
    for said in ([], ["c"]):
        data = read_table(("a.csv", table(cells)), numbers_in=said)
        rows = read_to_predict(later, data.schema)
        assert rows.values[:, 1].tolist() == [1500.0, 300.0, 2000.0]
        (note,) = rows.provenance.notes
        assert "2 cells are in another unit than 'mg'" in note
        assert "'1.5 g' is read as 1500" in note


def test_shares_of_one_are_percent_if_somebody_says_so() -> None:
    data = read_table(("t.csv", table(["5 %", "12 %", "3 %"])))
    later = ("later.csv", b"x,c,g,y\n1,0.05,red,no\n1,0.5,red,no\n")
    read = [read_table(later, schema=data.schema, one_scale=said) for said in ((), ("c",))]
    assert [rows.values[:, 1].tolist() for rows in read] == [[0.05, 0.5], [5.0, 50.0]]
    assert "--one-scale" in " ".join(read[0].provenance.notes)


def test_rare_values_are_grouped_by_a_click_and_found_again() -> None:
    cells = [f"v{n}" for n in range(120) for _ in range(30 if n < 5 else 2)]
    lines = [f"{cell},{'yes' if n % 3 else 'no'}" for n, cell in enumerate(cells)]
    content = ("t.csv", "\n".join(["c,y", *lines]).encode())
    reading = guess_reading(lambda r: inspect_table(content, **r.arguments), ReadOptions()).reading
    report = inspect_table(content, **reading.arguments)
    assert report.column("c").role == "ignore"
    (found,) = [f for f in report.findings if f.column == "c"]
    (group,) = [fix for fix in found.fixes if fix.setting == "group"]
    reading = reading.with_fix("c", group.setting, group.value)
    data = read_table(content, **reading.arguments)
    categories = data.schema.columns[0].categories or ()
    assert len(categories) == 21
    assert "other" in categories
    later = read_table(("l.csv", b"c,y\nv0,no\nv119,no\nnever,yes\n"), schema=data.schema)
    assert [categories[int(code)] for code in later.values[:, 0]] == ["v0", "other", "other"]
