"""Give every row of a table its class probabilities by a saved model.

The output has one column per class, headed by the class names, and one row per row of
the table, in its order. The table may have its columns in any order and more of them;
it needs no class.
"""

from __future__ import annotations

import argparse

from probtrees.cli.console import Console
from probtrees.cli.probability_file import write_probabilities
from probtrees.experiment.load_model import load_model
from probtrees.model.predict import predict_proba
from probtrees.table.formats.open_table import FORMAT_NAMES
from probtrees.table.read_table import read_table

EXAMPLES = """\
examples:
  probtrees predict titanic.json passengers.csv
  probtrees predict titanic.json passengers.csv --out probabilities.csv
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument("model", metavar="MODEL.json", help="written by 'probtrees grow --out'")
    parser.add_argument("data", metavar="DATA", help=f"{FORMAT_NAMES} file, also .gz")
    parser.add_argument("--out", metavar="FILE.csv", help="where to write (default: stdout)")


def run(args: argparse.Namespace, console: Console) -> None:
    """Load, read, predict, write."""
    with console.stage(f"loading {args.model}"):
        model = load_model(args.model)
    with console.stage(f"reading {args.data}"):
        data = read_table(args.data, schema=model.schema)
    with console.stage("predicting"):
        proba = predict_proba(model, data)
    write_probabilities(proba, data, args.out)
