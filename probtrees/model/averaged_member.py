"""A member made of members whose answers are averaged: an ensemble with one voice in a council."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from probtrees.errors import DataError
from probtrees.model.member import Member
from probtrees.model.tree_record import MakeSmoother
from probtrees.table.dataset import Schema


@dataclass(frozen=True, kw_only=True)
class AveragedMember(Member):
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
        return cls(
            trees=tuple(tree for member in members for tree in member.trees), members=members
        )

    def is_tree(self, schema: Schema) -> bool:
        """Whether a tree alone gives the answer: never."""
        del schema
        return False

    def is_network(self, schema: Schema) -> bool:
        """Whether it is one network: never, it is several."""
        del schema
        return False

    def to_dict(self) -> dict[str, Any]:
        """Return the member as plain values, ready for JSON."""
        return {"kind": "average", "members": [member.to_dict() for member in self.members]}

    @classmethod
    def from_dict(
        cls, record: Mapping[str, Any], schema: Schema, make_smoother: MakeSmoother
    ) -> Self:
        """Read what :meth:`to_dict` wrote, and prove that every tree is one."""
        if any(member.get("kind") is not None for member in record["members"]):
            raise DataError("members that are averaged must be products of trees.")
        if not record["members"]:
            raise DataError("members that are averaged must not be empty.")
        return cls.of(
            tuple(Member.from_dict(member, schema, make_smoother) for member in record["members"])
        )


def seat(members: tuple[Member, ...]) -> Member:
    """Return who sits on a council for a model: its only member, or all of them as one."""
    return members[0] if len(members) == 1 else AveragedMember.of(members)


def seated(member: Member) -> tuple[Member, ...]:
    """Return the members of the model that somebody on a council sits for."""
    return member.members if isinstance(member, AveragedMember) else (member,)
