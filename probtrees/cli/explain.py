"""Say where the answer of a saved model about one row, or in one leaf, comes from.

A shaped tree is taken apart into the steps of its path and the shapes of its columns, which add
up to the answer; a tree is explained by the leaf the row falls into, a network by its tables, a
forest by its columns.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from probtrees.cli.console import Console
from probtrees.cli.data_options import add_model_and_table, layout_for, load
from probtrees.cli.parser import print_result
from probtrees.cli.text_tables import align
from probtrees.draw.node_card import default_outcome
from probtrees.errors import OptionError, did_you_mean
from probtrees.explain import shape_curves
from probtrees.explain.additive import AdditiveExplanation, explain_additively, largest_first
from probtrees.explain.column_parts import ColumnExplanation, explain_columns
from probtrees.explain.leaf import Explanation, explain_leaf
from probtrees.explain.leaf_ranges import leaf_ranges, tree_of_leaves
from probtrees.explain.row import RowExplanation, explain_row
from probtrees.explain.track import interval_words
from probtrees.model.model import Model
from probtrees.model.predict import (
    has_refits,
    predict_interval,
    predict_proba,
    uncalibrated_proba,
)
from probtrees.model.routing import find_leaves
from probtrees.table.dataset import Dataset
from probtrees.table.read_table import read_table, read_to_predict
from probtrees.table.table_report import FORMAT_NAMES
from probtrees.words import percent

EXAMPLES = """\
examples:
  probtrees explain titanic.json --leaf 7
  probtrees explain titanic.json --row sex=female --row class=3rd
  probtrees explain titanic.json --row passenger.csv --json
  probtrees explain titanic.json passengers.csv --row 12 --outcome yes
  probtrees explain titanic.json passengers.csv --row 12 --json
  probtrees explain shaped.json passengers.csv --leaf 7
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    add_model_and_table(
        parser,
        f"""
        data DATA?  {FORMAT_NAMES} file that holds the row
        --row N|COL=VALUE|FILE*  with DATA the number of the row, counted from 1 (default: 1);
            without it a value of the row, may be repeated, others are missing;
            or a file whose first row is meant
        --leaf N  of a tree: the leaf, or another node, by number;
            of a shaped tree or a council, with DATA: what its rows are given and what widens that
        --outcome CLASS  the class to explain (default: the most probable)
        --json  print JSON
        """,
    )


def run(args: argparse.Namespace, console: Console) -> None:
    """Load, read, explain, print."""
    model = load(args, console)
    if args.leaf is not None:
        is_additive = model.kind in ("shaped", "council")
        explain = _explain_leaf_range if is_additive else _explain_leaf
        record, lines = explain(args, model, console)
    else:
        one = _row(args, model, console)
        proba = predict_proba(model, one)[0]
        outcome = _outcome(args.outcome, model, int(np.argmax(proba)))
        record, lines = _explain(model, one, outcome)
        if model.calibration is not None:
            before, method = uncalibrated_proba(model, one)[0], model.calibration.method
            record["calibrated"] = {"method": method, "probability": proba.tolist()}
            lines.append(
                f"The last step, calibration ({method}), makes {percent(float(proba[outcome]))} "
                f"of {percent(float(before[outcome]))}."
            )
    print_result(args, record, "\n".join(lines))


Said = tuple[dict[str, Any], list[str]]
"""An explanation for programs, and its lines for people."""


def _explain_leaf(args: argparse.Namespace, model: Model, console: Console) -> Said:
    """Explain a leaf, or another node, of a tree."""
    if args.data is not None or args.row is not None:
        raise OptionError("--leaf must be given without a row: it is explained for all its rows.")
    outcome = None if args.outcome is None else _outcome(args.outcome, model, 0)
    tree, record = model.tree, model.track_record
    said = explain_leaf(tree, args.leaf, model.schema, outcome, track_record=record)
    return said.to_dict(), _leaf_lines(said)


def _explain_leaf_range(args: argparse.Namespace, model: Model, console: Console) -> Said:
    """Say what a shaped tree or a council gives to the rows of a leaf, which takes the rows."""
    if args.data is None or args.row is not None:
        raise OptionError(
            "--leaf of a shaped tree or a council must go with a table and no row: its rows have "
            "numbers of their own. Name the file it was fitted to."
        )
    data = _read(args, args.data, model, console)
    outcome = _outcome(args.outcome, model, default_outcome(tree_of_leaves(model)))
    (found,) = leaf_ranges(model, data, outcome, args.leaf)
    return found.to_dict(), [found.sentence]


def _leaf_lines(said: Explanation) -> list[str]:
    """Write an explanation out: who is meant, how large, and why."""
    return [said.rule_sentence, f"{said.outcome_name}: {said.sentence}", said.pull]


