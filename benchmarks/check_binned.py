"""Compare C4.5 on binned columns with the exact tree, set by set, and measure rows per GB.

Usage::

    python benchmarks/check_binned.py DATA_DIR [--bins 256,64,16] [--smoother m-branch] [NAME ...]
    python benchmarks/check_binned.py --memory [--columns 20] [--out RESULTS.csv]

DATA_DIR holds data sets as ``NAME.arff`` or ``NAME.csv``. Every set that fits is cut into 10
folds; the exact tree and the binned ones are grown from the same training rows, as in chunks
of 1,000 rows, smoothed alike, and scored on the rows held out (pooled RMSE). Printed are the
sets with more distinct numbers than the smallest number of bins; on the others all trees must be
the same, which is checked: the exit code is 1 if they are not, or if 256 bins are worse by more
than 0.001 in the mean.

``--memory`` grows the exact tree in processes of their own, from 50,000 rows up, and prints how
many more rows a further GB holds: of the table itself, and at the peak of growing.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from probtrees.experiment.registry import make_smoother
from probtrees.grow.c45 import C45
from probtrees.grow.count_tree import CountTree, TreeArrays
from probtrees.model.member import Member
from probtrees.model.model import Model
from probtrees.model.predict import predict_proba
from probtrees.scale.learn.binned_c45 import BinnedC45, grow_with_report
from probtrees.scale.passes.conductor import conducting
from probtrees.score.measures import evaluate
from probtrees.table.dataset import Dataset, Schema
from probtrees.table.folds import FoldPlan
from probtrees.table.read_table import read_table

WORSE = 0.001
ROWS = (50_000, 100_000, 200_000, 400_000)

GROW = """
import resource, sys
import numpy as np
from probtrees.table.dataset import Column, Dataset, Schema
from probtrees.grow.c45 import C45

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

n_rows, n_columns, kind = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
random = np.random.default_rng(0)
values = np.empty((n_rows, n_columns + 1))
for column in range(n_columns):
    nominal = kind == "nominal"
    values[:, column] = random.integers(0, 5, n_rows) if nominal else random.random(n_rows)
