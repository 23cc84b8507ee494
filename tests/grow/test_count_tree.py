"""A tree read from a file must prove that it is one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from probtrees.errors import DataError
from probtrees.grow.count_tree import CountTree, check_tree, make_arrays


def gene_columns() -> dict[str, Any]:
    """The gene example: gene first, then sex below the carriers."""
    nan = np.nan
    return {
        "parent": [-1, 0, 0, 1, 1],
        "depth": [0, 1, 1, 2, 2],
        "first_child": [1, 3, -1, -1, -1],
        "n_children": [2, 2, 0, 0, 0],
        "column": [0, 1, -1, -1, -1],
        "threshold": [nan] * 5,
        "branch": [0, 0, 1, 0, 1],
        "weight": [1001, 11, 990, 10, 1],
        "counts": [[100, 901], [10, 1], [90, 900], [10, 0], [0, 1]],
    }


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
