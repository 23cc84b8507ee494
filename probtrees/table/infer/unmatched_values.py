"""Columns of a new table of which a model knows no value, or not some: labels for codes, new words.

So it is with answers of which several stand in a cell: those that have no column are told.

Each gets a small table to match them by (*Score a file*), or the options to do so (``--recode``).
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from probtrees.errors import DataError
from probtrees.table.cells.choices import answers_among, is_list
from probtrees.table.cells.encode import CellProblems, encode_column
from probtrees.table.cells.raw_table import RawTable, Texts
from probtrees.table.cells.recode import guess_values, in_order
from probtrees.table.cells.same_words import folded
from probtrees.table.cells.spelled_numbers import spell
from probtrees.table.dataset import UNSEEN, Column, Schema
from probtrees.table.infer.text_habits import listed
from probtrees.table.infer.words_among_numbers import FEW_WORDS, few_words
from probtrees.table.table_report import Finding
from probtrees.types import FloatArray
from probtrees.words import quoted

_MOST_VALUES = 24
"""More values than this nobody matches by hand."""
_MOST_PARTLY = 8
"""More values than this that are unknown among known ones are those of new places or names."""
_FEWEST_ROWS, _LEAST_SHARE = 5, 0.02
"""An unknown value among known ones has so many rows, or this share of them."""
_LISTED = 4
NEVER_SEEN = "was never seen in training"
"""How what is told of an answer ends that a model does not know."""
_MOST_WRITTEN = 8
"""Options that a sentence writes out."""


@dataclass(frozen=True)
class UnmatchedColumn:
    """A column whose values, or some of them, are other ones than in training.

    Attributes
    ----------
    name : of the column in the user's table
    texts : its values that were not in training: grades in their order, or the most frequent first
    known : the values of training, as far as these are known
    guess : what texts stand for, where their words tell
    is_number : whether training had numbers, of which ``known`` may be a part
    rows : how many rows each of the texts has where other rows have known values; else nothing
    """

    name: str
    texts: tuple[str, ...]
    known: tuple[str, ...]
    guess: Mapping[str, str]
    is_number: bool
    rows: tuple[int, ...] = ()

    @property
    def sentence(self) -> str:
        """Say what differs."""
        had = _listed(self.known) or "numbers"
        if self.rows:
            counted = zip(self.texts, self.rows, strict=True)
            words = [f"{text!r} in {n:,} row{'s' * (n > 1)}" for text, n in counted]
            verb = "was" if len(words) == 1 else "were"
            return (
                f"{listed(words)} of column {self.name!r} {verb} never seen in training, where it "
                f"had {had}."
            )
        return (
            f"Column {self.name!r} has no value that was seen in training, where it had {had}; "
            f"here it has {_listed(self.texts)}."
        )

    @property
    def remedy(self) -> str:
        """Say which options match them; VALUE stands for what is not guessed."""
        flags = " ".join(
            f"--recode {shlex.quote(f'{self.name}={text}=' + self.guess.get(text, 'VALUE'))}"
            for text in self.texts[:_MOST_WRITTEN]
        )
        more = " ..." if len(self.texts) > _MOST_WRITTEN else ""
        if self.rows:
            return f"If one of these is meant, say which: {flags}."
        return f"Say which is which: {flags}{more}."


class UnmatchedValuesError(DataError):
    """Columns of numbers hold nothing but words, or a target no class that a model knows."""

    def __init__(self, columns: Sequence[UnmatchedColumn]) -> None:
        super().__init__(" ".join(f"{column.sentence} {column.remedy}" for column in columns))
        self.columns = tuple(columns)


def unmatched_columns(
    raw: RawTable, schema: Schema, edges: Mapping[str, FloatArray | None]
) -> tuple[UnmatchedColumn, ...]:
    """List the features of a schema whose values in a table are all unknown, and not too many.

    Parameters
    ----------
    edges : by column, between which numbers training lay
    """
    found = []
    for column in schema.features:
        written = _plain_texts(raw, column)
        if written is None:
            continue
        known = _known_values(column, edges.get(column.name))
        other = unmatched_values(
            column.source_name, written, known, is_number=not column.is_nominal
        )
        if other and _none_known(written, column):
            found.append(other)
    return tuple(found)


def partly_unmatched_columns(
    raw: RawTable, columns: Sequence[Column]
) -> tuple[UnmatchedColumn, ...]:
    """List those columns of a model of whose values in a table a few are unknown, and often."""
    fewest = min(_FEWEST_ROWS, _LEAST_SHARE * raw.n_rows)
    found = []
    for column in columns:
        written = _plain_texts(raw, column) if column.categories else None
        if written is None or _none_known(written, column):
            continue
        is_unseen = encode_column(written, column).take(slice(None)) == UNSEEN
        rows = np.bincount(written.codes[is_unseen], minlength=written.n_distinct)
        places = [n for n in np.argsort(-rows, kind="stable").tolist() if rows[n] >= max(1, fewest)]
        if 0 < len(places) <= _MOST_PARTLY:
            rows_of = {written.texts[place]: int(rows[place]) for place in places}
            texts, known = in_order(list(rows_of)), in_order(column.categories or ())
            found.append(
                UnmatchedColumn(
                    column.source_name,
                    texts,
                    known,
                    guess_values(texts, known),
                    is_number=False,
                    rows=tuple(rows_of[text] for text in texts),
                )
            )
    return tuple(found)


def _plain_texts(raw: RawTable, column: Column) -> Texts | None:
    """Return the texts of a feature, without those that are missing; None where it is no such."""
    written = raw.columns.get(column.source_name)
    is_plain = column.date_part is None and not (column.spelling.choice or column.spelling.within)
    if not is_plain or not isinstance(written, Texts):
        return None
    return written.without(column.spelling.missing)


def unmatched_values(
    name: str, written: Texts, known: Sequence[str], *, is_number: bool = False
) -> UnmatchedColumn | None:
    """Describe a column whose values a model does not know; None where they are too many."""
    places = np.argsort(-written.rows_of, kind="stable").tolist()
    texts = in_order([written.texts[place] for place in places if written.rows_of[place]])
    if not 0 < len(texts) <= _MOST_VALUES:
        return None
    return UnmatchedColumn(name, texts, in_order(known), guess_values(texts, known), is_number)


def refuse_words_for_numbers(
    raw: RawTable, columns: Sequence[UnmatchedColumn], unused: Collection[str]
) -> None:
    """Refuse a table whose words would have to be numbers, naming the way to match them.

    Columns that the model never asks for are taken as not recorded instead.
    """
    words = [column for column in columns if column.is_number]
    needed = [column for column in words if column.name not in unused]
    if needed:
        raise UnmatchedValuesError(needed)
    for column in words:
        raw.columns.pop(column.name)


def blank_few_words(raw: RawTable, schema: Schema) -> tuple[Finding, ...]:
    """Empty the few words that stand where a model knows numbers or dates, and say so."""
    findings = []
    for name, column in {c.source_name: c for c in schema.features}.items():
        written = None if column.is_nominal or column.spelling.within else raw.columns.get(name)
        words = few_words(written) if isinstance(written, Texts) else ()
        if not words or not isinstance(written, Texts):
            continue
        raw.columns[name] = written.without(words)
        shown = listed([*map(quoted, words[:_LISTED]), *(["..."] if len(words) > _LISTED else [])])
        option = f"--recode {shlex.quote(f'{name}={words[0]}=NUMBER')}"
        n_cells, are = int(written.rows_of.sum()), "is" if len(words) == 1 else "are"
        sentence = (
            f"{shown} in {written.rows_with(words):,} of {n_cells:,} cells of column {name!r} "
            f"{are} read as missing, since the model knows no words there."
        )
        remedy = f"If it stands for a number, say which: {option}."
        findings.append(Finding(name, FEW_WORDS, sentence, remedy, "warning", texts=words))
    return tuple(findings)


def read_answers(
    raw: RawTable, schema: Schema, unused: Collection[str]
) -> tuple[tuple[Finding, ...], CellProblems]:
    """Bring cells of several answers to the answers that a model has columns for.

    Returns
    -------
    which answers it has none for, and the same by row
    """
    findings, problems = [], CellProblems()
    for name, known in _answers_of(schema).items():
        written = raw.columns.get(name)
        if not isinstance(written, Texts) or name in unused:
            continue
        missing = next(c.spelling.missing for c in schema.features if c.source_name == name)
        written = written.without(missing)
        apart = {text: answers_among(text, known) for text in written.texts}
        empty = [text for text in apart if not apart[text] and not is_list(text)]
        raw.columns[name] = written.without(empty).respelled(
            {text: ", ".join(answers) for text, answers in apart.items() if answers}
        )
        others = {t: [a for a in answers if folded(a) not in known] for t, answers in apart.items()}
        rows: Counter[str] = Counter()
        for text, n_rows in zip(written.texts, written.rows_of.tolist(), strict=True):
            rows.update(dict.fromkeys(others[text], n_rows))
        if rows:
            findings.append(_unknown_answers(name, rows, tuple(known.values())))
        has_other = np.array([*(bool(others[text]) for text in written.texts), False])
        for row in np.flatnonzero(has_other[written.codes]).tolist():
            words = (f"{name}={answer!r} {NEVER_SEEN}" for answer in others[written.cell(row)])
            problems.setdefault(row, []).extend(words)
    return tuple(findings), problems


def _answers_of(schema: Schema) -> dict[str, dict[str, str]]:
    """List the answers that have columns of their own, by the column that they stand in."""
    found: dict[str, dict[str, str]] = {}
    for column in schema.features:
        if choice := column.spelling.choice:
            found.setdefault(column.source_name, {})[folded(choice)] = choice
    return found


def _unknown_answers(name: str, rows: Counter[str], known: Sequence[str]) -> Finding:
    shown = [f"{text!r} in {n:,} row{'s' * (n > 1)}" for text, n in rows.most_common(_LISTED)]
    shown += [f"{len(rows) - _LISTED} more"] * (len(rows) > _LISTED)
    return Finding(
        name,
        "unknown answers",
        f"The model has no column for some answers of {name!r}: {listed(shown)}; it has some for "
        f"{_listed(known)}. They count as none of these.",
        "Write the answers as in the table that the model was learnt from, if these are meant.",
        "warning",
    )


def _none_known(written: Texts, column: Column) -> bool:
    if not column.is_nominal:
        return bool(np.isnan(written.written(column.spelling).as_numbers().values).all())
    encoded = encode_column(written, column)
    values = encoded.take(slice(None))
    return bool((values[~np.isnan(values)] == UNSEEN).all())


def _known_values(column: Column, edges: FloatArray | None) -> tuple[str, ...]:
    """List the values of training; of whole numbers close together all between the ends."""
    if column.categories is not None:
        return column.categories
    if edges is None or len(edges) == 0:
        return ()
    low, high = float(edges[0]), float(edges[-1])
    if not (edges % 1).any() and high - low < _MOST_VALUES:
        return tuple(map(str, range(int(low), int(high) + 1)))
    return tuple(spell(float(edge)) for edge in edges)


def _listed(texts: Sequence[str]) -> str:
    shown = ", ".join(map(repr, texts[:_LISTED]))
    return f"{shown}, ..." if len(texts) > _LISTED else shown
