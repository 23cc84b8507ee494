"""Dask's data frames as training tables: partitions are counted where they are."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import DataError, did_you_mean
from probtrees.estimators.table import unused_name
from probtrees.experiment.model_spec import ModelSpec
from probtrees.model.model import Model
from probtrees.scale.files.table_files import FramePart, FrameReader
from probtrees.scale.learn.fit_chunks import check_chunked, fit_table
from probtrees.scale.passes.conductor import conducting
from probtrees.scale.passes.open_chunks import UnscannedTable, open_parts
from probtrees.smooth.smoothed_tree import Smoother
from probtrees.table.findings import Role
from probtrees.table.read_options import ReadOptions


def is_distributed(table: Any) -> bool:
    """Whether a table or column belongs to Dask; found out without importing it."""
    return type(table).__module__.partition(".")[0] in ("dask", "dask_expr")


def partitions(table: Any) -> Iterator[Any]:
    """Yield the parts of a Dask frame or array one after the other, in memory."""
    for part in np.ravel(table.to_delayed()):
        yield part.compute()


def fit_distributed(
    table: Any, y: Any, target: str | None, spec: ModelSpec, smoother: tuple[str, Smoother]
) -> tuple[Model, list[str], NDArray[Any]]:
    """Grow a model from a Dask frame; only counts leave the workers.

    With a client of a cluster at hand its workers do the passes; without one, this process
    does, a partition at a time.

    Parameters
    ----------
    table : frame or array
    y : the classes as a Dask column, or None if ``target`` names a column of the frame
    target : the column to predict; the last one if neither is given

    Returns
    -------
    the model, the names of the features, and the classes with the type they have in the frame
    """
    frame, name = _with_target(table, y, target)
    features = [str(column) for column in frame.columns if str(column) != name]
    roles: dict[str, Role] = dict.fromkeys(features, "feature")
    parts = [FramePart(number, part) for number, part in enumerate(frame.to_delayed())]
    check_chunked(spec, smoother[1])
    with conducting(cluster=_client_at_hand()) as passes:
        names = tuple(map(str, frame.columns))
        found = UnscannedTable(FrameReader(), parts, names, "Dask data frame")
        opened = open_parts(found, ReadOptions(name, roles), passes)
        model = fit_table(opened, spec, smoother, passes)
    return model, features, _classes(model.schema.classes, frame, name)


def _with_target(table: Any, y: Any, target: str | None) -> tuple[Any, str]:
    """Put features and classes into one frame."""
    frame = table
    if not hasattr(table, "columns"):
        names = [f"x{number}" for number in range(table.shape[1])]
        frame = table.to_dask_dataframe(columns=names)
    if isinstance(y, str):
        y, target = None, y
    if y is not None:
        if not is_distributed(y):
            raise DataError("y must be a Dask column or array, since X is one. Convert it.")
        column = y.to_dask_dataframe() if hasattr(y, "to_dask_dataframe") else y
        name = unused_name([*map(str, frame.columns)])
        return frame.assign(**{name: column}), name
    name = str(frame.columns[-1]) if target is None else target
    if name not in map(str, frame.columns):
        advice = did_you_mean(name, map(str, frame.columns))
        raise DataError(f"target={name!r} must be a column of the Dask data frame. {advice}")
    return frame, name


def _client_at_hand() -> Any | None:
    """Return the client whose workers do the passes; None: this process does."""
    try:
        return import_module("distributed").get_client()
    except (ImportError, ValueError):
        return None


def _classes(spelled: tuple[str, ...], frame: Any, name: str) -> NDArray[Any]:
    """Give the classes the type they have in the frame."""
    dtype = frame.dtypes[name]
    categories = getattr(dtype, "categories", None)
    kind = getattr(dtype if categories is None else categories.dtype, "kind", "O")
    texts = np.array(spelled, dtype=object)
    numbers: dict[str, type] = {"i": np.int64, "u": np.int64, "f": np.float64}
    return texts == "True" if kind == "b" else texts.astype(numbers.get(kind, object))
