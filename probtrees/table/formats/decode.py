"""From bytes to text, whatever encoding they were written in."""

from __future__ import annotations

import codecs
import unicodedata
from dataclasses import dataclass
from itertools import islice

from probtrees.errors import DataError
from probtrees.table.encodings.guess_encoding import Guess, guess_encodings, lines_with_letters
from probtrees.table.encodings.known_encodings import GUESSED, UTF8, Encoding, find_encoding
from probtrees.table.encodings.twice_encoded import CODEC as TWICE_ENCODED
from probtrees.table.encodings.twice_encoded import seems_twice_encoded
from probtrees.table.formats.table_source import TableSource
from probtrees.table.table_report import Finding, Fix, Severity
from probtrees.words import plural

_HEAD = 1 << 16
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_PACKED = {
    b"PK\x03\x04": "a zip archive or an Excel workbook",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ": "an xz archive",
}
_UNKNOWN = "\ufffd"
_FEW_BAD = 0.05
_UNSURE = 6.0
_MOST_OFFERED = 3
_MOST_WORDS = 3
_LONGEST_WORD = 24


class NotTextError(DataError):
    """A file is no text; ``kind`` says what it is instead."""

    def __init__(self, source: TableSource, kind: str) -> None:
        super().__init__(f"{source.where} must be text; it is {kind}. Export the table as CSV.")
        self.kind = kind


@dataclass(frozen=True)
class TextEncoding:
    """The encoding that a text is read in.

    Attributes
    ----------
    encoding : the one that was found, or said
    guesses : what it may be, by its letters, the likeliest first
    fits : whether all bytes fit; those that do not are shown as a sign that says so
    said : whether somebody said it
    twice : a word whose letters became several signs before the file was saved, and what it was
    """

    encoding: Encoding
    guesses: tuple[Guess, ...] = ()
    fits: bool = True
    said: bool = False
    twice: tuple[str, str] | None = None

    @property
    def is_plain(self) -> bool:
        """Whether the bytes are UTF-8 as they stand."""
        return self.encoding == UTF8 and self.fits and not self.said


def detect_encoding(source: TableSource, said: str | None = None) -> TextEncoding:
    """Find the encoding of a text, and refuse what is not text.

    UTF-8 if the bytes are valid, UTF-16 by its mark or its zeros, else what its letters say.

    Parameters
    ----------
    said : the encoding by name, if somebody knows it
    """
    head = source.head(_HEAD)
    for mark, kind in _PACKED.items():
        if head.startswith(mark):
            raise NotTextError(source, kind)
    if said is not None:
        guesses = guess_encodings(lines_with_letters(source.content()))
        return TextEncoding(find_encoding(said), guesses, said=True)
    if head.startswith(_UTF16_MARKS):
        return TextEncoding(find_encoding("utf-16"))
    if source.scan.has_nul:
        return TextEncoding(_utf16_without_mark(source, head))
    if _control_share(head) > 0.01:
        raise NotTextError(source, "a binary file")
    if source.scan.is_utf8:
        return TextEncoding(UTF8, twice=seems_twice_encoded(head))
    return _by_letters(source.content())


def decode(source: TableSource, found: TextEncoding) -> str:
    """Return all bytes as text."""
    content = source.content()
    try:
        return content.decode(found.encoding.codec, "strict" if found.fits else "replace")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DataError(
            f"line {line:,} of {source.where} must fit encoding={found.encoding.name!r}; byte "
            f"{error.start:,} does not. Leave the encoding out to have it found, or choose another."
        ) from None


