"""A model that answers for itself in Python: explains, lists, draws and reports in a line each.

Everything it does is written in an earlier chapter; here it only gets the name people look for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from probtrees.draw.code.model_as_code import model_python, model_sql
from probtrees.draw.code.rules_as_code import hard_tree
from probtrees.draw.code.tree_as_onnx import tree_onnx
from probtrees.draw.node_card import default_outcome
from probtrees.draw.tables import leaf_table
from probtrees.draw.tree import open_to_depth, tree_dot, with_paths
from probtrees.errors import DataError, OptionError
from probtrees.estimators.explanations import (
    ForestExplanation,
    LeafExplanation,
    NetworkExplanation,
    ShapedExplanation,
    explain_by_parts,
    shap_explanation,
)
from probtrees.estimators.interactive_pictures import InteractiveNetwork, InteractiveTree
from probtrees.estimators.notebook_html import save_by_name
from probtrees.estimators.pictures import Picture, ShapesPicture, ShownPointsCard
from probtrees.estimators.result_displays import ShownTrackRecord, plain_fields
from probtrees.estimators.table import rows_under
from probtrees.experiment.evaluation.column_importance import ColumnImportance
from probtrees.experiment.registry import LEARNERS, smoother_label
from probtrees.explain.leaf import explain_leaf
from probtrees.explain.points_card import points_card
from probtrees.explain.rule import all_rules, conditions_text, outcome_number
from probtrees.explain.tree_summary import tree_summary
from probtrees.model.model import Model
from probtrees.model.predict import predict_proba
from probtrees.model.routing import find_leaves
from probtrees.report.model_report import ReportRequest, model_report
from probtrees.score.decision import Cut
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray
from probtrees.words import percent, plural, rows_text

OPEN_NODES = 40
"""Nodes that a picture opens with, unless levels are asked for."""


class FittedModel(Model):
    """A :class:`~probtrees.model.model.Model` with everything one asks of it in a notebook.

    The outcome of interest is given by its name or number; it is the rarest class if not given.
    Leaves are named by their node, as everywhere else.

    Examples
    --------
    >>> from probtrees import fit, read_table
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [4, 20, 35, 50, 61, 70], "ill": list("nnnyyy")})
    >>> model = fit(read_table(frame), "c45", "laplace")
    >>> print(model.explain({"age": 65}, outcome="y").sentence)  # doctest: +ELLIPSIS
    80.0 %...
    >>> model.leaves(outcome="y")[["rule", "rows", "cases"]].values.tolist()
    [['age ≤ 35', 3.0, 0.0], ['age > 35', 3.0, 3.0]]
    """

    @classmethod
    def of(cls, model: Model) -> FittedModel:
        """Give a model of any origin its face."""
        record = plain_fields(model)
        if model.track_record is not None:
            own, classes = plain_fields(model.track_record), model.schema.classes
            record["track_record"] = ShownTrackRecord(**{**own, "classes": classes})
        return cls(**record)

    @property
    def classes_(self) -> NDArray[Any]:
        """The classes by name, in the order of the columns of :meth:`predict_proba`."""
        return np.array(self.schema.classes, dtype=object)

    def predict_proba(self, table: Any, *, not_recorded: Sequence[str] = ()) -> FloatArray:
        """Return the class probabilities of every row, in the order of ``classes_``.

        Parameters
        ----------
        table : a frame of pandas, polars or pyarrow, a path, an open file or a Dataset; or rows
            as mappings, one or a list of them, where what is not named is not recorded
        not_recorded : columns that a frame or a file may lack: they are missing in every row.
            Those that a tree never asks for need not be named
        """
        may_lack = (*not_recorded, *self.unused_columns)
        return predict_proba(self, rows_under(self.schema, table, may_lack))

    def predict(self, table: Any, *, not_recorded: Sequence[str] = ()) -> NDArray[Any]:
        """Return the most probable class of every row, by name; the first among equals."""
        proba = self.predict_proba(table, not_recorded=not_recorded)
        return np.asarray(self.classes_[proba.argmax(axis=1)])

    def explain(
        self, row: Any = None, *, leaf: int | None = None, outcome: int | str | None = None
    ) -> LeafExplanation | NetworkExplanation | ShapedExplanation | ForestExplanation:
        """Take a probability apart: that of a row, or that of a leaf.

        Parameters
        ----------
        row : a mapping or a Series, where what is not named is not recorded; or a frame with all
            columns, whose first row is meant
        leaf : instead of a row, a leaf or an inner node of a tree
        outcome : the class of interest
        """
        if (row is None) == (leaf is None):
            raise OptionError("row or leaf must be given, and not both.")
        number = self._outcome(outcome)
        if leaf is not None:
            return self._explain_leaf(leaf, number)
        data = self._one_row(row)
        if self.kind != "tree":
            return explain_by_parts(self, data, number)
        return self._explain_in_leaf(data, number)

    def _explain_leaf(self, leaf: int, number: int) -> LeafExplanation:
        """Explain a leaf by its counts, where all its rows have one number."""
        if self.kind in ("shaped", "council"):
            raise OptionError(
                "leaf must be of a plain tree: rows of a leaf of this model have numbers of their "
                "own. Explain a row: explain(row)."
            )
        return self._explain_node(leaf, number)

    def _explain_in_leaf(self, data: Dataset, number: int) -> LeafExplanation:
        """Explain the leaf that counts most for a row, and say where the answer is not its own."""
        landed = find_leaves(self.tree.tree, data.values, self.schema.n_values)
        main = int(landed.nodes[np.argmax(landed.shares)])
        answer = float(predict_proba(self, data)[0, number])
        explanation = self._explain_node(main, number)
        if abs(answer - explanation.probability) <= 1e-12:
            return explanation
        whole = f"The row as a whole is given {percent(answer)}"
        remark = f"{whole}: it goes to several leaves, and this is the one that counts most."
        if self.calibration is not None:
            method = self.calibration.method
            remark = f"Calibration ({method}), the last step, makes it {percent(answer)}."
        return replace(explanation, notes=(*explanation.notes, remark))

    def _explain_node(self, node: int, outcome: int) -> LeafExplanation:
        record, tree = self.track_record, self.tree
        explained = explain_leaf(tree, node, self.schema, outcome, track_record=record)
        return LeafExplanation(**vars(explained), smoothed=tree, schema=self.schema)

    def _one_row(self, row: Any) -> Dataset:
        if isinstance(row, int | np.integer):
            raise OptionError(
                f"row={int(row)} must be the row itself: a model keeps no rows. Give it as "
                f"frame.iloc[{int(row)}], or a leaf as leaf={int(row)}."
            )
        data = rows_under(self.schema, row)
        if data.n_rows == 0:
            raise DataError("row must hold at least one row. Give a mapping or a frame with one.")
        return data.take(np.array([0]))

    def leaves(self, outcome: int | str | None = None) -> pd.DataFrame:
        """List the leaves of a tree, the largest first: rule, rows, cases, chance, track record."""
        number = self._outcome(outcome)
        track = None if self.track_record is None else (self.track_record, self.tree)
        table = leaf_table({"chance": self.tree}, self.schema, number, track)
        return table.drop(columns="disagreement")

    def rules(self) -> list[str]:
        """List the leaves as sentences: who is meant, and what is expected of them."""
        smoothed, classes = self.tree, self.schema.classes
        by_node = all_rules(smoothed.tree, self.schema)
        sentences = []
        for leaf in smoothed.tree.leaves.tolist():
            likely = int(smoothed.probs[leaf].argmax())
            chance = f"{percent(float(smoothed.probs[leaf, likely]))} {classes[likely]}"
            size = rows_text(float(smoothed.tree.totals[leaf]))
            sentences.append(f"{conditions_text(by_node[leaf])}: {chance} ({size})")
        return sentences

    def summary(self, outcome: int | str | None = None) -> str:
        """Sum a tree up for a mail: the groups that unseen rows support, and what not to conclude.

        Groups are named where there is a track record: of a model fitted with
        ``track_record=True``, or by a smoother that asks held-out rows.
        """
        return tree_summary(self.tree, self.schema, self._outcome(outcome), self.track_record)

    def plot(
        self,
        *,
        levels: int | None = None,
        outcome: int | str | None = None,
        leaf: int | None = None,
        member: int = 0,
    ) -> Picture | ShapesPicture:
        """Draw the tree or the network of a member; of a shaped tree or a council, the curves.

        Parameters
        ----------
        levels : how many levels of a tree are open; as many as stay readable if not given
        outcome : the class of interest
        leaf : a node whose path is opened whatever the levels
        member : which of several trees or networks
        """
        if not 0 <= member < len(self.members):
            last = len(self.members) - 1
            raise OptionError(f"member={member!r} must be a number from 0 to {last}.")
        chosen = self.members[member]
        if levels is not None and (type(levels) is not int or levels < 0):
            raise OptionError(f"levels={levels!r} must be a whole number of at least 0.")
        if self.kind in ("shaped", "council"):
            return ShapesPicture(self, str(self), self._outcome(outcome))
        if not chosen.is_tree(self.schema):
            alive = InteractiveNetwork(chosen, self.schema)
            return Picture(alive.still(), self._caption(), alive)
        smoothed, number = chosen.trees[0], self._outcome(outcome)
        shown = open_to_depth(smoothed.tree, levels, OPEN_NODES if levels is None else None)
        if leaf is not None:
            shown = with_paths(smoothed.tree, shown, [leaf])
        dot = tree_dot(smoothed, self.schema, outcome=number, visible=shown)
        return Picture(dot, self._caption(), InteractiveTree(smoothed, self.schema, number))

    def plot_leaf(self, leaf: int, outcome: int | str | None = None) -> LeafExplanation:
        """Draw where the probability of a leaf comes from."""
        return self._explain_node(leaf, self._outcome(outcome))

    def report(
        self,
        path: str | Path,
        *,
        outcome: int | str | None = None,
        leaves: Mapping[int, str] | None = None,
        columns: Sequence[ColumnImportance] = (),
    ) -> None:
        """Write a report in one file that works offline.

        Parameters
        ----------
        leaves : nodes to explain, each with a note of the writer's
        columns : how much each column matters, as ``probtrees.column_importance`` measures it
        """
        pins = tuple((leaves or {}).items())
        request = ReportRequest(outcome=self._outcome(outcome), pins=pins, columns=columns)
        write = partial(model_report, self, None, request)
        save_by_name(path, dict.fromkeys((".html", ".htm", ""), write))

    def points(self, outcome: int | str | None = None) -> ShownPointsCard:
        """Return a shaped tree of two classes as a points card, to show, print and save.

        Whole points to add up by hand, the risk of every sum, and what rounding loses.
        """
        return ShownPointsCard(**plain_fields(points_card(self, self._outcome(outcome))))

    def to_sql(
        self,
        table: str = "my_table",
        threshold: float | None = None,
        outcome: int | str | None = None,
    ) -> str:
        """Write a tree, a shaped tree or a council as a SQL query with one column per class.

        With a threshold a column ``decision`` says to act where the outcome's chance reaches it.
        """
        act = None if threshold is None else Cut(self._outcome(outcome), threshold)
        return model_sql(self, table, act)

    def to_python(self) -> str:
        """Write a tree, a shaped tree or a council as a Python file that needs nothing else."""
        return model_python(self)

    def to_shap(self, rows: Any, outcome: int | str | None = None) -> Any:
        """Return what every column adds to a probability, as ``shap.Explanation`` for its plots.

        Base values and values sum to the probability. In a tree a step belongs to the column that
        is asked there; log-odds of networks and shaped trees are split as by Aumann and Shapley.

        Parameters
        ----------
        rows : a frame, or whatever else ``read_table`` takes
        """
        return shap_explanation(self, rows_under(self.schema, rows), self._outcome(outcome))

    def to_onnx(self) -> Any:
        """Return a tree as ``onnx.ModelProto``: an input per column, label and probabilities.

        Categories are strings, numbers doubles; the empty string and NaN are missing. Rows that
        the tree would send to several leaves are answered NaN.
        """
        return tree_onnx(hard_tree(self), self.schema)

    def _outcome(self, outcome: int | str | None) -> int:
        if outcome is None:
            return default_outcome(self.trees[0].tree)
        return outcome_number(outcome, self.schema.classes)

    def _caption(self) -> str:
        learner = LEARNERS[self.learner].label if self.learner in LEARNERS else self.learner
        said = f"{learner} for {self.schema.target.name}"
        whole = self.kind in ("shaped", "council")
        return said if whole else f"{said}, smoothed by {smoother_label(self.smoother)}"

    def __str__(self) -> str:
        """Return what the model is, in a line."""
        if self.is_network:
            size, parts, whole = plural(len(self.trees), "tables"), len(self.members), "networks"
        else:
            leaves = sum(smoothed.tree.n_leaves for smoothed in self.trees)
            size, parts, whole = plural(leaves, "leaves"), len(self.trees), "trees"
        several = f" in {plural(parts, whole)}" if parts > 1 else ""
        return f"{self._caption()}: {size}{several}"

    def __repr__(self) -> str:
        return f"<{self}>"

    def _repr_html_(self) -> str:
        return self.plot()._repr_html_()
