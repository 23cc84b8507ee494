"""The command line: ``probtrees COMMAND ...``, also ``python -m probtrees``.

One file per command. A command is imported when it is called, so that asking for help
does not wait for a compiler to load.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any

from probtrees import errors
from probtrees.cli.console import Console, in_options, option_flags
from probtrees.cli.parser import (
    COMMANDS,
    Parser,
    add_shared_options,
    load_command,
    refuse_overwriting,
)
from probtrees.machine.kernel_cache import retry_damaged_kernels
from probtrees.version import __version__

_EXAMPLES = """\
examples:
  probtrees grow titanic.csv --target survived
  probtrees grow titanic.csv --out titanic.json
  probtrees predict titanic.json passengers.csv --out probabilities.csv
  probtrees validate titanic.json new_passengers.csv --report validation.html
  probtrees evaluate titanic.csv --smoother laplace --cv 10
  probtrees compare titanic.csv --model c45
  probtrees app

'probtrees COMMAND --help' lists the options of a command.
"""

BAD_INPUT = 2
INTERRUPTED = 130
BUG = 1


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code.

    0: done. 2: the input or an option is at fault, and one sentence on stderr says how; where
    there are several ways on, they stand in indented lines below it.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    _write_unicode()
    try:
        return retry_damaged_kernels(lambda: _run(arguments))
    except SystemExit as exit:  # argparse, after it printed the help
        return int(exit.code or 0)
    except BrokenPipeError:  # the reader of our output went away, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return _fail("Interrupted.", INTERRUPTED)
    except Exception as problem:
        if os.environ.get("PROBTREES_DEBUG"):
            raise
        return _fail(*_explain(problem))


def _explain(problem: Exception) -> tuple[str, int]:
    """Turn an exception into a sentence and an exit code."""
    if isinstance(problem, errors.ProbTreesError):
        return str(problem), BAD_INPUT
    if isinstance(problem, OSError):
        where = f"file={problem.filename!r} must be usable. " if problem.filename else ""
        return f"{where}{problem.strerror or problem}.", BAD_INPUT
    if isinstance(problem, MemoryError):
        return "The table does not fit into memory. Use fewer rows or columns.", BAD_INPUT
    return (
        f"Something unforeseen happened ({type(problem).__name__}: {problem}). "
        "Set PROBTREES_DEBUG=1 to see where, and please report it."
    ), BUG


def _run(arguments: list[str]) -> int:
    """Find the command, parse its options, and let it work."""
    what = "Smoothed decision trees and Bayesian networks, and their reasons."
    parser = Parser(prog="probtrees", description=what, epilog=_EXAMPLES)
    parser.add_argument("--version", action="version", version=f"probtrees {__version__}")
    commands = "\n".join(f"  {name:<12}{what}" for name, what in COMMANDS.items())
    parser.add_argument("command", metavar="COMMAND", nargs="?", help="one of\n" + commands)
    if not arguments:
        parser.print_help()
        return 0
    if arguments[0].startswith("-"):
        parser.parse_args(arguments[:1])
    if any("\0" in word for word in arguments):
        raise errors.OptionError("arguments must not hold null characters.")
    name = arguments[0]
    if name not in COMMANDS:
        raise errors.OptionError(
            f"command={name!r} must be a command. {errors.did_you_mean(name, COMMANDS)}"
        )
    return _run_command(name, load_command(name), arguments[1:])


def _run_command(name: str, command: Any, arguments: list[str]) -> int:
    """Parse the options of a command and run it, its warnings shown as notes."""
    own = Parser(prog=f"probtrees {name}", description=command.__doc__, epilog=command.EXAMPLES)
    command.add_arguments(own)
    add_shared_options(own)
    flags = option_flags(own)
    try:
        _run_parsed(command, own.parse_args(arguments), flags)
    except errors.ProbTreesError as problem:
        if os.environ.get("PROBTREES_DEBUG"):
            raise
        return _fail(in_options(str(problem), flags), BAD_INPUT)
    return 0


def _run_parsed(command: Any, args: Any, flags: dict[str, str]) -> None:
    console = Console(args.quiet, flags)
    refuse_overwriting(args)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", errors.ProbTreesWarning)
        warnings.showwarning = lambda message, *_, **__: console.note(str(message))
        command.run(args, console)
    console.finish()


def _fail(sentence: str, code: int) -> int:
    print(f"probtrees: {errors.as_sentence(' '.join(sentence.split()))}", file=sys.stderr)
    return code


def _write_unicode() -> None:
    """Let class names of any script through, also where the console knows only some."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="replace")
