"""How a text is written: its encoding by its bytes; delimiter and decimal mark by its first lines.

UTF-8 if the bytes are valid, UTF-16 by its mark. Else Windows-1252, what programs of western Europe
and America write, unless its words look odd or charset-normalizer finds that they are much more
like those of another language. What was taken is said, and ``encoding=`` says otherwise.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import NamedTuple

from charset_normalizer import from_bytes

from probtrees.errors import DataError
from probtrees.table.findings import Finding, Fix, Severity
from probtrees.table.formats.arrow import MISSING_MARKS
from probtrees.table.formats.source import TableSource
from probtrees.table.readings.numbers import GROUPED_FORMS, PLAIN_NUMBER, are_codes
from probtrees.table.readings.numbers import decimal_mark as mark_of_column
from probtrees.words import plural

ENCODING_NAMES = {
    "utf-8-sig": "UTF-8",
    "cp1252": "Western (Windows-1252)",
    "cp1250": "Central European (Windows-1250)",
    "cp1251": "Cyrillic (Windows-1251)",
    "mac-roman": "Western (old Mac)",
}
"""What people call the encodings that they meet most; others go by Python's names."""

_UTF8, _WESTERN = "utf-8-sig", "cp1252"
_OFFERED = (_WESTERN, "cp1250", "cp1251", "mac-roman")
_HEAD = 1 << 16
_SAMPLE = 1 << 16
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UNKNOWN = "\ufffd"
_FEW_BAD = 0.05
_MOST_ODD, _MUCH = 0.2, 0.03
_SIMILAR = [_WESTERN, "cp1250", "cp1254"]
_GUESSED = [
    *(*_OFFERED, "latin-1", "cp850", "iso8859-2", "koi8-r", "cp1253", "cp1254", "cp1255", "cp1256"),
    *("cp1257", "gb18030", "big5", "cp932", "euc-jp", "cp949"),
]
_ODD = re.compile(
    r"[^\W\d_][^\w\s\x00-\x7f\u2019\u00b7][^\W\d_]"  # a sign within a word
    r"|[a-zß-öø-ÿ][À-ÖØ-ÞŠŽŒŸ]"  # a capital behind a small letter
    r"|[^\W\d_a-zA-Z]{3}"  # three accents in a row
    r"|(?<!\w)[ðþýÐÞ](?=\w)|[\x80-\x9f]"
)
"""What words of western languages do not have, but those of others read as these do."""


@dataclass(frozen=True)
class TextEncoding:
    """The encoding that a text is read in.

    Attributes
    ----------
    codec : Python's name of it
    fits : whether all bytes fit; those that do not are shown as a sign that says so
    """

    codec: str
    fits: bool = True

    @property
    def is_plain(self) -> bool:
        """Whether the bytes are UTF-8 as they stand."""
        return self.codec == _UTF8 and self.fits


def find_codec(name: str) -> str:
    """Return Python's name of an encoding.

    >>> find_codec("UTF-8"), find_codec("Windows-1252"), find_codec("latin1")
    ('utf-8-sig', 'cp1252', 'iso8859-1')
    """
    found = codecs.lookup(name).name
    return _UTF8 if found == "utf-8" else found


def detect_encoding(source: TableSource, said: str | None = None) -> TextEncoding:
    """Find the encoding of a text unless somebody says it, and refuse what is not text."""
    head = source.data[:_HEAD]
    if said is not None:
        return TextEncoding(find_codec(said))
    if head.startswith(_UTF16_MARKS):
        return TextEncoding("utf-16")
    controls = len(head.translate(None, delete=bytes(range(32, 256)) + b"\t\r\n\f"))
    if b"\0" in source.data or controls > 0.01 * len(head):
        raise DataError(
            f"{source.where} must be a table in CSV, Excel or another format that is known; it is "
            "a binary file: a picture, a database or an archive, perhaps. Export the table as CSV."
        )
    if source.is_utf8:
        return TextEncoding(_UTF8)
    return _by_letters(source.data)


def decoded(source: TableSource, said: str | None) -> tuple[TableSource, tuple[Finding, ...]]:
    """Return a text in UTF-8, and what was found about its letters."""
    found = detect_encoding(source, said)
    if found.is_plain and source.is_utf8:
        return source, ()
    try:
        text = source.data.decode(found.codec, "strict" if found.fits else "replace")
    except LookupError:  # an encoding of bytes into bytes, such as "hex"
        raise DataError(f"encoding={found.codec!r} must be an encoding of text.") from None
    except UnicodeDecodeError as error:
        line = source.data.count(b"\n", 0, error.start) + 1
        raise DataError(
            f"line {line:,} of {source.where} must fit encoding={found.codec!r}; byte "
            f"{error.start:,} does not. Leave the encoding out to have it found, or choose another."
        ) from None
    return source.with_bytes(text.encode("utf-8", "replace")), (encoding_finding(found, text),)


