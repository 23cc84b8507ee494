"""Find columns that almost alone predict the class: often they were written down after it.

One that does so by far better than all others, though not almost perfectly, is asked about too;
and one that is filled in for a single class of several only, as a fee for late payment is. Of
several classes it is enough to know one of them: an alarm is off if and only if nothing failed; or
some of them: where somebody went is written down for those who left, whyever they did.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from probtrees.table.cells.raw_table import Numbers, RawColumn, Texts
from probtrees.table.dataset import Dataset
from probtrees.table.infer.outcomes.rows_of_class import absent_classes, only_class, other_values
from probtrees.table.infer.outcomes.telling_values import columns_with_telling_values
from probtrees.table.infer.outcomes.value_ranges import ranges_of, values_of
from probtrees.table.infer.recognise_numbers import IGNORE, USE
from probtrees.table.table_report import Finding
from probtrees.types import FloatArray, IntArray

SUSPICIOUS = 0.97
"""Share of the errors of "always the most frequent class" that one column avoids."""

STRONG_COLUMN = "strong"
"""The kind of the finding about a column that is asked about, and used until somebody answers."""
STRONG, FURTHER = 0.75, 2.0
"""A column that avoids so many is asked about if it avoids so many times as many as any other."""
_STRONG_OF_TWO = 0.4
"""The same of a column of two values where there are two classes: what is done about an outcome
(a dose is reduced, a treatment stopped) is a yes or no. Of 98 honest tables none has one."""
_SEX = re.compile(
    r"sex|gender|geschlecht|sexe|genre|sexo|género|sesso|genere|geslacht|płeć|kön|køn|pohlaví",
    re.IGNORECASE,
)
"""Of two values too, and nobody needs to ask when it was known."""

_OFTEN = 0.5
"""One class of several that so many rows have is told from the others by a column as suspicious as
one that tells all; of a rarer class it is asked about, if the column is nearly always right."""

_FEWEST_ROWS, _FEWEST_KNOWN = 20, 0.5
_MAX_ROWS = 50_000


def leak_finding(
    name: str,
    share: float,
    *,
    is_used: bool,
    stands_out: bool,
    rows_tell: bool = False,
    for_one_class: bool = False,
    all_of_class: str = "",
    told_class: str | None = None,
    tells_some: bool = False,
) -> Finding | None:
    """Warn if guessing the class from this column alone is nearly always right, or far better.

    Parameters
    ----------
    share : of the errors that it avoids, see :func:`errors_avoided`
    stands_out : whether no other comes near, see :func:`standing_out`
    rows_tell : whether rows in which it is filled in have all one class, see :func:`tells_rows`
    for_one_class : whether it is filled in for one class only, see :func:`filled_for_one_class`
    all_of_class : which of its rows are all of one class, see
        :func:`~probtrees.table.infer.outcomes.rows_of_class.rows_of_one_class`
    told_class : the class of several that it tells from the others, see :func:`class_told`
    tells_some : whether it tells some of several classes from the others, see :func:`tells_some`
    """
    sentence = ""
    if share >= SUSPICIOUS:
        sentence = f"Column {name!r} almost alone predicts the class"
    elif for_one_class:
        sentence = f"Column {name!r} is filled in for one class only"
    elif told_class is not None:
        sentence = f"Column {name!r} almost alone tells {told_class!r} from every other outcome"
    if sentence and is_used:
        asked = f"{sentence}. Was this known at the time of prediction?"
        return Finding(name, "leak", asked, "", "warning", (IGNORE,))
    is_far = stands_out and rows_tell
    if is_far or tells_some:
        what = "the class far better than any other" if is_far else "some classes"
        sentence = sentence or f"Column {name!r} alone predicts {what}"
    if not is_used:
        return (
            Finding(name, "leak", f"{sentence} and is not used.", fixes=(USE,))
            if sentence
            else None
        )
    if stands_out:
        all_of_class = far_best(share)
    if not all_of_class and not tells_some:
        return None
    kind = "leak" if sentence else STRONG_COLUMN
    asked = f"Was {name!r} known beforehand? {all_of_class}".strip()
    return Finding(name, kind, asked, "", "warning", (IGNORE,))


def far_best(share: float) -> str:
    """Say how much better than any other a column predicts."""
    share_avoided = f"Guessing by it alone avoids {share:.0%} of the mistakes"
    return f"{share_avoided}, far more than by any other column."


def standing_out(shares: Mapping[str, float], strong: float = STRONG) -> str | None:
    """Name the column, of those that are used, that avoids far more errors than any other."""
    best, second = ([*sorted(shares, key=lambda name: -shares[name]), None, None])[:2]
    if best is None or shares[best] < strong:
        return None
    others = 0.0 if second is None else shares[second]
    return best if shares[best] >= FURTHER * others else None


def standing_out_of_two(
    shares: Mapping[str, float], columns: Mapping[str, RawColumn]
) -> str | None:
    """Name the column of two values that avoids many errors, far more than any other.

    ``shares`` are those of two classes.
    """
    best = standing_out(shares, _STRONG_OF_TWO)
    if best is None or _SEX.fullmatch(best):
        return None
    column = columns[best]
    return best if len(np.unique(values_of(column)[~column.missing])) == 2 else None


def leaking_features(data: Dataset) -> tuple[str, ...]:
    """Name the columns that almost alone predict the class or one of them, or stand out far.

    The app leaves these out until somebody says otherwise.
    """
    shares = shares_avoided(data)
    far = _standing_out(shares)
    known = {name for name, share in shares.items() if share >= SUSPICIOUS}
    known |= {name for name, share in _shares_of_often(data).items() if share >= SUSPICIOUS}
    for at, column in enumerate(data.schema.features):
        values, name, groups = data.values[:, at], column.source_name, _groups_in(data, at)
        empty = np.isnan(values) | ((values == 0) & (not column.is_nominal))
        is_known = _tells_one_class(empty, data.labels, data.n_classes)
        is_known = is_known or _tell_some(groups, data.labels, data.n_classes)
        is_far = name == far and _tell_rows(groups, data.labels, data.n_classes)
        known |= {name} if is_known or is_far else set()
    return tuple(name for name in shares if name in known)


def strong_feature(data: Dataset) -> str | None:
    """Name the column that stands out, though it is left out nowhere: a good one may, too."""
    shares = shares_avoided(data)
    far = _standing_out(shares) or _standing_out_of_two(data, shares)
    return None if far in leaking_features(data) else far


def _standing_out_of_two(data: Dataset, shares: Mapping[str, float]) -> str | None:
    if data.n_classes != 2:
        return None
    columns = {
        column.source_name: Numbers(data.values[:, at])
        for at, column in enumerate(data.schema.features)
    }
    best = standing_out_of_two(shares, columns)
    return None if best in columns_with_telling_values(data) else best


def _standing_out(shares: Mapping[str, float]) -> str | None:
    return standing_out({name: share for name, share in shares.items() if share < SUSPICIOUS})


class Carrier(NamedTuple):
    """A column that avoids many errors alone.

    Attributes
    ----------
    name : in the user's table
    share : of the errors of always guessing the largest class, those that it avoids
    told_class : the class that they are about, where it tells that one of several from the others
    """

    name: str
    share: float
    told_class: str | None = None


def carrying_features(data: Dataset) -> list[Carrier]:
    """Return the columns that avoid nearly all errors, or the best of all others.

    Nothing where the best does not avoid many. Of several classes it may be nearly all errors about
    the one that most rows have: taken for another, or another for it.
    """
    often, number = _shares_of_often(data), _often(data.labels, data.n_classes)
    found = []
    for name, share in shares_avoided(data).items():
        carrier = Carrier(name, share)
        if number is not None and often[name] >= max(share, SUSPICIOUS):
            carrier = Carrier(name, often[name], data.schema.classes[number])
        found.append(carrier)
    found.sort(key=lambda carrier: -carrier.share)
    nearly_all = [carrier for carrier in found if carrier.share >= SUSPICIOUS]
    return nearly_all or [carrier for carrier in found[:1] if carrier.share >= STRONG]


def shares_avoided(data: Dataset) -> dict[str, float]:
    """Return the share of errors that each column of the user's table avoids alone."""
    return _shares(data, data.labels, data.n_classes)


