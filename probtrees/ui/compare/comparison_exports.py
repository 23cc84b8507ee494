"""What can be taken away from a comparison and a validation: tables, reports, command lines."""

from __future__ import annotations

import json
import shlex
from typing import Any

import numpy as np
import pandas as pd

from probtrees.draw.charts.comparison_charts import forest_lines
from probtrees.experiment.evaluation.verdict import Verdict, raw_margin, standing_of
from probtrees.experiment.registry import DEFAULT_DISCRETIZER
from probtrees.experiment.validation.validate import Validation
from probtrees.report.comparison_report import Compared, comparison_report
from probtrees.report.table_files import csv_bytes
from probtrees.score.differences import PairedDifferences
from probtrees.ui.compare.comparison_run import ComparisonRun
from probtrees.ui.shared.exports import Export, reading_flags
from probtrees.ui.shared.table_source import current_source

Validated = tuple[Validation, str]
"""What was found where a model was held against another table, and the report of it."""


def with_differences(
    figures: pd.DataFrame, compared: Compared, found: Verdict, apart: PairedDifferences | None
) -> pd.DataFrame:
    """Put beside figures what the page says of methods and draws of their differences."""
    names = list(compared.results)
    stands = {name: found.standing(name) for name in names}
    if apart is not None and apart.measure != "brier":  # each file is judged by its own measure
        near = raw_margin(apart.measure, compared.margin, compared.results) or 0.0
        for name, line in zip(names, apart.lines, strict=True):
            ends = (line.lower, line.difference, line.upper)
            own = standing_of(ends, near, apart.measure)
            stands[name] = "avoid" if name in found.avoid else own
    table = figures.assign(standing=figures["method"].map(stands), verdict=found.text)
    if apart is None:
        return table
    lines = pd.DataFrame(forest_lines(compared.results, apart, found, compared.margin))
    table["measure"], table["reference"] = apart.measure, names[apart.reference]
    return table.merge(lines.drop(columns="figure"), on="method")


def forecasts_table(compared: Compared) -> pd.DataFrame:
    """List every held-out row of every repeat: its fold, its class, and all methods' forecasts."""
    data, classes, parts = compared.data, compared.data.schema.classes, []
    for repeat, cut in enumerate(compared.folds):
        rows = np.flatnonzero(cut.test_fold >= 0)
        columns: dict[str, Any] = {
            "row": data.row_numbers[rows] + 1,
            "repeat": repeat + 1,
            "fold": cut.test_fold[rows] + 1,
            "truth": [classes[code] for code in data.labels[rows]],
        }
        for name, result in compared.results.items():
            said = result.proba[repeat][rows].T
            columns |= {f"{name}: {label}": p for label, p in zip(classes, said, strict=True)}
        parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True)


COMPARISON_EXPORTS: tuple[Export[tuple[pd.DataFrame, Compared]], ...] = (
    Export("comparison.csv", "Table as CSV", lambda shown: csv_bytes(shown[0])),
    Export(
        "comparison.html",
        "Report (HTML)",
        lambda shown: comparison_report(shown[1]),
        help="One file that works offline: every measure, what may be concluded, reliability, "
        "order and time, where the numbers come from, and the command lines.",
    ),
    Export(
        "forecasts.csv",
        "All forecasts (CSV)",
        lambda shown: csv_bytes(forecasts_table(shown[1])),
        help="Every held-out row with its fold, its class, and what every method said.",
    ),
)

VALIDATION_EXPORTS: tuple[Export[Validated], ...] = (
    Export(
        "validation.html",
        "Report (HTML)",
        lambda shown: shown[1],
        help="One file that works offline: every figure, with the tree.",
    ),
    Export(
        "validation.json",
        "Figures (JSON)",
        lambda shown: json.dumps(shown[0].to_dict(), indent=1, ensure_ascii=False),
    ),
    Export(
        "leaves.csv",
        "Leaves as CSV",
        lambda shown: csv_bytes(pd.DataFrame([one.to_dict() for one in shown[0].groups])),
        is_offered=lambda shown: bool(shown[0].groups),
    ),
)


def command_lines(run: ComparisonRun) -> list[str]:
    """Write the commands that measure the same, one for every model."""
    plan, source = run.plan, current_source()
    begin = ["probtrees", "compare", source.file_name, "--target", run.data.schema.target.name]
    begin += reading_flags(source.reading)
    end = ["--smoothers", ",".join(plan.smoothers)]
    end += ["--cv", plan.cv] if plan.given is None else ["--folds", plan.given.name]
    for flag, value, usual in (
        ("--repeats", str(plan.n_repeats), "1"),
        ("--seed", str(plan.seed), "0"),
        ("--calibrate", plan.calibrate, "none"),
    ):
        end += [flag, value] if value != usual else []
    end += ["--as-published"] if plan.as_published else []
    lines: list[str] = []
    for model in plan.models:
        parts = [*begin, "--model", model, *end]
        set_to = [("model", plan.options(model))]
        set_to += [(name, plan.options(name)) for name in plan.smoothers]
        if model != "c45":
            set_to.append(("discretize", dict(plan.cutting)))
            if plan.discretizer != DEFAULT_DISCRETIZER:
                parts += ["--discretize", plan.discretizer]
        for owner, options in set_to:
            if options.pop("edits", None):
                parts += ["--edits", "edits.json"]  # as the Tree page exports them
            for option, value in options.items():
                parts += ["--set", f"{owner}.{option}={value}"]
        if plan.outside and not lines:
            parts.append("--others")
        lines.append(" ".join(shlex.quote(part) for part in parts))
    return lines