def encoding_finding(found: TextEncoding, text: str) -> Finding:
    """Say which encoding was taken, and what does not fit."""
    words = f"Read as {ENCODING_NAMES.get(found.codec, found.codec.upper())}"
    if not found.fits:
        line = text.count("\n", 0, max(text.find(_UNKNOWN), 0)) + 1
        n_bad = plural(text.count(_UNKNOWN), "characters")
        words += f"; what does not fit ({n_bad}, the first in line {line:,}) is shown as {_UNKNOWN}"
    others = (codec for codec in _OFFERED if codec != found.codec)
    fixes = tuple(Fix(f"Read as {ENCODING_NAMES[codec]}", "encoding", codec) for codec in others)
    severity: Severity = "note" if found.fits else "warning"
    return Finding(None, None, f"{words}.", severity, fixes, "encoding")


def _by_letters(content: bytes) -> TextEncoding:
    """Find the encoding of bytes that are no UTF-8 throughout."""
    lines = [line for line in content.splitlines() if not line.isascii()]
    step = max(1, sum(map(len, lines)) // _SAMPLE)
    sample = b"\n".join(lines[::step])  # some from all over a long file
    text = sample.decode("utf-8", "replace")
    n_bad = text.count(_UNKNOWN)
    n_good = sum(letter > "\x7f" for letter in text) - n_bad
    if n_good > 0 and n_bad <= max(_FEW_BAD * n_good, min(1, n_good // 3)):
        return TextEncoding(_UTF8, fits=False)  # cut or patched
    western = sample.decode(_WESTERN, "replace")
    n_odd = len(_ODD.findall(western)) + western.count(_UNKNOWN)
    is_odd = n_odd > _MOST_ODD * sum(letter > "\x7f" for letter in western)
    guesses = list(from_bytes(sample, cp_isolation=_GUESSED if is_odd else _SIMILAR))
    others = [guess for guess in guesses if _WESTERN not in guess.could_be_from_charset]
    plain = max((guess.coherence for guess in guesses if guess not in others), default=0.0)
    likelier = (g.encoding for g in others if is_odd or g.coherence > plain + _MUCH)
    for codec in (*likelier, _WESTERN):
        with suppress(UnicodeDecodeError):
            content.decode(codec)
            return TextEncoding(find_codec(codec))
    return TextEncoding(_WESTERN, fits=False)


# --- delimiter and decimal mark ------------------------------------------------------------------

DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
N_RECORDS = 400
"""So many of the first records are looked at."""

_N_TRIED = 100
_FEWEST_IN_BLANKS = 4
_MISSING = frozenset(MISSING_MARKS)
_MARKS_SWAPPED = str.maketrans(".,", ",.")
_POINTS = re.compile(r"[+-]?[1-9]\d{0,2}(?:\.\d{3})+", re.A)
_OTHER_MARKS = re.compile(r",|\.[^\0.]*\.")
"""A comma, or two points between the same zeros: in one cell."""
_PADDED = re.compile(r"[+-]?0\d+(?:[.,]\d+)?", re.A)
_BLANKS = {1: re.compile(r'"[^"\n]*"|\S+'), 2: re.compile(r'"[^"\n]*"|\S+(?: \S+)*')}
"""Cells of a line that is cut at blanks: at every one, or at two or more together."""


@dataclass(frozen=True)
class Dialect:
    """How the cells of a delimited file are separated.

    Attributes
    ----------
    delimiter, decimal : the characters in use; double quotes enclose cells
    blanks : 1 if cells are cut by blanks, 2 if by at least two together, 0 if by the delimiter;
        such a text gets tabs for its blanks before it is read, see :func:`with_tabs`
    """

    delimiter: str = ","
    decimal: str = "."
    blanks: int = 0


class Record(NamedTuple):
    """The cells of a record, the number of lines before it, and that of the next record."""

    cells: tuple[str, ...]
    line: int
    next_line: int

    @property
    def filled(self) -> list[str]:
        """The cells that hold something."""
        return [cell.strip() for cell in self.cells if cell.strip()]


def lines_of(text: str) -> list[str]:
    """Cut a text at its line ends, and at nothing else that Unicode takes for one."""
    return io.StringIO(text, newline="").readlines()


def is_number(text: str, decimal: str = ".") -> bool:
    """Whether a text is a plain number.

    >>> is_number("-2.5e3"), is_number("1,5"), is_number("1,5", ","), is_number("1,234.5")
    (True, False, True, False)
    """
    plain = text if decimal == "." else text.translate(_MARKS_SWAPPED)
    return PLAIN_NUMBER.fullmatch(plain) is not None


def is_any_number(text: str) -> bool:
    """Whether a text is a number, with whatever marks.

    >>> is_any_number("1,5"), is_any_number("1,234.5"), is_any_number("1a")
    (True, True, False)
    """
    return is_number(text) or any(form.match(text) for form in GROUPED_FORMS)


def may_be_codes(cells: Collection[str]) -> bool:
    """Whether cells are spelled in a way that a number would lose: the readings then decide.

    Zeros in front (01067), a power without a sign (3E1), versions (1.9, 1.10), and points before
    three digits each (80, 1.190), which may group thousands.

    >>> [may_be_codes(c) for c in (["01", "12"], ["1.9", "1.10"], ["1.234"], ["0.5", "12"])]
    [True, True, True, False]
    """
    pointed = [cell for cell in cells if "." in cell]
    may_group = bool(pointed) and all(map(_POINTS.fullmatch, pointed))
    has_comma = any("," in cell for cell in cells)  # 1,2 are no ticked answers: it is decimal
    is_code = not has_comma and are_codes(list(cells))
    return may_group or is_code or any(map(_PADDED.fullmatch, cells))


def known_cells(rows: Sequence[tuple[str, ...]], width: int) -> list[list[str]]:
    """Return by column the cells that are not missing, without blanks around them."""
    columns = [
        [cell for cell in map(str.strip, column) if cell not in _MISSING]
        for column in zip_longest(*rows, fillvalue="")
    ]
    return (columns + [[] for _ in range(width)])[:width]


def sniff_dialect(lines: Sequence[str], said: str = "") -> Dialect:
    """Find what parts the cells of some lines, unless a line of the file said it."""
    if said in DELIMITERS:
        return Dialect(said)
    delimiter, width = _delimiter(lines)
    some = [line for line in lines[:_N_TRIED] if line.strip()]
    may_be_blanks = width < 2 or (delimiter == "\t" and " " in "".join(some))
    for blanks in (1, 2) if may_be_blanks and len(some) >= _FEWEST_IN_BLANKS else ():
        found = [_BLANKS[blanks].findall(line) for line in some]
        widths = {len(cells) for cells in found[1:]}
        n_names, n_cells = len(found[0]), max(widths, default=0)
        if len(widths) != 1 or n_cells <= max(width, 1):
            continue
        # Beside tabs, blanks part cells only where numbers stand, as in columns of Fortran.
        are_numbers = all(is_any_number(cell) for cells in found for cell in cells[:-1])
        if n_names in (n_cells, n_cells - 1) and n_names > 1 and (width < 2 or are_numbers):
            return Dialect("\t", blanks=blanks)
    return Dialect(delimiter)


def with_tabs(text: str, blanks: int) -> str:
    r"""Put tabs between the cells of a text that is cut by blanks.

    >>> with_tabs(' 1  "a b"   c', 1)
    '1\t"a b"\tc\n'
    """
    return "".join("\t".join(_BLANKS[blanks].findall(line)) + "\n" for line in lines_of(text))


def records_of(lines: Iterable[str], dialect: Dialect, most: int = N_RECORDS) -> list[Record]:
    """Cut some lines into records, without those that hold nothing."""
    reader = csv.reader(lines, delimiter=dialect.delimiter)
    records, before = [], 0
    with suppress(csv.Error):  # a cell is too long for this reader: what came before tells enough
        for cells in islice(reader, most):
            records.append(Record(tuple(cells), before, reader.line_num))
            before = reader.line_num
    return [record for record in records if any(map(str.strip, record.cells))]


def usual_width(records: Sequence[Record]) -> int:
    """Return how many cells most records have; the first may be a title."""
    counts = Counter(len(record.cells) for record in records[1:] or records)
    return counts.most_common(1)[0][0] if counts else 0


def _delimiter(lines: Sequence[str]) -> tuple[str, int]:
    """Choose the delimiter that cuts most lines into as many cells, and say into how many.

    Cells hold semicolons rather than tabs. Decimal commas cut rows alike, too, but not the names.
    """

    def agreement(delimiter: str) -> tuple[float, int, bool]:
        records = records_of(lines[:_N_TRIED], Dialect(delimiter))
        width = usual_width(records)
        if width < 2:
            return (0.0, 1, False)
        # R's line of names is one cell short.
        short = len(records[0].cells) == width - 1 > 1
        same = sum(len(record.cells) == width for record in records) + short
        return (same / len(records), width, delimiter == "\t")

    best = max(DELIMITERS, key=agreement)
    return best, agreement(best)[1]


def decimal_mark(rows: Sequence[tuple[str, ...]]) -> str:
    """Find a decimal comma: a column of numbers tells it, and none tells a decimal point.

    A mark before exactly three digits may group thousands and tells nothing.

    >>> decimal_mark([("2,07", "a"), ("1,563", "b")]), decimal_mark([("2,070", "1.5")])
    (',', '.')
    """
    if not _OTHER_MARKS.search("\0".join(map("\0".join, rows[:_N_TRIED]))):
        return "."  # as nearly every file has it, however many columns there are
    columns = known_cells(rows[:_N_TRIED], max(map(len, rows), default=0))
    numbers = [cells for cells in columns if all(map(is_any_number, cells))]
    if any(mark_of_column(cells, ",") == "." for cells in numbers):
        return "."
    return "," if any(mark_of_column(cells, ".") == "," for cells in numbers) else "."
