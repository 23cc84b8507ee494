"""Cross-validate every smoother on the same folds; each fold's model is grown once."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from probtrees.cli import fold_options
from probtrees.cli.console import Console
from probtrees.cli.data_options import add_data_options, read_data
from probtrees.cli.model_options import add_model_options, settings_for, spec_of
from probtrees.cli.parser import declare, print_json
from probtrees.cli.text_tables import method_name, score_table
from probtrees.experiment.evaluation import outside_models
from probtrees.experiment.evaluation.cross_validate import Result, compare
from probtrees.experiment.evaluation.forecast_details import (
    forecast_details,
    undefined_reasons,
)
from probtrees.experiment.evaluation.leading_methods import (
    base_against,
    base_rate_words,
    compares_rows,
    leading_results,
)
from probtrees.experiment.model_spec import named_smoother
from probtrees.experiment.registry import SMOOTHERS, smoother_label
from probtrees.machine.atomic_file import check_place
from probtrees.report.comparison_report import Compared, comparison_report
from probtrees.score.measures import MEASURES, main_measures
from probtrees.score.metrics import rarest_outcome
from probtrees.score.paired_test import PairedTest
from probtrees.score.significance import LeadingSet
from probtrees.table.dataset import Dataset
from probtrees.table.folds import Folds, describe_folds
from probtrees.table.repeats import describe_repeats

EXAMPLES = """\
examples:
  probtrees compare titanic.csv --target survived
  probtrees compare titanic.csv --smoothers laplace,m-estimate --set m-estimate.strength=2
  probtrees compare titanic.csv --cv 5x2 --others --report comparison.html
  probtrees compare titanic.csv --measure auc --outcome yes --threshold 0.3 --json
  probtrees compare german.arff --as-published --folds german-folds.csv --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    add_data_options(parser)
    add_model_options(parser, one_smoother=False)
    declare(
        parser,
        """
        --smoothers NAME,NAME,...  only these (default: all of them)
        --others  also the methods of others that are installed, on the same folds: logistic
            regression, random forest, histogram boosting, XGBoost
        """,
    )
    fold_options.add_fold_options(parser)
    fold_options.add_outcome_options(parser)
    measures = "|".join(measure.name for measure in main_measures())
    declare(
        parser,
        f"""
        --measure {measures}
              what the table is sorted by and the tests are about (brier)
        --test rows|folds  whether rows (or groups of them) or folds are what varies in tests of
            differences; both allow for shared training rows (rows)
        --report REPORT.html  tables and pictures in one file that works offline
        --details  with --json: further measures, and which smoothers cannot be distinguished from
            the best
        """,
        measure="brier",
        test="rows",
    )


def run(args: argparse.Namespace, console: Console) -> None:
    """Read, cross-validate, print."""
    check_place(args.report, "report")
    names = list(SMOOTHERS) if args.smoothers is None else args.smoothers.split(",")
    smoothers = [
        named_smoother(name.strip(), settings_for(args, name.strip()), args.seed) for name in names
    ]
    spec = spec_of(args)
    data = read_data(args, console)
    fold_options.check_outcome_options(args, data)
    copies = describe_repeats(data)
    with fold_options.fanning_out(args) as n_jobs, console.stage("comparing") as progress:
        data, folds = fold_options.rows_and_folds(args, data)
        results = compare(data, spec, smoothers, folds=folds, n_jobs=n_jobs, progress=progress)
    if args.others:
        with console.stage("comparing with methods of others") as progress:
            results += [
                outside_models.measure_outside(data, name, folds, seed=args.seed, progress=progress)
                for name in outside_models.installed()
            ]
    leading = leading_results(results, data, folds, measure=args.measure, over=args.test)
    if args.report is not None:
        console.write(args.report, _report(results, data, folds))
    if args.json:
        print_json(_records(args, results, leading, data, folds))
    else:
        _print_tables(args, results, leading, data, folds, copies)


def _records(
    args: argparse.Namespace,
    results: Sequence[Result],
    leading: LeadingSet,
    data: Dataset,
    folds: Sequence[Folds],
) -> list[dict[str, Any]]:
    """Return what ``--json`` prints, one record per method."""
    records = [result.to_dict() for result in results]
    if args.details:
        best = results[leading.best]
        other = best.scores[args.measure]
        for place, (record, result) in enumerate(zip(records, results, strict=True)):
            record["details"] = forecast_details(result, data)
            record["indistinguishable_from_best"] = place in leading.members
            own = _difference(result.scores[args.measure], other, leading.tests[place])
            record["tested_by"] = args.measure
            record["p_against_best"] = float(leading.adjusted_p[place])
            record["difference_to_best"], record["difference_interval"] = own
        base = base_against(best, data, folds, measure=args.measure, over=args.test)
        records[0]["base_rate_against_best"] = None
        if base is not None:
            difference, interval = _difference(best.base_rate[args.measure], other, base)
            found = {"difference": difference, "interval": interval, "p": base.p_value}
            records[0]["base_rate_against_best"] = found
    for record, result in zip(records, results, strict=True):
        record.update(fold_options.outcome_figures(args, result, data, folds[0]))
    return records


def _difference(
    own: float | None, other: float | None, test: PairedTest
) -> tuple[float | None, list[float | None] | None]:
    """Return a difference and its interval, as far as they are known."""
    interval = None if test.lower is None else [test.lower, test.upper]
    return (None if own is None or other is None else own - other), interval


def _print_tables(
    args: argparse.Namespace,
    results: Sequence[Result],
    leading: LeadingSet,
    data: Dataset,
    folds: Sequence[Folds],
    copies: str,
) -> None:
    """Print the scores, the best first, and what may be concluded from them."""
    by_place = sorted(range(len(results)), key=lambda at: _place(results[at], args.measure))
    print(score_table([results[at] for at in by_place]))
    if copies:
        print(f"\n{copies}")
    by_name = {method_name(found): found for found in results}
    remarks = [describe_folds(data, folds), *undefined_reasons(by_name)]
    for sentence in [*filter(None, remarks), *base_rate_words(by_name, args.measure)]:
        print(f"\n{sentence}")
    table = fold_options.outcome_table(args, by_name, data, folds[0])
    if table:
        print(f"\n{table}")
    if len(results) > 1:
        names = ", ".join(method_name(results[place]) for place in leading.members)
        by_row = compares_rows(args.measure, data, folds, args.test)
        test = f"corrected t-test over {'rows' if by_row else 'folds'}"
        print(
            f"\nBy {MEASURES[args.measure].label} these cannot be distinguished from the best: "
            f"{names} ({test}, Holm-corrected, 5 %)."
        )


def _place(result: Result, measure: str) -> float:
    """Sort by a measure, the best first; results without a figure come last."""
    value = result.scores[measure]
    if value is None:
        return math.inf
    return -value if MEASURES[measure].larger_is_better else value


def _label(result: Result) -> str:
    """Name a method in a report."""
    if result.learner in outside_models.OUTSIDE:
        return f"{outside_models.OUTSIDE[result.learner].label} ({outside_models.NOT_EXPLAINED})"
    return smoother_label(result.smoother)


def _report(results: Sequence[Result], data: Dataset, folds: Sequence[Folds]) -> str:
    """Lay out the report; its outcome of interest is the rarest class."""
    counts = np.bincount(data.labels, data.row_weights, minlength=len(data.schema.classes))
    asked = Compared(
        results={_label(result): result for result in results},
        data=data,
        folds=folds,
        outcome=rarest_outcome(counts.astype(np.float64)),
        n_settings=len(results),
    )
    return comparison_report(asked)
