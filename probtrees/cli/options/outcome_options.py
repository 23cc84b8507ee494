"""The options of a comparison that look closer at one outcome: curves, a threshold, costs."""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping
from typing import Any

from probtrees.cli.text_tables import align
from probtrees.errors import OptionError
from probtrees.experiment.evaluation.cross_validate import Result
from probtrees.experiment.evaluation.forecast_details import (
    acting_at,
    check_threshold,
    class_named,
    cost_at_implied_threshold,
    cost_by_other_folds,
    cost_of_one_decision,
    implied_threshold,
    outcome_curves,
)
from probtrees.table.dataset import Dataset
from probtrees.table.folds import Folds
from probtrees.words import count_text, percent


def add_outcome_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    group = parser.add_argument_group("a closer look at one outcome")
    group.add_argument(
        "--outcome",
        metavar="CLASS",
        help="curves of this class: ROC, precision-recall, lift, net benefit (points with\n--json)",
    )
    group.add_argument(
        "--threshold",
        type=float,
        metavar="T",
        help="what becomes of the rows if one acts from this chance on (0.3)",
    )
    group.add_argument(
        "--prevalence",
        type=float,
        metavar="RATE",
        help="how common the outcome is where predictive values are asked for",
    )
    group.add_argument(
        "--false-alarm", type=float, default=1.0, metavar="COST", help="of acting in vain (1)"
    )
    group.add_argument(
        "--miss", type=float, default=5.0, metavar="COST", help="of not acting on a case (5)"
    )


def check_outcome_options(args: argparse.Namespace, data: Dataset) -> None:
    """Refuse what cannot be answered, before anything is compared or printed."""
    _costs(args)
    if args.outcome is not None:
        class_named(args.outcome, data)
    elif args.threshold is not None or args.prevalence is not None:
        raise OptionError("--threshold and --prevalence must come with --outcome. Name the class.")
    if args.threshold is not None:
        check_threshold(args.threshold)


def outcome_figures(
    args: argparse.Namespace, result: Result, data: Dataset, cut: Folds
) -> dict[str, Any]:
    """Gather what the options ask for, by name; nothing if no outcome is named."""
    if args.outcome is None:
        return {}
    outcome, costs = class_named(args.outcome, data), _costs(args)
    always, never = cost_of_one_decision(result, data, outcome, costs)
    found: dict[str, Any] = {
        "curves": outcome_curves(result, data, outcome),
        "costs": {
            "false_alarm": costs[0],
            "miss": costs[1],
            "threshold_of_other_folds": cost_by_other_folds(result, data, cut, outcome, costs),
            "implied_threshold": implied_threshold(costs),
            "at_implied_threshold": cost_at_implied_threshold(result, data, outcome, costs),
            "act_on_every_row": always,
            "never_act": never,
        },
    }
    if args.threshold is not None:
        found["threshold"] = acting_at(
            result, data, outcome, args.threshold, prevalence=args.prevalence, costs=costs
        )
    return found


def _costs(args: argparse.Namespace) -> tuple[float, float]:
    costs = (args.false_alarm, args.miss)
    if not all(math.isfinite(cost) and cost >= 0 for cost in costs) or not any(costs):
        raise OptionError(
            f"false_alarm={args.false_alarm!r} and miss={args.miss!r} must not be negative, nor "
            "both 0."
        )
    if args.prevalence is not None and not 0 <= args.prevalence <= 1:
        raise OptionError(f"prevalence={args.prevalence!r} must be from 0 to 1.")
    return costs


def outcome_table(
    args: argparse.Namespace, results: Mapping[str, Result], data: Dataset, cut: Folds
) -> str:
    """Lay the figures of one outcome out for a terminal; empty if none is asked for."""
    records = {name: outcome_figures(args, result, data, cut) for name, result in results.items()}
    if args.outcome is None:
        return ""
    rows = [[args.outcome, "area under ROC", "average precision", "cost per row"]]
    if args.threshold is not None:
        rows[0] += ["hits", "misses", "false alarms", "sensitivity", "specificity"]
    for name, found in records.items():
        curves = found["curves"]
        cells = [curves["area_under_roc"], curves["average_precision"]]
        cells.append(found["costs"]["threshold_of_other_folds"])
        row = [name, *("-" if cell is None else f"{cell:.4f}" for cell in cells)]
        if args.threshold is not None:
            acted = found["threshold"]
            row += [count_text(acted[what]) for what in ("hits", "misses", "false_alarms")]
            shares = (acted["sensitivity"], acted["specificity"])
            row += ["-" if share is None else percent(share) for share in shares]
        rows.append(row)
    return "\n".join(align(rows))
