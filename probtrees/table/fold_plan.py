"""How rows are to be held out, said in a few characters: 10, 5x2, loo, holdout=0.3."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import OptionError
from probtrees.table.dataset import Dataset
from probtrees.table.folds import NEVER_TESTED, Folds, make_folds
from probtrees.types import IntArray

FORMS = "a number of folds (10), repeats x folds (5x2), loo, holdout or holdout=0.3"
"""What a plan may be written as."""

MOST_REPEATS = 1000
"""Beyond that a typing mistake is likelier than a wish."""

HOLD_OUT_SHARE = 1 / 3
"""The share of rows that a hold-out tests unless set otherwise."""


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
    share: float = HOLD_OUT_SHARE

    def __post_init__(self) -> None:
        if self.n_repeats > MOST_REPEATS:
            raise OptionError(f"repeats={self.n_repeats} must be at most {MOST_REPEATS:,}.")

    @property
    def identity(self) -> list[int] | str:
        """What distinguishes results of this plan from those of another."""
        if self.kind == "folds":
            return [self.n_folds, self.n_repeats]
        return f"{self.kind} {self.share:g} x {self.n_repeats}"

    def cut(self, data: Dataset, seed: int = 0) -> list[Folds]:
        """Cut a table, once per repeat; groups and times are respected as its roles ask.

        Rows of a group are held out together, so that leaving one out leaves a group out, and
        so are copies that are one observation. A hold-out of a table with times tests the
        latest rows.
        """
        repeats = range(self.n_repeats)
        if self.kind == "folds":
            return [make_folds(data, self.n_folds, seed, repeat) for repeat in repeats]
        rows = data.distinct_rows()
        if self.kind == "loo":
            cuts = [_leave_one_out(rows.data)]
        else:
            cuts = [_hold_out(rows.data, self.share, seed, repeat) for repeat in repeats]
        return [cut.of_copies(rows.number_of_row) for cut in cuts]


def read_plan(text: str | int, repeats: int | None = None) -> FoldPlan:
    """Read how rows are to be held out.

    Parameters
    ----------
    text : one of the forms in ``FORMS``
    repeats : how often to cut again, where the text does not say so itself

    Examples
    --------
    >>> read_plan("5x2").n_repeats, read_plan("holdout=0.2").share
    (5, 0.2)
    """
    if repeats is not None and repeats < 1:
        raise OptionError(f"repeats={repeats} must be at least 1.")
    written = str(text).strip().lower()
    if match := re.fullmatch(r"(?:(\d{1,9})\s*x\s*)?(\d{1,9})", written):
        if match[1] and repeats is not None:
            raise OptionError(f"cv={text!r} must not come with repeats. It says how many itself.")
        return _folds_plan(int(match[2]), int(match[1] or repeats or 1))
    if written in ("loo", "leave-one-out"):
        if repeats not in (None, 1):
            raise OptionError(f"cv={text!r} must not be repeated. It is the same every time.")
        return FoldPlan("loo", 0)
    if match := re.fullmatch(r"hold-?out(?:\s*=\s*(\S+))?", written):
        return FoldPlan("holdout", 1, repeats or 1, _share(match[1], text))
    raise OptionError(f"cv={text!r} must be {FORMS}.")


def _folds_plan(n_folds: int, n_repeats: int) -> FoldPlan:
    if n_folds < 2:
        raise OptionError(
            f"cv={n_folds} must be at least 2. One fold would leave nothing to train."
        )
    if n_repeats < 1:
        raise OptionError(f"repeats={n_repeats} must be at least 1.")
    return FoldPlan("folds", n_folds, n_repeats)


def _share(written: str | None, text: str | int) -> float:
    try:
        share = HOLD_OUT_SHARE if written is None else float(written)
    except ValueError:
        share = np.nan
    if not 0 < share < 1:
        raise OptionError(f"cv={text!r} must hold out a share above 0 and below 1.")
    return share


def _leave_one_out(data: Dataset) -> Folds:
    """Test every row, or every group, in a fold of its own."""
    if data.times is not None:
        raise OptionError(
            "cv='loo' must not be used with a time column, for it trains on later rows. "
            "Use a number of folds."
        )
    if data.groups is not None:
        alone = np.unique(data.groups, return_inverse=True)[1].astype(np.int64)
        return Folds(alone, groups=data.groups)
    return Folds(np.arange(data.n_rows, dtype=np.int64))


def _hold_out(data: Dataset, share: float, seed: int, repeat: int) -> Folds:
    """Test a share of the rows once; the others only train."""
    random = np.random.default_rng([seed, repeat])
    if data.times is not None:
        tested = data.times > np.quantile(data.times, 1 - share, method="lower")
    elif data.groups is not None:
        tested = _whole_groups(data.groups, share, random)
    else:
        tested = _stratified_share(data.labels, share, random)
    if not tested.any() or tested.all():
        raise OptionError(
            f"cv='holdout={share:g}' must leave rows to test and rows to train on. "
            f"There are {data.n_rows} rows; hold out another share."
        )
    test_fold = np.where(tested, 0, NEVER_TESTED).astype(np.int64)
    return Folds(test_fold, groups=data.groups)


def _stratified_share(
    labels: IntArray, share: float, random: np.random.Generator
) -> NDArray[np.bool_]:
    """Draw every class at the same rate: evenly spaced places among the rows by class."""
    shuffled = random.permutation(len(labels))
    by_class = shuffled[np.argsort(labels[shuffled], kind="stable")]
    steps = np.floor((np.arange(len(labels) + 1) * share) + random.random())
    tested = np.zeros(len(labels), dtype=np.bool_)
    tested[by_class] = np.diff(steps) > 0
    return tested


def _whole_groups(groups: IntArray, share: float, random: np.random.Generator) -> NDArray[np.bool_]:
    """Draw groups until they hold the share of the rows."""
    names, group_of_row, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    order = random.permutation(len(names))
    before = np.concatenate(([0], np.cumsum(sizes[order])[:-1]))
    drawn = order[before < share * len(groups)]
    return np.isin(group_of_row, drawn)
