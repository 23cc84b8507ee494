"""Time smoothers against growing the tree they smooth, in one run.

Usage::

    python benchmarks/bench_smoothing.py DATA_DIR [--rounds 5] [NAME ...]

Per data set: milliseconds to grow the C4.5 tree; then, as a share of that, gathering the inner
evidence once, every smoother of the registry once that evidence is there, and the choice of
soft routing with the blend. Growing and smoothing take turns, so that both see the same
machine; the best of the rounds counts. Kernels are compiled before anything is timed; what
that took is printed first.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.registry import SMOOTHERS, make_smoother
from probtrees.smooth.example_trees import example_evidence, example_trees
from probtrees.table.dataset import Dataset
from probtrees.table.read_table import read_table

NAMES = ("german", "spambase", "letter-recog", "nursery", "eeg-eye-state", "bank-marketing-full")
CLOSED_FORM = ("mle", "laplace", "m-estimate", "m-branch")
SOFT = "soft blend"
"""The choice of soft routing together with shrinkage."""


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def compile_kernels() -> dict[str, float]:
    tree = example_trees()["four outcomes"]
    evidence = example_evidence(tree)
    times = {}
    for name in SMOOTHERS:
        smoother = make_smoother(name)
        given = evidence if smoother.needs_evidence else None
        times[name] = seconds(lambda s=smoother, e=given: s.smooth(tree, e))
    return times


def time_dataset(data: Dataset, rounds: int) -> dict[str, float]:
    best: dict[str, float] = {}

    def keep(what: str, took: float) -> None:
        best[what] = min(took, best.get(what, np.inf))

    for _ in range(rounds):
        keep("grow", seconds(lambda: grow_model(data, "c45")))
        grown = grow_model(data, "c45")
        keep("evidence", seconds(lambda g=grown: g.evidence()))
        for name in SMOOTHERS:
            smoother = make_smoother(name)
            keep(name, seconds(lambda g=grown, s=smoother: g.smooth(s)))
        soft = replace(grown, spec=replace(grown.spec, routing="soft"), gathering=grown.evidence)
        keep(SOFT, seconds(lambda g=soft: g.smooth("blend")))
    best["nodes"] = grown.n_nodes
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data_dir", type=Path)
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_intermixed_args()
    compiled = compile_kernels()
    print("first call in seconds: " + ", ".join(f"{n} {s:.2f}" for n, s in compiled.items()))
    columns = ["evidence", *SMOOTHERS, SOFT]
    print(f"{'data set':24}{'nodes':>8}{'grow ms':>10}" + "".join(f"{c:>15}" for c in columns))
    shares: dict[str, list[float]] = {column: [] for column in columns}
    for name in given.names:
        times = time_dataset(read_table(given.data_dir / f"{name}.arff"), given.rounds)
        for column in columns:
            shares[column].append(times[column] / times["grow"])
        cells = "".join(f"{shares[column][-1]:>15.1%}" for column in columns)
        print(f"{name:24}{times['nodes']:>8.0f}{1000 * times['grow']:>10.1f}{cells}", flush=True)
    means = "".join(f"{np.exp(np.mean(np.log(shares[column]))):>15.1%}" for column in columns)
    print(f"{'geometric mean':42}{means}")
    worst = max(max(shares[name]) for name in CLOSED_FORM)
    print(f"closed forms cost at most {worst:.1%} of growing")


if __name__ == "__main__":
    main()
