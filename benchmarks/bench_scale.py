"""Time and memory of selective KDB, C4.5 and shaped trees on tables of any length, in chunks.

Usage::

    python benchmarks/bench_scale.py FOLDER
    python benchmarks/bench_scale.py FOLDER --rows 50000000 --smoother m-estimate
    python benchmarks/bench_scale.py FOLDER --rows 50000000 --smoother hdp
    python benchmarks/bench_scale.py FOLDER --rows 10000000 --cluster local --repeats 3
    python benchmarks/bench_scale.py FOLDER --rows 1000000 --kind tree --model c45 --memory 256MB

Tables of 20 attributes and 2 classes are made in FOLDER where they are not there yet (about 370 MB
for 50 million rows): nominal ones with 5 values, or with ``--kind tree`` half of them numeric.
Every run is a process of its own, measured from start to end: wall time, processor time, and the
most memory it held; trees have leaves of at least 50 rows. Beside it stands the time to read the
same file with pyarrow alone, in the same minute, and the load of the machine. Results are added to
--out (FOLDER/scale.csv); what is there is not run again. A run that was killed goes on from its
last finished pass; its time then counts from there, and the line says so.

With --cluster every run on the cluster alternates with one without, and the ratio is printed;
processor time and memory of such a run are those of the process that conducts it, not of workers.
"""

from __future__ import annotations

import argparse
import csv
import os
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq

HERE = Path(__file__).parent
COLUMNS = [
    "rows",
    "kind",
    "model",
    "smoother",
    "memory",
    "where",
    "repeat",
    "seconds",
    "cpu_seconds",
    "rows_per_second",
    "peak_mb",
    "pyarrow_seconds",
    "pyarrow_cpu_seconds",
    "times_reading",
    "resumed",
    "load",
]


def table_of(folder: Path, rows: int, kind: str) -> Path:
    """Make a table unless it is there."""
    path = folder / f"big-{kind}-{rows}.parquet"
    if not path.exists():
        unfinished = folder / f"unfinished-{kind}-{rows}.parquet"
        command = [sys.executable, HERE / "make_big.py", unfinished, "--rows", str(rows)]
        subprocess.run([*command, "--kind", kind], check=True)
        unfinished.rename(path)
    return path


def read_alone(path: Path) -> tuple[float, float]:
    """Time reading all columns with pyarrow, a chunk at a time: on the wall, and processors."""
    start, cpu = time.perf_counter(), time.process_time()
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(1 << 18):
            del batch
    return time.perf_counter() - start, time.process_time() - cpu


def peak_of_children(process: subprocess.Popen[bytes]) -> tuple[int, float, float]:
    """Wait for a process; return exit code, processor seconds, and its peak memory in MB."""
    _, status, usage = os.wait4(process.pid, 0)
    cpu = usage.ru_utime + usage.ru_stime
    return os.waitstatus_to_exitcode(status), cpu, usage.ru_maxrss / 1024


def grow(path: Path, args: argparse.Namespace, cluster: str | None) -> dict[str, object]:
    """Grow and save a model as a user would, and measure that."""
    where = (cluster or "one process").replace("/", "").replace(" ", "-")
    work = path.parent / f"work-{path.stem}-{args.model}-{args.smoother}-{args.memory}-{where}"
    resumed = work.exists()
    model = work.with_suffix(".json.gz")
    command = [sys.executable, "-m", "probtrees", "grow", path, "--model", args.model, "--chunks"]
    command += ["--memory", args.memory, "--work", work, "--out", model]
    command += ["--smoother", args.smoother] if args.model != "shaped-tree" else []
    command += ["--min-leaf", "50"] if args.model == "c45" else []
    command += ["--cluster", cluster] if cluster else []
    start = time.perf_counter()
    code, cpu, peak = peak_of_children(subprocess.Popen([str(part) for part in command]))
    seconds = time.perf_counter() - start
    if code:
        raise SystemExit(f"{path}: the run ended with code {code}. Start again to go on.")
    for kept in work.iterdir():
        kept.unlink()
    work.rmdir()
    return {
        "seconds": round(seconds, 1),
        "cpu_seconds": round(cpu, 1),
        "peak_mb": round(peak),
        "resumed": "yes" if resumed else "",
    }


def measure(args: argparse.Namespace, rows: int, cluster: str | None, repeat: int) -> None:
    key = {
        "rows": str(rows),
        "kind": args.kind,
        "model": args.model,
        "smoother": args.smoother,
        "memory": args.memory,
        "where": cluster or "one process",
        "repeat": str(repeat),
    }
    if any(all(row[name] == key[name] for name in key) for row in finished(args.out)):
        return
    path = table_of(args.folder, rows, args.kind)
    reading, reading_cpu = read_alone(path)
    found = grow(path, args, cluster)
    seconds = float(str(found["seconds"]))
    row = {
        **key,
        **found,
        "rows_per_second": round(rows / seconds),
        "pyarrow_seconds": round(reading, 2),
        "pyarrow_cpu_seconds": round(reading_cpu, 2),
        "times_reading": round(seconds / reading, 1),
        "load": round(os.getloadavg()[0], 1),
    }
    is_new = not args.out.exists()
    with args.out.open("a", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        if is_new:
            writer.writeheader()
        writer.writerow(row)


def finished(results: Path) -> list[dict[str, str]]:
    if not results.exists():
        return []
    with results.open(newline="") as file:
        return list(csv.DictReader(file))


def report(results: Path) -> None:
    rows = sorted(finished(results), key=lambda row: (int(row["rows"]), row["where"]))
    print("| " + " | ".join(COLUMNS) + " |")
    print("|" + " --- |" * len(COLUMNS))
    for row in rows:
        print("| " + " | ".join(row[name] for name in COLUMNS) + " |")
    same = ("rows", "kind", "model", "smoother", "memory")
    for runs in dict.fromkeys(tuple(row[name] for name in same) for row in rows):
        times: dict[str, list[float]] = {}
        for row in rows:
            if tuple(row[name] for name in same) == runs and not row["resumed"]:
                times.setdefault(row["where"], []).append(float(row["seconds"]))
        alone = times.pop("one process", [])
        for where, taken in times.items():
            if alone:
                ratio = min(alone) / min(taken)
                print(f"\n{' '.join(runs)}: {where} is {ratio:.2f} times as fast as one process.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, nargs="+", default=[10**5, 10**6, 10**7, 5 * 10**7])
    parser.add_argument("--kind", choices=("network", "tree"), default="network")
    parser.add_argument("--model", default="skdb")
    parser.add_argument("--smoother", default="m-estimate")
    parser.add_argument("--memory", default="2GB")
    parser.add_argument("--cluster", help="also on this cluster: 'local', or an address")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    args.out = args.out or args.folder / "scale.csv"
    args.folder.mkdir(parents=True, exist_ok=True)
    for rows in args.rows:
        for repeat in range(args.repeats):
            measure(args, rows, None, repeat)
            if args.cluster:
                measure(args, rows, args.cluster, repeat)
    report(args.out)


if __name__ == "__main__":
    main()
