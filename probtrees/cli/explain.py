"""Say where the answer of a saved model about one row, or in one leaf, comes from.

A shaped tree is taken apart into the steps of its path and the shapes of its columns, which add
up to the answer; a tree is explained by the leaf the row falls into, a network by its tables, a
forest by its columns.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from probtrees.cli import data_options
from probtrees.cli.console import Console
from probtrees.cli.parser import align, print_result
from probtrees.errors import OptionError
from probtrees.estimators.explanations import explain_by_parts
from probtrees.estimators.table import rows_under
from probtrees.explain import shape_curves
from probtrees.explain.leaf import explain_leaf
from probtrees.explain.track import interval_words
from probtrees.model.model import Model
from probtrees.model.predict import has_refits, predict_interval, predict_proba, uncalibrated_proba
from probtrees.model.routing import find_leaves
from probtrees.table.dataset import Dataset
from probtrees.table.read_table import read_to_predict
from probtrees.table.table_report import FORMAT_NAMES
from probtrees.words import percent

EXAMPLES = """\
examples:
  probtrees explain titanic.json --leaf 7
  probtrees explain titanic.json --row sex=female --row class=3rd
  probtrees explain titanic.json --row passenger.csv --json
  probtrees explain titanic.json passengers.csv --row 12 --outcome yes
  probtrees explain shaped.json passengers.csv --leaf 7
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    data_options.add_model_and_table(
        parser,
        f"""
        data DATA?  {FORMAT_NAMES} file that holds the row
        --row N|COL=VALUE|FILE*  with DATA the number of the row, counted from 1 (default: 1);
            without it a value of the row, may be repeated, others are missing;
            or a file whose first row is meant
        --leaf N  of a tree: the leaf, or another node, by number
        --outcome CLASS  the class to explain (default: the most probable)
        --json  print JSON
        """,
    )


def run(args: argparse.Namespace, console: Console) -> None:
    """Load, read, explain, print."""
    model = data_options.load(args, console)
    if args.leaf is not None:
        record, lines = _explain_leaf(args, model)
    else:
        one = _row(args, model, console)
        proba = predict_proba(model, one)[0]
        outcome = data_options.chosen_outcome(args, model, int(np.argmax(proba)))
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


def _explain_leaf(args: argparse.Namespace, model: Model) -> Said:
    """Explain a leaf of a tree."""
    if model.kind in ("shaped", "council"):
        raise OptionError(
            "--leaf must be of a plain tree: rows of a leaf of this model have numbers of their "
            "own. Explain a row: DATA --row N."
        )
    if args.row is not None or args.data is not None:
        raise OptionError("--leaf must be given without a row: it is explained for all its rows.")
    chosen = None if args.outcome is None else data_options.chosen_outcome(args, model)
    record = model.track_record
    said = explain_leaf(model.tree, args.leaf, model.schema, chosen, track_record=record)
    return said.to_dict(), [said.rule_sentence, f"{said.outcome_name}: {said.sentence}"]


def _explain(model: Model, one: Dataset, outcome: int) -> Said:
    """Explain the row in the way that the kind of model calls for."""
    if model.kind == "tree" and model.members[0].routing is None:
        return _explain_leaves(model, one, outcome)
    # Of many trees, or of a row on many paths, no single leaf gives the answer.
    found = explain_by_parts(model, one, outcome)
    record = {**found.to_dict(), "sentence": str(found)}
    lines = [str(found), "", *align(found.table())]
    if has_refits(model):
        ends = predict_interval(model, one, "row")[0]
        record["interval"] = ends.tolist()
        lines += ["", f"{interval_words('rows', *ends[outcome])}. {shape_curves.MEANING}"]
    if model.kind == "council":
        weights = {one.name: one.weight for one in shape_curves.councillors(model)}
        record["council"] = {"members": list(weights), "weights": list(weights.values())}
        lines += ["", shape_curves.council_sentence(model)]
    return record, lines


def _explain_leaves(model: Model, one: Dataset, outcome: int) -> Said:
    """Explain the leaves of a tree that a row falls into."""
    landing = find_leaves(model.tree.tree, one.values, one.schema.n_values)
    said = [
        explain_leaf(model.tree, int(node), model.schema, outcome, track_record=model.track_record)
        for node in landing.nodes
    ]
    lines = []
    for share, leaf in zip(landing.shares, said, strict=True):
        part = "" if len(said) == 1 else f"{percent(float(share))} of the row: "
        lines += [part + leaf.rule_sentence, f"{leaf.outcome_name}: {leaf.sentence}"]
    records = [leaf.to_dict() for leaf in said]
    return {"shares": landing.shares.tolist(), "leaves": records}, lines


def _row(args: argparse.Namespace, model: Model, console: Console) -> Dataset:
    """Find the row that is meant: of a table, of a file of its own, or given by its values."""
    path, given = args.data, args.row or ["1"]
    if path is None and len(given) == 1 and Path(given[0]).is_file():
        path, given = given[0], ["1"]
    if path is None:
        return rows_under(model.schema, data_options.pairs(args.row, "--row"))
    if len(given) != 1 or not given[0].isdecimal() or int(given[0]) < 1:
        raise OptionError(f"row={', '.join(given)!r} must be the number of one row of the table.")
    data, number = _read(args, path, model, console), int(given[0])
    if number > data.n_rows:
        raise OptionError(f"row={number} must be at most {data.n_rows}, as the table has rows.")
    return data.take(np.array([number - 1]))


def _read(args: argparse.Namespace, path: str, model: Model, console: Console) -> Dataset:
    with console.stage(f"reading {path}"):
        data = read_to_predict(path, model.schema, data_options.layout_for(model, args))
    data_options.note_reading(data, console)
    return data
