"""Cross-validate one model and smoother and print what it scores on rows it has not seen."""

from __future__ import annotations

import argparse
from typing import Any

from probtrees.cli import fold_options
from probtrees.cli.console import Console
from probtrees.cli.data_options import add_data_options, read_data
from probtrees.cli.model_options import add_model_options, smoother_of, spec_of
from probtrees.cli.parser import Rows, align, declare, print_result
from probtrees.cli.predict import write_probabilities
from probtrees.experiment.evaluation.cross_validate import Result, compare
from probtrees.experiment.evaluation.forecast_details import forecast_details, outcome_curves
from probtrees.explain.rule import outcome_number
from probtrees.table.dataset import Dataset
from probtrees.table.repeats import repeats_record

EXAMPLES = """\
examples:
  probtrees evaluate titanic.csv --target survived
  probtrees evaluate titanic.csv --smoother m-estimate --set smoother.strength=2 --repeats 10
  probtrees evaluate german.arff --folds german-folds.csv --missing fraction --json
  probtrees evaluate titanic.csv --cv 5x2 --details --outcome yes
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    add_data_options(parser)
    add_model_options(parser)
    fold_options.add_fold_options(parser)
    declare(
        parser.add_argument_group("a closer look"),
        """
        --details  skill, sharpness, reliability and rates by class
        --outcome CLASS  ROC, precision-recall, lift, net benefit of a class (points with --json)
        --predictions OUT.csv  write the probabilities each row got while it was not trained on
            (of the first repeat)
        """,
    )


def run(args: argparse.Namespace, console: Console) -> None:
    """Read, cross-validate, print."""
    spec, smoother = spec_of(args), smoother_of(args)
    data = read_data(args, console)
    copies = repeats_record(data)
    with fold_options.fanning_out(args) as n_jobs, console.stage("cross-validating") as progress:
        data, folds = fold_options.rows_and_folds(args, data)
        result = compare(data, spec, [smoother], folds=folds, n_jobs=n_jobs, progress=progress)[0]
    if args.predictions is not None:
        write_probabilities(result.proba[0], data, args.predictions)
    more = closer_look(args, result, data)
    said = [fold_options.score_table([result]), *([] if copies is None else [copies["sentence"]])]
    said += [_text(*look) for look in more.items()]
    print_result(args, {**result.to_dict(), "repeats": copies, **more}, "\n\n".join(said))


def closer_look(args: argparse.Namespace, result: Result, data: Dataset) -> dict[str, Any]:
    """Gather what the options ask for, by name."""
    found: dict[str, Any] = {}
    if args.details:
        found["details"] = forecast_details(result, data)
    if args.outcome is not None:
        outcome = outcome_number(args.outcome, data.schema.classes)
        found["curves"] = outcome_curves(result, data, outcome)
    return found


def _text(name: str, found: Any) -> str:
    """Lay a closer look out: its figures that are no lists."""
    rows: Rows = [[name, ""], *map(list, fold_options.plain_figures({name: found}).items())]
    return "\n".join(align(rows))
