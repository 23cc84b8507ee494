"""What is done in every fold of a cross-validation, one after the other or side by side."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.model_spec import ModelSpec
from probtrees.machine.worker_processes import call_in_processes
from probtrees.model.predict import predict_proba
from probtrees.score.metrics import base_rates
from probtrees.smooth.hdp import HDP
from probtrees.smooth.smoothed_tree import Smoother
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray, IntArray, Progress


class FoldAnswer(NamedTuple):
    """What one fold gave: per smoother its answers and times, and what they share."""

    base_rates: FloatArray
    size: tuple[int, int, int]
    proba: list[FloatArray]
    seconds: list[dict[str, float]]


@dataclass(frozen=True)
class FoldWork:
    """What has to be done in every fold; sent to worker processes."""

    data: Dataset
    spec: ModelSpec
    named: tuple[tuple[str, Smoother], ...]

    def __call__(self, train_rows: IntArray, test_rows: IntArray) -> FoldAnswer:
        """Grow from the training rows, smooth in every way, ask about the test rows."""
        train, test = self.data.take(train_rows), self.data.take(test_rows)
        grown = grow_model(train, self.spec)
        answer = FoldAnswer(
            base_rates(train.labels, train.n_classes, train.weights),
            (grown.n_nodes, grown.n_leaves, grown.max_depth),
            [],
            [],
        )
        for name, method in self.named:
            gathering = grown.evidence().seconds if grown.needs_evidence(method) else 0.0
            start = time.perf_counter()
            model = grown.smooth((name, _without_intervals(method)))
            smoothed = time.perf_counter()
            answer.proba.append(predict_proba(model, test))
            answer.seconds.append(
                {
                    "grow": grown.seconds,
                    "smooth": gathering + smoothed - start,
                    "predict": time.perf_counter() - smoothed,
                }
            )
        return answer


def _without_intervals(method: Smoother) -> Smoother:
    """Spare what no fold asks for: only probabilities are compared."""
    return replace(method, has_intervals=False) if isinstance(method, HDP) else method


def answer_folds(
    work: FoldWork,
    splits: Sequence[tuple[int, IntArray, IntArray]],
    n_jobs: int,
    progress: Progress | None,
) -> Iterator[FoldAnswer]:
    """Work on the folds one after the other or side by side; answers come in order."""
    tasks: Iterable[FoldAnswer]
    if n_jobs == 1:
        tasks = (work(train, test) for _, train, test in splits)
    else:
        tasks = call_in_processes(_work_on, ((work, *rows) for _, *rows in splits), n_jobs)
    answers = iter(tasks)
    for number in range(len(splits)):
        if progress is not None:
            progress(number / len(splits), f"fold {number + 1} of {len(splits)}")
        yield next(answers)


def _work_on(work: FoldWork, train: IntArray, test: IntArray) -> FoldAnswer:
    """Call what cannot be called directly by a cluster, which hashes the functions it calls."""
    return work(train, test)
