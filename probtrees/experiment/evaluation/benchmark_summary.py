"""What a benchmark's rows add up to: means, ranks, and one value per data set and method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from probtrees.experiment.evaluation.benchmark import BASE_RATE, SECONDS
from probtrees.experiment.evaluation.result_log import Row
from probtrees.machine.lazy_module import stats
from probtrees.score.measures import MEASURES
from probtrees.types import FloatArray


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
        if len(ranks) == 0:
            return None
        return float(ranks[:, self.methods.index(method)].mean())

    def sizes(self, datasets: pd.Index) -> FloatArray:
        """Rows of data sets."""
        rows = self.frame.drop_duplicates("dataset").set_index("dataset")["rows"]
        return rows.loc[datasets].to_numpy(dtype=np.float64)

    def seconds(self, datasets: pd.Index) -> dict[str, FloatArray]:
        """Time to grow, smooth and predict data sets by every method but the base rate."""
        total = self.frame.assign(seconds=self.frame[list(SECONDS)].sum(axis=1))
        wide = total.pivot(index="dataset", columns="method", values="seconds").loc[datasets]
        return {
            method: wide[method].to_numpy(dtype=np.float64)
            for method in self.methods
            if method != BASE_RATE
        }

    def ranks(self, measure: str) -> FloatArray:
        """Rank of every method on every data set, 1 = best."""
        values = self.table(measure).to_numpy(dtype=np.float64)
        if len(values) == 0:
            return values
        return np.asarray(
            stats.rankdata(-values if MEASURES[measure].larger_is_better else values, axis=1)
        )


def summarise(rows: Sequence[Row]) -> Summary:
    """Turn the text of result rows into numbers and name the methods."""
    frame = pd.DataFrame(list(rows))
    numeric = [*MEASURES, *SECONDS, "rows", "classes", "numeric", "nominal"]
    for name in numeric:
        frame[name] = pd.to_numeric(frame[name]) if name in frame else np.nan
    frame["brier_skill"] = _skill(frame)
    several_models = frame.loc[frame["model"] != BASE_RATE, "model"].nunique() > 1
    frame["method"] = [
        _method_name(model, smoother, several_models)
        for model, smoother in zip(frame["model"], frame["smoother"], strict=True)
    ]
    return Summary(frame)


def _skill(frame: pd.DataFrame) -> pd.Series:
    """Fill in the skill where a file of an earlier release lacks it."""
    base = frame[frame["model"] == BASE_RATE].drop_duplicates("dataset").set_index("dataset")
    loss = frame["dataset"].map(base["brier"])
    return frame["brier_skill"].fillna((1 - frame["brier"] / loss).where(loss > 0))


def _method_name(model: str, smoother: str, several_models: bool) -> str:
    if model == BASE_RATE:
        return BASE_RATE
    return f"{model} + {smoother}" if several_models else smoother
