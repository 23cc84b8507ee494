"""How much each column matters on unseen rows: by shuffling its values in inner evidence."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.experiment.evaluation.column_importance import column_importance, column_use
from probtrees.experiment.grown_model import grow_model
from probtrees.table.dataset import Dataset
from tests.small_tables import table_of
from tests.strategies import count_trees


def table(n_rows: int = 240) -> Dataset:
    """Make rows whose class follows the first column, nearly; the others are noise."""
    rng = np.random.default_rng(5)
    strong, noise = rng.normal(size=n_rows), rng.normal(size=n_rows)
    kind = rng.integers(0, 3, n_rows).astype(float)
    labels = (strong + 0.3 * rng.normal(size=n_rows) > 0).astype(float)
    return table_of("strong, noise, kind: a b c, y: n y", strong, noise, kind, labels)


@pytest.fixture(scope="module")
def found():
    grown = grow_model(table(), "c45")
    return grown, column_importance(grown, grown.smooth("m-estimate"))


def test_the_column_that_decides_comes_first_and_is_clear(found):
    _, columns = found
    assert columns[0].name == "strong"
    assert columns[0].is_clear
    assert columns[0].low < columns[0].loss < columns[0].high
    assert columns[0].loss > 5 * max(abs(column.loss) for column in columns[1:])
    assert sorted(column.column for column in columns) == [0, 1, 2]


@pytest.mark.parametrize(
    ("learner", "options"),
    [("nb", {}), ("shaped-tree", {"penalty": 3.0, "freedom": 10.0, "max_depth": 0})],
)
def test_tables_and_shapes_are_asked_too(learner, options):
    grown = grow_model(table(120), learner, options=options)
    columns = column_importance(grown, grown.smooth("m-estimate"))
    assert columns[0].name == "strong"
    assert columns[0].loss > 0.05
    assert columns[0].n_splits == 0


@given(count_trees(), st.integers(0, 3))
def test_where_a_column_is_asked_for(tree, column):
    n_splits, share, first_depth = column_use(tree, column)
    splits = [n for n in range(tree.n_nodes) if tree.arrays.column[n] == column]
    assert n_splits == len(splits)
    asked = sum(
        float(tree.totals[leaf])
        for leaf in tree.leaves
        if any(node in splits for node in tree.path(leaf)[:-1])
    )
    total = float(tree.totals[0])
    assert share == pytest.approx(min(asked / total, 1.0) if total else 0.0, abs=1e-9)
    depths = [int(tree.arrays.depth[node]) for node in splits]
    assert first_depth == (min(depths) if depths else None)