def _shares_of_often(data: Dataset) -> dict[str, float]:
    """Return the share of errors that each column avoids about the class that most rows have.

    Nothing where there are two classes, or most rows have none of them.
    """
    number = _often(data.labels, data.n_classes)
    return {} if number is None else _shares(data, (data.labels == number).astype(np.int64), 2)


def _shares(data: Dataset, labels: IntArray, n_classes: int) -> dict[str, float]:
    shares: dict[str, float] = {}
    for at, column in enumerate(data.schema.features):
        values, places = data.values[:, at], _places(data, at)
        share = _share_avoided(places, labels, n_classes)
        if not column.is_nominal:
            share = max(share, share_by_one_cut(values, labels, n_classes))
        shares[column.source_name] = max(share, shares.get(column.source_name, share))
    return shares


def _places(data: Dataset, at: int) -> IntArray:
    """Give every value of a feature a number, missing as a value of its own."""
    values = data.values[:, at]
    codes = np.where(np.isnan(values), -1, values).astype(np.int64) + 1
    return codes if data.schema.features[at].is_nominal else ranges_of(values)


def errors_avoided(column: RawColumn, classes: Texts) -> float:
    """Compare guesses by value with always guessing the largest class.

    Numbers guess by 20 ranges, or by the best cut if there are two classes. Values with fewer than
    five rows guess the largest class, or every rare value would look clever.
    """
    return _share_by_column(column, classes.codes, classes.n_distinct)


