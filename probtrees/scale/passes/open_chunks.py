"""Open a table too large for memory: find its files, look through them once, decide its schema."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from functools import partial
from typing import Any

from probtrees.errors import DataError, did_you_mean
from probtrees.scale.files import table_files
from probtrees.scale.passes.chunked_table import ChunkedTable
from probtrees.scale.passes.conductor import Conductor
from probtrees.scale.passes.table_scan import RawForm, TableScan, as_spelled
from probtrees.table.dataset import Column, Provenance, Schema
from probtrees.table.findings import ROW_ROLES, Finding
from probtrees.table.infer.plan import TablePlan
from probtrees.table.match import match_table
from probtrees.table.raw_table import Texts
from probtrees.table.read_options import ReadOptions
from probtrees.version import __version__


def open_chunks(
    source: table_files.Source,
    target: str | None = None,
    *,
    memory: int | str = table_files.DEFAULT_MEMORY,
    conductor: Conductor | None = None,
    **said: Any,
) -> ChunkedTable:
    """Look through a large table once, and make it ready to be read in passes.

    Files are compared first, by their footers or first lines; then one pass decides types and
    categories by the rules of :func:`~probtrees.table.read_table.read_table`.

    Parameters
    ----------
    source : a file, a folder, a pattern such as ``"2024-*.csv"``, or a list of these; Parquet
        or delimited text
    target : the column to predict; by default the last one
    memory : how much may be held at a time, in bytes or as in "2GB"
    conductor : carries out the first look; by default this process, at once
    said : the fields of ``ReadOptions``, which are arguments of ``read_table``

    Raises
    ------
    DataError : naming file and rows if one of them cannot be read or does not fit the others
    """
    given = {name: value for name, value in said.items() if value is not None}
    listed = {name: tuple(value) for name, value in given.items() if isinstance(value, list)}
    options = ReadOptions(target, **given | listed)
    return _look_through(_found_files(source, memory, options), options, conductor)


def _found_files(source: table_files.Source, memory: int | str, said: ReadOptions) -> ChunkedTable:
    """Find the files and cut them into parts; of text, ``n_rows`` is a guess.

    No column is known: those of the files are for others to compare with a schema, or to look at.
    """
    files = table_files.find_files(source, said)
    reader = table_files.FileReader.of_memory(table_files.memory_bytes(memory), len(files[0].names))
    parts = table_files.parts_of(files, reader.rows_at_once)
    rows: Counter[int] = Counter()
    for part in parts:
        rows[part.stretch] += part.n_rows
    # A change of a file or of what is said shows in the fingerprint.
    seen = [(file.path, file.size, file.modified) for file in files]
    first = re.split(r"[\\/]", files[0].path)[-1]
    name = first if len(files) == 1 else f"{first} and {len(files) - 1} more"
    return ChunkedTable(
        schema=Schema(()),
        parts=parts,
        reader=reader,
        n_rows=rows.total(),
        missing=(),
        stretch_rows=rows,
        said=said,
        fingerprint=repr((seen, sorted(said.record.items(), key=repr))),
        files=files,
        provenance=Provenance(source=name, version=__version__),
    )


def open_with_schema(
    source: table_files.Source,
    schema: Schema,
    memory: int | str = table_files.DEFAULT_MEMORY,
    layout: ReadOptions | None = None,
    *,
    to_predict: bool = False,
) -> ChunkedTable:
    """Make a large table ready to be read for a schema that is already there.

    Nothing is scanned: other columns are ignored, and unknown categories become
    :data:`~probtrees.table.dataset.UNSEEN`. Columns are found regardless of case and spaces where
    only one can be meant. ``n_rows`` is a guess for text.

    Parameters
    ----------
    layout : how the table is read, as in ``read_to_predict``
    to_predict : the class may be absent, and rows without one are kept
    """
    layout = layout or ReadOptions()
    table = _found_files(source, memory, layout)
    names, where = table.files[0].names, repr(table.files[0].path)
    match = match_table(schema, names, layout, where)
    if not to_predict and schema.target.source_name not in {*names, *match.called.values()}:
        advice = did_you_mean(schema.target.source_name, names)
        raise DataError(
            f"column={schema.target.source_name!r} must be in {where}, since it says what "
            f"happened. {advice}"
        )
    return replace(
        table,
        schema=match.schema,
        roles=match.roles,
        is_whole=to_predict,
        match=match,
        provenance=replace(table.provenance, notes=tuple(map(str, match.findings))),
    )


def _look_through(
    unscanned: ChunkedTable, options: ReadOptions, conductor: Conductor | None
) -> ChunkedTable:
    """Look through all parts and decide the schema; see :func:`open_chunks`."""
    names, where = unscanned.files[0].names, repr(unscanned.provenance.source)
    options.check_columns(names, where)
    # The last column of the first file is the target of all, in whatever order theirs are.
    options = replace(options, target=options.target_name(names))
    seen = _scan(unscanned, options, conductor or Conductor())
    if seen.in_conflict:
        # Columns that are numbers in one chunk and texts in another are read once more as spelled:
        # what a number was spelled like ("1.0") is gone once it is read as one.
        spelled = as_spelled(options, seen.in_conflict)
        seen = _scan(unscanned, spelled, conductor or Conductor())
        seen.options = options
    plan = seen.plan(names, where)
    for finding in plan.all_findings:
        if finding.kind == "wrong cell":
            raise DataError(_with_place(finding, unscanned, options))
        if finding.severity == "error":
            raise DataError(str(finding))
    if seen.n_rows == 0:
        raise DataError(f"every row was dropped ({', '.join(seen.dropped)}). Check the roles.")
    return _opened(unscanned, seen, plan, options)


def _with_place(finding: Finding, table: ChunkedTable, options: ReadOptions) -> str:
    """Say in which row of which file a cell stands that is not what its column is said to hold.

    A scan counts texts and does not know where they stand: the files are read up to the first one.
    """
    name, text = str(finding.column), finding.fixes[0].value["texts"][0]
    place, seen = "", Counter[str]()
    for part in table.parts:
        path = part.path
        for _, raw in table.reader.read(part, as_spelled(options, (name,))):
            column = raw.columns.get(name)
            if not place and isinstance(column, Texts) and text in column.texts:
                row = seen[path] + int((column.codes == column.texts.index(text)).argmax()) + 1
                place = f" in row {row:,} of {path!r}"
            seen[path] += raw.n_rows
        if place:
            break
    return re.sub(r" in row [0-9,]+", lambda _: place, str(finding))


def _scan(table: ChunkedTable, options: ReadOptions, conductor: Conductor) -> TableScan:
    made_from = sorted(options.types.items())
    return conductor.run("scan", made_from, table, RawForm(options), partial(TableScan, options))


def _opened(
    unscanned: ChunkedTable, seen: TableScan, plan: TablePlan, options: ReadOptions
) -> ChunkedTable:
    """Make the table of what was seen and decided."""
    # The first file stands for all; what is left out below the rows of another is added.
    first, *others = [file.findings for file in unscanned.files]
    below = [finding for found in others for finding in found if finding.kind == "totals"]
    record = replace(
        unscanned.provenance,
        rows_read=sum(seen.stretch_rows.values()),
        rows_dropped=dict(seen.dropped),
        roles={column.name: column.role for column in plan.columns},
        notes=tuple(map(str, (*first, *below, *plan.all_findings))),
        options=options.record,
    )
    lacking = {name for name, count in seen.missing.items() if count}
    features = enumerate(plan.schema.features)
    return replace(
        unscanned,
        schema=plan.schema,
        n_rows=seen.n_rows,
        missing=tuple(n for n, column in features if _may_lack(column, lacking)),
        stretch_rows=dict(sorted(seen.stretch_rows.items())),
        heaviest=seen.heaviest if "weight" in options.roles.values() else None,
        roles={name: role for name, role in options.roles.items() if role in ROW_ROLES},
        said=options,
        provenance=record,
    )


def _may_lack(column: Column, lacking: Collection[str]) -> bool:
    """Whether some cells of a column have no value, as far as a scan can tell."""
    recoded = column.step("recode")
    if recoded is not None and "" in recoded.settings["values"]:
        return False
    return bool(column.reading.missing) or any(name in lacking for name in column.source_names)
