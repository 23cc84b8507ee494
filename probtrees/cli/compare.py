"""Cross-validate every smoother on the same folds; each fold's model is grown once."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from probtrees.cli import fold_options
from probtrees.cli.console import Console
from probtrees.cli.data_options import add_data_options, read_data
from probtrees.cli.model_options import add_model_options, smoothers_of, spec_of
from probtrees.cli.parser import declare, print_json
from probtrees.experiment.evaluation import outside_models
from probtrees.experiment.evaluation.cross_validate import Result, compare
from probtrees.experiment.evaluation.forecast_details import forecast_details, undefined_reasons
from probtrees.experiment.evaluation.verdict import (
    MARGIN,
    Differences,
    Verdict,
    cost_of,
    differences_of,
    find_verdict,
    margin_words,
    raw_margin,
)
from probtrees.experiment.registry import smoother_label
from probtrees.machine.atomic_file import check_place
from probtrees.report.comparison_report import Compared, comparison_report
from probtrees.score.measures import main_measures
from probtrees.score.metrics import rarest_outcome
from probtrees.score.paired_test import LEVEL
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
              what the table is sorted by and differences are of (brier)
        --margin T  Brier scores that differ by less are as good as each other (.002)
        --test rows|folds  whether rows (or groups of them) or folds are what varies in tests of
            differences; both allow for shared training rows (rows)
        --report REPORT.html  tables and pictures in one file that works offline
        --details  with --json: further measures, and the difference to the best with its interval
        """,
        measure="brier",
        margin=MARGIN,
        test="rows",
    )


def run(args: argparse.Namespace, console: Console) -> None:
    """Read, cross-validate, print."""
    check_place(args.report, "report")
    smoothers, spec = smoothers_of(args), spec_of(args)
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
    by_name = {_label(found): found for found in results}
    ask = differences_of(list(by_name.values()), data, folds, over=args.test)
    verdict = find_verdict(by_name, ask, margin=args.margin)
    if args.report is not None:
        counts = np.bincount(data.labels, data.row_weights, minlength=data.n_classes)
        asked = Compared(
            results=by_name,
            data=data,
            folds=folds,
            outcome=rarest_outcome(counts.astype(np.float64)),
            n_settings=len(by_name),
            margin=args.margin,
        )
        console.write(args.report, comparison_report(asked))
    if args.json:
        print_json(_records(args, by_name, verdict, ask, data, folds))
        return
    best_first = sorted(results, key=lambda result: cost_of(result.scores, args.measure))
    print(f"{verdict.text}\n{margin_words(args.margin)}\n")
    print(fold_options.score_table(best_first))
    named = {found.smoother or found.learner: found for found in results}
    remarks = [copies, describe_folds(data, folds), *undefined_reasons(named)]
    remarks.append(fold_options.outcome_table(args, named, data, folds[0]))
    for sentence in filter(None, remarks):
        print(f"\n{sentence}")


def _records(
    args: argparse.Namespace,
    by_name: Mapping[str, Result],
    verdict: Verdict,
    ask: Differences,
    data: Dataset,
    folds: Sequence[Folds],
) -> list[dict[str, Any]]:
    """Return what ``--json`` prints, one record per method."""
    records = [result.to_dict() for result in by_name.values()]
    for record, (name, result) in zip(records, by_name.items(), strict=True):
        record |= {"standing": verdict.standing(name), "verdict": verdict.text}
        if args.details:
            record["details"] = forecast_details(result, data)
        record.update(fold_options.outcome_figures(args, result, data, folds[0]))
    results = list(by_name.values())
    best = min(range(len(results)), key=lambda at: cost_of(results[at].scores, args.measure))
    found = ask(args.measure, best) if args.details else None
    if found is None:
        return records
    near = raw_margin(args.measure, args.margin, by_name) or 0.0
    figures = (records, found.lines, found.adjusted_p, found.p_best(), found.p_near_best(near))
    for record, line, adjusted_p, p_best, p_within in zip(*figures, strict=True):
        record |= {
            "indistinguishable_from_best": bool(adjusted_p > LEVEL),
            "tested_by": args.measure,
            "p_against_best": float(adjusted_p),
            "difference_to_best": line.difference,
            "difference_interval": [line.lower, line.upper],
            "p_best": float(p_best),
            "p_within_margin": float(p_within),
        }
    records[0]["base_rate_against_best"] = found.base and {
        "difference": found.base.difference,
        "interval": [found.base.lower, found.base.upper],
        "p": found.base.p_value,
    }
    return records


def _label(result: Result) -> str:
    """Name a method in a report."""
    if result.learner in outside_models.OUTSIDE:
        return outside_models.OUTSIDE[result.learner].label
    return smoother_label(result.smoother)
