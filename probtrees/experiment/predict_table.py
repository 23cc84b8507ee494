"""A model and any table give probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees import predict
from probtrees.dataset import Dataset
from probtrees.model import Model
from probtrees.prepare.read_table import read_table


def predict_proba(model: Model, table: Any) -> NDArray[np.float64]:
    """Return the class probabilities of every row of a table.

    Parameters
    ----------
    model : a fitted or loaded model
    table : a path, a pandas frame, a file object or a Dataset. Columns are found by name,
        in any order; a class column is not needed. A column that is missing is reported.

    Returns
    -------
    float64[n_rows, n_classes], columns in the order of ``model.schema.classes``
    """
    data = table if isinstance(table, Dataset) else read_table(table, schema=model.schema)
    return predict.predict_proba(model, data)
