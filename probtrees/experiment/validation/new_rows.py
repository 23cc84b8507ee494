"""The rows that a model is checked against: read for its schema, with a class that it knows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from probtrees.errors import DataError
from probtrees.model.model import Model
from probtrees.table.dataset import UNSEEN, Dataset
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table
from probtrees.table.table_report import Role


def read_new_rows(model: Model, table: Any, layout: ReadOptions | None = None) -> Dataset:
    """Read a table for a model; a column that held the weights in training does so again.

    ``layout`` says where the table stands in its file; None: it is found.
    """
    if isinstance(table, Dataset):
        if table.schema.names != model.schema.names:
            raise DataError("table must have the columns of the model. Read it with its schema.")
        return table
    roles: dict[str, Role] = {
        name: "weight" for name, role in model.provenance.roles.items() if role == "weight"
    }
    place = {} if layout is None else layout.place
    return read_table(table, schema=model.schema, roles=roles, **place)


def with_known_class(data: Dataset) -> Dataset:
    """Keep the rows whose class the model knows."""
    known = data.values[:, -1] >= 0
    if not known.any():
        target = data.schema.target
        raise DataError(
            f"column {target.source_name!r} must hold what happened to the new rows, as one of "
            f"{', '.join(map(repr, data.schema.classes[:5]))}. Add it to the table."
        )
    data = replace(data, repeats=None)
    return data if known.all() else data.take(known)


def unknown_values(data: Dataset) -> dict[str, float]:
    """Give the share of rows with a category that the schema does not know, where there are."""
    weights = data.row_weights
    shares = {
        column.name: float(np.average(data.values[:, number] == UNSEEN, weights=weights))
        for number, column in enumerate(data.schema.features)
        if column.is_nominal
    }
    return {name: share for name, share in shares.items() if share > 0}
