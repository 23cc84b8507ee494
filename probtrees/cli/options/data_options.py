"""The options that decide how a table is read, shared by all commands that read one.

They are made from the fields of ``ReadOptions``, which hold their flags and help texts.
``--repeats`` is two options in one: what becomes of copies of rows, and, where a command cuts rows
into folds, how often it does so.
"""

from __future__ import annotations

import argparse
import shlex
import textwrap
import warnings
from collections.abc import Sequence
from dataclasses import Field, replace
from typing import Any

from probtrees.cli.console import Console
from probtrees.errors import OptionError, ProbTreesWarning
from probtrees.model.model import Model
from probtrees.table.cells.same_words import plainly_alike
from probtrees.table.dataset import Dataset
from probtrees.table.formats.open_table import FORMAT_NAMES, sheet_as_learnt
from probtrees.table.infer.columns_together.filled_elsewhere import offers_to_fill
from probtrees.table.infer.outcomes.telling_values import columns_with_telling_values
from probtrees.table.infer.outcomes.undecided_outcomes import asks_if_decided
from probtrees.table.infer.outcomes.worked_out import asks_if_worked_out
from probtrees.table.infer.row_weights import asks_to_count
from probtrees.table.infer.text_habits import asks_if_value, asks_to_join
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table
from probtrees.table.repeats import READ_REPEATS, ReadRepeats, describe_repeats
from probtrees.table.table_report import leaking_features, strong_feature

_HELP_WIDTH = 74
_COPIES = (
    "copies of rows (identical rows, weights above 1): together (one\n"
    "observation), apart (different cases), auto (together where numbers are\n"
    "measured finely), once (left out where every cell is the same)"
)


def add_data_options(parser: argparse.ArgumentParser, *, several: bool = False) -> None:
    """Let a command read a training table; ``several``: it may be spread over files."""
    more: dict[str, Any] = {"nargs": "+"} if several else {}
    what = f"{FORMAT_NAMES} file, also .gz"
    parser.add_argument("data", metavar="DATA", help=what, **more)
    _add_flags(parser.add_argument_group("reading the table"), ReadOptions.flags())


def add_place_of_table(parser: argparse.ArgumentParser) -> None:
    """Let a command choose the sheet of a workbook, and where in a file the table stands."""
    _add_flags(parser, ReadOptions.flags(to_predict=True))


def _add_flags(
    group: argparse._ArgumentGroup | argparse.ArgumentParser, options: Sequence[Field[Any]]
) -> None:
    for option in options:
        said = option.metadata
        group.add_argument(
            said["flag"],
            action="append" if said["repeated"] else "store",
            type=said["read"],
            choices=said["choices"],
            metavar=said["metavar"],
            help=textwrap.fill(said["help"], _HELP_WIDTH).replace("%", "%%"),
        )


def said_of_table(args: argparse.Namespace, *, to_predict: bool = False) -> dict[str, Any]:
    """Return what was said about a table as arguments of ``read_table``."""
    given: dict[str, Any] = {}
    for option in ReadOptions.flags(to_predict=to_predict):
        said = option.metadata
        value = getattr(args, said["flag"].removeprefix("--").replace("-", "_"))
        if value is None:
            continue
        if option.name == "missing_spellings":
            given |= _missing_texts(value)
        elif option.name == "recoded":
            given[option.name] = _values_meant(value)
        elif option.default_factory is dict:
            given[option.name] = pairs(value, said["flag"])
        else:
            given[option.name] = tuple(value) if said["repeated"] else value
    return given


def _missing_texts(entries: Sequence[str]) -> dict[str, Any]:
    """Sort texts that mean "missing" by where they do: everywhere, or in one column."""
    missing_in: dict[str, list[str]] = {}
    for name, equals, text in (entry.partition("=") for entry in entries):
        if equals:
            missing_in.setdefault(name, []).append(text)
    everywhere = [text for text in entries if "=" not in text]
    return {"missing_spellings": everywhere, "missing_in": missing_in}


def _values_meant(entries: Sequence[str]) -> dict[str, tuple[tuple[str, str], ...]]:
    """Split ``COL=TEXT=VALUE`` entries by column; a text may itself contain an equals sign.

    >>> _values_meant(["sex=Male=1", "sex=Female=2"])
    {'sex': (('Male', '1'), ('Female', '2'))}
    """
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    for entry in entries:
        name, _, rest = entry.partition("=")
        text, equals, value = rest.rpartition("=")
        if not (name and text and equals):
            raise OptionError(
                f"--recode {entry!r} must have the form COL=TEXT=VALUE, such as sex=Male=1."
            )
        found[name] = (*found.get(name, ()), (text, value))
    return found


def layout_of(args: argparse.Namespace) -> ReadOptions:
    """Return where the table stands in its file."""
    return ReadOptions(**said_of_table(args, to_predict=True))


def layout_for(model: Model, args: argparse.Namespace, data: str) -> ReadOptions:
    """Return where the table stands in its file, with what the model says about it.

    Sheets that were read as one table in training are so again, unless one is named.
    """
    layout = replace(layout_of(args), unused=model.unused_columns)
    sheet = layout.sheet or sheet_as_learnt(data, model.provenance.options.get("sheet"))
    return replace(layout, sheet=sheet)


