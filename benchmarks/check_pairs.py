"""Measure what shapes of two columns would add to a shaped tree.

Usage::

    python benchmarks/check_pairs.py DATA_DIR

DATA_DIR holds the data sets as ``NAME.arff``; of larger ones 2,000 rows are taken. Inner models of
a shaped tree say what they think of rows that they have not seen. The pairs of columns, cut into
eight bins each, that explain most of what is left, beyond what either column does, are candidates;
tables of scores for the first 1, 3 or 10 are fitted on top of the answers with a ridge penalty. How
many, and how strong the penalty, is chosen by rows held out of that fit and of the choice of
candidates; none at all is a choice too. Figures are the RMSE of three folds together.
"""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

import numpy as np
from check_frontier import SPLIT, add_rows
from papers.peers import Tuned, XGBoost
from scipy.optimize import minimize
from scipy.sparse import csr_array

from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.inner_models import held_out_proba
from probtrees.model.predict import predict_proba
from probtrees.score.measures import evaluate
from probtrees.smooth.log_linear.softmax import normalise
from probtrees.table.dataset import Dataset
from probtrees.table.folds import FoldPlan
from probtrees.table.read_table import read_table

NAMES = ("glass", "car-evaluation", "banana", "nursery", "wine-quality-white", "eeg-eye-state",
         "sign", "wall-following", "statlog-heart", "bupa", "wdbc", "credit-approval", "german",
         "vehicle")  # fmt: skip
N_BINS, WIDTH, MOST_ROWS, NUMBERS, PENALTIES = 8, 10, 2000, (1, 3, 10), (2.0, 10.0)
FIELDS = ("name", "rows", "classes", "pairs", "shaped tree", "with pairs", "XGBoost",
          "XGBoost tuned")  # fmt: skip


def binned(train: Dataset, rows: Dataset) -> np.ndarray:
    """Return the bin of every value: eighths of a number, the most frequent categories."""
    bins = np.full((rows.n_rows, len(train.schema.features)), WIDTH - 1)
    for j in range(bins.shape[1]):
        seen, x = train.values[:, j], rows.values[:, j]
        seen, known = seen[~np.isnan(seen)], ~np.isnan(x)
        if train.schema.columns[j].is_nominal:
            counts = np.bincount(seen.astype(int), minlength=train.schema.columns[j].n_values)
            rank = np.argsort(np.argsort(-counts, kind="stable"))
            bins[known, j] = np.minimum(rank[x[known].astype(int)], N_BINS)
        elif len(seen):
            cuts = np.unique(np.quantile(seen, np.arange(1, N_BINS) / N_BINS))
            bins[known, j] = np.searchsorted(cuts, x[known], side="right")
    return bins


def explained(cells: np.ndarray, left: np.ndarray, spread: np.ndarray) -> float:
    """Return chi-square of what is left in cells, less what chance alone would give."""
    total = 0.0
    for k in range(left.shape[1]):
        sums, expected = (np.bincount(cells, each[:, k]) for each in (left, spread))
        total += float((sums**2 / (expected + 1)).sum() - (expected > 0).sum())
    return total


def candidates(bins: np.ndarray, proba: np.ndarray, happened: np.ndarray) -> list:
    """List the most promising pairs of columns, the best first."""
    both, found = (happened - proba, proba * (1 - proba)), {}
    alone = [explained(column, *both) for column in bins.T]
    for a, b in itertools.combinations(range(bins.shape[1]), 2):
        found[a, b] = explained(bins[:, a] * WIDTH + bins[:, b], *both) - alone[a] - alone[b]
    return sorted(found, key=lambda pair: -found[pair])[: max(NUMBERS)]


