"""Say where the answer of a saved model about one row comes from.

A shaped tree is taken apart into the steps of its path and the shapes of its columns, which add
up to the answer; a tree is explained by the leaf the row falls into, a network by its tables.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from probtrees.cli.console import Console
from probtrees.cli.text_tables import align
from probtrees.errors import DataError, OptionError, did_you_mean
from probtrees.experiment.fit import load_model
from probtrees.explain.additive import AdditiveExplanation, explain_additively, largest_first
from probtrees.explain.leaf import explain_leaf
from probtrees.explain.refit_spread import MEANING, answer_interval, has_refits
from probtrees.explain.row import RowExplanation, explain_row
from probtrees.model.model import Model
from probtrees.model.predict import land, predict_proba, uncalibrated_proba
from probtrees.table.dataset import Dataset
from probtrees.table.formats.open_table import FORMAT_NAMES
from probtrees.table.read_table import read_table
from probtrees.words import percent

EXAMPLES = """\
examples:
  probtrees explain titanic.json --row sex=female --row class=3rd
  probtrees explain titanic.json passengers.csv --row 12 --outcome yes
  probtrees explain titanic.json passengers.csv --row 12 --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument("model", metavar="MODEL.json", help="written by 'probtrees grow --out'")
    parser.add_argument(
        "data", metavar="DATA", nargs="?", help=f"{FORMAT_NAMES} file that holds the row"
    )
    parser.add_argument(
        "--row",
        action="append",
        metavar="N|COL=VALUE",
        help="with DATA the number of the row, counted from 1 (default: 1);\n"
        "without it a value of the row, may be repeated; others are missing",
    )
    parser.add_argument(
        "--outcome", metavar="CLASS", help="the class to explain (default: the most probable)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace, console: Console) -> None:
    """Load, read, explain, print."""
    with console.stage(f"loading {args.model}"):
        model = load_model(args.model)
    one = _row_of_table(args, model, console) if args.data else _row_of_values(args.row, model)
    proba = predict_proba(model, one)[0]
    outcome = _outcome(args.outcome, model, proba)
    record, lines = _explain(model, one, outcome)
    if model.calibration is not None:
        before = uncalibrated_proba(model, one)[0]
        record["calibrated"] = {"method": model.calibration.method, "probability": proba.tolist()}
        lines.append(
            f"The last step, calibration ({model.calibration.method}), makes "
            f"{percent(float(proba[outcome]))} of {percent(float(before[outcome]))}."
        )
    if args.json:
        print(json.dumps(record, indent=2, ensure_ascii=False, allow_nan=False))
    else:
        print("\n".join(lines))


def _explain(model: Model, one: Dataset, outcome: int) -> tuple[dict[str, Any], list[str]]:
    """Explain the row in the way that the kind of model calls for."""
    if model.kind in ("shaped", "council"):
        shaped = explain_additively(model, one)
        record, lines = shaped.to_dict(), _terms(shaped, outcome)
        if has_refits(model):
            ends = answer_interval(model, one)[0]
            record["interval"] = ends.tolist()
            low, high = (percent(float(end)) for end in ends[outcome])
            lines += ["", f"{low} to {high}: {MEANING}"]
        return {**record, "sentence": shaped.sentence(outcome)}, lines
    if model.is_network:
        network = explain_row(model, one)
        return network.to_dict(), _tables(network, model, outcome)
    if model.kind != "tree" or model.members[0].routing is not None:
        raise DataError(
            f"model={model.learner!r} must be a shaped tree, a tree with hard routing or a "
            "network. Of many trees, or of a row on many paths, no single leaf gives the answer."
        )
    landing = land(model.tree.tree, one.values, one.schema.n_values)
    said = [
        explain_leaf(model.tree, int(node), model.schema, outcome, track_record=model.track_record)
        for node in landing.nodes
    ]
    lines = []
    for share, leaf in zip(landing.shares, said, strict=True):
        part = "" if len(said) == 1 else f"{percent(float(share))} of the row: "
        lines += [f"{part}{leaf.rule_sentence}", f"{leaf.outcome_name}: {leaf.sentence}", leaf.pull]
    records = [leaf.to_dict() for leaf in said]
    return {"shares": landing.shares.tolist(), "leaves": records}, lines


def _terms(found: AdditiveExplanation, outcome: int) -> list[str]:
    """Lay the terms out, the largest first, in log-odds and in percentage points."""
    odds, points = found.log_odds(outcome), 100 * found.ledger(outcome)
    other = found.classes[found.against(outcome)]
    rows = [["", f"log-odds against {other}", "percentage points"]]
    rows.append(["the average row", f"{odds[0]:+.3f}", f"{points[0]:.2f}"])
    for at in largest_first(found, outcome):
        term = found.terms[at]
        rows.append([term.label, f"{odds[at + 1]:+.3f}", f"{points[at + 1]:+.2f}"])
    rows.append(
        [f"together: {found.classes[outcome]}", f"{odds.sum():+.3f}", f"{points.sum():.2f}"]
    )
    return [found.sentence(outcome), "", *align(rows)]


def _tables(found: RowExplanation, model: Model, outcome: int) -> list[str]:
    """Lay out what every table of the first network adds to the log-odds."""
    network = found.members[0]
    odds = network.log_odds(outcome)
    order = np.argsort(-np.abs(odds), kind="stable")
    rows = [["", "log-odds"]]
    for at in order:
        table = network.tables[at]
        rows.append([f"{table.name}: {table.value}", f"{odds[at]:+.3f}"])
    name = model.schema.classes[outcome]
    several = len(found.members)
    lines = [f"{name}: {percent(float(found.posterior[outcome]))}", "", *align(rows)]
    if several > 1:
        lines.append(f"Shown is the first of {several} networks.")
    return lines


def _row_of_table(args: argparse.Namespace, model: Model, console: Console) -> Dataset:
    """Read the row with the given number, counted from 1."""
    given = args.row or ["1"]
    if len(given) != 1 or not given[0].isdecimal() or int(given[0]) < 1:
        raise OptionError(f"row={', '.join(given)!r} must be the number of one row of the table.")
    with console.stage(f"reading {args.data}"):
        data = read_table(args.data, schema=model.schema)
    number = int(given[0])
    if number > data.n_rows:
        raise OptionError(f"row={number} must be at most {data.n_rows}, as the table has rows.")
    return data.take(np.array([number - 1]))


def _row_of_values(given: Sequence[str] | None, model: Model) -> Dataset:
    """Make a row of the values that were given; all others are missing."""
    names = list(dict.fromkeys(column.source_name for column in model.schema.features))
    values: dict[str, list[str | None]] = {name: [None] for name in names}
    for entry in given or ():
        name, equals, value = entry.partition("=")
        if not equals:
            raise OptionError(f"row={entry!r} must be COL=VALUE where no table is given.")
        if name not in values:
            advice = did_you_mean(name, names)
            raise OptionError(f"column={name!r} must be a column of the model. {advice}")
        values[name] = [value]
    return read_table(pd.DataFrame(values, dtype=object), schema=model.schema)


def _outcome(given: str | None, model: Model, proba: Any) -> int:
    classes = model.schema.classes
    if given is None:
        return int(np.argmax(proba))
    if given not in classes:
        advice = did_you_mean(given, classes)
        raise OptionError(f"outcome={given!r} must be a class of the model. {advice}")
    return classes.index(given)
