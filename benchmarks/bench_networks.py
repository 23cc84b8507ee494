"""Time and memory of learning SKDB, beside the figures of the programs behind the papers.

Usage::

    python benchmarks/bench_networks.py [REFERENCE_DIR] [--rows 1000000] [--smoothers NAMES]
        [--repeats 5] [--out FILE]

First a made-up table of 30 nominal attributes with 5 values each and 2 classes, from an eighth
of the rows up to all of them: time grows in proportion. Then, if REFERENCE_DIR is given, the
training time of SKDB with k = 5 on the data sets in ``networks/data`` against ``train_ms`` in
``networks/results.csv``, as processor time, so that other programs do not count; FILE keeps a
line for every data set. Kernels are compiled before the clock starts; that is timed apart.
"""

from __future__ import annotations

import argparse
import csv
import resource
import time
from pathlib import Path

import numpy as np
import pandas as pd

from probtrees.experiment.fit import fit
from probtrees.grow.skdb import SKDB
from probtrees.model.predict import predict_proba
from probtrees.table.dataset import Column, Dataset, Schema
from probtrees.table.folds import read_cuts
from probtrees.table.read_table import read_table

PUBLISHED = SKDB(selection="leave-one-out")
N_ATTRIBUTES, N_VALUES = 30, 5
LABELS = {"m-estimate": "M", "hdp": "HDP"}


def made_up_table(n_rows: int, seed: int = 0) -> Dataset:
    """Draw attributes that depend on the class and on up to three earlier ones."""
    random = np.random.default_rng(seed)
    label = random.integers(0, 2, n_rows)
    values = np.empty((n_rows, N_ATTRIBUTES + 1))
    values[:, -1] = label
    for column in range(N_ATTRIBUTES):
        context = label.copy()
        for earlier in random.permutation(column)[:3]:
            context = context * N_VALUES + values[:, earlier].astype(int)
        shares = random.dirichlet(np.ones(N_VALUES), size=context.max() + 1).cumsum(axis=1)
        drawn = random.random(n_rows)[:, None] > shares[context]
        values[:, column] = drawn.sum(axis=1).clip(max=N_VALUES - 1)
    letters = tuple("abcde"[:N_VALUES])
    columns = [Column(f"a{number}", letters) for number in range(N_ATTRIBUTES)]
    return Dataset(Schema((*columns, Column("class", ("no", "yes")))), values)


def bench_scale(n_rows: int) -> None:
    start = time.perf_counter()
    small = made_up_table(500)
    predict_proba(fit(small, PUBLISHED, "m-estimate"), small)
    print(f"first use, kernels compiled or loaded: {time.perf_counter() - start:.1f} s")
    whole = made_up_table(n_rows)
    for part in (8, 4, 2, 1):
        data = whole.take(np.arange(n_rows // part))
        start, busy = time.perf_counter(), time.process_time()
        model = fit(data, PUBLISHED, "m-estimate")
        fitted, busy = time.perf_counter() - start, time.process_time() - busy
        start = time.perf_counter()
        predict_proba(model, data)
        answered = time.perf_counter() - start
        print(
            f"{data.n_rows} rows x {N_ATTRIBUTES}: fit {fitted:.2f} s (processor {busy:.2f} s, "
            f"{busy / data.n_rows * 1e6:.1f} us per row), predict {answered:.2f} s, "
            f"k = {model.diagnostics['k']}",
            flush=True,
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"peak memory {peak:.2f} GB")


def bench_reference(reference: Path, smoother: str, n_repeats: int) -> list[dict[str, object]]:
    with (reference / "results.csv").open(encoding="utf-8", newline="") as file:
        theirs = {
            row["dataset"]: float(row["train_ms"])
            for row in csv.DictReader(file)
            if row["classifier"] == "SKDB" and row["smoother"] == LABELS[smoother]
        }
    found: list[dict[str, object]] = []
    ratios = []
    for name in sorted(theirs):
        data = read_table(reference / "data" / f"{name}.arff")
        trains = [
            data.take(t)
            for t, _ in read_cuts(reference / "folds" / f"{name}.csv", data)[0].splits()
        ]
        fit(trains[0], PUBLISHED, smoother)
        times = []
        for _ in range(n_repeats):
            start = time.process_time()
            for train in trains:
                fit(train, PUBLISHED, smoother)
            times.append((time.process_time() - start) * 1000 / len(trains))
        ours = min(times)
        ratios.append(theirs[name] / ours)
        line = {"dataset": name, "smoother": smoother, "repeats": n_repeats}
        found.append({**line, "processor_ms": round(ours, 2), "published_ms": theirs[name]})
        print(f"  {name}: {ours:.1f} ms, theirs {theirs[name]:.1f} ms, {ratios[-1]:.1f} x")
    print(
        f"SKDB {smoother}: {np.exp(np.mean(np.log(ratios))):.1f} times as fast in geometric mean, "
        f"{min(ratios):.1f} at least"
    )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("reference_dir", type=Path, nargs="?")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--smoothers", default="m-estimate,hdp")
    parser.add_argument("--repeats", type=int, default=5, help="the shortest of so many counts")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    if given.rows:
        bench_scale(given.rows)
    if given.reference_dir:
        found = []
        for smoother in given.smoothers.split(","):
            reference = given.reference_dir / "networks"
            found += bench_reference(reference, smoother, given.repeats)
        if given.out:
            pd.DataFrame(found).to_csv(given.out, index=False)


if __name__ == "__main__":
    main()
