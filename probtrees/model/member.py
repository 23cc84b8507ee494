"""A member of a model: smoothed trees whose answers are multiplied, averaged or added up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from probtrees.errors import DataError
from probtrees.grow.count_tree import NO_COLUMN
from probtrees.machine.json_file import decode, encode
from probtrees.model.column_shape import ColumnShape, shape_from_dict
from probtrees.model.routing import SoftRouting
from probtrees.model.saved_tree import MakeSmoother, tree_from_dict, tree_to_dict
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.cuts import Cuts
from probtrees.table.dataset import Schema
from probtrees.types import FloatArray


@dataclass(frozen=True)
class Member:
    """A product of smoothed trees.

    A tree whose target is the class gives its probabilities given the row; a tree whose
    target is an attribute is the table of that attribute given the class and its parents.
    The member's answer is their product, normalised over the classes. So a decision tree
    is a member with one tree, and naive Bayes one with a lone root for the class and a
    table per attribute.

    Attributes
    ----------
    trees : the factors
    cuts : how numeric columns are cut before the trees see them; None: not at all
    routing : how rows are routed softly through a lone decision tree; None: each goes
        where its values lead
    """

    trees: tuple[SmoothedTree, ...]
    cuts: Cuts | None = None
    routing: SoftRouting | None = None

    def is_tree(self, schema: Schema) -> bool:
        """Whether it is a decision tree: one tree of the class, which rows go down.

        A network that kept no attribute is a lone root too; what tells it apart is that
        networks note how they cut columns, even if they cut none.
        """
        if len(self.trees) != 1 or self.trees[0].tree.target != schema.target_column:
            return False
        return self.cuts is None or self.trees[0].tree.n_nodes > 1

    def is_network(self, schema: Schema) -> bool:
        """Whether it is a network: the frequencies of the class, and one table per attribute.

        In a network of a given structure the class may have parents as well.
        """
        targets = [smoothed.tree.target for smoothed in self.trees]
        lone_roots = [each.tree.target for each in self.trees if each.tree.n_nodes == 1]
        one_each = len(set(targets)) == len(targets)
        of_class = targets if self.has_class_table(schema) else lone_roots
        return one_each and schema.target_column in of_class and not self.is_tree(schema)

    def has_class_table(self, schema: Schema) -> bool:
        """Whether the class has parents in a network, so that its tree is a table as well."""
        return (
            self.cuts is not None
            and len(self.trees) > 1
            and any(
                each.tree.target == schema.target_column and each.tree.n_nodes > 1
                for each in self.trees
            )
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the member as plain values, ready for JSON."""
        return {
            "cuts": None if self.cuts is None else encode(self.cuts.to_dict()),
            "trees": [tree_to_dict(smoothed) for smoothed in self.trees],
            "routing": None if self.routing is None else self.routing.to_dict(),
        }

    @classmethod
    def from_dict(
        cls, record: Mapping[str, Any], schema: Schema, make_smoother: MakeSmoother
    ) -> Member:
        """Read what :meth:`to_dict` wrote, and prove that every tree is one."""
        cuts = None if record["cuts"] is None else Cuts.from_dict(decode(record["cuts"]))
        cut_schema = schema if cuts is None else cuts.apply_to_schema(schema)
        trees = tuple(tree_from_dict(tree, cut_schema, make_smoother) for tree in record["trees"])
        targets = {one.tree.target for one in trees}
        tables = trees if len(trees) > 1 else ()
        split = {int(each) for table in tables for each in np.unique(table.tree.arrays.column)}
        if not {schema.target_column, *split} - {NO_COLUMN} <= targets:
            raise DataError("trees of a member must count the target and what others split on.")
        routing = record.get("routing")
        if routing is not None:
            routing = SoftRouting.from_dict(routing, trees[0].tree.n_nodes)
        return cls(trees, cuts, routing)


@dataclass(frozen=True)
class WholeMember(Member):
    """A member whose trees have no say of their own: it is neither a tree nor a network."""

    def is_tree(self, schema: Schema) -> bool:
        """Whether a tree alone gives the answer: never."""
        return False

    def is_network(self, schema: Schema) -> bool:
        """Whether it is one network: never."""
        return False


