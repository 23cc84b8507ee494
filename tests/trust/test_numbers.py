"""The same numbers however they are computed: other rows first, other names, other processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probtrees.experiment.evaluation.cross_validate import compare
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.registry import LEARNERS, SMOOTHERS
from probtrees.model.predict import predict_proba
from probtrees.table.dataset import Column, Dataset, Schema
from tests.small_tables import QUICK, patients, table_of

ROOT = Path(__file__).resolve().parents[2]
BY_COLUMN_NUMBER = ("forest", "eskdb", "tan", "council")
"""Learners that draw columns by number, or whose tree of columns hangs from the first one;
a council has a TAN in it."""
TIED_BY_COUNTS = ("sp",)
"""Learners that count right answers: inner ones, of fewer rows, meet ties that the first column
wins, so that settings chosen by held-out rows may differ."""
WITHOUT_CHANCE = [name for name in SMOOTHERS if name != "hdp"]
"""Smoothers that draw nothing outcome by outcome; those set by held-out rows among them."""

pytestmark = pytest.mark.slow


def untied(seed: int, n_rows: int = 120) -> Dataset:
    """A table in which no two columns, cuts or classes are equally good."""
    random = np.random.default_rng(seed)
    numbers = random.normal(size=(n_rows, 3))
    colour = random.integers(0, 3, n_rows)
    label = (numbers[:, 0] + 0.5 * colour + random.normal(size=n_rows) > 0.8).astype(float)
    label[random.random(n_rows) < 0.1] = 2
    numbers[random.random((n_rows, 3)) < 0.05] = np.nan
    return table_of("x0, x1, x2, colour: red green blue, class: a b c", numbers, colour, label)


def smoothers_for(learner: str, *names: str) -> tuple[str, ...]:
    """Return the smoothers to try; what takes none is tried once."""
    return names if LEARNERS[learner].takes_smoother else names[:1]


def answers(train: Dataset, asked: Dataset, learner: str, smoother: str) -> np.ndarray:
    model = grow_model(train, learner).smooth(smoother, QUICK.get(smoother))
    return predict_proba(model, asked)


@pytest.mark.parametrize("learner", list(LEARNERS))
def test_the_order_of_rows_does_not_matter(learner: str) -> None:
    data = untied(1)
    shuffled = data.take(np.random.default_rng(2).permutation(data.n_rows))
    for smoother in smoothers_for(learner, "laplace", "m-branch", "hgs", "blend"):
        again = answers(shuffled, data, learner, smoother)
        np.testing.assert_allclose(answers(data, data, learner, smoother), again, atol=1e-9)


@pytest.mark.parametrize("learner", [name for name in LEARNERS if name not in BY_COLUMN_NUMBER])
def test_the_order_of_columns_does_not_matter(learner: str) -> None:
    data = untied(3)
    order = [2, 3, 0, 1, 4]
    schema = Schema(tuple(data.schema.columns[column] for column in order))
    turned = Dataset(schema, np.ascontiguousarray(data.values[:, order]))
    by_evidence = () if learner in TIED_BY_COUNTS else ("hgs", "blend")
    for smoother in smoothers_for(learner, "laplace", "m-branch", *by_evidence):
        again = answers(turned, turned, learner, smoother)
        np.testing.assert_allclose(answers(data, data, learner, smoother), again, atol=1e-9)


@pytest.mark.parametrize("learner", list(LEARNERS))
def test_the_names_of_classes_do_not_matter(learner: str) -> None:
    data = untied(4)
    names = ("zebra", "🙂", "")
    schema = Schema((*data.schema.features, Column("another name", names)))
    renamed = Dataset(schema, data.values)
    assert np.array_equal(
        answers(data, data, learner, "hgs"), answers(renamed, renamed, learner, "hgs")
    )


@pytest.mark.parametrize("smoother", WITHOUT_CHANCE)
@pytest.mark.parametrize("learner", ["c45", "nb", "tan", "kdb"])
def test_the_order_of_classes_turns_the_answers_alike(learner: str, smoother: str) -> None:
    data = untied(5)
    order = np.array([2, 0, 1])
    values = data.values.copy()
    values[:, -1] = np.argsort(order)[values[:, -1].astype(int)]
    classes = tuple(data.schema.classes[k] for k in order)
    turned = Dataset(Schema((*data.schema.features, Column("class", classes))), values)
    expected = answers(data, data, learner, smoother)[:, order]
    np.testing.assert_allclose(expected, answers(turned, turned, learner, smoother), atol=1e-9)


def test_the_number_of_processes_does_not_matter() -> None:
    data = patients(60)
    one, two = (compare(data, "c45", ["hgs", "laplace"], folds=3, n_jobs=n) for n in (1, 2))
    for alone, together in zip(one, two, strict=True):
        assert np.array_equal(alone.proba, together.proba)


def digest(path: Path, **environment: str) -> dict[str, np.ndarray]:
    subprocess.run(
        [sys.executable, "-m", "tests.trust.test_numbers", str(path)],
        check=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
    )
    with np.load(path) as arrays:
        return dict(arrays)


def test_other_processes_hashes_and_threads_give_the_same_bits(tmp_path: Path) -> None:
    first = digest(tmp_path / "a.npz", PYTHONHASHSEED="1")
    second = digest(
        tmp_path / "b.npz", PYTHONHASHSEED="2", OMP_NUM_THREADS="1", NUMBA_NUM_THREADS="1"
    )
    assert first.keys() == second.keys()
    for name, values in first.items():
        assert np.array_equal(values, second[name]), name


def test_with_and_without_the_jit_the_numbers_agree(tmp_path: Path) -> None:
    compiled = digest(tmp_path / "a.npz", NUMBA_DISABLE_JIT="0")
    plain = digest(tmp_path / "b.npz", NUMBA_DISABLE_JIT="1")
    assert compiled.keys() == plain.keys()
    for name, values in compiled.items():
        np.testing.assert_allclose(values, plain[name], rtol=0, atol=1e-12, err_msg=name)


SAMPLED = ("hdp",)
"""Smoothers that draw random numbers: compared bit by bit, or by their mean."""


def numbers(n_rows: int = 50, n_sweeps: int = 40) -> dict[str, Any]:
    """Return the node probabilities and the predictions of every learner and smoother."""
    data = patients(n_rows)
    found: dict[str, Any] = {}
    for learner in LEARNERS:
        if not LEARNERS[learner].takes_smoother:
            continue  # fitted by an optimiser, whose last digits are not those of a closed form
        grown = grow_model(data, learner)
        for smoother in SMOOTHERS:
            if smoother in SAMPLED and learner not in ("c45", "nb"):
                continue
            options = {"n_iterations": n_sweeps} if smoother in SAMPLED else None
            model = grown.smooth(smoother, options)
            name = f"{learner} {smoother}"
            found[name] = predict_proba(model, data)
            found[f"{name} nodes"] = np.concatenate([tree.probs.ravel() for tree in model.trees])
    return found


if __name__ == "__main__":
    np.savez(sys.argv[1], **numbers(*(int(number) for number in sys.argv[2:])))
