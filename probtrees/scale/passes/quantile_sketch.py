"""Quantiles of a column met piece by piece: counts that add up in any order."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from probtrees.types import FloatArray

MOST_KEYS = 1 << 15
"""So many keys a sketch holds: about 1 MB per column."""

CLOSE = 1e-6
"""A number above a split value by less than this still goes below it, see :mod:`grow.c45`."""

_APART = 1e-5
"""Numbers closer than this are never cut apart."""


@dataclass
class QuantileSketch:
    """How often the numbers of a column occur, exactly or rounded to fewer bits.

    The bits of a float, read as a whole number, are in the order of the floats; leaving out the
    last ones rounds to a relative precision. The sketch counts the numbers rounded to the most
    bits at which there are at most ``most_keys`` different ones. Since rounding twice is
    rounding once, and since more rows never have fewer different numbers, the bits and the
    counts at the end are the same in whatever pieces and in whatever order the rows are met:
    sketches of chunks add up to exactly the sketch of the whole. With up to ``most_keys``
    different numbers nothing is rounded and every quantile is exact; otherwise a quantile is
    off by at most the rows that share a key.

    Attributes
    ----------
    most_keys : how many keys may be kept; at least 4096 so that all exponents fit
    shift : bits left out; 0 while the sketch is exact
    keys : int64[n], ascending
    counts : int64[n], rows per key
    lowest, highest : float64[n], the range of the numbers that share a key
    n_missing : rows without a number

    Examples
    --------
    >>> left, right = QuantileSketch(), QuantileSketch()
    >>> left.update(np.array([1.0, 2.0, 2.0]))
    >>> right.update(np.array([5.0, np.nan]))
    >>> left.merge(right)
    >>> left.highest, left.counts, left.n_missing
    (array([1., 2., 5.]), array([1, 2, 1]), 1)
    >>> left.bin_tops(2)
    array([2., 5.])
    """

    most_keys: int = MOST_KEYS
    shift: int = 0
    keys: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    counts: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    lowest: FloatArray = field(default_factory=lambda: np.empty(0))
    highest: FloatArray = field(default_factory=lambda: np.empty(0))
    n_missing: int = 0

    @property
    def is_exact(self) -> bool:
        """Whether every key is one number."""
        return self.shift == 0

    @property
    def n_rows(self) -> int:
        """Rows that have a number."""
        return int(self.counts.sum())

    def update(self, values: FloatArray) -> None:
        """Count the numbers of some rows; NaN is missing."""
        known = np.sort(values[~np.isnan(values)] + 0.0)  # + 0.0 makes -0.0 an ordinary 0
        self.n_missing += values.shape[0] - known.shape[0]
        if known.shape[0]:
            keys = ordered_bits(known) >> self.shift
            first = _starts_of_runs(keys)
            counts = np.diff(first, append=keys.shape[0])
            self._add(keys[first], counts, known[first], known[first + counts - 1])

    def merge(self, other: QuantileSketch) -> None:
        """Add what another sketch has counted."""
        self.n_missing += other.n_missing
        if other.keys.shape[0]:
            self._round_to(other.shift)
            self._add(*other._rounded(self.shift))

    def _add(
        self,
        keys: NDArray[np.int64],
        counts: NDArray[np.int64],
        lowest: FloatArray,
        highest: FloatArray,
    ) -> None:
        """Add counts under different, ascending keys; then leave out bits until keys are few."""
        place = np.searchsorted(self.keys, keys)
        is_new = place == self.keys.shape[0]
        is_new[~is_new] = self.keys[place[~is_new]] != keys[~is_new]
        spots = place[is_new]
        self.keys = np.insert(self.keys, spots, keys[is_new])
        self.counts = np.insert(self.counts, spots, 0)
        self.lowest = np.insert(self.lowest, spots, np.inf)
        self.highest = np.insert(self.highest, spots, -np.inf)
        at = np.searchsorted(self.keys, keys)
        self.counts[at] += counts
        self.lowest[at] = np.minimum(self.lowest[at], lowest)
        self.highest[at] = np.maximum(self.highest[at], highest)
        if self.keys.shape[0] > self.most_keys:
            self._round_to(self.shift + _bits_to_leave_out(self.keys, self.most_keys))

    def _round_to(self, shift: int) -> None:
        """Leave out more bits, if that is more."""
        if shift > self.shift:
            self.keys, self.counts, self.lowest, self.highest = self._rounded(shift)
            self.shift = shift

    def _rounded(
        self, shift: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], FloatArray, FloatArray]:
        """Return keys, counts and ranges with as many bits left out, no fewer than now."""
        keys = self.keys >> (shift - self.shift)
        first = _starts_of_runs(keys)
        if not keys.shape[0]:
            return keys, self.counts, self.lowest, self.highest
        last = np.append(first[1:], keys.shape[0]) - 1
        counts = np.add.reduceat(self.counts, first)
        return keys[first], counts, self.lowest[first], self.highest[last]

    def bin_tops(self, n_bins: int) -> FloatArray:
        """Give the largest number of each of at most ``n_bins`` bins of like size.

        With at most ``n_bins`` different numbers every one is a bin of its own. A frequent
        number becomes a bin of its own too; what remains is spread over the other bins.
        """
        if self.is_exact and self.keys.shape[0] <= n_bins:
            return self.highest.copy()
        ends = np.concatenate(([0], np.cumsum(self.counts)))
        is_frequent = _more_than_their_share(self.counts, n_bins)
        frequent = np.concatenate(([0], np.cumsum(is_frequent)))
        frequent_rows = np.concatenate(([0], np.cumsum(np.where(is_frequent, self.counts, 0))))
        n_keys = self.keys.shape[0]
        tops: list[int] = []
        start = 0
        while start < n_keys and len(tops) < n_bins - 1:
            n_left = n_bins - len(tops)
            n_shared = n_left - int(frequent[-1] - frequent[start])
            rows = ends[-1] - ends[start]
            if n_shared > 0:
                size = (rows - (frequent_rows[-1] - frequent_rows[start])) / n_shared
            else:
                size = rows / n_left
            wanted = ends[start] + max(size, 1.0)
            end = min(n_keys, max(start + 1, int(np.searchsorted(ends, wanted - 0.5))))
            if end - 1 > start and wanted - ends[end - 1] < ends[end] - wanted:
                end -= 1
            tops.append(end - 1)
            start = end
        if start < n_keys:
            tops.append(n_keys - 1)
        return _far_apart(self.highest[tops])


def ordered_bits(values: FloatArray) -> NDArray[np.int64]:
    """Read floats as whole numbers in the same order.

    >>> bits = ordered_bits(np.array([-np.inf, -2.0, -1e-300, 0.0, 1e-300, 3.0, np.inf]))
    >>> bool((np.diff(bits) > 0).all())
    True
    """
    bits = np.ascontiguousarray(values).view(np.int64)
    return np.where(bits < 0, bits ^ np.int64(2**63 - 1), bits)


def _starts_of_runs(keys: NDArray[np.int64]) -> NDArray[np.intp]:
    """Find where equal neighbours begin."""
    if not keys.shape[0]:
        return np.empty(0, dtype=np.intp)
    return np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))


def _bits_to_leave_out(keys: NDArray[np.int64], most_keys: int) -> int:
    """Return how many bits must go so that at most ``most_keys`` ascending keys stay different.

    Neighbours stay different while the highest bit in which they differ is there.
    """
    apart = (keys[1:] ^ keys[:-1]).view(np.uint64)
    high = np.frexp((apart >> np.uint64(32)).astype(np.float64))[1]
    low = np.frexp((apart & np.uint64(2**32 - 1)).astype(np.float64))[1]
    n_by_bits = np.bincount(np.where(high > 0, high + 32, low), minlength=65)
    n_still_apart = n_by_bits.sum() - np.cumsum(n_by_bits)
    return int(np.argmax(1 + n_still_apart <= most_keys))


def _more_than_their_share(counts: NDArray[np.int64], n_bins: int) -> NDArray[np.bool_]:
    """Mark keys with more rows than a bin would have without them."""
    is_frequent = np.zeros(counts.shape[0], dtype=np.bool_)
    while True:
        n_shared = n_bins - int(is_frequent.sum())
        size = counts[~is_frequent].sum() / max(1, n_shared)
        more = is_frequent | (counts > size)
        if n_shared <= 0 or (more == is_frequent).all():
            return is_frequent
        is_frequent = more


def _far_apart(tops: FloatArray) -> FloatArray:
    """Leave out tops too close below the next one to be told apart from it by a tree."""
    kept = [float(tops[-1])]
    for top in tops[-2::-1]:
        if top + _APART < kept[-1]:
            kept.append(float(top))
    return np.array(kept[::-1])


def bin_codes(values: FloatArray, tops: FloatArray, *, is_exact: bool) -> NDArray[np.int64]:
    """Give every number its bin; the number of bins where it is missing.

    Where bins hold several numbers each (not ``is_exact``), one above a bin's top by less than
    1e-6 belongs to it, as it does when a tree asks whether it lies below.
    """
    codes = np.searchsorted(tops, values)
    if tops.shape[0]:
        codes = np.minimum(codes, tops.shape[0] - 1)
        if not is_exact:
            below = np.maximum(codes - 1, 0)
            with np.errstate(invalid="ignore", over="ignore"):  # inf - inf, huge numbers
                is_close = values - tops[below] < CLOSE
            codes = np.where((codes > 0) & is_close, below, codes)
    return np.where(np.isnan(values), tops.shape[0], codes)
