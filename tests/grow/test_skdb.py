import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probtrees.grow.count import leave_one_out
from probtrees.grow.count.leave_one_out import loss_surface
from probtrees.grow.count.mutual_information import measure_information
from probtrees.grow.count.nominal_rows import nominal_rows
from probtrees.grow.dag import Dag
from probtrees.grow.kdb import dag_of_order
from probtrees.grow.skdb import SKDB
from probtrees.table.dataset import Column, Dataset, Schema
from tests.naive import naive_loss_surface, naive_network
from tests.small_tables import table_of
from tests.strategies import nominal_tables


def full_kdb(data, k):
    table = nominal_rows(data)
    information = measure_information(table)
    return table, dag_of_order(information.order(), information.pairwise, k)


@settings(max_examples=60)
@given(nominal_tables(max_attributes=3, max_rows=8), st.integers(0, 3))
def test_the_surface_equals_counting_again_without_each_row(data, k):
    table, dag = full_kdb(data, k)
    parents = {a: list(path[1:]) for a, path in dag.parents.items() if path}
    expected = naive_loss_surface(
        data.values.astype(int).tolist(),
        data.row_weights.tolist(),
        parents,
        data.schema.n_values.tolist(),
        k,
    )
    assert loss_surface(table, dag, k, "rmse") == pytest.approx(np.array(expected), abs=1e-9)


@given(nominal_tables(), st.integers(0, 3))
def test_doing_bounds_in_turns_changes_nothing(data, k):
    table, dag = full_kdb(data, k)
    for loss in ("rmse", "log", "0-1"):
        at_once = loss_surface(table, dag, k, loss)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(leave_one_out, "MAX_JOINT", 1)
            in_turns = loss_surface(table, dag, k, loss)
        assert in_turns == pytest.approx(at_once, abs=1e-12)


@given(nominal_tables(weighted=False, max_rows=8))
def test_losses_are_those_of_the_left_out_probabilities(data):
    table, dag = full_kdb(data, 1)
    rows = data.values.astype(int).tolist()
    n_values = data.schema.n_values.tolist()
    parents = {a: list(path[1:]) for a, path in dag.parents.items() if path}
    proba = [
        naive_network(rows[:i] + rows[i + 1 :], [1.0] * (len(rows) - 1), parents, n_values, row)
        for i, row in enumerate(rows)
    ]
    own = np.array([p[row[-1]] for p, row in zip(proba, rows, strict=True)])
    assert loss_surface(table, dag, 1, "log")[-1, 1] == pytest.approx(-np.log(own).mean())


@given(nominal_tables())
def test_the_best_of_the_surface_is_kept(data):
    structure = SKDB(k=3, selection="leave-one-out").learn(data)
    found = structure.diagnostics
    surface = found["loss_surface"]
    dag = structure.members[0].dag
    n_attributes = data.schema.target_column
    assert surface.shape == (n_attributes + 1, min(3, n_attributes - 1) + 1)
    assert surface[found["n_attributes"], found["k"]] == pytest.approx(surface.min(), abs=1e-11)
    assert list(dag.columns[1:]) == found["order"][: found["n_attributes"]]
    assert all(len(parents) <= found["k"] + 1 for parents in dag.parents.values())


@pytest.mark.parametrize("selection", ["leave-one-out", "held-out"])
def test_attributes_that_say_nothing_are_left_out(selection):
    random = np.random.default_rng(0)
    label = random.integers(0, 2, 400)
    columns = random.integers(0, 3, 400), label, np.zeros(400), label
    data = table_of("noise: a b c, copy: a b, constant: a, y: no yes", *columns)
    structure = SKDB(k=2, selection=selection).learn(data)
    assert structure.members[0].dag.columns == (3, 1)


def test_very_many_attributes_do_not_underflow():
    n_rows, n_attributes = 40, 900
    label = np.arange(n_rows) % 2
    values = np.column_stack([np.tile(label, (n_attributes, 1)).T, label]).astype(float)
    schema = Schema(tuple(Column(f"c{i}", ("a", "b")) for i in range(n_attributes + 1)))
    target = n_attributes
    dag = Dag({target: (), **dict.fromkeys(range(n_attributes), (target,))})
    surface = loss_surface(nominal_rows(Dataset(schema, values)), dag, 0, "log")
    assert np.isfinite(surface).all()
    assert surface[-1, 0] < 1e-6
