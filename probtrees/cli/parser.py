"""The commands by name, their options, what they print: argparse with errors of one sentence."""

from __future__ import annotations

import argparse
import glob
import importlib
import json
import os
import re
import sys
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from probtrees.errors import OptionError, did_you_mean, instead_of
from probtrees.options import OptionField
from probtrees.words import score_text

_LONGEST_METAVAR = 16

COMMANDS = {
    "grow": "grow a model from a table; show it, draw it, save it",
    "predict": "give every row of a table its class probabilities by a saved model",
    "validate": "hold a saved model against a table it was not learnt from",
    "explain": "say where the answer of a saved model, about a row or in a leaf, comes from",
    "points": "write a saved shaped tree as a points card: whole points to add up by hand",
    "evaluate": "cross-validate one model and smoother",
    "compare": "cross-validate every smoother on the same folds",
    "benchmark": "cross-validate models and smoothers on all data sets of a folder",
    "convert": "write a network as BIF, XMLBIF, XDSL, NET or UAI, or a tree as ONNX",
    "app": "open the web app",
    "lesson": "write the lesson of the app as one HTML file that needs no server",
    "doctor": "say what a bug report needs: versions, kernels, memory, browser",
    "completion": "write the lines that let a shell complete commands and options",
}
"""What each command does, in the order of the help text."""


def load_command(name: str) -> Any:
    """Import a command: its docstring, ``EXAMPLES``, ``add_arguments`` and ``run``."""
    return importlib.import_module(f"probtrees.cli.{name}")


class Parser(argparse.ArgumentParser):
    """An argument parser that raises instead of printing its usage and exiting."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(
            formatter_class=argparse.RawTextHelpFormatter, allow_abbrev=False, **settings
        )

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse, naming an unknown option and the one that was meant."""
        known, unknown = self.parse_known_args(args, namespace)
        for name, value in vars(known).items():
            # What argparse makes of "--option=--".
            if value == [] or (isinstance(value, list) and [] in value):
                self.error(f"--{name.replace('_', '-')} must be followed by a value")
        if unknown:
            options = [option for action in self._actions for option in action.option_strings]
            flags = [word for word in unknown if word.startswith("-")]
            if not flags:
                self.error(f"argument={unknown[0]!r} must not be given here.")
            name = flags[0].partition("=")[0]
            known = [option for option in options if option[:2] == "--"]
            advice = instead_of(name) or did_you_mean(name, known)
            raise OptionError(f"option={name!r} must be an option of '{self.prog}'. {advice}")
        return known

    def error(self, message: str) -> NoReturn:
        """Raise the sentence that argparse would have printed below its usage."""
        sentence = re.sub(r"^argument ([^:]+): ", r"\1: ", message).rstrip(".")
        raise OptionError(f"{sentence}. See '{self.prog} --help'.")


def refuse_together(args: argparse.Namespace, flags: Sequence[str], other: str, why: str) -> None:
    """Refuse options such as ``"--edits"`` that were given although another one excludes them."""
    for flag in flags:
        value = getattr(args, flag.removeprefix("--").replace("-", "_"))
        if value is not None and value is not False:
            raise OptionError(f"{flag} must be left out with {other}. {why}")


_WRITTEN = ("out", "report", "predictions")
_NO_TABLES = (".json", ".json.gz", ".html")


def refuse_overwriting(args: argparse.Namespace) -> None:
    """Refuse to write over a file that the same command reads, by whatever name."""
    given = vars(args)
    for option in _WRITTEN:
        place = given.get(option)
        if place is None or not os.path.isfile(place):
            continue
        for name in given.keys() - set(_WRITTEN):
            words = given[name] if isinstance(given[name], list) else [given[name]]
            if any(isinstance(word, str) and _is_named(place, word, args) for word in words):
                raise OptionError(
                    f"{option}={place!r} must not be a file that is read, which would be lost. "
                    "Name another."
                )


def _is_named(place: str, word: str, args: argparse.Namespace) -> bool:
    """Whether a word of a command names a file; in chunks also by a pattern or a folder."""
    if os.path.isfile(word):
        return os.path.samefile(word, place)
    if not getattr(args, "chunks", False):
        return False
    if os.path.isdir(word):
        below = Path(place).resolve().is_relative_to(Path(word).resolve())
        return below and not place.lower().endswith(_NO_TABLES)
    found = glob.glob(word, recursive=True) if glob.has_magic(word) else []
    return any(os.path.samefile(path, place) for path in found if os.path.isfile(path))


def print_result(args: argparse.Namespace, record: Any, text: str) -> None:
    """Print a result for people, or with ``--json`` its record for programs."""
    if args.json:
        print_json(record)
    else:
        print(text)


def print_json(record: Any) -> None:
    """Print a record for programs; its texts stay as they are, and there is no NaN."""
    print(json.dumps(record, indent=2, ensure_ascii=False, allow_nan=False))


_NUMBER = re.compile(r"$|-$|[-+<>]*[0-9.]")

Rows = list[list[Any]]
"""A table for a terminal, the names of its columns first."""


def align(rows: Sequence[Sequence[Any]]) -> list[str]:
    """Pad cells to columns below their names: columns of numbers to the right, texts to the left.

    >>> align([["class", "rate", ""], ["yes", 0.25, "often"], ["no", None, ""]])
    ['class   rate', 'yes    0.250  often', 'no         -']
    """
    columns = [[cell(entry) for entry in column] for column in zip(*rows, strict=True)]
    padded = []
    for column in columns:
        width, is_right = max(map(len, column)), all(map(_NUMBER.match, column[1:]))
        padded.append([text.rjust(width) if is_right else text.ljust(width) for text in column])
    return ["  ".join(row).rstrip() for row in zip(*padded, strict=True)]


