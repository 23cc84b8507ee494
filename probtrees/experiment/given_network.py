"""Networks whose structure a person gives by a file.

The structure is kept, and its tables are learnt from one's own rows and smoothed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from probtrees.errors import DataError
from probtrees.experiment.model_spec import ModelSpec, make_spec
from probtrees.experiment.registry import DEFAULT_DISCRETIZER
from probtrees.grow.given_structure import GivenStructure
from probtrees.model.networks.dense_network import DenseNetwork, Variable
from probtrees.model.networks.safe_names import safe_name
from probtrees.options import Options
from probtrees.table.cuts import Cuts
from probtrees.table.dataset import Column, Dataset, Schema
from probtrees.words import first_few

_MOST_NAMED = 6
"""Columns that a message names."""


@dataclass(frozen=True)
class GivenCuts(Options):
    """Cut numbers where a network's file says, other columns by a method.

    Attributes
    ----------
    points : cut points by the name of the column
    method : how columns are cut that the file says nothing about
    """

    points: Mapping[str, tuple[float, ...]]
    method: Any
    name: ClassVar[str] = "given"

    def find_cuts(self, train: Dataset) -> Cuts:
        """Return the given cuts, and those the method finds."""
        found: Cuts = self.method.find_cuts(train)
        given = {
            number: np.array(self.points[column.name])
            for number, column in enumerate(train.schema.columns)
            if column.name in self.points and not column.is_nominal
        }
        return Cuts.noting_missing(train, {**found.points, **given})


def given_network(
    data: Dataset, network: DenseNetwork, discretizer: Any = DEFAULT_DISCRETIZER, **settings: Any
) -> tuple[Dataset, ModelSpec]:
    """Make the spec that keeps a network's structure, and the rows under its values.

    Columns are found by name, also by the safe name that files know. Values that the file declares
    and no row has are declared for the rows too, so that they get a probability.

    Parameters
    ----------
    discretizer, settings : as in :func:`~probtrees.experiment.model_spec.make_spec`

    Raises
    ------
    DataError : naming a variable that is no column of the table
    """
    columns = _columns(data.schema, network)
    parents = {
        name: tuple(columns[parent] for parent in table.parents)
        for name, table in zip(columns, network.tables, strict=True)
    }
    spec = make_spec(GivenStructure(parents), discretizer=discretizer, **settings)
    variables = dict(zip(columns, network.variables, strict=True))
    points = {name: each.points for name, each in variables.items() if each.points is not None}
    spec = replace(spec, discretizer=GivenCuts(points, spec.discretizer))
    declared = (_with_values(column, variables.get(column.name)) for column in data.schema.columns)
    return replace(data, schema=Schema(tuple(declared))), spec


def _columns(schema: Schema, network: DenseNetwork) -> list[str]:
    """Find the column of every variable."""
    by_safe_name = {safe_name(name): name for name in schema.names}
    found: list[str] = []
    missing = []
    for name in network.names:
        column = name if name in schema.names else by_safe_name.get(safe_name(name))
        if column is None or column in found:
            missing.append(name)
        else:
            found.append(column)
    if missing:
        raise DataError(
            "Every column of the network must be in the table; it lacks "
            f"{first_few([*map(repr, missing)], _MOST_NAMED)}. "
            "Rename columns of the table, or use a table that has them."
        )
    return found


def _with_values(column: Column, variable: Variable | None) -> Column:
    """Declare the values of the network that no row has, where the others are called alike."""
    if column.categories is None or variable is None:
        return column
    known = {safe_name(category) for category in column.categories}
    declared = variable.values[:-1] if variable.not_recorded else variable.values
    if not known <= {safe_name(value) for value in declared}:
        return column
    added = tuple(value for value in declared if safe_name(value) not in known)
    return replace(column, categories=(*column.categories, *added))
