"""A network whose arrows are given: by an expert, or by a file of another program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from probtrees.errors import DataError
from probtrees.grow.count.mutual_information import measure_information
from probtrees.grow.count.nominal_rows import nominal_rows
from probtrees.grow.dag import Dag, Structure, StructureMember
from probtrees.grow.kdb import MOST_DESCRIBED, describe
from probtrees.options import Options
from probtrees.table.dataset import Dataset


@dataclass(frozen=True)
class GivenStructure(Options):
    """Keep the parents of every column as they are given; only tables are learnt.

    The class may be anywhere in the network. Where it is a parent it comes first in the table,
    then the other parents by what they say about the column, the class given, most first: a
    smoother takes the answer of few parents for contexts of many that are rare.

    Attributes
    ----------
    parents : by the name of each column in the network, the names of its parents
    """

    parents: Mapping[str, tuple[str, ...]]
    name: ClassVar[str] = "given"

    def learn(self, data: Dataset) -> Structure:
        """Find the columns by name and put every list of parents in order."""
        schema = data.schema
        numbers = {name: number for number, name in enumerate(schema.names)}
        for name in self.parents:
            if name not in numbers:
                raise DataError(
                    f"column={name!r} of the given network must be in the table. "
                    "Rename the column, or leave it out of the network."
                )
        if schema.target.name not in self.parents:
            raise DataError(
                f"target={schema.target.name!r} must be in the given network. "
                "Choose another column to predict."
            )
        information = measure_information(
            nominal_rows(data), pairs=len(schema.features) <= MOST_DESCRIBED
        )
        target = schema.target_column
        told = np.pad(information.pairwise, (0, 1))
        told[:, target] = np.inf
        ranked = {}
        for name, parents in self.parents.items():
            about, above = told[numbers[name]], sorted(numbers[parent] for parent in parents)
            ranked[numbers[name]] = tuple(sorted(above, key=lambda parent: -about[parent]))
        others = {column: parents for column, parents in ranked.items() if column != target}
        dag = Dag({target: ranked[target], **others})
        return Structure((StructureMember(dag),), diagnostics=describe(information, others))

    def to_dict(self) -> dict[str, Any]:
        """Return the parents by name, as they are written into a model file."""
        return {"parents": {name: list(parents) for name, parents in self.parents.items()}}