def read_data(args: argparse.Namespace, console: Console) -> Dataset:
    """Read the training table a command was given, and note what was decided about it.

    What becomes of copies is reported with scores, and in the model's record.
    """
    with console.stage(f"reading {args.data}"), warnings.catch_warnings():
        warnings.simplefilter("ignore", ProbTreesWarning)  # the notes below say the same
        said = said_of_table(args)
        data = read_table(args.data, repeats=repeats_word(args), **said)
    if args.target is None and "target" not in said.get("roles", {}).values():
        console.note(f"the last column is the target: {data.schema.target.name!r}.")
    copies, notes = describe_repeats(data), data.provenance.notes
    target = data.schema.target.source_name
    for sentence in notes:
        if _changes_all_numbers(sentence, target):
            console.warn(sentence)
            console.warn_last(sentence, sentence)
        elif sentence != copies:
            console.note(sentence)
    alike = plainly_alike(data.schema.target.categories or ())
    if alike and not any(asks_to_join(sentence, target) for sentence in notes):
        console.warn(alike_sentence(target, alike))
        console.warn_last("alike", alike_sentence(target, alike))
    leaks = leaking_features(data)
    if leaks:
        # First, since nobody should look at the tree without it; last, since a tree may be long.
        console.warn(leaks_sentence(leaks))
        console.warn_last("leaks", leaks_sentence(leaks))
    strong = strong_feature(data)
    if strong and not any(asks_to_count(sentence, strong) for sentence in notes):
        console.warn(strong_sentence(strong))
        console.warn_last("strong" if leaks else "leaks", strong_sentence(strong))
    for name, sentence in columns_with_telling_values(data, but=(*leaks, strong or "")).items():
        console.warn(
            f"was column {name!r} known before the outcome? {sentence} To leave it out, add "
            f"{leave_out([name])}"
        )
    return data


def _changes_all_numbers(note: str, target: str) -> bool:
    """Whether a note asks what all numbers hang on: what is counted, and what was known."""
    is_of_outcomes = asks_to_join(note, target) or asks_if_value(note, target)
    is_of_rows = asks_to_count(note) or offers_to_fill(note)
    return is_of_outcomes or is_of_rows or asks_if_worked_out(note) or asks_if_decided(note)


def alike_sentence(target: str, alike: Sequence[Sequence[str]]) -> str:
    """Say which classes differ in nothing but their spelling, with the option that joins them."""
    shown = "; ".join(" and ".join(map(repr, texts)) for texts in alike)
    return (
        f"classes of {target!r} that differ only in case, spaces or a final dot are told apart: "
        f"{shown}. The app joins such classes; this command does not. To join them, add --join "
        f"{shlex.quote(target)}"
    )


def leaks_sentence(names: Sequence[str]) -> str:
    """Say which columns almost alone predict the class, with the options that leave them out."""
    them = "it" if len(names) == 1 else "them"
    shown = ", ".join(map(repr, names))
    verb = f"column {shown} predicts" if len(names) == 1 else f"columns {shown} each predict"
    known = "Was it" if len(names) == 1 else "Were they"
    return (
        f"{verb} the class almost alone. {known} known before the outcome? The app leaves such "
        f"columns out; this command uses {them}. To leave {them} out, add {leave_out(names)}"
    )


def strong_sentence(name: str) -> str:
    """Ask about a column that predicts the class far better than any other, which may be right."""
    return (
        f"column {name!r} predicts the class far better than any other. Was it known before the "
        f"outcome? The app asks so, and uses it as this command does. To leave it out, add "
        f"{leave_out([name])}"
    )


def leave_out(names: Sequence[str]) -> str:
    """Write the options that leave columns out.

    >>> leave_out(["refund", "err code"])
    "--role refund=ignore --role 'err code=ignore'"
    """
    return " ".join(f"--role {shlex.quote(f'{name}=ignore')}" for name in names)


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
        metavar="|".join(READ_REPEATS),
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
    numbers = [_number(text) for text in args.repeats or () if text not in READ_REPEATS]
    return numbers[-1] if numbers else None


def repeats_word(args: argparse.Namespace) -> ReadRepeats:
    """Return what becomes of copies of rows."""
    words: list[ReadRepeats] = [
        word for word in READ_REPEATS for text in args.repeats or () if text == word
    ]
    if len(words) > 1 or (args.repeats and len(args.repeats) > 2):
        raise OptionError(f"repeats={args.repeats!r} must be one number, one word, or one of each.")
    return words[0] if words else "auto"


def only_word(args: argparse.Namespace) -> ReadRepeats:
    """Return what becomes of copies, for a command that takes no number."""
    word = repeats_word(args)
    for text in args.repeats or ():
        if text not in READ_REPEATS:
            raise OptionError(
                f"repeats={text!r} must be auto, together, apart or once: see --help."
            )
    return word


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise OptionError(
            f"repeats={text!r} must be a number, or one of {', '.join(READ_REPEATS)}."
        ) from None
