"""Count how many nodes the HDP sampler updates per second, on one thread.

Usage::

    python benchmarks/bench_hdp.py DATA_DIR [--rounds 5] [--sweeps 1000] [NAME ...]

Per data set and tying: nodes of the C4.5 tree, million node-sweeps per second of the whole
call of ``HDP.smooth`` (layout, sweeps, intervals), and kept sweeps per independent draw of the
slowest concentration. The kernels are compiled before anything is timed; what that took is
printed first. Tyings take turns; the best of the rounds counts.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from probtrees.experiment.grown_model import grow_model
from probtrees.smooth.example_trees import example_trees
from probtrees.smooth.hdp import HDP
from probtrees.table.read_table import read_table

NAMES = ("german", "spambase", "letter-recog", "nursery")
TYINGS = ("single", "level", "parent", "none")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("data_dir", type=Path)
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sweeps", type=int, default=1000)
    arguments = parser.parse_args()
    start = time.perf_counter()
    HDP(n_iterations=2).smooth(example_trees()["four outcomes"])
    print(f"first call, compilation included: {time.perf_counter() - start:.1f} s")
    print(f"{'data set':20} {'nodes':>6} {'outcomes':>8} {'tying':>8} {'million/s':>10} {'lag':>6}")
    for name in arguments.names:
        data = read_table(arguments.data_dir / f"{name}.arff")
        tree = grow_model(data, "c45").trees[0]
        best = dict.fromkeys(TYINGS, np.inf)
        lag = {}
        for _ in range(arguments.rounds):
            for tying in TYINGS:
                smoother = HDP(n_iterations=arguments.sweeps, tying=tying)
                start = time.perf_counter()
                smoothed = smoother.smooth(tree)
                best[tying] = min(best[tying], time.perf_counter() - start)
                n_kept = arguments.sweeps - smoother.dropped_sweeps
                lag[tying] = n_kept / smoothed.fitted["effective_sample_size"].min()
        for tying, seconds in best.items():
            rate = tree.n_nodes * arguments.sweeps / seconds / 1e6
            print(
                f"{name:20} {tree.n_nodes:6} {tree.n_outcomes:8} {tying:>8} {rate:10.1f} "
                f"{lag[tying]:6.1f}"
            )


if __name__ == "__main__":
    main()
