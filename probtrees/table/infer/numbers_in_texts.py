"""Columns of texts that hold a number in every cell, or nearly: 13小时, 87.7 ± 0.5, 115/69.

As categories they are worth little, as identifiers nothing. That they could be read as numbers is
said, with a click that reads them; nothing is read so unless somebody asks for it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from probtrees.table.cells.flags_behind import flags_among
from probtrees.table.cells.loose_numbers import number_named
from probtrees.table.cells.numbers_within import (
    FIRST,
    SECOND,
    THE_NUMBER,
    Held,
    each_held,
    numbers_held,
    read_within,
    unit_of_all,
)
from probtrees.table.cells.raw_table import RawColumn, Texts
from probtrees.table.cells.special_numbers.pairs import (
    are_labelled_steps,
    are_places,
    are_pressures,
    are_results,
)
from probtrees.table.cells.special_numbers.points import most_points
from probtrees.table.cells.special_numbers.rates import is_rate
from probtrees.table.cells.special_numbers.school_marks import (
    is_unit_of_marks,
    mark_of,
    unit_of_marks,
)
from probtrees.table.cells.spelled_numbers import ANY_UNIT
from probtrees.table.cells.unit_names import conversion, shown_unit
from probtrees.table.infer.almost_numbers import which_are_numbers
from probtrees.table.infer.recognise_numbers import Recognised, measure_findings
from probtrees.table.infer.text_habits import AS_CATEGORIES, listed, treat_as_missing, two_columns
from probtrees.table.read_options import SEVERAL
from probtrees.table.spelling import Spelling
from probtrees.table.table_report import SET_ASIDE, Finding, Fix
from probtrees.types import IntArray
from probtrees.words import percent, rows_text

IN_TEXTS = "numbers in texts"
"""The kind of the finding about a column like that; with "ignored" behind it, of one not used."""

UNITS_OF_FEW = "few in several units"
"""The kind of the finding about categories that are numbers in several units."""

AS_TIMES = Fix("Read as hours and minutes", "type", "numeric")
_N_LOOKED_AT = 2000
_MOSTLY = 0.6
_FEWEST = 10
_FEWEST_RANGES = 21
"""Fewer ranges than this are groups of ages, say, and categories indeed."""
_LONGEST_MARK = 4
_MOST_WRAPPINGS = 0.2
_LETTER = re.compile(r"# ?[A-Za-z]")
_PHRASE = re.compile(r"#\s*\w+[^#]*\s\w+")
_COMMAS = re.compile(r"\d,(?:\d{1,2}|\d{4,})(?!\d)")
_POINTS = re.compile(r"\d\.(?:\d{1,2}|\d{4,})(?!\d)")
_BEGINS = re.compile(
    r"[^\w]{0,3}#|(?:约|ca|approx|about|etwa|circa|env)\W{0,2}#|[^\W\d][^#]{0,14}[=:≈<>≤≥]\s?#"
)
_DIGITS = re.compile(r"[\d.,]+")
_BOTH_RETURN = 2
_DAY_AND_MONTH = re.compile(r"(?:0?[1-9]|[12]\d|3[01])\. ?(?:0?[1-9]|1[0-2])\.", re.A)
_CODE = re.compile(
    r"(?:[#№] ?(?:[A-Za-z]{1,4}[-_/. ]?)?|(?P<year>\d\d|\d{4})[-_/])(?P<count>\d{3,})", re.A
)
_A_YEAR = re.compile(r"(?:19|20)\d\d", re.A)
_ROWS_PER_YEAR = 5
_MOST_YEARS = 0.5
"""Where more of the numbers behind are years themselves, 2019-2023 is a time."""


def read_number(name: str) -> Fix:
    """Offer to read the number in each cell of a column."""
    return Fix("Read the number in each cell", "numbers_in", name)


def offer_numbers(
    name: str, column: Texts, found: Recognised, are: str = "categories"
) -> Recognised:
    """Say of a column of texts that it looks like numbers, if it does and nothing else says so.

    ``are`` says what its texts are meanwhile.
    """
    said = {finding.kind for finding in found.findings}
    told = said & {
        *SET_ASIDE,
        UNITS_OF_FEW,
        "choices",
        "limits",
        "odd texts",
        "mixed",
        "leading zeros",
    }
    if found.type not in ("nominal", "identifier", "text") or column.declared or told:
        return found
    if found.type == "identifier" and _are_codes(column.texts):
        return found
    if all(map(_DAY_AND_MONTH.fullmatch, column.texts)):
        return found  # as a number 28.1. would come after 4.2.
    places = range(min(column.n_distinct, _N_LOOKED_AT))
    texts = [column.texts[place] for place in places]
    decimal = decimal_of(texts, column.decimal)
    flags = bool(flags_among(texts))
    rows = column.rows_of[: len(texts)]
    held = _held_by_most(each_held(texts, decimal, flags=flags), rows.tolist())
    fix, example = _what_it_is(held, texts, decimal)
    are_games = are_results(texts, name)
    if not fix and (are_games or are_pressures(texts, name) or are_places(texts)):
        fix, example = "two", [*places][:3]
    elif not fix and are_labelled_steps(texts):
        fix, example = "one", _different([*places], [one for one in held if one], texts, decimal)
    if not fix:
        return found
    unit = unit_of_all(zip(held, rows.tolist(), strict=True)) if fix == "one" else ""
    within = THE_NUMBER if fix == "one" else SECOND
    read = read_within(texts, Spelling(decimal, unit, within=within, flags=flags))
    lost = [place for place, number in enumerate(read) if number is None]
    if rows[lost].sum() > (1 - _MOSTLY) * rows.sum():
        return found
    ignored = found.type != "nominal" or "many values" in said
    so = "it is ignored" if ignored else f"it is now {column.n_distinct:,} {are}"
    shown = listed([repr(texts[place]) for place in example])
    kind = f"{IN_TEXTS} ignored" if ignored else IN_TEXTS
    differ = unit == ANY_UNIT
    gone = _would_be_lost(lost, rows, [repr(texts[place]) for place in lost[:3]], column)
    if fix == "two":
        what, remedy = "two numbers in each cell", "Make two columns of it (--split-numbers)."
        fixes = (two_columns(name), *((AS_TIMES,) if are_games else ()))
    else:
        what, remedy = "numbers written as text", "Read the number in each cell (--numbers-in)."
        what += " in several units" if differ else ""
        fixes = (read_number(name),)
    finding = Finding(
        name,
        kind,
        f"Column {name!r} looks like {what} ({shown}); {so}.{gone}",
        remedy,
        "warning",
        (*fixes, AS_CATEGORIES),
    )
    kept = () if ignored else found.findings
    return Recognised(column, "nominal", (*kept, finding), found.spelling)


def _would_be_lost(lost: list[int], rows: IntArray, shown: list[str], column: Texts) -> str:
    """Say how many filled cells would be missing if a column were read as it is offered."""
    if not lost:
        return ""
    n_lost, n_cells = int(rows[lost].sum()), int(rows.sum())
    how_many = f"{n_lost:,} of {n_cells:,} cells"
    if column.n_distinct > len(rows):
        how_many = f"about {percent(n_lost / n_cells)} of the cells"
    return f" Read so, {how_many} would be missing, such as {listed(shown)}."


def _are_codes(texts: Sequence[str]) -> bool:
    """Whether texts count something: by the year, or behind a number sign.

    >>> _are_codes(["#A-20000", "#A-20001"]), _are_codes([f"2023-{n}" for n in range(100, 110)])
    (True, True)
    >>> _are_codes(["1990-2004", "1990-2011"]), _are_codes(["110-150", "120-190"])
    (False, False)
    """
    found = [match for text in texts if (match := _CODE.fullmatch(text.strip()))]
    if len(found) < len(texts):
        return False
    years = {match["year"] for match in found}
    if years != {None} and _ROWS_PER_YEAR * len(years) > len(found):
        return False
    return sum(bool(_A_YEAR.fullmatch(m["count"])) for m in found) <= _MOST_YEARS * len(found)


def _held_by_most(each: Iterable[Held | None], rows: list[int]) -> list[Held | None]:
    """List what cells hold if most of them begin with a number; nothing once that cannot be."""
    held, n_left, fewest = [], sum(rows), _MOSTLY * max(sum(rows), 1)
    for one, n_rows in zip(each, rows, strict=True):
        held.append(one)
        n_left -= 0 if _begins_with_number(one) else n_rows
        if n_left < fewest:
            return []
    return held


def _begins_with_number(one: Held | None) -> bool:
    return one is not None and _BEGINS.match(one.around) is not None


def _what_it_is(held: list[Held | None], texts: list[str], decimal: str) -> tuple[str, list[int]]:
    """Tell whether cells hold "one" number or "two", with the places of examples; else nothing."""
    good = [place for place, one in enumerate(held) if _begins_with_number(one)]
    if not good:
        return "", []
    cells = [one for place in good if (one := held[place]) is not None]
    around = {one.around for one in cells}
    letters = {a for a in around if _LETTER.fullmatch(a)}
    phrases = {a for a in around if _PHRASE.fullmatch(a)}
    wide = len(around) > max(_FEWEST // 2, _MOST_WRAPPINGS * len(cells))
    if wide or len(letters) > 1 or len(phrases) > 1 or len({c.numbers for c in cells}) < _FEWEST:
        return "", []
    ranges = [one for one in cells if one.is_range]
    if len(ranges) > len(cells) / 2 and len({c.numbers for c in ranges}) < _FEWEST_RANGES:
        return "", []
    if any(one.is_range for one in cells) and not _are_ranges(cells):
        return "", []
    pairs = [one.numbers for one in cells if len(one.numbers) > 1]
    if len(pairs) > len(cells) / 2:
        return ("two", good[:3]) if _both_return(pairs) else ("", [])
    return "one", _different(good, cells, texts, decimal)


def _are_ranges(cells: list[Held]) -> bool:
    """Whether hardly any cell counts down from one number to a smaller one, as codes do."""
    dashed = [one for one in cells if re.fullmatch("# ?[-–] ?#", one.around)]
    return sum(not one.is_range for one in dashed) <= 0.1 * max(len(dashed), 1)


def _both_return(pairs: list[tuple[float, ...]]) -> bool:
    """Whether both numbers of pairs occur with others too; those of files and years do not.

    Points out of a constant number (17/20) are pairs as well where a few cells are other texts.
    """
    different = [len({pair[part] for pair in pairs}) for part in (0, 1)]
    if different[1] == 1 and all(first <= most for first, most in pairs):
        return True
    return all(_BOTH_RETURN * n <= len(pairs) for n in different)


def _different(places: list[int], cells: list[Held], texts: list[str], decimal: str) -> list[int]:
    """Choose up to three examples in different wrappings, bare numbers last.

    A number with another decimal mark than most is odd as well.
    """
    by_wrapping: dict[str, int] = {}
    other = (_COMMAS if decimal == "." else _POINTS).search
    for place, cell in zip(places, cells, strict=True):
        mark = "," if other(texts[place]) else ""
        by_wrapping.setdefault(cell.around + _DIGITS.sub("", texts[place]) + mark, place)
    chosen = [place for around, place in by_wrapping.items() if around != "#"][:3]
    return chosen if len(chosen) > 1 else [*chosen, *(p for p in places if p not in chosen)][:3]


def decimal_of(texts: list[str], decimal: str) -> str:
    """Return the decimal mark that most texts have; that of the file where none has one."""
    commas = sum(bool(_COMMAS.search(text)) for text in texts)
    points = sum(bool(_POINTS.search(text)) for text in texts)
    return decimal if commas == points else "," if commas > points else "."


def read_numbers_in(name: str, written: RawColumn, found: Recognised, which: str) -> Recognised:
    """Read a column as somebody said: the number in each cell, or the first or second of two."""
    if not isinstance(written, Texts):
        return found
    column = written.without(found.spelling.missing)
    texts = list(column.texts)
    decimal = decimal_of(texts, column.decimal)
    rows = column.rows_of.tolist()
    flags = which == THE_NUMBER and bool(flags_among(texts))
    held = list(each_held(texts, decimal, flags=flags))
    unit = unit_of_all(zip(held, rows, strict=True)) if which == THE_NUMBER else ""
    if which == THE_NUMBER:
        known = column.numbers.spelling.unit
        unit = known if most_points(known) else unit_of_marks(_with_digits(texts)) or unit
    spelling = Spelling(decimal, unit, found.spelling.missing, within=which, flags=flags)
    last = spelling if which == THE_NUMBER else replace(spelling, within=SECOND)
    read = read_within(texts, last)
    lost = [place for place, number in enumerate(read) if number is None]
    nil = [text for text, number in zip(texts, read, strict=True) if number == "0"]
    finding = _read_finding(name, column, spelling, lost)
    finding = _with_nil(finding, [text for text in nil if number_named(text)])
    if unit == ANY_UNIT:
        finding = _units_differ(finding, texts, held)
    if which == FIRST:
        return Recognised(column, "numeric", (finding,), spelling)
    numbers = column.written(spelling).as_numbers()
    asked: tuple[Finding, ...] = ()
    if which == THE_NUMBER:
        found_there = measure_findings(name, numbers.values)
        asked = tuple(_as_in_cells(question, texts, read) for question in found_there)
    return Recognised(numbers, "numeric", (finding, *asked), spelling)


def _as_in_cells(question: Finding, texts: list[str], read: list[str | None]) -> Finding:
    """Let an answer about numbers (999) name the texts that they are read from (999 min)."""
    fixes = []
    for fix in question.fixes:
        numbers = str(fix.value).split(SEVERAL) if fix.setting == "missing" else []
        cells = [text for text, number in zip(texts, read, strict=True) if number in numbers]
        is_other = cells and set(cells) != set(numbers)
        fixes.append(replace(fix, value=SEVERAL.join(cells)) if is_other else fix)
    return replace(question, fixes=tuple(fixes))


def _with_digits(texts: Sequence[str]) -> list[str]:
    """Return the short texts that hold a digit, as marks do."""
    return [text for text in texts if len(text) <= _LONGEST_MARK and any(map(str.isdigit, text))]


def _units_differ(finding: Finding, texts: list[str], held: list[Held | None]) -> Finding:
    """Warn that numbers in several units are read as if they were in one."""
    example = {one.unit: text for text, one in zip(texts, held, strict=True) if one and one.unit}
    shown = listed([repr(text) for text in list(example.values())[:3]])
    return replace(
        finding,
        sentence=f"{finding.sentence} {shown} are compared as if they were in one unit.",
        remedy="Convert the cells to one unit first, or treat the column as categories.",
        severity="warning",
        fixes=(_take_back(str(finding.column), THE_NUMBER),),
        done=True,
    )


def _with_nil(finding: Finding, words: list[str]) -> Finding:
    """Say which words are read as 0, and let them be missing."""
    if not words:
        return finding
    said = (
        f" {listed([repr(word) for word in words[:3]])} {'are' if words[1:] else 'is'} read as 0."
    )
    fixes = (*finding.fixes, treat_as_missing(*words))
    return replace(finding, sentence=finding.sentence + said, fixes=fixes)


def _take_back(name: str, which: str) -> Fix:
    option = "numbers_in" if which == THE_NUMBER else "split_numbers"
    return Fix("Take it back", "take back", f"{option} {name}")


def _read_finding(name: str, column: Texts, spelling: Spelling, lost: list[int]) -> Finding:
    """Say what was read, in which unit, and which cells hold no number."""
    what = "the number" if spelling.within == THE_NUMBER else "two numbers"
    sentence = f"Column {name!r} is read as {what} in each cell"
    if spelling.unit == ANY_UNIT:
        sentence += ", without units, which differ"
    elif most := most_points(spelling.unit):
        sentence += f", as points out of {most}"
    elif is_unit_of_marks(spelling.unit):
        sentence += f", as marks (2+ is {mark_of('2+', spelling.unit):g})"
    elif spelling.unit:
        sentence += f", in {shown_unit(spelling.unit) or spelling.unit!r}"
    if not lost:
        return Finding(name, IN_TEXTS, f"{sentence}.", severity="note")
    shown = listed([repr(column.texts[place]) for place in lost[:3]])
    shown += " and others" if len(lost) > 3 else ""
    n_lost, n_cells = int(np.sum(column.rows_of[lost])), int(column.rows_of.sum())
    held = "a number" if spelling.within == THE_NUMBER else "two numbers"
    return Finding(
        name,
        IN_TEXTS,
        f"{sentence}; missing now: {n_lost:,} of {n_cells:,} cells without {held} that could be "
        f"read so: {shown}.",
        "Take it back if that is too much.",
        "warning",
        (_take_back(name, spelling.within),),
        texts=tuple(column.texts[place] for place in lost),
        done=True,
    )


def units_finding(name: str, column: Texts) -> Finding:
    """Ask about numbers in several units, and which one those are in that have none."""
    units = column.numbers.units
    held = (numbers_held(text, column.numbers.spelling.decimal) for text in column.texts)
    unit = unit_of_all(zip(held, column.rows_of.tolist(), strict=True))
    n_bare = int(column.rows_of[which_are_numbers(column)].sum())
    if n_bare and unit not in ("", ANY_UNIT) and not any(map(is_rate, units)):
        return Finding(
            name,
            "several units",
            f"Column {name!r} holds numbers in several units ({listed(units)}), and without one in "
            f"{rows_text(n_bare)}; it is ignored, since these could be in any of them.",
            f"Read all in {unit!r}, those without a unit too (--numbers-in), or write the unit "
            "into the cells.",
            "warning",
            (Fix(f"Those without are in {unit!r}", "numbers_in", name), AS_CATEGORIES),
        )
    return Finding(
        name,
        "several units",
        f"Column {name!r} holds numbers in several units ({listed(units)}) and is ignored, since "
        "they cannot be compared as they stand.",
        "Convert them to one unit, or read the numbers without their units (type 'numeric').",
        "warning",
        (Fix("Read the numbers without units", "type", "numeric"),),
    )


def few_in_units(name: str, column: Texts) -> Finding | None:
    """Ask about a few categories that are numbers in units which nothing converts: 80% and 28 h."""
    units = column.first_numbers.units
    if len(units) < 2 or any(conversion(one, two) for one, two in pairwise(units)):
        return None
    held = [numbers_held(text, column.numbers.spelling.decimal) for text in column.texts]
    if min(Counter(one.unit for one in held if one and one.unit).values(), default=0) < 2:
        return None
    return Finding(
        name,
        UNITS_OF_FEW,
        f"Column {name!r} holds numbers in several units ({listed(units)}); it is taken as "
        f"{column.n_distinct} categories, of which some may be the same amount.",
        "Convert them to one unit in the file, or keep the categories.",
        "warning",
        (
            Fix("Keep categories", "type", "nominal"),
            Fix("Ignore this column", "role", "ignore"),
        ),
    )
