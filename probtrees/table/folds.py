"""Which rows test, and which rows train: the folds of a cross-validation.

How rows are to be held out is said in a few characters: 10, 5x2, loo, holdout=0.3.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from probtrees.errors import DataError, OptionError
from probtrees.table.dataset import Dataset
from probtrees.table.formats.open_table import open_table
from probtrees.table.raw_table import Texts
from probtrees.table.read_options import ReadOptions
from probtrees.table.readings.words import natural_order
from probtrees.types import BoolArray, FloatArray, IntArray
from probtrees.words import plural

FORMS = "a number of folds (10), repeats x folds (5x2), loo, holdout or holdout=0.3"
"""What a plan may be written as."""

MOST_REPEATS = 1000
"""Beyond that a typing mistake is likelier than a wish."""

NEVER_TESTED = -1
"""The fold of a row that only ever trains."""

FOLD_COLUMNS = ("fold", "test_fold")
"""The names under which a file of folds may keep them."""

_USUAL_SHARE = 1 / 3
_CUT = re.compile(r"(?:test_)?fold[ _]?(\d{1,4})").fullmatch
"""The names of several cuts in one file, which are numbered."""


@dataclass(frozen=True)
class Folds:
    """One way to cut rows into test folds.

    Attributes
    ----------
    test_fold : int64[n_rows], the fold in which a row is tested, ``NEVER_TESTED`` if in none
    ordered : whether a fold trains only on the folds before it (the past)
    groups : rows of a group that is tested never train in the same fold; None: no groups
    """

    test_fold: IntArray
    ordered: bool = False
    groups: IntArray | None = None

    @property
    def n_folds(self) -> int:
        """Number of test folds."""
        return int(self.test_fold.max()) + 1

    def splits(self) -> Iterator[tuple[IntArray, IntArray]]:
        """Give the training rows and the test rows of every fold, in row order."""
        for fold in range(self.n_folds):
            trained, tested = self.split(fold)
            if not trained.any():
                raise DataError(f"fold={fold} must leave rows to train on. Use fewer folds.")
            yield np.flatnonzero(trained), np.flatnonzero(tested)

    def split(self, fold: int) -> tuple[BoolArray, BoolArray]:
        """Mark the training rows and the test rows of one fold."""
        tested = self.test_fold == fold
        trained = self.test_fold < fold if self.ordered else ~tested
        if self.groups is not None:
            trained &= ~np.isin(self.groups, self.groups[tested])
        return trained, tested


@dataclass(frozen=True)
class FoldPlan:
    """How often, and into how many parts, the rows of a table are cut.

    Attributes
    ----------
    kind : "folds" (k-fold cross-validation), "loo" (leave one out), "holdout" (test once)
    n_folds : number of folds; 1 for a hold-out, 0 for leave-one-out: as many as rows
    n_repeats : how often the rows are cut again
    share : the share of rows that a hold-out tests
    """

    kind: Literal["folds", "loo", "holdout"] = "folds"
    n_folds: int = 10
    n_repeats: int = 1
    share: float = _USUAL_SHARE

    def __post_init__(self) -> None:
        if self.kind == "folds" and self.n_folds < 2:
            raise OptionError(f"cv={self.n_folds} must be at least 2. One leaves nothing to train.")
        if not 1 <= self.n_repeats <= MOST_REPEATS:
            raise OptionError(f"repeats={self.n_repeats} must be from 1 to {MOST_REPEATS:,}.")
        if not 0 < self.share < 1:
            raise OptionError(f"cv='holdout={self.share:g}' must be a share between 0 and 1.")

    @property
    def identity(self) -> list[int] | str:
        """What distinguishes results of this plan from those of another."""
        if self.kind == "folds":
            return [self.n_folds, self.n_repeats]
        return f"{self.kind} {self.share:g} x {self.n_repeats}"

    def cut(self, data: Dataset, seed: int = 0) -> list[Folds]:
        """Cut a table, once per repeat; groups and times are respected as its roles ask.

        A time column makes every fold train on the past only, otherwise every fold gets its share
        of each class. Repeats of one seed are different cuts; those by time are always the same.
        Rows of a group are held out together, so that leaving one out leaves a group out, and
        so are copies that are one observation. A hold-out of a table with times tests the
        latest rows.
        """
        return [self.cut_once(data, seed, repeat) for repeat in range(self.n_repeats)]

    def cut_once(self, data: Dataset, seed: int = 0, repeat: int = 0) -> Folds:
        """Cut the rows that are no copies, and give every copy the fold of its row."""
        rows, number_of_row = data.distinct_rows()
        if self.kind == "folds" and rows.n_rows < self.n_folds <= data.n_rows:
            rule = f"must be at most the {rows.n_rows} rows that are not copies of another"
            raise OptionError(f"cv={self.n_folds} {rule}. Use fewer folds, or repeats='apart'.")
        random = np.random.default_rng([seed, repeat])
        if self.kind == "holdout":
            cut = _hold_out(rows, self.share, random)
        else:
            cut = _leave_one_out(rows) if self.kind == "loo" else _deal(rows, self.n_folds, random)
        groups = None if rows.groups is None else rows.groups[number_of_row]
        return Folds(cut[number_of_row], self.kind == "folds" and rows.times is not None, groups)


def read_plan(text: str | int, repeats: int | None = None) -> FoldPlan:
    """Read how rows are to be held out, as in ``FORMS``, and how often where that is not said.

    >>> read_plan("5x2").n_repeats, read_plan("holdout=0.2").share
    (5, 0.2)
    """
    written, n_repeats = str(text).strip().lower(), 1 if repeats is None else repeats
    if match := re.fullmatch(r"(?:(\d{1,9})\s*x\s*)?(\d{1,9})", written):
        if match[1] and repeats is not None:
            raise OptionError(f"cv={text!r} must not come with repeats. It says how many itself.")
        return FoldPlan("folds", int(match[2]), int(match[1] or n_repeats))
    if written in ("loo", "leave-one-out"):
        if n_repeats != 1:
            raise OptionError(f"cv={text!r} must not be repeated. It is the same every time.")
        return FoldPlan("loo", 0)
    if match := re.fullmatch(r"hold-?out(?:\s*=\s*(\d*\.?\d+))?", written):
        return FoldPlan("holdout", 1, n_repeats, float(match[1] or _USUAL_SHARE))
    raise OptionError(f"cv={text!r} must be {FORMS}.")


def _deal(data: Dataset, n_folds: int, random: np.random.Generator) -> IntArray:
    """Cut rows of which none is a copy of another."""
    if n_folds > data.n_rows:
        raise OptionError(f"cv={n_folds} must be at most the {data.n_rows} rows. Use fewer folds.")
    if data.times is not None:
        return time_folds(data.times, n_folds)
    if data.groups is not None:
        return grouped_folds(data.labels, data.groups, n_folds, random)
    return stratified_folds(data.labels, n_folds, random)


def stratified_folds(labels: IntArray, n_folds: int, random: np.random.Generator) -> IntArray:
    """Deal the rows of each class, shuffled, to the folds in turn.

    Fold sizes differ by at most one, and so do the rows of a class in the folds.

    >>> stratified_folds(np.array([0, 0, 0, 0, 1, 1]), 2, np.random.default_rng(0)).sum()
    np.int64(3)
    """
    shuffled = random.permutation(len(labels))
    by_class = shuffled[np.argsort(labels[shuffled], kind="stable")]
    test_fold = np.empty(len(labels), dtype=np.int64)
    test_fold[by_class] = np.arange(len(labels)) % n_folds
    return test_fold


def grouped_folds(
    labels: IntArray, groups: IntArray, n_folds: int, random: np.random.Generator
) -> IntArray:
    """Put whole groups into folds so that sizes and class shares come out alike.

    The largest group is placed first, each where the squared class shares of the folds grow
    least; groups of one size are placed in random order.
    """
    names, group_of_row = np.unique(groups, return_inverse=True)
    if len(names) < n_folds:
        raise OptionError(f"cv={n_folds} must be at most the {len(names)} groups. Use fewer folds.")
    n_classes = int(labels.max()) + 1
    counts = np.zeros((len(names), n_classes))
    np.add.at(counts, (group_of_row, labels), 1.0)
    scale = 1.0 / np.maximum(counts.sum(axis=0), 1.0) ** 2
    filled = np.zeros((n_folds, n_classes))
    fold_of_group = np.empty(len(names), dtype=np.int64)
    shuffled = random.permutation(len(names))
    for group in shuffled[np.argsort(-counts[shuffled].sum(axis=1), kind="stable")]:
        growth = ((2.0 * filled + counts[group]) * counts[group] * scale).sum(axis=1)
        fold = int(np.lexsort((filled.sum(axis=1), growth))[0])
        fold_of_group[group] = fold
        filled[fold] += counts[group]
    return fold_of_group[group_of_row]


def time_folds(times: FloatArray, n_folds: int) -> IntArray:
    """Cut the rows by time into blocks; the first block only trains.

    Rows of one moment stay in one block, so that no row trains on its own time.
    """
    if np.isnan(times).any():
        row = int(np.flatnonzero(np.isnan(times))[0]) + 1
        raise DataError(f"time of row {row} must be known. Drop the row, or use another role.")
    moments, moment_of_row, rows_at = np.unique(times, return_inverse=True, return_counts=True)
    if len(moments) <= n_folds:
        raise OptionError(f"cv={n_folds} must be below the {len(moments)} different times.")
    starts = np.cumsum(rows_at) - rows_at
    block = starts * (n_folds + 1) // len(times)
    dense = np.unique(block, return_inverse=True)[1].astype(np.int64)
    if dense.max() == 0:
        raise DataError("times must fall into at least two blocks. Almost all rows share one time.")
    test_fold: IntArray = dense[moment_of_row] - 1
    return test_fold


def _leave_one_out(data: Dataset) -> IntArray:
    """Test every row, or every group, in a fold of its own."""
    if data.times is not None:
        raise OptionError("cv='loo' must not go with a time column. Use a number of folds.")
    alone = np.arange(data.n_rows) if data.groups is None else data.groups
    return np.unique(alone, return_inverse=True)[1].astype(np.int64)


def _hold_out(data: Dataset, share: float, random: np.random.Generator) -> IntArray:
    """Test a share of the rows once; the others only train."""
    if data.times is not None:
        tested = data.times > np.quantile(data.times, 1 - share, method="lower")
    elif data.groups is not None:  # groups are drawn until they hold the share of the rows
        names, sizes = np.unique(data.groups, return_counts=True)
        order = random.permutation(len(names))
        before = np.cumsum(sizes[order]) - sizes[order]
        tested = np.isin(data.groups, names[order[before < share * data.n_rows]])
    else:  # every class at the same rate: evenly spaced places among the rows by class
        shuffled = random.permutation(data.n_rows)
        by_class = shuffled[np.argsort(data.labels[shuffled], kind="stable")]
        steps = np.floor((np.arange(data.n_rows + 1) * share) + random.random())
        tested = np.zeros(data.n_rows, dtype=np.bool_)
        tested[by_class] = np.diff(steps) > 0
    if not tested.any() or tested.all():
        rule = f"must leave rows to test and rows to train on, of {data.n_rows}. Take another share"
        raise OptionError(f"cv='holdout={share:g}' {rule}.")
    return np.where(tested, 0, NEVER_TESTED).astype(np.int64)


def read_cuts(file: str | Path | tuple[str, bytes], data: Dataset) -> list[Folds]:
    """Read given folds: a CSV with a row per data row and a column ``fold`` or ``test_fold``.

    Of several repeats the columns ``fold 1``, ``fold 2``, ... are a cut each. The file may hold a
    fold for every row of the table or only for the rows with a class.
    """
    raw = open_table(file, ReadOptions(all_columns=True)).raw
    named = str(file[0] if isinstance(file, tuple) else file)
    numbers = {name: int(found[1]) for name in raw.names if (found := _CUT(name))}
    columns = [name for name in FOLD_COLUMNS if name in raw.columns][:1]
    columns = columns or sorted(numbers, key=numbers.__getitem__)
    if not columns:
        rule = "must have a column 'fold', or for several cuts 'fold 1', 'fold 2' and so on"
        raise DataError(f"folds={named!r} {rule}. It has {', '.join(raw.names)[:80]}.")
    return [_folds_of(raw.columns[name].as_texts(), named, data) for name in columns]


def _folds_of(labels: Texts, named: str, data: Dataset) -> Folds:
    """Turn the entries of a column into folds, for the rows of the file or those with a class."""
    codes = labels.codes
    n_rows_read = data.provenance.rows_read or int(data.row_numbers.max(initial=-1)) + 1
    if len(codes) == n_rows_read and data.source_rows is not None:
        codes = codes[data.row_numbers]
    if len(codes) != data.n_rows:
        rule = f"must have one row per data row: it has {len(codes)}, the table {data.n_rows}"
        raise DataError(f"folds={named!r} {rule}. Write a fold for every row.")
    if labels.missing.any():
        row = int(labels.missing.argmax()) + 1
        raise DataError(f"folds={named!r} must name a fold in row {row}.")
    names = [labels.texts[code] for code in np.unique(codes)]
    if len(names) < 2:
        raise DataError(f"folds={named!r} must name at least two folds. It names one.")
    place = {name: number for number, name in enumerate(natural_order(names))}
    number_of = np.array([place.get(text, NEVER_TESTED) for text in labels.texts], dtype=np.int64)
    return Folds(number_of[codes], groups=data.groups)


def folds_follow(data: Dataset) -> str:
    """Say which columns the folds follow, as "by time (admitted)"; empty where they follow none."""
    given = {"time": data.times, "group": data.groups}
    return ", ".join(f"by {r}{_columns(data, r)}" for r, of in given.items() if of is not None)


def describe_folds(data: Dataset, cuts: Sequence[Folds]) -> str:
    """Say what the folds follow and how many rows are never tested; empty for ordinary folds."""
    cut, sentences = cuts[0], []
    if cut.ordered:
        sentences.append(f"Folds follow time{_columns(data, 'time')}: only earlier rows train.")
    elif cut.n_folds == 1 and data.times is not None:
        sentences.append(f"The latest rows{_columns(data, 'time')} are held out.")
    if data.groups is not None and cut.groups is not None:
        sentences.append(f"Rows of one group{_columns(data, 'group')} are held out together.")
    elif cut.groups is not None:
        sentences.append("Copies of a row never train the model that they test.")
    if n_never := int((cut.test_fold < 0).sum()):
        sentences.append(f"{plural(n_never, 'rows')} of {data.n_rows:,} are never tested.")
    tested = np.any([each.test_fold >= 0 for each in cuts], axis=0)
    lacking = np.setdiff1d(data.labels, data.labels[tested])
    if len(lacking):  # no figure is about them
        names, n_classes = (data.schema.classes[k] for k in lacking), len(np.unique(data.labels))
        n_left = f"{n_classes - len(lacking)} of {n_classes} classes"
        words = f"so the AUC is of {n_left}: do not hold it beside one of all"
        sentences.append(f"No row of {', '.join(names)} is tested, {words}.")
    return " ".join(sentences)


def _columns(data: Dataset, role: str) -> str:
    """Name the columns of a role in brackets, as far as they are known."""
    names = [name for name, given in data.provenance.roles.items() if given == role]
    return f" ({', '.join(names)})" if names else ""
