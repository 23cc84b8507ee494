"""The functions of the package, as Python and notebooks see them.

They take a table as it is at hand, a frame or a path as well as a
:class:`~probtrees.table.dataset.Dataset`, and return what shows itself.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from probtrees.errors import OptionError, ProbTreesWarning
from probtrees.estimators.fitted_model import FittedModel
from probtrees.estimators.result_displays import (
    ColumnsAtAGlance,
    Comparison,
    ShownResult,
    ShownValidation,
    plain_fields,
)
from probtrees.experiment import fit as experiment_fit
from probtrees.experiment.evaluation import column_importance as importance
from probtrees.experiment.evaluation import cross_validate as evaluation
from probtrees.experiment.evaluation.leading_methods import known_figures
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.model_spec import ModelSpec, make_spec, named_smoother
from probtrees.experiment.registry import (
    DEFAULT_CHUNKED_SMOOTHER,
    DEFAULT_LEARNER,
    DEFAULT_SMOOTHER,
)
from probtrees.experiment.validation import re_estimate as new_numbers
from probtrees.experiment.validation import validate as validation
from probtrees.model.model import Model
from probtrees.scale.files.table_files import DEFAULT_MEMORY, Source, memory_bytes
from probtrees.scale.learn.fit_chunks import check_chunked, fit_table
from probtrees.scale.passes.conductor import conducting
from probtrees.scale.passes.open_chunks import open_chunks
from probtrees.table.dataset import Dataset
from probtrees.table.findings import ColumnType, Role
from probtrees.table.folds import Folds
from probtrees.table.read_table import read_table
from probtrees.types import FloatArray, Progress
from probtrees.words import rows_text

_READING = inspect.signature(read_table).parameters.keys() - {"source", "target", "schema"}
"""The options of reading a table, which may stand beside the settings of a model."""


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
    """Grow a model from rows and smooth it.

    Where the smoother asks rows that were held out, as the default does, the model also gets its
    track record.

    Parameters
    ----------
    data : a Dataset, or whatever else :func:`~probtrees.table.read_table.read_table` takes: a
        frame, a path
    learner, smoother : by name ("c45" and "hgs" unless given), as an object with options, or as a
        class
    target : the column to predict, of a table that is not read yet; the last one unless named
    progress : called with the share of the work that is done; may raise to cancel
    track_record : gather what happens to held-out rows also where the smoother does not ask
    settings : ``seed``, ``routing``, ``calibrate``, ``curtail`` and the other settings of a model
        (:class:`~probtrees.experiment.model_spec.ModelSpec`); of a table that is not read yet also
        those of reading, such as ``roles={"id": "ignore"}`` and ``missing=("?",)``

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [4, 20, 35, 50, 61, 70], "ill": list("nnnyyy")})
    >>> fit(frame, "c45", "laplace", target="ill").predict({"age": 65})
    array(['y'], dtype=object)
    """
    rows, settings = _dataset(data, target, learner, settings)
    how = {**settings, "progress": progress, "track_record": track_record}
    return FittedModel.of(experiment_fit.fit(rows, learner, smoother, **how))


def load_model(source: Any) -> FittedModel:
    """Read a model written by ``model.save(path)``; nothing in the file is executed.

    Parameters
    ----------
    source : a path, an open file, or a pair (name, bytes)

    Examples
    --------
    >>> import json
    >>> import probtrees
    >>> model = probtrees.fit(probtrees.load_sample("stroke"), "nb", "laplace")
    >>> probtrees.load_model(("model.json", json.dumps(model.to_dict()).encode()))
    <Naive Bayes for stroke, smoothed by Laplace: 3 tables>
    """
    return FittedModel.of(experiment_fit.load_model(source))


def predict_proba(model: Model, table: Any) -> FloatArray:
    """Return the class probabilities of every row of a table: ``FittedModel.predict_proba``.

    Examples
    --------
    >>> import probtrees
    >>> model = probtrees.fit(probtrees.load_sample("stroke"), "nb", "laplace")
    >>> probtrees.predict_proba(model, {"weight": "heavy", "height": "med"}).round(2).tolist()
    [[0.74, 0.26]]
    """
    return FittedModel.of(model).predict_proba(table)


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

    Copies of a row that are one observation are held out together.

    Parameters
    ----------
    data, learner, smoother, target, settings : as in :func:`fit`
    folds : how many, or another plan such as "5x2", "loo" or "holdout=0.3", or the folds
        themselves, one for every repeat
    repeats : how often to cut the rows, each time differently
    progress : called before every fold; may raise to cancel

    Examples
    --------
    >>> import probtrees
    >>> found = probtrees.cross_validate(
    ...     probtrees.load_sample("stroke"), "nb", "laplace", folds=3
    ... )
    >>> round(found.scores["brier"], 3), round(found.base_rate["brier"], 3)
    (0.34, 0.32)
    """
    rows, settings = _dataset(data, target, learner, settings)
    how = {**settings, "folds": folds, "repeats": repeats, "progress": progress}
    (found,) = evaluation.compare(rows, learner, [smoother], **how)
    return ShownResult(**plain_fields(found))


