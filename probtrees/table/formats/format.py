"""What the program needs to know about a way to write tables in files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from probtrees.table.cells.raw_table import RawTable
from probtrees.table.formats.table_source import TableSource
from probtrees.table.read_options import ReadOptions


@dataclass(frozen=True)
class Sheets:
    """The tables that a file holds, the one that is read, and those with the same columns as it."""

    names: tuple[str, ...]
    read: str
    alike: tuple[str, ...] = ()


@dataclass(frozen=True)
class Format:
    """One way to write tables in files; :data:`.open_table.FORMATS` lists all of them.

    Attributes
    ----------
    name : what people call it
    suffixes : how its files are named, lower case
    read : reads a file of it
    claims : whether a file is of it, by its name and first bytes; None: takes what no other claims
    shared_suffixes : further names it goes by, which files that are no tables have too
    chunks : where a file can be cut to be read in parts: at its row groups, at line ends, or not
        at all
    sheets : lists the tables of a file that may hold several, given the one that is wanted
    """

    name: str
    suffixes: tuple[str, ...]
    read: Callable[[TableSource, ReadOptions], RawTable]
    claims: Callable[[str, bytes], bool] | None = None
    shared_suffixes: tuple[str, ...] = ()
    chunks: Literal["row groups", "lines"] | None = None
    sheets: Callable[[TableSource, str | None], Sheets] | None = None

    @property
    def all_suffixes(self) -> tuple[str, ...]:
        """All names its files go by."""
        return self.suffixes + self.shared_suffixes


def is_named(name: str, suffixes: tuple[str, ...]) -> bool:
    """Whether a file is named like this, gzipped or not.

    >>> is_named("Iris.ARFF.gz", (".arff",))
    True
    """
    return name.lower().removesuffix(".gz").endswith(suffixes)
