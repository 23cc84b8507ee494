"""Write a saved shaped tree as a points card: whole points to add up by hand, and their risk.

A card is one printed page: lines of the columns and of the tree's groups with their points, the
risk of every sum with its interval, and what whole points lose on rows that were not seen.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from probtrees.cli.console import Console
from probtrees.cli.data_options import add_model_and_table, chosen_outcome, layout_for, load
from probtrees.cli.predict import cost_table
from probtrees.draw.charts.decision_table import acted_words
from probtrees.draw.points_card import points_file
from probtrees.errors import OptionError
from probtrees.experiment.round_to_points import points_loss
from probtrees.experiment.validation.new_table import read_new_rows, with_known_class
from probtrees.explain.points_card import points_card
from probtrees.machine.atomic_file import check_place
from probtrees.model.predict import predict_proba
from probtrees.score.decision import threshold_of_costs

EXAMPLES = """\
examples:
  probtrees grow patients.csv --target ill --model shaped-tree --out model.json
  probtrees points model.json
  probtrees points model.json --out card.html
  probtrees points model.json next_years_patients.csv --costs 5:1 --out card.html
"""

_SUFFIXES = {".html": "html", ".htm": "html", ".svg": "svg", ".txt": "text", ".json": "json"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    add_model_and_table(
        parser,
        """
        data DATA?  rows with their class to measure on what whole points lose (default: rows
            held out when the model was fitted)
        --outcome CLASS  the class whose risk is told (default: the rarest)
        --costs MISS:ALARM  say from how many points on to act, as in 5:1, and of DATA what comes
            of it
        --format text|html|svg|json  how to write it (default: by the name of --out, else text);
            html adds up for one person, offline
        --out FILE  write to a file
        """,
    )


def run(args: argparse.Namespace, console: Console) -> None:
    """Load, measure where rows are given, write."""
    suffix = Path(args.out or "card.txt").suffix.lower()
    format: Any = args.format or _SUFFIXES.get(suffix)
    if format is None:
        raise OptionError(f"out={args.out!r} must end in one of {', '.join(_SUFFIXES)}.")
    check_place(args.out, "out")
    model = load(args, console)
    card = points_card(model, chosen_outcome(args, model))
    if args.costs is not None:
        card = replace(card, act=threshold_of_costs(*chain(*cost_table(args.costs))))
    if args.data is not None:
        with console.stage(f"reading {args.data}"):
            read = read_new_rows(model, args.data, layout_for(model, args))
        data = with_known_class(read)
        card = replace(card, loss=points_loss(card.proba(data), predict_proba(model, data), data))
        if card.act is not None:
            acted, cases = card.risks(card.totals(data)) >= card.act, data.labels == card.outcome
            card = replace(card, acted=acted_words(acted, cases, data.row_weights))
    text = points_file(card, format)
    if args.out is None:
        print(text)
        return
    console.write(args.out, text + "\n", "out")
    print(f"{args.out}: {sum(len(part.lines) for part in card.parts)} lines of points")
