"""Sentences of the library in the words of the command line.

Errors and notes name settings as Python does, ``n_folds=5``. Who reads them in a terminal needs the
option: ``--n-folds 5``.
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
_TYPE = re.compile(r"\(type '([^']+)'\)|\bSet its type to '([^']+)'")
_ROLE = re.compile(r"\b[Gg]ive (?:it|a column) the role '(\w+)'")
_HELD = re.compile(r"\bholds ('[^']*'(?:(?:, | and )'[^']*')*)")
_MISSING = re.compile(r"\b[Tt]reat (?:it|them) as missing\b")
_STEPS = re.compile(r"\bsteps=(\[\{.*?\}\])")


def option_flags(parser: argparse.ArgumentParser) -> dict[str, str]:
    """Return the options of a command by the name that Python has for them."""
    return {
        action.dest: max(action.option_strings, key=len)
        for action in parser._actions
        if action.option_strings
    }


def in_options(sentence: str, flags: Mapping[str, str]) -> str:
    """Name the options of a command in a sentence of the library.

    >>> flags = {"date_order": "--date-order", "type": "--type"}
    >>> in_options("Say date_order='day' if the day comes first.", flags)
    'Say --date-order day if the day comes first.'
    >>> in_options("Column 'a b' looks like days. Read it as dates (type 'date').", flags)
    "Column 'a b' looks like days. Read it as dates (--type 'a b=date')."
    """
    said = _SHAPE.sub(lambda found: f"{flags.get(found[1], found[1])} of shape ", sentence)
    if "steps" in flags:
        said = _STEPS.sub(lambda found: f"{flags['steps']} FILE.json that holds {found[1]}", said)
    said = _SETTING.sub(lambda found: _option(found, flags), said)
    named = _COLUMN.search(said)
    return said if named is None else _of_column(said, ast.literal_eval(named[1]), flags)


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

    held = _HELD.search(said)
    if "missing" in flags and held is not None:
        texts = [ast.literal_eval(text) for text in re.findall(r"'[^']*'", held[1])]
        words = " ".join(option("--missing", f"{column}={text}") for text in texts)
        said = _MISSING.sub(lambda found: f"{found[0]} ({words})", said)
    if "type" in flags:
        said = _TYPE.sub(kind, said)
    if "role" in flags:
        said = _ROLE.sub(role, said)
    return said
