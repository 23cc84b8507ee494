"""Lines of another number of cells than the table has columns: refused, or left out if asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from probtrees.errors import DataError
from probtrees.table.read_fields import DROP_LINES
from probtrees.table.table_report import Finding, Fix

_LONGEST = 40


class OddLinesError(DataError):
    """Some lines have another number of cells; ``n_lines`` of them were found."""

    def __init__(self, message: str, n_lines: int) -> None:
        super().__init__(message)
        self.n_lines = n_lines

    def offer(self) -> Finding:
        """Offer to leave these lines out."""
        one = self.n_lines == 1
        these = "this line" if one else f"these {self.n_lines:,} lines"
        return Finding(
            None,
            "odd lines",
            f"{'One line has' if one else f'{self.n_lines:,} lines have'} another number of cells "
            "than there are columns.",
            "Leave them out (--odd-lines drop), or correct them.",
            "warning",
            (Fix(f"Leave {these} out", "odd_lines", DROP_LINES),),
        )


def shortest_line(lines: Iterable[str]) -> str:
    """Return the line that is shown of some; nothing where there is none.

    >>> shortest_line(["see note 3", "a,b", "c,d"])
    'a,b'
    """
    return min(lines, key=lambda line: (len(line), line), default="")


def lines_left_out(n_lines: int, lines: Iterable[str], width: int) -> tuple[Finding, ...]:
    """Say how many lines were left out, with the shortest of some, and how to take it back."""
    if not n_lines:
        return ()
    shown = shortest_line(lines).strip()
    shown = shown if len(shown) <= _LONGEST else shown[: _LONGEST - 3] + "..."
    one = n_lines == 1
    what = "1 line that has not" if one else f"{n_lines:,} lines that have not"
    back = Fix("Take it back", "take back", f"odd_lines {DROP_LINES}")
    sentence = f"{what} {width} cells {'is' if one else 'are'} left out ({shown!r})."
    return (Finding(None, "said", sentence, fixes=(back,)),)


@dataclass
class OddLines:
    """Counts lines that are left out while a table is read in parts; the shortest is kept.

    >>> met = OddLines()
    >>> met.add(["see note 3", "a,b"], 4)
    >>> met.findings[0].sentence
    "2 lines that have not 4 cells are left out ('a,b')."
    """

    n_lines: int = 0
    shortest: str = ""
    width: int = 0

    def add(self, lines: Sequence[str], width: int) -> None:
        """Count further lines of a table of so many columns."""
        self.width = width
        self.n_lines += len(lines)
        self.shortest = shortest_line(filter(None, (self.shortest, *lines)))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Say how many there were, if any."""
        return lines_left_out(self.n_lines, (self.shortest,), self.width)