def class_told(column: RawColumn, classes: Texts) -> str | None:
    """Name the class of several, one that most rows have, that a column tells from all others."""
    number = _often(classes.codes, classes.n_distinct)
    if number is None:
        return None
    is_class = np.where(classes.codes < 0, -1, classes.codes == number)
    told = _share_by_column(column, is_class, 2) >= SUSPICIOUS
    return str(classes.texts[number]) if told else None


def _share_by_column(column: RawColumn, labels: NDArray[np.integer[Any]], n_classes: int) -> float:
    share = _share_avoided(values_of(column), labels, n_classes)
    if isinstance(column, Texts):
        return share
    numbers = column.values if isinstance(column, Numbers) else column.days
    return max(share, share_by_one_cut(numbers, labels, n_classes))


def _often(labels: NDArray[np.integer[Any]], n_classes: int) -> int | None:
    """Return the class that most rows have, of three or more."""
    counts = np.bincount(labels[labels >= 0], minlength=n_classes)
    if (counts > 0).sum() <= 2 or counts.max() < _OFTEN * counts.sum():
        return None
    return int(counts.argmax())


def filled_for_one_class(column: RawColumn, classes: Texts) -> bool:
    """Whether a column is empty, or 0, in nearly all rows but those of one class of several."""
    empty = column.missing
    if isinstance(column, Numbers):
        empty = empty | (column.values == 0)
    return _tells_one_class(empty, classes.codes, classes.n_distinct)


def tells_some(column: RawColumn, classes: Texts) -> bool:
    """Whether rows in which a column is filled in have some classes of several, others hardly any.

    Or those in which it is empty; or holds another number than 0, or value than the usual one.
    """
    return _tell_some(_groups_of(column), classes.codes, classes.n_distinct)


def tells_rows(column: RawColumn, classes: Texts) -> bool:
    """Whether rows in which a column is filled in have nearly all one class that is no large one.

    Or those in which it is empty; or holds another number than 0, or value than the usual one.
    """
    return _tell_rows(_groups_of(column), classes.codes, classes.n_distinct)


def _groups_of(column: RawColumn) -> list[NDArray[np.bool_]]:
    numbers = column.values if isinstance(column, Numbers) else None
    places = values_of(column) if isinstance(column, Texts) else None
    return _groups(column.missing, numbers, places)


