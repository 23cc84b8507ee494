"""A smoother that breaks a promise gets one sentence that names it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pytest

from probtrees.errors import OptionError
from probtrees.grow.count_tree import CountTree
from probtrees.options import Options
from probtrees.smooth.contract import check_smoother
from probtrees.smooth.evidence import Evidence
from probtrees.smooth.m_estimate import Laplace
from probtrees.smooth.smoothed_tree import Contributions, SmoothedTree


@dataclass(frozen=True)
class Broken(Options):
    """Laplace with one thing wrong."""

    name: ClassVar[str] = "broken"
    needs_evidence: ClassVar[bool] = False
    fault: str = ""

    def smooth(self, tree: CountTree, evidence: Evidence | None = None) -> SmoothedTree:
        probs = Laplace().smooth(tree).probs
        if self.fault == "nan":
            probs[0] = np.nan
        elif self.fault == "sum":
            probs *= 0.5
        elif self.fault == "negative":
            probs[:, 0] -= 1
            probs[:, 1] += 1
        elif self.fault == "shape":
            probs = probs[:-1]
        elif self.fault == "crash":
            probs[0] = 1 / int(tree.totals[0] * 0)
        elif self.fault == "warning":
            np.zeros(1) / np.zeros(1)
        elif self.fault == "first":
            probs[:] = np.eye(tree.n_outcomes)[0]
        elif self.fault == "input":
            tree.arrays.counts[0] += 1
        elif self.fault == "random":
            probs[0] = np.random.default_rng().dirichlet(np.ones(tree.n_outcomes))
        return SmoothedTree(tree, probs, self)

    def contributions(self, smoothed: SmoothedTree, node: int) -> Contributions:
        split = Laplace().contributions(smoothed, node)
        faults: dict[str, dict[str, Any]] = {
            "nodes": {"nodes": (*split.nodes[::-1], 0)},
            "parts": {"values": split.values * 0.9},
            "shares": {"shares": split.shares * 0.9},
            "rows": {"values": split.values[:-1]},
            "rings": {"values": np.outer(split.shares, smoothed.probs[node])},
            "swapped": {"shares": split.shares[::-1]},
        }
        return replace(split, **faults.get(self.fault, {}))

    def to_dict(self) -> dict[str, Any]:
        return {"what": object()} if self.fault == "json" else {}


PROMISES = {
    "nan": "finite",
    "sum": "sum to 1 in every node",
    "negative": "between 0 and 1",
    "shape": "float64 probs of shape",
    "crash": "ZeroDivisionError",
    "warning": "RuntimeWarning",
    "first": "treat all outcomes alike",
    "input": "leave the counts",
    "random": "same answer twice",
    "nodes": "ancestors up to the root",
    "parts": "contributions that add up",
    "shares": "sum to 1",
    "rows": "one row of contributions",
    "swapped": "sum to its share",
    "rings": "share times raw frequency",
    "json": "plain values",
}


@pytest.mark.parametrize("fault", PROMISES)
def test_the_broken_promise_is_named(fault: str) -> None:
    with pytest.raises(OptionError, match=PROMISES[fault]):
        check_smoother(Broken(fault))


def test_something_that_is_no_smoother_hears_what_it_lacks() -> None:
    with pytest.raises(OptionError, match="needs_evidence"):
        check_smoother("hgs")  # type: ignore[arg-type]
