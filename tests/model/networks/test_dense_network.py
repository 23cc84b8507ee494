import numpy as np
import pytest

from probtrees.errors import DataError
from probtrees.experiment.fit import fit
from probtrees.model.networks import dense_network as dense
from probtrees.model.networks.dense_network import (
    DenseNetwork,
    DenseTable,
    Variable,
    dense_network,
    n_cells,
)
from tests.small_tables import patients


def test_every_context_has_the_answer_of_the_deepest_that_was_met():
    data = patients(40)
    model = fit(data, "kdb", "m-estimate")
    network = dense_network(model)
    member = model.members[0]
    for smoothed, table in zip(member.trees, network.tables, strict=True):
        arrays = smoothed.tree.arrays
        for context in np.ndindex(*table.probs.shape[:-1]):
            node = 0
            for value in context:
                below = [
                    child for child in smoothed.tree.children(node) if arrays.branch[child] == value
                ]
                if not below:
                    break
                node = below[0]
            assert np.array_equal(table.probs[context], smoothed.probs[node])
    assert sum(table.probs.size for table in network.tables) == n_cells(model)


def test_variables_know_cuts_and_missing_values():
    network = dense_network(fit(patients(60), "nb", "laplace"))
    age = network.variable("age")
    assert age.points
    assert age.not_recorded
    assert age.code(age.points[0]) == 0
    assert age.code(np.nextafter(age.points[0], 100)) == 1
    assert age.values[age.code(None)] == "not recorded"
    with pytest.raises(DataError, match="never missing"):
        network.variable("sex").code(None)
    with pytest.raises(DataError, match="Did you mean 'blood'"):
        network.variable("blod")


def test_what_is_too_large_is_refused_with_its_size(monkeypatch):
    model = fit(patients(60), "kdb", "laplace")
    monkeypatch.setattr(dense, "MOST_CELLS", 10)
    with pytest.raises(DataError, match="cells when every context is written"):
        dense_network(model)


@pytest.mark.parametrize(
    ("parents", "probs", "words"),
    [
        (((1,), (0,)), (np.full((2, 2), 0.5),) * 2, "circle"),
        (((), ()), (np.array([0.5, 0.6]), np.array([0.5, 0.5])), "sum to 1"),
        (((), ()), (np.array([np.nan, 1]), np.array([0.5, 0.5])), "probabilities"),
        (((), (0,)), (np.array([0.5, 0.5]), np.array([0.5, 0.5])), "every context"),
    ],
)
def test_what_is_no_network_is_refused(parents, probs, words):
    variables = (Variable("a", ("x", "y")), Variable("b", ("x", "y")))
    tables = tuple(DenseTable(*pair) for pair in zip(parents, probs, strict=True))
    with pytest.raises(DataError, match=words):
        DenseNetwork(variables, tables)
