"""Read the files of statistics programs: Stata, SPSS and SAS."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa

from probtrees.errors import DataError
from probtrees.machine.guarded_process import ProcessFailed, answer_of
from probtrees.table.cells.raw_table import RawColumn, RawTable, Texts
from probtrees.table.formats.arrow_columns import raw_column, texts
from probtrees.table.formats.column_names import check_names
from probtrees.table.formats.format import Format, is_named
from probtrees.table.formats.missing_spellings import declared_finding
from probtrees.table.formats.table_source import TableSource
from probtrees.table.read_options import ReadOptions

_KINDS = {
    ".dta": "Stata",
    ".sav": "SPSS",
    ".zsav": "SPSS",
    ".por": "SPSS portable",
    ".xpt": "SAS transport",
    ".sas7bdat": "SAS",
}
_SCRIPT = Path(__file__).with_name("statistics_process.py")
_SAS_MARK = bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011")


def read_statistics(source: TableSource, options: ReadOptions) -> RawTable:
    """Read a file; value labels become categories, values declared as missing are missing."""
    content = source.content()
    kind = _kind(source.name, content[:4096])
    try:
        answer = answer_of(_SCRIPT, [kind], content)
    except ProcessFailed as failure:
        raise _damaged(source, kind, str(failure)) from None
    head, _, body = answer.partition(b"\n")
    known = json.loads(head)
    if "problem" in known:
        raise _damaged(source, kind, known["problem"])
    table = pa.ipc.open_stream(body).read_all()
    names = check_names([name.strip() for name in table.column_names], source.where)
    columns = {
        name: _column(table[number], name, source.where)
        for number, name in enumerate(names)
        if options.keeps(name)
    }
    said = known["labels"]
    labels = {
        name: said[written].strip()
        for name, written in zip(names, table.column_names, strict=True)
        if said.get(written, "").strip() not in ("", name)
    }
    values = {
        name: tuple((code, label) for code, label in known["value labels"][written])
        for name, written in zip(names, table.column_names, strict=True)
        if known["value labels"].get(written)
    }
    missing = {
        name: tuple(known["missing"][written])
        for name, written in zip(names, table.column_names, strict=True)
        if known["missing"].get(written)
    }
    places: dict[str, dict[str, int]] = {}
    for name, written in zip(names, table.column_names, strict=True):
        for code, n in known["missing cells"].get(written, {}).items() if name in columns else ():
            places.setdefault(code, {})[name] = n
    declared = declared_finding(places)
    return RawTable(
        columns,
        table.num_rows,
        names,
        findings=() if declared is None else (declared,),
        labels=labels,
        value_labels=values,
        declared_missing=missing,
    )


def _column(column: pa.ChunkedArray, name: str, where: str) -> RawColumn:
    """Take labels as they are declared, in the order of what they stand for."""
    if not pa.types.is_dictionary(column.type):
        return raw_column(column, name, where)
    found = texts(column)
    return Texts(found.codes, found.distinct, declared=True)


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
