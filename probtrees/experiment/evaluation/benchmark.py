"""Many data sets, many models, many smoothers: one row each, and what they add up to.

Results are a CSV that is written anew, whole or not at all, whenever a task is finished. So a run
that is killed loses the tasks it was at, and the next one goes on where it stopped.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from probtrees.errors import DataError, OptionError, ProbTreesError
from probtrees.experiment.evaluation.cross_validate import Result, compare
from probtrees.experiment.model_spec import ModelSpec
from probtrees.machine.atomic_file import write_atomically
from probtrees.machine.worker_processes import call_in_processes
from probtrees.score.measures import MEASURES, Scores, detail_measures, main_measures
from probtrees.smooth.smoothed_tree import Smoother
from probtrees.table.folds import FoldPlan, read_cuts
from probtrees.table.read_table import read_table
from probtrees.table.repeats import Repeats
from probtrees.table.table_report import TABLE_SUFFIXES
from probtrees.types import Progress, tell
from probtrees.version import __version__

BASE_RATE = "base-rate"
"""The model that always answers with the class frequencies of its training rows."""

SECONDS = ("seconds_grow", "seconds_smooth", "seconds_predict")

Row = Mapping[str, str]
Key = tuple[str, str, str]


_SIZES = (
    *("dataset", "rows", "numeric", "nominal", "classes"),
    *("model", "smoother", "folds", "repeats"),
)
_TREE_SIZES = ("nodes", "leaves", "depth", "settings")

TABLE_ENDINGS = (*TABLE_SUFFIXES, *(f"{suffix}.gz" for suffix in TABLE_SUFFIXES))
"""Which files of a folder are taken for data sets."""


@dataclass(frozen=True)
class Task:
    """One model on one data set, with all its smoothers on the same folds."""

    path: Path
    spec: ModelSpec
    smoothers: tuple[tuple[str, Smoother], ...]
    plan: FoldPlan
    folds: Path | None
    repeats: Repeats = "auto"

    @property
    def dataset(self) -> str:
        """The name of the data set: its file's, without the endings."""
        return dataset_name(self.path)

    @property
    def rows(self) -> dict[str, Row]:
        """What identifies the result of every smoother, by its name."""
        settings = {
            "data": _digest(self.path),
            "folds": self.plan.identity if self.folds is None else _digest(self.folds),
            "spec": self.spec.to_dict(),
            "version": __version__,
        }
        if self.repeats != "auto":
            settings["repeats"] = self.repeats
        common = {"dataset": self.dataset, "model": self.spec.learner_name}
        found: dict[str, Row] = {}
        for name, method in self.smoothers:
            whole = {**settings, "smoother": method.to_dict()}
            text = json.dumps(whole, sort_keys=True, default=str)
            digest = hashlib.sha256(text.encode()).hexdigest()[:12]
            found[name] = {**common, "smoother": name, "settings": digest}
        return found


@dataclass(frozen=True)
class Failure:
    """A model that could not be measured on a data set, and why."""

    dataset: str
    model: str
    reason: str


@dataclass(frozen=True)
class BenchmarkRun:
    """All finished rows, those of earlier runs included, and what failed in this one."""

    rows: tuple[Row, ...]
    failures: tuple[Failure, ...]


def result_columns() -> tuple[str, ...]:
    """List the header of a results file: names and sizes, measures, seconds, mean tree sizes."""
    measures = [measure.name for measure in (*main_measures(), *detail_measures())]
    return (*_SIZES, *measures, *SECONDS, *_TREE_SIZES)


def find_tables(folder: Path) -> list[Path]:
    """List the data sets of a folder by name."""
    if not folder.is_dir():
        raise DataError(f"dir={str(folder)!r} must be a folder with data sets.")
    # Absolute: processes that are used again may stand in another folder.
    paths = folder.absolute().iterdir()
    found = sorted(path for path in paths if path.name.lower().endswith(TABLE_ENDINGS))
    if not found:
        raise DataError(
            f"dir={str(folder)!r} must hold data sets. Files ending in "
            f"{', '.join(TABLE_ENDINGS)} are taken."
        )
    return found


def dataset_name(path: Path) -> str:
    """Name a data set after its file.

    >>> dataset_name(Path("data/iris.arff.gz"))
    'iris'
    """
    name = path.name
    for ending in sorted(TABLE_ENDINGS, key=len, reverse=True):
        if name.lower().endswith(ending):
            return name[: -len(ending)]
    return path.stem


