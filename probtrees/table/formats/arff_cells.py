"""Cut the lines of an ARFF file into cells, in one walk from left to right.

No pattern here can be tried twice on the same characters: a line takes time in proportion to its
length, whatever it holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_QUOTED = re.compile(r"'[^'\\]*+(?:\\.[^'\\]*+)*+'|\"[^\"\\]*+(?:\\.[^\"\\]*+)*+\"", re.DOTALL)
_SPACE = re.compile(r"\s*+")
_WORD = re.compile(r"\S++")
_QUOTE = re.compile(r"['\"]")
_NAME = re.compile(r"[^\s,{}]++")
_AFTER_NAME = re.compile(r"[\s,]*+")
_INDEX = re.compile(r"\s*+(\d++)\s++")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED_AS = {"n": "\n", "r": "\r", "t": "\t"}
_MOST_DIGITS = 9
"""Digits of the number of a column; with more there is no such column."""


def unquote(token: str) -> str:
    """Remove the quotes around a token and the backslashes inside it."""
    if len(token) >= 2 and token[0] in "'\"" and token[-1] == token[0]:
        return _ESCAPE.sub(
            lambda match: _ESCAPED_AS.get(match.group(1), match.group(1)), token[1:-1]
        )
    return token


def comma_cells(text: str) -> Iterator[str]:
    """Walk over cells between commas, quotes left on, spaces around them removed.

    >>> list(comma_cells("1 , 'a, b' ,, x'y"))
    ['1', "'a, b'", '', "x'y"]
    """
    position = 0
    while True:
        cell, position = _cell_at(text, position)
        yield cell
        if position >= len(text):
            return
        position += 1  # the comma
        if position == len(text):
            yield ""
            return


def _cell_at(text: str, position: int) -> tuple[str, int]:
    """Return the cell that begins at a place, and where the comma after it, or the end, is."""
    start = _past_space(text, position)
    quoted = _QUOTED.match(text, start)
    if quoted is not None:
        end = _past_space(text, quoted.end())
        if end == len(text) or text[end] == ",":
            return quoted.group(), end
    end = text.find(",", start)
    end = len(text) if end < 0 else end
    return text[start:end].strip(), end


def spaced_cells(text: str) -> Iterator[str]:
    """Walk over cells between spaces, quotes left on.

    >>> list(spaced_cells(" 1 'a b'  c"))
    ['1', "'a b'", 'c']
    """
    position = _past_space(text, 0)
    while position < len(text):
        quoted = _QUOTED.match(text, position)
        if quoted is not None and not text[quoted.end() : quoted.end() + 1].strip():
            yield quoted.group()
            position = _past_space(text, quoted.end())
            continue
        word = _WORD.match(text, position)
        assert word is not None
        yield word.group()
        position = _past_space(text, word.end())


def sparse_cells(row: str, n_columns: int) -> dict[int, str] | None:
    """Read a row that names only some columns; None where it is not written like one.

    >>> sparse_cells("{0 1.5, 3 'a, b'}", 4)
    {0: '1.5', 3: "'a, b'"}
    >>> sparse_cells("{9 x}", 4), sparse_cells("{0 1", 4), sparse_cells("{0 1, 0 2}", 4)
    (None, None, None)
    """
    inner = row.strip()[1:-1]
    if not row.rstrip().endswith("}") or len(row.strip()) < 2:
        return None
    found: dict[int, str] = {}
    position = _past_space(inner, 0)
    while position < len(inner):
        index = _INDEX.match(inner, position)
        if index is None or len(index.group(1)) > _MOST_DIGITS:
            return None
        number = int(index.group(1))
        cell, end = _cell_at(inner, index.end())
        is_plain = cell[:1] not in ("'", '"') and not set(cell).isdisjoint("{}")
        if number >= n_columns or number in found or not cell or is_plain:
            return None
        found[number] = cell
        position = end + 1
    return found


def name_and_rest(text: str) -> tuple[str, str]:
    """Part a declaration into its name and what follows; empty where there is none.

    >>> name_and_rest(" 'a b' {x, y}"), name_and_rest(" age, real"), name_and_rest(" {x}")
    (('a b', '{x, y}'), ('age', 'real'), ('', ' {x}'))
    """
    start = _past_space(text, 0)
    match = _QUOTED.match(text, start) or _NAME.match(text, start)
    if match is None:
        return "", text
    after = _AFTER_NAME.match(text, match.end())
    assert after is not None
    return unquote(match.group()), text[after.end() :].strip()


def closes(text: str) -> bool:
    """Whether a list of values ends in a line: at a brace outside quotes.

    >>> closes("a, '}'"), closes("'b' }")
    (False, True)
    """
    position = 0
    while True:
        quote = _QUOTE.search(text, position)
        brace = text.find("}", position, len(text) if quote is None else quote.start())
        if brace >= 0 or quote is None:
            return brace >= 0
        quoted = _QUOTED.match(text, quote.start())
        if quoted is None:
            return "}" in text[quote.start() :]
        position = quoted.end()


def _past_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    assert match is not None
    return match.end()
