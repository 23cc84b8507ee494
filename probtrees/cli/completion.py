"""Write the lines that let a shell complete commands and options.

For bash, put this into ~/.bashrc: eval "$(probtrees completion bash)".
"""

from __future__ import annotations

import argparse

import shtab

from probtrees.cli.commands import COMMANDS, load_command
from probtrees.cli.console import Console
from probtrees.cli.parser import Parser

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
        load_command(name).add_arguments(below.add_parser(name, help=words))
    return whole
