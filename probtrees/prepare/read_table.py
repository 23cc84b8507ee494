"""From a file, bytes or a frame to a Dataset."""

from __future__ import annotations

import gzip
import hashlib
import re
from pathlib import Path
from typing import Any

import numpy as np

from probtrees.dataset import UNSEEN, Column, Dataset, Schema
from probtrees.errors import DataError, did_you_mean
from probtrees.prepare.arff import looks_like_arff, read_arff
from probtrees.prepare.delimited import read_delimited
from probtrees.prepare.raw_table import Numbers, RawColumn, RawTable, Texts
from probtrees.provenance import Provenance


def read_table(source: Any, target: str | None = None, *, schema: Schema | None = None) -> Dataset:
    """Read a table; the target is its last column unless told otherwise."""
    raw, name, digest = _read(source)
    if schema is None:
        schema = _infer(raw, target)
    else:
        absent = [c.source_name for c in schema.features if c.source_name not in raw.columns]
        if absent:
            raise DataError(f"columns={absent!r} must be in the table. Add them to {name!r}.")
    values = np.empty((raw.n_rows, schema.n_columns))
    for number, column in enumerate(schema.columns):
        if column.source_name in raw.columns:
            values[:, number] = _encode(raw.columns[column.source_name], column)
        else:
            values[:, number] = np.nan
    record = Provenance(source=name, sha256=digest, rows_read=raw.n_rows)
    return Dataset(schema, values, name=re.sub(r"\..*", "", name), provenance=record)


def _read(source: Any) -> tuple[RawTable, str, str]:
    if type(source).__module__.startswith("pandas"):
        text, name = source.to_csv(index=False), "data frame"
        return read_delimited(text), name, ""
    if hasattr(source, "read"):
        data, name = source.read(), Path(str(getattr(source, "name", "data"))).name
        data = data.encode() if isinstance(data, str) else data
    else:
        path = Path(source)
        if not path.is_file():
            raise DataError(f"file={str(source)!r} must exist. Check the path.")
        data, name = path.read_bytes(), path.name
    digest = hashlib.sha256(data).hexdigest()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")
    raw = read_arff(text, repr(name)) if looks_like_arff(text[:65536]) else read_delimited(text)
    return raw, name, digest


def _infer(raw: RawTable, target: str | None) -> Schema:
    names = list(raw.columns)
    target = names[-1] if target is None else target
    if target not in names:
        raise DataError(
            f"target={target!r} must be a column of the table. {did_you_mean(target, names)}"
        )
    ordered = [name for name in names if name != target] + [target]
    return Schema(tuple(_describe(name, raw.columns[name], name == target) for name in ordered))


def _describe(name: str, column: RawColumn, is_target: bool) -> Column:
    if isinstance(column, Texts):
        return Column(name, column.texts if column.declared else tuple(sorted(column.texts)))
    if is_target and isinstance(column, Numbers):
        distinct = np.unique(column.values[~np.isnan(column.values)])
        return Column(name, tuple(f"{number:g}" for number in distinct))
    return Column(name)


def _encode(column: RawColumn, described: Column) -> Any:
    if isinstance(column, Texts):
        codes = [described.codes.get(text, UNSEEN) for text in column.texts]
        return np.array([*codes, np.nan])[column.codes]
    if isinstance(column, Numbers) and described.is_nominal:
        numbers = np.array([float(text) for text in described.categories or ()])
        codes = np.searchsorted(numbers, column.values).astype(float)
        return np.where(np.isnan(column.values), np.nan, codes)
    assert isinstance(column, Numbers)
    return column.values
