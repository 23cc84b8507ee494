"""Minimise a smooth loss within bounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from probtrees.types import FloatArray

SmoothLoss = Callable[[FloatArray], tuple[float, FloatArray]]
"""Gives the loss and its gradient at a point."""


def minimise(
    loss: SmoothLoss,
    start: FloatArray,
    bounds: Sequence[tuple[float | None, float | None]],
    note: Callable[[FloatArray, float], None] | None = None,
    **options: float,
) -> FloatArray:
    """Run L-BFGS-B from a start, and return where it ends.

    Parameters
    ----------
    bounds : of every entry of the point, from and to; None: as far as it goes
    note : told the point and the loss after every step
    options : when to stop, as scipy's ``minimize`` calls them

    >>> square = lambda x: (float(x @ x - 4 * x.sum()), 2 * x - 4)
    >>> minimise(square, np.ones(2), [(0, 1.5), (None, None)]).round(6).tolist()
    [1.5, 2.0]
    """
    from scipy.optimize import minimize  # noqa: PLC0415  slow to import, seldom needed

    def tell(intermediate_result: object) -> None:
        found = intermediate_result
        note(np.array(found.x), float(found.fun))  # type: ignore[attr-defined,misc]

    found = minimize(
        loss,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
        callback=None if note is None else tell,
        options=options,
    )
    return np.asarray(found.x)