def compare(
    data: Any,
    learner: Any = DEFAULT_LEARNER,
    smoothers: Sequence[Any] | str | None = None,
    *,
    target: str | None = None,
    folds: int | str | Folds | Sequence[Folds] = 10,
    repeats: int = 1,
    n_jobs: int = 1,
    progress: Progress | None = None,
    **settings: Any,
) -> Comparison:
    """Measure many smoothers on the same folds; every fold's trees are grown once.

    Parameters
    ----------
    data, learner, target, settings : as in :func:`fit`
    smoothers : names or smoothers; all that are registered if None
    folds, repeats, progress : as in :func:`cross_validate`
    n_jobs : how many folds to work on at a time, each in a process of its own

    Returns
    -------
    Comparison
        a list that shows itself as a table, with those that cannot be told from the best

    Examples
    --------
    >>> import probtrees
    >>> data = probtrees.load_sample("stroke")
    >>> found = probtrees.compare(data, "nb", ["mle", "laplace"], folds=3)
    >>> found.to_frame()["smoother"].tolist()
    ['mle', 'laplace', 'always the base rate']
    """
    rows, settings = _dataset(data, target, learner, settings)
    if isinstance(smoothers, str):
        smoothers = [smoothers]
    spec = learner if isinstance(learner, ModelSpec) else make_spec(learner, **settings)
    if isinstance(folds, int | str):
        rows = rows.copies_apart()
    cuts = evaluation.cut_rows(rows, folds, repeats, spec.seed)
    results = evaluation.compare(
        rows, spec, smoothers, folds=cuts, n_jobs=n_jobs, progress=progress
    )
    known = known_figures(results, rows, cuts, "brier", "rows") if results[1:] else None
    return Comparison(results, None if known is None else known.differences_to(None))


