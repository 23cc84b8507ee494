"""Write the lines that let a shell complete commands and options.

For bash, put this into ~/.bashrc: eval "$(probtrees completion bash)".
"""

from __future__ import annotations

import argparse
from typing import Any

import shtab

from probtrees.cli.console import Console
from probtrees.cli.parser import COMMANDS, Parser, add_shared_options, load_command
from probtrees.experiment.registry import DISCRETIZERS, LEARNERS, SMOOTHERS

_FILES = ("DATA", "FILE", "MODEL", "NET", "OUT")
_FOLDERS = ("DIR",)
_NAMES = {"model": LEARNERS, "smoother": SMOOTHERS, "discretize": DISCRETIZERS}

EXAMPLES = """\
examples:
  eval "$(probtrees completion bash)"
  probtrees completion zsh > ~/.zfunc/_probtrees
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument("shell", choices=shtab.SUPPORTED_SHELLS, help="the shell to write for")


def run(args: argparse.Namespace, console: Console) -> None:
    """Gather the options of every command and print the script."""
    print(shtab.complete(_all_commands(), args.shell))


def _all_commands() -> argparse.ArgumentParser:
    """Make one parser that has every command below it, as shtab expects."""
    whole = argparse.ArgumentParser(prog="probtrees")
    below = whole.add_subparsers(parser_class=Parser)
    for name, words in COMMANDS.items():
        parser = below.add_parser(name, help=words)
        load_command(name).add_arguments(parser)
        add_shared_options(parser)
        for action in parser._actions:
            _say_what_fits(action)
    return whole


def _say_what_fits(action: Any) -> None:
    """Let the shell offer names where names are known, and files where a file is meant."""
    if action.metavar in _FILES or "." in (action.metavar or ""):
        action.complete = shtab.FILE
    elif action.metavar in _FOLDERS:
        action.complete = shtab.DIRECTORY
    elif action.option_strings and action.dest in _NAMES:
        action.choices = list(_NAMES[action.dest])
    elif getattr(action, "field", None) is not None and action.field.choices:
        action.choices = list(action.field.choices)
