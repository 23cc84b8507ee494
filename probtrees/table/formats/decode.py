"""From bytes to text, whatever encoding they were written in.

UTF-8 if the bytes are valid, UTF-16 by its mark. Else Windows-1252, what programs of
western Europe and America write, unless its words look odd or charset-normalizer finds that they
are much more like those of another language. What
was taken is said, and ``encoding=`` says otherwise.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from charset_normalizer import from_bytes

from probtrees.errors import DataError
from probtrees.table.findings import Finding, Fix, Severity
from probtrees.table.formats.source import TableSource
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
    """Find the encoding of a text, and refuse what is not text.

    Parameters
    ----------
    said : the encoding by name, if somebody knows it
    """
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


def decode(source: TableSource, found: TextEncoding) -> str:
    """Return all bytes as text."""
    content = source.data
    try:
        return content.decode(found.codec, "strict" if found.fits else "replace")
    except LookupError:  # an encoding of bytes into bytes, such as "hex"
        raise DataError(f"encoding={found.codec!r} must be an encoding of text.") from None
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DataError(
            f"line {line:,} of {source.where} must fit encoding={found.codec!r}; byte "
            f"{error.start:,} does not. Leave the encoding out to have it found, or choose another."
        ) from None


def decoded(source: TableSource, said: str | None) -> tuple[TableSource, tuple[Finding, ...]]:
    """Return a text in UTF-8, and what was found about its letters."""
    found = detect_encoding(source, said)
    if found.is_plain and source.is_utf8:
        return source, ()
    text = decode(source, found)
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
        try:
            content.decode(codec)
        except UnicodeDecodeError:
            continue
        return TextEncoding(find_codec(codec))
    return TextEncoding(_WESTERN, fits=False)
