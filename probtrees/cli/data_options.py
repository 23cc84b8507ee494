"""The options that decide how a table is read, shared by all commands that read one.

``--repeats`` is two options in one: what becomes of copies of rows, and, where a command cuts rows
into folds, how often it does so.
"""

from __future__ import annotations

import argparse
import shlex
import textwrap
from collections.abc import Sequence
from typing import Any

from probtrees.cli.console import Console
from probtrees.cli.parser import declare
from probtrees.draw.node_card import default_outcome
from probtrees.errors import OptionError, did_you_mean
from probtrees.experiment.fit import load_model
from probtrees.explain.rule import outcome_number
from probtrees.model.model import Model
from probtrees.report.odd_rows import strange_columns, unknown_words
from probtrees.table.dataset import Dataset
from probtrees.table.encode import CellProblems
from probtrees.table.read_options import ALL_TYPES, ReadOptions, read_steps
from probtrees.table.read_table import read_to_learn
from probtrees.table.repeats import REPEATS, Repeats, describe_repeats
from probtrees.table.table_report import FORMAT_NAMES, suspicious_features

_OF_COLUMNS = {"role": "roles", "type": "types", "rename": "renamed"}
"""Flags that name a column and something of it, and what ``read_table`` calls them."""
_FLAGS = ("target", "steps", "missing", "sheet", "header_lines", "date_order", "encoding")
_FLAGS_OF_CELLS = """
    --steps FILE.json  what changes columns, also without a file: a list such as
        [{"step": "join", "column": "sex"}, {"step": "cut", "classes": 3}]
    --missing [COL=]TEXT*  a text that means that there is no value, everywhere or in
        one column; may be repeated
    --sheet NAME|N  sheet of a workbook or file of a zip archive, by name or number
        (default: the first with a table)
    --header-lines N  how many lines name the columns (default: as found); two are
        joined, as in 'group name'; 0: none does
    --date-order day|month  what comes first in dates like 3/4/2020 where nothing in
        their column says so
    --encoding NAME  encoding of a text, such as cp1251 (default: it is found)
    """
_FLAGS_TO_LEARN = """
    --target COL  column to predict (default: the last)
    --role COL=ROLE*  feature, target, ignore, weight, group (stays in one fold) or time
        (folds train on the past only); may be repeated
    """
_FLAGS_TO_PREDICT = """
    --rename COL=NAME*  a column of the table, and what the model calls it; may be
        repeated
    --not-recorded COL*  a column of the model that the table lacks: take it as not
        recorded in every row; may be repeated
    """
WAYS = ("value", "fraction")
"""What ``--missing`` says of trees instead: how C4.5 treats missing values."""
_COPIES = """copies of rows (identical rows, weights above 1): together (one
    observation), apart (different cases), auto (together where numbers are
    measured finely)"""


def add_data_options(parser: argparse.ArgumentParser, *, several: bool = False) -> None:
    """Let a command read a training table; ``several``: it may be spread over files."""
    more: dict[str, Any] = {"nargs": "+"} if several else {}
    what = f"{FORMAT_NAMES} file, also .gz"
    parser.add_argument("data", metavar="DATA", help=what, **more)
    group = parser.add_argument_group("reading the table")
    types = f"  what a column holds, or how its cells are written: {', '.join(ALL_TYPES)}"
    declare(group, _FLAGS_TO_LEARN)
    declare(group, f"--type COL=TYPE*{textwrap.fill(types, 74, subsequent_indent='    ')}")
    declare(group, _FLAGS_OF_CELLS)


def add_model_and_table(parser: argparse.ArgumentParser, own: str) -> None:
    """Let a command load a saved model, and read a table for it; ``own``: what else it takes."""
    declare(parser, "model MODEL.json  written by 'probtrees grow --out'")
    declare(parser, own)
    declare(parser, _FLAGS_OF_CELLS)
    declare(parser, _FLAGS_TO_PREDICT)
    declare(
        parser,
        """
        --recode COL=TEXT=VALUE*  a text of the table, and the value that the model knows; may be
            repeated
        --convert COL=HOW*  numbers in another unit than the model's: *1000, /10, C-F or F-C; may be
            repeated
        """,
    )


def load(args: argparse.Namespace, console: Console) -> Model:
    """Load the model that a command was given."""
    with console.stage(f"loading {args.model}"):
        return load_model(args.model)


def chosen_outcome(args: argparse.Namespace, model: Model, usual: int | None = None) -> int:
    """Return the class that ``--outcome`` names, by number; else a usual one, else the rarest."""
    if args.outcome is not None:
        return outcome_number(args.outcome, model.schema.classes)
    return default_outcome(model.trees[0].tree) if usual is None else usual


def said_of_table(args: argparse.Namespace, *, to_predict: bool = False) -> dict[str, Any]:
    """Return what was said about a table as arguments of ``read_table``."""
    flags = (*_FLAGS[1:], "rename", "not_recorded") if to_predict else (*_FLAGS, "role", "type")
    given: dict[str, Any] = {}
    for flag in flags:
        value = getattr(args, flag)
        if value is not None and flag in _OF_COLUMNS:
            given[_OF_COLUMNS[flag]] = pairs(value, f"--{flag}")
        elif value is not None:
            given[flag] = tuple(value) if isinstance(value, list) else value
    steps = list(read_steps(given.pop("steps")) if "steps" in given else ())
    steps += _missing_by_column(given)
    if to_predict:
        steps += _recoded(args.recode or ())
        converted = pairs(args.convert, "--convert")
        steps += [{"step": "convert", "column": n, "how": how} for n, how in converted.items()]
    return given | ({"steps": tuple(steps)} if steps else {})


