"""The functions of the package, as Python and notebooks see them.

They take a table as it is at hand, a frame or a path as well as a
:class:`~probtrees.table.dataset.Dataset`, and return what shows itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from probtrees.errors import OptionError
from probtrees.estimators.fitted_model import FittedModel
from probtrees.estimators.result_displays import (
    ColumnsAtAGlance,
    Comparison,
    ShownResult,
    ShownValidation,
)
from probtrees.experiment import fit as experiment_fit
from probtrees.experiment.evaluation import column_importance as importance
from probtrees.experiment.evaluation import cross_validate as evaluation
from probtrees.experiment.evaluation.cross_validate import Result
from probtrees.experiment.evaluation.leading_methods import leading_results
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.model_spec import ModelSpec, make_spec
from probtrees.experiment.registry import DEFAULT_LEARNER, DEFAULT_SMOOTHER
from probtrees.experiment.validation import validate as validation
from probtrees.model.model import Model
from probtrees.table.dataset import Dataset
from probtrees.table.folds import Folds
from probtrees.table.read_table import read_table
from probtrees.types import Progress


def fit(
    data: Any,
    learner: Any = DEFAULT_LEARNER,
    smoother: Any = DEFAULT_SMOOTHER,
    *,
    target: str | None = None,
    progress: Progress | None = None,
    track_record: bool = False,
    **settings: Any,
) -> FittedModel:
    """Grow a model from rows and smooth it; see :func:`probtrees.experiment.fit.fit`.

    Parameters
    ----------
    data : a Dataset, or whatever else :func:`~probtrees.table.read_table.read_table` takes: a
        frame, a path
    target : the column to predict, of a table that is not read yet; the last one unless named

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [4, 20, 35, 50, 61, 70], "ill": list("nnnyyy")})
    >>> fit(frame, "c45", "laplace", target="ill").predict({"age": 65})
    array(['y'], dtype=object)
    """
    model = experiment_fit.fit(
        _dataset(data, target),
        learner,
        smoother,
        progress=progress,
        track_record=track_record,
        **settings,
    )
    return FittedModel.of(model)


def load_model(source: Any) -> FittedModel:
    """Read a model written by ``model.save(path)``; nothing in the file is executed.

    See :func:`probtrees.experiment.fit.load_model`.
    """
    return FittedModel.of(experiment_fit.load_model(source))


def cross_validate(
    data: Any,
    learner: Any = DEFAULT_LEARNER,
    smoother: Any = DEFAULT_SMOOTHER,
    *,
    target: str | None = None,
    folds: int | str | Folds | Sequence[Folds] = 10,
    repeats: int = 1,
    progress: Progress | None = None,
    **settings: Any,
) -> ShownResult:
    """Measure one model and smoother on rows that did not train it.

    See :func:`probtrees.experiment.evaluation.cross_validate.cross_validate`.

    Parameters
    ----------
    data, target : as in :func:`fit`
    """
    found = evaluation.cross_validate(
        _dataset(data, target),
        learner,
        smoother,
        folds=folds,
        repeats=repeats,
        progress=progress,
        **settings,
    )
    return ShownResult.of(found)


def compare(
    data: Any,
    learner: Any = DEFAULT_LEARNER,
    smoothers: Sequence[Any] | None = None,
    *,
    target: str | None = None,
    folds: int | str | Folds | Sequence[Folds] = 10,
    repeats: int = 1,
    n_jobs: int = 1,
    progress: Progress | None = None,
    watch: Callable[[Callable[[], list[Result]]], None] | None = None,
    **settings: Any,
) -> Comparison:
    """Measure many smoothers on the same folds; every fold's trees are grown once.

    See :func:`probtrees.experiment.evaluation.cross_validate.compare`.

    Parameters
    ----------
    data, target : as in :func:`fit`

    Returns
    -------
    a list of results that shows itself as a table, with those that cannot be
    distinguished from the best
    """
    rows = _dataset(data, target)
    spec = learner if isinstance(learner, ModelSpec) else make_spec(learner, **settings)
    if isinstance(folds, int | str):
        rows = rows.copies_apart()
    cuts = evaluation.cut_rows(rows, folds, repeats, spec.seed)
    results = evaluation.compare(
        rows, spec, smoothers, folds=cuts, n_jobs=n_jobs, progress=progress, watch=watch
    )
    return Comparison(results, leading_results(results, rows, cuts) if len(results) > 1 else None)


def validate(
    model: Model, table: Any, *, outcome: str | int | None = None, training: Any = None
) -> ShownValidation:
    """Hold a model against a table it was not learnt from.

    See :func:`probtrees.experiment.validation.validate.validate`.
    """
    return ShownValidation.of(validation.validate(model, table, outcome=outcome, training=training))


def column_importance(
    data: Any,
    learner: Any = DEFAULT_LEARNER,
    smoother: Any = DEFAULT_SMOOTHER,
    *,
    target: str | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    **settings: Any,
) -> ColumnsAtAGlance:
    """Measure what every column is worth on unseen rows, the one worth most first.

    See :func:`probtrees.experiment.evaluation.column_importance.column_importance`.

    Parameters
    ----------
    data, target : as in :func:`fit`
    seed : decides how the rows are parted and how values are shuffled

    Returns
    -------
    a list that shows itself as bars, and that ``model.report(path, columns=...)`` takes
    """
    grown = grow_model(_dataset(data, target), learner, progress, seed=seed, **settings)
    model = grown.smooth(smoother, progress=progress)
    return ColumnsAtAGlance(importance.column_importance(grown, model, progress, seed))


def _dataset(data: Any, target: str | None) -> Dataset:
    """Read a table unless it is read already."""
    if not isinstance(data, Dataset):
        return read_table(data, target)
    if target is not None and target != data.schema.target.name:
        raise OptionError(
            f"target={target!r} must be left out: the table is read already, with the target "
            f"{data.schema.target.name!r}. Name it when the table is read."
        )
    return data
