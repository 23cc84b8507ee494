"""Cross-validate models and smoothers on all data sets of a folder.

Finished results are added to --out as they come; the same command run again after an
interruption goes on where it stopped.
"""

from __future__ import annotations

import argparse
import math
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from probtrees.cli import fold_options, model_options
from probtrees.cli.console import Console
from probtrees.cli.data_options import repeats_word, times_to_cut
from probtrees.cli.parser import align, declare, print_result
from probtrees.errors import DataError, OptionError
from probtrees.experiment.evaluation import benchmark
from probtrees.experiment.evaluation.benchmark import Summary, summarise
from probtrees.experiment.model_spec import ModelSpec, smoothers_for
from probtrees.experiment.registry import DEFAULT_LEARNER, LEARNERS
from probtrees.machine.atomic_file import check_place
from probtrees.options import option_fields
from probtrees.report.benchmark_report import benchmark_report
from probtrees.table.folds import read_plan

EXAMPLES = """\
examples:
  probtrees benchmark DATA_DIR --out results.csv --report report.html --jobs 2
  probtrees benchmark DATA_DIR --models c45 --smoothers mle,laplace,hgs --folds FOLDS_DIR
  probtrees benchmark DATA_DIR --as-published --max-rows 20000 --out published.csv
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    declare(
        parser,
        f"""
        dir DIR  folder of data sets
        --models NAME,NAME,...  {", ".join(LEARNERS)} (default: {DEFAULT_LEARNER})
        --smoothers NAME,NAME,...  only these (default: all of them)
        """,
        models=DEFAULT_LEARNER,
    )
    model_options.add_growing_options(parser.add_argument_group("the models"))
    group = parser.add_argument_group("the folds")
    fold_options.add_plan_options(group)
    declare(group, "--folds DIR  given folds: NAME.csv each")
    fold_options.add_jobs_options(parser, "processes (1)")
    declare(
        parser,
        """
        --max-rows N  leave out data sets with more rows
        --out RESULTS.csv  results, added to
        --report REPORT.html  tables and pictures in one file
        """,
    )


def run(args: argparse.Namespace, console: Console) -> None:
    """Measure what is not measured yet, print a summary, write the report."""
    check_place(args.report, "report")
    tasks, out = _tasks(args), None if args.out is None else Path(args.out)
    what = f"benchmarking, {len(tasks)} data sets x models"
    with fold_options.fanning_out(args) as n_jobs, console.stage(what) as progress:
        outcome = benchmark.run_benchmark(
            tasks, out, n_jobs=n_jobs, max_rows=args.max_rows, progress=progress
        )
    if not outcome.rows:
        first = outcome.failures[0] if outcome.failures else None
        why = f"{first.dataset}: {first.reason}" if first else "No data set was small enough."
        raise DataError(f"No data set could be measured. {why}")
    summary = summarise(outcome.rows)
    record = _summary_record(summary, outcome)
    head = ["method", "data sets", *summary.measures, "rank by rmse"]
    means = [[name, summary.n_datasets, *own.values()] for name, own in summary.means.items()]
    print_result(args, record, "\n".join([*align([head, *means]), *summary.remarks]))
    for failure in () if args.json else outcome.failures:
        words = f"not measured: {failure.dataset}, {failure.model}: {failure.reason}"
        print(words, file=sys.stderr)
    if args.report is not None:
        console.write(args.report, benchmark_report(summary, outcome.failures))


def _tasks(args: argparse.Namespace) -> list[benchmark.Task]:
    """Pair every data set with every model."""
    smoothers, specs = model_options.smoothers_of(args), _specs(args)
    plan, word = read_plan(args.cv, times_to_cut(args)), repeats_word(args)
    return [
        benchmark.Task(path, spec, tuple(smoothers_for(spec, smoothers)), plan, folds, word)
        for path in benchmark.find_tables(Path(args.dir))
        for folds in [_folds_of(args.folds, path)]
        for spec in specs
    ]


def _specs(args: argparse.Namespace) -> list[ModelSpec]:
    """Make a spec per model; an option goes to the models that have it."""
    given = {**model_options.learner_options(args), **model_options.settings_for(args, "model")}
    taken: set[str] = set()
    specs = []
    for model in model_options.names_in(args.models):
        entry = LEARNERS.get(model)
        known = {field.name for field in option_fields(entry.algorithm)} if entry else set()
        taken |= known
        own = {name: value for name, value in given.items() if name in known}
        specs.append(model_options.spec_with(args, model, own))
    for name in given:
        if name not in taken:
            raise OptionError(f"option={name!r} must be an option of one of: {args.models}.")
    return specs


def _folds_of(folder: str | None, table: Path) -> Path | None:
    """Find the file of folds that belongs to a data set."""
    if folder is None:
        return None
    path = Path(folder) / f"{benchmark.dataset_name(table)}.csv"
    if not path.is_file():
        raise DataError(f"folds={str(path)!r} must exist. Give a file of folds per data set.")
    return path.absolute()


def _summary_record(summary: Summary, outcome: benchmark.BenchmarkRun) -> dict[str, Any]:
    """Write the means over all data sets, and every result, as plain values."""
    return {
        "datasets": summary.n_datasets,
        "methods": summary.means,
        "remarks": summary.remarks,
        "results": [{name: _plain(text) for name, text in row.items()} for row in outcome.rows],
        "failures": [asdict(failure) for failure in outcome.failures],
    }


def _plain(text: str) -> str | float | None:
    """Read a cell of a results file; an empty one is no value."""
    if not text:
        return None
    try:
        number = float(text)
    except ValueError:
        return text
    return number if math.isfinite(number) else None
