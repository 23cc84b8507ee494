"""Every option of every algorithm and command at its borders and beyond."""

import argparse
import math
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from probtrees.cli.parser import COMMANDS, Parser, load_command
from probtrees.errors import ProbTreesError
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.registry import DISCRETIZERS, LEARNERS, SMOOTHERS, Entry
from probtrees.model.predict import predict_proba
from probtrees.options import OptionField
from tests.small_tables import QUICK, patients, write_csv
from tests.trust.bad_files import BadFile
from tests.trust.journey import (
    PatienceOver,
    Step,
    check_probabilities,
    check_sentence,
    impatient,
    run_command,
    saved_model,
    strictly,
)

_TYPES: tuple[Any, ...] = (
    None, True, False, "", " ", "x", "1", "1e400", "nan", "none", b"1", [], [1], {}, (), 1j,
    object(), math.nan, math.inf, -math.inf, np.float64(0.5), np.int64(3), np.array(2),
    np.array([1, 2]),
)  # fmt: skip
_NUMBERS: tuple[Any, ...] = (
    0, -0.0, 1, 2, 3, 100, 0.5, 1.5, -1, -1e308, 5e-324, 1e-300, 1e300, 1.7e308, 2**31 - 1, 2**31,
    2**53, 2**63 - 1, 2**63, 10**30, 10**400,
)  # fmt: skip
WORDS = (
    "", " ", "0", "-1", "1", "2", "1.5", "1e400", "nan", "inf", "-inf", "2147483648", "1" * 30,
    "9" * 5000, "x", "none", "true", "a=b", "a=ignore", "state=target", "age=numeric", "=", "a=",
    "=b", "../../x", "/dev/null", "/", ".", "\0", "\n", "🙂", "--", "-", "%s", "$(id)", "c45,nb",
    "smoother.strength=2", "model.k=-1", "smoother.=", ".x=1", "hdp.n_iterations=2", "soft", "kdb",
    "fraction", "laplace", "text",
)  # fmt: skip

_REGISTRIES: dict[str, dict[str, Entry]] = {
    "learner": LEARNERS, "smoother": SMOOTHERS, "discretizer": DISCRETIZERS,
}  # fmt: skip

FEW = {"cluster": ("", "x", "\n", "tcp://127.0.0.1:1")}
"""Options whose words are addresses: each wrong one is waited for."""


def values_for(field: OptionField) -> list[Any]:
    """List values of all types, and numbers around the borders of a field."""
    around: list[Any] = []
    for border in (field.minimum, field.above, field.maximum):
        if border is not None:
            around += [border, border - 1, border + 1]
            around += [math.nextafter(border, -math.inf), math.nextafter(border, math.inf)]
    return [*_TYPES, *_NUMBERS, *around, *field.choices]


@cache
def algorithm_cases() -> list[tuple[str, str, str, Any]]:
    """List (registry, algorithm, option, value)."""
    return [
        (kind, name, field.name, value)
        for kind, registry in _REGISTRIES.items()
        for name, entry in registry.items()
        for field in entry.options
        for value in values_for(field)
    ]


def algorithm_journey(file: BadFile, chance: random.Random, folder: Path, step: Step) -> str:
    """Make the algorithm; if it accepts the value, it must work with it."""
    kind, name, field, value = algorithm_cases()[int(file.name) % len(algorithm_cases())]
    others = {n: v for n, v in QUICK.get(name, {}).items() if n != field}
    step(f"{name}.{field}={value!r}"[:200])
    data = patients(30)
    with strictly():
        try:
            algorithm = _REGISTRIES[kind][name].make({**others, field: value})
            if kind == "smoother":
                model = grow_model(data, "c45").smooth(algorithm, progress=impatient())
            elif kind == "learner":
                model = grow_model(data, algorithm, progress=impatient()).smooth("laplace")
            else:
                model = grow_model(data, "nb", discretizer=algorithm).smooth("laplace")
            check_probabilities(predict_proba(model, data), data.n_rows, data.n_classes)
        except ProbTreesError as problem:
            check_sentence(problem)
            return "sentence"
        except PatienceOver:
            return "result"
    return "result"


def _actions(command: str) -> Iterator[argparse.Action]:
    parser = Parser(prog=command)
    load_command(command).add_arguments(parser)
    yield from (action for action in parser._actions if action.dest != "help")


@cache
def command_cases() -> list[tuple[str, str, str | None]]:
    """List (command, option, word); None for an option that takes no word."""
    return [
        (command, action.option_strings[0] if action.option_strings else "", word)
        for command in COMMANDS
        if command != "app"
        for action in _actions(command)
        for word in ((None,) if action.nargs == 0 else FEW.get(action.dest, WORDS))
    ]


def command_journey(file: BadFile, chance: random.Random, folder: Path, step: Step) -> str:
    """Run a command with one odd word among ordinary ones."""
    command, option, word = command_cases()[int(file.name) % len(command_cases())]
    table = write_csv(patients(30), folder / "patients.csv")
    arguments = {
        "grow": ["grow", str(table), "--smoother", "laplace"],
        "evaluate": ["evaluate", str(table), "--smoother", "laplace", "--cv", "2"],
        "compare": ["compare", str(table), "--cv", "2", "--set", "hdp.n_iterations=20"],
        "predict": ["predict", str(saved_model(folder)), str(table)],
        "benchmark": ["benchmark", str(folder), "--smoothers", "mle,laplace", "--cv", "2"],
    }.get(command, [command, str(table)])
    if not option and word is not None:
        arguments[1] = word
    else:
        arguments += [option] if word is None else [f"{option}={word}"]
    if option in ("--out", "--report", "--predictions") and word is not None:
        arguments[-1] = f"{option}={folder}/{word}"
    step(" ".join(arguments).replace(str(folder), "DIR")[:200])
    return run_command(arguments)
