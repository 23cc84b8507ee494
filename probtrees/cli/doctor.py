"""Say what a bug report needs to say: versions, where kernels are kept, memory, browser.

Nothing is changed, and nothing is asked outside this machine.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import sys
import webbrowser
from importlib import metadata

from probtrees.cli.console import Console
from probtrees.cli.parser import declare, print_result
from probtrees.experiment.warm_up import PARTS
from probtrees.machine.kernel_cache import VARIABLE, marks_kept
from probtrees.machine.limits import machine_memory, shown_bytes
from probtrees.version import __version__

EXAMPLES = """\
examples:
  probtrees doctor
  probtrees doctor --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    declare(parser, "--json  print JSON")


def run(args: argparse.Namespace, console: Console) -> None:
    """Look and print."""
    found = findings()
    width = max(map(len, found))
    text = "\n".join(f"{name:<{width}}  {value}" for name, value in found.items())
    print_result(args, found, text)


def findings() -> dict[str, str | int]:
    """Return what there is, by name."""
    found: dict[str, str | int] = {
        "probtrees": __version__,
        "Python": f"{platform.python_version()} ({sys.executable})",
        "machine": f"{platform.system()} {platform.release()}, {platform.machine()}",
        "cores": os.cpu_count() or 1,
        "memory": shown_bytes(machine_memory()),
        "kernels are kept in": os.environ.get(VARIABLE) or "no folder: none can be trusted",
        "kernels": _kernels(),
        "browser": _browser(),
    }
    return found | _packages()


def _kernels() -> str:
    if os.environ.get("NUMBA_DISABLE_JIT") == "1":
        return "not compiled: NUMBA_DISABLE_JIT is set, everything is slow"
    kept = marks_kept().intersection(PARTS)
    return f"compiled for {' and '.join(sorted(kept))}" if kept else "compiled when first needed"


def _browser() -> str:
    try:
        return str(webbrowser.get().name)
    except (webbrowser.Error, AttributeError):
        return "none found: open the address that 'probtrees app' prints yourself"


def _packages() -> dict[str, str]:
    """Return the versions of what probtrees asks for, without what only extras need."""
    try:
        wanted = metadata.requires("probtrees") or []
    except metadata.PackageNotFoundError:  # run from a checkout that is not installed
        return {}
    names = [re.split(r"[^\w.-]", line)[0] for line in wanted if "extra ==" not in line]
    found = {each.name.lower(): each.version for each in metadata.distributions()}
    gone = "missing: install probtrees again"
    return {name: found.get(name.lower(), gone) for name in sorted(names, key=str.lower)}
