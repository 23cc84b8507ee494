"""Hold a saved model against a table it was not learnt from.

Shown are calibration and ranking as a whole and by tenths of the rows, how every column
differs from training, and, leaf by leaf of a tree, whether as many cases came as were
expected. With --re-estimate the numbers of the model are learnt again from the new rows,
its structure kept.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any

from probtrees.cli import data_options
from probtrees.cli.console import Console
from probtrees.cli.parser import Rows, align, declare, print_result
from probtrees.draw.escape import shorten
from probtrees.errors import OptionError
from probtrees.experiment.validation.new_table import read_new_rows, with_known_class
from probtrees.experiment.validation.re_estimate import Gain, gain_of_re_estimating, re_estimate
from probtrees.experiment.validation.validate import Validation, validate
from probtrees.machine.atomic_file import check_place
from probtrees.model.model import Model
from probtrees.report.validation_report import validation_report
from probtrees.table.dataset import Dataset
from probtrees.table.table_report import FORMAT_NAMES
from probtrees.words import count_text, p_text, percent

EXAMPLES = """\
examples:
  probtrees validate titanic.json new_passengers.csv
  probtrees validate titanic.json new_passengers.csv --report validation.html
  probtrees validate titanic.json new_passengers.csv --outcome yes --json
  probtrees validate titanic.json new_passengers.csv --re-estimate --out updated.json
"""

PRIOR_WEIGHTS = (0.0, 0.1, 0.5, 1.0)
"""Weights of old rows that are tried where none is given."""

_MOST_LINES = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    data_options.add_model_and_table(
        parser,
        f"""
        data DATA  {FORMAT_NAMES} file with the classes
        --outcome CLASS  the class of interest (default: the rarest one)
        --role COL=ROLE*  weight, for a column that says how much a row counts
        --json  print JSON
        --report REPORT.html  write a report in one file that works offline
        """,
    )
    declare(
        parser.add_argument_group("learning the numbers again, the structure kept"),
        """
        --re-estimate  measure what that gains on new rows that are left out
        --prior-weight W  what an old row counts beside a new one (default: several are
            tried; 1 for --out)
        --smoother NAME  another smoother than the model's
        --out MODEL.json  save the model with its new numbers
        """,
    )


def run(args: argparse.Namespace, console: Console) -> None:
    """Load, read, compare, print."""
    check_place(args.out, "out")
    check_place(args.report, "report")
    weight = args.prior_weight
    if not args.re_estimate and any(x is not None for x in (weight, args.smoother, args.out)):
        raise OptionError(
            "--re-estimate must be given with --prior-weight, --smoother and --out. Add it."
        )
    model = data_options.load(args, console)
    data = _read(args, model, console)
    with console.stage("validating"):
        found = validate(model, data, outcome=args.outcome)
    gains = _learn_again(args, model, data, console) if args.re_estimate else []
    if args.report is not None:
        console.write(args.report, validation_report(model, found, gains))
    record: dict[str, Any] = {**found.to_dict(), "smoother": model.smoother}
    if args.re_estimate:
        record["re_estimate"] = [gain.to_dict() for gain in gains]
    print_result(args, record, validation_text(found, gains))


def _read(args: argparse.Namespace, model: Model, console: Console) -> Dataset:
    """Read the new rows; a role given replaces those of training."""
    roles: dict[str, Any] = data_options.pairs(args.role, "--role")
    for role in {*roles.values()} - {"weight"}:
        raise OptionError(f"role={role!r} must be weight here. Other roles matter in training.")
    layout = replace(data_options.layout_for(model, args), roles=roles)
    with console.stage(f"reading {args.data}"):
        data = read_new_rows(model, args.data, layout)
    data_options.note_reading(data, console)
    data_options.note_unmatched(args.data, model, data, layout, console, with_target=True)
    return data


def _learn_again(
    args: argparse.Namespace, model: Model, data: Dataset, console: Console
) -> list[Gain]:
    """Measure what learning the numbers again gains, and save the model if asked to."""
    rows = with_known_class(data)
    weights = PRIOR_WEIGHTS if args.prior_weight is None else (args.prior_weight,)
    with console.stage("learning again") as progress:
        gains = gain_of_re_estimating(
            model, rows, prior_weights=weights, smoother=args.smoother, progress=progress
        )
    if args.out is not None:
        weight = 1.0 if args.prior_weight is None else args.prior_weight
        again = re_estimate(model, rows, prior_weight=weight, smoother=args.smoother)
        with console.stage(f"saving {args.out}"):
            again.save(args.out)
    return gains


def validation_text(found: Validation, gains: list[Gain]) -> str:
    """Write what was found for a terminal: sentences, then tables."""
    tables = [_deciles(found)]
    if found.groups:
        tables.append(_groups(found))
    if found.columns is not None:
        names = ["column", "verdict", "what changed"]
        columns = [[shorten(one.name, 40), one.verdict, one.words] for one in found.columns]
        tables.append([names, *columns])
    if gains:
        tables.append(_gains(gains, len(found.classes)))
    parts = ["\n".join(found.sentences), *map(_cut_short, tables)]
    return "\n\n".join(parts)


def _deciles(found: Validation) -> Rows:
    rows: Rows = [
        [f"chance of {found.classes[found.outcome]}", "rows", "said", "came", "95 % interval"]
    ]
    for part in found.deciles:
        label, ends = (
            f"{percent(low)} to {percent(high)}"
            for low, high in ((part.low, part.high), (part.lower, part.upper))
        )
        rows.append([label, part.rows, percent(part.predicted), percent(part.observed), ends])
    return rows


def _groups(found: Validation) -> Rows:
    rows: Rows = [["group", "rows", "expected", "came", "adjusted p", "verdict"]]
    for group in [group for group in found.groups if group.rows > 0]:
        cells = [round(group.rows), f"{group.expected:.1f}", f"{group.observed:.1f}"]
        rows.append([shorten(group.rule, 60), *cells, p_text(group.adjusted_p), group.verdict])
    return rows


def _cut_short(rows: Rows) -> str:
    """Lay a table out, and say below how many rows it does not show."""
    left = len(rows) - 1 - _MOST_LINES
    more = [f"... and {left:,} more; see --json or --report"] if left > 0 else []
    return "\n".join([*align(rows[: _MOST_LINES + 1]), *more])


def _gains(gains: list[Gain], n_classes: int) -> Rows:
    names = ["Brier before", "after", "gain (95 % interval)", "p", ""]
    rows: Rows = [["Learnt again, an old row counts", *names]]
    for gain in gains:
        cells = gain.shown(n_classes)
        rows.append([count_text(gain.prior_weight), *cells, p_text(gain.p_value), gain.verdict])
    return rows
