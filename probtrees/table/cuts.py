"""How a table is made nominal: where numbers are cut, and where "not recorded" is a value."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from probtrees.table.dataset import Dataset, Schema
from probtrees.types import FloatArray

NOT_RECORDED_NAME = "not recorded"
"""The category that stands for a missing value."""


@dataclass(frozen=True)
class Cuts:
    """Ascending cut points per numeric column; a value equal to a cut lies below it.

    Networks count a missing value as a value of its own. A column that had missing values
    when the cuts were found gets one more category for them, the last. In other columns a
    missing value stays missing.

    Attributes
    ----------
    points : cut points by column number. An empty array makes one interval; columns that
        are not listed stay as they are.
    not_recorded : the columns with a category of their own for missing values
    """

    points: Mapping[int, FloatArray]
    not_recorded: tuple[int, ...] = ()

    @classmethod
    def noting_missing(cls, train: Dataset, points: Mapping[int, FloatArray] | None = None) -> Cuts:
        """Join cut points with a category for missing values wherever training rows need it.

        >>> from probtrees.table.dataset import Column
        >>> schema = Schema((Column("age"), Column("sick", ("no", "yes"))))
        >>> train = Dataset(schema, np.array([[30.0, 0], [60, 1], [np.nan, 1]]))
        >>> cuts = Cuts.noting_missing(train, {0: np.array([50.0])})
        >>> cuts.apply(train).schema.columns[0].categories
        ('up to 50', 'above 50', 'not recorded')
        """
        missing = np.isnan(train.values[:, :-1]).any(axis=0)
        return cls(points or {}, tuple(int(column) for column in np.flatnonzero(missing)))

    def apply(self, data: Dataset) -> Dataset:
        """Replace every cut column by the code of its interval."""
        if not (self.points or self.not_recorded):
            return data
        schema = self.apply_to_schema(data.schema)
        values = data.values.copy()
        for column, points in self.points.items():
            codes = np.searchsorted(points, values[:, column], side="left")
            values[:, column] = np.where(np.isnan(values[:, column]), np.nan, codes)
        for column in self.not_recorded:
            missing = np.isnan(values[:, column])
            values[missing, column] = schema.columns[column].n_values - 1
        return replace(data, schema=schema, values=values)

    def apply_to_schema(self, schema: Schema) -> Schema:
        """Declare every cut column as nominal, its intervals as categories."""
        columns = list(schema.columns)
        for number in {*self.points, *self.not_recorded}:
            categories = columns[number].categories
            if number in self.points:
                categories = interval_names(self.points[number])
            if number in self.not_recorded and categories is not None:
                name = NOT_RECORDED_NAME
                while name in categories:  # the data declare one so called
                    name += " (missing)"
                categories = (*categories, name)
            columns[number] = replace(columns[number], categories=categories)
        return Schema(tuple(columns))

    def to_dict(self) -> dict[str, Any]:
        """Return the cuts as plain values, ready for JSON."""
        points = {str(column): points.tolist() for column, points in self.points.items()}
        return {"points": points, "not_recorded": list(self.not_recorded)}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Cuts:
        """Read cuts written by :meth:`to_dict`."""
        points = {int(k): np.asarray(v, dtype=np.float64) for k, v in record["points"].items()}
        return cls(points, tuple(int(column) for column in record["not_recorded"]))


def interval_names(points: FloatArray) -> tuple[str, ...]:
    """Name the intervals between cut points in plain words.

    >>> interval_names(np.array([34.0, 51.0]))
    ('up to 34', '34 to 51', 'above 51')
    >>> interval_names(np.array([]))
    ('any value',)
    """
    if len(points) == 0:
        return ("any value",)
    texts = ([f"{point:.{digits}g}" for point in points] for digits in range(4, 18))
    text = next(each for each in texts if len({*each}) == len(each))  # what keeps them apart
    middle = tuple(f"{low} to {high}" for low, high in itertools.pairwise(text))
    return (f"up to {text[0]}", *middle, f"above {text[-1]}")