def encoding_findings(found: TextEncoding, text: str) -> tuple[Finding, ...]:
    """Say which encoding was taken unless it is UTF-8, and offer others that are likely."""
    if found.is_plain:
        return () if found.twice is None else (_twice_finding(*found.twice),)
    like = _words_of(found)
    shown = f", as in {like}" if like else ""
    sentence = f"Read as {found.encoding.label}{shown}."
    fixes = _other_readings(found)
    if found.said:
        fixes += (Fix("Find the encoding", "take back", "encoding said"),)
        return (Finding(None, "encoding", sentence, fixes=fixes),)
    if found.fits:
        scores = [guess.score for guess in found.guesses[:2]]
        unsure = len(fixes) > 0 and scores[0] - scores[-1] < _UNSURE
        severity: Severity = "warning" if unsure else "note"
        remedy = "Choose another encoding if words look wrong." if fixes else ""
        return (Finding(None, "encoding", sentence, remedy, severity, fixes),)
    line = text.count("\n", 0, text.index(_UNKNOWN)) + 1 if _UNKNOWN in text else 1
    n_bad = text.count(_UNKNOWN)
    return (
        Finding(
            None,
            "encoding",
            f"{sentence[:-1]}; what fits no encoding ({plural(n_bad, 'characters')}, the first in "
            f"line {line:,}) is shown as {_UNKNOWN}.",
            "Choose another encoding, or save the file again as UTF-8.",
            "warning",
            fixes,
        ),
    )


def _twice_finding(word: str, meant: str) -> Finding:
    """Offer to take back that UTF-8 was read as something else before the file was saved."""
    return Finding(
        None,
        "encoding",
        f"Letters seem to have been spoilt before the file was saved: {word[:_LONGEST_WORD]!r} is "
        f"probably {meant[:_LONGEST_WORD]!r}.",
        "Have them mended if that is so.",
        "warning",
        (Fix(f"Read {meant[:_LONGEST_WORD]!r}", "encoding", TWICE_ENCODED),),
    )


def _by_letters(content: bytes) -> TextEncoding:
    """Find the encoding of bytes that are no UTF-8 throughout."""
    sample = lines_with_letters(content)
    guesses = guess_encodings(sample)
    if _is_damaged_utf8(sample):
        return TextEncoding(UTF8, guesses, fits=False)
    for guess in guesses:
        try:
            content.decode(guess.encoding.codec)
        except UnicodeDecodeError:
            continue
        return TextEncoding(guess.encoding, guesses)
    likeliest = guesses[0].encoding if guesses else GUESSED[0]
    return TextEncoding(likeliest, guesses, fits=False)


def _is_damaged_utf8(sample: bytes) -> bool:
    """Whether nearly all further letters are UTF-8, as in a file that was cut or patched."""
    text = sample.decode("utf-8", "replace")
    n_bad = text.count(_UNKNOWN)
    n_good = sum(letter > "\x7f" for letter in text) - n_bad
    return n_good > 0 and n_bad <= max(_FEW_BAD * n_good, min(1, n_good // 3))


def _words_of(found: TextEncoding) -> str:
    own = (guess for guess in found.guesses if guess.encoding == found.encoding)
    return preview(next(own, None))


def preview(guess: Guess | None) -> str:
    """Show some words as an encoding has them."""
    words = () if guess is None else islice(guess.words, _MOST_WORDS)
    return ", ".join(repr(word[:_LONGEST_WORD]) for word in words)


def _other_readings(found: TextEncoding) -> tuple[Fix, ...]:
    """Offer the likeliest encodings that would make other words of the text, as they are shown."""
    seen = {_words_of(found)}
    fixes: list[Fix] = []
    for guess in found.guesses:
        shown = preview(guess)
        if shown not in seen and len(fixes) < _MOST_OFFERED:
            seen.add(shown)
            label = f"{guess.encoding.label}: {shown}"
            fixes.append(Fix(label, "encoding", guess.encoding.codec))
    return tuple(fixes)


def _utf16_without_mark(source: TableSource, head: bytes) -> Encoding:
    """Tell text in UTF-16 by its line ends, digits and commas; all else with zeros is no text."""
    best, most = None, 0.05
    for name in ("utf-16-le", "utf-16-be"):
        text = head[: len(head) // 2 * 2].decode(name, "replace")
        plain = sum(" " <= letter <= "~" or letter in "\t\r\n" for letter in text)
        odd = sum(unicodedata.category(letter) in ("Cc", "Cn", "Co") for letter in text)
        odd += text.count(_UNKNOWN) - sum(letter in "\t\r\n\f" for letter in text)
        if odd <= 0.005 * len(text) and plain > most * len(text):
            best, most = name, plain / len(text)
    if best is None:
        raise NotTextError(source, "a binary file")
    return find_encoding(best)


def _control_share(head: bytes) -> float:
    controls = len(head.translate(None, delete=bytes(range(32, 256)) + b"\t\r\n\f"))
    return controls / max(len(head), 1)
