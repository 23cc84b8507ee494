"""Where numeric columns are cut into intervals."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.dataset import Dataset, Schema


@dataclass(frozen=True)
class Cuts:
    """Ascending cut points per numeric column; a value equal to a cut lies below it.

    Attributes
    ----------
    points : cut points by column number. An empty array makes one interval; columns that
        are not listed stay as they are.
    """

    points: Mapping[int, NDArray[np.float64]]

    def apply(self, data: Dataset) -> Dataset:
        """Replace every cut column by the code of its interval; missing stays missing."""
        values = data.values.copy()
        for column, points in self.points.items():
            known = ~np.isnan(values[:, column])
            values[known, column] = np.searchsorted(points, values[known, column], side="left")
        return replace(data, schema=self.apply_to_schema(data.schema), values=values)

    def apply_to_schema(self, schema: Schema) -> Schema:
        """Declare every cut column as nominal, its intervals as categories."""
        columns = tuple(
            replace(column, categories=interval_names(self.points[number]))
            if number in self.points
            else column
            for number, column in enumerate(schema.columns)
        )
        return Schema(columns)

    def to_dict(self) -> dict[str, Any]:
        """Return the cuts as plain values, ready for JSON."""
        return {str(column): points.tolist() for column, points in self.points.items()}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Cuts:
        """Read cuts written by :meth:`to_dict`."""
        return cls({int(k): np.asarray(v, dtype=np.float64) for k, v in record.items()})


def interval_names(points: NDArray[np.float64]) -> tuple[str, ...]:
    """Name the intervals between cut points in plain words.

    >>> interval_names(np.array([34.0, 51.0]))
    ('up to 34', '34 to 51', 'above 51')
    >>> interval_names(np.array([]))
    ('any value',)
    """
    if len(points) == 0:
        return ("any value",)
    text = _distinct_text(points)
    middle = tuple(f"{low} to {high}" for low, high in itertools.pairwise(text))
    return (f"up to {text[0]}", *middle, f"above {text[-1]}")


def _distinct_text(points: NDArray[np.float64]) -> list[str]:
    """Print cut points with as few digits as keep them apart."""
    for digits in range(4, 18):
        text = [f"{point:.{digits}g}" for point in points]
        if len(set(text)) == len(text):
            return text
    return [repr(float(point)) for point in points]
