"""A fitted model: smoothed trees under a schema, ready to predict and to be explained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Self, TypeVar

from probtrees.errors import DataError, ProbTreesError
from probtrees.machine.atomic_file import place_to_write
from probtrees.machine.input_bytes import named_bytes
from probtrees.machine.json_file import decode, encode, read_json, write_json
from probtrees.model.diagnostics import check_diagnostics
from probtrees.model.routing import SoftRouting
from probtrees.model.track_record import TrackRecord
from probtrees.model.tree_record import MakeSmoother, tree_from_dict, tree_to_dict
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.cuts import Cuts
from probtrees.table.dataset import Schema
from probtrees.table.provenance import Provenance

FORMAT = "probtrees-model"
VERSION = 1
"""Raised whenever an older release could not read the file."""


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


@dataclass(frozen=True)
class Model:
    """Members whose answers are averaged.

    Attributes
    ----------
    schema : the columns of the user's table; the target is the last
    members : at least one
    learner, smoother : registry names
    options : the settings of learner, smoother and prediction, by name
    averaging : whether members are averaged after ("posterior") or before ("joint")
        normalising over the classes; AODE averages joint probabilities
    diagnostics : what the learner noted for the app: orders, mutual information, ...
    provenance : where data and numbers come from
    track_record : what happened to unseen rows that were given a similar number; None:
        not asked for
    """

    schema: Schema
    members: tuple[Member, ...]
    learner: str
    smoother: str
    options: Mapping[str, Any] = field(default_factory=dict)
    averaging: Literal["posterior", "joint"] = "posterior"
    diagnostics: Mapping[str, Any] = field(default_factory=dict)
    provenance: Provenance = field(default_factory=Provenance)
    track_record: TrackRecord | None = None

    @property
    def trees(self) -> tuple[SmoothedTree, ...]:
        """All smoothed trees of all members."""
        return tuple(tree for member in self.members for tree in member.trees)

    @property
    def tree(self) -> SmoothedTree:
        """The tree of a model that consists of one."""
        if len(self.trees) != 1:
            raise DataError(f"model={self.learner!r} must be a single tree to show as one.")
        return self.trees[0]

    def save(self, path: str | Path) -> None:
        """Write the model as JSON; a path that ends in .gz is compressed."""
        with place_to_write(path, "out"):
            write_json(self.to_dict(), path)

    def to_dict(self) -> dict[str, Any]:
        """Return the whole model as plain values, ready for JSON."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "learner": self.learner,
            "smoother": self.smoother,
            "options": encode(self.options),
            "averaging": self.averaging,
            "schema": self.schema.to_dict(),
            "provenance": encode(self.provenance.to_dict()),
            "members": [
                {
                    "cuts": None if member.cuts is None else encode(member.cuts.to_dict()),
                    "trees": [tree_to_dict(smoothed) for smoothed in member.trees],
                    "routing": None if member.routing is None else member.routing.to_dict(),
                }
                for member in self.members
            ],
            "diagnostics": encode(self.diagnostics),
            "track_record": None if self.track_record is None else self.track_record.to_dict(),
        }

    @classmethod
    def from_dict(cls, record: Mapping[str, Any], make_smoother: MakeSmoother) -> Self:
        """Read what :meth:`to_dict` wrote, and prove that every tree is one.

        Parameters
        ----------
        make_smoother : makes a smoother from its registry name and options
        """
        if record.get("format") != FORMAT:
            raise DataError("format must be 'probtrees-model'. Give a file written by probtrees.")
        if record.get("version") != VERSION:
            raise DataError(
                f"version={record.get('version')!r} must be {VERSION}. "
                "Use the release of probtrees that wrote it, or grow the model again."
            )
        if record["averaging"] not in ("posterior", "joint"):
            raise DataError(f"averaging={record['averaging']!r} must be 'posterior' or 'joint'.")
        schema = Schema.from_dict(record["schema"])
        _check_schema(schema)
        members = tuple(_member_from_dict(m, schema, make_smoother) for m in record["members"])
        if not members:
            raise DataError("members must not be empty.")
        diagnostics = decode(dict(record["diagnostics"]))
        check_diagnostics(diagnostics, schema.target_column, len(members))
        return cls(
            schema=schema,
            members=members,
            learner=str(record["learner"]),
            smoother=str(record["smoother"]),
            options=decode(dict(record["options"])),
            averaging=record["averaging"],
            diagnostics=diagnostics,
            provenance=Provenance.from_dict(decode(dict(record["provenance"]))),
            track_record=_track_record(record.get("track_record"), schema),
        )


ModelType = TypeVar("ModelType", bound=Model)


def read_model(source: Any, make_smoother: MakeSmoother, kind: type[ModelType]) -> ModelType:
    """Read a model file; whatever is wrong with it becomes one sentence.

    Parameters
    ----------
    source : a path, an open file, or a pair (name, bytes)
    make_smoother : makes a smoother from its registry name and options
    kind : :class:`Model`, or a class derived from it
    """
    given = named_bytes(source)
    record = read_json(given or source, "model")
    rule = f"model={(given.name if given else str(source))!r} must be a whole model file"
    try:
        return kind.from_dict(record, make_smoother)
    except ProbTreesError as problem:
        raise DataError(f"{rule}: {problem}") from None
    except (KeyError, IndexError) as problem:
        raise DataError(f"{rule}: {problem} is missing. Save it again.") from None
    except (TypeError, ValueError, AttributeError, OverflowError, RecursionError):
        raise DataError(f"{rule}: an entry has the wrong form. Save it again.") from None


def _member_from_dict(
    record: Mapping[str, Any], schema: Schema, make_smoother: MakeSmoother
) -> Member:
    cuts = None if record["cuts"] is None else Cuts.from_dict(decode(record["cuts"]))
    cut_schema = schema if cuts is None else cuts.apply_to_schema(schema)
    trees = tuple(tree_from_dict(tree, cut_schema, make_smoother) for tree in record["trees"])
    if not trees:
        raise DataError("trees of a member must not be empty.")
    routing = record.get("routing")
    if routing is not None:
        routing = SoftRouting.from_dict(routing, trees[0].tree.n_nodes)
    return Member(trees, cuts, routing)


def _track_record(record: Mapping[str, Any] | None, schema: Schema) -> TrackRecord | None:
    return None if record is None else TrackRecord.from_dict(record, len(schema.classes))


def _check_schema(schema: Schema) -> None:
    if schema.target.categories is None or len(schema.columns) < 1:
        raise DataError("schema must end with a nominal target.")
    if len(set(schema.names)) != len(schema.names):
        raise DataError("schema must give every column a name of its own.")
    for column in schema.columns:
        texts = (column.name, *(column.categories or ()))
        if not all(isinstance(text, str) for text in texts):
            raise DataError(f"column={column.name!r} must have text for names and values.")
