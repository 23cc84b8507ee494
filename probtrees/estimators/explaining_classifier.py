"""What a fitted classifier can be asked beside scikit-learn's questions: why it says so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from probtrees.errors import OptionError, did_you_mean
from probtrees.estimators.fitted_model import FittedModel
from probtrees.table.dataset import Dataset


class ExplainingClassifier:
    """Adds explanations to a classifier that has a ``model_``."""

    model_: FittedModel

    def explain(self, row: Any = None, *, leaf: int | None = None, outcome: Any = None) -> Any:
        """Take a probability apart: that of a row, or that of a leaf of a tree.

        Parameters
        ----------
        row : one row of values, a mapping by the names of the columns, or a frame, whose first
            row is meant
        leaf : instead of a row, a leaf (see ``apply``) or an inner node
        outcome : the class of interest; None: the rarest one
        """
        self._check_explainable()
        given = None if row is None else one_row(self, row)
        return self.model_.explain(given, leaf=leaf, outcome=class_number(self, outcome))

    def to_shap(self, X: Any, outcome: Any = None) -> Any:  # noqa: N803
        """Return what every column adds to a probability, as ``shap.Explanation`` for its plots.

        Base values and values sum to ``predict_proba`` of the class.

        Parameters
        ----------
        outcome : the class of interest; None: the rarest one
        """
        self._check_explainable()
        rows = self._rows(X)
        return self.model_.to_shap(rows, outcome=class_number(self, outcome))

    def _rows(self, X: Any) -> Dataset:  # noqa: N803
        raise NotImplementedError

    def _check_explainable(self) -> None:
        """Refuse to explain a number that the classifier does not give."""
        check_is_fitted(self)
        if getattr(self, "class_weight", None) is not None and not self.weighted_proba:  # type: ignore[attr-defined]
            raise OptionError(
                "weighted_proba=False must be True to explain under class weights: what is "
                "explained is what the model says before they are taken back."
            )


def class_number(estimator: Any, outcome: Any) -> int | None:
    """Find a class of the estimator, whose classes may themselves be numbers."""
    if outcome is None:
        return None
    classes = list(estimator.classes_)
    if outcome not in classes:
        hint = did_you_mean(str(outcome), [str(name) for name in classes])
        raise OptionError(f"outcome={outcome!r} must be a class. {hint}")
    return classes.index(outcome)


def one_row(estimator: Any, row: Any) -> Any:
    """Bring a row under the schema of the model, as the estimator does when it predicts."""
    if isinstance(row, Mapping | pd.Series | int | np.integer):
        return row
    if not hasattr(row, "columns"):
        row = np.atleast_2d(np.asarray(row))
    return estimator._rows(row)
