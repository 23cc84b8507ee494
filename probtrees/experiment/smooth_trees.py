"""Smooth the trees of a model, several at a time; smooth a tree as another one was."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from inspect import signature
from typing import Any

from probtrees.grow.count_tree import CountTree
from probtrees.smooth.evidence import Evidence
from probtrees.smooth.smoothed_tree import SmoothedTree, Smoother
from probtrees.types import Progress

QUICK_SECONDS = 0.005
"""Work that is done by then needs no second thread: starting one takes as long."""


def smooth_trees(
    smoother: Smoother,
    trees: Sequence[CountTree],
    evidence: Sequence[Evidence | None],
    progress: Progress | None = None,
) -> list[SmoothedTree]:
    """Smooth trees side by side: kernels let go of the interpreter while they run.

    Parameters
    ----------
    evidence : for every tree its inner evidence, or None where the smoother needs none
    progress : called as trees are finished; a smoother that reports within a tree is passed
        on when there is only one. May raise to cancel.
    """
    if len(trees) == 1:
        more: dict[str, Any] = {}
        if progress is not None and "progress" in signature(smoother.smooth).parameters:
            more["progress"] = progress
        return [smoother.smooth(trees[0], evidence[0], **more)]
    pairs = list(zip(trees, evidence, strict=True))
    finished: list[SmoothedTree] = []

    def report() -> None:
        if progress is not None:
            number = len(finished)
            progress(number / len(pairs), f"smoothing, {number + 1} of {len(pairs)}")

    start = time.perf_counter()
    while len(finished) < len(pairs) and time.perf_counter() - start < QUICK_SECONDS:
        report()
        finished.append(smoother.smooth(*pairs[len(finished)]))
    if len(finished) == len(pairs):
        return finished
    pool = ThreadPoolExecutor(os.cpu_count())
    try:
        for result in [pool.submit(smoother.smooth, *pair) for pair in pairs[len(finished) :]]:
            report()
            finished.append(result.result())
        return finished
    finally:
        pool.shutdown(cancel_futures=True)
