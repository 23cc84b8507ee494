"""What can be taken away from a comparison: its table, a report, and command lines."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from probtrees.draw.escape import csv_text
from probtrees.experiment.registry import DEFAULT_DISCRETIZER
from probtrees.experiment.validation.validate import Validation
from probtrees.model.model import Model
from probtrees.report.comparison_report import Compared, comparison_report
from probtrees.report.validation_report import validation_report
from probtrees.ui.compare.comparison_run import ComparisonRun
from probtrees.ui.compare.run_history import n_tried
from probtrees.ui.shared.exports import Export
from probtrees.ui.shared.recipe import reading_flags
from probtrees.ui.shared.table_source import current_source
from probtrees.ui.shared.workbench import TreeBench


@dataclass(frozen=True)
class ComparisonFiles:
    """What the files are written from: the table on show, and all that a report says."""

    table: pd.DataFrame
    compared: Compared


def comparison_files(run: ComparisonRun, bench: TreeBench, table: pd.DataFrame) -> ComparisonFiles:
    """Gather what the files are written from; the page may be gone by then."""
    compared = Compared(
        results=run.by_name(),
        data=run.data,
        folds=run.folds,
        outcome=bench.outcome,
        n_settings=max(n_tried(bench), run.plan.n_settings),
        is_whole=run.is_whole,
        problems=tuple(run.problems),
        commands=command_lines(run),
    )
    return ComparisonFiles(table, compared)


def _table_csv(files: ComparisonFiles) -> str:
    """Write the table as CSV, text that a spreadsheet would run made harmless."""
    harmless = files.table.map(lambda cell: csv_text(cell) if isinstance(cell, str) else cell)
    return str(harmless.to_csv(index=False))


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
            if repeat < len(result.proba):
                for code, label in enumerate(classes):
                    columns[f"{name}: {label}"] = result.proba[repeat][rows, code]
        parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True)


def _forecasts_csv(files: ComparisonFiles) -> str:
    """Write all forecasts as CSV, text that a spreadsheet would run made harmless."""
    table = forecasts_table(files.compared)
    table["truth"] = table["truth"].map(csv_text)
    return str(table.rename(columns=csv_text).to_csv(index=False))


COMPARISON_EXPORTS: tuple[Export[ComparisonFiles], ...] = (
    Export("comparison.csv", "Table as CSV", _table_csv, icon=":material/download:"),
    Export(
        "comparison.html",
        "Report (HTML)",
        lambda files: comparison_report(files.compared),
        icon=":material/description:",
        help="One file that works offline: every measure, what may be concluded, reliability, "
        "order and time, where the numbers come from, and the command lines.",
    ),
    Export(
        "forecasts.csv",
        "All forecasts (CSV)",
        _forecasts_csv,
        icon=":material/download:",
        help="Every held-out row with its fold, its class, and what every method said.",
    ),
)


@dataclass(frozen=True)
class ValidationFiles:
    """What the files of a validation are written from."""

    model: Model
    found: Validation


def _groups_csv(files: ValidationFiles) -> str:
    """Write every leaf's figures as CSV, text that a spreadsheet would run made harmless."""
    frame = pd.DataFrame([group.to_dict() for group in files.found.groups])
    return str(
        frame.map(lambda cell: csv_text(cell) if isinstance(cell, str) else cell).to_csv(
            index=False
        )
    )


VALIDATION_EXPORTS: tuple[Export[ValidationFiles], ...] = (
    Export(
        "validation.html",
        "Report (HTML)",
        lambda files: validation_report(files.model, files.found),
        icon=":material/description:",
        help="One file that works offline: every figure below, with the tree.",
    ),
    Export(
        "validation.json",
        "Figures (JSON)",
        lambda files: json.dumps(files.found.to_dict(), indent=1, ensure_ascii=False),
        icon=":material/download:",
    ),
    Export(
        "leaves.csv",
        "Leaves as CSV",
        _groups_csv,
        icon=":material/download:",
        is_offered=lambda files: bool(files.found.groups),
    ),
)


def command_lines(run: ComparisonRun) -> list[str]:
    """Write the commands that measure the same, one for every model."""
    plan, source = run.plan, current_source()
    lines: list[str] = []
    for model in plan.models:
        parts = ["probtrees", "compare", source.file_name]
        parts += [
            "--target",
            run.data.schema.target.name,
            *reading_flags(source.reading),
            "--model",
            model,
        ]
        parts += ["--smoothers", ",".join(plan.smoothers)]
        parts += ["--cv", plan.cv] if plan.given is None else ["--folds", plan.given.name]
        if plan.n_repeats > 1:
            parts += ["--repeats", str(plan.n_repeats)]
        if plan.seed:
            parts += ["--seed", str(plan.seed)]
        if plan.as_published:
            parts.append("--as-published")
        if plan.calibrate != "none":
            parts += ["--calibrate", plan.calibrate]
        for owner, name in [("model", model), *((name, name) for name in plan.smoothers)]:
            for option, value in plan.options(name).items():
                parts += ["--set", f"{owner}.{option}={value}"]
        if plan.outside and not lines:
            parts.append("--others")
        if plan.discretizer != DEFAULT_DISCRETIZER and model != "c45":
            parts += ["--discretize", plan.discretizer]
        for option, value in plan.cutting if model != "c45" else ():
            parts += ["--set", f"discretize.{option}={value}"]
        lines.append(" ".join(shlex.quote(part) for part in parts))
    return lines
