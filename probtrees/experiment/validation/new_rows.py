"""The rows that a model is checked against: read for its schema, with a class that it knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from probtrees.errors import DataError
from probtrees.model.model import Model
from probtrees.table.dataset import UNSEEN, Dataset
from probtrees.table.infer.unmatched_values import UnmatchedValuesError, unmatched_values
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_to_predict
from probtrees.table.readings.words import folded
from probtrees.table.table_report import Role
from probtrees.table.written_rows import read_written

_MOST_TEXTS = 5
"""Values that a sentence names."""


def read_new_rows(model: Model, table: Any, layout: ReadOptions | None = None) -> Dataset:
    """Read a table for a model; a column that held the weights in training does so again.

    The table may lack columns that a tree never asks for.

    ``layout`` says where the table stands in its file, and, if need be, which other column holds
    the weights; None: it is found.
    """
    if isinstance(table, Dataset):
        if table.schema.names != model.schema.names:
            raise DataError("table must have the columns of the model. Read it with its schema.")
        return table
    roles: dict[str, Role] = {
        name: "weight" for name, role in model.provenance.roles.items() if role == "weight"
    }
    layout = layout or ReadOptions()
    layout = replace(layout, roles=layout.roles or roles, unused=model.unused_columns)
    data = read_to_predict(table, model.schema, layout, model.profile)
    classes = data.values[:, -1]
    if (classes == UNSEEN).any() and not (classes >= 0).any():
        _refuse_spelling(data, table, layout)
    return data


def _refuse_spelling(data: Dataset, table: Any, layout: ReadOptions) -> None:
    """Refuse a target that is written in another way than in training, naming both ways.

    Where its values are few, the error says how to match them (:class:`.UnmatchedValuesError`).
    """
    name = data.schema.target.source_name
    columns = {} if hasattr(table, "read") else read_written(table, layout.layout).columns
    name = next((other for other in columns if folded(other) == folded(name)), name)
    if name in columns:
        texts = columns[name].as_texts()
        target = data.schema.target
        if unmatched := unmatched_values(target.source_name, texts, data.schema.classes):
            raise UnmatchedValuesError([unmatched])
        raise DataError(
            f"column {name!r} must hold what happened to the new rows, as one of "
            f"{_listed(data.schema.classes)}; it holds {_listed(texts.texts)}. "
            "Write its values as the model knows them, for instance by find and replace."
        )


def _listed(texts: Sequence[str]) -> str:
    """Write some texts in quotes, and that there are more."""
    return ", ".join(map(repr, texts[:_MOST_TEXTS])) + (", ..." if texts[_MOST_TEXTS:] else "")


def with_known_class(data: Dataset) -> Dataset:
    """Keep the rows whose class the model knows."""
    known = data.values[:, -1] >= 0
    if not known.any():
        target = data.schema.target
        raise DataError(
            f"column {target.source_name!r} must hold what happened to the new rows, as one of "
            f"{_listed(data.schema.classes)}. Add it to the table."
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
