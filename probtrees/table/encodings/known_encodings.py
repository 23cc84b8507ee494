"""The encodings that texts are read in, and what people call them."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from probtrees.errors import OptionError
from probtrees.table.encodings.twice_encoded import CODEC as TWICE_ENCODED


@dataclass(frozen=True)
class Encoding:
    """One way to write letters as bytes.

    Attributes
    ----------
    codec : what Python calls it
    script : the letters it is for, as people call them
    name : what other programs call it
    rarity : how much better than others a text must fit it to be taken for it (natural logarithm)
    """

    codec: str
    script: str
    name: str
    rarity: float = 1.0

    @property
    def label(self) -> str:
        """What people read: the letters, and the name."""
        return f"{self.script} ({self.name})"


UTF8 = Encoding("utf-8-sig", "Unicode", "UTF-8", 0.0)
_SAID_ONLY = (
    Encoding("iso8859-1", "Western", "ISO 8859-1"),
    Encoding("iso8859-15", "Western", "ISO 8859-15"),
    Encoding("iso8859-5", "Cyrillic", "ISO 8859-5"),
    Encoding("utf-16", "Unicode", "UTF-16"),
    Encoding("utf-16-le", "Unicode", "UTF-16 LE"),
    Encoding("utf-16-be", "Unicode", "UTF-16 BE"),
    Encoding(TWICE_ENCODED, "Unicode", "UTF-8 twice"),
)
GUESSED: tuple[Encoding, ...] = (
    Encoding("cp1252", "Western", "Windows-1252", 0.0),
    Encoding("cp1250", "Central European", "Windows-1250", 2.0),
    Encoding("cp1251", "Cyrillic", "Windows-1251"),
    Encoding("cp1253", "Greek", "Windows-1253"),
    Encoding("cp1254", "Turkish", "Windows-1254"),
    Encoding("cp1255", "Hebrew", "Windows-1255"),
    Encoding("cp1256", "Arabic", "Windows-1256", 2.0),
    Encoding("cp1257", "Baltic", "Windows-1257", 2.0),
    Encoding("cp874", "Thai", "Windows-874", 2.0),
    Encoding("gb18030", "simplified Chinese", "GB18030"),
    Encoding("big5hkscs", "traditional Chinese", "Big5"),
    Encoding("cp932", "Japanese", "Shift-JIS"),
    Encoding("euc_jp", "Japanese", "EUC-JP", 3.0),
    Encoding("cp949", "Korean", "EUC-KR"),
    Encoding("mac_roman", "Western", "Mac Roman", 7.0),
    Encoding("cp850", "Western", "DOS 850", 5.0),
    Encoding("iso8859-2", "Central European", "ISO 8859-2", 4.0),
    Encoding("cp852", "Central European", "DOS 852", 6.0),
    Encoding("koi8_r", "Cyrillic", "KOI8-R", 6.0),
    Encoding("cp866", "Cyrillic", "DOS 866", 6.0),
)
"""What bytes that are no UTF-8 may be, the most frequent ones of a kind first."""

ENCODINGS: tuple[Encoding, ...] = (UTF8, *GUESSED, *_SAID_ONLY)
_BY_CODEC = {codecs.lookup(known.codec).name: known for known in ENCODINGS}
_OTHER_NAMES = {
    **{known.name.lower(): known for known in ENCODINGS},
    "utf-8": UTF8,
    "utf8": UTF8,
    "big5": next(known for known in GUESSED if known.codec == "big5hkscs"),
    "gbk": next(known for known in GUESSED if known.codec == "gb18030"),
    "gb2312": next(known for known in GUESSED if known.codec == "gb18030"),
    "shift_jis": next(known for known in GUESSED if known.codec == "cp932"),
    "euc_kr": next(known for known in GUESSED if known.codec == "cp949"),
}


def find_encoding(name: str) -> Encoding:
    """Find an encoding by any name it goes by: cp1251, windows-1251, Windows-1251, ...

    >>> find_encoding("windows-1251").label
    'Cyrillic (Windows-1251)'
    """
    plain = name.strip().lower()
    if plain in _OTHER_NAMES:
        return _OTHER_NAMES[plain]
    try:
        found = codecs.lookup(plain)
        "a".encode(found.name)  # some codecs of Python turn bytes into bytes
    except (LookupError, ValueError, TypeError):
        names = ", ".join(known.name for known in ENCODINGS[:8])
        raise OptionError(
            f"encoding={name!r} must be the name of an encoding, such as {names}. Leave it out to "
            "have it found."
        ) from None
    return _BY_CODEC.get(found.name, Encoding(found.name, "text", found.name))
