"""The same numbers however they are computed: in other processes, with other threads and hashes."""

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
from tests.small_tables import patients

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.slow


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
