"""Texts whose letters became two or three signs each before the file was saved: MÃ¼nchen.

Somebody read UTF-8 as Windows-1252 and wrote the result as UTF-8 again. Reading such a file in the
codec that is registered here takes the mistake back, and leaves all other letters as they are.
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

CODEC = "utf-8-twice"
"""What the codec is called."""

_UNDEFINED = b"\x81\x8d\x8f\x90\x9d"
"""Bytes that Windows-1252 has no sign for; programs write them as they are."""
_BYTE_OF = {
    (chr(byte) if byte in _UNDEFINED else bytes([byte]).decode("cp1252")): byte
    for byte in range(0x80, 0x100)
}
_FEWEST = 2
_MOSTLY = 0.8
_BEGINNING = 1 << 16
_WORD = re.compile(r"[^\s,;|\"]+")


def _signs(first: int, last: int) -> str:
    found = (sign for sign, byte in _BYTE_OF.items() if first <= byte <= last)
    return f"[{''.join(map(re.escape, found))}]"


_FOLLOWS = _signs(0x80, 0xBF)
_LETTER = re.compile(
    f"{_signs(0xC2, 0xDF)}{_FOLLOWS}|{_signs(0xE0, 0xEF)}{_FOLLOWS}{{2}}|"
    f"{_signs(0xF0, 0xF4)}{_FOLLOWS}{{3}}"
)


def undo(text: str) -> str:
    """Make one letter of the signs that stand for it.

    >>> undo("MÃ¼nchen, GieÃŸen, 5 â‚¬, São"), undo("München")
    ('München, Gießen, 5 €, São', 'München')
    """
    return _LETTER.sub(_one_letter, text)


def seems_twice_encoded(head: bytes) -> tuple[str, str] | None:
    """Return a word of the beginning of a file as it stands and as it was, if most are such.

    >>> seems_twice_encoded("KÃ¶ln;MÃ¼nchen".encode()), seems_twice_encoded("Köln".encode())
    (('KÃ¶ln', 'Köln'), None)
    """
    if head.isascii():
        return None
    text = head[:_BEGINNING].decode("utf-8", "ignore")
    found = [match[0] for match in _LETTER.finditer(text) if _one_letter(match) != match[0]]
    n_further = sum(sign > "\x7f" for sign in text.removeprefix("\ufeff"))
    if len(found) < _FEWEST or sum(map(len, found)) < _MOSTLY * n_further:
        return None
    word = next(word for word in _WORD.findall(text) if undo(word) != word)
    return word, undo(word)


def _one_letter(match: re.Match[str]) -> str:
    try:
        return bytes(_BYTE_OF[sign] for sign in match[0]).decode("utf-8")
    except UnicodeDecodeError:
        return match[0]


def _decode(data: Buffer, errors: str = "strict", /) -> tuple[str, int]:
    content = bytes(data)
    return undo(content.decode("utf-8-sig", errors)), len(content)


def _find(name: str) -> codecs.CodecInfo | None:
    if name.replace("_", "-") != CODEC:
        return None
    return codecs.CodecInfo(codecs.utf_8_encode, _decode, name=CODEC)


codecs.register(_find)
