"""An order of rows that depends on what they hold, not on where they stand.

Whatever deals rows out by chance (inner parts, bootstrap samples) does so in this order, so
that a table whose rows, columns or classes come in another order gives the same numbers, and
so do the command line, the app and an estimator that were given the same named columns.
"""

from __future__ import annotations

from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from probtrees.machine.splitmix import splitmix64
from probtrees.table.dataset import Column, Dataset
from probtrees.table.repeats import bits, row_blocks
from probtrees.types import IntArray

Hashes = NDArray[np.uint64]


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
    texts = [_hash_categories(column) for column in features if column.is_nominal]
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


def _hash_categories(column: Column) -> Hashes:
    """Hash a missing value, then the categories in code order."""
    texts = [_hash_text(category, "category") for category in column.categories or ()]
    return np.array([_hash_text("", "missing"), *texts], dtype=np.uint64)


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