def cell(value: str | float | None) -> str:
    """Write what stands in a table: of a number three digits that count."""
    if value is None or isinstance(value, str):
        return "-" if value is None else value
    if isinstance(value, int):
        return f"{value:,}"
    return score_text(value)


def _number(
    kind: Callable[[str], Any], least: float, most: float, range: str
) -> Callable[[str], Any]:
    """Make a reader of numbers; what lies outside of the range is refused."""

    def read(text: str) -> Any:
        number = kind(text)
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"{text} must be {range}")
        return number

    read.__name__ = kind.__name__  # which argparse names where a text is no number
    return read


_AMOUNT = _number(float, 0, sys.float_info.max, "at least 0, and finite")
_TYPES: dict[str, Any] = {
    "N": _number(int, 0, sys.maxsize, "at least 0"),
    "T": _number(float, 0, 1, "from 0 to 1"),
    "W": _AMOUNT,
    "COST": _AMOUNT,
    "JOBS": _number(int, 1, 256, "from 1 to 256"),
    "PORT": _number(int, 1, 65535, "from 1 to 65535"),
}
_SEVERAL: dict[str, Any] = {"*": {"action": "append"}, "+": {"nargs": "+"}, "?": {"nargs": "?"}}


def declare(group: Any, options: str, **defaults: Any) -> None:
    """Declare options by the lines that describe them.

    A line holds the name of an option, what it takes, and after two blanks what it is for; lines
    that are indented further go on with that. An option that takes nothing is a switch; ``N``
    stands for a whole number from 0 on, other words for numbers as ``_TYPES`` has them, ``a|b``
    for either.
    What ends in ``*`` may be repeated, in ``+`` takes several values, in ``?`` may be left out.

    Parameters
    ----------
    group : a parser or a group of arguments
    defaults : of options that have one

    Examples
    --------
    >>> parser = argparse.ArgumentParser()
    >>> declare(parser, "--levels N  print only N levels")
    >>> parser.parse_args(["--levels", "3"]).levels
    3
    """
    entries: list[list[str]] = []
    for line in textwrap.dedent(options).strip().splitlines():
        if line.startswith(" "):
            entries[-1].append(line.strip())
        else:
            entries.append(re.split(" {2,}", line, maxsplit=1))
    for usage, *words in entries:
        name, _, takes = usage.partition(" ")
        settings: dict[str, Any] = {"help": "\n".join(words).replace("%", "%%")}
        dest = name.removeprefix("--").replace("-", "_")
        if dest in defaults:
            settings["default"] = defaults[dest]
        if takes:
            settings |= _SEVERAL.get(takes[-1], {})
            settings["metavar"] = takes.rstrip("*+?")
            settings["type"] = _TYPES.get(settings["metavar"], str)
            if "|" in takes and takes == takes.lower():
                settings["choices"] = settings["metavar"].split("|")
        else:
            settings["action"] = "store_true"
        group.add_argument(name, **settings)


def add_shared_options(parser: argparse.ArgumentParser) -> None:
    """Declare what every command takes."""
    declare(parser, "--quiet  no progress and no notes on stderr")


def add_field(
    group: Any, field: OptionField, *, flag: str | None = None, raw: bool = False
) -> None:
    """Make a flag of a declared option: its name, what it takes, its help and its default.

    A truth value becomes a switch: ``--as-published``, or ``--no-collapse`` if it is on by default.

    Parameters
    ----------
    group : a parser or a group of arguments
    flag : its name on the command line, if not that of the field
    raw : keep the value as text, None where it is not given: whoever it is for will check it
    """
    dashed = field.name.replace("_", "-")
    text = help_words(field.help)
    if field.kinds == (bool,):
        is_on = bool(field.default)
        group.add_argument(
            flag or (f"--no-{dashed}" if is_on else f"--{dashed}"),
            dest=field.name,
            action="store_const",
            const=not is_on,
            default=None if raw else is_on,
            help=f"do not {text}" if is_on else text,
        )
        return
    names = "A,B" if str in field.kinds else "N"
    metavar = names if field.kinds else "|".join(field.choices)
    if len(metavar) > _LONGEST_METAVAR:
        metavar, text = "METHOD", f"{', '.join(field.choices)}: {text}"
    usual = "no limit" if field.default is None else str(field.default)
    group.add_argument(
        flag or f"--{dashed}",
        dest=field.name if flag is None else flag.strip("-").replace("-", "_"),
        metavar=metavar,
        action=_StoreField,
        field=field,
        raw=raw,
        default=None if raw else field.default,
        help=textwrap.fill(f"{text} ({usual})", 76).replace("%", "%%"),
    )


class _StoreField(argparse.Action):
    """Keep what was given for a field: in its type, or as text for whoever will check it."""

    def __init__(self, *names: Any, field: OptionField, raw: bool, **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.field = field
        self.raw = raw

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: Any = None) -> None:
        """Store the value; what does not fit is refused by the field."""
        if isinstance(values, str) and not self.raw:  # "--option=--" gives a list, refused later
            values = self.field.parse(values)
        setattr(namespace, self.dest, values)


def help_words(text: str) -> str:
    """Write a sentence of a declaration as argparse's help texts are: no capital, no full stop.

    >>> help_words("Rows of a table.")
    'rows of a table'
    """
    first = text.partition(" ")[0]
    keeps_capital = first[1:] != first[1:].lower()  # a name such as C4.5 or HDP
    return (text if keeps_capital else text[:1].lower() + text[1:]).rstrip(".")