def _explain(model: Model, one: Dataset, outcome: int) -> Said:
    """Explain the row in the way that the kind of model calls for."""
    if model.kind in ("shaped", "council"):
        shaped = explain_additively(model, one)
        record, lines = shaped.to_dict(), _terms(shaped, outcome)
        if has_refits(model):
            ends = predict_interval(model, one, "row")[0]
            record["interval"] = ends.tolist()
            lines += ["", f"{interval_words('rows', *ends[outcome])}. {shape_curves.MEANING}"]
        if model.kind == "council":
            weights = {one.name: one.weight for one in shape_curves.councillors(model)}
            record["council"] = {"members": list(weights), "weights": list(weights.values())}
            lines += ["", shape_curves.council_sentence(model)]
        return {**record, "sentence": shaped.sentence(outcome)}, lines
    if model.is_network:
        network = explain_row(model, one)
        return network.to_dict(), _tables(network, model, outcome)
    if model.kind != "tree" or model.members[0].routing is not None:
        # Of many trees, or of a row on many paths, no single leaf gives the answer.
        whole = explain_columns(model, one)
        return {**whole.to_dict(), "sentence": whole.sentence(outcome)}, _columns(whole, outcome)
    landing = find_leaves(model.tree.tree, one.values, one.schema.n_values)
    said = [
        explain_leaf(model.tree, int(node), model.schema, outcome, track_record=model.track_record)
        for node in landing.nodes
    ]
    lines = []
    for share, leaf in zip(landing.shares, said, strict=True):
        first, *others = _leaf_lines(leaf)
        part = "" if len(said) == 1 else f"{percent(float(share))} of the row: "
        lines += [part + first, *others]
    records = [leaf.to_dict() for leaf in said]
    return {"shares": landing.shares.tolist(), "leaves": records}, lines


def _terms(found: AdditiveExplanation, outcome: int) -> list[str]:
    """Lay the terms out, the largest first, in log-odds and in percentage points."""
    odds, points = found.log_odds(outcome), 100 * found.ledger(outcome)
    other = found.classes[found.against(outcome)]
    rows = [["", f"log-odds against {other}", "percentage points"]]
    rows.append(["the average row", f"{odds[0]:+z.3f}", f"{points[0]:.2f}"])
    for at in largest_first(found, outcome):
        term = found.terms[at]
        rows.append([term.label, f"{odds[at + 1]:+z.3f}", f"{points[at + 1]:+z.2f}"])
    rows.append(
        [f"together: {found.classes[outcome]}", f"{odds.sum():+z.3f}", f"{points.sum():.2f}"]
    )
    return [found.sentence(outcome), "", *align(rows)]


def _columns(found: ColumnExplanation, outcome: int) -> list[str]:
    """Lay out what every column adds, the largest first, in percentage points."""
    rows = [["", "percentage points"]]
    rows.append(["before any column", f"{100 * found.base[outcome]:.2f}"])
    for at in found.largest_first(outcome):
        added = f"{100 * found.parts[at, outcome]:+z.2f}"
        rows.append([f"{found.columns[at]}: {found.values[at]}", added])
    rows.append([f"together: {found.classes[outcome]}", f"{100 * found.probability[outcome]:.2f}"])
    return [found.sentence(outcome), "", *align(rows)]


def _tables(found: RowExplanation, model: Model, outcome: int) -> list[str]:
    """Lay out what every table of the first network adds to the log-odds."""
    network = found.members[0]
    odds = network.log_odds(outcome)
    order = np.argsort(-np.abs(odds), kind="stable")
    rows = [["", "log-odds"]]
    for at in order:
        table = network.tables[at]
        rows.append([f"{table.name}: {table.value}", f"{odds[at]:+z.3f}"])
    name, chance = model.schema.classes[outcome], percent(float(found.posterior[outcome]))
    several = len(found.members)
    more = [f"Shown is the first of {several} networks."] if several > 1 else []
    return [f"{name}: {chance}", "", *align(rows), *more]


def _row(args: argparse.Namespace, model: Model, console: Console) -> Dataset:
    """Find the row that is meant: of a table, of a file of its own, or given by its values."""
    path, given = args.data, args.row or ["1"]
    if path is None and len(given) == 1 and Path(given[0]).is_file():
        path, given = given[0], ["1"]
    if path is None:
        return _row_of_values(args.row or (), model)
    if len(given) != 1 or not given[0].isdecimal() or int(given[0]) < 1:
        raise OptionError(f"row={', '.join(given)!r} must be the number of one row of the table.")
    data, number = _read(args, path, model, console), int(given[0])
    if number > data.n_rows:
        raise OptionError(f"row={number} must be at most {data.n_rows}, as the table has rows.")
    return data.take(np.array([number - 1]))


def _read(args: argparse.Namespace, path: str, model: Model, console: Console) -> Dataset:
    with console.stage(f"reading {path}"):
        layout = layout_for(model, args)
        data = read_to_predict(path, model.schema, layout)
    for sentence in data.provenance.notes:
        console.note(sentence)
    return data


def _row_of_values(given: Sequence[str], model: Model) -> Dataset:
    """Make a row of the values that were given; all others are missing."""
    names = list(dict.fromkeys(column.source_name for column in model.schema.features))
    values: dict[str, list[str | None]] = {name: [None] for name in names}
    for entry in given:
        name, equals, value = entry.partition("=")
        if not equals:
            raise OptionError(f"row={entry!r} must be COL=VALUE or a file where no table is given.")
        if name not in values:
            advice = did_you_mean(name, names)
            raise OptionError(f"column={name!r} must be a column of the model. {advice}")
        values[name] = [value]
    return read_table(pd.DataFrame(values, dtype=object), schema=model.schema)


def _outcome(given: str | None, model: Model, usual: int) -> int:
    classes = model.schema.classes
    if given is not None and given not in classes:
        advice = did_you_mean(given, classes)
        raise OptionError(f"outcome={given!r} must be a class of the model. {advice}")
    return usual if given is None else classes.index(given)
