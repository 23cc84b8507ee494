"""A tree as an ONNX graph, which onnxruntime and many servers answer by without this package.

Every column is an input of its own, as pipelines of scikit-learn have it: numbers as doubles,
categories as strings; NaN and the empty string are missing. A value that leads nowhere in the tree
(missing, or never met, where it has no branch) would go to all branches at once; a graph has no
short form for that and answers NaN, as SQL answers NULL.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
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
    names = _FreshNames([column.name for column in schema.features])
    label, proba = names.fresh("label"), names.fresh("probabilities")
    inputs, nodes, columns = [], [], []
    for column in schema.features:
        kind = TensorProto.STRING if column.is_nominal else TensorProto.DOUBLE
        inputs.append(helper.make_tensor_value_info(column.name, kind, [None, 1]))
        columns.append(column.name)
        if column.is_nominal:
            code, columns[-1] = names.fresh("code"), names.fresh("number")
            nodes.append(_encoder(helper, column, code))
            nodes.append(helper.make_node("Cast", [code], [columns[-1]], to=TensorProto.DOUBLE))
    table = names.fresh("table")
    nodes.append(helper.make_node("Concat", columns, [table], axis=1))
    flat = _FlatTree(smoothed.tree, schema)
    attributes = flat.attributes(helper, TensorProto.DOUBLE, smoothed.probs)
    nodes.append(
        helper.make_node(
            "TreeEnsembleRegressor", [table], [proba], domain="ai.onnx.ml", **attributes
        )
    )
    nodes += _label_nodes(helper, names, proba, label, schema.classes)
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
    codes = {"": _MISSING} | {name: float(code) for name, code in column.codes.items()}
    return helper.make_node(
        "LabelEncoder",
        [column.name],
        [out],
        domain="ai.onnx.ml",
        keys_strings=list(codes),
        values_floats=list(codes.values()),
        default_float=_UNKNOWN,
    )


def _label_nodes(
    helper: Any, names: _FreshNames, proba: str, label: str, classes: Sequence[str]
) -> list[Any]:
    """Name the most probable class; the empty string where there is no answer."""
    best, total, none, chosen = map(names.fresh, ("best", "total", "none", "chosen"))
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


class _FreshNames:
    """Gives out names that no column has."""

    def __init__(self, taken: Sequence[str]) -> None:
        self._taken = {*taken, "no_class"}

    def fresh(self, wish: str) -> str:
        name, number = wish, 1
        while name in self._taken:
            number += 1
            name = f"{wish}_{number}"
        self._taken.add(name)
        return name


@dataclass
class _FlatTree:
    """The tests of a tree one after the other, each with two ways on.

    Attributes
    ----------
    rows : by test or leaf: its number, column, comparison, value, where to go, whether NaN passes
    leaves : the leaves among them, and their nodes in the tree; None: no answer
    """

    tree: CountTree
    schema: Schema
    rows: list[tuple[int, int, str, float, int, int, bool]] = field(default_factory=list)
    leaves: list[tuple[int, int | None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        waiting: list[tuple[int, int | None]] = [(0, 0)]
        given = 1
        while waiting:
            number, node = waiting.pop()
            if node is None or self.tree.is_leaf[node]:
                self.rows.append((number, 0, "LEAF", 0.0, 0, 0, False))
                self.leaves.append((number, node))
                continue
            *tests, last = _branches(self.tree, self.schema, node)
            column = int(self.tree.arrays.column[node])
            for mode, value, passes, child in tests:
                self.rows.append((number, column, mode, value, given, given + 1, passes))
                waiting.append((given, child))
                number, given = given + 1, given + 2
            waiting.append((number, last[3]))
        self.rows.sort()

    def attributes(self, helper: Any, double: int, probs: np.ndarray) -> dict[str, Any]:
        """Lay the tree out as the operator wants it."""
        n_classes = probs.shape[1]
        numbers, columns, modes, values, yes, no, passes = zip(*self.rows, strict=True)
        weights = [
            [math.nan] * n_classes if node is None else probs[node].tolist()
            for _, node in self.leaves
        ]
        flat = [weight for row in weights for weight in row]
        return {
            "n_targets": n_classes,
            "nodes_treeids": [0] * len(numbers),
            "nodes_nodeids": list(numbers),
            "nodes_featureids": list(columns),
            "nodes_modes": list(modes),
            "nodes_values_as_tensor": helper.make_tensor("values", double, [len(values)], values),
            "nodes_truenodeids": list(yes),
            "nodes_falsenodeids": list(no),
            "nodes_missing_value_tracks_true": [int(each) for each in passes],
            "target_treeids": [0] * len(flat),
            "target_nodeids": [number for number, _ in self.leaves for _ in range(n_classes)],
            "target_ids": list(range(n_classes)) * len(self.leaves),
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
