"""The options that say how a table is read, shared by all commands that read one."""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Sequence
from typing import Any

from probtrees.cli.console import Console
from probtrees.cli.repeats_option import repeats_word
from probtrees.errors import OptionError, ProbTreesWarning
from probtrees.table.dataset import Dataset
from probtrees.table.describe_repeats import describe_repeats
from probtrees.table.formats.open_table import FORMAT_NAMES
from probtrees.table.read_table import read_table


def add_data_options(parser: argparse.ArgumentParser, *, several: bool = False) -> None:
    """Let a command read a training table; ``several``: it may be spread over files."""
    more: dict[str, Any] = {"nargs": "+"} if several else {}
    what = f"{FORMAT_NAMES} file, also .gz"
    parser.add_argument("data", metavar="DATA", help=what, **more)
    group = parser.add_argument_group("reading the table")
    group.add_argument("--target", metavar="COL", help="column to predict (default: the last)")
    group.add_argument(
        "--role",
        action="append",
        metavar="COL=ROLE",
        help="feature, target, ignore, weight, group (stays in one fold) or\n"
        "time (folds train on the past only); may be repeated",
    )
    group.add_argument(
        "--type",
        action="append",
        metavar="COL=TYPE",
        help="numeric, nominal, boolean, date, text or identifier; may be repeated",
    )
    group.add_argument(
        "--bin-target",
        type=int,
        metavar="N",
        help="cut a numeric target into N classes of about equal size",
    )


def read_data(args: argparse.Namespace, console: Console) -> Dataset:
    """Read the training table a command was given, and note what was decided about it.

    What becomes of copies is told with scores, and in the model's record.
    """
    roles: dict[str, Any] = pairs(args.role, "--role")
    types: dict[str, Any] = pairs(args.type, "--type")
    with console.stage(f"reading {args.data}"), warnings.catch_warnings():
        warnings.simplefilter("ignore", ProbTreesWarning)  # the notes below say the same
        data = read_table(
            args.data,
            args.target,
            roles=roles,
            types=types,
            bin_target=args.bin_target,
            repeats=repeats_word(args),
        )
    copies = describe_repeats(data)
    for sentence in data.provenance.notes:
        if sentence != copies:
            console.note(sentence)
    return data


def pairs(entries: Sequence[str] | None, option: str) -> dict[str, str]:
    """Split ``NAME=VALUE`` entries; a name may itself contain an equals sign.

    >>> pairs(["age=ignore"], "--role")
    {'age': 'ignore'}
    """
    found: dict[str, str] = {}
    for entry in entries or ():
        name, equals, value = entry.rpartition("=")
        if not equals or not name:
            raise OptionError(f"{option} {entry!r} must have the form NAME=VALUE.")
        found[name] = value
    return found
