"""A model that can be asked about any table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.model import predict
from probtrees.model.model import Model
from probtrees.table.dataset import Dataset
from probtrees.table.read_table import read_table


@dataclass(frozen=True)
class FittedModel(Model):
    """What :func:`~probtrees.experiment.fit.fit` and ``load_model`` give."""

    def predict_proba(self, table: Any) -> NDArray[np.float64]:
        """Return the class probabilities of every row of a table, see :func:`predict_proba`."""
        return predict_proba(self, table)


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
