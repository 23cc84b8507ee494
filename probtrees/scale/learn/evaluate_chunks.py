"""Judge a model by rows that are read in chunks: sums that add up to the usual measures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.model.model import Model
from probtrees.model.predict import predict_proba
from probtrees.scale.files.table_files import DEFAULT_MEMORY, Source
from probtrees.scale.passes.chunked_table import ChunkedTable
from probtrees.scale.passes.conductor import Conductor, conducting
from probtrees.scale.passes.open_chunks import open_with_schema
from probtrees.scale.passes.statistic import RowForm, Statistic
from probtrees.score.measures import Scores, main_measures
from probtrees.score.metrics import ECE_BINS, SMALLEST_PROBABILITY
from probtrees.table.dataset import Dataset
from probtrees.table.findings import Role
from probtrees.table.read_options import ReadOptions
from probtrees.types import FloatArray

_SCORE_BINS = 4096
"""Probabilities are ranked by this many bins; rows of one bin count as equal for the AUC."""

_PRECISION = 50
_HALF = 30
_LARGE = 4096.0


def evaluate_chunks(
    model: Model,
    source: Source,
    *,
    memory: int | str = DEFAULT_MEMORY,
    roles: Mapping[str, Role] | None = None,
    cluster: str | None = None,
) -> Scores:
    """Measure a model on files that do not fit into memory, in one pass.

    Parameters
    ----------
    model : a fitted or loaded model
    source : a file, a folder, a pattern, or a list of these, with the columns of the model; rows
        without a class are left out
    memory : how much may be held at a time, such as "2GB"
    roles : a column with the role weight says how much a row counts
    cluster : the address of a Dask scheduler, or "local"; None: this process does all

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import probtrees
    >>> data = probtrees.load_sample("stroke")
    >>> model = probtrees.fit(data, "nb", "laplace")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     data.to_frame().to_csv(pathlib.Path(folder, "new.csv"), index=False)
    ...     round(probtrees.evaluate_chunks(model, folder)["error"], 2)
    0.2
    """
    with conducting(None, cluster) as conductor:
        layout = ReadOptions(roles=roles or {})
        table = open_with_schema(source, model.schema, memory, layout)
        return evaluate_table(model, table, conductor)


def evaluate_table(model: Model, table: ChunkedTable, conductor: Conductor) -> Scores:
    """Measure a model on an opened table."""
    make = partial(EvaluationSums, model)
    return conductor.carry_out("scoring rows", table, RowForm(), make).scores()


@dataclass
class EvaluationSums(Statistic):
    """Losses of rows that were not learnt from, added up exactly in any order.

    The AUC takes probabilities in the same of 4096 bins for equal; all other measures are those
    of :func:`~probtrees.score.measures.evaluate`.

    Attributes
    ----------
    model : gives the probabilities
    sums : in fixed point: the weight of all rows and their losses by measure; by bin of the most
        probable class, of the right answers and of its probability. How often a true class was
        given probability 0, as "certain"
    ranks : float64[class that occurred, class asked about, bin], rows by probability
    """

    model: Model
    sums: Counter[Any] = field(default_factory=Counter)
    ranks: FloatArray = field(default_factory=lambda: np.empty(0))

    def __post_init__(self) -> None:
        n_classes = len(self.model.schema.classes)
        if not self.ranks.size:
            self.ranks = np.zeros((n_classes, n_classes, _SCORE_BINS))

    def update(self, data: Dataset) -> None:
        """Add the rows of a chunk whose class the model knows."""
        known = data.values[:, -1] >= 0
        data = data if known.all() else data.take(known)
        if data.n_rows == 0:
            return
        proba, labels, weights = predict_proba(self.model, data), data.labels, data.row_weights
        true = proba[np.arange(len(labels)), labels]
        answers = proba.argmax(axis=1)
        with np.errstate(divide="ignore"):
            logs = np.log(true)
        self.sums["certain"] += int((true == 0).sum())
        misses = {
            "weight": np.ones_like(true),
            "brier": (proba**2).sum(axis=1) - 2 * true + 1,
            "log_loss": -np.maximum(logs, np.log(SMALLEST_PROBABILITY)),
            "cll": np.where(true > 0, -logs, 0.0),
            "error": (answers != labels).astype(np.float64),
        }
        for name, miss in misses.items():
            self.sums[name] += _exact_sum(weights * miss)
        self._rank(proba, labels, weights)
        top = proba.max(axis=1)
        edges = np.linspace(0.0, 1.0, ECE_BINS + 1)
        bins = np.clip(np.searchsorted(edges, top, side="left") - 1, 0, ECE_BINS - 1)
        for number in np.unique(bins).tolist():
            rows = bins == number
            self.sums["right", number] += _exact_sum((weights * (answers == labels))[rows])
            self.sums["sure", number] += _exact_sum((weights * top)[rows])

    def _rank(self, proba: FloatArray, labels: NDArray[np.int64], weights: FloatArray) -> None:
        n_classes = proba.shape[1]
        bins = np.minimum((proba * _SCORE_BINS).astype(np.int64), _SCORE_BINS - 1)
        for k in range(n_classes):
            cells = np.bincount(
                labels * _SCORE_BINS + bins[:, k], weights, minlength=n_classes * _SCORE_BINS
            )
            self.ranks[:, k] += cells.reshape(n_classes, _SCORE_BINS)

    def merge(self, other: EvaluationSums) -> None:
        """Add what was added up elsewhere."""
        self.sums.update(other.sums)
        self.ranks += other.ranks

    def scores(self) -> Scores:
        """Return the measures over all rows."""
        sums, weight = self.sums, self.sums["weight"]
        if not weight:
            return Scores({measure.name: None for measure in main_measures()})
        off = sum(abs(sums["right", n] - sums["sure", n]) for n in range(ECE_BINS))
        return Scores(
            rmse=float(np.sqrt(sums["brier"] / weight / len(self.model.schema.classes))),
            brier=sums["brier"] / weight,
            log_loss=sums["log_loss"] / weight,
            error=sums["error"] / weight,
            auc=self._auc(),
            ece=off / weight,
            cll=None if sums["certain"] else -sums["cll"] / (1 << _PRECISION),
        )

    def _auc(self) -> float | None:
        """Return Hand and Till's M from the bins; equals count half."""
        present = np.flatnonzero(self.ranks[:, 0].sum(axis=1) > 0)
        if len(present) < 2:
            return None
        total = 0.0
        for i in present:
            own = self.ranks[i, i]
            above = own.sum() - np.cumsum(own) + own / 2
            for j in present[present != i]:
                other = self.ranks[j, i]
                total += float((above * other).sum() / (own.sum() * other.sum()))
        return total / (len(present) * (len(present) - 1))


def _exact_sum(values: FloatArray) -> int:
    """Add values up as whole multiples of 2^-50, exactly, whatever their order."""
    if values.max(initial=0.0) >= _LARGE:
        return sum(round(value * (1 << _PRECISION)) for value in values.tolist())
    fixed = np.rint(values * float(1 << _PRECISION)).astype(np.int64)
    upper, lower = (fixed >> _HALF).sum(), (fixed & ((1 << _HALF) - 1)).sum()
    return (int(upper) << _HALF) + int(lower)
