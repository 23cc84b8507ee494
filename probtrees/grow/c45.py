"""C4.5: a decision tree by gain ratio (Quinlan 1993)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from probtrees.count_tree import CountTree
from probtrees.dataset import Dataset
from probtrees.grow.growth import Grower, Progress
from probtrees.grow.prune import collapse
from probtrees.options import Options, option


@dataclass(frozen=True)
class C45(Options):
    """Grow a tree by gain ratio."""

    name: ClassVar[str] = "c45"

    min_leaf: int = option(
        2, minimum=1, help="A split needs at least two branches with this many rows."
    )
    collapse: bool = option(
        True, help="Cut off splits that do not reduce the errors on the training rows."
    )
    missing: Literal["value", "fraction"] = option(
        "value",
        help="A missing value is a value of its own, or its row is split over all branches.",
    )
    max_depth: int | None = option(None, minimum=0, help="Splits between the root and a leaf.")

    middle_slack: float = option(
        0.0,
        minimum=0.0,
        help="A value above the middle of its neighbours by less than this is still the split "
        "value; 1e-6 in the program behind the published tables.",
    )

    def grow(self, data: Dataset, progress: Progress | None = None) -> CountTree:
        """Grow a tree from a table's rows."""
        grower = Grower(data, missing_as_value=self.missing == "value")
        tree = grower.grow(
            min_leaf=self.min_leaf,
            max_depth=self.max_depth,
            middle_slack=self.middle_slack,
            progress=progress,
        )
        return collapse(tree) if self.collapse else tree