def _missing_by_column(given: dict[str, Any]) -> list[dict[str, Any]]:
    """Make steps of texts that mean "missing" in one column; leave those that do everywhere."""
    entries = given.pop("missing", ())
    everywhere = tuple(text for text in entries if "=" not in text and text not in WAYS)
    if everywhere:
        given["missing"] = everywhere
    by_column: dict[str, list[str]] = {}
    for entry in (entry for entry in entries if "=" in entry):
        ((name, text),) = pairs([entry], "--missing").items()
        by_column.setdefault(name, []).append(text)
    return [{"step": "missing", "column": n, "texts": texts} for n, texts in by_column.items()]


def _recoded(entries: Sequence[str]) -> list[dict[str, Any]]:
    """Make steps of ``COL=TEXT=VALUE`` entries; a text may itself contain an equals sign.

    >>> _recoded(["sex=Male=1", "sex=Female=2"])
    [{'step': 'recode', 'column': 'sex', 'values': {'Male': '1', 'Female': '2'}}]
    """
    found: dict[str, dict[str, str]] = {}
    for entry in entries:
        name, _, rest = entry.partition("=")
        text, equals, value = rest.rpartition("=")
        if not (name and text and equals):
            raise OptionError(
                f"--recode {entry!r} must have the form COL=TEXT=VALUE, such as sex=Male=1."
            )
        found.setdefault(name, {})[text] = value
    return [{"step": "recode", "column": name, "values": pairs} for name, pairs in found.items()]


def layout_for(model: Model, args: argparse.Namespace) -> ReadOptions:
    """Return how a table is read for a model."""
    numbers = [column.source_name for column in model.schema.features if not column.is_nominal]
    for name in pairs(args.convert, "--convert"):
        if name not in numbers:
            advice = did_you_mean(name, numbers)
            raise OptionError(f"column={name!r} must be a column of numbers of the model. {advice}")
    return ReadOptions(**said_of_table(args, to_predict=True), unused=model.unused_columns)


def read_data(args: argparse.Namespace, console: Console) -> Dataset:
    """Read the training table a command was given, and note what was decided about it.

    What becomes of copies is reported with scores, and in the model's record.
    """
    with console.stage(f"reading {args.data}"):
        said = said_of_table(args)
        data = read_to_learn(args.data, ReadOptions(repeats=repeats_word(args), **said))[0]
    if args.target is None and "target" not in said.get("roles", {}).values():
        console.note(f"the last column is the target: {data.schema.target.name!r}.")
    copies = describe_repeats(data)
    for sentence in data.provenance.notes:
        if sentence != copies:
            console.note(sentence)
    if leaks := list(suspicious_features(data)):
        # First, since nobody should look at the tree without it; last, since a tree may be long.
        sentence = leak_sentence(leaks)
        console.warn(sentence)
        console.warn_last("leaks", sentence)
    return data


def note_reading(data: Any, console: Console) -> None:
    """Note what was decided while reading a table, at once or in chunks."""
    for sentence in data.provenance.notes:
        console.note(sentence)


def note_unmatched(
    source: Any,
    model: Model,
    data: Dataset,
    layout: ReadOptions,
    console: Console,
    unreadable: CellProblems | None = None,
    *,
    with_target: bool = False,
) -> None:
    """Note the columns whose values are unknown, all or a few of them."""
    found = unknown_words(source, model, data, layout, unreadable, with_target=with_target)
    for column in found:
        console.note(f"{column.sentence} {column.remedy}")
    named = {column.name for column in found}
    for name, sentence in strange_columns(model, data, unreadable or {}).items():
        if name not in named:
            console.note(sentence)


def leak_sentence(names: Sequence[str]) -> str:
    """Ask about columns that predict the class so well that they may have been known too late."""
    shown = ", ".join(map(repr, names))
    verb, them = f"columns {shown} each predict", "them"
    if len(names) == 1:
        verb, them = f"column {shown} predicts", "it"
    asked = f"{verb} the class almost alone. Known before the outcome?"
    return f"{asked} To leave {them} out, add {leave_out(names)}"


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


def add_repeats(group: argparse._ArgumentGroup, *, cuts: bool) -> None:
    """Let a command choose what becomes of copies of rows, and how often to cut if it does."""
    takes, before, after = "|".join(REPEATS), "", "for tables read at once, not with --chunks"
    if cuts:
        takes, before = "N|WORD", "N: cut N times, each time differently (1); a word: "
        after = "may be given twice"
    declare(group, f"--repeats {takes}*  {before}{_COPIES};\n    {after}")


def times_to_cut(args: argparse.Namespace) -> int | None:
    """Return how often to cut the rows; None if it is not given."""
    numbers = [text for text in args.repeats or () if text not in REPEATS]
    try:
        return int(numbers[-1]) if numbers else None
    except ValueError:
        raise OptionError(
            f"repeats={numbers[-1]!r} must be a number, or one of {', '.join(REPEATS)}."
        ) from None


def repeats_word(args: argparse.Namespace) -> Repeats:
    """Return what becomes of copies of rows."""
    given = args.repeats or ()
    words: list[Repeats] = [word for word in REPEATS for text in given if text == word]
    if len(words) > 1 or len(given) > 2:
        raise OptionError(f"repeats={args.repeats!r} must be one number, one word, or one of each.")
    return words[0] if words else "auto"
