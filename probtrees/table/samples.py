"""Small tables to try things on: ``load_sample("titanic")``."""

from __future__ import annotations

from pathlib import Path

from probtrees.errors import DataError, did_you_mean
from probtrees.machine.bundled import bundled
from probtrees.table.dataset import Dataset
from probtrees.table.read_table import read_table

_OTHER_NAMES = {"heart-disease": "heart"}


def sample_names() -> tuple[str, ...]:
    """List the samples.

    >>> "titanic" in sample_names()
    True
    """
    return tuple(sorted(path.stem for path in bundled("sample_data").glob("*.csv")))


def sample_path(name: str) -> Path:
    """Find the file of a sample; blanks and underscores stand for dashes.

    >>> sample_path("tic tac toe").name
    'tic-tac-toe.csv'
    """
    known = name.strip().lower().replace(" ", "-").replace("_", "-")
    known = _OTHER_NAMES.get(known, known)
    if known not in sample_names():
        raise DataError(
            f"sample={name!r} must be one of the samples. {did_you_mean(name, sample_names())}"
        )
    return bundled("sample_data") / f"{known}.csv"


def load_sample(name: str) -> Dataset:
    """Read a sample; its last column is the target.

    >>> load_sample("stroke").n_rows
    15
    """
    return read_table(sample_path(name))
