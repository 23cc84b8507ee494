"""Types that every chapter uses."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

Progress = Callable[[float, str], None]
"""Receives the share of the work that is done and what is being done; may raise to cancel."""


def tell(progress: Progress | None, share: float, words: str) -> None:
    """Report how far the work is, if anybody wants to know."""
    if progress is not None:
        progress(share, words)


ShareDone = Callable[[float], None]
"""Receives the share of the work that is done; may raise to cancel."""
