"""Finished results of a benchmark on disk, and what they add up to: means and ranks.

The file is a CSV that is written anew, whole or not at all, whenever a task is finished. So a run
that is killed loses the tasks it was at, and the next one goes on where it stopped.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from probtrees.errors import DataError, OptionError
from probtrees.machine.atomic_file import write_atomically
from probtrees.score.measures import MEASURES
from probtrees.score.rank_test import rank_methods
from probtrees.types import FloatArray

BASE_RATE = "base-rate"
"""The model that always answers with the class frequencies of its training rows."""


SECONDS = ("seconds_grow", "seconds_smooth", "seconds_predict")

Row = Mapping[str, str]
Key = tuple[str, str, str]


def _key_of(row: Row) -> Key:
    return row["dataset"], row["model"], row["smoother"]


class ResultLog:
    """Rows of finished results, found by data set, model and smoother.

    Parameters
    ----------
    path : the file; None keeps the rows in memory only
    columns : the header; ``settings`` holds a digest of the settings a result was made under
    """

    def __init__(self, path: Path | None, columns: Sequence[str]) -> None:
        self.path = path
        self.columns = tuple(columns)
        # A device may have no end: only a file is read.
        self.rows = self._read(path) if path is not None and path.is_file() else {}
        self.add(())  # a place that cannot be written to is found before anything is measured

    def has(self, row: Row) -> bool:
        """Return whether a result is there already; refuse one made under other settings."""
        found = self.rows.get(_key_of(row))
        if found is None:
            return False
        if found["settings"] != row["settings"]:
            name = ", ".join(filter(None, _key_of(row)))
            raise OptionError(
                f"out={str(self.path)!r} must not hold results of other settings, data or "
                f"versions, but has {name}. Name another file, or delete this one."
            )
        return True

    def add(self, rows: Iterable[Row]) -> None:
        """Keep finished results; they are on disk when this returns."""
        self.rows.update((_key_of(row), row) for row in rows if _key_of(row) not in self.rows)
        if self.path is not None:
            lines = io.StringIO()
            writer = csv.DictWriter(lines, self.columns, lineterminator="\n")
            writer.writeheader()
            writer.writerows(self.rows.values())
            write_atomically(self.path, lines.getvalue())

    def _read(self, path: Path) -> dict[Key, Row]:
        """Read what an earlier run left; a release may have had fewer columns."""
        reader = csv.DictReader(
            path.read_text(encoding="utf-8", errors="replace").splitlines(), restval=""
        )
        try:
            names, rows = set(reader.fieldnames or self.columns), list(reader)
        except csv.Error:  # a cell as long as a book: anything but results
            names, rows = set(), []
        if not {"dataset", "model", "smoother", "settings"} <= names <= set(self.columns):
            raise DataError(
                f"out={str(path)!r} must be a file of benchmark results. Name another file."
            )
        unknown = dict.fromkeys(self.columns, "")
        return {_key_of(row): {**unknown, **row} for row in rows if None not in row}


@dataclass(frozen=True)
class Summary:
    """Benchmark rows as a table per measure: a row per data set, a column per method.

    A data set enters a mean or a rank only if the measure is defined there for every
    method, so that all methods are averaged over the same data sets.
    """

    frame: pd.DataFrame

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures that are summarised."""
        return tuple(measure.name for measure in MEASURES.values() if measure.in_summary)

    @cached_property
    def methods(self) -> tuple[str, ...]:
        """The methods in the order they were asked for, the base rate last."""
        names = list(dict.fromkeys(self.frame["method"]))
        return tuple(sorted(names, key=lambda name: name == BASE_RATE))

    @property
    def n_datasets(self) -> int:
        """Number of data sets with a result for every method."""
        return len(self.table("rmse"))

    @property
    def remarks(self) -> list[str]:
        """Name the means that use fewer data sets, because the measure is undefined on some."""
        counts = {measure: len(self.table(measure)) for measure in self.measures}
        return [
            f"{measure} is defined for every method on {n} of {self.n_datasets} data sets"
            for measure, n in counts.items()
            if n != self.n_datasets
        ]

    def table(self, measure: str) -> pd.DataFrame:
        """One measure by data set and method, without the data sets that lack a value."""
        wide = self.frame.pivot(index="dataset", columns="method", values=measure)
        return wide[list(self.methods)].dropna()

    def mean(self, method: str, measure: str) -> float | None:
        """Mean over the data sets on which the measure is defined for every method."""
        values = self.table(measure)[method]
        return float(values.mean()) if len(values) else None

    def mean_rank(self, method: str, measure: str) -> float | None:
        """Mean rank over data sets, 1 = best, ties share their ranks."""
        ranks = self.ranks(measure)
        return float(ranks[:, self.methods.index(method)].mean()) if len(ranks) else None

    def sizes(self, datasets: pd.Index) -> FloatArray:
        """Rows of data sets."""
        rows = self.frame.drop_duplicates("dataset").set_index("dataset")["rows"]
        return rows.loc[datasets].to_numpy(dtype=np.float64)

    def seconds(self, datasets: pd.Index) -> dict[str, FloatArray]:
        """Time to grow, smooth and predict data sets by every method but the base rate."""
        total = self.frame.assign(seconds=self.frame[list(SECONDS)].sum(axis=1))
        wide = total.pivot(index="dataset", columns="method", values="seconds").loc[datasets]
        methods = [method for method in self.methods if method != BASE_RATE]
        return {method: wide[method].to_numpy(dtype=np.float64) for method in methods}

    def ranks(self, measure: str) -> FloatArray:
        """Rank of every method on every data set, 1 = best."""
        values = self.table(measure).to_numpy(dtype=np.float64)
        lower_is_better = not MEASURES[measure].larger_is_better
        return rank_methods(values, lower_is_better=lower_is_better) if len(values) else values


def summarise(rows: Sequence[Row]) -> Summary:
    """Turn the text of result rows into numbers and name the methods."""
    frame = pd.DataFrame(list(rows))
    numeric = [*MEASURES, *SECONDS, "rows", "classes", "numeric", "nominal"]
    for name in numeric:
        frame[name] = pd.to_numeric(frame[name]) if name in frame else np.nan
    frame["brier_skill"] = _skill(frame)
    several_models = frame.loc[frame["model"] != BASE_RATE, "model"].nunique() > 1
    names = frame["model"] + " + " + frame["smoother"] if several_models else frame["smoother"]
    frame["method"] = names.where(frame["model"] != BASE_RATE, BASE_RATE)
    return Summary(frame)


def _skill(frame: pd.DataFrame) -> pd.Series:
    """Fill in the skill where a file of an earlier release lacks it."""
    base = frame[frame["model"] == BASE_RATE].drop_duplicates("dataset").set_index("dataset")
    loss = frame["dataset"].map(base["brier"])
    return frame["brier_skill"].fillna((1 - frame["brier"] / loss).where(loss > 0))
