"""The part of a report that says where all its numbers come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from probtrees.draw.node_card import Mask
from probtrees.report.html_page import HtmlPage
from probtrees.table.provenance import Provenance
from probtrees.version import __version__


def add_provenance(
    page: HtmlPage, source: Provenance, about: Sequence[Sequence[str]], mask: Mask
) -> None:
    """Add file, hash, rows read and dropped, roles and options.

    Parameters
    ----------
    about : what else is known of how the numbers came about: a name and words each
    mask : which counts are too small to be printed
    """
    page.heading("Where this comes from")
    dropped = "; ".join(f"{mask.count(n)}: {why}" for why, n in source.rows_dropped.items())
    rows = [
        ["what", "value"],
        ["File", source.source],
        ["SHA-256 of the file", source.sha256 or "not known: the table was given in memory"],
        ["Rows read", f"{source.rows_read:,}"],
        ["Rows dropped", dropped or "none"],
        *about,
        ["probtrees", source.version or __version__],
    ]
    page.table(rows, in_words=True)
    page.bullets(source.notes)
    roles = [["column", "role"], *([name, role] for name, role in source.roles.items())]
    if len(roles) > 1:
        page.table(roles, folded=f"Roles of {len(roles) - 1} columns", in_words=True)
    options = _flat(source.options)
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
