"""What a column of numbers holds: measures, names of the rows, or nothing that changes.

Some numbers name rather than measure: patient 4711 is not more than patient 4710.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from probtrees.table.cells.numbers_within import numbers_held
from probtrees.table.cells.raw_table import Numbers, RawColumn, Texts
from probtrees.table.cells.special_numbers.negative_codes import negative_codes
from probtrees.table.cells.special_numbers.scale_words import ABOUT, BEFORE_SOME
from probtrees.table.cells.special_numbers.school_marks import (
    ONE_IS_BEST,
    example_of,
    is_direction_guessed,
    is_unit_of_marks,
    mark_of,
    other_direction,
)
from probtrees.table.cells.special_numbers.written_amounts import with_amounts
from probtrees.table.cells.special_numbers.years_and_months import (
    YEARS,
    habit_of,
    is_name_of_age,
)
from probtrees.table.cells.spelled_numbers import THE_UNIT, spell
from probtrees.table.infer.column_names.incomes import lacks_incomes
from probtrees.table.infer.identifying_numbers import (
    counts_rows,
    identify,
    labelled_identifier,
    may_be_years,
)
from probtrees.table.infer.repeated_identifiers import few_rows_each, repeated_finding
from probtrees.table.infer.text_habits import (
    AS_CATEGORIES,
    OF_TYPE,
    listed,
    treat_as_missing,
    two_columns,
)
from probtrees.table.spelling import PLAIN, Spelling
from probtrees.table.table_report import ColumnType, Finding, Fix, Severity
from probtrees.types import FloatArray

IGNORE = Fix("Ignore this column", "role", "ignore")
USE = Fix("Use it anyway", "role", "feature")
AS_GROUP = Fix("Keep rows of one group together", "role", "group")

_NINES_OF = [float("9" * length) for length in range(2, 9)]
_REPEATED = [float(digit * length) for digit in "678" for length in range(2, 9)]
_STAND_INS = frozenset({*_NINES_OF, -9.0, *(-n for n in _NINES_OF + _REPEATED)})
_BESIDE_THEM = frozenset({*_REPEATED, -1.0, -7.0, -8.0, -98.0})
_BESIDE_THEM |= {n - less for n in _NINES_OF for less in (1, 2, 3)}
"""What people write beside them, for other reasons to know none."""

_NINE, _SHORT, _FEW_ANSWERS = 9.0, 99.0, 6.0
_FAR = 10.0
"""Among negative numbers a stand-in is so many times as large as all others; zeros are suspicious
where all others are larger than this."""
_MANY, _APART = 10, 4
"""A heap is told from measures by as many of them, and by so many of their steps between."""
_NARROW = 2.0
"""Where the largest number is at most so many times the smallest, none comes near to 0."""
_NEVER_ZERO = re.compile(
    r"(^|[\W_])(age|alter|âge|edad|età|height|größe|taille|weight|gewicht|poids|peso|bmi|puls|pulse|"
    r"([ns]i|[sd])?bp|(resting|blood) ?(bp|pressure)|blutdruck|rr|systol\w*|diastol\w*|hr|"
    r"heart ?rate|herzfrequenz|spo2|sats|temp(eratur(e|a)?)?|glucose|glukose|glucosa|cholesterol|"
    r"cholesterin|ha?emoglobin|hämoglobin|hb|hgb|creatinine|kreatinin|sodium|natrium|potassium|"
    r"kalium|skin ?thickness|insulin|platelets?|thrombo\w*|leuko\w*|wbc|albumin|ferritin)($|[\W_])",
    re.I,
)
"""Names of what no living body has none of."""

_CONVERTED = re.compile(r"^(.+?)(?: in some cells,)? converted to (.+)$")
"""What is said of units that numbers were converted from, and to which one."""
_ABOUT = re.compile(ABOUT)
_MOST_TREATED = 50

UNITS_CONVERTED = "units converted"
"""The kind of a finding about numbers that are read in another unit than they are written in."""

_SELDOM = 0.2
"""A unit that fewer of the cells have is not that of the column."""

FINEST_STEP = 1e-6
"""Numbers closer together than this are the same to a tree."""


@dataclass(frozen=True)
class Recognised:
    """A column in the form its type needs, how it is written, and what to know about it."""

    column: RawColumn
    type: ColumnType
    findings: tuple[Finding, ...] = ()
    spelling: Spelling = PLAIN


def recognise_numbers(name: str, column: Numbers) -> Recognised:
    """Decide whether numbers measure, name the rows, mark some of them, or never change."""
    lowest = np.fmin.reduce(column.values, initial=np.nan)
    highest = np.fmax.reduce(column.values, initial=np.nan)
    if np.isinf(lowest) or np.isinf(highest):
        return Recognised(column, "numeric", (infinite_finding(name, column.values),))
    if column.declared:
        return Recognised(column, "numeric")
    if not lowest < highest:
        return _one_number(name, column)
    if identify(name, column.values, lowest, highest):
        return Recognised(column, "identifier", (_identifiers(name, column.values),))
    if counts_rows(column.values, lowest, highest) and not may_be_years(lowest, highest):
        return Recognised(column, "numeric", (_counter_finding(name),))
    return Recognised(column, "numeric", measure_findings(name, column.values))


def identified_by_label(name: str, found: Recognised, label: str) -> Recognised:
    """Take numbers for names of rows that the label of their column calls so: "School ID"."""
    column = found.column
    if found.type != "numeric" or not isinstance(column, Numbers):
        return found
    called = labelled_identifier(label)
    lowest = np.fmin.reduce(column.values, initial=np.nan)
    highest = np.fmax.reduce(column.values, initial=np.nan)
    if not called or not identify(called, column.values, lowest, highest):
        return found
    return replace(found, type="identifier", findings=(_identifiers(name, column.values, called),))


def as_spelled(found: Recognised, name: str, column: Texts) -> Recognised:
    """Add how the numbers of a column are written."""
    numbers, habits = column.numbers, column.numbers.habits
    spelling = with_amounts(numbers.spelling, column.texts, column.rows_of.tolist())
    if numbers.bare:
        n_bare, n_cells = int(column.rows_of[list(numbers.bare)].sum()), int(column.rows_of.sum())
        seldom = spelling.unit != "%" and n_cells - n_bare < _SELDOM * n_cells
        spelling = replace(spelling, seldom=seldom)
        in_part = f"(not in {n_bare:,} of {n_cells:,} cells)"
        if seldom:
            in_part = f"in {n_cells - n_bare:,} of {n_cells:,} cells only (left out)"
        habits = tuple(f"{h} {in_part}" if h.startswith(THE_UNIT) else h for h in habits)
    asked = _converted_finding(name, column)
    habits = tuple(h for h in habits if not (asked and _CONVERTED.search(h)))
    said = _marks_finding(name, habits) if habits else None
    if said and is_unit_of_marks(spelling.unit):
        said = _with_other_way(said, column.texts, spelling.unit)
    elif said and spelling.unit == YEARS and habit_of(column.texts):
        said = replace(said, fixes=(*said.fixes, two_columns(name)))
        said = said if is_name_of_age(name) else replace(said, severity="warning", done=True)
    if said and any(habit.endswith(BEFORE_SOME) for habit in habits):
        said = _with_about(said, column)
    findings = (*asked, *((said,) if said else ()))
    return replace(found, findings=(*findings, *found.findings), spelling=spelling)


def _converted_finding(name: str, column: Texts) -> tuple[Finding, ...]:
    """Say in sight that numbers in another unit are converted, since that changes them."""
    numbers = column.numbers
    said = next((found for habit in numbers.habits if (found := _CONVERTED.search(habit))), None)
    if said is None:
        return ()
    held = [numbers_held(text, numbers.spelling.decimal) for text in column.texts]
    values = numbers.values.tolist()
    changed = [
        (text, value)
        for text, value, one in zip(column.texts, values, held, strict=True)
        if one and one.unit and not np.isclose(one.numbers[0], value, equal_nan=True)
    ]
    if not changed:
        return ()
    unit = next((h.removeprefix(THE_UNIT) for h in numbers.habits if h.startswith(THE_UNIT)), "")
    texts = [text for text, _ in changed]
    first, value = changed[0]
    n_rows, n_cells = column.rows_with(texts), int(column.rows_of.sum())
    few = len(texts) <= _MOST_TREATED and 2 * n_rows < n_cells
    missing = (treat_as_missing(*texts),) if few else ()
    return (
        Finding(
            name,
            UNITS_CONVERTED,
            f"Column {name!r} has {said[1]} in {n_rows:,} of {n_cells:,} cells, converted "
            f"to {unit or said[2]}: {first!r} is read as {value:.4g}.",
            "Set its type to 'nominal' to keep them as they are written.",
            "warning",
            (Fix("Take it back", "type", "nominal"), *missing),
            done=True,
        ),
    )


def units_kept(name: str, column: RawColumn) -> tuple[Finding, ...]:
    """Repeat that numbers in several units are kept as they are written, with the way back."""
    if not isinstance(column, Texts) or not _converted_finding(name, column):
        return ()
    sentence = f"Column {name!r} is kept as it is written, in several units, as categories."
    back = Fix("Take it back", "take back", f"{OF_TYPE} {name}")
    return (Finding(name, "said", sentence, fixes=(back,)),)


def _marks_finding(name: str, habits: tuple[str, ...]) -> Finding:
    return Finding(
        name,
        "number spelling",
        f"Column {name!r} holds numbers written with {listed(habits)}, read as numbers.",
        "Set its type to 'nominal' to keep them as they are written.",
        "note",
        (AS_CATEGORIES,),
    )


def _with_about(said: Finding, column: Texts) -> Finding:
    """Say how many numbers are not exact ("ca. 90"), and offer to take them for missing."""
    about = [text for text in column.texts if _ABOUT.match(text)]
    n_rows, n_cells = column.rows_with(about), int(column.rows_of.sum())
    where = f" before {n_rows:,} of {n_cells:,} cells (left out)"
    sentence = said.sentence.replace(BEFORE_SOME, where)
    few = len(about) <= _MOST_TREATED and 2 * n_rows < n_cells
    fixes = (*said.fixes, treat_as_missing(*about)) if few else said.fixes
    return replace(said, sentence=sentence, fixes=fixes)


def _with_other_way(said: Finding, texts: Sequence[str], unit: str) -> Finding:
    """Offer to read tendencies of marks the other way; in sight where no mark tells which."""
    example = example_of(texts)
    other = mark_of(example, other_direction(unit))
    turn = Fix(f"Read {example.strip()} as {other:g}", "turn_marks", str(said.column))
    remedy = f"{said.remedy} Read the tendencies the other way if they are meant so (--turn-marks)."
    guessed = unit == ONE_IS_BEST and is_direction_guessed(texts)
    severity: Severity = "warning" if guessed else said.severity
    return replace(said, remedy=remedy, severity=severity, fixes=(turn, *said.fixes))


def measure_findings(name: str, values: FloatArray) -> tuple[Finding, ...]:
    """Report what to know of numbers that measure: fine steps, and stand-ins for missing ones."""
    lowest = np.fmin.reduce(values, initial=np.nan)
    highest = np.fmax.reduce(values, initial=np.nan)
    if not lowest < highest:
        return ()
    fine = _fine_steps(name, values, highest / 2 - lowest / 2)
    return fine + _stand_in(name, values, lowest, highest)


def used_after_all(name: str, found: Recognised) -> Recognised:
    """Take a column that looks like an identifier as somebody uses it: as numbers or categories."""
    if found.type != "identifier":
        return found
    if not isinstance(found.column, Numbers):
        return replace(found, type="nominal")
    findings = found.findings + measure_findings(name, found.column.values)
    return replace(found, type="numeric", findings=findings)


def _identifiers(name: str, values: FloatArray, called: str = "") -> Finding:
    """Report numbers that name rows, or the same customer in several rows.

    ``called`` is a name that says whose they are where that of the column does not.
    """
    known = values[~np.isnan(values)]
    n_distinct = len(np.unique(known))
    if few_rows_each(called or name, n_distinct, len(known), is_number=True):
        return repeated_finding(name, n_distinct, len(known), called)
    return identifier_finding(name, repeats=n_distinct < len(known))


def _one_number(name: str, column: Numbers) -> Recognised:
    """Take a number that is there or not for a mark; one that never changes says nothing."""
    missing = np.isnan(column.values)
    if missing.any() and not missing.all():
        return Recognised(column, "nominal")
    return Recognised(column, "constant", (constant_finding(name, bool(missing.all())),))


def infinite_finding(name: str, values: FloatArray) -> Finding:
    """Refuse a number without end."""
    row = int(np.isinf(values).argmax())
    return Finding(
        name,
        "infinite",
        f"{name!r}={values[row]} in row {row + 1} must be a finite number.",
        "Correct the cell, or leave it empty if the value is not known.",
        "error",
        (IGNORE,),
    )


def constant_finding(name: str, empty: bool) -> Finding:
    """Report that a column never changes, or has no value at all."""
    found = "has no value in any row" if empty else "has the same value in every row"
    return Finding(name, "constant", f"Column {name!r} {found} and is ignored.", severity="note")


def _fine_steps(name: str, values: FloatArray, half_span: float) -> tuple[Finding, ...]:
    """Report numbers so close together that a tree takes most neighbours for the same."""
    if half_span > FINEST_STEP * len(values):
        return ()
    steps = np.diff(np.unique(values[~np.isnan(values)]))
    if 2 * np.count_nonzero(steps <= FINEST_STEP) < len(steps):
        return ()
    return (
        Finding(
            name,
            "fine steps",
            f"Column {name!r} changes in steps of {FINEST_STEP:g} or less, which a tree does not "
            "tell apart.",
            "Multiply its numbers by a million, say, if trees are to split on it.",
            "warning",
        ),
    )


def _stand_in(name: str, values: FloatArray, lowest: float, highest: float) -> tuple[Finding, ...]:
    """Report a number far from all others that people write where they know none: 999, -99."""
    found = _zeros(name, values) if lowest == 0 else ()
    found += _nine(name, values) if highest == _NINE and lowest in (0.0, 1.0) else ()
    for value in (lowest, highest):
        beside = value in _STAND_INS or value in _BESIDE_THEM
        alike = [n for n in (_STAND_INS | _BESIDE_THEM if beside else ()) if (n < 0) == (value < 0)]
        for numbers in (alike, [value] if value in _STAND_INS else []):
            is_one = np.isin(values, numbers)
            # Above the others only: 77 and 88 may be measures beside 777 and 999.
            is_one &= (values < 0) | (values > np.nanmax(values[~is_one], initial=-np.inf))
            rest = values[~is_one & ~np.isnan(values)]
            # Below the lowest a stand-in is negative, above the highest it has more digits.
            if is_one.sum() < 2 or not len(rest):
                continue
            own = np.unique(values[is_one])
            if rest.min() < 0 and np.abs(own).min() < _FAR * np.abs(rest).max():
                continue
            if own[-1] < 0 or own[0] > 2 * rest.max() or _is_heap(values, own, rest):
                found += (_stand_in_finding(name, list(map(spell, own)), int(is_one.sum())),)
                values = np.where(is_one, np.nan, values)
                break
    if not found and (codes := negative_codes(values)):
        found = (
            _stand_in_finding(name, list(map(spell, codes)), int(np.isin(values, codes).sum())),
        )
    return found + (_spikes(name, values) or (() if found else _far_away(name, values)))


def _far_away(name: str, values: FloatArray) -> tuple[Finding, ...]:
    """Report the lowest or highest number if it lies farther from all others than they from each.

    Devices write such ones, as 85 °C among 20 and 30, 65535, -127 or 1e36; it has several rows.
    """
    others, n_rows = np.unique(values[~np.isnan(values)], return_counts=True)
    if len(others) <= _MANY:
        return ()
    halves = others / 2  # the largest numbers are too far apart to be subtracted
    for place, rest in ((0, halves[1:]), (-1, halves[:-1])):
        gap = min(abs(halves[place] - rest[0]), abs(halves[place] - rest[-1]))
        most = np.delete(n_rows, place).max()
        if gap > rest[-1] - rest[0] and n_rows[place] > max(2, most):
            text = spell(others[place])
            return (_stand_in_finding(name, [text], int(n_rows[place])),)
    return ()


def _spikes(name: str, values: FloatArray) -> tuple[Finding, ...]:
    """Report 999, 9999 and so on amid other numbers, in far more rows than any of these."""
    others, n_rows = np.unique(values[~np.isnan(values)], return_counts=True)
    nines = np.isin(others, _NINES_OF)
    nines &= (n_rows >= _MANY) & (others > _SHORT)
    if not nines.any() or len(others) < _MANY * _MANY:
        return ()
    nines &= n_rows >= _MANY * n_rows[~nines].max()
    texts = list(map(spell, others[nines].tolist()))
    return (_stand_in_finding(name, texts, int(n_rows[nines].sum())),) if texts else ()


def _is_heap(values: FloatArray, own: FloatArray, rest: FloatArray) -> bool:
    """Whether one number stands apart above the others, in more rows than any of them: age 99."""
    others, n_rows = np.unique(rest, return_counts=True)
    if len(own) > 1 or len(others) < _MANY or own[0] < others[-1]:
        return False
    stands_apart = own[0] - others[-1] > _APART * np.median(np.diff(others))
    return bool(stands_apart and (values == own[0]).sum() > n_rows.max())


def _nine(name: str, values: FloatArray) -> tuple[Finding, ...]:
    """Report 9 (and 8) beside the answers 0 and 1, or 1 to 6."""
    found = np.unique(values[~np.isnan(values)])
    answers, codes = found[found <= _FEW_ANSWERS], found[found > _FEW_ANSWERS]
    consecutive = len(answers) > 1 and bool((np.diff(answers) == 1).all())
    n_rows = int((values > _FEW_ANSWERS).sum())
    if not consecutive or not set(codes.tolist()) <= {_NINE, _NINE - 1} or n_rows < 2:
        return ()
    return (_stand_in_finding(name, list(map(spell, codes.tolist())), n_rows),)


def _zeros(name: str, values: FloatArray) -> tuple[Finding, ...]:
    """Report zeros far below all others, of what people are or have or in a narrow column."""
    n_zeros = int((values == 0).sum())
    rest = values[values > 0]
    if n_zeros < 2 or n_zeros > len(rest):
        return ()
    others = np.unique(rest)
    far = others[0] >= _FAR
    if lacks_incomes(name, values):
        far = True
    elif _NEVER_ZERO.search(name):
        far |= len(others) >= _MANY and others[0] > _APART * np.median(np.diff(others))
    elif len(others) < _MANY or others[-1] > _NARROW * others[0]:
        return ()
    return (_stand_in_finding(name, ["0"], n_zeros),) if far else ()


def _stand_in_finding(name: str, texts: list[str], n_rows: int) -> Finding:
    return Finding(
        name,
        "maybe missing",
        f"Column {name!r} holds {' and '.join(texts)} in {n_rows:,} rows, unlike its other "
        "numbers.",
        "If that means 'not known', treat it as missing.",
        "warning",
        (treat_as_missing(*texts),),
    )


def identifier_finding(name: str, *, repeats: bool) -> Finding:
    """Report that a column is left out as an identifier."""
    advice = "Give it the role 'feature' to use it anyway"
    if repeats:
        advice += ", or 'group' if rows with the same value belong together"
    return Finding(
        name,
        "identifier",
        f"Column {name!r} looks like an identifier and is ignored.",
        f"{advice}.",
        "warning",
        (USE, AS_GROUP) if repeats else (USE,),
    )


def _counter_finding(name: str) -> Finding:
    """Report that a column counts the rows although its name does not say so."""
    return Finding(
        name,
        "counter",
        f"Column {name!r} counts the rows.",
        "Give it the role 'ignore' if it is an identifier.",
        "warning",
        (IGNORE,),
    )
