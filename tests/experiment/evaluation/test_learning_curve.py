"""A learning curve ends where cross-validation begins: with all training rows."""

from __future__ import annotations

import numpy as np

from probtrees.experiment.evaluation.cross_validate import cross_validate
from probtrees.experiment.evaluation.learning_curve import learning_curve
from probtrees.experiment.model_spec import make_spec
from probtrees.table.dataset import Column, Dataset, Schema


def noisy_steps(n_rows: int) -> Dataset:
    random = np.random.default_rng(3)
    x = random.uniform(0, 8, size=n_rows)
    y = (np.floor(x) % 2 == (random.uniform(size=n_rows) < 0.1)).astype(float)
    schema = Schema((Column("x"), Column("y", ("no", "yes"))))
    return Dataset(schema, np.column_stack([x, y]))


def test_the_last_point_is_the_cross_validated_score() -> None:
    data = noisy_steps(120)
    points = learning_curve(data, make_spec("c45"), ["mle", "laplace"], fractions=(0.2, 1.0))
    assert [(point.smoother, point.n_rows) for point in points] == [
        ("mle", 19.0),
        ("mle", 96.0),
        ("laplace", 19.0),
        ("laplace", 96.0),
    ]
    whole = cross_validate(data, "c45", "laplace", folds=5)
    assert points[-1].scores == whole.scores
    low, high = points[-1].interval("brier")
    assert low < points[-1].scores.brier < high
    assert points[-1].interval("cll") is None
