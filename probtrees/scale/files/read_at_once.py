"""What is done about a text that is read at once, and not where it is read in chunks.

Printed tables are taken apart, names that stand there again and subtotals are left out, merged
cells are offered to be filled down, and points that group thousands are told from decimal ones. All
that needs lines beside each other, or the whole of a column, which a chunk does not show. So the
beginning of a file is looked at as if it were read at once, and what would be done is said.
"""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import NamedTuple

from probtrees.errors import ProbTreesError
from probtrees.scale.files.held_files import place_of
from probtrees.scale.files.table_files import TableFile
from probtrees.table.findings import listed
from probtrees.table.formats.open_table import open_table
from probtrees.table.infer.merged_columns import fill_down
from probtrees.table.raw_table import RawTable, Texts
from probtrees.table.read_options import ReadOptions

_HEAD_BYTES = 1 << 18
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:\.\d{3})+")
_INSTEAD = "In chunks that is not understood: leave out --chunks, or mend the files."


class NotDone(NamedTuple):
    """Sentences about lines that are no rows, and about columns that are read otherwise."""

    lines: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()


def not_done_in_chunks(file: TableFile, options: ReadOptions) -> NotDone:
    """Say what would be done about the beginning of a file if it were read at once."""
    if file.format != "text":
        return NotDone()
    layout = ReadOptions(
        as_written=options.as_written,
        header_lines=file.header_lines,
        encoding=file.encoding,
        odd_lines=options.odd_lines,
    )
    try:
        raw = open_table((Path(file.path).name, _beginning(file)), layout).raw
    except (ProbTreesError, OSError, EOFError):
        return NotDone()  # what is wrong with the file is said where it is read
    said = (_about_lines(raw), _about_columns(raw, options))
    return NotDone(*(tuple(f"{words} {_INSTEAD}" for words in some) for some in said))


def _beginning(file: TableFile) -> bytes:
    """Return whole lines from the beginning of a file."""
    place = place_of(file.path)
    is_packed = file.path.lower().endswith(".gz")
    with gzip.open(place, "rb") if is_packed else open(place, "rb") as opened:
        head: bytes = opened.read(_HEAD_BYTES + 1)
    if len(head) <= _HEAD_BYTES:
        return head
    return head[: head.rfind(b"\n", 0, _HEAD_BYTES) + 1]


def _about_lines(raw: RawTable) -> list[str]:
    found = {finding.kind: finding.sentence for finding in raw.findings}
    said = [found["printed"]] if "printed" in found else []
    if "stacked" in found and "no names" not in found:
        said.append(found["stacked"])
    if raw.left_out:
        said.append("Lines between the rows, such as subtotals, are no rows of the table.")
    return said


def _about_columns(raw: RawTable, options: ReadOptions) -> list[str]:
    said = [found.sentence for found in fill_down(raw, options)] if options.schema is None else []
    grouped = [
        repr(name)
        for name, column in raw.columns.items()
        if isinstance(column, Texts) and options.keeps(name) and _are_thousands(column)
    ]
    if grouped:
        said.append(f"Points of {listed(grouped)} group thousands, since others have a comma.")
    return said


def _are_thousands(column: Texts) -> bool:
    """Whether points group thousands: they are no decimal points, as others are."""
    comma = column.numbers.spelling.decimal == "," or column.decimal == ","
    return comma and bool(column.texts) and all(map(_GROUPED.fullmatch, column.texts))
