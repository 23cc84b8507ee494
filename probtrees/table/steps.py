"""What changes a column: the steps a person chooses, declared once in :data:`STEPS`.

A step said by a person is plain data, ``{"step": "group", "column": "town", "keep": 20}``: an entry
of a model file, of a session, of a link and of ``--steps FILE.json``. When a table is learnt from,
a step is *resolved*: what it found (which spellings are one, where a target is cut) is kept in the
column as an ``AppliedStep``. When rows are encoded, of the same table or of one to score, it is
*applied*: replayed word for word.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise
from typing import Any

import numpy as np

from probtrees.errors import DataError, OptionError, check_known, did_you_mean
from probtrees.table.dataset import Column
from probtrees.table.findings import Finding, Fix, listed
from probtrees.table.number_text import spell
from probtrees.table.raw_table import Dates, Numbers, RawColumn, RawTable, Texts
from probtrees.table.readings.dates import ages_of, today
from probtrees.table.readings.find_reading import find_reading, read_cells
from probtrees.table.readings.reading import AppliedStep, ColumnReading, Found
from probtrees.table.readings.spellings import name_says
from probtrees.table.readings.words import folded, join_keys, most_frequent, natural_order
from probtrees.types import FloatArray

Settings = Mapping[str, Any]
"""What is said of a step, or what was found for it."""

Columns = tuple[Column, ...]

MOST_KEPT = 20
"""So many of the most frequent values, or answers in a cell, are kept unless it is said."""

_MOST_CLASSES = 100
_SEPARATORS = re.compile(r"\s*[;,|\n]\s*|(?<=[^\W\d_]) \+ (?=[^\W\d_])")
_BRACKETS = {"[": "]", "{": "}"}
_MOST_ANSWERS, _LONGEST_ANSWER, _MOST_TEXTS = 40, 60, 5000
_SHARE_OF_SEVERAL, _SHARE_OF_RECURRING = 0.1, 0.6
_CONVERSION = re.compile(r"([*/])\s*(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_LIST, _AT = (list, tuple), (float, int, list, tuple)


@dataclass(frozen=True)
class Step:
    """One way to change a column.

    Attributes
    ----------
    name : what people type
    resolve : makes of a column of the schema, its cells, the table and what was said the columns
        that it becomes, with an ``AppliedStep`` each
    apply : changes the cells of a column as an ``AppliedStep`` has it; None: they stay
    settings : what can be said of it besides its column, with the types that are allowed
    needed : whether they must be said
    offer : proposes the step for a column, where that helps
    first : whether it changes texts before anybody looks what they hold
    of_target : whether it is about the classes of the target
    """

    name: str
    resolve: Callable[[Column, RawColumn, RawTable, Settings], Columns]
    apply: Callable[[RawColumn, Column, Settings, RawTable], RawColumn] | None = None
    settings: Mapping[str, tuple[type, ...]] = field(default_factory=dict)
    needed: bool = False
    offer: Callable[[Column, RawColumn], Finding | None] | None = None
    first: bool = False
    of_target: bool = False


def find_step(said: Settings) -> Step:
    """Return the step that is meant; refuse settings that it does not have, or of a wrong type."""
    name = str(said.get("step"))
    check_known("step", name, STEPS, "one of the steps")
    step = STEPS[name]
    own: Mapping[str, tuple[type, ...]] = {} if step.of_target else {"column": (str,)}
    known = {**own, **step.settings}
    for key in (*(known if step.needed else own), *(key for key in said if key != "step")):
        if not isinstance(said.get(key), known.get(key, ())):
            rule = known[key][0].__name__ if key in known else f"one of {', '.join(known)}"
            raise OptionError(f"step={name!r}: {key}={said.get(key)!r} must be {rule}.")
    return step


def apply_steps(raw: RawTable, column: Column) -> RawColumn | None:
    """Return the cells of a column of the schema as its steps change them; None if it is absent."""
    found = raw.columns.get(column.source_name)
    if found is None:
        return None
    found = found.without(column.reading.missing)
    for applied in column.steps:
        if change := STEPS[applied.step].apply:
            found = change(found, column, applied.settings, raw)
    return found


def carry_out(said: Settings, columns: Columns, found: RawColumn, raw: RawTable) -> Columns:
    """Resolve a step for columns that are made of the same cells, and return what they become."""
    step = STEPS[said["step"]]
    made = (step.resolve(c, apply_steps(raw, c) or found, raw, said) for c in columns)
    return tuple(chain.from_iterable(made))


def offers(column: Column, found: RawColumn, name: str = "") -> tuple[Finding, ...]:
    """Propose the steps that may help a column, or one of them."""
    steps = (step for step in STEPS.values() if name in ("", step.name))
    made = (step.offer(column, found) for step in steps if step.offer)
    return tuple(offer for offer in made if offer is not None)


def _applied(column: Column, step: str, **settings: Any) -> Column:
    return replace(column, steps=(*column.steps, AppliedStep(step, settings)))


# --- missing and recode: texts that stand for nothing, or for others -----------------------------


def _resolve_recode(column: Column, found: RawColumn, raw: RawTable, said: Settings) -> Columns:
    return (_applied(column, "recode", values={str(k): str(v) for k, v in said["values"].items()}),)


def _recode(found: RawColumn, column: Column, settings: Settings, raw: RawTable) -> RawColumn:
    """Replace texts by others; "" stands for empty cells, and as a value for none."""
    values, written = settings["values"], found.as_texts()
    texts = written.respelled({text: to for text, to in values.items() if text})
    if not (filling := values.get("")):
        return texts
    names = dict.fromkeys((*texts.texts, filling))
    codes = np.where(written.missing, list(names).index(filling), texts.codes)
    return Texts.of(codes.astype(np.int32), names, declared=texts.declared)


# --- join: spellings that say the same -----------------------------------------------------------


def _resolve_join(column: Column, found: RawColumn, raw: RawTable, said: Settings) -> Columns:
    texts = found.as_texts()
    keys = dict(zip(texts.texts, join_keys(texts.texts), strict=True))
    meant = most_frequent(keys, dict(zip(texts.texts, texts.rows_of.tolist(), strict=True)))
    return (_applied(column, "join", meant={t: to for t, to in meant.items() if t != to}),)


def _join(found: RawColumn, column: Column, settings: Settings, raw: RawTable) -> RawColumn:
    """Replace texts by the category they were joined with."""
    return found.as_texts().respelled(settings["meant"])


def _offer_join(column: Column, found: RawColumn) -> Finding | None:
    """Report values that differ only in case and blanks, or in a final dot."""
    if not isinstance(found, Texts) or found.declared or column.step("join") is not None:
        return None
    variants: dict[str, list[str]] = {}
    for text in found.texts:
        variants.setdefault(folded(text).removesuffix("."), []).append(text)
    if len(variants) == found.n_distinct:
        return None
    name, most = column.source_name, max(variants.values(), key=len)
    sentence = f"Column {name!r} has values that differ only in case or blanks: "
    sentence += f"{listed([repr(text) for text in most[:4]])}."
    fix = Fix("Join them", "step", {"step": "join", "column": name}, name)
    return Finding(name, None, sentence, "warning", (fix,), "variants")


# --- group: the rare values are one --------------------------------------------------------------


def _resolve_group(column: Column, found: RawColumn, raw: RawTable, said: Settings) -> Columns:
    keep, texts = said.get("keep", MOST_KEPT), found.as_texts()
    if column.categories is None or column.n_values <= keep:
        return (column,)
    often = np.argsort(-texts.rows_of, kind="stable")[:keep].tolist()
    kept = {texts.texts[code] for code in often}
    rest = "other" if "other" not in kept else "(all others)"
    categories = (*(c for c in column.categories if c in kept), rest)
    return (_applied(replace(column, categories=categories), "group", rest=rest),)


# --- split: several answers in a cell ------------------------------------------------------------


def answers_in(text: str) -> tuple[str, ...]:
    """Take a cell apart into its answers, each once.

    >>> answers_in("Price, Quality; Service"), answers_in("['Price', 'Quality']"), answers_in("[]")
    (('Price', 'Quality', 'Service'), ('Price', 'Quality'), ())
    """
    text = text.strip()
    if len(text) > 1 and _BRACKETS.get(text[0]) == text[-1]:
        text = text[1:-1]
    parts = (part.strip().strip("'\"").strip() for part in _SEPARATORS.split(text))
    return tuple(dict.fromkeys(part for part in parts if part))


def _resolve_split(column: Column, found: RawColumn, raw: RawTable, said: Settings) -> Columns:
    """Make a column of each of the most frequent answers, in its most frequent spelling."""
    texts, rows, total = found.as_texts(), Counter[str](), Counter[str]()
    for text, n_rows in zip(texts.texts, texts.rows_of.tolist(), strict=True):
        rows.update(dict.fromkeys(answers_in(text), n_rows))
    for answer, spelled in most_frequent({answer: folded(answer) for answer in rows}, rows).items():
        total[spelled] += rows[answer]
    often = sorted(total, key=lambda answer: (-total[answer], folded(answer)))
    name, kept = column.source_name, natural_order(often[: said.get("keep", MOST_KEPT)])
    base = Column("", ("no", "yes"), name, None, column.reading, column.steps)
    made = [(replace(base, name=f"{name}: {answer}"), answer) for answer in kept]
    return tuple(_applied(each, "split", choice=answer) for each, answer in made)


def _split(found: RawColumn, column: Column, settings: Settings, raw: RawTable) -> RawColumn:
    """Say of every cell whether an answer is among those in it; an empty list holds none."""
    texts, wanted = found.as_texts(), folded(settings["choice"])
    chosen = [int(wanted in map(folded, answers_in(text))) for text in texts.texts]
    codes = np.array([*chosen, -1], dtype=np.int32)[texts.codes]
    return Texts.of(codes, ("no", "yes"), declared=True)


def _offer_split(column: Column, found: RawColumn) -> Finding | None:
    """Report cells of several answers: few, short, and most in more than one combination."""
    if not isinstance(found, Texts) or not 2 < found.n_distinct <= _MOST_TEXTS:
        return None
    if not any(map(_SEPARATORS.search, found.texts)):
        return None
    apart = [answers_in(text) for text in found.texts]
    several = np.array([len(answers) > 1 for answers in apart])
    n_texts = Counter(folded(answer) for answers in apart for answer in answers)
    few = 2 < len(n_texts) <= min(_MOST_ANSWERS, found.n_distinct)
    # Of "Jones, F." every cell has two parts: that is a name.
    if not few or len({len(answers) for answers in apart}) == 1:
        return None
    are_short = all(len(text) <= _LONGEST_ANSWER and not text[0].isdigit() for text in n_texts)
    share = found.rows_of[several].sum() / max(found.rows_of.sum(), 1)
    recurring = sum(n > 1 for n in n_texts.values()) >= _SHARE_OF_RECURRING * len(n_texts)
    if not (are_short and recurring and share >= _SHARE_OF_SEVERAL):
        return None
    name = column.source_name
    fix = Fix("One yes/no column per answer", "step", {"step": "split", "column": name}, name)
    sentence = f"Column {name!r} holds several answers in {share:.0%} of its cells."
    return Finding(name, None, sentence, "warning", (fix,), "several answers")


# --- age: years on a day, or days to another date ------------------------------------------------


def _days_in(raw: RawTable, name: str) -> tuple[FloatArray, ColumnReading] | None:
    """Read a column as dates: the day of each cell and how it is written; None if it has none."""
    found = raw.columns.get(name)
    if isinstance(found, Dates):
        return found.values, ColumnReading()
    read = find_reading(found, raw.decimal) if isinstance(found, Texts) else Found()
    if found is None or read.kind != "date" or read.reading is None:
        return None
    return read_cells(found, read.reading, is_date=True)[0], read.reading


def _resolve_age(column: Column, found: RawColumn, raw: RawTable, said: Settings) -> Columns:
    """Count years up to a date of the row, a day, or the newest of the table; or days to a date."""
    name, how = column.source_name, (column.reading, column.steps)
    to, on = str(said.get("to", "")), str(said.get("on", ""))
    other = to or ("" if _DAY.fullmatch(on) else on)
    dates = _days_in(raw, other)
    if other and dates is None:
        advice = did_you_mean(other, [name for name in raw.names if name != other])
        raise DataError(f"step='age': column={other!r} must be a column of dates. {advice}")
    reading = (dates[1] if dates else ColumnReading()).to_dict()
    if to:
        span = Column(f"{name} to {to} (days)", None, name, "span", *how)
        return (_applied(span, "age", to=to, reading=reading),)
    day = newest_day(dates[0]) if dates else day_of(on) if on else _newest_of(column, raw)
    called = f"{name} ({'age' if name_says(name, 'birth') else 'years'})"
    age = Column(called, None, name, "age", *how)
    return (_applied(age, "age", on=other, day=day, reading=reading),)


def _newest_of(column: Column, raw: RawTable) -> float:
    """Return the newest day of a table; today where no other column than births has dates."""
    name = column.source_name
    names = (other for other in raw.columns if other != name and not name_says(other, "birth"))
    others = (newest_day(found[0]) for other in names if (found := _days_in(raw, other)))
    newest = max(others, default=-math.inf)
    own, _ = read_cells(raw.columns[name], column.reading, is_date=True)
    return max(newest if math.isfinite(newest) else float(today()), newest_day(own))


def day_of(text: str) -> float:
    """Return the day of a date such as 2026-12-31, counted since 1970-01-01."""
    try:
        return float(np.datetime64(str(text), "D").astype(np.int64))
    except ValueError as error:
        rule = "must be a date such as 2026-12-31, or a column of dates"
        raise OptionError(f"step='age': on={text!r} {rule}.") from error


def newest_day(days: FloatArray) -> float:
    """Return the newest day that is not in the future; before all days where there is none."""
    return float(np.floor(days[days < today() + 1].max(initial=-np.inf)))


def _age(found: RawColumn, column: Column, settings: Settings, raw: RawTable) -> RawColumn:
    """Return ages on a date of the same row or on a stated day, or days to another date."""
    days, wrong = read_cells(found, column.reading, is_date=True, decimal=raw.decimal)
    raw.check_cells(found, wrong, column.source_name, "a date")
    reading = ColumnReading.from_dict(settings["reading"])
    other = raw.columns.get(str(settings.get("to") or settings.get("on") or ""))
    seen = np.full(len(days), np.nan)
    if other is not None:
        seen, _ = read_cells(other, reading, is_date=True, decimal=raw.decimal)
    if "to" in settings:
        return Numbers(np.round(seen - days, 3))  # times of day are told to about a minute
    return Numbers(ages_of(days, np.where(np.isnan(seen), settings["day"], seen)))


def _offer_age(column: Column, found: RawColumn) -> Finding | None:
    """Offer the age where birth dates are used as days."""
    name = column.source_name
    if column.date_part != "days" or not name_says(name, "birth"):
        return None
    sentence = f"Column {name!r} holds birth dates: it tells how old somebody is."
    age = Fix("Use the age in years", "step", {"step": "age", "column": name}, name)
    fixes = (age, Fix("Ignore this column", "role", "ignore", name))
    return Finding(name, None, sentence, fixes=fixes, kind="birth")


# --- cut and join outcomes: the classes of the target --------------------------------------------


def equal_frequency_cuts(values: FloatArray, n_bins: int) -> FloatArray:
    """Cut values into bins of about equal numbers of rows.

    Equal values stay together, so there can be fewer bins than asked for. A cut is the
    shortest number that separates its two neighbours.

    >>> equal_frequency_cuts(np.array([1.0, 2.0, 3.14, 4.0]), 2).tolist()
    [2.0]
    """
    ordered = np.sort(values[~np.isnan(values)])
    wanted = np.arange(1, n_bins) * len(ordered) / n_bins
    distinct, first = np.unique(ordered, return_index=True)
    starts = first[1:]
    if not len(starts):
        return np.empty(0)
    above = np.clip(np.searchsorted(starts, wanted), 0, len(starts) - 1)
    below = np.maximum(above - 1, 0)
    nearest = np.where(wanted - starts[below] < starts[above] - wanted, below, above)
    return np.array([shortest_between(distinct[n], distinct[n + 1]) for n in np.unique(nearest)])


def shortest_between(low: float, high: float) -> float:
    """Find the number with the fewest decimals in [low, high).

    >>> shortest_between(2.348336594911937, 2.3514)
    2.35
    """
    for decimals in range(-15, 16):
        scale = 10.0**-decimals
        candidate = round(math.ceil(low / scale) * scale, max(decimals, 0))
        if low <= candidate < high:
            return float(candidate) + 0.0
    return float(low)


def class_names(cuts: Sequence[float]) -> tuple[str, ...]:
    """Name the classes between cuts; a value equal to a cut lies below it.

    >>> class_names([2.0, 3.5])
    ('up to 2', 'over 2 to 3.5', 'over 3.5')
    """
    shown = [spell(float(cut)) for cut in cuts]
    middle = (f"over {low} to {high}" for low, high in pairwise(shown))
    return (f"up to {shown[0]}", *middle, f"over {shown[-1]}")


def _resolve_cut(column: Column, found: RawColumn, raw: RawTable, said: Settings) -> Columns:
    """Cut a numeric target into classes of about equal size, or at numbers."""
    at, classes = said.get("at"), said.get("classes", 2)
    wanted = [float(at)] if isinstance(at, int | float) else sorted(map(float, at or ()))
    if not (2 <= classes <= _MOST_CLASSES and all(map(math.isfinite, wanted))):
        rule = f"must be between 2 and {_MOST_CLASSES}, and at={at!r} finite"
        raise OptionError(f"step='cut': classes={classes!r} {rule}. It cuts a numeric target.")
    numbers, _ = read_cells(found, column.reading, decimal=raw.decimal)
    cuts = wanted or equal_frequency_cuts(numbers[np.isfinite(numbers)], classes).tolist()
    if not cuts:
        return (column,)
    return (_applied(replace(column, categories=class_names(cuts)), "cut", cuts=cuts),)


def _cut(found: RawColumn, column: Column, settings: Settings, raw: RawTable) -> RawColumn:
    """Name the class of every number; a text that names a class itself is that class."""
    names = list(column.categories or class_names(settings["cuts"]))
    numbers, _ = read_cells(found, column.reading, decimal=raw.decimal)
    codes = np.where(np.isnan(numbers), -1, np.searchsorted(settings["cuts"], numbers))
    if isinstance(found, Texts):
        written = np.array([*(names.index(t) if t in names else -1 for t in found.texts), -1])
        codes = np.maximum(codes, written[found.codes])
    return Texts.of(codes.astype(np.int32), names, declared=True)


def _resolve_outcomes(column: Column, found: RawColumn, raw: RawTable, said: Settings) -> Columns:
    """Make two outcomes: those that somebody wants to be one, and all others.

    An outcome that is the only other one keeps its name; then nothing says what a value is that
    training has not seen.
    """
    together, classes = [str(value) for value in said["values"]], column.categories or ()
    others = [value for value in classes if value not in together]
    unknown = next((value for value in together if value not in classes), None)
    if unknown is not None or not others:
        advice = "Join fewer." if unknown is None else did_you_mean(unknown, classes)
        rule = f"must have the outcomes {', '.join(map(repr, together))}, and another one"
        raise DataError(f"target={column.name!r} {rule}. {advice}")
    joined = " or ".join(together)
    is_one = len(others) == 1
    rest = others[0] if is_one else "other" if "other" not in together else "(all others)"
    meant = dict.fromkeys(together, joined) | dict.fromkeys(others, rest)
    changed = replace(column, categories=natural_order([joined, rest]))
    return (_applied(changed, "join outcomes", meant=meant, rest="" if is_one else rest),)


# --- convert: numbers of a table to score in another unit ----------------------------------------


def _convert(found: RawColumn, column: Column, settings: Settings, raw: RawTable) -> RawColumn:
    """Convert numbers as somebody says: "/10", "*1000", "C-F" or "F-C"."""
    how = str(settings["how"]).replace(" ", "").upper()
    numbers, _ = read_cells(found, column.reading, decimal=raw.decimal)
    if how in ("C-F", "F-C"):
        return Numbers(numbers * 1.8 + 32.0 if how == "C-F" else (numbers - 32.0) / 1.8)
    match = _CONVERSION.fullmatch(how)
    if match is None or float(match[2]) == 0:
        rule = "must be *NUMBER, /NUMBER, C-F or F-C. Say, for example, '/10'."
        raise OptionError(f"convert: {settings['column']}={settings['how']!r} {rule}")
    factor = float(match[2])
    return Numbers(numbers * factor if match[1] == "*" else numbers / factor)


def _resolve_convert(column: Column, found: RawColumn, raw: RawTable, said: Settings) -> Columns:
    rule = "must be of a table to score. Correct the table that is learnt from."
    raise OptionError(f"step='convert': column={column.name!r} {rule}")


_STEPS = (
    Step("recode", _resolve_recode, _recode, {"values": (dict,)}, needed=True, first=True),
    # A column begins with the texts that mean missing in it: see ``ReadOptions.missing_for``.
    Step("missing", lambda column, *_: (column,), None, {"texts": _LIST}, needed=True, first=True),
    Step("join", _resolve_join, _join, offer=_offer_join, first=True),
    Step("group", _resolve_group, None, {"keep": (int,)}),
    Step("split", _resolve_split, _split, {"keep": (int,)}, offer=_offer_split),
    Step("age", _resolve_age, _age, {"on": (str,), "to": (str,)}, offer=_offer_age),
    Step("cut", _resolve_cut, _cut, {"classes": (int,), "at": _AT}, of_target=True),
    Step("join outcomes", _resolve_outcomes, _join, {"values": _LIST}, True, of_target=True),
    Step("convert", _resolve_convert, _convert, {"how": (str,)}, needed=True),
)

STEPS: dict[str, Step] = {step.name: step for step in _STEPS}
"""All steps by name, in the order in which they are applied."""
