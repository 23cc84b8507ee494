"""From Arrow's columns to the columns of a raw table."""

from __future__ import annotations

from dataclasses import dataclass
from unicodedata import normalize

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from probtrees.errors import DataError
from probtrees.table.cells.arrow_arrays import codes, flags, floats, present, text_array
from probtrees.table.cells.raw_table import Dates, Numbers, RawColumn, Texts
from probtrees.table.formats.missing_spellings import MISSING_SPELLINGS

TEXT_TYPE = pa.dictionary(pa.int32(), pa.string())
"""How texts that repeat themselves are asked for."""

_MISSING = text_array(MISSING_SPELLINGS)
_SPELLED = (
    pa.types.is_null,
    pa.types.is_time,
    pa.types.is_duration,
    pa.types.is_string_view,
)
_SAMPLE = 20_000
_ACCENTS = "[\u0300-\u036f\u3099\u309a]"
_UNSEEN = "[\u200b\u200e\u200f\u2060\ufeff]"
_DAYS_PER = {"s": 86_400.0, "ms": 86_400e3, "us": 86_400e6, "ns": 86_400e9}


@dataclass(frozen=True)
class ColumnHints:
    """What a reader knows about the columns it hands over.

    ``nulls_known``: spellings of missing values are already recognised. ``all_codes``: texts that
    hardly repeat must be distinguished all the same, because somebody has a use for them.
    ``marks``: spellings of missing values that are values here.
    """

    nulls_known: bool = False
    all_codes: bool = True
    marks: frozenset[str] = frozenset()


AS_FOUND = ColumnHints()


def raw_column(
    column: pa.ChunkedArray, name: str, where: str, hints: ColumnHints = AS_FOUND
) -> RawColumn:
    """Turn a column of any type a table may have into numbers, texts or dates.

    Parameters
    ----------
    column : chunked, as tables of Arrow hold it; ``pa.chunked_array([cells])`` makes one
    name, where : the column and the file, as messages call them
    """
    kind = column.type
    types = pa.types
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
        return Numbers(floats(column))
    if types.is_dictionary(kind) and (
        types.is_binary(kind.value_type) or types.is_large_binary(kind.value_type)
    ):
        raise _no_values(name, where, kind)
    if types.is_dictionary(kind) or types.is_string(kind) or types.is_large_string(kind):
        return texts(column, hints)
    if types.is_date(kind) or types.is_timestamp(kind):
        return _dates(column)
    if types.is_boolean(kind):
        return _booleans(column)
    if any(is_spelled(kind) for is_spelled in _SPELLED):
        return texts(pc.cast(column, pa.string()))
    raise _no_values(name, where, kind)


def _no_values(name: str, where: str, kind: pa.DataType) -> DataError:
    return DataError(
        f"column={name!r} of {where} must hold numbers, texts or dates; it holds {kind}. Give it "
        "the role 'ignore', or take it apart into plain columns."
    )


def texts(column: pa.ChunkedArray, hints: ColumnHints = AS_FOUND) -> Texts:
    """Return a column of texts, white space around them removed, missing spellings recognised."""
    if pa.types.is_dictionary(column.type):
        merged = _one_chunk(pc.cast(column, TEXT_TYPE).unify_dictionaries())
    else:
        cells = _one_chunk(pc.cast(column, pa.string()))
        if not hints.all_codes and _hardly_repeat(cells):
            known = present(cells)
            own_codes = np.where(known, np.cumsum(known) - 1, -1).astype(np.int32)
            return Texts(own_codes, cells.drop_null(), repeats=False)
        merged = cells.dictionary_encode()
    return tidy(codes(merged.indices), merged.dictionary, hints)


def _hardly_repeat(cells: pa.StringArray) -> bool:
    """Whether nearly all texts of a long column differ, judged by cells picked at random.

    If only half of them differed, a sample this large would have several per cent of repeats.
    """
    if len(cells) < 2 * _SAMPLE:
        return False
    rng = np.random.default_rng(0)
    chosen = rng.choice(len(cells), _SAMPLE, replace=False, shuffle=False)
    sample = cells.take(pa.Array.from_buffers(pa.int64(), _SAMPLE, [None, pa.py_buffer(chosen)]))
    n_known = len(sample) - sample.null_count
    distinct = len(sample.drop_null().unique())
    return bool(n_known > _SAMPLE / 2 and distinct >= 0.98 * n_known)


def _one_chunk(column: pa.ChunkedArray) -> pa.Array:
    """Join the chunks first: encoding them one by one would carry all texts from each to each."""
    merged = column.combine_chunks()
    if isinstance(merged, pa.ChunkedArray):
        return merged.chunk(0) if merged.num_chunks else pa.nulls(0, column.type)
    return merged


def tidy(given: NDArray[np.int32], found: pa.StringArray, hints: ColumnHints = AS_FOUND) -> Texts:
    """Trim the distinct texts, drop those that mean "missing", and keep each one once."""
    trimmed = pc.utf8_trim_whitespace(_without_unseen(found))
    unchanged = _length(trimmed) == _length(found)
    if unchanged and hints.nulls_known:
        return Texts(given, found)
    once = trimmed.dictionary_encode()
    known = pc.invert(pc.is_in(once.dictionary, value_set=_MISSING))
    if hints.marks:
        known = pc.or_(known, pc.is_in(once.dictionary, value_set=text_array(hints.marks)))
    if unchanged and pc.all(known, min_count=0).as_py():
        return Texts(given, found)
    is_known = flags(known)
    kept = np.where(is_known, np.cumsum(is_known) - 1, -1).astype(np.int32)
    recoded = np.append(kept[codes(once.indices)], np.int32(-1))
    return Texts(recoded[given], once.dictionary.filter(known))


def _without_unseen(texts: pa.StringArray) -> pa.StringArray:
    """Drop signs that nobody sees, which web pages leave behind: "Nord" with a zero width space.

    Letters with accents of their own, as the names of files on a Mac have them, become one sign.
    Python puts them together: what Arrow before 26 calls NFC takes them apart.
    """
    if pc.any(pc.match_substring_regex(texts, _ACCENTS), min_count=0).as_py():
        joined = (text and normalize("NFC", text) for text in texts.to_pylist())
        texts = pa.array(joined, texts.type)
    if not pc.any(pc.match_substring_regex(texts, _UNSEEN), min_count=0).as_py():
        return texts
    return pc.replace_substring_regex(texts, _UNSEEN, "")


def _length(texts: pa.StringArray) -> int:
    return int(pc.sum(pc.binary_length(texts)).as_py() or 0)


def _dates(column: pa.ChunkedArray) -> Dates:
    if pa.types.is_date(column.type):
        return Dates.of(floats(pc.cast(pc.cast(column, pa.date32()), pa.int32())))
    return Dates.of(floats(pc.cast(column, pa.int64())) / _DAYS_PER[column.type.unit])


def _booleans(column: pa.ChunkedArray) -> Texts:
    found = codes(_one_chunk(pc.cast(column, pa.int32())))
    return Texts(found, text_array(["False", "True"]), boolean=True)
