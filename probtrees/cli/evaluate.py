"""Cross-validate one model and smoother and print what it scores on rows it has not seen."""

from __future__ import annotations

import argparse
import json

from probtrees.cli.cluster_option import fanning_out
from probtrees.cli.console import Console
from probtrees.cli.data_options import add_data_options, read_data
from probtrees.cli.fold_options import add_fold_options, rows_and_folds
from probtrees.cli.forecast_options import (
    add_forecast_options,
    closer_look,
    closer_look_text,
    cost_table,
)
from probtrees.cli.model_options import add_model_options, smoother_of, spec_of
from probtrees.cli.probability_file import write_probabilities
from probtrees.cli.score_table import score_table
from probtrees.experiment.cross_validate import compare
from probtrees.experiment.forecast_details import tuned_decisions_cost
from probtrees.experiment.learning_curve import learning_curve
from probtrees.table.describe_repeats import repeats_record

EXAMPLES = """\
examples:
  probtrees evaluate titanic.csv --target survived
  probtrees evaluate titanic.csv --smoother m-estimate --set smoother.strength=2 --repeats 10
  probtrees evaluate german.arff --folds german-folds.csv --missing fraction --json
  probtrees evaluate titanic.csv --cv 5x2 --details --outcome yes --costs '0,1;5,0'
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    add_data_options(parser)
    add_model_options(parser)
    add_fold_options(parser)
    add_forecast_options(parser)
    parser.add_argument(
        "--predictions",
        metavar="OUT.csv",
        help="write the probabilities each row got while it was not trained on\n"
        "(of the first repeat)",
    )


def run(args: argparse.Namespace, console: Console) -> None:
    """Read, cross-validate, print."""
    spec, smoother = spec_of(args), smoother_of(args)
    data = read_data(args, console)
    copies = repeats_record(data)
    with fanning_out(args) as n_jobs, console.stage("cross-validating") as progress:
        data, folds = rows_and_folds(args, data)
        result = compare(data, spec, [smoother], folds=folds, n_jobs=n_jobs, progress=progress)[0]
    if args.predictions is not None:
        write_probabilities(result.proba[0], data, args.predictions)
    more = closer_look(args, result, data)
    if "costs" in more:
        with console.stage("choosing thresholds") as progress:
            more["costs"]["tuned"] = tuned_decisions_cost(
                data, spec, smoother, cost_table(args.costs), folds[0], progress
            )
    if args.learning_curve:
        with console.stage("learning curve") as progress:
            points = learning_curve(data, spec, [smoother], progress=progress)
        more["learning_curve"] = [
            {"training_rows": point.n_rows, **point.scores} for point in points
        ]
    if args.json:
        record = {**result.to_dict(), "repeats": copies, **more}
        print(json.dumps(record, indent=2, ensure_ascii=False, allow_nan=False))
    else:
        print(score_table([result]))
        if copies is not None:
            print(f"\n{copies['sentence']}")
        if more:
            print("\n" + closer_look_text(more))
