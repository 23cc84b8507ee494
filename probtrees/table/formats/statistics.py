"""Read the files of statistics programs: Stata, SPSS and SAS."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from probtrees.errors import DataError
from probtrees.machine.guarded_process import ProcessFailed
from probtrees.table.formats.arrow import check_names, raw_column
from probtrees.table.formats.excel import ask_foreign
from probtrees.table.formats.source import Format, TableSource, is_named
from probtrees.table.raw_table import RawColumn, RawTable, Texts

if TYPE_CHECKING:
    from probtrees.table.read_options import ReadOptions

_KINDS = {
    ".dta": "Stata",
    ".sav": "SPSS",
    ".zsav": "SPSS",
    ".por": "SPSS portable",
    ".xpt": "SAS transport",
    ".sas7bdat": "SAS",
}
_SAS_MARK = bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011")


def read_statistics(source: TableSource, options: ReadOptions) -> RawTable:
    """Read a file; value labels become categories, values declared as missing are missing."""
    content = source.data
    kind = _kind(source.name, content[:4096])
    try:
        known, body = ask_foreign("statistics", kind, content)
    except ProcessFailed as failure:
        raise _damaged(source, kind, str(failure)) from None
    if "problem" in known:
        raise _damaged(source, kind, known["problem"])
    table = pa.ipc.open_stream(body).read_all()
    names = check_names([name.strip() for name in table.column_names], source.where)
    written = dict(zip(names, table.column_names, strict=True))
    said = {name: known["labels"].get(own, "").strip() for name, own in written.items()}
    values = {name: known["value labels"].get(own) or () for name, own in written.items()}
    missing = {name: tuple(known["missing"].get(own, ())) for name, own in written.items()}
    return RawTable(
        {
            name: _column(table[number], name, source.where)
            for number, name in enumerate(names)
            if options.keeps(name)
        },
        table.num_rows,
        names,
        labels={name: label for name, label in said.items() if label not in ("", name)},
        value_labels={n: tuple((c, t) for c, t in pairs) for n, pairs in values.items() if pairs},
        missing={name: texts for name, texts in missing.items() if texts},
    )


def _column(column: pa.ChunkedArray, name: str, where: str) -> RawColumn:
    """Take labels as they are declared, in the order of what they stand for."""
    found = raw_column(column, name, where)
    if pa.types.is_dictionary(column.type) and isinstance(found, Texts):
        return Texts(found.codes, found.distinct, declared=True)
    return found


def _damaged(source: TableSource, kind: str, reason: str) -> DataError:
    program = kind.split(maxsplit=1)[0]
    return DataError(
        f"{source.where} must be a complete {program} file; reading it failed: "
        f"{reason.rstrip('.')}. Save it again from {program}, or export the table as CSV."
    )


def _kind(name: str, head: bytes) -> str:
    """Tell the programs apart: by how their files begin, else by their names."""
    marks = {
        "SPSS": head.startswith((b"$FL2", b"$FL3")),
        "SPSS portable": b"ASCII SPSS PORT FILE" in head[:300],
        "Stata": head.startswith(b"<stata_dta>"),
        "SAS": head[12:32] == _SAS_MARK,
        "SAS transport": head.startswith(b"HEADER RECORD*******LIB"),
    }
    by_name = (kind for suffix, kind in _KINDS.items() if is_named(name, (suffix,)))
    return next((kind for kind, is_so in marks.items() if is_so), None) or next(by_name, "")


def _is_statistics(name: str, head: bytes) -> bool:
    return bool(_kind(name, head))


STATISTICS = Format("Stata, SPSS, SAS", tuple(_KINDS), read_statistics, _is_statistics)
