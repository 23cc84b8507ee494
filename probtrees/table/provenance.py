"""Where the numbers come from: a record that travels with data, models and reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from probtrees.errors import DataError


@dataclass(frozen=True)
class Provenance:
    """What was read, what was left out and why, and with which settings.

    Attributes
    ----------
    source : the file's name without its folder, or a word for data given in memory
    sha256 : hash of the bytes that were read; empty for data given in memory
    rows_read, rows_dropped : rows found, and rows left out by reason
    roles : the role of every column of the table, by name
    notes : sentences about decisions made while reading (ignored columns and why, ...)
    options : settings that shaped the data or the model
    seed : the seed of everything random, if anything was
    version : the version of probtrees that did the work
    """

    source: str = "data in memory"
    sha256: str = ""
    rows_read: int = 0
    rows_dropped: Mapping[str, int] = field(default_factory=dict)
    roles: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int | None = None
    version: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the record as plain values, ready for JSON."""
        record = asdict(self)
        record["notes"] = list(self.notes)
        return record

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Provenance:
        """Read a record written by :meth:`to_dict`; unknown keys are ignored."""
        known = {name: record[name] for name in cls.__dataclass_fields__ if name in record}
        for name in ("source", "sha256"):
            if not isinstance(known.get(name, ""), str):
                raise DataError(f"provenance {name} must be a text. Write the file again.")
        known["notes"] = tuple(known.get("notes", ()))
        return cls(**known)