values[:, -1] = (values[:, 0] + values[:, 1] + random.normal(size=n_rows) > 1.0 + 3 * nominal)
columns = [Column(f"c{n}", tuple("abcde") if nominal else None) for n in range(n_columns)]
schema = Schema((*columns, Column("class", ("no", "yes"))))
C45().grow(Dataset(schema, values[:200].copy()))
before = peak()
tree = C45().grow(Dataset(schema, values))
print(peak(), before, tree.n_nodes)
"""


@dataclass(frozen=True)
class InMemory:
    """A table in memory that hands its rows out in chunks."""

    data: Dataset
    fingerprint: str = ""
    files: tuple[str, ...] = ()

    @property
    def schema(self) -> Schema:
        """The columns."""
        return self.data.schema

    @property
    def n_rows(self) -> int:
        """All rows."""
        return self.data.n_rows

    @property
    def missing(self) -> list[int]:
        """Features with missing values, where all are nominal."""
        return [int(c) for c in np.flatnonzero(~(self.data.values[:, :-1] >= 0).all(axis=0))]

    @property
    def parts(self) -> list[range]:
        """The chunks, by the numbers of their rows."""
        starts = range(0, self.n_rows, 1000)
        return [range(first, min(first + 1000, self.n_rows)) for first in starts]

    def read(self, part: range) -> Iterator[Dataset]:
        """Yield the rows of a chunk."""
        yield self.data.take(np.array(part))

    def chunks(self) -> Iterator[Dataset]:
        """Yield all rows, a chunk at a time."""
        for part in self.parts:
            yield from self.read(part)


def same(left: CountTree, right: CountTree) -> bool:
    return left.n_nodes == right.n_nodes and all(
        np.array_equal(getattr(left.arrays, name), getattr(right.arrays, name), equal_nan=True)
        for name in TreeArrays._fields
    )


def most_distinct(data: Dataset) -> int:
    """Return the most distinct numbers a column has."""
    numeric = [n for n, column in enumerate(data.schema.features) if not column.is_nominal]
    return max((len(np.unique(data.values[:, n])) for n in numeric), default=0)


def check_set(data: Dataset, bins: list[int], smoother: str) -> tuple[list[float], list[int], bool]:
    """Return RMSE and mean nodes of the exact and the binned trees, and if they are as promised."""
    proba = np.zeros((1 + len(bins), data.n_rows, data.n_classes))
    nodes = np.zeros(1 + len(bins))
    kept = True
    folds = list(FoldPlan().cut_once(data).splits())
    for train, test in folds:
        rows = data.take(train)
        exact = C45().grow(rows)
        with conducting() as here:
            grown = [grow_with_report(InMemory(rows), BinnedC45(bins=n), here)[0] for n in bins]
        trees = [exact, *grown]
        distinct = most_distinct(rows)
        for number, tree in enumerate(trees):
            smoothed = make_smoother(smoother).smooth(tree)
            model = Model(data.schema, (Member((smoothed,)),), "c45", smoother)
            proba[number, test] = predict_proba(model, data.take(test))
            nodes[number] += tree.n_nodes / len(folds)
            if number and distinct <= bins[number - 1]:
                kept = kept and same(tree, exact)
    rmse = [evaluate(answers, data.labels).rmse for answers in proba]
    return rmse, [round(n) for n in nodes], kept


def check(folder: Path, names: list[str], bins: list[int], smoother: str) -> bool:
    found = sorted(p for p in folder.iterdir() if p.suffix in (".arff", ".csv"))
    fine = True
    all_rmse = []
    n_same = 0
    print("| set | rows | distinct | exact |" + "".join(f" {n} bins |" for n in bins) + " nodes |")
    print("|---|---|---|---|" + "---|" * len(bins) + "---|")
    for path in found:
        if names and path.stem not in names:
            continue
        data = read_table(path)
        if data.n_rows > 60_000:
            data = data.take(np.random.default_rng(0).permutation(data.n_rows)[:60_000])
        rmse, nodes, kept = check_set(data, bins, smoother)
        if not kept:
            print(f"{path.stem}: NOT the exact tree where it should be")
        fine = fine and kept
        distinct = most_distinct(data)
        if distinct <= min(bins):
            n_same += 1
            continue
        all_rmse.append(rmse)
        cells = " | ".join(f"{value:.4f}" for value in rmse)
        sizes = ", ".join(map(str, nodes))
        print(f"| {path.stem} | {data.n_rows} | {distinct} | {cells} | {sizes} |", flush=True)
    if all_rmse:
        table = np.array(all_rmse)
        mean = " | ".join(f"**{value:.4f}**" for value in table.mean(axis=0))
        print(f"| mean of {len(table)} | | | {mean} | |")
        for number, n_bins in enumerate(bins, start=1):
            more = table[:, number] - table[:, 0]
            better, worse = (more < -5e-5).sum(), (more > 5e-5).sum()
            print(
                f"{n_bins} bins: RMSE {more.mean():+.5f} in the mean, {more.max():+.4f} at most; "
                f"lower on {better}, higher on {worse}, the same on {len(table) - better - worse}"
            )
            fine = fine and not (n_bins == 256 and more.mean() > WORSE)
    print(f"{n_same} more sets have at most {min(bins)} distinct numbers: the same trees")
    return fine


def measure_memory(n_columns: int, out: Path | None) -> None:
    lines = ["kind,columns,rows,peak_bytes"]
    for kind in ("numeric", "nominal"):
        peaks = []
        for n_rows in ROWS:
            command = [sys.executable, "-c", GROW, str(n_rows), str(n_columns), kind]
            answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            peaks.append(int(answer.split()[0]) * 1024)
        measured = zip(ROWS, peaks, strict=True)
        lines += [f"{kind},{n_columns},{n_rows},{peak}" for n_rows, peak in measured]
        per_row = np.polyfit(ROWS, peaks, 1)[0]
        table = 8 * (n_columns + 1)
        print(
            f"{n_columns} {kind} columns: {per_row:.0f} bytes per row at the peak, "
            f"{table} of them the table itself: {2**30 / per_row / 1e6:.1f} million rows per GB"
        )
    if out is not None:
        out.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data_dir", type=Path, nargs="?")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--bins", default="256,64,16")
    parser.add_argument("--smoother", default="m-branch")
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--out", type=Path, help="where the peaks of --memory are written")
    given = parser.parse_args()
    if given.memory:
        measure_memory(given.columns, given.out)
    if given.data_dir:
        bins = [int(n) for n in given.bins.split(",")]
        sys.exit(0 if check(given.data_dir, given.names, bins, given.smoother) else 1)


if __name__ == "__main__":
    main()
