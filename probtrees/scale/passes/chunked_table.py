"""A table too large for memory: its schema, and its rows a chunk at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from probtrees.errors import DataError
from probtrees.grow.count.nominal_rows import NominalRows, nominal_rows
from probtrees.scale.files.table_files import FilePart, FileReader, TableFile
from probtrees.scale.passes.statistic import RowForm
from probtrees.table.cuts import Cuts
from probtrees.table.dataset import Dataset, Provenance, Schema
from probtrees.table.encode import encode, row_roles, rows_to_learn_from
from probtrees.table.findings import Role
from probtrees.table.match import TableMatch
from probtrees.table.raw_table import RawTable
from probtrees.table.read_options import ReadOptions


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
    parts: tuple[FilePart, ...]
    reader: FileReader
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

    def read(self, part: FilePart) -> Iterator[Dataset]:
        """Yield the rows of one part; ``source_rows`` number them through the whole table."""
        before = sum(rows for n, rows in self.stretch_rows.items() if n < part.stretch)
        for first_row, raw in self.reader.read(part, self._options):
            if self.match is not None:
                self.match.bring(raw)
            try:
                rows = self._encode(raw, before + first_row)
            except DataError as problem:
                raise DataError(f"file={part.path!r}: {problem}") from None
            yield rows

    @property
    def _options(self) -> ReadOptions:
        said = ReadOptions(roles=self.roles) if self.match is None else self.match.options
        return replace(said, schema=self.schema, **self.said.place)

    def _encode(self, raw: RawTable, first_row: int) -> Dataset:
        found, values = row_roles(raw, self.roles), encode(raw, self.schema)
        kept, _ = rows_to_learn_from(found, raw.n_rows, np.isnan(values[:, -1]))
        data = Dataset(
            self.schema,
            values,
            self.name,
            **found,
            source_rows=np.arange(first_row, first_row + raw.n_rows, dtype=np.int64),
            provenance=self.provenance,
            repeats=None,
        )
        return data if self.is_whole or kept.all() else data.take(kept)


@dataclass(frozen=True)
class NetworkForm(RowForm):
    """Codes column by column, numbers cut by one or each of several networks; read once."""

    cuts: tuple[Cuts, ...]

    def of(self, rows: Dataset) -> tuple[NominalRows, ...]:
        """Return some rows as every network counts them."""
        return tuple(nominal_rows(cuts.apply(rows)) for cuts in self.cuts)

    def row_bytes(self, schema: Schema) -> int:
        """Return the bytes of a row: codes and a weight for every network."""
        return len(self.cuts) * (4 * schema.n_columns + 8)
