"""Another table beside the one a model was learnt from: its rows, and how its columns differ.

Rows are read for the model's schema, with a class that it knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from probtrees.errors import DataError
from probtrees.machine.lazy_module import stats
from probtrees.model.model import Model
from probtrees.score.calibration_in_large import false_discovery
from probtrees.score.metrics import Figures
from probtrees.score.paired_test import LEVEL
from probtrees.table.column_profile import ColumnProfile
from probtrees.table.dataset import UNSEEN, Dataset
from probtrees.table.findings import Role
from probtrees.table.match import UnmatchedValuesError
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import find_unmatched, read_to_predict
from probtrees.types import FloatArray
from probtrees.words import first_few, percent

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
    data = read_to_predict(table, model.schema, layout)
    classes = data.values[:, -1]
    if (classes == UNSEEN).any() and not (classes >= 0).any():
        _refuse_spelling(data, table, layout)
    return data


def _refuse_spelling(data: Dataset, table: Any, layout: ReadOptions) -> None:
    """Refuse a target that is written in another way than in training, naming both ways.

    Where its values are few, the error says how to match them (:class:`.UnmatchedValuesError`).
    """
    name = data.schema.target.source_name
    is_read = hasattr(table, "read")
    found = () if is_read else find_unmatched(table, data.schema, layout, with_target=True)
    if unmatched := [column for column in found if column.name == name]:
        raise UnmatchedValuesError(unmatched)
    advice = "Write its values as the model knows them, for instance by find and replace."
    raise _lacks_class(data, advice)


def _lacks_class(data: Dataset, advice: str) -> DataError:
    return DataError(
        f"column {data.schema.target.source_name!r} must hold what happened to the new rows, as "
        f"one of {first_few([*map(repr, data.schema.classes)], _MOST_TEXTS)}. {advice}"
    )


def with_known_class(data: Dataset) -> Dataset:
    """Keep the rows whose class the model knows."""
    known = data.values[:, -1] >= 0
    if not known.any():
        raise _lacks_class(data, "Add it to the table.")
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


Verdict = Literal["as before", "slightly different", "clearly different", "very different"]

_CLEAR, _STRONG = 0.1, 0.25
"""From these shares of moved rows on a change is called clear, and strong."""

_FEWEST_EXPECTED = 5.0
"""Cells that expect fewer rows are put together before the test."""


@dataclass(frozen=True)
class ColumnDrift(Figures):
    """One column then and now.

    Attributes
    ----------
    name : of the column
    distance : the share of rows that would have to move to make both tables alike: half the sum
        of differences between the shares of categories, or of tenths of a number (total variation)
    p_value, adjusted_p : of as large a difference by chance; adjusted for the number of columns
    missing_before, missing_now : shares of rows without a value
    unseen : the share of rows now with a category that training has never met
    outside : the share of rows now below the lowest or above the highest number of training
    """

    name: str
    distance: float
    p_value: float
    adjusted_p: float
    missing_before: float
    missing_now: float
    unseen: float
    outside: float

    @property
    def verdict(self) -> Verdict:
        """The change in plain words: by its size, unless chance explains it."""
        if self.adjusted_p > LEVEL:
            return "as before"
        if self.distance < _CLEAR:
            return "slightly different"
        return "clearly different" if self.distance < _STRONG else "very different"

    @property
    def words(self) -> str:
        """What is behind the verdict, for someone who has never heard of a distance."""
        parts = []
        if self.verdict != "as before":
            parts.append(f"{percent(self.distance)} of the rows have moved")
        if self.unseen > 0:
            parts.append(f"{percent(self.unseen)} have a value never met in training")
        if self.outside > 0:
            parts.append(f"{percent(self.outside)} lie outside the range of training")
        if abs(self.missing_now - self.missing_before) >= 0.01:
            before, now = percent(self.missing_before), percent(self.missing_now)
            parts.append(f"not recorded in {now}, before in {before}")
        return "; ".join(parts)


def column_drift(
    before: Sequence[ColumnProfile], now: Sequence[ColumnProfile]
) -> tuple[ColumnDrift, ...]:
    """Compare two profiles of the same columns, the most changed first."""
    pairs = zip(before, now, strict=True)  # categories or bins, then unseen, then missing
    tables = [np.array([[*one.counts, one.unseen, one.missing] for one in pair]) for pair in pairs]
    p_values = [_homogeneity(table) for table in tables]
    adjusted = false_discovery(p_values)
    found = [
        ColumnDrift(
            name=new.name,
            distance=_distance(table),
            p_value=p,
            adjusted_p=float(q),
            missing_before=_share(old.missing, old.rows),
            missing_now=_share(new.missing, new.rows),
            unseen=_share(new.unseen, new.rows),
            outside=_share(new.outside, new.rows),
        )
        for old, new, table, p, q in zip(before, now, tables, p_values, adjusted, strict=True)
    ]
    return tuple(sorted(found, key=lambda drift: (drift.adjusted_p > LEVEL, -drift.distance)))


def _share(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0


def _distance(table: FloatArray) -> float:
    shares = table / np.maximum(table.sum(axis=1, keepdims=True), 1e-300)
    return float(np.abs(shares[0] - shares[1]).sum() / 2)


def _homogeneity(table: FloatArray) -> float:
    """Test by chi-square whether both rows come from one distribution; rare cells are pooled."""
    order = np.argsort(table.sum(axis=0), kind="stable")
    cells = table[:, order][:, table[:, order].any(axis=0)]
    rows = cells.sum(axis=1)
    if not rows.all():
        return 1.0
    # The rarest cells are put together until both tables expect enough rows in them.
    fewest = _FEWEST_EXPECTED * rows.sum() / rows.min()
    n_pooled = int(np.searchsorted(np.cumsum(cells.sum(axis=0)), fewest, side="left")) + 1
    pooled = np.column_stack([cells[:, :n_pooled].sum(axis=1), cells[:, n_pooled:]])
    if pooled.shape[1] < 2:
        return 1.0
    return float(stats.chi2_contingency(pooled, correction=False).pvalue)
