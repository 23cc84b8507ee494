"""Spellings as rows of a data file: currencies, units, months, words for "no value", ..."""

from __future__ import annotations

from functools import cache
from importlib import resources

Rows = dict[str, tuple[str, ...]]


@cache
def spellings(kind: str) -> Rows:
    """Return the rows of one kind: the words by what they stand for.

    A line of ``spellings.tsv`` holds a kind, what is meant, and its words, parted by tabs and the
    words by " | ".

    >>> spellings("scale")["1000"][:2]
    ('k', 'tsd')
    """
    return _all_rows().get(kind, {})


@cache
def _all_rows() -> dict[str, Rows]:
    text = resources.files(__package__).joinpath("spellings.tsv").read_text(encoding="utf-8")
    rows: dict[str, Rows] = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            kind, meaning, words = line.split("\t")
            rows.setdefault(kind, {})[meaning] = tuple(filter(None, words.split(" | ")))
    return rows
