"""The order that rows are dealt in, and that no order of the table decides anything."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.model_spec import Routing
from probtrees.experiment.registry import LEARNERS, SMOOTHERS
from probtrees.grow.c45 import C45
from probtrees.model.predict import predict_proba
from probtrees.table.dataset import Column, Dataset, Schema
from probtrees.table.repeats import content_order
from tests.small_tables import patients, table_of

EVERYTHING = "rows columns values"


def turned(
    data: Dataset, seed: int, parts: str = EVERYTHING
) -> tuple[Dataset, np.ndarray, np.ndarray]:
    """The same table, its rows, columns or values (classes, groups) in another order, or "named"
    otherwise; also the old number of every row and of every class.
    """
    random = np.random.default_rng(seed)

    def order_of(part: str, n: int) -> np.ndarray:
        return random.permutation(n) if part in parts else np.arange(n)

    rows = order_of("rows", data.n_rows)
    n_features = data.schema.n_columns - 1
    columns, cells = [], []
    for place in [*order_of("columns", n_features), n_features]:
        column, values = data.schema.columns[place], data.values[rows, place]
        if column.categories is not None:
            order = order_of("values", column.n_values)
            column = Column(column.name, tuple(column.categories[code] for code in order))
            known = ~np.isnan(values)
            values[known] = np.argsort(order)[values[known].astype(int)]
        columns.append(column)
        cells.append(values)
    if "named" in parts:
        columns[-1] = Column("another name", ("zebra", "🙂", ""))
    groups = data.groups
    if groups is not None:
        groups = order_of("values", int(groups.max()) + 1)[groups[rows]]
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


def untied(seed: int, n_rows: int = 120) -> Dataset:
    """A table in which no two columns, cuts or classes are equally good."""
    random = np.random.default_rng(seed)
    numbers = random.normal(size=(n_rows, 3))
    colour = random.integers(0, 3, n_rows)
    label = (numbers[:, 0] + 0.5 * colour + random.normal(size=n_rows) > 0.8).astype(float)
    label[random.random(n_rows) < 0.1] = 2
    numbers[random.random((n_rows, 3)) < 0.05] = np.nan
    return table_of("x0, x1, x2, colour: red green blue, class: a b c", numbers, colour, label)


HALVES = C45(separate_rows=True)
MAY_CHANGE = {"forest": "rows named", HALVES: "rows"} | dict.fromkeys(
    ("eskdb", "tan", "council"), "rows values named"
)
"""Of learners that draw columns by number, or whose tree of columns hangs from the first one; a
council has a TAN in it, and where rows are drawn their values count."""
BY_COUNTS = ("sp",)
"""Learners that count right answers: inner ones, of fewer rows, meet ties that the first column
wins, so that settings chosen by held-out rows may differ."""


@pytest.mark.parametrize(
    ("learner", "routing"),
    [
        *((name, "hard") for name in (*LEARNERS, HALVES, C45(prune="reduced-error"))),
        pytest.param("c45", "soft", marks=pytest.mark.slow),
    ],
)
def test_no_order_of_a_table_and_no_name_decides(learner: str | C45, routing: Routing) -> None:
    smoothers = [name for name in SMOOTHERS if name != "hdp"]  # which draws outcome by outcome
    if learner in BY_COUNTS or routing == "soft":
        smoothers = ["laplace", "m-branch"] if learner in BY_COUNTS else ["hgs", "blend"]
    elif isinstance(learner, str) and not LEARNERS[learner].takes_smoother:
        smoothers = smoothers[:1]
    data = untied(1)
    other, rows, classes = turned(data, 2, MAY_CHANGE.get(learner, f"{EVERYTHING} named"))
    ours, theirs = (grow_model(table, learner, routing=routing) for table in (data, other))
    for smoother in smoothers:
        expected = predict_proba(ours.smooth(smoother), data)[rows][:, classes]
        found = predict_proba(theirs.smooth(smoother), other)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("learner", list(LEARNERS))
def test_other_names_of_classes_give_the_same_bits(learner: str) -> None:
    data = untied(4)
    tables = data, turned(data, 0, "named")[0]
    one, other = (predict_proba(grow_model(t, learner).smooth("hgs"), t) for t in tables)
    assert np.array_equal(one, other)


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
