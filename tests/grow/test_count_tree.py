"""A tree read from a file must prove that it is one."""

from typing import Any

import numpy as np
import pytest

from probtrees.errors import DataError
from probtrees.grow.count_tree import CountTree, check_tree, make_arrays
from probtrees.smooth.example_trees import example_trees


def gene_columns() -> dict[str, Any]:
    """The gene example: gene first, then sex below the carriers."""
    arrays = example_trees()["the gene example"].arrays
    return {name: array.tolist() for name, array in arrays._asdict().items()}


@pytest.mark.parametrize(
    ("name", "node", "value"),
    [
        ("parent", 0, 1),
        ("parent", 3, 2),
        ("depth", 4, 1),
        ("first_child", 1, 2),
        ("first_child", 1, -7),
        ("n_children", 1, 40),
        ("n_children", 1, -1),
        ("n_children", 1, 1),
        ("column", 1, -1),
        ("column", 3, 0),
        ("branch", 4, 0),
        ("weight", 2, np.nan),
        ("counts", 2, [-1, 0]),
        ("counts", 2, [np.inf, 0]),
    ],
)
def test_broken_trees_are_refused(name: str, node: int, value: Any) -> None:
    columns = gene_columns()
    columns[name][node] = value
    with pytest.raises(DataError):
        check_tree(CountTree(target=2, arrays=make_arrays(**columns)))
