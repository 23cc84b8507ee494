"""The options that decide how a table is read, shared by all commands that read one.

``--repeats`` is two options in one: what becomes of copies of rows, and, where a command cuts rows
into folds, how often it does so.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Sequence
from typing import Any

from probtrees.cli.console import Console
from probtrees.errors import OptionError, ProbTreesWarning
from probtrees.table.dataset import Dataset
from probtrees.table.describe_repeats import describe_repeats
from probtrees.table.formats.open_table import FORMAT_NAMES
from probtrees.table.read_options import HABITS, USUAL_DATE_PARTS, ReadOptions
from probtrees.table.read_table import read_table
from probtrees.table.repeats import REPEATS, Repeats

_COPIES = (
    "copies of rows (identical rows, weights above 1): together (one\n"
    "observation), apart (different cases), auto (together where numbers are\n"
    "measured finely)"
)


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
    group.add_argument(
        "--missing-text",
        action="append",
        metavar="[COL=]TEXT",
        help="a text that means that there is no value, everywhere or in one column;\n"
        "may be repeated",
    )
    group.add_argument(
        "--join",
        action="append",
        metavar="COL",
        help="take values of a column that differ only in case and spaces for one;\n"
        "may be repeated",
    )
    group.add_argument(
        "--date-parts",
        metavar="PARTS",
        help="what to make of a date, separated by commas: days, month, weekday\n"
        f"(default: {','.join(USUAL_DATE_PARTS)})",
    )
    group.add_argument(
        "--cut-target",
        type=float,
        metavar="X",
        help="cut a numeric target into two classes: up to X, and over it",
    )
    add_place_of_table(group)


def add_place_of_table(group: argparse._ArgumentGroup | argparse.ArgumentParser) -> None:
    """Let a command choose the sheet of a workbook, and where in a file the table ends."""
    group.add_argument(
        "--sheet",
        metavar="NAME|N",
        help="sheet of a workbook or file of a zip archive, by name or number (default: the first\n"
        "with a table)",
    )
    group.add_argument(
        "--table",
        type=int,
        metavar="N",
        help="which table of a sheet or a text that holds several, by its number from 1 (default:\n"
        "all as one)",
    )
    group.add_argument(
        "--header-lines",
        type=int,
        default=1,
        metavar="N",
        help="how many lines name the columns (1); two are joined, as in 'group name'",
    )
    group.add_argument(
        "--as-written",
        action="append",
        choices=HABITS,
        help="do nothing about title lines above the names of the columns, a line of\n"
        "totals at the end, or dashes where there is no value; may be repeated",
    )


def layout_of(args: argparse.Namespace) -> ReadOptions:
    """Return where the table stands in its file."""
    return ReadOptions(
        sheet=args.sheet,
        table=args.table,
        header_lines=args.header_lines,
        as_written=tuple(args.as_written or ()),
    )


def read_data(args: argparse.Namespace, console: Console) -> Dataset:
    """Read the training table a command was given, and note what was decided about it.

    What becomes of copies is reported with scores, and in the model's record.
    """
    with console.stage(f"reading {args.data}"), warnings.catch_warnings():
        warnings.simplefilter("ignore", ProbTreesWarning)  # the notes below say the same
        data = read_table(
            args.data,
            args.target,
            bin_target=args.bin_target,
            repeats=repeats_word(args),
            sheet=args.sheet,
            table=args.table,
            cut_target=args.cut_target,
            **said_of_columns(args),
        )
    if args.target is None and "target" not in said_of_columns(args)["roles"].values():
        console.note(f"the last column is the target: {data.schema.target.name!r}.")
    copies = describe_repeats(data)
    for sentence in data.provenance.notes:
        if sentence != copies:
            console.note(sentence)
    return data


def said_of_columns(args: argparse.Namespace) -> dict[str, Any]:
    """Return what was said about columns and cells as arguments of ``read_table``."""
    everywhere = [text for text in args.missing_text or () if "=" not in text]
    missing_in: dict[str, list[str]] = {}
    for entry in args.missing_text or ():
        name, equals, text = entry.partition("=")
        if equals:
            missing_in.setdefault(name, []).append(text)
    given = {
        "roles": pairs(args.role, "--role"),
        "types": pairs(args.type, "--type"),
        "missing_spellings": everywhere,
        "missing_in": missing_in,
        "join_values": args.join or (),
        "as_written": args.as_written or (),
        "header_lines": args.header_lines,
    }
    if args.date_parts is not None:
        given["date_parts"] = [part.strip() for part in args.date_parts.split(",")]
    return given


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


def add_repeats_word(group: argparse._ArgumentGroup) -> None:
    """Let a command that cuts nothing choose what becomes of copies of rows."""
    group.add_argument(
        "--repeats",
        action="append",
        metavar="|".join(REPEATS),
        help=f"{_COPIES};\nfor tables read at once, not with --chunks",
    )


def add_repeats(group: argparse._ArgumentGroup) -> None:
    """Let a command choose how often to cut, or what becomes of copies, or both."""
    group.add_argument(
        "--repeats",
        action="append",
        metavar="N|WORD",
        help=f"N: cut N times, each time differently (1); a word: {_COPIES};\nmay be given twice",
    )


def times_to_cut(args: argparse.Namespace) -> int | None:
    """Return how often to cut the rows; None if it is not given."""
    numbers = [_number(text) for text in args.repeats or () if text not in REPEATS]
    return numbers[-1] if numbers else None


def repeats_word(args: argparse.Namespace) -> Repeats:
    """Return what becomes of copies of rows."""
    words: list[Repeats] = [word for word in REPEATS for text in args.repeats or () if text == word]
    if len(words) > 1 or (args.repeats and len(args.repeats) > 2):
        raise OptionError(f"repeats={args.repeats!r} must be one number, one word, or one of each.")
    return words[0] if words else "auto"


def only_word(args: argparse.Namespace) -> Repeats:
    """Return what becomes of copies, for a command that takes no number."""
    word = repeats_word(args)
    for text in args.repeats or ():
        if text not in REPEATS:
            raise OptionError(f"repeats={text!r} must be auto, together or apart: see --help.")
    return word


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise OptionError(
            f"repeats={text!r} must be a number, or one of {', '.join(REPEATS)}."
        ) from None
