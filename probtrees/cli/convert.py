"""Write a model as a file of other programs: a network as BIF and others, a tree as ONNX.

Names and values of networks are written as identifiers that every program reads; the true ones,
and where numbers are cut, stand in properties and in a file beside it.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from probtrees.cli.console import Console
from probtrees.cli.parser import declare, print_result
from probtrees.draw.code.rules_as_code import hard_tree
from probtrees.draw.code.tree_as_onnx import tree_onnx
from probtrees.errors import OptionError
from probtrees.experiment.fit import load_model
from probtrees.machine.atomic_file import check_place
from probtrees.model.networks import network_file
from probtrees.model.networks.dense_network import DenseNetwork, dense_network
from probtrees.words import plural

EXAMPLES = """\
examples:
  probtrees convert heart.json heart.bif
  probtrees convert heart.json heart.xdsl
  probtrees convert ensemble.json third.bif --member 3
  probtrees convert theirs.net ours.bifxml
  probtrees convert tree.json tree.onnx
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    suffixes = ", ".join(network_file.NETWORK_SUFFIXES)
    declare(
        parser,
        f"""
        model MODEL  a network or a tree saved by 'probtrees grow --out', or
            {suffixes}
        out OUT  ends in {suffixes}; of a tree in .onnx
        --member N  which network of an ensemble, from 1
        --json  print JSON
        """,
    )


def run(args: argparse.Namespace, console: Console) -> None:
    """Read, write the tables or the tree out, save."""
    if args.out.lower().endswith(".onnx"):
        _write_onnx(args, console)
        return
    format = network_file.network_format(args.out)
    check_place(args.out, "out")
    with console.stage(f"reading {args.model}"):
        network = _read(args)
    with console.stage(f"writing {args.out}"):
        names = network_file.save_network(network, args.out)
    n_variables, n_cells = len(network.variables), sum(t.probs.size for t in network.tables)
    record = {"out": args.out, "format": format.label, "variables": n_variables}
    print_result(
        args,
        {**record, "numbers": n_cells, "digits": format.digits, "names": str(names)},
        f"{args.out}: {format.label}, {n_variables} variables, {n_cells:,} numbers of "
        f"{format.digits} digits; true names in {names}",
    )


def _write_onnx(args: argparse.Namespace, console: Console) -> None:
    if args.member is not None:
        raise OptionError("--member must be left out: an ONNX file holds a single tree.")
    check_place(args.out, "out")
    with console.stage(f"reading {args.model}"):
        model = load_model(args.model)
    content = tree_onnx(hard_tree(model), model.schema).SerializeToString()
    console.write(args.out, content, "out")
    n_nodes, n_inputs = model.tree.tree.n_nodes, len(model.schema.features)
    print_result(
        args,
        {"out": args.out, "format": "ONNX", "nodes": n_nodes, "inputs": n_inputs},
        f"{args.out}: ONNX, {plural(n_nodes, 'nodes')}, {plural(n_inputs, 'inputs')}",
    )


def _read(args: argparse.Namespace) -> DenseNetwork:
    """Take one network out of a model, or open a network's file."""
    if Path(args.model).suffix.lower() in network_file.NETWORK_SUFFIXES:
        return network_file.open_network(args.model)
    model = load_model(args.model)
    if model.calibration is not None:
        raise OptionError(
            f"model={args.model!r} must not be calibrated: such a file holds tables only. Grow it "
            "without --calibrate."
        )
    if args.member is None and len(model.members) > 1 and model.is_network:
        raise OptionError(
            f"--member must say which of the {len(model.members)} networks of the ensemble to "
            "write: a file of this kind holds one."
        )
    return dense_network(model, 0 if args.member is None else args.member - 1)
