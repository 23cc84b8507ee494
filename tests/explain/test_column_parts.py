import itertools

import numpy as np
import pytest

from probtrees.experiment.fit import fit
from probtrees.explain.column_parts import column_parts
from probtrees.model.predict import predict_proba
from probtrees.model.routing import find_leaves
from probtrees.table.read_table import read_table
from tests.small_tables import patients, write_csv


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return read_table(write_csv(patients(), tmp_path_factory.mktemp("t") / "patients.csv"))


@pytest.mark.parametrize(
    ("learner", "settings"),
    [
        ("c45", {}),
        ("c45", {"routing": "soft"}),
        ("c45", {"curtail": 20}),
        ("forest", {}),
        ("kdb", {}),
        ("aode", {}),
        ("shaped-tree", {}),
    ],
)
def test_base_and_parts_sum_to_the_answer(data, learner, settings):
    model = fit(data, learner, "laplace", **settings)
    rows = data.take(np.arange(12))
    rows.values[3, :-1] = np.nan  # goes to several leaves
    found = column_parts(model, rows)
    assert found.parts.shape == (12, data.schema.n_columns - 1, data.n_classes)
    assert np.abs(found.parts).max() > 0.01
    assert found.base + found.parts.sum(axis=1) == pytest.approx(
        predict_proba(model, rows), abs=1e-9
    )


def test_a_step_belongs_to_its_column(data):
    model = fit(data, "c45", "laplace")
    tree, probs, found = model.tree.tree, model.tree.probs, column_parts(model, data)
    for row, leaf in enumerate(find_leaves(tree, data.values, data.schema.n_values).nodes):
        expected = np.zeros((data.schema.n_columns - 1, data.n_classes))
        for above, below in itertools.pairwise(tree.path(int(leaf))):
            expected[tree.arrays.column[above]] += probs[below] - probs[above]
        assert found.parts[row] == pytest.approx(expected)
    assert found.base == pytest.approx(np.tile(probs[0], (data.n_rows, 1)))
