"""What commands that cross-validate share: folds, jobs, one outcome, and the table of scores."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from probtrees.cli.data_options import add_repeats, times_to_cut
from probtrees.cli.parser import align, declare
from probtrees.errors import OptionError
from probtrees.estimators.result_displays import Comparison
from probtrees.experiment.evaluation.cross_validate import Result
from probtrees.experiment.evaluation.forecast_details import acting_at, acting_costs, outcome_curves
from probtrees.explain.rule import outcome_number
from probtrees.table.dataset import Dataset
from probtrees.table.folds import Folds, read_cuts, read_plan


def add_plan_options(group: argparse._ArgumentGroup) -> None:
    """Declare how rows are held out, for a command on one table or on many."""
    declare(
        group,
        """
        --cv PLAN  a number of folds (10), repeats x folds (5x2), loo (leave one out),
            holdout or holdout=0.3 (test that share once)
        """,
        cv="10",
    )
    add_repeats(group, cuts=True)


def add_fold_options(parser: argparse.ArgumentParser) -> None:
    """Let a command cut rows into folds."""
    group = parser.add_argument_group(
        "the folds", "A column with --role COL=group or COL=time decides which rows may train."
    )
    add_plan_options(group)
    declare(
        group,
        """
        --folds FILE.csv  given folds: a row per data row and a column 'fold' or 'test_fold';
            several cuts as 'fold 1', 'fold 2', ...
        """,
    )
    add_jobs_options(parser, "folds to work on at a time (1)")


def add_jobs_options(parser: argparse.ArgumentParser, jobs: str) -> None:
    """Let a command work on several folds at a time, or fan out over a cluster."""
    declare(
        parser,
        f"""
        --jobs JOBS  {jobs}
        --cluster ADDRESS  work on a Dask cluster: tcp://HOST:PORT of its scheduler, or 'local'
            for one started here; takes the place of --jobs
        --json  print JSON
        """,
        jobs=1,
    )


def rows_and_folds(args: argparse.Namespace, data: Dataset) -> tuple[Dataset, list[Folds]]:
    """Cut the rows as the options ask, once per repeat; copies that are apart are dealt out.

    Given folds are of the rows as they are in the table.
    """
    plan = read_plan(args.cv, times_to_cut(args))
    if args.folds is not None:
        return data, read_cuts(args.folds, data)
    data = data.copies_apart()
    return data, plan.cut(data, args.seed)


@contextmanager
def fanning_out(args: argparse.Namespace) -> Iterator[int]:
    """Give the number of jobs to work on at a time, with the cluster ready if one is wanted."""
    if args.cluster is None:
        yield args.jobs
        return
    with import_module("probtrees.scale.passes.cluster").fanned_out(args.cluster):
        yield -1  # as many at a time as the cluster has room for


def add_outcome_options(parser: argparse.ArgumentParser) -> None:
    """Let a comparison look closer at one outcome."""
    declare(
        parser.add_argument_group("a closer look at one outcome"),
        """
        --outcome CLASS  ROC, precision-recall, lift, net benefit of a class (points with --json)
        --threshold T  what becomes of the rows if one acts from this chance on (0.3)
        --false-alarm COST  of acting in vain (1)
        --miss COST  of not acting on a case (5)
        """,
        false_alarm=1.0,
        miss=5.0,
    )


def check_outcome_options(args: argparse.Namespace, data: Dataset) -> None:
    """Refuse what cannot be answered, before anything is compared or printed."""
    if args.false_alarm == args.miss == 0:
        raise OptionError("--false-alarm and --miss must not both be 0.")
    if args.outcome is not None:
        outcome_number(args.outcome, data.schema.classes)
    elif args.threshold is not None:
        raise OptionError("--threshold must come with --outcome. Name the class.")


def outcome_figures(
    args: argparse.Namespace, result: Result, data: Dataset, cut: Folds
) -> dict[str, Any]:
    """Gather what the options ask for, by name; nothing if no outcome is named."""
    if args.outcome is None:
        return {}
    costs = args.false_alarm, args.miss
    outcome = outcome_number(args.outcome, data.schema.classes)
    found: dict[str, Any] = {
        "curves": outcome_curves(result, data, outcome),
        "costs": acting_costs(result, data, cut, outcome, costs),
    }
    if args.threshold is not None:
        found["threshold"] = acting_at(result, data, outcome, args.threshold, costs)
    return found


def outcome_table(
    args: argparse.Namespace, results: Mapping[str, Result], data: Dataset, cut: Folds
) -> str:
    """Lay the figures of one outcome out for a terminal; empty if none is asked for."""
    if args.outcome is None:
        return ""
    found = {
        name: plain_figures(outcome_figures(args, result, data, cut))
        for name, result in results.items()
    }
    names = next(iter(found.values()))
    rows = [[name, *(figures[name] for figures in found.values())] for name in names]
    return "\n".join(align([[args.outcome, *found], *rows]))


def plain_figures(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figures of a record that are no lists, those of its parts too, by their words.

    >>> plain_figures({"costs": {"at_best": 0.2}, "points": [0.1, 0.2]})
    {'at best': 0.2}
    """
    found: dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, Mapping):
            found |= plain_figures(value)
        elif not isinstance(value, list | tuple):
            found[name.replace("_", " ")] = value
    return found


def score_table(results: Sequence[Result]) -> str:
    """Lay results of one data set and model out as a table, the base rate as the last row."""
    first, shown = results[0], Comparison(results)
    size = f"{first.nodes:.1f} nodes, {first.leaves:.1f} leaves, depth {first.depth:.1f} on average"
    return "\n".join([shown.title, "", *align(shown.table()), "", size, *first.remarks])