@dataclass(frozen=True, kw_only=True)
class AveragedMember(WholeMember):
    """Products of smoothed trees whose answers are averaged before anybody else is heard.

    Attributes
    ----------
    trees : those of all of them, one after another
    members : who is averaged; each has its own cuts
    """

    members: tuple[Member, ...]

    @classmethod
    def of(cls, members: tuple[Member, ...]) -> Self:
        """Let members answer as one."""
        trees = tuple(tree for member in members for tree in member.trees)
        return cls(trees=trees, members=members)

    def to_dict(self) -> dict[str, Any]:
        """Return the member as plain values, ready for JSON."""
        return {"kind": "average", "members": [member.to_dict() for member in self.members]}

    @classmethod
    def from_dict(
        cls, record: Mapping[str, Any], schema: Schema, make_smoother: MakeSmoother
    ) -> Self:
        """Read what :meth:`to_dict` wrote, and prove that every tree is one."""
        members = record["members"]
        if not members or any(member.get("kind") is not None for member in members):
            raise DataError("members that are averaged must be products of trees, at least one.")
        return cls.of(tuple(Member.from_dict(each, schema, make_smoother) for each in members))


def seat(members: tuple[Member, ...]) -> Member:
    """Return who sits on a council for a model: its only member, or all of them as one."""
    return members[0] if len(members) == 1 else AveragedMember.of(members)


def seated(member: Member) -> tuple[Member, ...]:
    """Return the members of the model that somebody on a council sits for."""
    return member.members if isinstance(member, AveragedMember) else (member,)


@dataclass(frozen=True, kw_only=True)
class AdditiveMember(WholeMember):
    r"""Scores that add up: of the average row, of every node passed, and of every column.

    .. math:: p(y | x) = softmax(b + \sum_v (R_v(x) - \bar R_v) B_v + \sum_j f_j(x_j))

    R_v = the weight with which a row reaches node v when it is routed softly, f_j = the shape
    of column j. All but b are 0 on average over the training rows.

    Attributes
    ----------
    trees : the tree, alone. Its own probabilities are those of soft routing, which chose how
        rows are routed; they have no part in the answer.
    routing : how rows are routed; never None
    intercept : float64[n_classes], b
    node_weights : float64[n_nodes, n_classes], B_v; the root's are 0
    node_means : float64[n_nodes], the mean of R_v over the training rows
    shapes : one per column that varies
    fitted : the settings of the fit and how they were chosen
    refits : the same fitted without a part of the rows each; how far they lie apart says how
        sure the member is. Empty where they were not asked for, or would take much room.
    """

    routing: SoftRouting
    intercept: FloatArray
    node_weights: FloatArray
    node_means: FloatArray
    shapes: tuple[ColumnShape, ...]
    fitted: Mapping[str, Any] = field(default_factory=dict)
    refits: tuple[AdditiveMember, ...] = field(default=(), repr=False)

    @property
    def smoothed(self) -> SmoothedTree:
        """The tree."""
        return self.trees[0]

    def to_dict(self) -> dict[str, Any]:
        """Return the member as plain values, ready for JSON."""
        record = {
            "kind": "additive",
            "tree": tree_to_dict(self.smoothed),
            "routing": self.routing.to_dict(),
            "intercept": encode(self.intercept),
            "node_weights": encode(self.node_weights),
            "node_means": encode(self.node_means),
            "shapes": [shape.to_dict() for shape in self.shapes],
            "fitted": encode(self.fitted),
        }
        if self.refits:
            record["refits"] = [refit.to_dict() for refit in self.refits]
        return record

    @classmethod
    def from_dict(
        cls, record: Mapping[str, Any], schema: Schema, make_smoother: MakeSmoother
    ) -> AdditiveMember:
        """Read what :meth:`to_dict` wrote, and prove that it can answer."""
        smoothed = tree_from_dict(record["tree"], schema, make_smoother)
        if smoothed.tree.target != schema.target_column:
            raise DataError("tree of an additive member must count the target.")
        n_nodes, n_classes = smoothed.tree.n_nodes, len(schema.classes)
        shapes = tuple(shape_from_dict(shape, schema) for shape in record["shapes"])
        if len({shape.column for shape in shapes}) != len(shapes):
            raise DataError("shapes must be of different columns.")
        return cls(
            trees=(smoothed,),
            routing=SoftRouting.from_dict(record["routing"], n_nodes),
            intercept=_scores(record, "intercept", (n_classes,)),
            node_weights=_scores(record, "node_weights", (n_nodes, n_classes)),
            node_means=_scores(record, "node_means", (n_nodes,)),
            shapes=shapes,
            fitted=dict(decode(record["fitted"])),
            refits=tuple(
                cls.from_dict(refit, schema, make_smoother) for refit in record.get("refits", ())
            ),
        )


def _scores(record: Mapping[str, Any], name: str, shape: tuple[int, ...]) -> FloatArray:
    numbers = np.asarray(decode(record[name]), dtype=np.float64)
    if numbers.shape != shape or not np.isfinite(numbers).all():
        raise DataError(f"{name} must be finite numbers, one for every node and class.")
    return numbers
