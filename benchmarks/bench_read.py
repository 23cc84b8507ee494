"""Time and memory of reading a CSV, beside ``pandas.read_csv``.

    python benchmarks/bench_read.py [--megabytes 100] [--rounds 5] [--keep FOLDER]

Makes its own files: one mixed (numbers, categories, dates, an identifier, a class), one of
numbers only, one of categories only. Both readers take turns, so that a busy machine slows both.
``read_table`` also hashes the bytes, detects the dialect, infers roles and types and encodes.
Peak memory is measured in processes of their own.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from probtrees.errors import ProbTreesWarning
from probtrees.table.read_table import read_table

PEAK_MEMORY = """
import sys, warnings
warnings.simplefilter("ignore")
import numpy, pandas, pyarrow.csv, pyarrow.parquet
from probtrees.table.read_table import read_table
read_table(sys.argv[2])

def memory(entry):
    for line in open("/proc/self/status"):
        if line.startswith(entry):
            return int(line.split()[1])

before = memory("VmRSS")
{call}
print(before, memory("VmHWM"))
"""
CALLS = {
    "read_table": "read_table(sys.argv[1])",
    "pandas": "pandas.read_csv(sys.argv[1])",
}


def mixed_frame(n_rows: int, rng: np.random.Generator) -> pd.DataFrame:
    """Twelve numbers, five categories, a date, an identifier, a class."""
    columns: dict[str, object] = {}
    for number in range(8):
        columns[f"measure {number}"] = np.round(rng.normal(size=n_rows) * 10.0 ** (number % 4), 4)
    for number in range(4):
        columns[f"count {number}"] = rng.integers(0, 10 ** (number + 1), n_rows)
    for number in range(5):
        words = [f"value {word}" for word in range(3 + 10 * number)]
        columns[f"category {number}"] = rng.choice(words, n_rows)
    days = pd.to_timedelta(rng.integers(0, 3000, n_rows), unit="D")
    columns["seen on"] = (pd.Timestamp("2015-01-01") + days).strftime("%Y-%m-%d")
    columns["patient"] = [f"P{row:07d}" for row in range(n_rows)]
    columns["outcome"] = rng.choice(["no", "yes"], n_rows)
    return pd.DataFrame(columns)


def number_frame(n_rows: int, rng: np.random.Generator) -> pd.DataFrame:
    """Twenty numbers with full precision and a class."""
    frame = pd.DataFrame(rng.normal(size=(n_rows, 20))).add_prefix("x")
    return frame.assign(outcome=rng.integers(0, 2, n_rows))


def category_frame(n_rows: int, rng: np.random.Generator) -> pd.DataFrame:
    """Twenty categories and a class."""
    words = np.array([f"value {word}" for word in range(30)])
    frame = pd.DataFrame({f"c{n}": words[rng.integers(0, 30, n_rows)] for n in range(20)})
    return frame.assign(outcome=rng.choice(["no", "yes"], n_rows))


def write_csv(make: Callable[..., pd.DataFrame], megabytes: int, path: Path) -> None:
    rng = np.random.default_rng(0)
    bytes_per_row = len(make(1000, rng).to_csv(index=False)) / 1000
    make(int(megabytes * 1e6 / bytes_per_row), rng).to_csv(path, index=False)


def seconds(call: Callable[[], object]) -> tuple[float, float]:
    """Time by the clock and of the processor, which others on the machine cannot spoil."""
    start, start_processor = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - start, time.process_time() - start_processor


def compare(path: Path, rounds: int) -> dict[str, float]:
    """Take turns; the best of all rounds counts."""
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(seconds(lambda: read_table(path)))
        theirs.append(seconds(lambda: pd.read_csv(path)))
    (clock, processor), (clock_pandas, processor_pandas) = (
        np.min(times, axis=0).tolist() for times in (ours, theirs)
    )
    return {
        "read_table": round(clock, 3),
        "pandas": round(clock_pandas, 3),
        "ratio": round(clock / clock_pandas, 2),
        "processor ratio": round(processor / processor_pandas, 2),
    }


def peak_per_gigabyte(path: Path, small: Path, reader: str) -> float:
    """Peak resident memory above that of a warm process, in GB per GB of file (Linux only)."""
    script = PEAK_MEMORY.format(call=CALLS[reader])
    out = subprocess.run(
        [sys.executable, "-c", script, str(path), str(small)],
        capture_output=True,
        text=True,
        check=True,
    )
    before, after = map(int, out.stdout.split())
    return (after - before) * 1024 / path.stat().st_size


def main() -> None:
    warnings.simplefilter("ignore", ProbTreesWarning)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--keep", type=Path, help="folder to keep the files in")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        for make in (mixed_frame, number_frame, category_frame):
            name = make.__name__.removesuffix("_frame")
            path = folder / f"{name}-{options.megabytes}.csv"
            if not path.exists():
                write_csv(make, options.megabytes, path)
            result: dict[str, object] = {"file": name, **compare(path, options.rounds)}
            small = folder / f"{name}-20.csv"
            write_csv(make, 20, small)
            for reader in CALLS:
                peak = peak_per_gigabyte(path, small, reader)
                result[f"peak GB per GB, {reader}"] = round(peak, 2)
            print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
