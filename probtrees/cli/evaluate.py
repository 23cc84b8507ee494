"""Cross-validate one model and smoother and print what it scores on rows it has not seen."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import Any

from probtrees.cli import fold_options
from probtrees.cli.console import Console
from probtrees.cli.data_options import add_data_options, read_data
from probtrees.cli.model_options import add_model_options, smoother_of, spec_of
from probtrees.cli.parser import Rows, align, declare, help_words, print_result
from probtrees.cli.predict import cost_table, write_probabilities
from probtrees.experiment.evaluation.cross_validate import Result, compare
from probtrees.experiment.evaluation.forecast_details import (
    class_named,
    decisions_cost,
    forecast_details,
    outcome_curves,
)
from probtrees.score.measures import detail_measures
from probtrees.table.dataset import Dataset
from probtrees.table.folds import Folds
from probtrees.table.repeats import repeats_record

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
    fold_options.add_fold_options(parser)
    declare(
        parser.add_argument_group("a closer look"),
        """
        --details  skill, sharpness, reliability and rates by class
        --outcome CLASS  curves of this class: ROC, precision-recall, lift, net benefit (points
            with --json)
        --costs TABLE  what decisions cost: a row per class in the table's order, a column per
            decision, as in '0,1;5,0', or a CSV file of it without a header
        """,
    )
    declare(
        parser,
        """
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
    more = closer_look(args, result, data, folds[0])
    said = [fold_options.score_table([result]), *([] if copies is None else [copies["sentence"]])]
    said += ["\n".join(align(lay_out(more[n]))) for n, lay_out in _TABLES.items() if n in more]
    print_result(args, {**result.to_dict(), "repeats": copies, **more}, "\n\n".join(said))


def closer_look(
    args: argparse.Namespace, result: Result, data: Dataset, cut: Folds
) -> dict[str, Any]:
    """Gather what the options ask for, by name."""
    found: dict[str, Any] = {}
    if args.details:
        found["details"] = forecast_details(result, data)
    if args.outcome is not None:
        found["curves"] = outcome_curves(result, data, class_named(args.outcome, data))
    if args.costs is not None:
        found["costs"] = decisions_cost(result, data, cut, cost_table(args.costs))
    return found


def _details(details: Mapping[str, Any]) -> Rows:
    rows: Rows = [["measure", "value", ""]]
    rows += [[m.name, details[m.name], help_words(m.help)] for m in detail_measures()]
    for rate in details["class_rates"]:
        rows.append([f"mean predicted: {rate['class']}", rate["predicted"], ""])
        rows.append([f"observed: {rate['class']}", rate["observed"], ""])
    return rows


def _curves(curves: Mapping[str, Any]) -> Rows:
    names = {"area under ROC": "area_under_roc", "average precision": "average_precision"}
    rows: Rows = [[curves["class"], ""], *([words, curves[name]] for words, name in names.items())]
    return [*rows, ["thresholds", len(curves["thresholds"]) - 1]]


def _costs(costs: Mapping[str, Any]) -> Rows:
    rows: Rows = [["mean cost per row", ""], ["by probability", costs["by_probability"]]]
    if costs["threshold_of_other_folds"] is not None:
        rows.append(["threshold chosen on other folds", costs["threshold_of_other_folds"]])
    always = enumerate(costs["always_one_decision"], start=1)
    return [*rows, *([f"always decision {number}", cost] for number, cost in always)]


_TABLES: dict[str, Callable[[Any], Rows]] = {
    "details": _details,
    "curves": _curves,
    "costs": _costs,
}
"""How each closer look is laid out for a terminal."""
