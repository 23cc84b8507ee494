"""Learn the numbers of a model again from new rows, its structure kept.

The questions a tree asks often travel better than the rates in its leaves. New rows are dropped
into the old structure and counted; the old counts stay as a prior of a chosen weight; then the
counts are smoothed as ever. What that gains is measured on new rows that were left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from probtrees.errors import DataError, OptionError
from probtrees.experiment.inner_evidence import drop, fill_cells, inner_splits
from probtrees.experiment.model_spec import named_smoother
from probtrees.grow.count_tree import CountTree, make_arrays
from probtrees.model.member import Member
from probtrees.model.model import Model
from probtrees.model.predict import predict_proba
from probtrees.score.calibration_in_large import Estimate
from probtrees.score.measures import Scores, evaluate, part_shown
from probtrees.score.metrics import Figures, brier_score
from probtrees.score.paired_test import corrected_t_test
from probtrees.smooth.evidence import Evidence
from probtrees.smooth.smoothed_tree import Smoother
from probtrees.table.column_profile import profile_table
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray, Progress, tell
from probtrees.words import count_text, rows_text, score_decimals, score_text

N_FOLDS = 10
"""Parts of the new rows, each answered by numbers learnt from the others."""


@dataclass(frozen=True)
class Gain(Figures):
    """What re-estimating is worth, on new rows that were left out.

    Attributes
    ----------
    prior_weight : what an old row counts beside a new one
    smoother : registry name
    before, after : scores of the model as it was, and of its numbers learnt again
    brier_gain : how much the Brier score falls, with its 95 % interval: above 0 it is better
    p_value : of such a difference by chance (corrected t-test over the folds)
    """

    prior_weight: float
    smoother: str
    before: Scores
    after: Scores
    brier_gain: Estimate
    p_value: float

    @property
    def verdict(self) -> str:
        """Whether it is worth it, in plain words."""
        if self.p_value > 0.05:
            return "no difference beyond chance"
        return "better" if self.brier_gain.value > 0 else "worse"

    def shown(self, n_classes: int) -> list[str]:
        """Write the Brier score before and after, and the gain with its interval, for people."""
        part, gain = part_shown("brier", n_classes), self.brier_gain
        before, after = (part * (scores.brier or 0.0) for scores in (self.before, self.after))
        digits = score_decimals(before, after)
        ends = (f"{part * x:+z.{digits}f}" for x in (gain.value, gain.lower, gain.upper))
        return [score_text(before), score_text(after), "{} ({} to {})".format(*ends)]


def re_estimate(
    model: Model, data: Dataset, *, prior_weight: float = 1.0, smoother: Any = None
) -> Model:
    """Count new rows into the structure of a model, and smooth again.

    Parameters
    ----------
    data : new rows with their classes, under the model's schema
    prior_weight : what an old row counts beside a new one: 1 as much, 0 nothing
    smoother : a registry name or a smoother; that of the model if not given. One that chooses
        its settings on held-out rows holds out parts of the new rows.
    """
    if model.kind in ("shaped", "council"):
        raise DataError(
            f"model={model.learner!r} must be a tree or a network to count new rows into. Grow it "
            "again from all rows."
        )
    if not (np.isfinite(prior_weight) and prior_weight >= 0):
        raise OptionError(f"prior_weight={prior_weight!r} must be at least 0. 1 keeps every row.")
    if data.n_rows < 2:
        raise DataError(f"rows={data.n_rows} must be at least 2 to learn from them.")
    name, method = (
        (model.smoother, model.trees[0].smoother) if smoother is None else named_smoother(smoother)
    )
    members = tuple(_count_again(member, data, prior_weight, method) for member in model.members)
    weighs = f"an old row counts {count_text(prior_weight)} times as much as a new one"
    note = (
        f"Its numbers were learnt again from {rows_text(data.n_rows)} of "
        f"{data.provenance.source or 'another table'}; {weighs}."
    )
    again = model.smoothed_by(name, method, members)
    source = replace(again.provenance, notes=(*again.provenance.notes, note))
    return replace(again, provenance=source, profile=profile_table(data))


def _count_again(member: Member, data: Dataset, prior_weight: float, smoother: Smoother) -> Member:
    """Count and smooth every tree of a member again."""
    cut = data if member.cuts is None else member.cuts.apply(data)
    trees = []
    for smoothed in member.trees:
        rows = cut.take(cut.values[:, smoothed.tree.target] >= 0)
        tree = with_rows(smoothed.tree, rows, prior_weight)
        evidence = None
        if smoother.needs_evidence:
            evidence = _evidence(smoothed.tree, rows, prior_weight)
        trees.append(smoother.smooth(tree, evidence))
    return replace(member, trees=tuple(trees))


def _evidence(tree: CountTree, rows: Dataset, prior_weight: float) -> Evidence:
    """Hold parts of the new rows out: they have not chosen the structure, so it may stay."""
    parts = []
    for split in inner_splits(replace(rows, repeats=None)):
        inner = with_rows(tree, rows.take(split.trained), prior_weight)
        parts.append(drop(inner, rows.take(split.held_out), split.held_out))
    return Evidence(tuple(parts))


def with_rows(tree: CountTree, rows: Dataset, prior_weight: float) -> CountTree:
    """Add rows to the counts of a tree whose own counts are weighed down, or up."""
    new_rows, new = fill_cells(drop(tree, rows, np.arange(rows.n_rows)))
    old = tree.arrays.counts
    counts = prior_weight * old + new
    weight = prior_weight * tree.arrays.weight + new.sum(axis=1)
    is_plain = tree.mean_weights is None and rows.weights is None and prior_weight in (0.0, 1.0)
    n_rows = (old / tree.row_weights if prior_weight > 0 else 0.0) + new_rows
    mean = np.divide(counts, n_rows, out=np.ones_like(counts), where=(n_rows > 0) & (counts > 0))
    arrays = make_arrays(**{**tree.arrays._asdict(), "counts": counts, "weight": weight})
    return CountTree(tree.target, arrays, None, None if is_plain else mean)


def gain_of_re_estimating(
    model: Model,
    data: Dataset,
    *,
    prior_weights: Sequence[float] = (1.0,),
    smoother: Any = None,
    progress: Progress | None = None,
) -> list[Gain]:
    """Measure on left-out new rows what re-estimating is worth, for several weights of old rows.

    Parameters
    ----------
    data, smoother : as in :func:`re_estimate`
    prior_weights : the weights to try
    progress : called before every fold; may raise to cancel
    """
    splits = inner_splits(replace(data, repeats=None), N_FOLDS)
    if len(splits) < 2:
        raise DataError(f"rows={data.n_rows} must be enough to leave some of them out.")
    before = predict_proba(model, data)
    answers = [np.full_like(before, np.nan) for _ in prior_weights]
    for number, split in enumerate(splits):
        rest, left_out = data.take(split.trained), data.take(split.held_out)
        for place, weight in enumerate(prior_weights):
            done = (number + place / len(prior_weights)) / len(splits)
            tell(progress, done, f"learning again, part {number + 1} of {len(splits)}")
            again = re_estimate(model, rest, prior_weight=weight, smoother=smoother)
            answers[place][split.held_out] = predict_proba(again, left_out)
    name = model.smoother if smoother is None else named_smoother(smoother)[0]
    labels, weights = data.labels, data.row_weights
    test_share = float(np.mean([len(s.held_out) / int(s.trained.sum()) for s in splits]))
    tested = np.concatenate([split.held_out for split in splits])

    def by_part(said: FloatArray) -> list[float]:
        rows = (split.held_out for split in splits)
        return [brier_score(said[part], labels[part], weights[part]) for part in rows]

    found = []
    for weight, after in zip(prior_weights, answers, strict=True):
        old, new = (evaluate(p[tested], labels[tested], weights[tested]) for p in (before, after))
        test = corrected_t_test(by_part(before), by_part(after), test_share)
        lower, upper = (math.nan if end is None else end for end in (test.lower, test.upper))
        gain = Estimate(test.difference, lower, upper)
        found.append(Gain(weight, name, old, new, gain, test.p_value))
    return found
