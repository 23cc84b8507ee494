"""The options that say which rows test, shared by the commands that cross-validate."""

from __future__ import annotations

import argparse

from probtrees.dataset import Dataset
from probtrees.errors import OptionError
from probtrees.prepare.folds import Folds, make_folds, read_folds


def add_fold_options(parser: argparse.ArgumentParser) -> None:
    """Let a command cut rows into folds."""
    group = parser.add_argument_group("the folds")
    group.add_argument("--cv", type=int, default=10, metavar="N", help="number of folds (10)")
    group.add_argument("--repeats", type=int, default=1, metavar="N", help="cut anew N times (1)")
    group.add_argument(
        "--folds",
        metavar="FILE.csv",
        help="given folds: a row per data row and a column 'fold' or 'test_fold'",
    )
    parser.add_argument(
        "--jobs", type=int, default=1, metavar="N", help="folds to work on at a time (1)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")


def folds_of(args: argparse.Namespace, data: Dataset) -> list[Folds]:
    """Cut the rows as the options ask, once per repeat."""
    if args.repeats < 1:
        raise OptionError(f"repeats={args.repeats} must be at least 1.")
    if args.jobs < 1:
        raise OptionError(f"jobs={args.jobs} must be at least 1.")
    if args.folds is not None:
        return [read_folds(args.folds, data)]
    return [make_folds(data, args.cv, args.seed, repeat) for repeat in range(args.repeats)]
