"""The part of a report that says where all its numbers come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from probtrees.report.html_page import HtmlPage
from probtrees.table.provenance import Provenance
from probtrees.version import __version__


def add_provenance(
    page: HtmlPage,
    source: Provenance,
    about: Sequence[Sequence[str]],
    *,
    counts_shown: bool = True,
) -> None:
    """Add file, hash, rows read and dropped, roles and options.

    Parameters
    ----------
    about : what else is known of how the numbers came about: a name and words each
    counts_shown : whether the table's own counts, and what a guessed table could be checked by,
        may be shown
    """
    page.heading("Where this comes from")
    dropped = "; ".join(
        f"{n:,}: {why}" if counts_shown else why for why, n in source.rows_dropped.items()
    )
    not_shown = [
        ["SHA-256 of the file", "not shown: a guess of the table could be checked by it"],
        ["Rows read", "not shown: small counts could be had by subtraction"],
    ]
    counted = [
        ["SHA-256 of the file", source.sha256 or "not known: the table was given in memory"],
        ["Rows read", f"{source.rows_read:,}"],
    ]
    rows = [
        ["what", "value"],
        ["File", source.source],
        *(counted if counts_shown else not_shown),
        ["Rows dropped", dropped or "none"],
        *about,
        ["probtrees", source.version or __version__],
    ]
    page.table(rows, in_words=True)
    if counts_shown:
        page.bullets(source.notes)
    roles = [["column", "role"], *([name, role] for name, role in source.roles.items())]
    if len(roles) > 1:
        page.table(roles, folded=f"Roles of {len(roles) - 1} columns", in_words=True)
    options = _flat(source.options)
    if not counts_shown:  # the way to a corrected group may tell of one that was merged
        options = [row for row in options if not row[0].endswith(".edits")]
    if options:
        page.table([["option", "value"], *options], folded="All options", in_words=True)


def _flat(options: Mapping[str, Any], prefix: str = "") -> list[list[str]]:
    """Write nested options as rows."""
    rows = []
    for name, value in options.items():
        if isinstance(value, Mapping):
            rows += _flat(value, f"{prefix}{name}.")
        else:
            rows.append([f"{prefix}{name}", "none" if value is None else str(value)])
    return rows
