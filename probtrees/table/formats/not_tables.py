"""Files that people have tables in but that are none: documents, pictures, mails, databases.

They are known by their bytes, as tables are. What each is and what to do about it is said.
"""

from __future__ import annotations

import io
import re
import zipfile

from probtrees.errors import DataError
from probtrees.table.formats.table_source import TableSource

_HEAD = 1 << 13
_COPY = (
    "Copy the table in it and paste it on the Data page, or save the table by itself as .xlsx or "
    ".csv."
)
_PICTURE = "Look for the file it was made from (.xlsx, .csv), or copy its cells into a sheet."
_EXPORT = "Export the table as .csv or .xlsx and read that."
_MAIL = "Save the table that is attached as a file of its own, or copy its cells and paste them."
_OTHER = "Choose another file."
_UNPACK = "Unpack it and choose the table itself, or pack it as .zip."

_BEGINNINGS = (
    (rb"%PDF-\d", "a PDF document", _COPY),
    (rb"\{\\rtf", "a text document (RTF)", _COPY),
    (rb"\xff\xd8\xff", "a picture (JPEG)", _PICTURE),
    (rb"\x89PNG\r\n", "a picture (PNG)", _PICTURE),
    (rb"GIF8[79]a", "a picture (GIF)", _PICTURE),
    (rb"II\*\x00|MM\x00\*", "a picture (TIFF)", _PICTURE),
    (rb"RIFF....WEBP", "a picture (WebP)", _PICTURE),
    (rb"\x00\x00..ftyp(heic|heix|mif1|avif)", "a picture (HEIC)", _PICTURE),
    (rb"\x00\x00..ftyp|\x1aE\xdf\xa3|ID3[\x02-\x04]|OggS\x00", "a film or a sound", _OTHER),
    (rb"SQLite format 3\x00|\x00\x01\x00\x00Standard (Jet|ACE) DB", "a database", _EXPORT),
    (rb"RD[AXB][23]\n[AXB]\n", "an R workspace", "Write the table with write.csv() and read that."),
    (rb"\x89HDF\r\n", "an HDF5 file", _EXPORT),
    (rb"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", _UNPACK),
    (rb"Rar!\x1a\x07", "a RAR archive", _UNPACK),
)
_MAIL_HEAD = re.compile(
    rb"(?:(?:[A-Z][A-Za-z0-9-]{1,40}): [^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*){3,}", re.A
)
_MAIL_LINES = re.compile(rb"^(From|To|Subject|Date|Received|Message-ID|MIME-Version):", re.M | re.I)
_FEWEST_MAIL_LINES = 3

_IN_ARCHIVES = (
    ("word/", "a Word document", _COPY),
    ("ppt/", "a PowerPoint presentation", _COPY),
    ("Index/Document.iwa", "a document of Apple's programs", "Export it as .xlsx or .csv there."),
)
_OPEN_DOCUMENTS = {b"text": "a text document (.odt)", b"presentation": "a presentation (.odp)"}
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_IN_OLD_OFFICE = (
    ("WordDocument", "a Word document", _COPY),
    ("PowerPoint Document", "a PowerPoint presentation", _COPY),
    ("__substg1.0_", "a mail (.msg)", _MAIL),
)
_WORKBOOKS = ("Workbook", "Book")
_MOST_MEMBERS = 2000


def refuse_no_table(source: TableSource) -> None:
    """Say of a file that is known to be no table what it is, and what to do."""
    head = source.head(_HEAD)
    found = _by_beginning(head)
    if head.startswith(b"PK\x03\x04"):
        found = _in_archive(source.content())
    elif head.startswith(_OLD_OFFICE):
        found = _in_old_office(source.content())
    if found is not None:
        what, advice = found
        raise DataError(f"{source.where} must be a table; it is {what}. {advice}")


def _by_beginning(head: bytes) -> tuple[str, str] | None:
    for pattern, what, advice in _BEGINNINGS:
        if re.match(pattern, head, re.S):
            return what, advice
    lines = _MAIL_HEAD.match(head)
    if lines and len(set(_MAIL_LINES.findall(lines[0]))) >= _FEWEST_MAIL_LINES:
        return "a mail (.eml)", _MAIL
    return None


def _in_archive(content: bytes) -> tuple[str, str] | None:
    """Tell documents, which are packed like archives, by what stands in them."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            names = packed.namelist()[:_MOST_MEMBERS]
            if names[:1] == ["mimetype"]:
                with packed.open("mimetype") as said:
                    kind = said.read(100).removeprefix(b"application/vnd.oasis.opendocument.")
                what = _OPEN_DOCUMENTS.get(kind.split(b"-")[0])
                return (what, _COPY) if what else None
    except (zipfile.BadZipFile, KeyError, RuntimeError, NotImplementedError, OSError):
        return None
    for begin, what, advice in _IN_ARCHIVES:
        has_types = "[Content_Types].xml" in names or begin in names
        if has_types and any(name.startswith(begin) for name in names):
            return what, advice
    return None


def _in_old_office(content: bytes) -> tuple[str, str] | None:
    """Tell documents of old programs and mails by the names of their streams."""
    if any(_stream(name) in content for name in _WORKBOOKS):
        return None
    kinds = ((what, advice) for name, what, advice in _IN_OLD_OFFICE if _stream(name) in content)
    return next(kinds, None)


def _stream(name: str) -> bytes:
    """Return the name of a stream as its directory has it."""
    ends = b"" if name.endswith("_") else b"\0\0"
    return name.encode("utf-16-le") + ends
