"""A fitted model: smoothed trees under a schema, ready to predict and to be explained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, Self

from probtrees.errors import DataError, ProbTreesError
from probtrees.machine.atomic_file import place_to_write
from probtrees.machine.input_bytes import named_bytes
from probtrees.machine.json_file import decode_entries, encode, read_json, write_json
from probtrees.model.calibration import Calibration
from probtrees.model.diagnostics import check_diagnostics
from probtrees.model.member import AdditiveMember, AveragedMember, Member, WholeMember
from probtrees.model.saved_tree import MakeSmoother
from probtrees.model.track_record import TrackRecord
from probtrees.smooth.smoothed_tree import SmoothedTree, Smoother
from probtrees.table.column_profile import ColumnProfile, profiles_from_record
from probtrees.table.dataset import Provenance, Schema

Kind = Literal["tree", "shaped", "forest", "network", "ensemble", "council"]
"""What a model, or what a learner makes, can be."""

FORMAT = "probtrees-model"
VERSION = 1
"""Raised whenever an older release could not read the file."""


@dataclass(frozen=True)
class Model:
    """Members whose answers are averaged.

    Attributes
    ----------
    schema : the columns of the user's table; the target is the last
    members : at least one; products of smoothed trees, or one that is additive in log-odds
    learner, smoother : registry names
    options : the settings of learner, smoother and prediction, by name
    averaging : whether members are averaged after ("posterior") or before ("joint")
        normalising over the classes; AODE averages joint probabilities
    diagnostics : what the learner noted for the app: orders, mutual information, ...
    provenance : where data and numbers come from
    track_record : what happened to unseen rows that were given a similar number; None:
        not asked for
    profile : what the features held in training, column by column; None: not known
    weights : of a council, how loud every member is in the pool of their opinions; empty where
        members are averaged
    calibration : bends the answers towards what happened to unseen rows; None: they stand
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
    profile: tuple[ColumnProfile, ...] | None = None
    weights: tuple[float, ...] = ()
    calibration: Calibration | None = None

    @property
    def kind(self) -> Kind:
        """What the model is: a tree, a shaped tree, a forest, a network, or an ensemble of these.

        Products of other shapes, which only hand-made files hold, count as forests: their trees
        can be looked at one by one.
        """
        several = len(self.members) > 1
        if self.weights:
            return "council"
        if not several and isinstance(self.members[0], AdditiveMember):
            return "shaped"
        if all(member.is_network(self.schema) for member in self.members):
            return "ensemble" if several else "network"
        return "forest" if several or len(self.trees) > 1 else "tree"

    @property
    def is_network(self) -> bool:
        """Whether it is made of networks."""
        return self.kind in ("network", "ensemble")

    @property
    def trees(self) -> tuple[SmoothedTree, ...]:
        """All smoothed trees of all members."""
        return tuple(tree for member in self.members for tree in member.trees)

    @property
    def tree(self) -> SmoothedTree:
        """The tree of a model that consists of one, and of nothing else."""
        if len(self.trees) != 1 or self.kind in ("shaped", "council"):
            raise DataError(
                f"model={self.learner!r} must be a single tree to show as one. Explain a row "
                "instead, or fit 'c45'."
            )
        return self.trees[0]

    def smoothed_by(self, name: str, smoother: Smoother, members: tuple[Member, ...]) -> Model:
        """Return the model with members that were smoothed again, without a track record."""
        used = {"smoother": smoother.to_dict()}
        source = replace(self.provenance, options={**self.provenance.options, **used})
        again = replace(self, members=members, smoother=name, options={**self.options, **used})
        return replace(again, provenance=source, track_record=None)

    @property
    def unused_columns(self) -> tuple[str, ...]:
        """The columns of the user's table that a single tree never asks for; () of other models."""
        if self.kind != "tree":
            return ()
        splits = set(self.tree.tree.arrays.column.tolist())
        asked = [c for number, c in enumerate(self.schema.features) if number in splits]
        used = {name for column in asked for name in column.source_names}
        names = dict.fromkeys(column.source_name for column in self.schema.features)
        return tuple(name for name in names if name not in used)

    def member_diagnostics(self, number: int) -> Mapping[str, Any]:
        """Return what the learner noted about one member, or about all of them together."""
        members = self.diagnostics.get("members")
        return self.diagnostics if members is None else dict(members[number])

    def save(self, path: str | Path) -> None:
        """Write the model as JSON; a path that ends in .gz is compressed."""
        with place_to_write(path, "out"):
            write_json(self.to_dict(), path)

    def to_dict(self) -> dict[str, Any]:
        """Return the whole model as plain values, ready for JSON."""
        record = {
            "format": FORMAT,
            "version": VERSION,
            "learner": self.learner,
            "smoother": self.smoother,
            "options": encode(self.options),
            "averaging": self.averaging,
            "schema": self.schema.to_dict(),
            "provenance": encode(self.provenance.to_dict()),
            "members": [member.to_dict() for member in self.members],
            "diagnostics": encode(self.diagnostics),
            "track_record": None if self.track_record is None else self.track_record.to_dict(),
            "profile": None if self.profile is None else [each.to_dict() for each in self.profile],
        }
        if self.weights:
            record["weights"] = list(self.weights)
        if self.calibration is not None:
            record["calibration"] = self.calibration.to_dict()
        return record

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
        members = tuple(_member(member, schema, make_smoother) for member in record["members"])
        if not members:
            raise DataError("members must not be empty.")
        if record["averaging"] == "joint" and any(isinstance(m, WholeMember) for m in members):
            raise DataError("averaging='joint' must go with products of trees.")
        if not record.get("weights") and any(isinstance(m, AveragedMember) for m in members):
            raise DataError("weights must be given where a member is an average of others.")
        diagnostics = decode_entries(record["diagnostics"], "diagnostics")
        check_diagnostics(diagnostics, schema.target_column, len(members))
        return cls(
            schema=schema,
            members=members,
            learner=str(record["learner"]),
            smoother=str(record["smoother"]),
            options=_options(record["options"]),
            averaging=record["averaging"],
            diagnostics=diagnostics,
            provenance=Provenance.from_dict(dict(record["provenance"])),
            track_record=_track_record(record.get("track_record"), schema),
            profile=profiles_from_record(record.get("profile"), schema),
            weights=_weights(record, len(members)),
            calibration=_calibration(record.get("calibration"), schema),
        )


