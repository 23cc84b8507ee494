"""Copies of rows: a row that repeats another, or counts more than once by its weight.

A copy of a row must not judge what was learnt from the row. Where rows are measured finely,
identical ones are copies of one observation and stay together; in a table of frequencies they
are different people who happen to agree, and are dealt out one by one.

Also an order of rows that depends on what they hold, not on where they stand. Whatever deals rows
out by chance (inner parts, bootstrap samples) does so in this order, so that a table whose rows,
columns or classes come in another order gives the same numbers, and so do the command line, the
app and an estimator that were given the same named columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from probtrees.machine.lazy_module import csgraph, sparse
from probtrees.machine.splitmix import splitmix64
from probtrees.types import FloatArray, IntArray

if TYPE_CHECKING:
    from probtrees.table.dataset import Dataset

Repeats = Literal["auto", "together", "apart"]
"""What becomes of copies: kept together, dealt out one by one, or as the table suggests."""

REPEATS: tuple[Repeats, ...] = get_args(Repeats)

MOST_COPIES = 5_000_000
"""Whole weights are dealt out as copies up to this many rows; beyond, rows stay whole."""

_CELLS_AT_A_TIME = 1 << 17
_FINE, _FEWEST_VALUES, _NEARLY = 0.1, 10, 1e-9

Hashes = NDArray[np.uint64]


def are_copies(weights: FloatArray | None) -> bool:
    """Whether weights can be read as numbers of copies: all whole, and none negative."""
    if weights is None:
        return True
    return bool(((weights >= 0) & (weights == np.floor(weights)) & np.isfinite(weights)).all())


def measured_finely(numbers: FloatArray, n_rows: float) -> bool:
    """Whether some column of numbers has more different ones than a tenth of the rows, and than 10.

    >>> measured_finely(np.arange(40.0).reshape(20, 2), n_rows=60)
    True
    """
    most = max(_FINE * n_rows, _FEWEST_VALUES)
    if numbers.shape[0] <= most:
        return False
    return any(len(np.unique(column[~np.isnan(column)])) > most for column in numbers.T)


def number_rows(values: FloatArray) -> IntArray:
    """Give every row the number of its content, counted in the order of first appearance.

    Missing values equal each other, and so do 0 and -0.

    >>> number_rows(np.array([[2.0, np.nan], [1.0, 0.0], [2.0, np.nan]])).tolist()
    [0, 1, 0]
    """
    hashes = _hash_rows(values)
    if np.diff(np.sort(hashes)).all():  # no row repeats another, as where something is measured
        return np.arange(len(hashes))
    _, found, number = np.unique(hashes, return_index=True, return_inverse=True)
    first, rows = found[number], np.arange(len(number))
    again = np.flatnonzero(first != rows)
    if not np.array_equal(bits(values[again]), bits(values[first[again]])):
        contents = np.column_stack([bits(column) for column in values.T])  # two contents, one hash
        _, found, number = np.unique(contents, axis=0, return_index=True, return_inverse=True)
        first = found[number.ravel()]
    return np.asarray((np.cumsum(first == rows) - 1)[first], dtype=np.int64)


def _hash_rows(values: FloatArray) -> Hashes:
    """Give rows of the same content the same number, others hardly ever.

    Each cell is multiplied by a number of its column, once its upper bits, which are all that
    small whole numbers have, are also its lower ones; multiplying only carries upwards.
    """
    n_rows, n_columns = values.shape
    factors = splitmix64(np.arange(n_columns, dtype=np.uint64)) | np.uint64(1)
    hashes = np.empty(n_rows, dtype=np.uint64)
    for rows in row_blocks(n_rows, n_columns):
        cells = bits(values[rows])
        cells ^= cells >> np.uint64(32)
        hashes[rows] = cells @ factors
    return hashes


def bits(numbers: FloatArray) -> Hashes:
    """Return the bits of numbers: those of one zero and of one NaN."""
    plain = np.ascontiguousarray(numbers + 0.0)
    plain[np.isnan(plain)] = np.nan
    return plain.view(np.uint64)


def row_blocks(n_rows: int, n_columns: int) -> Iterator[slice]:
    """Cut the rows into blocks of few enough cells to stay in the processor's cache."""
    at_a_time = max(1, _CELLS_AT_A_TIME // max(n_columns, 1))
    for start in range(0, n_rows, at_a_time):
        yield slice(start, start + at_a_time)


def join_groups(groups: IntArray, content: IntArray) -> IntArray:
    """Join groups that hold rows of the same content, so that no copy is in another group.

    >>> join_groups(np.array([5, 7, 7, 9]), np.array([0, 0, 1, 2])).tolist()
    [0, 0, 0, 1]
    """
    names, group_of = np.unique(groups, return_inverse=True)
    n_groups, n_contents = len(names), int(content.max(initial=-1)) + 1
    pairs, n_nodes = (group_of, n_groups + content), n_groups + n_contents
    links = sparse.coo_array((np.ones(len(groups)), pairs), shape=(n_nodes, n_nodes))
    joined = csgraph.connected_components(links, directed=False)[1]
    return np.asarray(joined[group_of], dtype=np.int64)


def scaled_to_rows(weights: FloatArray) -> FloatArray:
    """Bring weights of surveys, which are not whole, to a mean of 1; return others as they are.

    Whole weights are frequencies. Others only say how much rows count against each other: with a
    mean of 1.4 smoothing would believe in 40 % more people than were asked.

    >>> scaled_to_rows(np.array([1.5, 2.5])).tolist(), scaled_to_rows(np.array([1.0, 3.0])).tolist()
    ([0.75, 1.25], [1.0, 3.0])
    """
    counted = weights[np.isfinite(weights) & (weights > 0)]
    if are_copies(counted) or abs(counted.mean() - 1) < _NEARLY:
        return weights
    scaled = weights / counted.mean()
    whole = np.rint(scaled)
    return np.asarray(np.where(np.abs(scaled - whole) < _NEARLY, whole, scaled), dtype=np.float64)


def describe_repeats(data: Dataset) -> str:
    """Describe how many rows repeat and what is done about it; empty where none does.

    >>> import numpy as np
    >>> from probtrees.table.dataset import Column, Dataset, Schema
    >>> schema = Schema((Column("x", ("a", "b")), Column("y", ("no", "yes"))))
    >>> describe_repeats(Dataset(schema, np.zeros((3, 2)), repeats="apart")).partition(":")[0]
    '2 of 3 rows repeat an earlier row, outcome included'
    """
    n_repeated, words = data.n_repeated, "A row counts as often as its weight says"
    if not n_repeated and not _has_weights(data):
        return ""
    if n_repeated:
        words = f"{n_repeated:,} of {data.n_rows:,} rows repeat an earlier row, outcome included"
    done = "copies are taken as different cases that happen to agree"
    if data.repeats_rule == "together":
        done = "copies are kept together as one observation, so that none judges another"
    elif _has_weights(data) and data.copies_apart() is data:
        done = "every row of the table is one observation, whatever its weight"
    return f"{words}: {done}."


def repeats_record(data: Dataset) -> dict[str, Any] | None:
    """Return the same as values for JSON; None where no row repeats."""
    if not (sentence := describe_repeats(data)):
        return None
    record = {"repeated_rows": data.n_repeated, "weights": _has_weights(data)}
    return {**record, "copies": data.repeats_rule, "sentence": sentence}


def _has_weights(data: Dataset) -> bool:
    return data.weights is not None and bool((data.weights != 1.0).any())


def content_order(data: Dataset) -> IntArray:
    """Sort rows by a hash of what they hold; rows that hold the same keep their order.

    A row's hash is the sum of those of its cells, hence without a sequence of columns. A cell
    is hashed with its column's name: categories as text, hence without a sequence of
    categories. A class is known by the rows that belong to it rather than by its code or name
    (by its name only where two classes hold the same rows), a group likewise.
    """
    hashes = _hash_features(data) + splitmix64(bits(data.row_weights) ^ _hash_text("", "weight"))
    labels = np.where(np.isnan(data.values[:, -1]), data.n_classes, data.values[:, -1])
    hashes += splitmix64(_hash_classes(data, hashes, labels.astype(np.int64)))
    if data.groups is None:
        return np.argsort(hashes, kind="stable")
    group_of = np.unique(data.groups, return_inverse=True)[1]
    return np.lexsort((_sum_by(group_of, hashes)[group_of], hashes))


def _hash_features(data: Dataset) -> Hashes:
    """Add up the hashes of every row's cells, the class left out."""
    features = data.schema.features
    nominal = np.array([column.is_nominal for column in features], dtype=np.bool_)
    keys = np.array([_hash_text(column.name, "column") for column in features], dtype=np.uint64)
    # Of each column the hash of a missing value, then those of the categories in code order.
    missing = _hash_text("", "missing")
    of_columns = [column.categories for column in features if column.categories is not None]
    texts = [np.array([missing, *(_hash_text(t, "category") for t in each)]) for each in of_columns]
    sizes = np.array([len(of_column) for of_column in texts], dtype=np.int64)
    of_text: Hashes = np.concatenate([*texts, np.zeros(0, dtype=np.uint64)])
    of_text = splitmix64(np.bitwise_xor(of_text, np.repeat(keys[nominal], sizes)))
    of_code_0 = (np.cumsum(sizes) - sizes + 1)[:, None]
    hashes = np.zeros(data.n_rows, dtype=np.uint64)
    for rows in row_blocks(data.n_rows, len(features)):
        cells = np.ascontiguousarray(data.values[rows, :-1].T)
        numbers = splitmix64(bits(cells[~nominal]) ^ keys[~nominal, None])
        codes = cells[nominal]
        codes[np.isnan(codes)] = -1.0
        hashes[rows] = numbers.sum(axis=0, dtype=np.uint64)
        hashes[rows] += of_text[of_code_0 + codes.astype(np.int64)].sum(axis=0, dtype=np.uint64)
    return hashes


def _hash_classes(data: Dataset, rows: Hashes, labels: IntArray) -> Hashes:
    """Hash the class of every row by the rows that belong to it; a missing one counts too."""
    of_class = _sum_by(labels, rows, data.n_classes + 1)
    _, same, n_same = np.unique(of_class, return_inverse=True, return_counts=True)
    for code, name in enumerate(data.schema.classes):
        if n_same[same[code]] > 1:
            of_class[code] ^= _hash_text(name, "class")
    return of_class[labels]


def _hash_text(text: str, what: str) -> np.uint64:
    """Hash a text, the same in every process; the same text of another kind differs."""
    encoded = text.encode("utf-8", "surrogatepass")
    digest = blake2b(encoded, digest_size=8, person=what.encode()).digest()
    return np.uint64(int.from_bytes(digest, "little"))


def _sum_by(codes: IntArray, hashes: Hashes, n_codes: int = 0) -> Hashes:
    """Add up the mixed hashes of the rows of each code; the sequence of rows is lost in it."""
    sums = np.zeros(max(n_codes, int(codes.max(initial=-1)) + 1), dtype=np.uint64)
    np.add.at(sums, codes, splitmix64(hashes))
    return sums
