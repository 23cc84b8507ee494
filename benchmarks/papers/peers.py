"""Learners of other packages, measured on the same folds and kept in the same results file."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GridSearchCV

from probtrees.dataset import Dataset
from probtrees.experiment.benchmark import COLUMNS, KEY, Failure, dataset_name
from probtrees.experiment.cross_validate import score_tested
from probtrees.experiment.fit import fit, grow
from probtrees.experiment.result_log import ResultLog, Row
from probtrees.predict import predict_proba
from probtrees.prepare.discretize.mdlp import MDLP
from probtrees.prepare.folds import Folds, make_folds, read_folds, stratified_folds
from probtrees.prepare.read_table import read_table
from probtrees.score.metrics import evaluate, mean_scores
from probtrees.smooth.m_estimate import STRENGTHS, MEstimate

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
Cut = tuple[int, int, Path | None]

MODEL = "peer"


@dataclass(frozen=True)
class Peer:
    """A method that is not one of ours, or uses ours in a way that no recipe allows.

    Attributes
    ----------
    label : its name in our output
    answer : table, training rows, test rows -> probabilities of the test rows
    """

    label: str
    answer: Callable[[Dataset, IntArray, IntArray], FloatArray]


def one_hot(data: Dataset) -> FloatArray:
    """Spread nominal columns over one column per category; numbers stay."""
    columns = []
    for number, column in enumerate(data.schema.features):
        values = data.values[:, number]
        if column.categories is None:
            columns.append(values[:, None])
        else:
            columns.append((values[:, None] == np.arange(column.n_values)).astype(float))
    return np.hstack(columns)


def forest(n_trees: int, *, nominal: bool = False) -> Callable[..., FloatArray]:
    """scikit-learn's random forest with log2(attributes) + 1 of them per split, as Weka's.

    Parameters
    ----------
    nominal : cut numbers first, by MDLP on the training rows, as networks need it
    """

    def answer(data: Dataset, train_rows: IntArray, test_rows: IntArray) -> FloatArray:
        train, test = data.take(train_rows), data.take(test_rows)
        if nominal:
            cuts = MDLP().find_cuts(train)
            train, test = cuts.apply(train), cuts.apply(test)
        per_split = int(np.log2(len(data.schema.features))) + 1
        columns = one_hot(train)
        model = RandomForestClassifier(
            n_trees, max_features=min(per_split, columns.shape[1]), random_state=0
        )
        model.fit(columns, train.labels)
        proba = np.zeros((test.n_rows, test.n_classes))
        proba[:, model.classes_] = model.predict_proba(one_hot(test))
        return proba

    return answer


def boosting(*, tuned: bool = False) -> Callable[..., FloatArray]:
    """XGBoost with 100 rounds of depth 6, or both chosen by 10 folds as in the thesis."""

    def answer(data: Dataset, train_rows: IntArray, test_rows: IntArray) -> FloatArray:
        train, test = data.take(train_rows), data.take(test_rows)
        seen, labels = np.unique(train.labels, return_inverse=True)
        proba = np.zeros((test.n_rows, test.n_classes))
        if len(seen) == 1:
            proba[:, seen] = 1.0
            return proba
        xgboost = importlib.import_module("xgboost")  # only the recipes that compare need it
        model = xgboost.XGBClassifier(n_estimators=100, max_depth=6, n_jobs=1, random_state=0)
        if tuned:
            grid = {"n_estimators": [10, 50, 100], "max_depth": [2, 4, 6, 8]}
            model = GridSearchCV(model, grid, cv=10, scoring="accuracy")
        model.fit(one_hot(train), labels)
        proba[:, seen] = model.predict_proba(one_hot(test))
        return proba

    return answer


def cut_on_all_rows(learner: str, options: dict[str, object]) -> Callable[..., FloatArray]:
    """Learn a network after cutting numbers by MDLP on all rows, test rows included."""

    def answer(data: Dataset, train_rows: IntArray, test_rows: IntArray) -> FloatArray:
        nominal = MDLP().find_cuts(data).apply(data)
        model = fit(nominal.take(train_rows), learner, "m-estimate", options=options)
        return predict_proba(model, nominal.take(test_rows))

    return answer


def chosen_strength(learner: str, options: dict[str, object]) -> Callable[..., FloatArray]:
    """Learn a network with the m-estimate whose m does best on min(n/10, 5000) rows left out.

    Petitjean et al. (2018), sec. 6.1. The network that answers is learned from all rows.
    """

    def answer(data: Dataset, train_rows: IntArray, test_rows: IntArray) -> FloatArray:
        train = data.take(train_rows)
        n_parts = max(10, train.n_rows // 5000)
        held_out = stratified_folds(train.labels, n_parts, np.random.default_rng(0)) == 0
        judges = train.take(np.flatnonzero(held_out))
        tried = grow(train.take(np.flatnonzero(~held_out)), learner, options=options)
        losses = [
            evaluate(predict_proba(tried.smooth(MEstimate(m)), judges), judges.labels).rmse
            for m in STRENGTHS
        ]
        best = MEstimate(STRENGTHS[int(np.argmin(losses))])
        model = grow(train, learner, options=options).smooth(best)
        return predict_proba(model, data.take(test_rows))

    return answer


def measure_peers(
    peers: Sequence[Peer], path: Path, cut: Cut, out: Path | None, own: Sequence[Row]
) -> tuple[list[Row], list[Failure]]:
    """Measure the peers that are not in the results file yet, and add them to our rows."""
    log = ResultLog(out, COLUMNS, KEY, "settings")
    name = dataset_name(path)
    common = {"dataset": name, "model": MODEL, "settings": f"{cut[0]} folds x {cut[1]}"}
    identities = {peer.label: {**common, "smoother": peer.label} for peer in peers}
    waiting = [peer for peer in peers if not log.has(identities[peer.label])]
    failures = []
    if waiting:
        data = read_table(path)
        cuts = list(_cuts(data, cut))
        for peer in waiting:
            try:
                measured = _measure(peer, data, cuts)
            except ValueError as problem:
                failures.append(Failure(name, peer.label, str(problem)))
                continue
            size = {key: own[0][key] for key in ("rows", "numeric", "nominal", "classes")}
            cells = {**size, **measured, **identities[peer.label]}
            log.add([{key: str(cells.get(key, "")) for key in COLUMNS}])
    kept = [log.rows.get((name, MODEL, peer.label)) for peer in peers]
    others = [row for row in own if row["model"] != MODEL]
    return [*others, *(row for row in kept if row is not None)], failures


def _cuts(data: Dataset, cut: Cut) -> Iterator[Folds]:
    n_folds, n_repeats, folds = cut
    if folds is not None:
        yield read_folds(folds, data)
        return
    for repeat in range(n_repeats):
        yield make_folds(data, n_folds, 0, repeat)


def _measure(peer: Peer, data: Dataset, cuts: Sequence[Folds]) -> dict[str, object]:
    start = time.perf_counter()
    answers = []
    for folds in cuts:
        proba = np.full((data.n_rows, data.n_classes), np.nan)
        for train_rows, test_rows in folds.splits():
            proba[test_rows] = peer.answer(data, train_rows, test_rows)
        answers.append(proba)
    scores = mean_scores([score_tested(proba, data) for proba in answers]).to_dict()
    return {
        **{name: value for name, value in scores.items() if value is not None},
        "folds": cuts[0].n_folds,
        "repeats": len(cuts),
        "seconds_grow": time.perf_counter() - start,
    }