def validate(
    model: Model, table: Any, *, outcome: str | int | None = None, training: Any = None
) -> ShownValidation:
    """Hold a model against a table it was not learnt from.

    Parameters
    ----------
    model : grown here or loaded
    table : new rows with their classes: a frame, a path, an open file, or a Dataset that was read
        with the model's schema
    outcome : the class the figures are about, by name or number; the rarest one of training if
        not given
    training : the rows the model was learnt from; needed only for a model that does not know what
        its columns held

    Examples
    --------
    >>> import probtrees
    >>> data = probtrees.load_sample("stroke")
    >>> model = probtrees.fit(data, "nb", "laplace")
    >>> print(probtrees.validate(model, data.to_frame()).sentences[0])
    yes was expected in 23.9 % of 15 rows and came in 20.0 % (95 % interval 7.0 % to 45.2 %), as \
chance allows.
    """
    if not isinstance(model, Model):
        raise OptionError(
            f"model={type(model).__name__} must be a model. Give the model first, then the table."
        )
    found = validation.validate(model, table, outcome=outcome, training=training)
    return ShownValidation(**plain_fields(found))


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

    It is what their Brier score rises by when the column's values are shuffled among them.

    Parameters
    ----------
    data, learner, smoother, target, progress, settings : as in :func:`fit`
    seed : decides how the rows are parted and how values are shuffled

    Returns
    -------
    ColumnsAtAGlance
        a list that shows itself as bars, and that ``model.report(path, columns=...)`` takes

    Examples
    --------
    >>> import probtrees
    >>> found = probtrees.column_importance(probtrees.load_sample("stroke"), "nb", "laplace")
    >>> [column.name for column in found]
    ['weight', 'height']
    """
    rows, settings = _dataset(data, target, learner, settings)
    grown = grow_model(rows, learner, progress, seed=seed, **settings)
    model = grown.smooth(smoother, progress=progress)
    return ColumnsAtAGlance(importance.column_importance(grown, model, progress, seed))


def re_estimate(
    model: Model, data: Dataset, *, prior_weight: float = 1.0, smoother: Any = None
) -> FittedModel:
    """Count new rows into the structure of a model, and smooth again.

    Parameters
    ----------
    data : new rows with their classes, read under the model's schema
    prior_weight : what an old row counts beside a new one: 1 as much, 0 nothing
    smoother : a name or a smoother; that of the model if not given. One that chooses its settings
        on held-out rows holds out parts of the new rows.

    Examples
    --------
    >>> import probtrees
    >>> data = probtrees.load_sample("stroke")
    >>> model = probtrees.fit(data, "nb", "laplace")
    >>> new = probtrees.read_table(data.to_frame().iloc[:5], schema=model.schema)
    >>> probtrees.re_estimate(model, new, prior_weight=0).trees[0].tree.arrays.counts.tolist()
    [[4.0, 1.0]]
    """
    again = new_numbers.re_estimate(model, data, prior_weight=prior_weight, smoother=smoother)
    return FittedModel.of(again)


def fit_chunks(
    source: Source,
    learner: Any = "skdb",
    smoother: Any = DEFAULT_CHUNKED_SMOOTHER,
    *,
    target: str | None = None,
    memory: int | str = DEFAULT_MEMORY,
    roles: Mapping[str, Role] | None = None,
    types: Mapping[str, ColumnType] | None = None,
    work: str | Path | None = None,
    cluster: str | None = None,
    **settings: Any,
) -> FittedModel:
    """Grow a model from files that do not fit into memory, and smooth it.

    The files are read several times, a chunk at a time. The model is the one that reading
    everything into memory would give, for the same cuts, however the rows are spread over files.

    Parameters
    ----------
    source : a file, a folder, a pattern, or a list of these; Parquet or delimited text
    learner : "nb", "tan", "kdb", "skdb", "eskdb", "c45" or "shaped-tree", or such a learner
        (``BinnedC45(bins=64)``), or a whole spec
    smoother : any smoother that needs no rows held out
    target, roles, types : as in :func:`~probtrees.table.read_table.read_table`
    memory : how much may be held at a time, such as "2GB"
    work : a folder to keep finished passes in, so that an interrupted run goes on from there
    cluster : the address of a Dask scheduler, or "local"; None: this process does all
    settings : those of a model, as in :func:`fit`

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import probtrees
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     frame = probtrees.load_sample("stroke").to_frame()
    ...     frame.to_csv(pathlib.Path(folder, "stroke.csv"), index=False)
    ...     probtrees.fit_chunks(folder, "nb", "laplace", target="stroke")
    <Naive Bayes for stroke, smoothed by Laplace: 3 tables>
    """
    spec = learner if isinstance(learner, ModelSpec) else make_spec(learner, **settings)
    named, room = named_smoother(smoother, None, spec.seed), memory_bytes(memory)
    check_chunked(spec, named[1])
    with conducting(work, cluster, memory=room) as conductor:
        said: dict[str, Any] = {"roles": roles, "types": types}
        table = open_chunks(source, target, memory=room, conductor=conductor, **said)
        return FittedModel.of(fit_table(table, spec, named, conductor, room))


def _dataset(
    data: Any, target: str | None, learner: Any, settings: dict[str, Any]
) -> tuple[Dataset, dict[str, Any]]:
    """Read a table unless it is read already; return it with the settings that are the model's."""
    if target is None and not isinstance(learner, ModelSpec):
        try:  # before a table is read by a wrong target
            make_spec(learner)
        except OptionError as problem:
            raise OptionError(f"{problem} The column to predict is named by target=...") from None
    reading = {name: value for name, value in settings.items() if name in _READING}
    settings = {name: value for name, value in settings.items() if name not in _READING}
    if not isinstance(data, Dataset):
        return _read(data, target, reading), settings
    asked = {**reading, **({} if target in (None, data.schema.target.name) else {"target": target})}
    for name, value in asked.items():
        raise OptionError(
            f"{name}={value!r} must be left out: the table is read already, with the target "
            f"{data.schema.target.name!r}. Give it when the table is read."
        )
    return data, settings


def _read(data: Any, target: str | None, reading: dict[str, Any]) -> Dataset:
    """Read a table, and warn of rows that are left out: nobody sees a list of findings here."""
    rows = read_table(data, target, **reading)
    for reason, count in rows.provenance.rows_dropped.items():
        warnings.warn(
            f"{count:,} of {rows_text(rows.provenance.rows_read)} are left out: {reason}.",
            ProbTreesWarning,
            stacklevel=4,
        )
    return rows
