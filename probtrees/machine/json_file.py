"""JSON files that people can read: arrays kept exactly, written all at once or not at all."""

from __future__ import annotations

import gzip
import json
import math
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import DataError
from probtrees.machine.atomic_file import write_atomically
from probtrees.machine.input_bytes import GZIP_MARK, gunzip, named_bytes
from probtrees.types import FloatArray

_ARRAY_KEYS = frozenset({"array", "shape", "dtype"})
_DTYPES = ("float64", "int64", "bool")
_PACKED_HARD = 4
"""A third of the time of gzip's usual 6, for files 5 % larger."""

_EXACT = 2.0**53
"""Whole numbers below this are the same as floats and as integers."""

_NOT_FINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


def encode(value: Any) -> Any:
    """Turn arrays, tuples and numpy scalars inside a value into what JSON knows.

    >>> encode({"weights": np.array([1.0, np.inf])})
    {'weights': {'array': [1.0, 'inf'], 'shape': [2], 'dtype': 'float64'}}
    """
    if isinstance(value, Mapping):
        return {str(key): encode(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [encode(entry) for entry in value]
    if isinstance(value, np.ndarray):
        dtype = {"f": "float64", "b": "bool"}.get(value.dtype.kind, "int64")
        flat = value.astype(dtype).ravel()
        return {"array": encode_numbers(flat), "shape": list(value.shape), "dtype": dtype}
    if isinstance(value, np.generic):
        return encode(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def decode(value: Any) -> Any:
    """Turn what :func:`encode` wrote back; lists stay lists."""
    if isinstance(value, list):
        return [decode(entry) for entry in value]
    if not isinstance(value, dict):
        return value
    if value.keys() != _ARRAY_KEYS:
        return {key: decode(entry) for key, entry in value.items()}
    if value["dtype"] not in _DTYPES:
        raise DataError(f"array dtype={value['dtype']!r} must be one of {_DTYPES}.")
    shape = tuple(int(size) for size in value["shape"])
    numbers = value["array"]
    is_float = value["dtype"] == "float64"
    flat = decode_numbers(numbers) if is_float else np.asarray(numbers, dtype=value["dtype"])
    if flat.ndim != 1 or any(size < 0 for size in shape) or math.prod(shape) != flat.size:
        raise DataError(f"array shape={shape} must hold its {flat.size} numbers.")
    return flat.reshape(shape)


def decode_entries(value: Any, what: str) -> dict[str, Any]:
    """Turn a record that :func:`encode` wrote back; an array in its place is refused."""
    found = decode(value)
    if not isinstance(found, dict):
        raise DataError(f"{what} must be entries by name. Write the file again.")
    return found


def encode_numbers(values: NDArray[Any]) -> list[Any]:
    """List numbers, those that JSON cannot write as words; nested like the array.

    Where all are whole, as counts are, they are written so: 12, not 12.0.
    """
    if values.dtype.kind != "f":
        return list(values.tolist())
    finite = np.isfinite(values)
    if finite.all():
        are_whole = bool((np.abs(values) < _EXACT).all() and (values == np.rint(values)).all())
        return list((values.astype(np.int64) if are_whole else values).tolist())
    as_objects = values.astype(object)
    as_objects[~finite] = [str(number) for number in values[~finite].tolist()]
    return list(as_objects.tolist())


def decode_numbers(numbers: Any) -> FloatArray:
    """Read what :func:`encode_numbers` wrote."""
    if not isinstance(numbers, list):
        raise DataError("array must be a list of numbers.")
    try:
        return np.asarray(numbers, dtype=np.float64)
    except (TypeError, ValueError):
        return np.asarray([_number(entry) for entry in numbers], dtype=np.float64)


def _number(entry: Any) -> Any:
    if isinstance(entry, list):
        return [_number(inner) for inner in entry]
    return _NOT_FINITE[entry] if isinstance(entry, str) else entry


def write_json(record: Mapping[str, Any], path: str | Path) -> None:
    """Write a record, one entry per line, lists of numbers on one line; .gz is compressed.

    The file appears complete or not at all.
    """
    target = Path(path)
    content = "".join(f"{line}\n" for line in _lines(record)).encode()
    if target.suffix == ".gz":
        content = gzip.compress(content, compresslevel=_PACKED_HARD, mtime=0)
    write_atomically(target, content)


def _lines(value: Any, indent: str = "", name: str = "", comma: str = "") -> Iterator[str]:
    """Lay out dictionaries, and lists that hold some, one entry per line."""
    entries: list[tuple[str, Any]]
    if isinstance(value, dict) and value:
        opening, closing = "{", "}"
        entries = [(json.dumps(key, ensure_ascii=False) + ": ", v) for key, v in value.items()]
    elif isinstance(value, list) and any(isinstance(entry, dict) for entry in value):
        opening, closing = "[", "]"
        entries = [("", entry) for entry in value]
    else:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(", ", ": "))
        yield indent + name + text + comma
        return
    yield indent + name + opening
    for number, (inner, entry) in enumerate(entries):
        yield from _lines(entry, indent + " ", inner, "," if number < len(entries) - 1 else "")
    yield indent + closing + comma


def read_json(source: Any, what: str) -> dict[str, Any]:
    """Read a record; whatever is wrong with the file becomes one sentence.

    Parameters
    ----------
    source : a path, an open file, or a pair (name, bytes)
    what : the kind of file expected, for the sentence
    """
    given = named_bytes(source)
    name = str(source) if given is None else given.name
    rule = f"{what}={name!r} must be a readable JSON file."
    try:
        content = Path(source).read_bytes() if given is None else given.content
        if content[:2] == GZIP_MARK:
            content = gunzip(content, name)
        record = json.loads(content.decode("utf-8"))
    except DataError:
        raise
    except OSError as problem:
        raise DataError(f"{rule} {problem.strerror or problem}.") from None
    except (ValueError, EOFError, zlib.error, RecursionError):
        raise DataError(f"{rule} It is cut off or damaged; save it again.") from None
    if not isinstance(record, dict):
        raise DataError(f"{rule} It holds a {type(record).__name__}, not a record.")
    return record
