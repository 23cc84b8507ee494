"""What a column holds: numbers, dates, categories, names of the rows, or nothing that changes.

The reading of its cells and how often its values repeat decide; what is uncertain is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from probtrees.table.dataset import Column
from probtrees.table.findings import ColumnType, Finding, Fix, Question, Role, listed
from probtrees.table.infer.identify import (
    MIN_ROWS,
    aside_finding,
    counts_rows,
    identifier_finding,
    is_called_identifier,
    is_whole,
    keep_together,
    names_rows,
    person_finding,
)
from probtrees.table.number_text import number_of, spell
from probtrees.table.raw_table import ROW_NAMES, Dates, Numbers, RawColumn, Texts
from probtrees.table.readings.dates import DATE_CATEGORIES, DatePart
from probtrees.table.readings.find_reading import find_reading
from probtrees.table.readings.reading import PLAIN, ColumnReading, Found
from probtrees.table.readings.spellings import name_says
from probtrees.table.readings.words import folded, is_missing_word, natural_order, yes_or_no
from probtrees.types import FloatArray

MAX_CATEGORIES = 10_000
"""A feature with more values than this is left out unless somebody wants it."""

IDENTIFIER_SHARE = 0.5
"""Texts that differ in at least this share of the rows are taken for identifiers."""

_FEW, _MANY, _ROWS_PER_VALUE = 20, 100, 10
"""Where more than a hundred values have fewer rows each on average, as names do, the column is left
out: a branch for each would hold hardly any rows."""
_LONG_TEXT, _MANY_WORDS, _ROWS_PER_REMARK = 40, 6, 10
_MOST_CODES = 50
_NINES = [float("9" * length) for length in range(2, 9)]
_STAND_INS = frozenset({*_NINES, -1.0, -9.0, *(-nine for nine in _NINES), -88.0, -888.0, -77.0})
_BESIDE_THEM = frozenset(nine - less for nine in _NINES for less in (1, 2, 3))
_FAR = 10.0
_KINDS = {"numeric": "number", "date": "date", None: "number"}
_EMPTY, _CONSTANT = "has no value in any row", "has the same value in every row"
_MAY_BE_VALUES = frozenset(["x", "xx", "xxx", "empty", "blank", "leer", "/", "*", "#", "."])
"""What means missing among numbers, but is a value of a game or a box beside other words."""


@dataclass(frozen=True)
class ColumnPlan:
    """What a column of a table holds, and what becomes of it.

    Attributes
    ----------
    type : what it holds
    columns : the columns of a schema that it becomes if it is used
    findings : what to know about it
    aside : whether it is left out unless somebody says otherwise
    asks_order : whether nothing in its dates says if day or month come first
    name, role, label : its name, what it is for, and what its file says that it holds
    """

    type: ColumnType
    columns: tuple[Column, ...] = ()
    findings: tuple[Finding, ...] = ()
    aside: bool = False
    asks_order: bool = False
    name: str = ""
    role: Role = "feature"
    label: str = ""

    @property
    def reading(self) -> ColumnReading:
        """How its cells are written, also if it is not used."""
        return self.columns[0].reading if self.columns else PLAIN


def recognise(
    base: Column, found: RawColumn, decimal: str, forced: str = "", day_first: bool | None = None
) -> ColumnPlan:
    """Decide what a column holds, once its first steps are applied to its cells.

    Somebody may have set its type or reading, or what comes first in dates that do not say it.
    """
    name = base.source_name
    if name == ROW_NAMES and not forced:
        return _aside("identifier", aside_finding(name, "row names", "names the rows"))
    if forced in ("nominal", "boolean", "text", "identifier"):
        kind: ColumnType = forced  # type: ignore[assignment]
        is_aside = forced in ("text", "identifier")
        return ColumnPlan(kind, as_nominal(base, found.as_texts()), aside=is_aside)
    if isinstance(found, Dates):
        return ColumnPlan("date", _date(base, PLAIN, forced))
    if isinstance(found, Numbers) and forced in ("", "numeric"):
        measures = _measures if forced or found.declared else _amounts
        return measures(base, found.values)
    if isinstance(found, Texts) and not forced and (found.declared or found.boolean):
        kind = "boolean" if found.boolean else "nominal"
        return ColumnPlan(kind, as_nominal(base, found), _missing_words(name, found))
    return _read(base, found, decimal, forced, day_first)


def _aside(kind: ColumnType, finding: Finding) -> ColumnPlan:
    """Leave a column of texts out; its categories are looked for if somebody wants it."""
    return ColumnPlan(kind, (), (finding,), aside=True)


def _read_by(base: Column, reading: ColumnReading) -> Column:
    """Let a column be read by a reading; what means missing in it does so still."""
    missing = dict.fromkeys((*base.reading.missing, *reading.missing))
    return replace(base, reading=replace(reading, missing=tuple(missing)))


def _date(base: Column, reading: ColumnReading, forced: str = "") -> tuple[Column, ...]:
    """Make the column of the schema that a date becomes: days, or a part of the date."""
    part: DatePart = "month" if forced == "month" else "weekday" if forced == "weekday" else "days"
    name, source = f"{base.source_name} ({part})", base.source_name
    categories = DATE_CATEGORIES.get(part)
    made = replace(base, name=name, source=source, date_part=part, categories=categories)
    return (_read_by(made, reading),)


def as_nominal(base: Column, found: Texts) -> tuple[Column, ...]:
    """Make the column of the schema of texts, in their natural order unless the file has one."""
    texts = found.texts if found.declared else natural_order(found.texts)
    return (replace(base, categories=tuple(texts)),)


def _ends(values: FloatArray) -> tuple[float, float]:
    """Return the lowest and the highest number; NaN where there is none."""
    low, high = np.fmin.reduce(values, initial=np.nan), np.fmax.reduce(values, initial=np.nan)
    return float(low), float(high)


def two_values(values: FloatArray) -> tuple[float, ...]:
    """Return the two values of a column that has but two; nothing for others.

    >>> two_values(np.array([1.0, 3.0, np.nan, 3.0])), two_values(np.array([1.0, 2.0, 3.0]))
    ((1.0, 3.0), ())
    """
    for some in (values[:1000], values):  # most columns show a third value early
        low, high = _ends(some)
        if not ((some == low) | (some == high) | np.isnan(some)).all():
            return ()
    return (low, high) if low < high else ()


def _read(
    base: Column, found: RawColumn, decimal: str, forced: str, day_first: bool | None
) -> ColumnPlan:
    """Read texts by the first reading that fits them all, or as somebody says."""
    name, texts = base.source_name, found.as_texts()
    wanted = "date" if forced in ("month", "weekday") else forced
    if texts.n_distinct == 0:  # nothing says how a value of it would be written
        if not wanted:
            return _aside("constant", aside_finding(name, "constant", _EMPTY, question=None))
        nothing = _measures(base, np.full(len(texts.codes), np.nan))
        return ColumnPlan("date", _date(base, PLAIN)) if wanted == "date" else nothing
    mark = decimal if texts is found else "."
    read = find_reading(texts, mark, wanted)
    if read.ask == "order" and day_first is not None:
        read = find_reading(texts, mark, "day first" if day_first else "month first")
    asked = ask(name, texts, read)
    if forced and texts.rows_with(read.left_over):  # a declared value may stand in no row
        return _wrong_cell(asked[0], texts, read, forced)
    if read.kind is None or read.reading is None:
        recognised = _categories(base, texts)
        if read.ask in ("mark", "units", "missing") and recognised.aside:
            return replace(recognised, type="nominal", findings=asked)
    elif read.kind == "date":
        # Dates whose order nothing tells are not used before somebody says it.
        is_open = read.ask == "order"
        columns = _date(base, read.reading, forced)
        return ColumnPlan("date", columns, asked, is_open and not forced, asks_order=is_open)
    else:
        values = np.append(read.values, np.nan)[texts.codes]
        recognised = (_measures if forced else _amounts)(base, values, read.reading)
        if recognised.type == "nominal" and recognised.columns:
            recognised = replace(recognised, columns=as_nominal(base, texts))
    return replace(recognised, findings=(*asked, *recognised.findings))


def _wrong_cell(asked: Finding, texts: Texts, read: Found, forced: str) -> ColumnPlan:
    """Refuse the first cell that is not what somebody says that the column holds."""
    row = int(np.isin(texts.codes, list(map(texts.texts.index, read.left_over))).argmax())
    rule = f"must be a {_KINDS[read.kind]}, the type said of column {asked.column!r} ({forced!r})"
    sentence = f"{asked.column!r}={texts.cell(row)!r} in row {row + 1} {rule}."
    finding = replace(asked, sentence=sentence, severity="error", kind="wrong cell")
    return ColumnPlan(read.kind or "numeric", (), (finding,))


def ask(name: str, found: Texts, read: Found) -> tuple[Finding, ...]:
    """Tell how a column is read where that is not plain, and ask what a reading leaves open."""
    question: Question | None = None
    fixes: tuple[Fix, ...] = (as_categories(name),)
    if read.left_over:
        question = "missing"
        cells = f"{found.rows_with(read.left_over):,} of {int(found.rows_of.sum()):,} cells"
        done = "is read as missing" if read.reading else "keeps the column as text"
        cells += f" of column {name!r}"
        sentence = f"{_shown(read.left_over)} in {cells} is no {_KINDS[read.kind]} and {done}."
        fixes = (_treat_as_missing(name, read.left_over), *fixes)
    elif read.ask == "order" and read.reading is not None:
        question, orders = "order", ("day", "month") if read.reading.day_first else ("month", "day")
        sentence = f"Nothing in column {name!r} says whether the day or the month comes first."
        fixes = tuple(Fix(f"The {it} comes first", "date_order", it) for it in orders)
    elif read.ask == "mark":
        question, pairs = "order", (("is the decimal mark", "comma"), ("groups thousands", "point"))
        sentence = f"Column {name!r} does not say what commas and points mean; it is kept as text."
        fixes = tuple(Fix(f"The comma {it}", "type", f"decimal {of}", name) for it, of in pairs)
    elif read.ask == "limit":
        done = "is read as 5" if read.reading else "keeps the column as text"
        question, sentence = "code", f"Column {name!r} holds limits: <5 {done}."
        fixes = (Fix("Read the numbers", "type", "limit", name), *fixes)
    elif read.ask == "units":
        question, sentence = "code", f"Column {name!r} holds numbers in several units."
    elif read.sentence and read.kind is not None:
        sentence = f"Column {name!r}: {read.sentence}."
        return (Finding(name, None, sentence, fixes=fixes, kind="read as"),)
    else:
        return ()
    return (Finding(name, question, sentence, "warning", fixes, question),)


def as_categories(name: str) -> Fix:
    """Offer to keep the cells of a column as they are written."""
    return Fix("Keep it as categories", "type", "nominal", name)


def _treat_as_missing(name: str, texts: Sequence[str]) -> Fix:
    step = {"step": "missing", "column": name, "texts": list(texts)}
    return Fix(f"Treat {_shown(texts)} as missing", "step", step, name)


def _shown(texts: Sequence[str]) -> str:
    short = [text if len(text) <= 30 else text[:27] + "..." for text in texts[:3]]
    return listed([*map(repr, short), *([f"{len(texts) - 3} more"] if len(texts) > 3 else [])])


def _missing(name: str, texts: Sequence[str], n_rows: int, what: str) -> Finding:
    """Ask whether some values mean that there is none."""
    sentence = f"Column {name!r} holds {_shown(texts)} in {n_rows:,} rows, unlike its other {what}."
    fixes = (_treat_as_missing(name, texts),)
    return Finding(name, "missing", sentence, "warning", fixes, "missing")


def _missing_words(name: str, found: Texts) -> tuple[Finding, ...]:
    """Ask of categories such as "unknown" or "-" whether they mean missing; none may be a value."""
    texts = found.texts if found.n_distinct <= MAX_CATEGORIES else ()
    words = [t for t in texts if is_missing_word(t) and folded(t) not in _MAY_BE_VALUES]
    if not words or len(words) > found.n_distinct - 2:
        return ()
    return (_missing(name, words, found.rows_with(words), "values"),)


def _amounts(base: Column, values: FloatArray, reading: ColumnReading = PLAIN) -> ColumnPlan:
    """Decide whether numbers measure, name the rows, mark some of them, or never change."""
    name, (lowest, highest) = base.source_name, _ends(values)
    if not lowest < highest:  # a number that never changes is a mark if it is not in all rows
        if np.isnan(values).any() and lowest == highest:
            return ColumnPlan("nominal", as_nominal(base, Numbers(values).as_texts()))
        what = _CONSTANT if lowest == highest else _EMPTY
        return _aside("constant", aside_finding(name, "constant", what, question=None))
    measures = _measures(base, values, reading)
    if np.isfinite(lowest) and names_rows(name, values, lowest, highest):
        known = values[~np.isnan(values)]
        finding = identifier_finding(name, len(np.unique(known)), len(known))
        return replace(measures, type="identifier", findings=(finding,), aside=True)
    if name_says(name, "zip") and lowest >= 0 and is_whole(values):
        recognised = _categories(base, Numbers(values).as_texts())
        sentence = f"Column {name!r} holds postcodes, which are codes and no amounts."
        fixes = (Fix("Read as numbers", "type", "numeric", name),)
        note = Finding(name, None, sentence, fixes=fixes, kind="code")
        return replace(recognised, findings=(note, *recognised.findings))
    asked = _code_question(name, values)
    if counts_rows(values, lowest, highest):
        ignore = Fix("Ignore this column", "role", "ignore", name)
        sentence = f"Column {name!r} counts the rows."
        asked = (Finding(name, "aside", sentence, "warning", (ignore,), "counter"),)
    return replace(measures, findings=(*asked, *measures.findings))


def _measures(base: Column, values: FloatArray, reading: ColumnReading = PLAIN) -> ColumnPlan:
    """Take numbers for measures, of which two are kept; ask about odd ones among them."""
    column = replace(_read_by(base, reading), two_values=two_values(values))
    return ColumnPlan("numeric", (column,), _stand_ins(base, values))


def _code_question(name: str, values: FloatArray) -> tuple[Finding, ...]:
    """Ask whether a few whole numbers under a name such as code or type are codes."""
    is_called = name_says(name, "code") and not name_says(name, "measure")
    distinct = np.unique(values[~np.isnan(values)]) if is_called else values[:0]
    if not 2 < len(distinct) <= _MOST_CODES or not is_whole(distinct):
        return ()
    sentence = f"Column {name!r} holds {len(distinct)} different whole numbers and is read as a "
    fixes = (as_categories(name), Fix("Read as numbers", "type", "numeric", name))
    return (Finding(name, "code", f"{sentence}number. Are they codes?", "warning", fixes, "code"),)


def _stand_ins(base: Column, values: FloatArray) -> tuple[Finding, ...]:
    """Ask about numbers that stand for none: by their labels, or far from the others as 999 is."""
    name = base.source_name
    if labelled := [code for code, label in base.value_labels if is_missing_word(label)]:
        if n_rows := int(np.isin(values, [number_of(code) or 0.0 for code in labelled]).sum()):
            return (_missing(name, labelled, n_rows, "numbers"),)
        sentence = f"Cells of {name!r} with {_shown(labelled)} are read as missing, as labels say."
        return (Finding(name, None, sentence, kind="read as"),) if np.isnan(values).any() else ()
    lowest, highest = _ends(values)
    if not {lowest, highest} & _STAND_INS:
        return ()
    may_be = np.isin(values, list(_STAND_INS | _BESIDE_THEM))
    if not len(rest := values[~may_be & ~np.isnan(values)]):
        return ()
    # Far from the others only: 77 and 96 to 99 may be measures beside 777 and 999.
    is_far = (values < 0) | (values > 2 * rest.max())
    if rest.min() < 0:
        is_far = np.abs(values) >= _FAR * np.abs(rest).max()
    own, n_known = np.unique(values[may_be & is_far]), (~np.isnan(values)).sum()
    is_one = np.isin(values, own)
    are_signs = own.tolist() == [-1.0] and set(np.unique(rest).tolist()) <= {0.0, 1.0}
    if is_one.sum() < 2 or n_known < 1.5 * is_one.sum() or are_signs:
        return ()
    return (_missing(name, list(map(spell, own.tolist())), int(is_one.sum()), "numbers"),)


def _categories(base: Column, found: Texts) -> ColumnPlan:
    """Distinguish categories from identifiers and free text by how often values repeat."""
    name, n_distinct, n_known = base.source_name, found.n_distinct, int(found.rows_of.sum())
    hardly_repeat = n_distinct > _FEW and n_distinct >= IDENTIFIER_SHARE * n_known
    all_differ = hardly_repeat or n_distinct == n_known >= MIN_ROWS
    many_each = n_distinct > _MANY and n_known < _ROWS_PER_VALUE * n_distinct
    if n_distinct == 1 and n_known == len(found.codes):
        return _aside("constant", aside_finding(name, "constant", _CONSTANT, question=None))
    if person := person_finding(name, found):
        return _aside("identifier" if all_differ else "nominal", person)
    if _is_free_text(found, n_known, all_differ=all_differ):
        words = f"looks like free text ({_shown(found.texts[:1])})"
        return _aside("text", aside_finding(name, "text", words, as_categories(name)))
    if all_differ or (is_called_identifier(name) and n_distinct > _FEW):
        return _aside("identifier", identifier_finding(name, n_distinct, n_known))
    if n_distinct > MAX_CATEGORIES or many_each:
        return _aside("nominal", _many_values(name, found))
    is_boolean = n_distinct == 2 and {yes_or_no(text) for text in found.texts} == {"yes", "no"}
    findings = () if is_boolean else _missing_words(name, found)
    findings += (_many_values(name, found, used=True),) if n_distinct > _MANY else ()
    return ColumnPlan("boolean" if is_boolean else "nominal", as_nominal(base, found), findings)


def _is_free_text(found: Texts, n_known: int, *, all_differ: bool) -> bool:
    """Whether texts are sentences that hardly repeat."""
    some = found.distinct.slice(0, 1000).to_pylist()
    n_words = 1.0 + sum(text.count(" ") for text in some) / len(some)
    is_prose = sum(map(len, some)) >= _LONG_TEXT * len(some) or n_words >= _MANY_WORDS
    return is_prose and (all_differ or found.n_distinct > max(_FEW, n_known / _ROWS_PER_REMARK))


def _many_values(name: str, found: Texts, *, used: bool = False) -> Finding:
    """Report that a column has very many values, and offer to group them."""
    group = Fix("Group the rare ones", "step", {"step": "group", "column": name}, name)
    words = f"has {found.n_distinct:,} different values in {int(found.rows_of.sum()):,} rows"
    if not used:
        return aside_finding(name, "many values", words, keep_together(name), group)
    sentence = f"Column {name!r} {words}; a split on it makes as many branches."
    fixes = (group, Fix("Ignore this column", "role", "ignore", name), as_categories(name))
    return Finding(name, "aside", sentence, "warning", fixes, "many values")
