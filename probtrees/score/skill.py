"""How much better than knowing nothing: skill against the base rate, and rates by class."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from probtrees.types import FloatArray


@dataclass(frozen=True)
class ClassRate:
    """Mean probability of a class against how often it occurred."""

    outcome: int
    predicted: float
    observed: float

    def to_dict(self) -> dict[str, Any]:
        """Return the rates as plain values, ready for JSON."""
        return asdict(self)


def skill(loss: float | None, base_loss: float | None) -> float | None:
    """Give the share of the base rate's loss that a forecast saves; None if that loss is 0.

    1 is perfect, 0 no better than always saying the base rate, below 0 worse than that.

    >>> skill(0.5, 1.0), skill(0.1, 0.0)
    (0.5, None)
    """
    if loss is None or not base_loss:
        return None
    return 1 - loss / base_loss


def class_rates(
    proba: ArrayLike, labels: ArrayLike, weights: FloatArray | None = None
) -> list[ClassRate]:
    """Compare, class by class, the mean probability with the observed rate.

    >>> class_rates([[0.8, 0.2], [0.6, 0.4]], [0, 1])[0].predicted
    0.7
    """
    p: FloatArray = np.asarray(proba, dtype=np.float64)
    occurred = np.asarray(labels)[:, None] == np.arange(p.shape[1])
    predicted = np.average(p, axis=0, weights=weights)
    observed = np.average(occurred, axis=0, weights=weights)
    return [
        ClassRate(outcome, float(predicted[outcome]), float(observed[outcome]))
        for outcome in range(p.shape[1])
    ]
