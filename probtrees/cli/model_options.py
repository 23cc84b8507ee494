"""The options that decide what is grown and how it is smoothed, shared by several commands."""

from __future__ import annotations

import argparse
from typing import Any

from probtrees.cli.data_options import WAYS
from probtrees.cli.parser import add_field, declare, refuse_together
from probtrees.errors import OptionError
from probtrees.experiment.given_network import given_network
from probtrees.experiment.model_spec import ModelSpec, make_spec, named_smoother
from probtrees.experiment.registry import (
    DEFAULT_DISCRETIZER,
    DEFAULT_LEARNER,
    DEFAULT_SMOOTHER,
    DISCRETIZERS,
    LEARNERS,
    SMOOTHERS,
    make_discretizer,
)
from probtrees.machine.json_file import read_json
from probtrees.model.networks.network_file import open_network
from probtrees.options import OptionField, option_fields
from probtrees.smooth.smoothed_tree import Smoother
from probtrees.table.dataset import Dataset


def add_model_options(parser: argparse.ArgumentParser, *, one_smoother: bool = True) -> None:
    """Let a command choose a model, and a smoother unless it tries them all."""
    group = parser.add_argument_group("the model")
    names = f"{', '.join(LEARNERS)} (default: {DEFAULT_LEARNER})"
    declare(group, f"--model NAME  {names}", model=DEFAULT_LEARNER)
    if one_smoother:
        declare(group, f"--smoother NAME  {', '.join(SMOOTHERS)} (default: {DEFAULT_SMOOTHER})")
    declare(
        group,
        """
        --edits EDITS.json  corrections of a tree or a network by somebody who knows the subject,
            which inner models and folds obey too: see docs/edits.md
        """,
    )
    add_growing_options(group)


def add_growing_options(group: Any) -> None:
    """Declare everything about a model but its name and its smoother's."""
    for field in learner_flags().values():
        if f"--{field.name}" not in group._option_string_actions:  # --missing is about cells too
            add_field(group, field, raw=True)
    for field in option_fields(ModelSpec):
        add_field(group, field)
    names = f"{', '.join(DISCRETIZERS)}: how networks cut numbers (default: {DEFAULT_DISCRETIZER})"
    declare(
        group,
        f"""
        --discretize METHOD  {names}
        --set PART.FIELD=VALUE*  any other option: smoother.strength=2, model.confidence=0.1,
            discretize.n_intervals=5, ...; may be repeated
        """,
        discretize=DEFAULT_DISCRETIZER,
    )


def given_structure(args: argparse.Namespace, data: Dataset) -> tuple[Dataset, ModelSpec]:
    """Make the spec that keeps the network of a file, and the rows under its values."""
    if args.model != DEFAULT_LEARNER:
        raise OptionError("--model must be left out with --structure, which is the model.")
    refuse_together(args, ["--edits"], "--structure", "Its arrows are given.")
    return given_network(data, open_network(args.structure), **_shared_settings(args))


def spec_of(args: argparse.Namespace) -> ModelSpec:
    """Make the spec that the options ask for."""
    given = getattr(args, "smoother", None) or getattr(args, "smoothers", None)
    if given and args.model in LEARNERS and not LEARNERS[args.model].takes_smoother:
        raise OptionError(
            f"smoother={given!r} must be left out for {args.model!r}, which is fitted as a whole."
        )
    options = {**learner_options(args), **settings_for(args, "model")}
    if args.edits is not None:
        options["edits"] = read_json(args.edits, "edits")
    return spec_with(args, args.model, options)


def learner_flags() -> dict[str, OptionField]:
    """List the options of learners that have a flag of their own; all others go by ``--set``.

    Learners share a flag where they have an option of the same name; its help is the first one's.
    """
    found: dict[str, OptionField] = {}
    for entry in LEARNERS.values():
        for field in entry.options:
            if field.flag:
                found.setdefault(field.name, field)
    return found


def learner_options(args: argparse.Namespace) -> dict[str, Any]:
    """Gather the options of a learner that were given by a flag of their own."""
    given = {
        name: getattr(args, name) for name in learner_flags() if getattr(args, name) is not None
    }
    if isinstance(said := given.get("missing"), list):  # texts that mean "no value" are others
        del given["missing"]
        ways = [way for way in said if way in WAYS]
        given |= {"missing": ways[-1]} if ways else {}
    return given


def spec_with(args: argparse.Namespace, model: Any, options: dict[str, Any]) -> ModelSpec:
    """Make the spec of one model: its name with options, or a learner ready-made."""
    return make_spec(model, options, **_shared_settings(args))


def _shared_settings(args: argparse.Namespace) -> dict[str, Any]:
    """Return what a spec holds beside its learner."""
    given = settings_for(args, "discretize")
    return {
        "discretizer": make_discretizer(args.discretize, given, args.seed),
        **{field.name: getattr(args, field.name) for field in option_fields(ModelSpec)},
    }


def smoother_of(args: argparse.Namespace, default: str = DEFAULT_SMOOTHER) -> tuple[str, Smoother]:
    """Make the smoother that the options ask for, with its registry name."""
    return named_smoother(args.smoother or default, settings_for(args, "smoother"), args.seed)


def smoothers_of(args: argparse.Namespace) -> list[tuple[str, Smoother]]:
    """Make the smoothers that ``--smoothers`` names, with their registry names; or all."""
    names = names_in(args.smoothers or ",".join(SMOOTHERS))
    return [named_smoother(name, settings_for(args, name), args.seed) for name in names]


def names_in(text: str) -> list[str]:
    """List names that are written with commas between them."""
    return [name.strip() for name in text.split(",") if name.strip()]


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