def features(bins: np.ndarray, pairs: list) -> csr_array:
    """Return a column of zeros and ones for every cell of every pair."""
    cells = [bins[:, a] * WIDTH + bins[:, b] + n * WIDTH**2 for n, (a, b) in enumerate(pairs)]
    index, first = np.column_stack(cells).ravel(), np.arange(len(bins) + 1) * len(pairs)
    return csr_array((np.ones(index.size), index, first), (len(bins), len(pairs) * WIDTH**2))


def fit(z: csr_array, offset: np.ndarray, happened: np.ndarray, penalty: float) -> np.ndarray:
    """Fit the scores of all cells on top of an offset."""
    shape = z.shape[1], happened.shape[1]

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        weights = flat.reshape(shape)
        proba = normalise(offset + z @ weights)
        said = np.maximum((proba * happened).sum(axis=1), 1e-300)
        slope = z.T @ (proba - happened) + penalty * weights
        return -np.log(said).sum() + penalty / 2 * float(flat @ flat), slope.ravel()

    start, how = np.zeros(shape).ravel(), {"maxiter": 30}
    return minimize(loss, start, jac=True, method="L-BFGS-B", options=how).x.reshape(shape)


def choose(bins: np.ndarray, proba: np.ndarray, happened: np.ndarray) -> tuple[int, float]:
    """Choose how many pairs, and their penalty, by rows held out of three fits."""
    offset, part = np.log(proba), np.random.default_rng(0).permutation(len(bins)) % 3
    losses = dict.fromkeys([(0, 1.0), *itertools.product(NUMBERS, PENALTIES)], 0.0)
    for held_out in range(3):
        own, test = part != held_out, part == held_out
        pairs = candidates(bins[own], proba[own], happened[own])
        losses[0, 1.0] += float(((proba[test] - happened[test]) ** 2).sum())
        for n, penalty in itertools.product(NUMBERS, PENALTIES):
            z = features(bins, pairs[:n])
            weights = fit(z[own], offset[own], happened[own], penalty)
            answers = normalise(offset[test] + z[test] @ weights)
            losses[n, penalty] += float(((answers - happened[test]) ** 2).sum())
    return min(losses, key=lambda setting: losses[setting])


def answer(train: Dataset, test: Dataset) -> tuple[list[np.ndarray], int]:
    """Return the answers of all methods, and how many pairs were chosen."""
    grown = grow_model(train, "shaped-tree", **SPLIT)
    model = grown.smooth("blend")
    said, train = predict_proba(model, test), grown.data
    proba = np.clip(held_out_proba(grown, model), 1e-6, 1)
    happened = np.eye(train.n_classes)[train.labels]
    bins = binned(train, train)
    (n, penalty), with_pairs = choose(bins, proba, happened), said
    if n > 0:
        pairs = candidates(bins, proba, happened)[:n]
        weights = fit(features(bins, pairs), np.log(proba), happened, penalty)
        more = features(binned(train, test), pairs) @ weights
        with_pairs = normalise(np.log(np.maximum(said, 1e-300)) + more)
    boosted = [peer.fit(train).predict_proba(test) for peer in (XGBoost(), Tuned(n_settings=5))]
    return [said, with_pairs, *boosted], n


def measure(path: Path) -> dict[str, object]:
    data = read_table(path, repeats="apart")
    data = data.take(np.random.default_rng(0).permutation(data.n_rows)[:MOST_ROWS])
    proba, chosen = np.empty((4, data.n_rows, data.n_classes)), []
    for train, test in FoldPlan(n_folds=3).cut_once(data).splits():
        proba[:, test], n = answer(data.take(train), data.take(test))
        chosen.append(str(n))
    rmse = [round(float(evaluate(each, data.labels).rmse), 5) for each in proba]
    known = path.stem, data.n_rows, data.n_classes, " ".join(chosen)
    return dict(zip(FIELDS, (*known, *rmse), strict=True))


if __name__ == "__main__":
    for name in NAMES:
        found = measure(Path(sys.argv[1]) / f"{name}.arff")
        add_rows(Path("benchmarks/results/pairs.csv"), [found])
