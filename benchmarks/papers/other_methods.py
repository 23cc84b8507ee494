"""Methods that no recipe of ours describes, measured on the same folds, in the same file."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from peers import Peer, XGBoost

from probtrees.errors import ProbTreesError
from probtrees.experiment.evaluation.benchmark import (
    Failure,
    ResultLog,
    Row,
    dataset_name,
    result_columns,
)
from probtrees.experiment.evaluation.cross_validate import score_tested
from probtrees.experiment.fit import fit
from probtrees.experiment.grown_model import grow_model
from probtrees.model.predict import predict_proba
from probtrees.score.measures import evaluate, mean_scores
from probtrees.smooth.m_estimate import STRENGTHS, MEstimate
from probtrees.table.dataset import Dataset
from probtrees.table.discretize.methods import MDLP
from probtrees.table.folds import FoldPlan, Folds, read_cuts, stratified_folds
from probtrees.table.read_table import read_table

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
Cut = tuple[int, int, Path | None]

MODEL = "other"


Answer = Callable[[Dataset, IntArray, IntArray], FloatArray]
"""A table, its training rows and its test rows give the probabilities of the test rows."""


@dataclass(frozen=True)
class OtherMethod:
    """A method that is not one of ours, or uses ours in a way that no recipe allows.

    Attributes
    ----------
    label : its name in our output
    answer : how it answers
    """

    label: str
    answer: Answer


def peer(model: Peer, *, nominal: bool = False) -> Answer:
    """Answer by a learner of another package.

    Parameters
    ----------
    nominal : cut numbers first, by MDLP on the training rows, as networks need it
    """

    def answer(data: Dataset, train_rows: IntArray, test_rows: IntArray) -> FloatArray:
        train, test = data.take(train_rows), data.take(test_rows)
        if nominal:
            cuts = MDLP().find_cuts(train)
            train, test = cuts.apply(train), cuts.apply(test)
        return model.fit(train).predict_proba(test)

    return answer


def tuned_boosting(data: Dataset, train_rows: IntArray, test_rows: IntArray) -> FloatArray:
    """XGBoost with rounds and depth chosen by 10 folds of the training rows, as in the thesis."""
    train = data.take(train_rows)
    inner = FoldPlan(n_folds=min(10, train.n_rows)).cut_once(train).splits()
    splits = [(train.take(part), train.take(rest)) for part, rest in inner]
    tried = [XGBoost(n_rounds=n, max_depth=d) for n in (10, 50, 100) for d in (2, 4, 6, 8)]
    losses = [sum(error_count(model, part, rest) for part, rest in splits) for model in tried]
    best = tried[int(np.argmin(losses))]
    return best.fit(train).predict_proba(data.take(test_rows))


def error_count(model: Peer, train: Dataset, test: Dataset) -> int:
    """Count the test rows whose most probable class is wrong."""
    return int((model.fit(train).predict_proba(test).argmax(axis=1) != test.labels).sum())


def cut_on_all_rows(learner: str, options: dict[str, object]) -> Answer:
    """Learn a network after cutting numbers by MDLP on all rows, test rows included."""

    def answer(data: Dataset, train_rows: IntArray, test_rows: IntArray) -> FloatArray:
        nominal = MDLP().find_cuts(data).apply(data)
        model = fit(nominal.take(train_rows), learner, "m-estimate", options=options)
        return predict_proba(model, nominal.take(test_rows))

    return answer


def chosen_strength(learner: str, options: dict[str, object]) -> Answer:
    """Learn a network with the m-estimate whose m does best on min(n/10, 5000) rows left out.

    Petitjean et al. (2018), sec. 6.1. The network that answers is learned from all rows.
    """

    def answer(data: Dataset, train_rows: IntArray, test_rows: IntArray) -> FloatArray:
        train = data.take(train_rows)
        n_parts = max(10, train.n_rows // 5000)
        held_out = stratified_folds(train.labels, n_parts, np.random.default_rng(0)) == 0
        judges = train.take(np.flatnonzero(held_out))
        tried = grow_model(train.take(np.flatnonzero(~held_out)), learner, options=options)
        losses = [
            evaluate(predict_proba(tried.smooth(MEstimate(m)), judges), judges.labels).rmse
            for m in STRENGTHS
        ]
        best = MEstimate(STRENGTHS[int(np.argmin(losses))])
        model = grow_model(train, learner, options=options).smooth(best)
        return predict_proba(model, data.take(test_rows))

    return answer


def measure_others(
    others: Sequence[OtherMethod], path: Path, cut: Cut, out: Path | None, own: Sequence[Row]
) -> tuple[list[Row], list[Failure]]:
    """Measure what is not in the results file yet, and add it to our rows."""
    log = ResultLog(out, result_columns())
    name = dataset_name(path)
    common = {"dataset": name, "model": MODEL, "settings": f"{cut[0]} folds x {cut[1]}"}
    identities = {one.label: {**common, "smoother": one.label} for one in others}
    waiting = [one for one in others if not log.has(identities[one.label])]
    failures = []
    if waiting:
        data = read_table(path)
        cuts = list(_cuts(data, cut))
        for one in waiting:
            try:
                measured = _measure(one, data, cuts)
            except (ValueError, ProbTreesError) as problem:
                failures.append(Failure(name, one.label, str(problem)))
                continue
            size = {key: own[0][key] for key in ("rows", "numeric", "nominal", "classes")}
            cells = {**size, **measured, **identities[one.label]}
            log.add([{key: str(cells.get(key, "")) for key in result_columns()}])
    kept = [log.rows.get((name, MODEL, one.label)) for one in others]
    ours = [row for row in own if row["model"] != MODEL]
    return [*ours, *(row for row in kept if row is not None)], failures


def _cuts(data: Dataset, cut: Cut) -> Iterator[Folds]:
    n_folds, n_repeats, folds = cut
    if folds is not None:
        yield read_cuts(folds, data)[0]
        return
    for repeat in range(n_repeats):
        yield FoldPlan(n_folds=n_folds).cut_once(data, 0, repeat)


def _measure(method: OtherMethod, data: Dataset, cuts: Sequence[Folds]) -> dict[str, object]:
    start = time.perf_counter()
    answers = []
    for folds in cuts:
        proba = np.full((data.n_rows, data.n_classes), np.nan)
        for train_rows, test_rows in folds.splits():
            proba[test_rows] = method.answer(data, train_rows, test_rows)
        answers.append(proba)
    scores = mean_scores([score_tested(proba, data) for proba in answers]).to_dict()
    return {
        **{name: value for name, value in scores.items() if value is not None},
        "folds": cuts[0].n_folds,
        "repeats": len(cuts),
        "seconds_grow": time.perf_counter() - start,
    }
