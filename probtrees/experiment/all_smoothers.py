"""What every smoother makes of one tree, by the label people know it under."""

from __future__ import annotations

from probtrees.errors import ProbTreesError
from probtrees.experiment.grown_model import GrownModel
from probtrees.experiment.registry import SMOOTHERS, make_smoother
from probtrees.grow.count_tree import CountTree
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.types import Progress


def all_smoothers(grown: GrownModel, progress: Progress | None = None) -> dict[str, SmoothedTree]:
    """Smooth a grown tree by every smoother, at its default options."""
    smoothed = {}
    for number, (name, entry) in enumerate(SMOOTHERS.items()):
        if progress is not None:
            progress(number / len(SMOOTHERS), entry.label)
        smoothed[entry.label] = grown.smooth(name).trees[0]
    return smoothed


def smoothers_without_rows(tree: CountTree) -> dict[str, SmoothedTree]:
    """Smooth a tree whose rows are not at hand, by every smoother that needs only its counts."""
    smoothed = {}
    for name, entry in SMOOTHERS.items():
        smoother = make_smoother(name)
        if smoother.needs_evidence:
            continue
        try:
            smoothed[entry.label] = smoother.smooth(tree)
        except ProbTreesError:
            continue  # it cannot treat this tree; the others can
    return smoothed
