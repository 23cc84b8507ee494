"""The option --repeats: how often to cut anew, and what becomes of copies of rows."""

from __future__ import annotations

import argparse

from probtrees.errors import OptionError
from probtrees.table.repeats import REPEATS, Repeats

_COPIES = (
    "copies of rows (identical rows, weights above 1): together (one\n"
    "observation), apart (different cases), auto (together where numbers are\n"
    "measured finely)"
)


def add_repeats_word(group: argparse._ArgumentGroup) -> None:
    """Let a command that cuts nothing say what becomes of copies of rows."""
    group.add_argument(
        "--repeats",
        action="append",
        metavar="|".join(REPEATS),
        help=f"{_COPIES};\nfor tables read at once, not with --chunks",
    )


def add_repeats(group: argparse._ArgumentGroup) -> None:
    """Let a command say how often to cut anew, or what becomes of copies, or both."""
    group.add_argument(
        "--repeats",
        action="append",
        metavar="N|WORD",
        help=f"N: cut anew N times (1); a word: {_COPIES};\nmay be given twice",
    )


def times_to_cut(args: argparse.Namespace) -> int | None:
    """Return how often to cut anew; None if nothing is said."""
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
