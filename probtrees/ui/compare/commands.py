"""The comparison written as command lines."""

from __future__ import annotations

import shlex

from probtrees.experiment.registry import DEFAULT_DISCRETIZER
from probtrees.ui.compare.comparison_run import ComparisonRun
from probtrees.ui.shared.recipe import reading_flags, table_file


def command_lines(run: ComparisonRun) -> list[str]:
    """Write the commands that measure the same, one for every model."""
    plan, lines = run.plan, []
    for model in plan.models:
        parts = ["probtrees", "compare", table_file(run.data)]
        parts += ["--target", run.data.schema.target.name, *reading_flags(), "--model", model]
        parts += ["--smoothers", ",".join(plan.smoothers), "--cv", str(plan.n_folds)]
        if plan.n_repeats > 1:
            parts += ["--repeats", str(plan.n_repeats)]
        if plan.as_published:
            parts.append("--as-published")
        for owner, name in [("model", model), *((name, name) for name in plan.smoothers)]:
            for option, value in plan.options(name).items():
                parts += ["--set", f"{owner}.{option}={value}"]
        if plan.discretizer != DEFAULT_DISCRETIZER and model != "c45":
            parts += ["--discretize", plan.discretizer]
        lines.append(" ".join(shlex.quote(part) for part in parts))
    return lines
