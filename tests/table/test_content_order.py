"""The order that rows are dealt in, and that no order of the table decides anything."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.model_spec import Routing
from probtrees.model.predict import predict_proba
from probtrees.table.dataset import Column, Dataset, Schema
from probtrees.table.repeats import content_order
from tests.small_tables import patients


def turned(data: Dataset, seed: int) -> tuple[Dataset, np.ndarray, np.ndarray]:
    """The same table, its rows, columns, classes, categories and groups in another order.

    Also the old number of every row and of every class.
    """
    random = np.random.default_rng(seed)
    rows = random.permutation(data.n_rows)
    places = [*random.permutation(data.schema.n_columns - 1), data.schema.n_columns - 1]
    columns, cells = [], []
    for place in places:
        column, values = data.schema.columns[place], data.values[rows, place]
        if column.categories is not None:
            order = random.permutation(column.n_values)
            column = Column(column.name, tuple(column.categories[code] for code in order))
            known = ~np.isnan(values)
            values[known] = np.argsort(order)[values[known].astype(int)]
        columns.append(column)
        cells.append(values)
    groups = data.groups
    if groups is not None:
        groups = random.permutation(int(groups.max()) + 1)[groups[rows]]
    weights = None if data.weights is None else data.weights[rows]
    other = Dataset(Schema(tuple(columns)), np.column_stack(cells), weights=weights, groups=groups)
    return other, rows, order


def texts(data: Dataset) -> list[dict[str, str]]:
    return [
        {
            column.name: column.categories[int(cell)]
            if column.categories and not np.isnan(cell)
            else str(cell + 0.0)
            for column, cell in zip(data.schema.columns, row, strict=True)
        }
        for row in data.values
    ]


@given(st.integers(0, 10**6))
def test_rows_columns_classes_in_any_order_come_back_in_one(seed: int) -> None:
    data = patients(40)
    other, _, _ = turned(data, seed)
    assert texts(data.take(content_order(data))) == texts(other.take(content_order(other)))


def continuous(seed: int, n_rows: int = 150) -> Dataset:
    """A table in which no two columns are equally good to split on."""
    random = np.random.default_rng(seed)
    numbers = random.normal(size=(n_rows, 2))
    colour = random.integers(0, 3, n_rows)
    label = np.digitize(numbers[:, 0] + 0.7 * colour + random.normal(size=n_rows), [0.2, 1.4])
    numbers[random.random((n_rows, 2)) < 0.05] = np.nan
    columns = (Column("x"), Column("z"), Column("colour", ("red", "green", "blue")))
    schema = Schema((*columns, Column("class", ("a", "b", "c"))))
    return Dataset(schema, np.column_stack([numbers, colour, label]).astype(np.float64))


@pytest.mark.parametrize(
    ("learner", "routing"),
    [
        ("c45", "hard"),
        ("nb", "hard"),
        ("skdb", "hard"),
        pytest.param("c45", "soft", marks=pytest.mark.slow),
    ],
)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=2)
def test_every_order_of_a_table_gives_the_same_probabilities(
    learner: str, routing: Routing, seed: int
) -> None:
    data = continuous(seed)
    options = {"max_depth": 2, "min_leaf": 10} if learner == "c45" else None
    other, rows, classes = turned(data, seed)
    ours, theirs = (
        grow_model(table, learner, options=options, routing=routing) for table in (data, other)
    )
    for smoother in ("hgs", "shrinkage", "blend"):
        expected = predict_proba(ours.smooth(smoother), data)
        found = predict_proba(theirs.smooth(smoother), other)
        np.testing.assert_allclose(found, expected[rows][:, classes], atol=1e-9)


def test_names_of_classes_do_not_matter_unless_they_must() -> None:
    data = patients(60)
    renamed = Schema((*data.schema.features, Column("other", ("z", "y", "x"))))
    assert np.array_equal(content_order(data), content_order(replace(data, schema=renamed)))
    twins = replace(data, values=np.repeat(data.values, 2, axis=0))
    twins.values[:, -1] = np.tile([0.0, 1.0], 60)
    swapped = replace(
        twins, schema=Schema((*data.schema.features, Column("state", ("sick", "well", "gone"))))
    )
    swapped.values[:, -1] = np.tile([1.0, 0.0], 60)
    first, second = twins.take(content_order(twins)), swapped.take(content_order(swapped))
    assert texts(first) == texts(second)


def test_columns_that_change_places_are_distinguished() -> None:
    schema = Schema((Column("a"), Column("b"), Column("class", ("no", "yes"))))
    there = Dataset(schema, np.array([[1.0, 2.0, 0.0], [2.0, 1.0, 0.0]]))
    back = there.take(np.array([1, 0]))
    assert np.array_equal(
        there.values[content_order(there)], back.values[content_order(back)], equal_nan=True
    )


def test_a_table_without_features_or_rows_has_an_order() -> None:
    schema = Schema((Column("class", ("no", "yes")),))
    assert content_order(Dataset(schema, np.empty((0, 1)))).tolist() == []
    assert sorted(content_order(Dataset(schema, np.array([[0.0], [1.0], [np.nan]])))) == [0, 1, 2]


def test_the_order_is_the_same_in_every_process_and_release() -> None:
    assert content_order(patients(8, missing=False)).tolist() == [4, 6, 7, 5, 0, 2, 3, 1]
