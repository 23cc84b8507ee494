"""Conditional probability tables: counted as trees, the class first, then the parents."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import DataError
from probtrees.grow.count import _cpt_kernels as kernels
from probtrees.grow.count.nominal_rows import NominalRows
from probtrees.grow.count_tree import CountTree, lone_leaves
from probtrees.grow.dag import Dag
from probtrees.machine.checkpoint import passing
from probtrees.machine.kernel_cache import runnable
from probtrees.table.dataset import Schema
from probtrees.types import IntArray

MAX_CELLS = 2**27
"""A table with more counts than this (1 GB) is refused."""


def count_tables(table: NominalRows, schema: Schema, dag: Dag) -> tuple[CountTree, ...]:
    """Count the tables of a network.

    A table lists only contexts that some row has; a row whose parents' values were never
    met together is answered by the deepest context that was. Counting takes time linear in
    the rows.

    Parameters
    ----------
    table : the training rows, laid out by :func:`~probtrees.grow.count.nominal_rows.nominal_rows`
    dag : the parents of every column, the class first

    Returns
    -------
    one tree per column of the dag, in its order; the tree of the class is a lone root

    Raises
    ------
    DataError : if a table would not fit, naming its attribute
    """
    columns = schema.columns
    return tuple(
        count_table(table, columns[column].name, column, parents)
        for column, parents in passing(list(dag.parents.items()), "counting tables")
    )


class Prefixes(NamedTuple):
    """For every prefix of a table's path, where each row stands in it.

    Attributes
    ----------
    contexts : int32[n_levels, n_rows], the row's context by the first d columns of the path
    cells : int32[n_levels, n_rows], that context joined with the row's value of the target
    first_context, first_cell : int64[n_levels + 1], where the numbers of each level start
        when levels are laid end to end
    """

    contexts: NDArray[np.int32]
    cells: NDArray[np.int32]
    first_context: IntArray
    first_cell: IntArray


def number_prefixes(table: NominalRows, target: int, path: tuple[int, ...]) -> Prefixes:
    """Give numbers to the contexts of every prefix of a path, only those that occur."""
    shape = (len(path) + 1, table.codes.shape[1])
    contexts, cells = np.empty(shape, dtype=np.int32), np.empty(shape, dtype=np.int32)
    first_context = np.empty(shape[0] + 1, dtype=np.int64)
    first_cell = np.empty(shape[0] + 1, dtype=np.int64)
    columns = np.array(path, dtype=np.int32)
    runnable(kernels.number_prefixes)(
        table, target, columns, contexts, cells, first_context, first_cell
    )
    return Prefixes(contexts, cells, first_context, first_cell)


def count_table(table: NominalRows, name: str, target: int, parents: tuple[int, ...]) -> CountTree:
    """Count the table of one column, which errors call by that name."""
    path = np.array(parents, dtype=np.int32)
    n_rows = table.codes.shape[1]
    room = 1
    widest = 1
    for column in path:
        widest = min(widest * int(table.n_values[column]), n_rows)
        room += widest
    here = np.empty(n_rows, dtype=np.int32)
    first_node = np.empty(len(path) + 2, dtype=np.int64)
    parent = np.empty(room, dtype=np.int32)
    branch = np.empty(room, dtype=np.int32)
    runnable(kernels.number_path)(table, path, here, first_node, parent, branch)
    n_nodes = int(first_node[-1])
    n_outcomes = int(table.n_values[target])
    _check_size(name, n_outcomes, n_nodes)
    arrays = lone_leaves(n_nodes, n_outcomes)
    arrays = arrays._replace(parent=parent[:n_nodes].copy(), branch=branch[:n_nodes].copy())
    runnable(kernels.fill_table)(table, target, path, here, first_node, arrays)
    return CountTree(target, arrays)


def _check_size(name: str, n_outcomes: int, n_nodes: int) -> None:
    """Refuse a table that would fill the memory."""
    if n_nodes * n_outcomes > MAX_CELLS:
        raise DataError(
            f"column={name!r} has {n_outcomes} values, and its table {n_nodes} contexts: "
            f"together they must stay below {MAX_CELLS} counts. Leave the column out if it is "
            "an identifier, or choose a smaller k."
        )
