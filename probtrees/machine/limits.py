"""How much memory there is, and how much one visitor of the app may ask for.

Whoever starts the server sets the limits. Each is an option of ``probtrees app`` and an environment
variable, for servers that are started in other ways.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from probtrees.errors import DataError, OptionError
from probtrees.options import Options, option, option_fields

ALLOW_PATHS = "PROBTREES_ALLOW_PATHS"
"""The environment variable by which ``probtrees app --allow-paths`` reaches the pages."""


@dataclass(frozen=True)
class ServerLimits(Options):
    """What is refused with a sentence instead of being tried."""

    upload: int = option(500, help="Megabytes of an uploaded file.", minimum=1, maximum=100_000)
    rows: int = option(2_000_000, help="Rows of a table.", minimum=1)
    columns: int = option(20_000, help="Columns of a table.", minimum=1)
    nodes: int = option(500_000, help="Nodes of a tree, or of all tables of a network.", minimum=1)
    cache: int = option(
        1000,
        help="Megabytes kept for all visitors together: their files, and what is made of them.",
        minimum=1,
    )

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> ServerLimits:
        """Read the limits that are set as ``PROBTREES_MAX_ROWS`` and so on."""
        given = {}
        for field in option_fields(cls):
            if text := environment.get(variable(field.name)):
                try:
                    given[field.name] = field.parse(text)
                except OptionError as problem:
                    raise OptionError(f"{variable(field.name)}: {problem}") from None
        return dataclasses.replace(cls(), **given)

    def check_table(self, n_rows: int, n_columns: int) -> None:
        """Refuse a table that is too large for this server."""
        self._check(n_rows, self.rows, "rows", "Give fewer rows: a random sample will do")
        self._check(n_columns, self.columns, "columns", "Leave columns out")

    def check_nodes(self, n_nodes: int, *, of_network: bool = False) -> None:
        """Refuse a model that is too large for this server."""
        advice = "Raise the fewest rows of a leaf, or grow less"
        if of_network:
            advice = "Choose a smaller k or fewer intervals (Options), or leave columns out"
        self._check(n_nodes, self.nodes, "nodes", advice)

    @staticmethod
    def _check(found: int, most: int, what: str, advice: str) -> None:
        if found > most:
            raise DataError(
                f"{what}={found:,} must be at most {most:,} on this server. {advice}, or start "
                f"your own with 'probtrees app --max-{what}'."
            )


def variable(name: str) -> str:
    """Name the environment variable of a limit.

    >>> variable("rows")
    'PROBTREES_MAX_ROWS'
    """
    return f"PROBTREES_MAX_{name.upper()}"


CONTAINER_LIMITS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)
"""Where Linux writes what a container may use; the second one in older versions."""

USUAL_MEMORY = 8 << 30
"""Assumed where a system does not say."""


def machine_memory() -> int:
    """Return the bytes of memory of this machine, or of the container if it may use less."""
    return min([_of_machine(), *filter(None, map(_limit_in, CONTAINER_LIMITS))])


def shown_bytes(n_bytes: float) -> str:
    """Write an amount of memory as people do.

    >>> shown_bytes(800_000_000), shown_bytes(12.81e9)
    ('0.8 GB', '12.8 GB')
    """
    return f"{n_bytes / 1e9:,.1f} GB"


def _of_machine() -> int:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # not known, or not a system with sysconf
        return USUAL_MEMORY


def _limit_in(path: Path) -> int | None:
    """Read a limit; None if there is no file or it says there is none."""
    try:
        return int(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None
