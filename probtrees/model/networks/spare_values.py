"""Variables of one value in files: most programs refuse them, so they get a spare one there.

A number that no cut separates, or a column of one category, is such a variable. In a file it has
a second value that never occurs; every answer stays what it is. Properties and sidecar list the
one true value, by which the spare one is known again and taken away when the file is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from probtrees.model.networks.dense_network import DenseNetwork, DenseTable, Variable

SPARE = "no other value"


def with_spare_values(network: DenseNetwork) -> DenseNetwork:
    """Give every variable of one value a second one of probability 0.

    >>> alone = DenseNetwork((Variable("x", ("a",)),), (DenseTable((), np.ones(1)),))
    >>> with_spare_values(alone).variables[0].values
    ('a', 'no other value')
    """
    alone = {at for at, variable in enumerate(network.variables) if len(variable.values) == 1}
    if not alone:
        return network
    variables = tuple(
        Variable(variable.name, (*variable.values, _spare(variable))) if at in alone else variable
        for at, variable in enumerate(network.variables)
    )
    tables = []
    for at, table in enumerate(network.tables):
        probs = table.probs
        for axis, parent in enumerate(table.parents):
            if parent in alone:
                # What a context says that never occurs is of no account: the same again.
                probs = np.repeat(probs, 2, axis=axis)
        if at in alone:
            probs = np.concatenate([probs, np.zeros_like(probs)], axis=-1)
        tables.append(DenseTable(table.parents, probs))
    return replace(network, variables=variables, tables=tuple(tables))


def _spare(variable: Variable) -> str:
    return SPARE if variable.values[0] != SPARE else f"{SPARE} at all"


def without_spare_values(
    variables: Sequence[Variable], tables: Sequence[DenseTable]
) -> tuple[DenseTable, ...]:
    """Cut the tables of a file down to variables that are known to have one value."""
    alone = {at for at, variable in enumerate(variables) if len(variable.values) == 1}
    found = []
    for at, table in enumerate(tables):
        probs = table.probs
        for axis, parent in enumerate(table.parents):
            if parent in alone:
                probs = np.take(probs, [0], axis=axis)
        found.append(DenseTable(table.parents, probs[..., :1] if at in alone else probs))
    return tuple(found)
