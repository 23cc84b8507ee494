"""Read large, plain delimited files at the speed of memory.

Most large files are plain: UTF-8, no line end inside a cell, numbers that look like numbers. They
are mapped into memory and cut into pieces at line ends, and the pieces are read side by side by
compiled code that finds cells, reads numbers and gives words their codes. Whatever is not plain
makes :func:`read_quickly` return None; the file is then read with more patience.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numba import config
from numpy.typing import NDArray

from probtrees.table.cells.arrow_arrays import text_array
from probtrees.table.cells.raw_table import Numbers, Texts
from probtrees.table.formats import _delimited_kernels as kernels
from probtrees.table.formats.arrow_columns import tidy
from probtrees.table.formats.missing_spellings import MISSING_SPELLINGS
from probtrees.table.formats.powers_of_five import POWERS_OF_FIVE
from probtrees.table.formats.sniff import Dialect
from probtrees.table.formats.table_source import TableSource

Kind = Literal["numbers", "words", "strings"]
"""What a column holds: numbers, a few words again and again, or texts that hardly repeat."""

_FIRST_PIECE = 1 << 17
_PIECE = 1 << 22
_BLOCK = 1 << 19
_N_HARD = 1 << 12
_MAX_SLOTS = 1 << 16


class NotPlainError(Exception):
    """Something in the file must be read in another way."""


class _TooManyWordsError(Exception):
    """A column has more different words than there is room for."""


class Block(NamedTuple):
    """Some lines of the file: first byte, byte after the last, first row, row after the last."""

    start: int
    stop: int
    first_row: int
    last_row: int


@dataclass
class Vocabulary:
    """The words of one column and their codes."""

    n_slots: int
    slots: NDArray[np.int32] = field(init=False)
    pool: NDArray[np.uint8] = field(init=False)
    ends: NDArray[np.int32] = field(init=False)

    def __post_init__(self) -> None:
        self.slots = np.full(self.n_slots, -1, dtype=np.int32)
        self.pool = np.zeros(16 * self.n_slots, dtype=np.uint8)
        self.ends = np.zeros(self.n_slots // 2 + 2, dtype=np.int32)

    def copy(self) -> Vocabulary:
        """Return a vocabulary that can learn further words of its own."""
        other = Vocabulary.__new__(Vocabulary)
        other.n_slots = self.n_slots
        other.slots, other.pool = self.slots.copy(), self.pool.copy()
        other.ends = self.ends.copy()
        return other

    def __len__(self) -> int:
        return int(self.ends[0])

    def words(self, first: int = 0) -> list[bytes]:
        """Return the words from a code on."""
        ends = self.ends[first + 1 : len(self) + 2].tolist()
        return [self.pool[start:stop].tobytes() for start, stop in pairwise(ends)]


def read_quickly(
    source: TableSource, dialect: Dialect, width: int, kinds: Mapping[int, Kind]
) -> dict[int, Numbers | Texts | pa.StringArray] | None:
    """Read the columns that have a kind; None if the file is not plain enough."""
    if config.DISABLE_JIT:  # type: ignore[attr-defined]
        return None
    n_slots = 1 << 9
    try:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            lines = _Lines.of(source, dialect, pool)
            while n_slots <= _MAX_SLOTS:
                try:
                    return _Run(lines, _marks(dialect), width, kinds, n_slots).read(pool)
                except _TooManyWordsError:
                    n_slots <<= 3
    except NotPlainError:
        pass
    return None


@dataclass(frozen=True)
class _Lines:
    """The bytes of a file, and its lines grouped into blocks."""

    data: NDArray[np.uint8]
    blocks: list[Block]

    @classmethod
    def of(cls, source: TableSource, dialect: Dialect, pool: ThreadPoolExecutor) -> _Lines:
        """Cut the file into blocks at line ends; the first block is small."""
        searchable, data = _bytes_ending_a_line(source)
        start = 0
        for _ in range(dialect.skip_lines + 1):
            start = searchable.find(b"\n", start) + 1
        bounds = [start]
        while bounds[-1] < len(data):
            size = _FIRST_PIECE if len(bounds) == 1 else _BLOCK
            bounds.append(searchable.find(b"\n", min(bounds[-1] + size, len(data)) - 1) + 1)
        spans = list(pairwise(bounds))
        counts = pool.map(lambda span: np.count_nonzero(data[slice(*span)] == ord("\n")), spans)
        rows = np.cumsum([0, *counts]).tolist()
        return cls(
            data, [Block(*span, *row) for span, row in zip(spans, pairwise(rows), strict=True)]
        )

    @property
    def n_rows(self) -> int:
        """How many lines there are."""
        return self.blocks[-1].last_row


def _bytes_ending_a_line(source: TableSource) -> tuple[Any, NDArray[np.uint8]]:
    """Return the bytes, to search in and to hand to compiled code."""
    if source.path is not None:
        with open(source.path, "rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        if mapped[-1:] == b"\n":
            return mapped, np.frombuffer(mapped, dtype=np.uint8)
    data = source.content()
    data = data if data.endswith(b"\n") else data + b"\n"
    return data, np.frombuffer(data, dtype=np.uint8)


class _Run:
    """One reading of the file, with a certain room for words."""

    def __init__(
        self,
        lines: _Lines,
        marks: kernels.Marks,
        width: int,
        kinds: Mapping[int, Kind],
        n_slots: int,
    ) -> None:
        self.lines = lines
        self.width = width
        self.kinds = kinds
        self.marks = marks
        self.tables = _number_tables()
        n_rows = lines.n_rows
        self.numbers = {n: np.empty(n_rows) for n, kind in kinds.items() if kind == "numbers"}
        self.codes = {
            n: np.empty(n_rows, dtype=np.int32) for n, kind in kinds.items() if kind == "words"
        }
        self.spans = {
            n: np.empty((2, n_rows), dtype=np.int64)
            for n, kind in kinds.items()
            if kind == "strings"
        }
        self.seed = {number: Vocabulary(n_slots) for number in self.codes}

    def read(self, pool: ThreadPoolExecutor) -> dict[int, Numbers | Texts | pa.StringArray]:
        """Read the first block to learn words, then all others side by side."""
        self._read_block(self.lines.blocks[0], self.seed)
        words = {number: seed.words() for number, seed in self.seed.items()}
        others = self.lines.blocks[1:]
        size = _PIECE // _BLOCK
        pieces = [others[first : first + size] for first in range(0, len(others), size)]
        for piece, new in zip(pieces, pool.map(self._read_piece, pieces), strict=True):
            rows = slice(piece[0].first_row, piece[-1].last_row)
            for number, found in new.items():
                _agree(self.codes[number][rows], words[number], len(self.seed[number]), found)
        strings = pool.map(self._strings, self.spans.values())
        return {
            **{number: Numbers(values) for number, values in self.numbers.items()},
            **{
                number: tidy(self.codes[number], _decoded(found)) for number, found in words.items()
            },
            **dict(zip(self.spans, strings, strict=True)),
        }

    def _read_piece(self, blocks: list[Block]) -> dict[int, list[bytes]]:
        """Read some blocks; return the words that the first block did not have."""
        learnt = {number: seed.copy() for number, seed in self.seed.items()}
        for block in blocks:
            self._read_block(block, learnt)
        found = {number: own.words(len(self.seed[number])) for number, own in learnt.items()}
        return {number: words for number, words in found.items() if words}

    def _read_block(self, block: Block, vocabularies: Mapping[int, Vocabulary]) -> None:
        start, stop, first_row, last_row = block
        ends = np.empty((self.width + 1, last_row - first_row), dtype=np.int32)
        if (
            kernels.find_cells(self.lines.data, start, stop, self.marks, ends)
            != last_row - first_row
        ):
            raise NotPlainError
        rows = slice(first_row, last_row)
        for number, kind in self.kinds.items():
            lefts, rights = ends[number], ends[number + 1]
            if kind == "numbers":
                self._read_numbers(start, lefts, rights, self.numbers[number][rows])
            elif kind == "words":
                self._read_words(
                    start, lefts, rights, self.codes[number][rows], vocabularies[number]
                )
            else:
                self.spans[number][0, rows] = start + 1 + lefts.astype(np.int64)
                self.spans[number][1, rows] = rights - lefts - 1

    def _read_numbers(
        self,
        start: int,
        lefts: NDArray[np.int32],
        rights: NDArray[np.int32],
        numbers: NDArray[np.float64],
    ) -> None:
        hard = np.empty(_N_HARD, dtype=np.int64)
        bits = numbers.view(np.uint64)
        data, tables = self.lines.data, self.tables
        n_hard = kernels.read_numbers(
            data, start, lefts, rights, self.marks, tables, numbers, bits, hard
        )
        if n_hard == kernels.NOT_UNDERSTOOD:
            raise NotPlainError
        for row in hard[:n_hard]:
            cell = bytes(data[start + lefts[row] + 1 : start + rights[row]])
            plain = cell.strip(bytes([self.marks.quote])).replace(bytes([self.marks.decimal]), b".")
            numbers[row] = float(plain)

    def _read_words(
        self,
        start: int,
        lefts: NDArray[np.int32],
        rights: NDArray[np.int32],
        codes: NDArray[np.int32],
        known: Vocabulary,
    ) -> None:
        status = kernels.read_words(
            self.lines.data,
            start,
            lefts,
            rights,
            self.marks.quote,
            known.slots,
            known.pool,
            known.ends,
            codes,
        )
        if status == kernels.NOT_UNDERSTOOD:
            raise _TooManyWordsError

    def _strings(self, spans: NDArray[np.int64]) -> pa.StringArray:
        """Copy the texts of a column together, as Arrow keeps them."""
        starts, lengths = spans
        quoted = self.lines.data[starts] == self.marks.quote
        starts, lengths = starts + quoted, lengths - 2 * quoted
        ends = np.concatenate([[0], np.cumsum(lengths)])
        if ends[-1] >= 1 << 31:
            raise NotPlainError
        joined = np.empty(int(ends[-1]), dtype=np.uint8)
        kernels.gather_texts(self.lines.data, starts, ends, joined)
        offsets = pa.py_buffer(ends.astype(np.int32))
        found = pa.StringArray.from_buffers(len(starts), offsets, pa.py_buffer(joined))
        try:
            found.validate(full=True)
        except pa.ArrowInvalid:
            raise NotPlainError from None
        known = pc.invert(pc.is_in(found, value_set=text_array(MISSING_SPELLINGS)))
        return pa.StringArray.from_buffers(
            len(found), offsets, pa.py_buffer(joined), null_bitmap=known.buffers()[1]
        )


def _agree(codes: NDArray[np.int32], words: list[bytes], n_seeded: int, new: list[bytes]) -> None:
    """Let the codes of a piece's own new words be the codes of the whole file."""
    numbers = {word: code for code, word in enumerate(words)}
    for word in new:
        if word not in numbers:
            numbers[word] = len(words)
            words.append(word)
    agreed = np.array([*range(n_seeded), *(numbers[word] for word in new)], dtype=np.int32)
    if (agreed != np.arange(len(agreed))).any():
        codes[:] = agreed[codes]


def _decoded(words: list[bytes]) -> pa.StringArray:
    try:
        return text_array(word.decode("utf-8") for word in words)
    except UnicodeDecodeError:
        raise NotPlainError from None


def _marks(dialect: Dialect) -> kernels.Marks:
    stops = np.zeros(256, dtype=np.uint8)
    stops[[0, *b"\r\n", ord(dialect.delimiter)]] = 1
    return kernels.Marks(ord(dialect.delimiter), ord(dialect.quote), ord(dialect.decimal), stops)


def _number_tables() -> kernels.NumberTables:
    missing = [spelling.encode() for spelling in MISSING_SPELLINGS]
    return kernels.NumberTables(
        missing=np.frombuffer(b"".join(missing), dtype=np.uint8),
        missing_ends=np.cumsum([len(spelling) for spelling in missing]),
        powers=POWERS_OF_FIVE,
        exact_powers=np.power(10.0, np.arange(23)),
    )
