"""Run the methods of a published table and print our figures beside the published ones.

Every recipe in this folder lists its methods and the published figures, and calls
:func:`main`. The data sets are a folder that the user names (DATA_DIR); the papers used more
of them, so means differ for that reason alone: compare directions and differences.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from probtrees.cli.score_table import align
from probtrees.experiment.benchmark import Task, dataset_name, find_tables, run_benchmark
from probtrees.experiment.benchmark_summary import Summary, summarise
from probtrees.experiment.recipe import make_recipe
from probtrees.experiment.registry import make_smoother
from probtrees.score.significance import win_draw_loss

DECIMALS = 4


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
    """The figures of a paper: mean (RMSE, 0-1 loss), and records as "win-draw-loss" texts.

    Attributes
    ----------
    source : which table of which paper, on how many data sets
    means : by label
    records : by pair of labels: RMSE record and 0-1 loss record, "" where none is printed
    """

    source: str
    means: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    records: Mapping[tuple[str, str], tuple[str, str]] = field(default_factory=dict)


def main(methods: Sequence[Method], published: Published, remarks: Sequence[str] = ()) -> None:
    """Parse the command line, run what is not in --out yet, and print the comparison."""
    parser = argparse.ArgumentParser(description=published.source)
    parser.add_argument("data_dir", type=Path, metavar="DATA_DIR")
    parser.add_argument("--folds", type=Path, help="folder of given folds, NAME.csv each")
    parser.add_argument("--cv", type=int, default=10)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--max-rows", type=int, default=20_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, help="results, added to and resumed from")
    parser.add_argument("--only", nargs="*", help="names of data sets")
    args = parser.parse_args()
    tasks = [
        task
        for path in find_tables(args.data_dir)
        if not args.only or dataset_name(path) in args.only
        for task in _tasks(methods, path, args)
    ]
    run = run_benchmark(
        tasks, args.out, n_jobs=args.jobs, max_rows=args.max_rows, progress=_progress
    )
    for failure in run.failures:
        print(f"failed: {failure.dataset}, {failure.model}: {failure.reason}")
    summary = summarise([{**row, "model": "", "smoother": _label(row)} for row in run.rows])
    print(f"\n{published.source}\nours: {summary.n_datasets} data sets\n")
    print(_means(methods, summary, published))
    if published.records:
        print("\n" + _records(summary, published))
    for remark in remarks:
        print(f"\n{remark}")


def _tasks(methods: Sequence[Method], path: Path, args: argparse.Namespace) -> list[Task]:
    """Grow what several methods share only once."""
    folds = None if args.folds is None else args.folds / f"{dataset_name(path)}.csv"
    shared: dict[str, list[Method]] = {}
    for method in methods:
        key = repr((method.learner, dict(method.learner_options), dict(method.settings)))
        shared.setdefault(key, []).append(method)
    tasks = []
    for number, group in enumerate(shared.values()):
        first = group[0]
        recipe = make_recipe(first.learner, dict(first.learner_options), **first.settings)
        recipe = replace(recipe, learner_name=f"{first.learner} {number}")
        smoothers = tuple(
            (method.label, make_smoother(method.smoother, method.smoother_options))
            for method in group
        )
        tasks.append(Task(path, recipe, smoothers, args.cv, args.repeats, folds))
    return tasks


def _label(row: Mapping[str, str]) -> str:
    return row["smoother"] or "always the base rate"


def _progress(share: float, words: str) -> None:
    print(f"{share:4.0%} {words}", flush=True)


def _means(methods: Sequence[Method], summary: Summary, published: Published) -> str:
    rows = [["method", "RMSE", "published", "0-1 loss", "published"]]
    for method in [*(m.label for m in methods), "always the base rate"]:
        theirs = published.means.get(method, ("", ""))
        ours = [summary.mean(method, measure) for measure in ("rmse", "error")]
        cells = ["-" if mean is None else f"{mean:.{DECIMALS}f}" for mean in ours]
        rows.append([method, cells[0], _text(theirs[0]), cells[1], _text(theirs[1])])
    return "\n".join(align(rows))


def _records(summary: Summary, published: Published) -> str:
    rows = [["win-draw-loss", "RMSE", "p", "published", "0-1 loss", "p", "published"]]
    for (first, second), theirs in published.records.items():
        cells = [f"{first} vs. {second}"]
        for measure, text in zip(("rmse", "error"), theirs, strict=True):
            table = summary.table(measure)
            record = win_draw_loss(table[first], table[second], decimals=DECIMALS)
            cells += [record.text, f"{record.p_two_sided:.4f}", text or "-"]
        rows.append(cells)
    return "\n".join(align(rows))


def _text(figure: float | str) -> str:
    return figure if isinstance(figure, str) else f"{figure:.{DECIMALS}f}"
