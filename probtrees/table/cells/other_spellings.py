"""Cells of a new table that are written in another way than those a model was learnt from.

A model knows a column as its training table wrote it. The next table comes from another program:
"£37.79" where there were plain numbers, "Desktop" beside "desktop", "Y" for "yes", the month
before the day. Cells that can be read without doubt are respelled as in training, and a sentence
says so. What is in doubt stays as it is, and odd.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from probtrees.table.cells.dates import spell_dates
from probtrees.table.cells.groups_of_numbers import same_groups
from probtrees.table.cells.numbers_within import read_within
from probtrees.table.cells.raw_table import Numbers, RawColumn, RawTable, Texts
from probtrees.table.cells.same_words import folded, with_two_letters, without_accents, yes_or_no
from probtrees.table.cells.special_numbers.coordinates import DEGREES
from probtrees.table.cells.special_numbers.durations import is_unit_of_time
from probtrees.table.cells.special_numbers.points import most_points
from probtrees.table.cells.special_numbers.years_and_months import years_of
from probtrees.table.cells.spelled_numbers import (
    ANY_UNIT,
    CLOCK,
    spell,
    units_around,
    without_money,
)
from probtrees.table.cells.unit_names import (
    conversion,
    same_unit,
    shown_unit,
    unit_in_brackets,
)
from probtrees.table.cells.value_labels import (
    ValueLabels,
    codes_among,
    codes_of_labels,
    labels_of_codes,
)
from probtrees.table.dataset import Column, Schema
from probtrees.table.table_report import Finding
from probtrees.types import FloatArray

_MARKS = frozenset("x✓✔☑☒*+•")
_LIMITS = frozenset("<>≤≥")
_LISTED = 3
"""Values that a sentence names."""


def known_spellings(
    texts: Iterable[str], categories: Collection[str], empty: str = ""
) -> dict[str, str]:
    """Return the category that each text is another spelling of, where only one can be meant.

    Case, spaces and currencies do not count; nor does how yes and no are said, among categories
    that are these, or a mark and the category that ``empty`` cells are; nor, in words of several
    letters, whether these have accents or are written as two; nor in which words a group of numbers
    is told ("55+", "55 ans et plus").

    >>> known_spellings(["selbstaendig", "Etage"], ["selbständig", "étage"])
    {'selbstaendig': 'selbständig', 'Etage': 'étage'}
    >>> known_spellings(["Desktop", "TV", "£4.99"], ["desktop", "mobile", "4.99"])
    {'Desktop': 'desktop', '£4.99': '4.99'}
    >>> known_spellings(["Y", "0"], ["ja", "nein"]), known_spellings(["yes"], ["N", "S"])
    ({'Y': 'ja', '0': 'nein'}, {})
    >>> known_spellings(["yes", "no"], ["not x", "x"], empty="not x")
    {'yes': 'x', 'no': 'not x'}
    """
    by_case: dict[str, list[str]] = {}
    by_meaning: dict[str, list[str]] = {}
    by_letters: dict[str, set[str]] = {}
    for category in categories:
        for letters in _plain_letters(category):
            by_letters.setdefault(letters, set()).add(category)
        by_case.setdefault(folded(category), []).append(category)
        # Beside other values "N" may be north and "1" a number.
        if len(folded(category)) > 1 or len(categories) == 2:
            by_meaning.setdefault(yes_or_no(category), []).append(category)
    if _is_mark(categories, empty):
        by_meaning = {"yes": list(categories)}
    elif empty and len(categories) == 2:
        by_meaning = {"no": [empty], "yes": [c for c in categories if c != empty]}
    elif not by_meaning.keys() >= {"yes", "no"}:
        by_meaning = {}
    texts = list(texts)
    found = same_groups(texts, categories)
    for text in texts:
        meant = by_case.get(folded(text)) or by_case.get(without_money(text.strip()))
        meant = meant or by_meaning.get(yes_or_no(text) or "?", [])
        if not meant:
            near = (by_letters.get(letters, set()) for letters in _plain_letters(text))
            meant = sorted(set[str]().union(*near))
        if len(meant) == 1:
            found[text] = meant[0]
    return found


def _plain_letters(text: str) -> set[str]:
    """Return a word without letters beyond ASCII, in both ways; a letter alone is no word."""
    word = folded(text)
    return {without_accents(word), with_two_letters(word)} if len(word) > 2 else set()


def meaning_no_mark(
    texts: Iterable[str], categories: Collection[str], empty: str = ""
) -> list[str]:
    """Return words for no where training had a mark or nothing: they are as nothing there.

    >>> meaning_no_mark(["yes", "No"], ["x"]), meaning_no_mark(["No"], ["red"])
    (['No'], [])
    """
    if not _is_mark(categories, empty):
        return []
    return [text for text in texts if yes_or_no(text) == "no"]


def _is_mark(categories: Collection[str], empty: str) -> bool:
    """Whether a column had one mark, and nobody said what its empty cells are."""
    marks = [c for c in categories if folded(c) in _MARKS or yes_or_no(c) == "yes"]
    return len(marks) == len(categories) == 1 and not empty


PERHAPS_SHARES = "They are read as percent; if they are shares of 1, say so"


def perhaps_shares(schema: Schema, notes: Sequence[str]) -> tuple[str, ...]:
    """Name the columns of which a note says that their numbers may be shares of 1."""
    asked = [note for note in notes if PERHAPS_SHARES in note]
    names = dict.fromkeys(column.source_name for column in schema.columns)
    return tuple(n for n in names if any(note.startswith(_column_words(n)) for note in asked))


def _column_words(name: str) -> str:
    """Begin a sentence about a column."""
    return f"Column {name!r}: "


def read_as_trained(
    raw: RawTable, schema: Schema, edges: Mapping[str, FloatArray | None]
) -> tuple[Finding, ...]:
    """Respell the cells of a table as the model knows them, and say which were.

    Parameters
    ----------
    edges : by column, between which numbers training lay; see
        :class:`~probtrees.table.column_profile.ColumnProfile`
    """
    findings = []
    done = set()
    for column in schema.columns:
        name = column.source_name
        found = raw.columns.get(name)
        if found is None or name in done:
            continue
        done.add(name)
        read, sentence = _by_codes(found, column, raw.value_labels.get(name, ()))
        if not sentence:
            read, sentence = _as_written_in_training(found, column, edges.get(column.name))
        raw.columns[name] = read
        if sentence:
            findings.append(Finding(name, "spelt otherwise", _column_words(name) + sentence))
    return tuple(findings)


def _as_written_in_training(
    found: RawColumn, column: Column, edges: FloatArray | None
) -> tuple[RawColumn, str]:
    """Respell one column, and say what was respelled."""
    if column.is_nominal and column.date_part is None:
        return found, _categories_sentence(found, column)
    if isinstance(found, Texts) and not found.boolean:
        return _respelled(found, column, edges)
    return _as_percent(found, column, edges) if isinstance(found, Numbers) else (found, "")


def _categories_sentence(found: RawColumn, column: Column) -> str:
    """Say which cells are categories in another spelling; encoding finds them by itself."""
    if column.spelling.choice:
        return ""
    texts = found.as_texts()
    labels = labels_of_codes(texts.texts, column.codes, column.value_labels)
    said = [f"codes are read by the labels of training: {_listed(texts, labels)}"] if labels else []
    unknown = [t for t in texts.texts if t not in column.codes and t not in labels]
    meant = known_spellings(unknown, column.categories or (), column.spelling.empty)
    if column.spelling.joined:  # case and spaces are as somebody wants them; other words are said
        cases = set(map(folded, column.categories or ()))
        meant = {text: to for text, to in meant.items() if folded(text) not in cases}
    said.append(_listed(texts, meant))
    if unmarked := meaning_no_mark(unknown, column.categories or (), column.spelling.empty):
        n_rows = texts.rows_with(unmarked)
        cells = "1 cell is" if n_rows == 1 else f"{n_rows:,} cells are"
        said.append(f"{cells} read as empty, as training has it, written {unmarked[0]!r}.")
    return " ".join(filter(None, said))


def _by_codes(found: RawColumn, column: Column, labels: ValueLabels) -> tuple[RawColumn, str]:
    """Read labels of the file by their codes, where the model knows the codes alone.

    Numbers of training that had labels, be it only at the ends of a scale, are known by these too.
    """
    is_plain = column.date_part is None and not column.spelling.choice
    if not is_plain or not isinstance(found, Texts) or not (labels or column.value_labels):
        return found, ""
    codes = codes_of_labels([t for t in found.texts if t not in column.codes], labels)
    if column.is_nominal:
        codes = codes if all(code in column.codes for code in codes.values()) else {}
    else:
        codes = codes or codes_among(found.texts, column.value_labels)
    if not codes:
        return found, ""
    words = f"labels are read by their codes, which the model knows: {_listed(found, codes)}"
    return replace(found.respelled(codes), declared=False), words


def _listed(found: Texts, meant: Mapping[str, str]) -> str:
    """Say how many cells were read as what; nothing where there are none."""
    rows = _rows_of(found)
    often = sorted(((text, (to, rows[text])) for text, to in meant.items()), key=_rareness)
    often = [(text, (to, n)) for text, (to, n) in often if n]
    parts: list[str] = []
    for text, (to, n) in often[:_LISTED]:
        cells = "" if parts else f"{'cell' if n == 1 else 'cells'} read "
        parts.append(f"{n:,} {cells}as {to!r}, written {text!r}")
    rest = sum(n for _, (_, n) in often[_LISTED:])
    parts += [f"{rest:,} more like these"] if rest else []
    return "; ".join(parts) + "." if parts else ""


def _rows_of(found: Texts) -> dict[str, int]:
    """Return how many rows every text has: there may be many texts, so all are counted at once."""
    return dict(zip(found.texts, found.rows_of.tolist(), strict=True))


def _rareness(entry: tuple[str, tuple[str, int]]) -> int:
    return -entry[1][1]


def _respelled(found: Texts, column: Column, edges: FloatArray | None) -> tuple[RawColumn, str]:
    """Respell the texts that are no number or date as in training but are one otherwise."""
    if column.date_part is not None:
        return _dates_in_other_order(found, column)
    written = found.written(column.spelling)
    unread = _unread(written, written.numbers.values)
    if not unread:
        return found, _converted(found, column)
    if limits := [text for text in unread if text in found.limits and text[:1] in _LIMITS]:
        meant = {text: found.number_named(text) for text in limits}
        n_rows, first = found.rows_with(limits), limits[0]
        cells = "1 cell names a limit" if n_rows == 1 else f"{n_rows:,} cells name limits"
        sentence = f"{cells}, unlike in training: {first!r} is read as {meant[first]}."
        respelled, more = _respelled(found.respelled(meant), column, edges)
        return respelled, f"{sentence} {more}".rstrip()
    words = _yes_and_no_as_numbers(unread, edges)
    if words:
        return found.respelled(words), _listed(found, words)
    respelled, sentence = _durations(found, unread, column)
    if not sentence:
        respelled, sentence = _with_other_unit(found, written, column, edges)
    return respelled, sentence or _converted(found, column)


def _durations(found: Texts, unread: list[str], column: Column) -> tuple[RawColumn, str]:
    """Read durations in the unit of time that the name of a column of plain numbers says."""
    named = "" if column.spelling.unit else unit_in_brackets(column.source_name)
    if not named or not is_unit_of_time(named):
        return found, ""
    read = replace(found, known=replace(column.spelling, unit=named))
    values = dict(zip(read.texts, read.numbers.values.tolist(), strict=True))
    comma = "," in (column.spelling.decimal, found.decimal)
    meant = {
        text: spelled_back(float(f"{values[text]:.12g}"), comma=comma)
        for text in unread
        if not np.isnan(values[text])
    }
    if not meant:
        return found, ""
    n_rows = found.rows_with(meant)
    cells = "1 cell is" if n_rows == 1 else f"{n_rows:,} cells are"
    first, number = next(iter(meant.items()))
    sentence = f"{cells} written unlike in training: {first!r} is read as {number} {named}."
    return found.respelled(meant), sentence


def _converted(found: Texts, column: Column) -> str:
    """Say which cells have another unit than training, and what they are converted to."""
    trained = column.spelling
    if trained.unit in ("", ANY_UNIT, CLOCK, DEGREES) or most_points(trained.unit):
        return ""
    as_written = replace(trained, unit=ANY_UNIT)
    if trained.within:
        texts = found.texts
        pairs = zip(read_within(texts, trained), read_within(texts, as_written), strict=True)
        differ = [
            (text, now)
            for text, (now, before) in zip(texts, pairs, strict=True)
            if now is not None and now != before
        ]
    else:
        written = found.written(trained)
        texts = written.texts
        now = written.numbers.values
        before = replace(written, known=as_written).numbers.values
        places = np.flatnonzero(~np.isnan(now) & (now != before)).tolist()
        places = [place for place in places if years_of(texts[place]) is None]
        differ = [(texts[place], spell(float(now[place]))) for place in places]
    if not differ:
        return ""
    n_rows = found.rows_with([text for text, _ in differ])
    cells = "1 cell is" if n_rows == 1 else f"{n_rows:,} cells are"
    text, number = differ[0]
    return (
        f"{cells} in another unit than {shown_unit(trained.unit) or trained.unit!r} and converted "
        f"to it: {text!r} is read as {number}."
    )


def _unread(found: Texts, values: FloatArray) -> list[str]:
    return [found.texts[code] for code in np.flatnonzero(np.isnan(values)).tolist()]


def _yes_and_no_as_numbers(unread: list[str], edges: FloatArray | None) -> dict[str, str]:
    """Let yes and no be 1 and 0 where training had nothing but these."""
    if edges is None or not np.isin(edges, (0, 1)).all():
        return {}
    meant = {text: yes_or_no(text) for text in unread}
    return {text: "1" if word == "yes" else "0" for text, word in meant.items() if word}


def _with_other_unit(
    found: Texts, written: Texts, column: Column, edges: FloatArray | None
) -> tuple[RawColumn, str]:
    """Read numbers whose unit training lacked, or wrote in another way (EUR for €)."""
    trained = column.spelling.unit
    other = replace(written, known=replace(column.spelling, unit=ANY_UNIT))
    values = dict(zip(other.texts, other.numbers.values.tolist(), strict=True))
    unread = _unread(written, written.numbers.values)
    readable = [text for text in unread if not np.isnan(values[text])]
    units = units_around(readable, other.numbers.spelling.decimal)
    unit = next(iter(units.values()), "")
    if not readable or trained in (CLOCK, ANY_UNIT):
        return found, ""
    if not all(same_unit(unit, one) for one in units.values()):
        return found, ""
    factor = 1.0
    if trained and not same_unit(trained, unit):
        return found, ""
    named = "" if trained else unit_in_brackets(column.source_name)
    if named and not same_unit(named, unit):
        known = conversion(unit, named)
        if known is None or known.shift:
            return found, ""  # 17 mg/dl is no 17 where the name says mmol/l
        factor, trained = known.factor, named
    elif unit == "%" and not trained:
        if edges is None:
            return found, ""
        factor = 0.01 if np.abs(edges).max() <= 1 else 1.0
    comma = "," in (column.spelling.decimal, found.decimal)
    meant = {
        text: spelled_back(float(f"{values[text] * factor:.12g}"), comma=comma) for text in readable
    }
    first = readable[0]
    rows = _rows_of(found)
    n_rows = sum(rows[text] for text in readable)
    cells = "1 cell is" if n_rows == 1 else f"{n_rows:,} cells are"
    respelled = found.respelled(meant)
    number = _number_used(respelled, meant[first], column)
    is_scaled = not np.isclose(number, values[first] * factor)
    scaled = ", in the scale of training" if is_scaled else ""
    sentence = (
        f"{cells} written with {unit!r}, unlike in training: {first!r} is read as "
        f"{spell(float(f'{number:.12g}'))}{f' {trained}' if trained else ''}{scaled}."
    )
    return respelled, sentence


def _number_used(found: Texts, text: str, column: Column) -> float:
    """Return the number that a model sees for a text, where two scales are brought to one too."""
    code = np.array([found.texts.index(text)], dtype=np.int32)
    one = replace(found, codes=code).written(column.spelling)
    return float(one.as_numbers().values[0])


def spelled_back(number: float, *, comma: bool) -> str:
    """Write a number such that it is read back by a column with or without decimal commas."""
    text = spell(float(f"{number:.15g}"))
    return text.replace(".", ",") if comma else text


def _dates_in_other_order(found: Texts, column: Column) -> tuple[RawColumn, str]:
    """Take the order of day and month from the table where training's cannot be its own."""
    written = found.written(column.spelling)
    trained = written.as_dates(column.day_first)
    if column.day_first is None or not (trained.missing & ~written.missing).any():
        return found, ""
    other = written.as_dates(not column.day_first)
    known = ~np.isnan(other.distinct)
    if (
        not (known | np.isnan(trained.distinct)).all()
        or other.missing.sum() >= trained.missing.sum()
    ):
        return found, ""
    spelled = spell_dates(other.distinct[known])
    places = np.flatnonzero(known).tolist()
    meant = {written.texts[place]: text for place, text in zip(places, spelled, strict=True)}
    changed = [p for p in places if other.distinct[p] != trained.distinct[p]]
    first = next(p for p in changed if np.isnan(trained.distinct[p]))
    order = "month" if column.day_first else "day"
    sentence = (
        f"dates are read with the {order} first, unlike in training: {written.texts[first]!r} is "
        f"{meant[written.texts[first]]}."
    )
    return found.respelled(meant), sentence


def _as_percent(found: Numbers, column: Column, edges: FloatArray | None) -> tuple[RawColumn, str]:
    """Read shares of 1 as percent where training was percent and cannot have meant such numbers."""
    if column.spelling.unit != "%" or column.spelling.small or not _may_be_shares(found):
        return found, ""
    least, most = (spell(float(end(found.values[~found.missing]))) for end in (np.min, np.max))
    about = "training wrote percent signs; here there are none, and numbers"
    between = f"{about} from {least} to {most}"
    if edges is None or ((edges != 0) & (np.abs(edges) <= 1)).any():
        return found, (f"{between}. {PERHAPS_SHARES} (--one-scale).")
    values = np.array([float(f"{100 * value:.12g}") for value in found.values.tolist()])
    return replace(found, values=values), (
        f"{between}. They are read as shares of 1: {most} is {spell(float(np.nanmax(values)))} %."
    )


def _may_be_shares(found: Numbers) -> bool:
    known = found.values[~found.missing]
    return len(known) > 1 and bool((np.abs(known) <= 1).all() and (known % 1).any())
