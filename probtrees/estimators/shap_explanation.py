"""What columns add to a probability, in the form that the plots of the package shap take."""

from __future__ import annotations

from typing import Any

import numpy as np

from probtrees.errors import OptionError
from probtrees.explain.column_parts import column_parts
from probtrees.explain.path import value_text
from probtrees.model.model import Model
from probtrees.table.dataset import Dataset


def shap_explanation(model: Model, data: Dataset, outcome: int) -> Any:
    """Return ``shap.Explanation`` of the probability of one class for every row.

    Base values and values sum to the probability. They are the model's own parts, not Shapley
    values of made-up rows: see :func:`~probtrees.explain.column_parts.column_parts`.
    """
    try:
        # Imported here: it takes long to load, and few need it.
        import shap  # noqa: PLC0415
    except ImportError:
        raise OptionError(
            "to_shap must be left out until shap is installed: pip install 'probtrees[shap]'."
        ) from None
    found, schema = column_parts(model, data), model.schema
    texts = [
        [value_text(schema, column, row) for column in range(schema.n_columns - 1)]
        for row in data.values
    ]
    return shap.Explanation(
        values=found.parts[:, :, outcome],
        base_values=found.base[:, outcome],
        data=data.values[:, :-1],
        display_data=np.array(texts, dtype=object).reshape(data.n_rows, -1),
        feature_names=list(schema.names[:-1]),
        output_names=schema.classes[outcome],
    )
