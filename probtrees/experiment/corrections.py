"""Corrections of a grown tree by an expert, and what unseen rows say of them.

Inner trees obey the same edits: otherwise the evidence would be about another tree. An edit names
a node by the conditions on the way to it; where an inner tree has no such node the edit is left
out there, which is counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from probtrees.experiment.grown_model import GrownModel, grow_model
from probtrees.experiment.inner_evidence import GrownMember, InnerEvidence, drop, inner_splits
from probtrees.experiment.observation_weights import per_observation
from probtrees.experiment.unseen_scores import UnseenScores
from probtrees.grow.c45 import C45
from probtrees.grow.edited_tree import edit_notes
from probtrees.grow.edits import Edit
from probtrees.smooth.evidence import Evidence
from probtrees.table.dataset import Dataset
from probtrees.types import Progress
from probtrees.words import score_texts

KINDER = (
    "The corrections were made while looking at all rows, so what unseen rows say of them is "
    "kinder than new people will be."
)


@dataclass(frozen=True)
class CorrectionEffect:
    """What a correction does on rows that inner trees have not seen.

    Attributes
    ----------
    before, after : the Brier scores
    low, high : the 95 % interval of how much lower the score is afterwards
    followed, inner_trees : of every correction that the tree follows, how many inner trees do, of
        how many
    """

    before: float
    after: float
    low: float
    high: float
    followed: tuple[int, ...] = ()
    inner_trees: int = 0

    @classmethod
    def of(
        cls, before: UnseenScores, after: UnseenScores, notes: Sequence[Mapping[str, Any]] = ()
    ) -> CorrectionEffect:
        """Compare the scores of two models on the same parts of the rows.

        ``notes`` is what :func:`~probtrees.experiment.inner_models.edits_followed` noted.
        """
        _, low, high = after.better_by(before)
        met = [note for note in notes if note["on"] and note["why"] is None]
        inner_trees = int(met[0]["inner_trees"]) if met else 0
        followed = tuple(int(note["followed"]) for note in met)
        return cls(before.brier, after.brier, low, high, followed, inner_trees)

    @property
    def is_measured(self) -> bool:
        """Whether any inner tree follows a correction; else nothing was tried on unseen rows."""
        return not self.followed or max(self.followed) > 0

    @property
    def is_noise(self) -> bool:
        """Whether the difference is within what chance does."""
        return self.low <= 0 <= self.high

    @property
    def judgement(self) -> str:
        """Say whether it is better, worse, or neither."""
        if not self.is_measured:
            return "not measured"
        if self.before == self.after:
            return "unchanged"
        return "within noise" if self.is_noise else "better" if self.low > 0 else "worse"

    @property
    def words(self) -> str:
        """Say it on half a line: ``Brier .291 → .293, within noise``."""
        if not self.is_measured:
            return (
                f"not measured, since none of the {self.inner_trees} trees grown without a part "
                "of the rows has this place"
            )
        before, after = score_texts(self.before, self.after, least=3)
        said = f"Brier {before} → {after}, {self.judgement}"
        if self.followed and min(self.followed) < self.inner_trees:
            said += (
                f"; measured in part, since only {min(self.followed)} of {self.inner_trees} trees "
                "grown without a part of the rows have every place that is corrected"
            )
        return said


def correct_model(
    grown: GrownModel, data: Dataset, edits: Sequence[Edit], progress: Progress | None = None
) -> GrownModel:
    """Correct a tree that was grown without edits; only what is edited regrows.

    The result is that of growing with the edits, inner trees and all, which are corrected in the
    same way once they are asked for.

    Parameters
    ----------
    grown, data : the tree, and the table it was grown from
    """
    learner = replace(grown.spec.learner, edits=tuple(edits))
    spec = replace(grown.spec, learner=learner)
    tree = None if grown.data.weights is not None else learner.edit(grown.trees[0], grown.data)
    if tree is None:
        return grow_model(data, spec, progress)
    notes = {**grown.diagnostics, **edit_notes(learner.edits, tree, grown.data)}
    return replace(
        grown,
        spec=spec,
        members=(GrownMember((tree,)),),
        diagnostics=notes,
        gathering=partial(_gather_corrected, grown, learner),
    )


def _gather_corrected(grown: GrownModel, learner: C45, progress: Progress | None) -> InnerEvidence:
    """Correct the inner trees of a model, and see where the rows they lack land now."""
    inner = grown.evidence(progress)
    data, parts = grown.data, []
    splits = inner_splits(data, seed=grown.spec.seed)
    for number, (split, members) in enumerate(zip(splits, inner.members, strict=True)):
        if progress is not None:
            progress(number / len(splits), f"correcting inner tree {number + 1} of {len(splits)}")
        trained = data.take(split.trained)
        (tree,) = members[0].trees
        # Where fewer rows are usable than given the tree has to be grown from them again.
        edited = learner.edit(tree, trained)
        if edited is None:
            edited = learner.grow(trained)
        parts.append(drop(edited, data.take(split.held_out), split.held_out))
    return per_observation(InnerEvidence.of_trees((Evidence(tuple(parts)),)), data)


def edit_sentences(diagnostics: Mapping[str, Any]) -> list[str]:
    """Say of every correction of a tree whether it was followed, also by the inner trees.

    Parameters
    ----------
    diagnostics : what the learner noted; without corrections there is nothing to say

    Examples
    --------
    >>> note = {"words": "All rows: split on age at 15", "on": True, "why": None}
    >>> edit_sentences({"edits": [{**note, "inner_trees": 5, "followed": 4}]})
    ['All rows: split on age at 15. Followed by 4 of 5 trees grown without a part of the rows.']
    """
    return [_sentence(**note) for note in diagnostics.get("edits", ())]


def _sentence(
    words: str, on: bool, why: str | None, inner_trees: int = 0, followed: int = 0, **_: Any
) -> str:
    if not on:
        return f"{words}: switched off."
    if why is not None:
        return f"{words}: left out, since {why}."
    among = f" Followed by {followed} of {inner_trees} trees grown without a part of the rows."
    return f"{words}.{among if inner_trees else ''}"
