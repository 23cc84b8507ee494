"""How far a shaped tree would move with other rows: its refits, each without a part of the rows.

The parts are left out in turn, tree, routing and fit alike, so the spread holds what a choice of
splits by these rows adds. It does not hold what every such model gets wrong.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from probtrees.errors import DataError
from probtrees.model.additive_member import AdditiveMember
from probtrees.model.model import Model
from probtrees.model.predict import additive_scores
from probtrees.smooth.log_linear.softmax import normalise
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray

LEVEL = 0.9
NORMAL = 1.6448536269514722
"""Standard deviations on either side of the middle that hold this much of a normal."""

MEANING = (
    "90 % interval by refits that each leave a part of the rows out: how far the number would "
    "move with other rows like these. What all such models get wrong is not in it."
)


def jackknife(refits: Sequence[FloatArray]) -> FloatArray:
    r"""Return the standard error of a number by its values in refits without a part each.

    .. math:: \sqrt{(g - 1) / g \sum_i (\theta_i - \bar\theta)^2}

    >>> jackknife([np.array([1.0]), np.array([3.0])]).round(6).tolist()
    [1.0]
    """
    values = np.array(refits)
    n_parts = len(values)
    off = values - values.mean(axis=0)
    return np.asarray(np.sqrt((n_parts - 1) / n_parts * (off**2).sum(axis=0)))


def shape_spread(member: AdditiveMember, column: int, x: FloatArray) -> FloatArray | None:
    """Return the standard error of what values of a column add, by class; None without refits.

    Scores are centred over the classes, since only their differences matter. In a refit whose
    rows are all alike in the column it adds nothing.
    """
    if len(member.refits) < 2:
        return None
    said = []
    for refit in member.refits:
        shapes = [shape for shape in refit.shapes if shape.column == column]
        scores = shapes[0].scores(x) if shapes else np.zeros((len(x), len(member.intercept)))
        said.append(scores - scores.mean(axis=1, keepdims=True))
    return jackknife(said)


def has_refits(model: Model) -> bool:
    """Whether a model carries what its intervals are made of."""
    member = model.members[0]
    return model.kind == "shaped" and isinstance(member, AdditiveMember) and len(member.refits) > 1


def answer_interval(model: Model, data: Dataset) -> FloatArray:
    """Bound every probability of a shaped tree by its refits; see :data:`MEANING`.

    Standard errors are those of log-odds, so the interval stays between 0 and 1.

    Returns
    -------
    float64[n_rows, n_classes, 2], the lower and the upper end
    """
    member = model.members[0]
    if not has_refits(model) or not isinstance(member, AdditiveMember):
        raise DataError("model must be a shaped tree with its refits. Fit it with 'probtrees.fit'.")
    said = _log_odds(normalise(additive_scores(member, data)))
    refits = [_log_odds(normalise(additive_scores(refit, data))) for refit in member.refits]
    reach = NORMAL * jackknife(refits)
    ends = np.stack([said - reach, said + reach], axis=-1)
    return np.asarray(1 / (1 + np.exp(-ends)))


def _log_odds(proba: FloatArray) -> FloatArray:
    p = np.clip(proba, 1e-12, 1 - 1e-12)
    return np.asarray(np.log(p) - np.log1p(-p))
