"""Corrections of a grown tree or network by an expert, and what unseen rows say of them.

Inner trees obey the same edits: otherwise the evidence would be about another tree. An edit names
a node by the conditions on the way to it; where an inner tree has no such node the edit is left
out there, which is counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from probtrees.errors import OptionError, did_you_mean
from probtrees.grow.count_tree import CountTree
from probtrees.grow.dag import Dag, Structure, StructureMember
from probtrees.grow.edited_tree import unmet_edits
from probtrees.grow.edits import ArrowEdit, Edit
from probtrees.score.unseen_scores import UnseenScores
from probtrees.table.dataset import Dataset, Schema
from probtrees.words import score_texts

KINDER = (
    "The corrections were made while looking at all rows, so what unseen rows say of them is "
    "kinder than new people will be."
)

_OF_WHAT_WAS_LEARNT = ("k", "n_attributes", "loss", "loss_surface", "loss_errors", "selection")
"""Notes about parts of a network as it was learnt, which edits change."""


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
        """Say it on half a line: ``Brier .145 → .147, within noise``."""
        if not self.is_measured:
            return (
                f"not measured, since none of the {self.inner_trees} models grown without a part "
                "of the rows has this place"
            )
        before, after = score_texts(self.before, self.after)
        said = f"Brier {before} → {after}, {self.judgement}"
        if self.followed and min(self.followed) < self.inner_trees:
            said += (
                f"; measured in part, since only {min(self.followed)} of {self.inner_trees} models "
                "grown without a part of the rows have every place that is corrected"
            )
        return said


def edit_notes(edits: Iterable[Edit | ArrowEdit], unmet: Iterable[str | None]) -> dict[str, Any]:
    """Note what was made of edits, for the record of a model: why one is not followed, or None."""
    both = zip(edits, unmet, strict=True)
    return {"edits": [{"words": edit.words, "on": edit.on, "why": why} for edit, why in both]}


def follow_edits(
    dag: Dag, edits: Sequence[ArrowEdit], schema: Schema
) -> tuple[Dag, list[str | None]]:
    """Correct a network, one edit after the other, and say why an edit cannot be followed."""
    unmet: list[str | None] = []
    for number, edit in enumerate(edits):
        for name in {edit.parent, edit.child} - {*schema.names}:
            advice = did_you_mean(name, schema.names)
            raise OptionError(f"edits[{number}]: {name!r} must be a column. {advice}")
        found = dag.edited(edit, schema) if edit.on else dag
        unmet.append(found if isinstance(found, str) else None)
        dag = dag if isinstance(found, str) else found
    return dag, unmet


def corrected(found: Structure, edits: Sequence[ArrowEdit], schema: Schema) -> Structure:
    """Correct the one network of a structure, and note what was made of every edit."""
    dag, unmet = follow_edits(found.members[0].dag, edits, schema)
    notes = {k: v for k, v in found.diagnostics.items() if k not in _OF_WHAT_WAS_LEARNT}
    notes |= edit_notes(edits, unmet)
    return replace(found, members=(StructureMember(dag),), diagnostics=notes)


def unmet_in(
    trees: Sequence[CountTree], data: Dataset, edits: Sequence[Edit | ArrowEdit]
) -> list[str | None]:
    """Say of every edit why a tree, or a network of tables, does not follow it; None: it does."""
    arrows = [edit for edit in edits if isinstance(edit, ArrowEdit)]
    if arrows:
        return follow_edits(Dag.of_tables(trees), arrows, data.schema)[1]
    return unmet_edits(trees[0], data, [edit for edit in edits if isinstance(edit, Edit)])


def edit_sentences(diagnostics: Mapping[str, Any]) -> list[str]:
    """Say of every correction of a tree whether it was followed, also by the inner trees.

    Parameters
    ----------
    diagnostics : what the learner noted; without corrections there is nothing to say

    Examples
    --------
    >>> note = {"words": "All rows: split on age at 15", "on": True, "why": None}
    >>> edit_sentences({"edits": [{**note, "inner_trees": 5, "followed": 4}]})
    ['All rows: split on age at 15. Followed by 4 of 5 models grown without a part of the rows.']
    """
    return [_sentence(**note) for note in diagnostics.get("edits", ())]


def _sentence(
    words: str, on: bool, why: str | None, inner_trees: int = 0, followed: int = 0, **_: Any
) -> str:
    if not on:
        return f"{words}: switched off."
    if why is not None:
        return f"{words}: left out, since {why}."
    among = f" Followed by {followed} of {inner_trees} models grown without a part of the rows."
    return f"{words}.{among if inner_trees else ''}"
