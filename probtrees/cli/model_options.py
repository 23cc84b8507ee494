"""The options that say what is grown and how it is smoothed, shared by several commands."""

from __future__ import annotations

import argparse
from typing import Any

from probtrees.errors import OptionError
from probtrees.experiment.model_spec import ModelSpec, make_spec, named_discretizer, named_smoother
from probtrees.experiment.registry import (
    DEFAULT_DISCRETIZER,
    DEFAULT_LEARNER,
    DEFAULT_SMOOTHER,
    DISCRETIZERS,
    LEARNERS,
    SMOOTHERS,
)
from probtrees.smooth.smoothed_tree import Smoother

_LEARNER_OPTIONS = ("missing", "prune", "min_leaf", "max_depth", "k", "size")
"""Options of learners that have a flag of their own; all others go by ``--set``."""


def add_model_options(parser: argparse.ArgumentParser, *, one_smoother: bool = True) -> None:
    """Let a command choose a model, and a smoother unless it tries them all."""
    group = parser.add_argument_group("the model")
    group.add_argument(
        "--model",
        default=DEFAULT_LEARNER,
        metavar="NAME",
        help=f"{', '.join(LEARNERS)} (default: %(default)s)",
    )
    if one_smoother:
        group.add_argument(
            "--smoother",
            metavar="NAME",
            help=f"{', '.join(SMOOTHERS)} (default: {DEFAULT_SMOOTHER})",
        )
    add_growing_options(group)


def add_growing_options(group: Any) -> None:
    """Declare everything about a model but its name and its smoother's."""
    group.add_argument(
        "--missing",
        metavar="value|fraction",
        help="a missing value is a value of its own (default), or its row is split (C4.5)",
    )
    group.add_argument(
        "--prune",
        metavar="METHOD",
        help="none (default), pessimistic or reduced-error",
    )
    group.add_argument("--min-leaf", metavar="N", help="rows that two branches must have (2)")
    group.add_argument("--max-depth", metavar="N", help="most splits above a leaf (no limit)")
    group.add_argument(
        "--no-collapse",
        action="store_true",
        help="keep splits that do not reduce the errors on the training rows",
    )
    group.add_argument(
        "--curtail", metavar="N", type=float, help="answer above nodes with fewer rows than N"
    )
    group.add_argument(
        "--routing",
        metavar="hard|soft",
        default="hard",
        help="whether a row goes down one branch of a tree, or softly down several",
    )
    group.add_argument("--k", metavar="N", help="parents an attribute may have in a network")
    group.add_argument("--size", metavar="N", help="number of members of an ensemble")
    group.add_argument(
        "--discretize",
        metavar="METHOD",
        default=DEFAULT_DISCRETIZER,
        help=f"{', '.join(DISCRETIZERS)}: how networks cut numbers (default: %(default)s)",
    )
    group.add_argument(
        "--as-published",
        action="store_true",
        help="repeat every habit of the program behind the published tables of C4.5 trees",
    )
    group.add_argument(
        "--set",
        action="append",
        metavar="PART.FIELD=VALUE",
        help="any other option: smoother.strength=2, model.confidence=0.1,\n"
        "discretize.n_intervals=5, ...; may be repeated",
    )
    group.add_argument("--seed", type=int, default=0, metavar="N", help="seed of all chance (0)")


def spec_of(args: argparse.Namespace) -> ModelSpec:
    """Make the spec that the options ask for."""
    return spec_with(args, args.model, {**learner_options(args), **settings_for(args, "model")})


def learner_options(args: argparse.Namespace) -> dict[str, Any]:
    """Gather the options of a learner that were given by a flag of their own."""
    options: dict[str, Any] = {
        name: getattr(args, name) for name in _LEARNER_OPTIONS if getattr(args, name) is not None
    }
    if args.no_collapse:
        options["collapse"] = False
    return options


def spec_with(args: argparse.Namespace, model: Any, options: dict[str, Any]) -> ModelSpec:
    """Make the spec of one model: its name with options, or a learner ready-made."""
    return make_spec(
        model,
        options,
        discretizer=named_discretizer(args.discretize, settings_for(args, "discretize"), args.seed),
        routing=args.routing,
        curtail=args.curtail,
        as_published=args.as_published,
        seed=args.seed,
    )


def smoother_of(args: argparse.Namespace, default: str = DEFAULT_SMOOTHER) -> tuple[str, Smoother]:
    """Make the smoother that the options ask for, with its registry name."""
    return named_smoother(args.smoother or default, settings_for(args, "smoother"), args.seed)


def settings_for(args: argparse.Namespace, part: str) -> dict[str, str]:
    """Pick the values that ``--set`` gives to one part: ``PART.FIELD=VALUE``."""
    found = {}
    for entry in args.set or ():
        place, equals, value = entry.partition("=")
        owner, dot, name = place.strip().rpartition(".")
        if not (equals and dot and name):
            raise OptionError(f"--set {entry!r} must have the form smoother.FIELD=VALUE.")
        if owner not in ("model", "smoother", "discretize") and owner not in SMOOTHERS:
            raise OptionError(
                f"--set {entry!r} must begin with 'model.', 'smoother.', 'discretize.' or the "
                "name of a smoother."
            )
        if owner == part:
            found[name.replace("-", "_")] = value
    return found
