"""Minimise a smooth loss and remember the way there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from probtrees.types import FloatArray


@dataclass(frozen=True)
class Descent:
    """How a minimum was found.

    Attributes
    ----------
    best : float64[n], where the loss is least
    steps : float64[n_steps, n], the point after every step, the start first
    losses : float64[n_steps], the loss at each
    """

    best: FloatArray
    steps: FloatArray
    losses: FloatArray


def minimise_within(
    loss: Callable[[FloatArray], tuple[float, FloatArray]],
    start: FloatArray,
    lower: float,
    upper: float,
) -> FloatArray:
    """Run L-BFGS within bounds until nothing is left to gain, and return where it ends.

    >>> minimise_within(lambda x: (float(x @ x - 4 * x.sum()), 2 * x - 4), np.ones(1), 0, 1.5)
    array([1.5])
    """
    from scipy.optimize import minimize  # noqa: PLC0415  slow to import, seldom needed

    found = minimize(
        loss,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=[(lower, upper)] * len(start),
        options={"ftol": 1e-14, "gtol": 1e-9, "maxiter": 500},
    )
    return np.asarray(found.x)


def minimise(
    loss: Callable[[FloatArray], tuple[float, FloatArray]],
    start: FloatArray,
    bound: float,
    most_steps: int = 200,
) -> Descent:
    """Run L-BFGS within ``-bound`` and ``bound`` from a start.

    Parameters
    ----------
    loss : gives the loss and its gradient at a point

    Examples
    --------
    >>> found = minimise(lambda x: (float((x - 1) @ (x - 1)), 2 * (x - 1)), np.zeros(2), 9.0)
    >>> found.best.round(6).tolist()
    [1.0, 1.0]
    """
    from scipy.optimize import minimize  # noqa: PLC0415  slow to import, seldom needed

    steps = [start.copy()]
    losses = [loss(start)[0]]

    def note(intermediate_result: object) -> None:
        steps.append(np.array(intermediate_result.x))  # type: ignore[attr-defined]
        losses.append(float(intermediate_result.fun))  # type: ignore[attr-defined]

    found = minimize(
        loss,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=[(-bound, bound)] * len(start),
        callback=note,
        options={"maxiter": most_steps},
    )
    return Descent(np.asarray(found.x), np.array(steps), np.array(losses))
