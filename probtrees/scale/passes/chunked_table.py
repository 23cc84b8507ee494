"""A table too large for memory: its schema, and its rows a chunk at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import DataError
from probtrees.grow.count.nominal_rows import NominalRows
from probtrees.scale.files.table_files import PartReader, TableFile, changed_meanwhile
from probtrees.scale.passes.statistic import Counted, RowForm
from probtrees.table.cuts import Cuts
from probtrees.table.dataset import Dataset, Provenance, Schema
from probtrees.table.encode import RowRoles, encode, encode_named, row_roles
from probtrees.table.findings import Role
from probtrees.table.match import TableMatch
from probtrees.table.raw_table import RawTable
from probtrees.table.read_options import ReadOptions
from probtrees.types import FloatArray

_NO_CODE = -1


@dataclass(frozen=True)
class ChunkedTable:
    """A table whose rows are read in passes, never all at once.

    Attributes
    ----------
    schema : the columns, the class last: decided by all rows
    parts : what is read one after the other, or by tasks side by side
    reader : reads a part
    n_rows : rows to learn from
    missing : the features with missing values among these rows, by number
    stretch_rows : rows of every file or partition, by number
    heaviest : the largest weight of a row, at least 1; None without weights
    roles : the columns that hold weights, groups or times
    provenance : where the rows come from, and what was left out
    said : what somebody said about the table
    fingerprint : changes whenever a file or the way of reading does
    files : what must not change until all passes are done; empty if the rows are not in files
    match : how rows become those of the schema, where it is that of a model
    is_whole : rows without a class are kept, as one keeps them to predict
    """

    schema: Schema
    parts: tuple[Any, ...]
    reader: PartReader
    n_rows: int
    missing: tuple[int, ...]
    stretch_rows: Mapping[int, int]
    heaviest: float | None = None
    roles: Mapping[str, Role] = field(default_factory=dict)
    provenance: Provenance = field(default_factory=Provenance)
    said: ReadOptions = field(default_factory=ReadOptions)
    fingerprint: str = ""
    files: tuple[TableFile, ...] = ()
    is_whole: bool = False
    match: TableMatch | None = None

    @property
    def name(self) -> str:
        """What people call the data."""
        return re.sub(r"\.[A-Za-z]+(\.gz)?$", "", self.provenance.source) or "data"

    def chunks(self) -> Iterator[Dataset]:
        """Yield all rows that can be learnt from, some at a time, in the order of the files."""
        for part in self.parts:
            yield from self.read(part)

    def read(self, part: Any) -> Iterator[Dataset]:
        """Yield the rows of one part; ``source_rows`` number them through the whole table."""
        before = sum(rows for n, rows in self.stretch_rows.items() if n < part.stretch)
        for first_row, raw in self._raw_chunks(part):
            yield self._encode(raw, before + first_row, part)

    def _raw_chunks(self, part: Any) -> Iterator[tuple[int, RawTable]]:
        """Read the rows of one part as they are written, those for a model brought to its words."""
        for first_row, raw in self.reader.read(part, self._options):
            if self.match is not None:
                self.match.bring(raw)
            yield first_row, raw

    @property
    def _options(self) -> ReadOptions:
        said = ReadOptions(roles=self.roles) if self.match is None else self.match.options
        return replace(said, schema=self.schema, **self.said.place)

    def read_codes(self, part: Any, several: Sequence[Cuts]) -> Iterator[tuple[NominalRows, ...]]:
        """Yield the rows of one part as each of several networks counts them, numbers cut."""
        for _, raw in self._raw_chunks(part):
            with _naming(part):
                roles = row_roles(raw, self.roles)
                tables = tuple(_code_rows(raw, self.schema, cuts, roles) for cuts in several)
            if tables[0].codes.shape[1]:
                yield tables

    def _encode(self, raw: RawTable, first_row: int, part: Any) -> Dataset:
        found = row_roles(raw, self.roles)
        with _naming(part):
            values = encode(raw, self.schema)
        kept, _ = found.kept_and_dropped(raw.n_rows, np.isnan(values[:, -1]))
        data = Dataset(
            self.schema,
            values,
            self.name,
            found.weights,
            found.groups,
            found.times,
            np.arange(first_row, first_row + raw.n_rows, dtype=np.int64),
            self.provenance,
            repeats=None,
        )
        return data if self.is_whole or kept.all() else data.take(kept)


@contextmanager
def _naming(part: Any) -> Iterator[None]:
    """Name the file of a part, or the partition of a data frame, in what is raised meanwhile."""
    try:
        yield
    except DataError as problem:
        path = getattr(part, "path", f"partition {part.stretch}")
        raise DataError(f"file={path!r}: {problem}") from None


def _code_rows(raw: RawTable, schema: Schema, cuts: Cuts, found: RowRoles) -> NominalRows:
    """Lay raw rows out for counting, numbers cut; rows that cannot be learnt from are left out.

    The result is that of ``nominal_rows(cuts.apply(encoded rows))``, without the table of numbers
    in between.
    """
    cut_schema = cuts.apply_to_schema(schema)
    codes = np.empty((schema.n_columns, raw.n_rows), dtype=np.int32)
    for number, column in enumerate(schema.columns):
        missing = cut_schema.columns[number].n_values - 1 if number in cuts.not_recorded else None
        points, encoded = cuts.points.get(number), encode_named(raw, column)
        if encoded.table is None:
            codes[number] = _code_numbers(encoded.values, points, missing)
        else:
            of_value = _code_numbers(encoded.table, points, missing)
            codes[number] = of_value[encoded.values + 1]
    kept, _ = found.kept_and_dropped(raw.n_rows, codes[-1] == _NO_CODE)
    weights = np.ones(raw.n_rows) if found.weights is None else found.weights
    if not kept.all():
        codes, weights = np.ascontiguousarray(codes[:, kept]), weights[kept]
    # Refuse values that the scan of the same rows has not met: kernels trust what passes here.
    beyond = codes.max(axis=1, initial=-1) >= cut_schema.n_values
    for number in np.flatnonzero((codes.min(axis=1, initial=0) < 0) | beyond).tolist():
        raise changed_meanwhile(schema.names[number])
    return NominalRows(codes, cut_schema.n_values.astype(np.int64), np.ascontiguousarray(weights))


def _code_numbers(
    values: FloatArray, points: FloatArray | None, missing: int | None
) -> NDArray[np.int32]:
    """Cut the numbers of one column; ``missing`` is the code of a missing value, if it has one."""
    is_missing = np.isnan(values)
    if points is None:
        found = np.where(is_missing, _NO_CODE, values).astype(np.int32)
    else:
        found = np.searchsorted(points, values, side="left").astype(np.int32)
    found[is_missing] = _NO_CODE if missing is None else missing
    return found


@dataclass(frozen=True)
class DatasetForm(RowForm):
    """Numbers, and codes of categories. No two passes want rows so."""

    def read(self, table: ChunkedTable, part: Any) -> Iterator[Counted]:
        """Yield the rows of a part, some at a time."""
        for rows in table.read(part):
            yield rows.n_rows, rows


@dataclass(frozen=True)
class NetworkForm(RowForm):
    """Codes column by column, numbers cut by one or each of several networks; read once."""

    cuts: tuple[Cuts, ...]

    def read(self, table: ChunkedTable, part: Any) -> Iterator[Counted]:
        """Yield the rows of a part, some at a time, once for every network."""
        for tables in table.read_codes(part, self.cuts):
            yield tables[0].codes.shape[1], tables

    def row_bytes(self, schema: Schema) -> int:
        """Return the bytes of a row: codes and a weight for every network."""
        return len(self.cuts) * (4 * schema.n_columns + 8)
