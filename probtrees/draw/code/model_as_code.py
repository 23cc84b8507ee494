"""Any model that code can hold, as SQL and as Python that need nothing of this package.

A decision tree is written as its rules. A shaped tree or a council is written in steps, once for
both languages: every level of a tree is a step in which every node is the share of the row that
arrives there; then come the scores of the classes, and what every member of a council says.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from probtrees.draw.code.dialects import LARGEST_EXPONENT, Steps
from probtrees.draw.code.rules_as_code import (
    SLACK,
    Split,
    hard_tree,
    python_rules,
    sql_query,
    sql_rules,
)
from probtrees.errors import DataError
from probtrees.explain.shape_curves import additive_member, councillors
from probtrees.model._predict_kernels import FAR, SMALLEST_PATH, SMALLEST_STEP
from probtrees.model.column_shape import FARTHEST, NominalShape, NumericShape
from probtrees.model.member import AdditiveMember, AveragedMember, Member
from probtrees.model.model import Model
from probtrees.model.predict import LEAST_OPINION
from probtrees.model.routing import SoftRouting
from probtrees.score.decision import Cut
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.cuts import Cuts
from probtrees.table.dataset import Schema

LEAST = 1e-300
"""No logarithm is taken of less."""


def model_sql(model: Model, table: str = "my_table", act: Cut | None = None) -> str:
    """Write a tree, a shaped tree or a council as a SQL query with one column per class.

    EXP and LN are all that is asked of the database beyond arithmetic.

    Parameters
    ----------
    act : on whom a further column ``decision`` says act
    """
    if model.kind not in ("shaped", "council"):
        return sql_rules(hard_tree(model), model.schema, table, act)
    writer = _Writer("sql", model.schema)
    scores = dict(zip(model.schema.classes, writer.model(model), strict=True))
    return sql_query(*writer.steps.sql(table, scores), model.schema, act)


def model_python(model: Model, act: Cut | None = None) -> str:
    """Write a tree, a shaped tree or a council as a Python file that scores rows.

    Parameters
    ----------
    act : on whom its function ``decision`` says act
    """
    schema = model.schema
    if model.kind not in ("shaped", "council"):
        return python_rules(hard_tree(model), schema, act)
    writer = _Writer("python", schema)
    scores = writer.model(model)
    what = "a shaped tree" if model.kind == "shaped" else "a council of models"
    return writer.steps.python(act, scores, what=what, classes=[*schema.classes])


class _Writer:
    """Writes the members of a model into steps; labels of a member begin with its ``mark``."""

    def __init__(self, language: str, schema: Schema) -> None:
        self.steps = Steps("sql" if language == "sql" else "python")
        self.schema = schema
        self.n_classes = len(schema.classes)

    def model(self, model: Model) -> list[str]:
        """Write a whole model; return its scores."""
        if model.calibration is not None:
            raise DataError(
                "model must not be calibrated to be written as code. Fit it with calibrate='none'."
            )
        if model.kind == "shaped":
            return self._shaped(additive_member(model), "")
        terms: list[list[str]] = [[] for _ in range(self.n_classes)]
        for number, one in enumerate(councillors(model)):
            mark = f"m{number}_"
            scores = self._member(one.member, mark)
            for k, opinion in enumerate(self._opinions(scores, mark)):
                terms[k].append(f"({one.weight!r} * {opinion})")
        return self._add("pool", [self.steps.total(each) for each in terms])

    def _add(self, label: str, texts: list[str]) -> list[str]:
        """Add a step with one expression per class."""
        return self.steps.add([f"{label}{k}" for k in range(len(texts))], texts)

    def _opinions(self, scores: list[str], mark: str) -> list[str]:
        """Turn scores into logarithms of probabilities, none below a least one."""
        softmax, floor = self.steps.one_over_softmax, repr(math.log(LEAST_OPINION))
        logs = [f"-{self.steps.log}({softmax(scores, score)})" for score in scores]
        logs = self._add(f"{mark}l", logs)
        return self._add(
            f"{mark}o", [self.steps.case([(f"{x} < {floor}", floor)], x) for x in logs]
        )

    def _member(self, member: Member, mark: str) -> list[str]:
        """Add the steps of one member, and return where its scores are."""
        if isinstance(member, AdditiveMember):
            return self._shaped(member, mark)
        if isinstance(member, AveragedMember):
            scores = self._average(member, mark)
        elif member.routing is not None:
            scores = self._soft_tree(member, mark)
        else:
            scores = self._network(member, mark)
        return self._add(f"{mark}s", scores)

    def _average(self, member: AveragedMember, mark: str) -> list[str]:
        """Add what every member of an ensemble says, and write the logarithm of their mean."""
        said: list[list[str]] = [[] for _ in range(self.n_classes)]
        for number, each in enumerate(member.members):
            own = f"{mark}{number}_"
            scores = self._member(each, own)
            softmax = [f"1.0 / {self.steps.one_over_softmax(scores, score)}" for score in scores]
            for k, answer in enumerate(self._add(f"{own}p", softmax)):
                said[k].append(answer)
        total, log, n_members = self.steps.total, self.steps.log, len(member.members)
        return [f"{log}({total(each)} / {n_members}.0 + {LEAST!r})" for each in said]

    def _soft_tree(self, member: Member, mark: str) -> list[str]:
        """Write the logarithm of what a tree gives each class, times a constant."""
        nodes = self._path(member, float(SMALLEST_PATH), mark)
        tree, probs = member.trees[0].tree, member.trees[0].probs
        ends = list(nodes)  # what goes no further than there
        for node in np.flatnonzero(~tree.is_leaf).tolist():
            gone = self.steps.total([nodes[child] for child in tree.children(node)])
            ends[node] = self.steps.case([(f"{gone} <= 0.0", nodes[node])], "0.0")
        sums = (
            self.steps.total(
                [f"({float(p)!r} * {end})" for p, end in zip(probs[:, k], ends, strict=True)]
            )
            for k in range(self.n_classes)
        )
        return [f"{self.steps.log}({text} + {LEAST!r})" for text in sums]

    def _path(self, member: Member, smallest: float, mark: str) -> list[str]:
        """Add the share of a row that arrives at every node, level by level."""
        tree = member.trees[0].tree
        nodes = [self.steps.name(f"{mark}n{node}") for node in range(tree.n_nodes)]
        self.steps.add([f"{mark}n0"], ["1.0"])
        for depth in range(tree.max_depth):
            level = np.flatnonzero((tree.arrays.depth == depth) & ~tree.is_leaf).tolist()
            parts = [
                (child, f"{nodes[node]} * {part}")
                for node in level
                for child, part in self._parts(member, node)
            ]
            raw = self.steps.add([f"{mark}r{child}" for child, _ in parts], [p for _, p in parts])
            # A share that is too small is not followed.
            kept = [self.steps.case([(f"{share} >= {smallest!r}", share)], "0.0") for share in raw]
            self.steps.add([f"{mark}n{child}" for child, _ in parts], kept)
        return nodes

    def _parts(self, member: Member, node: int) -> Iterator[tuple[int, str]]:
        """Write, for every child of a node, the share of its rows that goes there."""
        tree, routing = member.trees[0].tree, member.routing
        assert routing is not None
        split, rows = Split.of(tree, self.schema, node), float(tree.arrays.weight[node])
        stray = routing.stray / (routing.stray + rows) if routing.stray > 0 else 0.0
        column = self.schema.columns[int(tree.arrays.column[node])]
        x, own = self.steps.column(column), repr(1.0 - stray)
        for child, weight in split.weights:
            size = weight / rows if rows > 0 else 1 / len(split.weights)
            astray, to_all = repr(stray * size), repr(size)
            led = f"({astray} + {own})"
            gone = to_all
            if split.missing is not None:
                gone = led if child == split.missing else astray
            if split.threshold is None:
                table = {v: led if to == child else astray for v, to in split.branches.items()}
                rest = self.steps.look_up(x, table, to_all)
            else:
                right = self._gate(routing, node, split.threshold, x)
                sides = {split.branches[True]: f"(1.0 - {right})", split.branches[False]: right}
                rest = f"{astray} + {own} * {sides.get(child, '0.0')}"
            yield child, self.steps.case([(self.steps.is_missing(x), gone)], rest)

    def _gate(self, routing: SoftRouting, node: int, threshold: float, x: str) -> str:
        """Write the share of a number's row that goes right."""
        middle, width = float(routing.middle[node]), float(routing.blur * routing.spread[node])
        if width <= 0 or not math.isfinite(middle):
            return self.steps.case([(f"{x} - {threshold!r} >= {SLACK!r}", "1.0")], "0.0")
        off, far = f"(({x} - {middle!r}) / {width!r})", repr(float(FAR))
        return self.steps.case(
            [(f"{off} < -{far}", "0.0"), (f"{off} > {far}", "1.0")],
            f"1.0 / (1.0 + {self.steps.exp}(-{off}))",
        )

    def _shaped(self, member: AdditiveMember, mark: str) -> list[str]:
        """Add the score of every class: base, nodes, shapes."""
        nodes = self._path(member, SMALLEST_STEP, mark)
        base = np.asarray(member.intercept - member.node_means @ member.node_weights)
        terms = [
            [repr(float(base[k]))]
            + [
                f"({float(weight)!r} * {node})"
                for weight, node in zip(member.node_weights[1:, k], nodes[1:], strict=True)
            ]
            for k in range(self.n_classes)
        ]
        self._features([s for s in member.shapes if isinstance(s, NumericShape)], mark)
        for k, own in enumerate(terms):
            own += [self._shape_term(shape, mark, k) for shape in member.shapes]
        return self._add(f"{mark}s", [self.steps.total(each) for each in terms])

    def _features(self, shapes: Sequence[NumericShape], mark: str) -> None:
        """Add the features of numeric columns, brought to scale, then bounded."""
        scaled: dict[str, str] = {}
        for shape in shapes:
            x = self.steps.column(self.schema.columns[shape.column])
            raw = [f"({x} * 1.0)"]
            for knot in shape.knots.tolist():
                off = f"(({knot!r} - {x}) / {shape.width!r})"
                step = f"1.0 / (1.0 + {self.steps.exp}({off}))"
                raw.append(self.steps.case([(f"{off} > {LARGEST_EXPONENT!r}", "0.0")], step))
            scales = zip(raw, shape.centre.tolist(), shape.scale.tolist(), strict=True)
            for at, (text, centre, scale) in enumerate(scales):
                scaled[f"{shape.column}_{at}"] = f"({text} - {centre!r}) / {scale!r}"
        if not scaled:
            return
        free = self.steps.add([f"{mark}f{at}" for at in scaled], list(scaled.values()))
        most = repr(FARTHEST)
        bounded = [
            self.steps.case([(f"{text} > {most}", most), (f"{text} < -{most}", f"-{most}")], text)
            for text in free
        ]
        self.steps.add([f"{mark}g{at}" for at in scaled], bounded)

    def _shape_term(self, shape: NumericShape | NominalShape, mark: str, outcome: int) -> str:
        """Write what a column adds to the score of a class."""
        column = self.schema.columns[shape.column]
        x = self.steps.column(column)
        if isinstance(shape, NominalShape):
            added = [repr(value) for value in shape.table[:, outcome].tolist()]
            table = dict(zip(column.categories or (), added, strict=False))
            missing, rest = added[-1], self.steps.look_up(x, table, "0.0")
        else:
            missing = repr(float(shape.missing[outcome]))
            parts = [
                f"({weight!r} * {self.steps.name(f'{mark}g{shape.column}_{at}')})"
                for at, weight in enumerate(shape.weights[:, outcome].tolist())
            ]
            rest = self.steps.total([repr(float(shape.offset[outcome])), *parts])
        return self.steps.case([(self.steps.is_missing(x), missing)], rest)

    def _network(self, member: Member, mark: str) -> list[str]:
        """Add the codes of a network's columns, and write the scores of the classes."""
        cuts = Cuts({}) if member.cuts is None else member.cuts
        coded = cuts.apply_to_schema(self.schema)
        codes = []
        for number, column in enumerate(self.schema.features):
            x, n_codes = self.steps.column(column), coded.columns[number].n_values
            missing = n_codes - 1 if number in cuts.not_recorded else n_codes
            if number in cuts.points:
                code = self.steps.interval(x, np.asarray(cuts.points[number]).tolist())
            else:
                table = {value: str(at) for at, value in enumerate(column.categories or ())}
                code = self.steps.look_up(x, table, "-1")
            codes.append(self.steps.case([(self.steps.is_missing(x), str(missing))], code))
        names = self._add(f"{mark}c", codes)
        return [
            self.steps.total([self._table(smoothed, names, k) for smoothed in member.trees])
            for k in range(self.n_classes)
        ]

    def _table(self, smoothed: SmoothedTree, codes: list[str], outcome: int) -> str:
        """Write the logarithm of what a table of a network says if the class is this one."""
        tree, target = smoothed.tree, self.schema.target_column

        def said(node: int) -> str:
            logs = [repr(math.log(max(float(p), LEAST))) for p in smoothed.probs[node]]
            if tree.target == target:
                return logs[outcome]
            return self.steps.look_up(codes[tree.target], dict(enumerate(logs)), "0.0")

        def below(node: int) -> str:
            column = int(tree.arrays.column[node])
            if column < 0:
                return said(node)
            children = {int(tree.arrays.branch[child]): child for child in tree.children(node)}
            if column == target:
                return below(children[outcome]) if outcome in children else said(node)
            table = {code: below(child) for code, child in children.items()}
            return self.steps.look_up(codes[column], table, said(node))

        return f"({below(0)})"
