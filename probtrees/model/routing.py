"""Soft routing: a row close to a cut goes down both sides, and a little everywhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from probtrees.errors import DataError
from probtrees.machine.json_file import decode, encode
from probtrees.types import FloatArray


@dataclass(frozen=True)
class SoftRouting:
    """How rows are routed softly through one tree.

    At a node v with N_v rows, child c with N_c rows gets of a row's weight

    .. math:: (1 - e_v) g_c + e_v N_c / N_v,  e_v = kappa / (kappa + N_v)

    g_c is 1 for the branch of the row's category. At a numeric split the right child's g is
    the logistic function of (x - middle) / (beta sd_v). Where the value leads nowhere
    e_v = 1. kappa = stray, beta = blur, sd_v = spread.

    Attributes
    ----------
    blur : width of a cut in standard deviations of its column at the node; 0: sharp
    stray : rows at which half of the weight goes to the children by their size; 0: none
    middle : float64[n_nodes], the middle between the training values next to a numeric cut
    spread : float64[n_nodes], the standard deviation of the split column at the node
    tried : how the settings were chosen: one array per name (blur, stray, loss, ...)
    """

    blur: float
    stray: float
    middle: FloatArray
    spread: FloatArray
    tried: Mapping[str, FloatArray] = field(default_factory=dict)

    @property
    def gates(self) -> FloatArray:
        """Middle and spread of every node: what kernels receive."""
        return np.stack([self.middle, self.spread])

    def to_dict(self) -> dict[str, Any]:
        """Return the routing as plain values, ready for JSON."""
        return {
            "blur": self.blur,
            "stray": self.stray,
            "middle": encode(self.middle),
            "spread": encode(self.spread),
            "tried": encode(self.tried),
        }

    @classmethod
    def from_dict(cls, record: Mapping[str, Any], n_nodes: int) -> SoftRouting:
        """Read what :meth:`to_dict` wrote, for a tree with so many nodes."""
        middle = np.asarray(decode(record["middle"]), dtype=np.float64)
        spread = np.asarray(decode(record["spread"]), dtype=np.float64)
        blur, stray = float(record["blur"]), float(record["stray"])
        if middle.shape != (n_nodes,) or spread.shape != (n_nodes,):
            raise DataError(f"routing must have {n_nodes} entries, one for every node.")
        if not (np.isfinite([blur, stray]).all() and blur >= 0 and stray >= 0):
            raise DataError("routing must have a blur and a stray of 0 or more.")
        if not (np.isfinite(spread).all() and (spread >= 0).all()):
            raise DataError("routing must have finite spreads of 0 or more.")
        return cls(blur, stray, middle, spread, dict(decode(record["tried"])))
