"""Every algorithm by the name people give on the command line, in the app and in Python.

Adding one is one line here. Nothing is imported before it is asked for, so that naming
twelve learners costs no more than naming one.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from probtrees.errors import OptionError, did_you_mean
from probtrees.options import OptionField, build, option_fields
from probtrees.smooth.smoothed_tree import Smoother


@dataclass(frozen=True)
class Entry:
    """One algorithm of the registry.

    Attributes
    ----------
    name : the name people give
    place : ``module:Class``, imported when first needed
    label : the name shown in the app and in tables
    preset : options that the name stands for; they cannot be set otherwise
    """

    name: str
    place: str
    label: str
    preset: Mapping[str, Any] = field(default_factory=dict)

    @property
    def algorithm(self) -> Any:
        """The class, imported now if it was not before."""
        module, _, name = self.place.partition(":")
        return getattr(importlib.import_module(module), name)

    @property
    def is_network(self) -> bool:
        """Whether it learns Bayesian networks, which need numbers cut into intervals."""
        return hasattr(self.algorithm, "learn")

    @property
    def options(self) -> tuple[OptionField, ...]:
        """The options that can be set, in the order of declaration."""
        return tuple(
            option for option in option_fields(self.algorithm) if option.name not in self.preset
        )

    def make(self, options: Mapping[str, Any] | None = None) -> Any:
        """Make the algorithm; values given as text are parsed."""
        given = dict(options or {})
        for name, value in self.preset.items():
            if given.setdefault(name, value) != value:
                raise OptionError(
                    f"option={name!r} must not be set for {self.name!r}, which means "
                    f"{name}={value!r}. Choose another name."
                )
        return build(self.algorithm, given)


@dataclass(frozen=True)
class _PlugIn(Entry):
    """An algorithm that was handed over as a class."""

    given: Any = None

    @property
    def algorithm(self) -> Any:
        """The class that was handed over."""
        return self.given


def _entries(*entries: Entry) -> dict[str, Entry]:
    return {entry.name: entry for entry in entries}


LEARNERS: dict[str, Entry] = _entries(
    Entry("c45", "probtrees.grow.c45:C45", "C4.5 tree"),
    Entry("nb", "probtrees.grow.naive_bayes:NaiveBayes", "Naive Bayes"),
    Entry("tan", "probtrees.grow.tan:TAN", "TAN"),
    Entry("kdb", "probtrees.grow.kdb:KDB", "KDB"),
    Entry("skdb", "probtrees.grow.skdb:SKDB", "Selective KDB"),
    Entry(
        "skdb-published",
        "probtrees.grow.skdb:SKDB",
        "Selective KDB as published",
        {"selection": "leave-one-out"},
    ),
    Entry("aode", "probtrees.grow.aode:AODE", "AODE"),
    Entry("kdf", "probtrees.grow.kdf:KDF", "KDF"),
    Entry(
        "sp", "probtrees.grow.super_parent:SuperParent", "SuperParent", {"criterion": "accuracy"}
    ),
    Entry("auc-sp", "probtrees.grow.super_parent:SuperParent", "AUC-SP", {"criterion": "auc"}),
    Entry("cll-sp", "probtrees.grow.super_parent:SuperParent", "CLL-SP", {"criterion": "cll"}),
    Entry("eskdb", "probtrees.grow.eskdb:ESKDB", "Ensemble of selective KDBs"),
    Entry("forest", "probtrees.grow.forest:Forest", "Random forest"),
    Entry("forest", "probtrees.grow.forest:Forest", "Forest of C4.5 trees"),
)

SMOOTHERS: dict[str, Entry] = _entries(
    Entry("mle", "probtrees.smooth.mle:MLE", "MLE"),
    Entry("laplace", "probtrees.smooth.laplace:Laplace", "Laplace"),
    Entry("m-estimate", "probtrees.smooth.m_estimate:MEstimate", "m-estimate"),
    Entry("m-branch", "probtrees.smooth.m_branch:MBranch", "M-branch"),
    Entry("hdp", "probtrees.smooth.hdp:HDP", "HDP"),
    Entry("hgs", "probtrees.smooth.hgs:HGS", "HGS (weights from held-out rows)"),
    Entry("hgs-published", "probtrees.smooth.hgs:HGS", "HGS as published", {"fit": "published"}),
    Entry("shrinkage", "probtrees.smooth.shrinkage:Shrinkage", "Hierarchical shrinkage"),
    Entry("blend", "probtrees.smooth.blend:Blend", "Honest blend"),
)

DISCRETIZERS: dict[str, Entry] = _entries(
    Entry("mdlp", "probtrees.table.discretize.mdlp:MDLP", "MDLP"),
    Entry("width", "probtrees.table.discretize.equal_width:EqualWidth", "Equal width"),
    Entry(
        "frequency",
        "probtrees.table.discretize.equal_frequency:EqualFrequency",
        "Equal frequency",
    ),
    Entry("kmeans", "probtrees.table.discretize.k_means:KMeans", "k-means"),
    Entry("tree", "probtrees.table.discretize.decision_tree:DecisionTree", "Decision tree"),
)

DEFAULT_LEARNER = "c45"
DEFAULT_SMOOTHER = "hgs"
DEFAULT_CHUNKED_SMOOTHER = "m-estimate"
"""The smoother of a model grown in chunks; the usual one holds rows out, which needs them all."""

DEFAULT_DISCRETIZER = "mdlp"


def make_learner(name: str, options: Mapping[str, Any] | None = None) -> Any:
    """Make a learner by name.

    >>> make_learner("c4.5")
    Traceback (most recent call last):
        ...
    probtrees.errors.OptionError: model='c4.5' must be a known model. Did you mean 'c45'?
    """
    return _find(LEARNERS, "model", name).make(options)


def make_smoother(name: str, options: Mapping[str, Any] | None = None) -> Smoother:
    """Make a smoother by name.

    >>> make_smoother("m-estimate", {"strength": "2"})
    MEstimate(strength=2.0, base='uniform')
    """
    smoother: Smoother = _find(SMOOTHERS, "smoother", name).make(options)
    return smoother


def make_discretizer(name: str, options: Mapping[str, Any] | None = None) -> Any:
    """Make a discretiser by name."""
    return _find(DISCRETIZERS, "discretize", name).make(options)


def register_smoother(smoother: Any, label: str | None = None) -> None:
    """Make a smoother of one's own known everywhere under its ``name``.

    Parameters
    ----------
    smoother : a class with the methods of :class:`~probtrees.smooth.smoothed_tree.Smoother`,
        its options declared with :func:`~probtrees.options.option`
    label : what tables and the app call it; its name if not given
    """
    name = getattr(smoother, "name", None)
    if not isinstance(name, str) or not name:
        raise OptionError(f"smoother={smoother!r} must have a class attribute 'name'.")
    for part in ("needs_evidence", "smooth", "contributions", "to_dict"):
        if not hasattr(smoother, part):
            raise OptionError(f"smoother={name!r} must have {part!r}. See docs/architecture.md.")
    if name in SMOOTHERS and not isinstance(SMOOTHERS[name], _PlugIn):
        raise OptionError(f"smoother={name!r} must have a name of its own. That one is taken.")
    SMOOTHERS[name] = _PlugIn(
        name, f"{smoother.__module__}:{smoother.__qualname__}", label or name, given=smoother
    )


def _find(registry: Mapping[str, Entry], what: str, name: str) -> Entry:
    """Look a name up, or suggest the one that was meant."""
    if name not in registry:
        kind = {"discretize": "method of discretisation"}.get(what, what)
        raise OptionError(f"{what}={name!r} must be a known {kind}. {did_you_mean(name, registry)}")
    return registry[name]
