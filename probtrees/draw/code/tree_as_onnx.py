"""A tree as an ONNX graph, which onnxruntime and many servers answer by without this package.

Every column is an input of its own, as pipelines of scikit-learn have it: numbers as doubles,
categories as strings; NaN and the empty string are missing. A value that leads nowhere in the tree
(missing, or never met, where it has no branch) would go to all branches at once; a graph has no
short form for that and answers NaN. Numbers that mean missing must be NaN too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from probtrees.draw.code.rules_as_code import SLACK, Split
from probtrees.errors import OptionError
from probtrees.grow.count_tree import CountTree
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Column, Schema
from probtrees.version import __version__

_UNKNOWN, _MISSING = -1.0, -2.0
"""Codes of categories that are none."""

_OPSET, _ML_OPSET, _IR = 17, 3, 8
"""Versions that programs have read since 2022."""

Branch = tuple[str, float, bool, int | None]
"""How a value is compared, with what, whether NaN passes, and the child; None: no answer."""


def tree_onnx(smoothed: SmoothedTree, schema: Schema) -> Any:
    """Write a hard-routed tree as ``onnx.ModelProto`` with outputs label and probabilities.

    Parameters
    ----------
    smoothed, schema : the tree and its columns, as
        :func:`~probtrees.draw.code.rules_as_code.hard_tree` gives it
    """
    try:
        # Imported here: it takes long to load, and few need it.
        from onnx import TensorProto, helper  # noqa: PLC0415
    except ImportError:
        raise OptionError(
            "ONNX must be left out until onnx is installed: pip install 'probtrees[onnx]'."
        ) from None
    fresh = _fresh_names([column.name for column in schema.features])
    label, proba, table = map(fresh, ("label", "probabilities", "table"))
    inputs, nodes, columns = [], [], []
    for column in schema.features:
        kind = TensorProto.STRING if column.is_nominal else TensorProto.DOUBLE
        inputs.append(helper.make_tensor_value_info(column.name, kind, [None, 1]))
        columns.append(column.name)
        if column.is_nominal:
            code, columns[-1] = fresh("code"), fresh("number")
            nodes.append(_encoder(helper, column, code))
            nodes.append(helper.make_node("Cast", [code], [columns[-1]], to=TensorProto.DOUBLE))
    nodes.append(helper.make_node("Concat", columns, [table], axis=1))
    tests = _attributes(helper, TensorProto.DOUBLE, smoothed, schema)
    regressor = "TreeEnsembleRegressor"
    nodes.append(helper.make_node(regressor, [table], [proba], domain="ai.onnx.ml", **tests))
    nodes += _label_nodes(helper, fresh, proba, label, schema.classes)
    outputs = [
        helper.make_tensor_value_info(label, TensorProto.STRING, [None]),
        helper.make_tensor_value_info(proba, TensorProto.FLOAT, [None, len(schema.classes)]),
    ]
    no_class = helper.make_tensor("no_class", TensorProto.INT64, [], [-1])
    graph = helper.make_graph(nodes, "tree", inputs, outputs, [no_class])
    return _model(helper, graph, schema)


def _model(helper: Any, graph: Any, schema: Schema) -> Any:
    """Put a graph into a model that names its versions and classes."""
    opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid("ai.onnx.ml", _ML_OPSET)]
    model = helper.make_model(
        graph,
        opset_imports=opsets,
        ir_version=_IR,
        producer_name="probtrees",
        producer_version=__version__,
    )
    said = {"target": schema.target.name}
    said |= {f"class {number}": name for number, name in enumerate(schema.classes)}
    helper.set_model_props(model, said)
    return model


def _encoder(helper: Any, column: Column, out: str) -> Any:
    """Turn the names of categories into codes."""
    codes = {**dict.fromkeys(("", *column.reading.missing), _MISSING), **column.codes}
    return helper.make_node(
        "LabelEncoder",
        [column.name],
        [out],
        domain="ai.onnx.ml",
        keys_strings=list(codes),
        values_floats=list(map(float, codes.values())),
        default_float=_UNKNOWN,
    )


def _label_nodes(
    helper: Any, fresh: Callable[[str], str], proba: str, label: str, classes: Sequence[str]
) -> list[Any]:
    """Name the most probable class; the empty string where there is no answer."""
    best, total, none, chosen = map(fresh, ("best", "total", "none", "chosen"))
    return [
        helper.make_node("ArgMax", [proba], [best], axis=1, keepdims=0),
        helper.make_node("ReduceMean", [proba], [total], axes=[1], keepdims=0),
        helper.make_node("IsNaN", [total], [none]),
        helper.make_node("Where", [none, "no_class", best], [chosen]),
        helper.make_node(
            "LabelEncoder",
            [chosen],
            [label],
            domain="ai.onnx.ml",
            keys_int64s=list(range(len(classes))),
            values_strings=list(classes),
            default_string="",
        ),
    ]


def _fresh_names(taken: Sequence[str]) -> Callable[[str], str]:
    """Return what gives out names that no column has."""
    given = {*taken, "no_class"}

    def fresh(wish: str) -> str:
        while wish in given:
            wish += "_"
        given.add(wish)
        return wish

    return fresh


def _attributes(helper: Any, double: int, smoothed: SmoothedTree, schema: Schema) -> dict[str, Any]:
    """Lay the tests of a tree one after the other, each with two ways on, as the operator wants.

    A row of them is the number of a test or leaf, its column, comparison and value, where to go,
    and whether NaN passes. A leaf without a node has no answer.
    """
    tree, n_classes = smoothed.tree, smoothed.tree.n_outcomes
    rows: list[tuple[int, int, str, float, int, int, bool]] = []
    leaves: list[tuple[int, list[float]]] = []
    waiting: list[tuple[int, int | None]] = [(0, 0)]
    given = 1
    while waiting:
        number, node = waiting.pop()
        if node is None or tree.is_leaf[node]:
            rows.append((number, 0, "LEAF", 0.0, 0, 0, False))
            known = [math.nan] * n_classes if node is None else smoothed.probs[node].tolist()
            leaves.append((number, known))
            continue
        *tests, last = _branches(tree, schema, node)
        column = int(tree.arrays.column[node])
        for mode, value, passes, child in tests:
            rows.append((number, column, mode, value, given, given + 1, passes))
            waiting.append((given, child))
            number, given = given + 1, given + 2
        waiting.append((number, last[3]))
    numbers, columns, modes, values, yes, no, nans = zip(*sorted(rows), strict=True)
    flat = [weight for _, known in leaves for weight in known]
    return {
        "n_targets": n_classes,
        "nodes_treeids": [0] * len(numbers),
        "nodes_nodeids": list(numbers),
        "nodes_featureids": list(columns),
        "nodes_modes": list(modes),
        "nodes_values_as_tensor": helper.make_tensor("values", double, [len(values)], values),
        "nodes_truenodeids": list(yes),
        "nodes_falsenodeids": list(no),
        "nodes_missing_value_tracks_true": [int(each) for each in nans],
        "target_treeids": [0] * len(flat),
        "target_nodeids": [number for number, _ in leaves for _ in range(n_classes)],
        "target_ids": list(range(n_classes)) * len(leaves),
        "target_weights_as_tensor": helper.make_tensor("weights", double, [len(flat)], flat),
    }


def _branches(tree: CountTree, schema: Schema, node: int) -> list[Branch]:
    """List what a value is compared with, in order; what passes no test takes the last way."""
    split = Split.of(tree, schema, node)
    if split.threshold is None:
        codes = schema.columns[int(tree.arrays.column[node])].codes
        coded = [(float(codes[name]), child) for name, child in split.branches.items()]
        coded += [] if split.missing is None else [(_MISSING, split.missing)]
        return [*(("BRANCH_EQ", code, False, c) for code, c in coded), ("", 0.0, False, None)]
    # As at prediction: below the threshold by less than the slack goes left, but for large
    # numbers, where the slack is lost, the threshold itself must.
    limit = max(split.threshold, float(np.nextafter(split.threshold + SLACK, -np.inf)))
    return [
        ("BRANCH_LT", -math.inf, True, split.missing),
        ("BRANCH_LEQ", limit, False, split.branches[True]),
        ("", 0.0, False, split.branches[False]),
    ]
