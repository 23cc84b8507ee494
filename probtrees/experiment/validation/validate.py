"""External validation: whether a model holds on people it has never seen."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any

import numpy as np

from probtrees.experiment.validation.new_table import (
    ColumnDrift,
    column_drift,
    read_new_rows,
    unknown_values,
    with_known_class,
)
from probtrees.experiment.validation.part_check import GroupCheck, check_groups
from probtrees.explain.rule import outcome_number
from probtrees.model.model import Model
from probtrees.model.predict import predict_proba
from probtrees.score.calibration_in_large import CalibrationInLarge, calibration_in_large
from probtrees.score.measures import Scores, evaluate, score_record
from probtrees.score.metrics import Figures, base_rates, rarest_outcome
from probtrees.score.paired_test import CONFIDENCE, LEVEL
from probtrees.score.reliability import ReliabilityBin, reliability_curve
from probtrees.table.column_profile import ColumnProfile, profile_table
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray
from probtrees.words import percent, plural, rows_text

SEEN_BEFORE = (
    "This is the file the model was learnt from: figures on rows it has seen flatter it. Give rows "
    "it has not seen."
)


@dataclass(frozen=True)
class Validation:
    """What a model is worth on another table.

    Attributes
    ----------
    model, source : the model, and the table by name
    classes, outcome : the classes, and which of them the figures are about
    rows : rows with a known class; rows_without_class : rows that were left out
    scores : the measures of the answers
    base_rate : the same for the class frequencies of training, asked of the same rows
    by_class : calibration and ranking of every class as a whole
    deciles : calibration in ten parts of about equally many rows
    columns : how every column differs from training; None where the model does not know
    unknown_values : by column, the share of rows with a category the model does not know
    groups : leaf by leaf, for a single tree; else empty
    is_training : whether it is the very file the model was learnt from, which tests nothing
    """

    model: str
    source: str
    classes: tuple[str, ...]
    outcome: int
    rows: int
    rows_without_class: int
    scores: Scores
    base_rate: Scores
    by_class: tuple[CalibrationInLarge, ...]
    deciles: tuple[ReliabilityBin, ...]
    columns: tuple[ColumnDrift, ...] | None
    unknown_values: Mapping[str, float]
    groups: tuple[GroupCheck, ...]
    is_training: bool = False

    @property
    def in_large(self) -> CalibrationInLarge:
        """Calibration and ranking of the outcome."""
        return self.by_class[self.outcome]

    @property
    def n_groups_met(self) -> int:
        """How many leaves have new rows."""
        return sum(group.rows > 0 for group in self.groups)

    @property
    def groups_off(self) -> tuple[GroupCheck, ...]:
        """The leaves that differ from what they say by more than chance allows."""
        return tuple(group for group in self.groups if group.is_off)

    @property
    def sentences(self) -> tuple[str, ...]:
        """What was found, in plain words, the most important first."""
        about = (_about_ranking, _about_parts, _about_columns, _about_left_out)
        came = in_large_words(self.in_large, self.classes[self.outcome], self.rows)
        said = [SEEN_BEFORE if self.is_training else "", came, *(tell(self) for tell in about)]
        return tuple(filter(None, said))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        return {
            "model": self.model,
            "source": self.source,
            "rows": self.rows,
            "rows_without_class": self.rows_without_class,
            "is_training": self.is_training,
            "confidence": CONFIDENCE,
            "outcome": self.classes[self.outcome],
            "summary": list(self.sentences),
            **score_record(self.scores, len(self.classes)),
            "base_rate": score_record(self.base_rate, len(self.classes)),
            "calibration_in_large": dict(zip(self.classes, _plain(self.by_class), strict=True)),
            "deciles": _plain(self.deciles),
            "columns": None if self.columns is None else _plain(self.columns),
            "unknown_values": dict(self.unknown_values),
            "groups": _plain(self.groups),
        }


def _plain(found: Sequence[Figures]) -> list[dict[str, Any]]:
    return [each.to_dict() for each in found]


def validate(
    model: Model, table: Any, *, outcome: str | int | None = None, training: Dataset | None = None
) -> Validation:
    """Hold a model against a table it was not learnt from.

    Parameters
    ----------
    table : new rows with their classes: a path, a pandas frame, an open file, or a Dataset that
        was read with the model's schema
    outcome : the class the figures are about, by name or number; the rarest one of training
        if not given
    training : the rows the model was learnt from; needed only for a model that does not know
        what its columns held
    """
    given = read_new_rows(model, table)
    data = with_known_class(given)
    proba, weights, counts = predict_proba(model, data), data.weights, _class_counts(model)
    number = rarest_outcome(counts)
    if outcome is not None:
        number = outcome_number(outcome, model.schema.classes)
    rows = float(counts.sum()) if (counts > 0).any() else math.inf
    rates = base_rates(data.labels, data.n_classes, weights) if math.isinf(rows) else counts / rows
    by_class = tuple(
        calibration_in_large(proba[:, k], data.labels == k, weights, learnt_from=rows)
        for k in range(len(model.schema.classes))
    )
    profile = profile_table(training) if training is not None else model.profile
    is_tree, learnt_from = model.kind == "tree", model.provenance.sha256
    return Validation(
        model=model.learner,
        source=data.provenance.source,
        classes=model.schema.classes,
        outcome=number,
        rows=data.n_rows,
        rows_without_class=given.n_rows - data.n_rows,
        scores=evaluate(proba, data.labels, weights),
        base_rate=evaluate(np.tile(rates, (data.n_rows, 1)), data.labels, weights),
        by_class=by_class,
        deciles=tuple(
            reliability_curve(proba[:, number], data.labels == number, weights, method="rows")
        ),
        columns=None if profile is None else _drift(model, data, profile),
        unknown_values=unknown_values(data),
        groups=check_groups(model, data, proba, number) if is_tree else (),
        # By its fingerprint: the file is the same byte by byte.
        is_training=bool(learnt_from) and learnt_from == data.provenance.sha256,
    )


def _drift(
    model: Model, data: Dataset, profile: Sequence[ColumnProfile]
) -> tuple[ColumnDrift, ...]:
    """Compare the columns with training; not those that a tree never asks for and a table lacks."""
    unused = model.unused_columns
    kept = [
        column.source_name not in unused or not np.isnan(data.values[:, number]).all()
        for number, column in enumerate(model.schema.features)
    ]
    now = profile_table(data, profile)
    return column_drift(list(compress(profile, kept)), list(compress(now, kept)))


def _class_counts(model: Model) -> FloatArray:
    """Return how many training rows every class had; zeros where no tree counts classes."""
    trees = (smoothed.tree for smoothed in model.trees)
    known = (tree.arrays.counts[0] for tree in trees if tree.target == model.schema.target_column)
    return np.asarray(next(known, np.zeros(len(model.schema.classes))))


def in_large_words(large: CalibrationInLarge, name: str, n_rows: int, level: float = LEVEL) -> str:
    """Say whether as many cases of an outcome came as were predicted."""
    observed = large.observed
    verdict = "which chance does not explain" if large.p_value <= level else "as chance allows"
    return (
        f"{name} was expected in {percent(large.expected)} of {rows_text(n_rows)} and came "
        f"in {percent(observed.value)} (95 % interval {percent(observed.lower)} to "
        f"{percent(observed.upper)}), {verdict}."
    )


def _about_ranking(found: Validation) -> str:
    """Say how well rows are ranked, and whether forecasts are too bold."""
    large = found.in_large
    if large.auc is None:
        return ""
    auc = large.auc
    of = f", {found.classes[found.outcome]!r} against the rest" if len(found.classes) > 2 else ""
    ends = f"{auc.lower:.3f} to {auc.upper:.3f}"
    words = f"Rows are ranked with an AUC of {auc.value:.3f} ({ends}){of}."
    slope = large.slope
    if slope is None:
        return words
    if slope.upper < 1:
        bold = "forecasts are too bold: high ones too high, low ones too low"
    elif slope.lower > 1:
        bold = "forecasts are too timid: high ones too low, low ones too high"
    else:
        bold = "forecasts are neither too bold nor too timid beyond chance"
    return f"{words} Calibration slope {slope.value:.2f}: {bold}."


def _about_parts(found: Validation) -> str:
    """Say how many leaves no longer hold."""
    n_off, n_all = len(found.groups_off), found.n_groups_met
    if not n_all:
        return ""
    differ = "differs" if n_off == 1 else "differ"
    return (
        f"{n_off:,} of {plural(n_all, 'groups')} {differ} from what the model says by more than "
        "chance allows (false discovery rate 5 %)."
    )


def _about_left_out(found: Validation) -> str:
    """Say how many rows there were that nothing can be learnt from."""
    n = found.rows_without_class
    rows = plural(n, "more rows")
    return f"{rows} have no class that the model knows and are left out." if n else ""


def _about_columns(found: Validation) -> str:
    """Name the columns that changed."""
    if found.columns is None:
        unknown = ", ".join(found.unknown_values)
        return (
            "The model does not know what its columns held in training, so their change is "
            "unknown." + (f" Values it does not know are in: {unknown}." if unknown else "")
        )
    changed = [drift for drift in found.columns if drift.verdict != "as before"]
    if not changed:
        return f"None of {plural(len(found.columns), 'columns')} differs from training."
    listed = ", ".join(f"{drift.name} ({drift.verdict})" for drift in changed[:5])
    more = f" and {len(changed) - 5} more" if len(changed) > 5 else ""
    return f"{len(changed)} of {plural(len(found.columns), 'columns')} changed: {listed}{more}."
