"""What a link holds: choices by name, and how each is read and written.

Text that makes no sense raises ValueError.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

LARGEST = 2**31
"""No number in a link is larger."""


@dataclass(frozen=True)
class LinkChoice:
    """One choice that a link holds.

    Attributes
    ----------
    key : where the session keeps it
    read, write : from the text of a link, and to it
    usual : the value that is left out of links
    of_table : whether it makes sense only with a table
    of_sample : whether it may hold values of rows or names of columns: links made on one's own
        table leave it out
    """

    key: str
    read: Callable[[str], Any]
    write: Callable[[Any], str] = str
    usual: Any = None
    of_table: bool = True
    of_sample: bool = False


def one_of(names: Callable[[], Iterable[str]]) -> Callable[[str], str]:
    """Read a name that must be one of several.

    >>> one_of(lambda: ("hgs", "hdp"))("hdp")
    'hdp'
    """

    def read(text: str) -> str:
        if text not in names():
            raise ValueError(text)
        return text

    return read


def several_of(names: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """Read names that must be some of several, with commas between them.

    >>> several_of(lambda: ("hgs", "hdp"))("hdp,hgs")
    ['hdp', 'hgs']
    """

    def read(text: str) -> list[str]:
        known = set(names())
        found = [part for part in text.split(",") if part]
        if not set(found) <= known:
            raise ValueError(text)
        return list(dict.fromkeys(found))

    return read


def joined(names: Iterable[str]) -> str:
    """Write names as :func:`several_of` reads them."""
    return ",".join(names)


def whole(low: int = 0, high: int = LARGEST) -> Callable[[str], int]:
    """Read a whole number between bounds.

    >>> whole(1, 5)("3")
    3
    """

    def read(text: str) -> int:
        number = int(text)
        if not low <= number <= high:
            raise ValueError(text)
        return number

    return read


def between(low: float, high: float) -> Callable[[str], float]:
    """Read a number between bounds.

    >>> between(0, 1)("0.5")
    0.5
    """

    def read(text: str) -> float:
        number = float(text)
        if not low <= number <= high:  # also refuses NaN
            raise ValueError(text)
        return number

    return read


def yes_or_no(text: str) -> bool:
    """Read 1 or 0.

    >>> yes_or_no("1"), yes_or_no("0")
    (True, False)
    """
    return bool(whole(0, 1)(text))


def as_digit(answer: bool) -> str:
    """Write what :func:`yes_or_no` reads."""
    return str(int(answer))
