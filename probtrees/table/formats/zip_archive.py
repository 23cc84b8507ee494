"""Tables packed in a zip archive: the one table in it, or the one that is named."""

from __future__ import annotations

import copy
import io
import posixpath
import zipfile
import zlib
from collections.abc import Iterator

from probtrees.errors import DataError, did_you_mean
from probtrees.machine.input_bytes import check_unpacked
from probtrees.table.formats.source import Sheets, TableSource

ZIP_MARK = b"PK\x03\x04"
"""How every zip archive begins, and every workbook that is one."""

_MOST_MEMBERS = 10_000
_PIECE = 1 << 24
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError)


def tables_in_zip(
    source: TableSource, wanted: str | None, suffixes: tuple[str, ...]
) -> tuple[Sheets, TableSource]:
    """List the tables of an archive, and unpack the one that is wanted, or the first.

    Parameters
    ----------
    wanted : a table by its name in the archive, or by its number from 1
    suffixes : how files are named that may be tables
    """
    try:
        with zipfile.ZipFile(io.BytesIO(source.data)) as packed:
            members = [m for m in packed.infolist()[:_MOST_MEMBERS] if _is_table(m, suffixes)]
            if not members:
                raise DataError(
                    f"{source.where} must hold a table; the archive has none. Pack a file such as "
                    "table.csv, or choose the file itself."
                )
            member = _choose(members, wanted, source)
            packed_size = max(member.compress_size, 1)
            data = b"".join(unpack(packed, member, source.name, packed_size))
    except RuntimeError:
        raise DataError(
            f"{source.where} must not be locked; it asks for a password. Pack it without one."
        ) from None
    except _DAMAGED:
        raise DataError(
            f"{source.where} must be a complete zip archive; it ends too early or is damaged. Copy "
            "or download it again."
        ) from None
    found = source.with_bytes(data, name=posixpath.basename(member.filename))
    return Sheets(tuple(m.filename for m in members), member.filename), found


def _is_table(member: zipfile.ZipInfo, suffixes: tuple[str, ...]) -> bool:
    """Whether a member may be a table: not a folder, nor what computers add for themselves."""
    name = member.filename
    hidden = any(part.startswith((".", "__")) for part in name.split("/"))
    named_so = name.lower().endswith(suffixes)
    return not member.is_dir() and not hidden and named_so and member.file_size > 0


def _choose(
    members: list[zipfile.ZipInfo], wanted: str | None, source: TableSource
) -> zipfile.ZipInfo:
    if wanted is None or len(members) == 1:
        return members[0]
    by_name = {member.filename: member for member in members}
    number = int(wanted) if wanted.isdecimal() and len(wanted) < 7 else 0
    if wanted not in by_name and not 1 <= number <= len(members):
        raise DataError(
            f"sheet={wanted!r} must be a table in {source.where}, by its name or its number. "
            f"{did_you_mean(wanted, list(by_name))}"
        )
    return by_name.get(wanted) or members[number - 1]


def unpack(
    packed: zipfile.ZipFile,
    member: zipfile.ZipInfo,
    name: str,
    packed_size: int,
    size: int = 0,
) -> Iterator[bytes]:
    """Unpack one member piece by piece: what it says about its size may be wrong.

    Parameters
    ----------
    name, packed_size : the file as it is called in sentences, and its bytes
    size : bytes that were unpacked from it before
    """
    unlimited = copy.copy(member)
    unlimited.file_size = 1 << 60
    with packed.open(unlimited) as file:
        while piece := file.read(_PIECE):
            size += len(piece)
            check_unpacked(size, packed_size, name)
            yield piece