def read_model(source: Any, make_smoother: MakeSmoother) -> Model:
    """Read a model file; whatever is wrong with it becomes one sentence.

    Parameters
    ----------
    source : a path, an open file, or a pair (name, bytes)
    make_smoother : makes a smoother from its registry name and options
    """
    given = named_bytes(source)
    record = read_json(given or source, "model")
    rule = f"model={(given.name if given else str(source))!r} must be a whole model file"
    try:
        return Model.from_dict(record, make_smoother)
    except ProbTreesError as problem:
        raise DataError(f"{rule}: {problem}") from None
    except (KeyError, IndexError) as problem:
        raise DataError(f"{rule}: {problem} is missing. Save it again.") from None
    except (TypeError, ValueError, AttributeError, OverflowError, RecursionError):
        raise DataError(f"{rule}: an entry has the wrong form. Save it again.") from None


def _member(record: Mapping[str, Any], schema: Schema, make_smoother: MakeSmoother) -> Member:
    """Read a member of any kind; files that name none hold products of trees."""
    kinds: dict[Any, type[Member]] = {
        None: Member,
        "additive": AdditiveMember,
        "average": AveragedMember,
    }
    kind = record.get("kind")
    if kind not in kinds:
        raise DataError(f"kind={kind!r} of a member must be 'additive', 'average' or left out.")
    return kinds[kind].from_dict(record, schema, make_smoother)


def _weights(record: Mapping[str, Any], n_members: int) -> tuple[float, ...]:
    """Read the weights of a council's members, which have names; other models have neither."""
    weights = tuple(float(weight) for weight in record.get("weights", ()))
    if not weights:
        return ()
    names = record["options"]["council"]["members"]
    if len(weights) != n_members or not all(0 < weight <= 2 for weight in weights):
        raise DataError("weights must be above 0 and at most 2, one for every member.")
    if len(names) != n_members or not all(isinstance(name, str) for name in names):
        raise DataError("members of a council must have names, one for every weight.")
    return weights


def _options(record: Any) -> dict[str, Any]:
    """Read the settings; the one that predicting looks at must be what it takes it for."""
    options = decode_entries(record, "options")
    smallest = options.get("curtail")
    is_number = isinstance(smallest, int | float) and not isinstance(smallest, bool)
    if smallest is not None and not (is_number and smallest >= 0):
        raise DataError(f"curtail={smallest!r} must be a number of rows, or nothing.")
    return options


def _track_record(record: Mapping[str, Any] | None, schema: Schema) -> TrackRecord | None:
    """Read the record; one of the first releases, which knew no groups of rows, is let go."""
    if record is None or record.get("groups") is None:
        return None
    return TrackRecord.from_dict(record, len(schema.classes))


def _calibration(record: Mapping[str, Any] | None, schema: Schema) -> Calibration | None:
    return None if record is None else Calibration.from_dict(record, len(schema.classes))


def _check_schema(schema: Schema) -> None:
    if schema.target.categories is None or len(schema.columns) < 1:
        raise DataError("schema must end with a nominal target.")
    if len(set(schema.names)) != len(schema.names):
        raise DataError("schema must give every column a name of its own.")
    for column in schema.columns:
        texts = (column.name, *(column.categories or ()))
        if not all(isinstance(text, str) for text in texts):
            raise DataError(f"column={column.name!r} must have text for names and values.")
