"""Sentences of the library in the words of the command line.

Errors and notes name settings as Python does, ``bin_target=5``, and say what to do in plain words.
Who reads them in a terminal needs the option: ``--bin-target 5``.
"""

from __future__ import annotations

import argparse
import ast
import re
import shlex
from collections.abc import Mapping

_SETTING = re.compile(r"(?<![\w.'-])([a-z]\w*)=('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|-?\w[\w.]*)")
_SHAPE = re.compile(r"\b([a-z]+)\.shape=")
_COLUMN = re.compile(r"""(?i:\bcolumn) ('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""")
_VALUE = re.compile(r"has the value ('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")")
_CODES = re.compile(r" (?:holds|names) (\S+(?: and \S+)*) (?:in [\d,]+ rows, unlike|as a code for)")
_TYPE = re.compile(r"\(type '(\w+)'\)|\bSet its type to '(\w+)'")
_ROLE = re.compile(r"\b[Gg]ive (?:it|a column) the role '(\w+)'")
_MISSING = re.compile(r"\b[Tt]reat it as missing")
_HABIT = re.compile(r"\bTake (?:the )?(\w+) as written")

_OF_ONE_COLUMN = (
    "--numbers-in",
    "--split-numbers",
    "--split-choices",
    "--one-scale",
    "--empty-no",
    "--keep-words",
    "--none-is-zero",
    "--turn-marks",
    "--age",
    "--group",
    "--join",
)


def option_flags(parser: argparse.ArgumentParser) -> dict[str, str]:
    """Return the options of a command by the name that Python has for them."""
    return {
        action.dest: max(action.option_strings, key=len)
        for action in parser._actions
        if action.option_strings
    }


def in_options(sentence: str, flags: Mapping[str, str]) -> str:
    """Name the options of a command in a sentence of the library.

    >>> flags = {"bin_target": "--bin-target", "type": "--type", "missing_text": "--missing-text"}
    >>> in_options("Cut it into classes with bin_target=5, or choose another.", flags)
    'Cut it into classes with --bin-target 5, or choose another.'
    >>> in_options("Column 'a b' looks like days. Read it as dates (type 'date').", flags)
    "Column 'a b' looks like days. Read it as dates (--type 'a b=date')."
    >>> in_options("Column 'x' has the value '?' in 3 rows. Treat it as missing.", flags)
    "Column 'x' has the value '?' in 3 rows. Treat it as missing (--missing-text 'x=?')."
    """
    said = _SHAPE.sub(lambda found: f"{flags.get(found[1], found[1])} of shape ", sentence)
    said = _SETTING.sub(lambda found: _option(found, flags), said)
    named = _COLUMN.search(said)
    if named is not None:
        said = _of_column(said, ast.literal_eval(named[1]), flags)
    if "as_written" in flags:
        said = _HABIT.sub(r"\g<0> (--as-written \1)", said)
    return said


def _option(found: re.Match[str], flags: Mapping[str, str]) -> str:
    """Write one setting as an option, if the command has it."""
    name, value = found.groups()
    if name == "option" and value.strip("'") in flags:
        return flags[value.strip("'")]
    if name not in flags:
        return found[0]
    if value == "True":  # a switch, which has no value
        return flags[name]
    if value[0] in "'\"":
        text = str(ast.literal_eval(value))
        # An empty or an odd text is seen best between its quotes.
        value = text if re.fullmatch(r"[\w.,:%-]+", text) else shlex.quote(text)
    return f"{flags[name]} {value}"


def _of_column(said: str, column: str, flags: Mapping[str, str]) -> str:
    """Name the options that do what a sentence says about a column."""

    def option(flag: str, value: str) -> str:
        return f"{flag} {shlex.quote(value)}"

    def kind(found: re.Match[str]) -> str:
        bare, asked = found.groups()
        words = option("--type", f"{column}={bare or asked}")
        return f"({words})" if bare else f"{found[0]} ({words})"

    def role(found: re.Match[str]) -> str:
        return f"{found[0]} ({option('--role', f'{column}={found[1]}')})"

    if "type" in flags:
        said = _TYPE.sub(kind, said)
    if "role" in flags:
        said = _ROLE.sub(role, said)
    if "join" in flags:
        said = said.replace("Join them if", f"Join them ({option('--join', column)}) if")
    if "missing_text" in flags:
        texts = " ".join(option("--missing-text", f"{column}={t}") for t in _odd_texts(said))
        if texts:
            said = _MISSING.sub(lambda found: f"{found[0]} ({texts})", said)
        anything = f"--missing-text {shlex.quote(column + '=')}TEXT"
        said = said.replace("Treat them as missing", f"Treat them as missing ({anything})")
    for flag in _OF_ONE_COLUMN:
        said = said.replace(f"({flag})", f"({option(flag, column)})")
    return said


def _odd_texts(said: str) -> list[str]:
    """Find the texts that may mean missing in what is said about them."""
    value, codes = _VALUE.search(said), _CODES.search(said)
    if value is not None:
        return [str(ast.literal_eval(value[1]))]
    return [] if codes is None else codes[1].split(" and ")
