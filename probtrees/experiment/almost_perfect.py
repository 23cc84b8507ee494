"""A model that is almost never wrong on unseen rows, because of one column that may be forbidden.

Such columns often were written down when the outcome was known: a refund says that goods came
back. Whether it was, only a person knows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from probtrees.experiment.unseen_scores import UnseenScores
from probtrees.table.dataset import Dataset
from probtrees.table.infer.leaks import carrying_features
from probtrees.table.infer.text_habits import listed

ALMOST_PERFECT = 0.995
"""The area under the ROC curve of unseen rows from which on a model is almost perfect."""


@dataclass(frozen=True)
class AlmostPerfect:
    """The columns that make a model almost perfect, each of them alone.

    Attributes
    ----------
    columns : their names in the user's table, the strongest first
    auc : the area under the ROC curve on unseen rows; of several classes their mean, or that of
        ``told_class``
    share : of the mistakes of always saying the most frequent class, those that each avoids
    told_class : the one class of several that these mistakes are about, if it is one
    """

    columns: tuple[str, ...]
    auc: float
    share: float
    told_class: str | None = None

    @property
    def question(self) -> str:
        """Ask whether the columns may be used."""
        verb = "is" if len(self.columns) == 1 else "are"
        return f"Almost perfect: {verb} {self.named} known before the outcome?"

    @property
    def reason(self) -> str:
        """Say why that is asked."""
        what = "this column" if len(self.columns) == 1 else "each of these columns"
        about = "" if self.told_class is None else f" about whether it is {self.told_class!r}"
        return (
            f"On unseen rows the AUC is {self.auc:.3f}, and {what} alone avoids "
            f"{100 * self.share:.0f} % of the mistakes{about}."
        )

    @property
    def named(self) -> str:
        """The columns in a sentence."""
        return listed([repr(name) for name in self.columns])


def almost_perfect(scores: UnseenScores | None, data: Dataset) -> AlmostPerfect | None:
    """Return the columns that carry an almost perfect model; None where there are none."""
    if scores is None:
        return None
    # The mean over all classes says little of a column that knows the usual one.
    usual = scores.auc_of(int(np.bincount(data.labels).argmax())) if data.n_classes > 2 else None
    if max(scores.auc or 0.0, usual or 0.0) < ALMOST_PERFECT:
        return None
    found = carrying_features(data)
    told_class = next((c.told_class for c in found if c.told_class is not None), None)
    auc = scores.auc if told_class is None else usual
    if not found or auc is None or auc < ALMOST_PERFECT:
        return None
    columns = tuple(carrier.name for carrier in found)
    weakest = min(found, key=lambda carrier: carrier.share)
    return AlmostPerfect(columns, auc, weakest.share, told_class)