def run_benchmark(
    tasks: Sequence[Task],
    out: Path | None = None,
    *,
    n_jobs: int = 1,
    max_rows: int | None = None,
    progress: Progress | None = None,
) -> BenchmarkRun:
    """Measure every task that is not in the results file yet.

    Parameters
    ----------
    tasks : what to measure; a failing one is reported and never stops the others
    out : the results file, added to as tasks finish; None: keep results in memory
    n_jobs : processes
    max_rows : leave out larger data sets
    progress : called after every task; may raise to cancel
    """
    log = ResultLog(out, result_columns())
    waiting = [todo for todo in (_unfinished(task, log) for task in tasks) if todo is not None]
    waiting.sort(key=lambda task: task.path.stat().st_size, reverse=True)
    failures: list[Failure] = []
    calls = ((task, max_rows) for task in waiting)
    outcomes = call_in_processes(_measure, calls, n_jobs, in_order=False)
    for n_done, outcome in enumerate(outcomes, start=1):
        if isinstance(outcome, Failure):
            failures.append(outcome)
            what = f"{outcome.dataset} failed"
        else:
            log.add(outcome)
            what = outcome[0]["dataset"] if outcome else ""
        tell(progress, n_done / len(waiting), what)
    wanted = {task.dataset for task in tasks}
    rows = tuple(row for row in log.rows.values() if row["dataset"] in wanted)
    return BenchmarkRun(tuple(sorted(rows, key=lambda row: row["dataset"])), tuple(failures))


def _unfinished(task: Task, log: ResultLog) -> Task | None:
    """Leave out the smoothers whose results are there; None when all are."""
    identities = task.rows
    open_ones = tuple(pair for pair in task.smoothers if not log.has(identities[pair[0]]))
    return replace(task, smoothers=open_ones) if open_ones else None


def _measure(task: Task, max_rows: int | None) -> list[Row] | Failure:
    """Cross-validate one task; whatever goes wrong becomes a sentence."""
    try:
        data = read_table(task.path, repeats=task.repeats)
        if max_rows is not None and data.n_rows > max_rows:
            return []
        if task.folds is None:
            data = data.copies_apart()
            cuts = task.plan.cut(data, task.spec.seed)
        else:
            cuts = read_cuts(task.folds, data)
        results = compare(data, task.spec, task.smoothers, folds=cuts)
        n_nominal = sum(column.is_nominal for column in data.schema.features)
        columns = {"numeric": len(data.schema.features) - n_nominal, "nominal": n_nominal}
        return _rows(task, results, columns)
    except Exception as problem:
        kind = "" if isinstance(problem, ProbTreesError) else f"{type(problem).__name__}: "
        return Failure(task.dataset, task.spec.learner_name, f"{kind}{problem}")


def _rows(task: Task, results: Sequence[Result], size: dict[str, int]) -> list[Row]:
    """Write results as rows, each after the base rate's."""
    identities = task.rows
    no_skill = {measure.name: 0.0 for measure in MEASURES.values() if measure.is_relative}
    rows = []
    for result in results:
        seconds = {f"seconds_{name}": value for name, value in result.seconds.items()}
        extra = {"nodes": result.nodes, "leaves": result.leaves, "depth": result.depth}
        common = {"folds": result.n_folds, "repeats": result.n_repeats, **size}
        common |= {"rows": result.n_rows, "classes": result.n_classes}
        own = {**identities[result.smoother], **common}
        base = {**own, **no_skill, "model": BASE_RATE, "smoother": "", "settings": ""}
        rows.append(_row(base, result.base_rate))
        rows.append(_row({**own, **result.details, **seconds, **extra}, result.scores))
    return rows


def _row(cells: dict[str, Any], scores: Scores) -> Row:
    """Fill every column; what is undefined stays empty."""
    cells = {**cells, **scores}
    return {name: "" if cells.get(name) is None else str(cells[name]) for name in result_columns()}


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


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
            frame = pd.DataFrame([*self.rows.values()], columns=self.columns)
            write_atomically(self.path, frame.to_csv(index=False, lineterminator="\n"))

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

    @cached_property
    def means(self) -> dict[str, dict[str, float | None]]:
        """By method the mean of every measure, and of its rank by RMSE: 1 = best, ties share."""
        tables = {measure: self.table(measure) for measure in self.measures}
        tables["rank_by_rmse"] = self.table("rmse").rank(axis=1)
        return {
            method: {n: float(t[method].mean()) if len(t) else None for n, t in tables.items()}
            for method in self.methods
        }


def summarise(rows: Sequence[Row]) -> Summary:
    """Turn the text of result rows into numbers and name the methods."""
    frame = pd.DataFrame(list(rows))
    numeric = [*MEASURES, *SECONDS, "rows", "classes", "numeric", "nominal"]
    for name in numeric:
        frame[name] = pd.to_numeric(frame[name]) if name in frame else np.nan
    several_models = frame.loc[frame["model"] != BASE_RATE, "model"].nunique() > 1
    names = frame["model"] + " + " + frame["smoother"] if several_models else frame["smoother"]
    frame["method"] = names.where(frame["model"] != BASE_RATE, BASE_RATE)
    return Summary(frame)
