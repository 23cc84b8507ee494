"""The members of a council: who they are, how loud, and what the shaped tree among them says."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from probtrees.errors import DataError
from probtrees.explain.shape_curves import ShapeCurve, curves_of
from probtrees.model.additive_member import AdditiveMember
from probtrees.model.member import Member
from probtrees.model.model import Model

WORDS = {
    "shaped-tree": "a tree and a curve for every column, added up",
    "soft-tree": "a tree that rows near a cut go through on both sides (blend)",
    "tan": "a network in which every column may depend on one other",
    "nb": "a network in which columns depend on the class alone",
    "kdb": "a network in which every column may depend on a few others",
    "skdb": "a network of the columns that help",
    "eskdb": "ten such networks, averaged; what they say is one line of a row's account",
}
"""What a member is, by its name."""


class Councillor(NamedTuple):
    """One member of a council.

    Attributes
    ----------
    name, words : what it is called, and what it is
    weight : the power that its answer is taken to; 1 is a voice as loud as a model alone
    member : the member itself
    """

    name: str
    words: str
    weight: float
    member: Member


def councillors(model: Model) -> tuple[Councillor, ...]:
    """List the members of a council in their order."""
    if model.kind != "council":
        raise DataError(f"model={model.learner!r} must be a council to have members with weights.")
    names = model.options["council"]["members"]
    return tuple(
        Councillor(name, WORDS.get(name, name), float(weight), member)
        for name, weight, member in zip(names, model.weights, model.members, strict=True)
    )


def council_sentence(model: Model) -> str:
    """Say who sits on a council and how loud everybody is."""
    said = [f"{one.name} (weight {one.weight:.2f})" for one in councillors(model)]
    if len(said) == 1:
        return f"Only {said[0]} is left of the council: nobody else helped on held-out rows."
    listed = f"{', '.join(said[:-1])} and {said[-1]}"
    return (
        f"The answers of {listed} are multiplied, each to the power of its weight, which rows "
        "held out have chosen. Who does not help is left out."
    )


def shaped_councillor(model: Model) -> Councillor | None:
    """Find the shaped tree of a council; None where there is none."""
    return next((o for o in councillors(model) if isinstance(o.member, AdditiveMember)), None)


def council_curves(model: Model) -> tuple[ShapeCurve, ...]:
    """Return the curves of the shaped tree of a council, as loud as they are in it."""
    shaped = shaped_councillor(model)
    if shaped is None or not isinstance(shaped.member, AdditiveMember):
        return ()
    return tuple(
        replace(
            curve,
            scores=shaped.weight * curve.scores,
            missing=None if curve.missing is None else shaped.weight * curve.missing,
            strength=shaped.weight * curve.strength,
            spread=None if curve.spread is None else shaped.weight * curve.spread,
        )
        for curve in curves_of(shaped.member, model.schema)
    )
