"""What a reader of a report must know before relying on it."""

from __future__ import annotations

from probtrees.draw.node_card import Mask
from probtrees.draw.tables import LUCK
from probtrees.explain.leaf import SPREAD_NOTE
from probtrees.model.model import Model
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.words import rows_text

FEW_CASES = 100
"""With fewer rows of a class than this, every number about it is shaky."""


def cautions(model: Model, smoothed: SmoothedTree, n_variants: int | None, mask: Mask) -> list[str]:
    """List the cautions, the most general first."""
    said = [
        LUCK,
        "A rule describes different rows; it does not say what would happen if a value of a "
        "row were changed.",
    ]
    said += _few_cases(model, mask)
    if smoothed.lower is not None:
        said.append(f"Posterior intervals are the {SPREAD_NOTE}.")
    if n_variants is not None and n_variants > 1:
        said.append(
            f"{n_variants:,} settings were looked at on this table before this one was kept; "
            "confirm the choice on new rows."
        )
    if model.track_record is None:
        said.append(
            "This report holds no track record: how such numbers fare on unseen rows is not known."
        )
    said += model.diagnostics.get("removed", ())
    said += smoothed.warnings
    if mask.smallest > 1:
        said.append(
            f"Counts from 1 to {mask.smallest - 1} are not told. All others are rounded to "
            f"multiples of {mask.smallest}, and where an estimate would give a small count away, "
            "the range is told that every hidden count allows."
        )
    return list(dict.fromkeys(said))


def _few_cases(model: Model, mask: Mask) -> list[str]:
    """Warn of classes with few rows."""
    roots = [s.tree for s in model.trees if s.tree.target == model.schema.target_column]
    if not roots:
        return []
    counts = roots[0].arrays.counts[0]
    few = [
        f"{name} ({mask.rows(count) if mask.smallest > 1 else rows_text(count)})"
        for name, count in zip(model.schema.classes, counts.tolist(), strict=True)
        if 0 < count < FEW_CASES
    ]
    if not few:
        return []
    learner = model.options.get("learner")
    if isinstance(learner, dict) and learner.get("separate_rows"):
        return [f"Few rows belong to {', '.join(few)}: expect its numbers to move with new data."]
    return [
        f"Few rows belong to {', '.join(few)}. The same rows chose the tree and its numbers; "
        "separate rows for the two would be more honest."
    ]
