"""A fitted model: smoothed trees under a schema, ready to predict and to be explained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from probtrees.cuts import Cuts
from probtrees.dataset import Schema
from probtrees.provenance import Provenance
from probtrees.smoothed_tree import SmoothedTree


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
    """

    trees: tuple[SmoothedTree, ...]
    cuts: Cuts | None = None


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
    """

    schema: Schema
    members: tuple[Member, ...]
    learner: str
    smoother: str
    options: Mapping[str, Any] = field(default_factory=dict)
    averaging: Literal["posterior", "joint"] = "posterior"
    diagnostics: Mapping[str, Any] = field(default_factory=dict)
    provenance: Provenance = field(default_factory=Provenance)
