"""Run the methods of a published table and print our figures beside the published ones.

Every recipe in this folder lists its methods and the published figures, and calls
:func:`main`. The data sets are a folder that the user names (DATA_DIR); the papers used more
of them, so means differ for that reason alone: compare directions and differences.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import Any

import pandas as pd
from other_methods import OtherMethod, measure_others

from probtrees.cli.parser import align
from probtrees.experiment.evaluation.benchmark import (
    Failure,
    Row,
    Summary,
    Task,
    dataset_name,
    find_tables,
    run_benchmark,
    summarise,
)
from probtrees.experiment.model_spec import make_spec
from probtrees.experiment.registry import make_smoother
from probtrees.score.paired_test import win_draw_loss
from probtrees.table.folds import read_plan

DECIMALS = 4
BASE_RATE = "always the base rate"


@dataclass(frozen=True)
class Method:
    """One row of a published table.

    Attributes
    ----------
    label : its name in our output
    smoother, smoother_options : how it is smoothed
    learner, learner_options : what is grown
    settings : the rest of the recipe, such as ``as_published``
    """

    label: str
    smoother: str
    smoother_options: Mapping[str, Any] = field(default_factory=dict)
    learner: str = "c45"
    learner_options: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Published:
    """The figures of a paper: means, and records as "win-draw-loss" texts.

    Attributes
    ----------
    source : which table of which paper, on how many data sets
    means : by label: RMSE, 0-1 loss, training time in seconds, as far as they are printed
    records : by pair of labels: RMSE record and 0-1 loss record, "" where none is printed
    """

    source: str
    means: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    records: Mapping[tuple[str, str], tuple[str, str]] = field(default_factory=dict)


def main(
    methods: Sequence[Method],
    published: Published,
    remarks: Sequence[str] = (),
    others: Sequence[OtherMethod] = (),
) -> Summary:
    """Parse the command line, run what is not in --out yet, and print the comparison."""
    args = _parser(published).parse_args()
    paths = [
        path
        for path in find_tables(args.data_dir)
        if not args.only or dataset_name(path) in args.only
    ]
    paths.sort(key=lambda path: path.stat().st_size)
    rows, failures = _run(methods, others, paths, args)
    for failure in failures:
        print(f"failed: {failure.dataset}, {failure.model}: {failure.reason}")
    labels = [*(method.label for method in methods), *(other.label for other in others), BASE_RATE]
    named = [{**row, "model": "", "smoother": _label(row)} for row in rows]
    summary = summarise([row for row in named if row["smoother"] in labels])
    print(f"\n{published.source}\nours: {_what_was_run(summary, args)}\n")
    print(_means([label for label in labels if label in summary.methods], summary, published))
    if published.records:
        print("\n" + _records(summary, published))
    for remark in remarks:
        print(f"\n{remark}")
    return summary


def _parser(published: Published) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=published.source)
    parser.add_argument("data_dir", type=Path, metavar="DATA_DIR")
    parser.add_argument("--folds", type=Path, help="folder of given folds, NAME.csv each")
    parser.add_argument("--cv", type=int, default=10)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--max-rows", type=int, default=20_000)
    parser.add_argument("--minutes", type=float, help="begin no data set after so many minutes")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, help="results, added to and resumed from")
    parser.add_argument("--only", nargs="*", help="names of data sets")
    return parser


def _run(
    methods: Sequence[Method],
    others: Sequence[OtherMethod],
    paths: Sequence[Path],
    args: argparse.Namespace,
) -> tuple[list[Row], list[Failure]]:
    """Measure one data set after the other, the smallest file first."""
    start = time.monotonic()
    rows: list[Row] = []
    failures: list[Failure] = []
    for number, path in enumerate(paths, start=1):
        if args.minutes is not None and time.monotonic() - start > 60 * args.minutes:
            left = len(paths) - number + 1
            print(f"{args.minutes:g} minutes are over; {left} data sets are left. Run again.")
            break
        tasks = _tasks(methods, path, args)
        n_jobs = min(args.jobs, len(tasks))
        run = run_benchmark(tasks, args.out, n_jobs=n_jobs, max_rows=args.max_rows)
        own, failed = list(run.rows), list(run.failures)
        if others and own:
            cut = (args.cv, args.repeats, _folds_of(path, args))
            own, more = measure_others(others, path, cut, args.out, own)
            failed += more
        rows += own
        failures += failed
        done = f"{time.monotonic() - start:.0f} s, {number} of {len(paths)}"
        print(f"{done}: {dataset_name(path)}{'' if own else ' left out'}", flush=True)
    return rows, failures


def _folds_of(path: Path, args: argparse.Namespace) -> Path | None:
    return None if args.folds is None else args.folds / f"{dataset_name(path)}.csv"


def _tasks(methods: Sequence[Method], path: Path, args: argparse.Namespace) -> list[Task]:
    """Grow what several methods share only once."""

    def key(method: Method) -> str:
        return repr((method.learner, dict(method.learner_options), dict(method.settings)))

    order = list(dict.fromkeys(key(method) for method in methods))
    shared = groupby(sorted(methods, key=lambda method: order.index(key(method))), key)
    tasks = []
    for number, (_, members) in enumerate(shared):
        group = list(members)
        first = group[0]
        recipe = make_spec(first.learner, dict(first.learner_options), **first.settings)
        recipe = replace(recipe, learner_name=f"{first.learner} {number}")
        smoothers = tuple(
            (method.label, make_smoother(method.smoother, method.smoother_options))
            for method in group
        )
        folds = _folds_of(path, args)
        plan = read_plan(args.cv, args.repeats)
        tasks.append(Task(path, recipe, smoothers, plan, folds))
    return tasks


def _label(row: Mapping[str, str]) -> str:
    return row["smoother"] or BASE_RATE


def _what_was_run(summary: Summary, args: argparse.Namespace) -> str:
    folds = sorted({int(text) for text in summary.frame["folds"]})
    cut = " or ".join(map(str, folds)) + " folds" + (" as given" if args.folds else "")
    repeats = f" x {args.repeats}" if args.folds is None and args.repeats > 1 else ""
    most = int(summary.frame["rows"].max())
    return f"{summary.n_datasets} data sets of at most {most:,} rows, {cut}{repeats}"


def _means(labels: Sequence[str], summary: Summary, published: Published) -> str:
    """Lay out means; times are given per model, the fold's training rows grown and smoothed."""
    with_time = any(len(figures) > 2 for figures in published.means.values())
    header = ["method", "RMSE", "published", "0-1 loss", "published"]
    rows = [header + (["seconds", "published"] if with_time else [])]
    models = summary.frame["folds"].astype(int) * summary.frame["repeats"].astype(int)
    taken = summary.frame[["seconds_grow", "seconds_smooth"]].sum(axis=1, min_count=1) / models
    seconds, means = taken.groupby(summary.frame["method"]).mean(), summary.means
    for method in labels:
        theirs = published.means.get(method, ())
        texts = [f"{figure:.{DECIMALS}f}" for figure in theirs[:2]]
        texts += [""] * (2 - len(texts))
        ours = [means[method][measure] for measure in ("rmse", "error")]
        cells = ["-" if mean is None else f"{mean:.{DECIMALS}f}" for mean in ours]
        row = [method, cells[0], texts[0], cells[1], texts[1]]
        if with_time:
            own = seconds.get(method)
            row.append(f"{own:.3f}" if pd.notna(own) else "-")
            row.append(f"{theirs[2]:g}" if len(theirs) > 2 else "")
        rows.append(row)
    return "\n".join(align(rows))


def _records(summary: Summary, published: Published) -> str:
    header = ["win-draw-loss", "RMSE", "p two-, one-sided", "published"]
    rows = [[*header, "0-1 loss", "p two-, one-sided", "published"]]
    for (first, second), theirs in published.records.items():
        cells = [f"{first} vs. {second}"]
        for measure, text in zip(("rmse", "error"), theirs, strict=True):
            table = summary.table(measure)
            if not {first, second} <= set(table):  # XGBoost, say, is not installed
                cells += ["not run", "-", text or "-"]
                continue
            record = win_draw_loss(table[first], table[second], decimals=DECIMALS)
            p_values = f"{record.p_two_sided:.4f}, {record.p_one_sided:.4f}"
            cells += [record.text, p_values, text or "-"]
        rows.append(cells)
    return "\n".join(align(rows))