def _groups_in(data: Dataset, at: int) -> list[NDArray[np.bool_]]:
    values = data.values[:, at]
    is_nominal = data.schema.features[at].is_nominal
    numbers, places = (None, _places(data, at)) if is_nominal else (values, None)
    return _groups(np.isnan(values), numbers, places)


def _groups(
    empty: NDArray[np.bool_], numbers: FloatArray | None, places: IntArray | None
) -> list[NDArray[np.bool_]]:
    """List the rows that may differ: empty, filled in, not 0, another value than the usual one."""
    groups = [empty, ~empty]
    others = None if places is None else other_values(places)
    groups += [] if others is None else [others & ~empty]
    groups += [] if numbers is None else [~empty & (numbers != 0)]
    return groups


def _tell_rows(
    groups: Iterable[NDArray[np.bool_]], labels: NDArray[np.integer[Any]], n_classes: int
) -> bool:
    return any(only_class(group, labels, n_classes) is not None for group in groups)


def _tell_some(
    groups: Iterable[NDArray[np.bool_]], labels: NDArray[np.integer[Any]], n_classes: int
) -> bool:
    for group in groups:
        absent = absent_classes(group, labels, n_classes)
        among = np.where(labels < 0, -1, ~np.isin(labels, absent))
        if absent and _share_avoided(group.astype(np.int64), among, 2) >= STRONG:
            return True
    return False


def _tells_one_class(
    empty: NDArray[np.bool_], labels: NDArray[np.integer[Any]], n_classes: int
) -> bool:
    """Whether rows that are not empty are those of one class, of three or more."""
    if n_classes <= 2 or not empty.any():
        return False
    of_class = np.bincount(labels[~empty & (labels >= 0)], minlength=n_classes)
    number = int(of_class.argmax())
    is_class = (labels == number).astype(np.int64)
    return _share_avoided(empty.astype(np.int64), is_class, 2) >= SUSPICIOUS


def _share_avoided(values: IntArray, labels: NDArray[np.integer[Any]], n_classes: int) -> float:
    counts = _counts(values, labels, n_classes)
    n_rows = counts.sum()
    if not n_rows:
        return 0.0
    overall = counts.sum(axis=0)
    errors_before = n_rows - overall.max()
    guesses = np.where(counts.sum(axis=1) >= 5, counts.argmax(axis=1), overall.argmax())
    errors_after = n_rows - counts[np.arange(len(counts)), guesses].sum()
    return 1.0 - float(errors_after) / float(errors_before) if errors_before else 0.0


def _counts(values: IntArray, labels: NDArray[np.integer[Any]], n_classes: int) -> IntArray:
    """Count the classes of each value, in a part of the rows where there are many."""
    step = max(1, len(labels) // _MAX_ROWS)
    labels, values = labels[::step], values[::step]
    known = labels >= 0
    labels, values = labels[known], values[known]
    counts = np.zeros((int(values.max(initial=0)) + 1, n_classes), dtype=np.int64)
    np.add.at(counts, (values, labels), 1)
    return counts


def share_by_one_cut(
    numbers: FloatArray, labels: NDArray[np.integer[Any]], n_classes: int
) -> float:
    """Return the share of errors that "above or below a number" avoids, of two classes.

    "Days late above 3" may be the very class, though no end of a range lies there.
    """
    known = (labels >= 0) & np.isfinite(numbers)
    if n_classes != 2 or known.sum() < _FEWEST_ROWS or known.sum() < _FEWEST_KNOWN * len(labels):
        return 0.0
    order = np.argsort(numbers[known], kind="stable")
    values, ones = numbers[known][order], (labels[known] == 1)[order]
    n_ones = int(ones.sum())
    before = min(n_ones, len(ones) - n_ones)
    places = np.flatnonzero(np.diff(values))
    if not before or not len(places):
        return 0.0
    left_ones = np.cumsum(ones)[places]
    wrong = left_ones + (len(ones) - places - 1) - (n_ones - left_ones)
    return 1.0 - float(min(wrong.min(), (len(ones) - wrong).min())) / before
