"""Lines of another number of cells than the table has columns: refused, or left out if asked."""

from __future__ import annotations

from collections.abc import Sequence

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


def left_out_finding(lines: Sequence[str], width: int) -> Finding:
    """Say which lines were left out, and how to take it back."""
    shown = min(lines, key=lambda line: (len(line), line)).strip()
    shown = shown if len(shown) <= _LONGEST else shown[: _LONGEST - 3] + "..."
    one = len(lines) == 1
    what = "1 line that has not" if one else f"{len(lines):,} lines that have not"
    return Finding(
        None,
        "said",
        f"{what} {width} cells {'is' if one else 'are'} left out ({shown!r}).",
        fixes=(Fix("Take it back", "take back", f"odd_lines {DROP_LINES}"),),
    )
