"""The options of commands that cross-validate: which rows test, and who works on the folds."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from probtrees.cli.options.data_options import add_repeats, times_to_cut
from probtrees.cli.parser import add_json_option
from probtrees.errors import OptionError
from probtrees.table.dataset import Dataset
from probtrees.table.folds import Folds, read_cuts, read_plan

_MOST_JOBS = 256

ALL_JOBS = -1
"""As many jobs at a time as the cluster has room for."""


def add_plan_options(group: argparse._ArgumentGroup) -> None:
    """Declare how rows are held out, for a command on one table or on many."""
    group.add_argument(
        "--cv",
        default="10",
        metavar="PLAN",
        help="a number of folds (10), repeats x folds (5x2), loo (leave one out),\n"
        "holdout or holdout=0.3 (test that share once)",
    )
    add_repeats(group)


def add_fold_options(parser: argparse.ArgumentParser) -> None:
    """Let a command cut rows into folds."""
    group = parser.add_argument_group(
        "the folds", "A column with --role COL=group or COL=time decides which rows may train."
    )
    add_plan_options(group)
    group.add_argument(
        "--folds",
        metavar="FILE.csv",
        help="given folds: a row per data row and a column 'fold' or 'test_fold';\n"
        "several cuts as 'fold 1', 'fold 2', ...",
    )
    parser.add_argument(
        "--jobs", type=int, default=1, metavar="N", help="folds to work on at a time (1)"
    )
    add_cluster_option(parser)
    add_json_option(parser)


def check_jobs(args: argparse.Namespace) -> None:
    """Refuse a number of processes that cannot be meant."""
    if args.jobs < 1:
        raise OptionError(f"jobs={args.jobs} must be at least 1.")
    if args.jobs > _MOST_JOBS:
        raise OptionError(f"jobs={args.jobs} must be at most {_MOST_JOBS}.")


def rows_and_folds(args: argparse.Namespace, data: Dataset) -> tuple[Dataset, list[Folds]]:
    """Cut the rows as the options ask, once per repeat; copies that are apart are dealt out.

    Given folds are of the rows as they are in the table.
    """
    plan = read_plan(args.cv, times_to_cut(args))
    check_jobs(args)
    if args.folds is not None:
        return data, read_cuts(args.folds, data)
    data = data.copies_apart()
    return data, plan.cut(data, args.seed)


def add_cluster_option(parser: Any) -> None:
    """Let a command fan out over a cluster."""
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="work on a Dask cluster: tcp://HOST:PORT of its scheduler, or 'local'\n"
        "for one started here; takes the place of --jobs",
    )


@contextmanager
def fanning_out(args: argparse.Namespace) -> Iterator[int]:
    """Give the number of jobs to work on at a time, with the cluster ready if one is wanted."""
    if args.cluster is None:
        yield args.jobs
        return
    with import_module("probtrees.scale.passes.cluster").fanned_out(args.cluster):
        yield ALL_JOBS
