"""What the kernels that grow a tree are given: records and tuples of arrays.

A record keeps together what is used together.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from probtrees.types import FloatArray, IntArray

COLUMN_FACTS = np.dtype(
    [
        ("number", np.int64),  # in the user's table
        ("n_codes", np.int64),  # categories or distinct values; the next code means missing
        ("table_start", np.int64),  # where its codes begin in the common table
        ("value_start", np.int64),  # where its distinct values begin
        ("nominal", np.bool_),
        ("has_missing", np.bool_),
        ("own_branch", np.bool_),  # missing values get a branch of their own
        ("in_mean", np.bool_),  # its gain counts in the mean gain
        ("tight", np.bool_),  # some neighbouring values are too close to be cut apart
    ]
)
"""What is known of a column before growing; columns with few codes come first."""

SCORE = np.dtype(
    [
        ("gain", np.float64),  # in bits
        ("ratio", np.float64),  # -1 where no split is admissible
        ("below", np.int64),  # the codes on both sides of the best cut
        ("above", np.int64),
    ]
)
"""What is known of a column at a node."""

SPLIT = np.dtype(
    [
        ("column", np.int64),  # its place among the columns; -1: none is admissible
        ("threshold", np.float64),  # NaN where nominal
        ("last_below", np.int64),  # the last code that goes below; -1 where nominal
    ]
)
"""The split chosen for a node."""

BRANCH = np.dtype([("place", np.int64), ("share", np.float64)])
"""Where the items of a branch go, and its share of the known weight."""

WAITING = np.dtype([("node", np.int64), ("start", np.int64), ("stop", np.int64)])
"""A node whose split is still to be chosen, and its items."""


def item(weight: type) -> np.dtype:
    """Describe a row or a piece of a row; weights may be whole numbers or floats."""
    return np.dtype([("row", np.int32), ("outcome", np.int32), ("weight", weight)])


def move(weight: type) -> np.dtype:
    """Describe rows of a node that share a column's code and the outcome, or one of them."""
    return np.dtype([("code", np.int32), ("outcome", np.int32), ("weight", weight)])


def sides(weight: type) -> np.dtype:
    """Describe the weight of an outcome on both sides of a cut, and of both together.

    ``low`` is zero between two columns.
    """
    return np.dtype([("low", weight), ("high", weight), ("both", weight)])


class Columns(NamedTuple):
    """The training table.

    Attributes
    ----------
    codes : int32[n_rows, n_columns]
    facts : COLUMN_FACTS[n_columns]
    places : int64[n_columns], where each column of the user's table is found here
    values : float64[...], the distinct values of all numeric columns, ascending per column
    """

    codes: NDArray[np.int32]
    facts: np.recarray
    places: IntArray
    values: FloatArray


class Rules(NamedTuple):
    """What a split must satisfy, and how many columns a node looks at.

    Attributes
    ----------
    n_tabled : how many columns may be counted in tables
    n_items : how many items the root has
    all_weigh_one : whether every item has the weight 1
    middle_slack : a value above the middle between two neighbours by less than this still
        becomes the split value
    """

    min_leaf: float
    max_depth: int
    columns_per_node: int
    n_tabled: int
    n_items: int
    all_weigh_one: bool
    middle_slack: float


class Growth(NamedTuple):
    """What is known so far.

    Attributes
    ----------
    state : int64[2], number of nodes made, number of nodes waiting
    seeds : int64[2], state of the random numbers that pick columns
    waiting : WAITING[n], a stack
    fragments : float64[n_nodes, n_outcomes], rows that arrived with any weight
    """

    state: IntArray
    seeds: IntArray
    waiting: np.recarray
    fragments: FloatArray


class Scratch(NamedTuple):
    """Room to work in; ``table`` is zero between two nodes."""

    n_log_n: FloatArray
    table: FloatArray
    keys: IntArray
    digits: IntArray
    sides: np.recarray
    moves: np.recarray
    scores: np.recarray
    order: IntArray
    branch_of: NDArray[np.int32]
    branches: np.recarray
    dealt: np.recarray


def make_records(n: int, dtype: np.dtype) -> np.recarray:
    """Make n records, all zero."""
    return np.zeros(n, dtype=dtype).view(np.recarray)
