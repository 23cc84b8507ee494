"""Options of a command: argparse with one-sentence errors and suggestions."""

from __future__ import annotations

import argparse
import re
from typing import Any, NoReturn

from probtrees.errors import OptionError, did_you_mean


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
            raise OptionError(
                f"option={name!r} must be an option of '{self.prog}'. "
                f"{did_you_mean(name, [option for option in options if option[:2] == '--'])}"
            )
        return known

    def error(self, message: str) -> NoReturn:
        """Raise the sentence that argparse would have printed below its usage."""
        sentence = re.sub(r"^argument ([^:]+): ", r"\1: ", message).rstrip(".")
        raise OptionError(f"{sentence}. See '{self.prog} --help'.")


def help_words(text: str) -> str:
    """Write a sentence of a declaration as argparse's help texts are: no capital, no full stop.

    >>> help_words("Rows of a table.")
    'rows of a table'
    """
    first = text.partition(" ")[0]
    keeps_capital = first[1:] != first[1:].lower()  # a name such as C4.5 or HDP
    return (text if keeps_capital else text[:1].lower() + text[1:]).rstrip(".")
