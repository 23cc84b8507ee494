"""Every algorithm by the name people give on the command line, in the app and in Python.

Adding one is its file and one line here: the command line, the pages, the reports and the
estimators read these lists. Nothing is imported before it is asked for, so that naming twelve
learners costs no more than naming one.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from probtrees.errors import OptionError, did_you_mean
from probtrees.options import OptionField, build, option_fields

if TYPE_CHECKING:
    from probtrees.model.model import Kind
    from probtrees.smooth.smoothed_tree import Smoother


Given = Mapping[str, Any] | None
"""Options by name; what is not named has its default."""


@dataclass(frozen=True)
class Entry:
    """One algorithm of the registry.

    Attributes
    ----------
    name : the name people give
    place : ``module:Class``, imported when first needed
    label : the name shown in the app and in tables
    preset : options that the name stands for; they cannot be set otherwise
    kind : what a learner makes; None for smoothers and methods of cutting
    in_chunks : whether a learner needs nothing but counts, so that it can learn from a table
        that is read in chunks
    on_page : whether the Network page offers a network
    does : what a smoother does, in two or three words
    help : the same in a sentence
    is_shown : whether a smoother is offered at once; the others stand behind *More*
    takes_smoother : whether what a learner makes is smoothed afterwards; a shaped tree is
        fitted as a whole
    given : a class of one's own, in place of one to import
    """

    name: str
    place: str
    label: str
    preset: Mapping[str, Any] = field(default_factory=dict)
    kind: Kind | None = None
    in_chunks: bool = False
    on_page: bool = True
    does: str = ""
    help: str = ""
    is_shown: bool = False
    takes_smoother: bool = True
    given: Any = None

    @property
    def plain(self) -> str:
        """What a smoother does, with its name: ``Raw share (MLE)``."""
        return f"{self.does} ({self.label})" if self.does else self.label

    @property
    def algorithm(self) -> Any:
        """The class that was handed over, or imported now if it was not before."""
        if self.given is not None:
            return self.given
        module, _, name = self.place.partition(":")
        return getattr(importlib.import_module(module), name)

    @property
    def is_network(self) -> bool:
        """Whether it learns Bayesian networks, which need numbers cut into intervals."""
        return self.kind in ("network", "ensemble")

    @property
    def options(self) -> tuple[OptionField, ...]:
        """The options that can be set, in the order of declaration."""
        return tuple(
            option for option in option_fields(self.algorithm) if option.name not in self.preset
        )

    def make(self, options: Given = None, seed: int | None = None) -> Any:
        """Make the algorithm; values given as text are parsed.

        The seed is that of an algorithm which has one and was not given its own.
        """
        given = dict(options or {})
        if seed is not None and any(field.name == "seed" for field in self.options):
            given.setdefault("seed", seed)
        for name, value in self.preset.items():
            if given.setdefault(name, value) != value:
                raise OptionError(
                    f"option={name!r} must not be set for {self.name!r}, which means "
                    f"{name}={value!r}. Choose another name."
                )
        return build(self.algorithm, given)


def _entries(*entries: Entry) -> dict[str, Entry]:
    return {entry.name: entry for entry in entries}


def _learner(place: str, name: str, label: str, kind: Kind, **more: Any) -> Entry:
    return Entry(name, f"probtrees.grow.{place}", label, kind=kind, **more)


LEARNERS: dict[str, Entry] = _entries(
    _learner("c45:C45", "c45", "C4.5 tree", "tree", in_chunks=True),
    _learner(
        *("shaped_tree:ShapedTree", "shaped-tree", "Shaped tree", "shaped"),
        in_chunks=True,
        takes_smoother=False,
    ),
    _learner("naive_bayes:NaiveBayes", "nb", "Naive Bayes", "network", in_chunks=True),
    _learner("tan:TAN", "tan", "TAN", "network", in_chunks=True),
    _learner("kdb:KDB", "kdb", "KDB", "network", in_chunks=True),
    _learner("skdb:SKDB", "skdb", "Selective KDB", "network", in_chunks=True),
    _learner(
        *("skdb:SKDB", "skdb-published", "Selective KDB as published", "network"),
        preset={"selection": "leave-one-out"},
        in_chunks=True,
        on_page=False,
    ),
    _learner("aode:AODE", "aode", "AODE", "ensemble"),
    _learner("kdf:KDF", "kdf", "KDF", "ensemble"),
    *(
        _learner("super_parent:SuperParent", name, label, "network", preset={"criterion": by})
        for name, label, by in (
            ("sp", "SuperParent", "accuracy"),
            ("auc-sp", "AUC-SP", "auc"),
            ("cll-sp", "CLL-SP", "cll"),
        )
    ),
    _learner("eskdb:ESKDB", "eskdb", "Ensemble of selective KDBs", "ensemble", in_chunks=True),
    Entry(
        *("council", "probtrees.experiment.council:Council", "Council of readable models"),
        kind="council",
        takes_smoother=False,
    ),
    _learner("forest:Forest", "forest", "Forest of C4.5 trees", "forest"),
)


def _smoother(place: str, name: str, label: str, does: str, sentence: str, **more: Any) -> Entry:
    return Entry(name, f"probtrees.smooth.{place}", label, does=does, help=sentence, **more)


SMOOTHERS: dict[str, Entry] = _entries(
    _smoother(
        *("m_estimate:MLE", "mle", "MLE", "Raw share"),
        "The share among the group's own rows, however few they are.",
        is_shown=True,
    ),
    _smoother(
        *("m_estimate:Laplace", "laplace", "Laplace", "Add one"),
        "Counts every outcome once more than it happened, so that nothing is impossible.",
        is_shown=True,
    ),
    _smoother(
        *("m_estimate:MEstimate", "m-estimate", "m-estimate", "Borrow from all rows"),
        "Mixes the overall rate in, with the strength of a few rows.",
    ),
    _smoother(
        *("m_branch:MBranch", "m-branch", "M-branch", "Borrow from the parent"),
        "A group borrows from the group it was split from, that one from the one before it.",
    ),
    _smoother(
        *("hdp:HDP", "hdp", "HDP", "Bayesian hierarchy"),
        "Every group varies around its parent; how closely is learnt by sampling, which also "
        "gives an interval.",
    ),
    _smoother(
        *("hgs:HGS", "hgs", "HGS", "Borrow from all ancestors"),
        "Mixes the rates of all groups on the path; how much they weigh is chosen on rows that "
        "were left out.",
        is_shown=True,
    ),
    _smoother(
        *("hgs:HGS", "hgs-published", "HGS as published", "Borrow alike from all ancestors"),
        "Mixes the rates of all groups on the path with the weights of the publication.",
        preset={"fit": "published"},
    ),
    _smoother(
        *("shrinkage:Shrinkage", "shrinkage", "Hierarchical shrinkage", "Shorten every step"),
        "Every step down the path counts less, the fewer rows it rests on.",
    ),
    _smoother(
        *("log_linear.hls:HLS", "hls", "HLS", "Add up in log-odds"),
        "Every step down the path adds to the log-odds, little where its rows are few.",
    ),
    _smoother(
        *("log_linear.hls:HLS", "hls-published", "HLS as published", "Add up, as published"),
        "Every step down the path adds to the log-odds, with the penalty of the publication.",
        preset={"fit": "published"},
    ),
    _smoother(
        *("ctw:CTW", "ctw", "CTW", "Average over all prunings"),
        "Averages the answers of all smaller trees inside this one, each as likely as its rows "
        "make it.",
    ),
    _smoother(
        *("blend:Blend", "blend", "Honest blend", "Mix of several"),
        "Averages many settings, each as strong as rows that were left out let it be.",
    ),
)

DISCRETIZERS: dict[str, Entry] = _entries(
    *(
        Entry(name, f"probtrees.table.discretize.methods:{made_by}", label)
        for name, made_by, label in (
            ("mdlp", "MDLP", "MDLP"),
            ("width", "EqualWidth", "Equal width"),
            ("frequency", "EqualFrequency", "Equal frequency"),
            ("kmeans", "KMeans", "k-means"),
            ("tree", "DecisionTree", "Decision tree"),
        )
    )
)

DEFAULT_LEARNER = "c45"
DEFAULT_SMOOTHER = "hgs"

QUICK_SMOOTHER = "m-branch"
"""What is shown while another is at work, or was cancelled: it needs neither held-out rows nor
samples."""
DEFAULT_CHUNKED_SMOOTHER = "m-estimate"
"""The smoother of a model grown in chunks; the usual one holds rows out, which needs them all."""

DEFAULT_DISCRETIZER = "mdlp"

NO_SMOOTHER = "none"
"""Stands in results and files of models that are fitted as a whole and take no smoother."""


def make_learner(name: str, options: Given = None, seed: int | None = None) -> Any:
    """Make a learner by name.

    >>> make_learner("c4.5")
    Traceback (most recent call last):
        ...
    probtrees.errors.OptionError: model='c4.5' must be a known model. Did you mean 'c45'?
    """
    return _find(LEARNERS, "model", name).make(options, seed)


def make_smoother(name: str, options: Given = None, seed: int | None = None) -> Smoother:
    """Make a smoother by name.

    >>> make_smoother("m-estimate", {"strength": "2"})
    MEstimate(strength=2.0, base='uniform')
    """
    smoother: Smoother = _find(SMOOTHERS, "smoother", name).make(options, seed)
    return smoother


def make_discretizer(name: str, options: Given = None, seed: int | None = None) -> Any:
    """Make a discretiser by name."""
    return _find(DISCRETIZERS, "discretize", name).make(options, seed)


def register_smoother(smoother: Any, label: str | None = None) -> None:
    """Make a smoother of one's own known everywhere under its ``name``.

    Parameters
    ----------
    smoother : a class with the methods of :class:`~probtrees.smooth.smoothed_tree.Smoother`,
        its options declared with :func:`~probtrees.options.option`
    label : what tables and the app call it; its name if not given

    Examples
    --------
    >>> import probtrees
    >>> class Timid(probtrees.Laplace):
    ...     name = "timid"
    >>> probtrees.register_smoother(Timid, "Laplace by another name")
    >>> probtrees.fit(probtrees.load_sample("stroke"), "nb", "timid")
    <Naive Bayes for stroke, smoothed by Laplace by another name: 3 tables>
    >>> del SMOOTHERS["timid"]
    """
    name = getattr(smoother, "name", None)
    if not isinstance(name, str) or not name:
        raise OptionError(f"smoother={smoother!r} must have a class attribute 'name'.")
    for part in ("needs_evidence", "smooth", "contributions", "to_dict"):
        if not hasattr(smoother, part):
            raise OptionError(f"smoother={name!r} must have {part!r}. See CONTRIBUTING.md.")
    if name in SMOOTHERS and SMOOTHERS[name].given is None:
        raise OptionError(f"smoother={name!r} must have a name of its own. That one is taken.")
    SMOOTHERS[name] = Entry(
        name, f"{smoother.__module__}:{smoother.__qualname__}", label or name, given=smoother
    )


def algorithms() -> dict[str, str]:
    """List the classes of learners and smoothers, each with the module it lives in."""
    places = [entry.place.split(":") for entry in (*LEARNERS.values(), *SMOOTHERS.values())]
    return {name: module for module, name in places}


def smoother_label(name: str) -> str:
    """Return what tables call a smoother, also one that is not registered here."""
    return SMOOTHERS[name].label if name in SMOOTHERS else name


def learners_in_chunks() -> list[str]:
    """List the learners that can learn from a table read in chunks."""
    return [entry.name for entry in LEARNERS.values() if entry.in_chunks and not entry.preset]


def smoothers_of_counts() -> list[str]:
    """List the smoothers that hold no rows out, so that they need nothing but counts."""
    return [name for name, entry in SMOOTHERS.items() if not entry.make().needs_evidence]


def estimators() -> dict[str, list[Entry]]:
    """List the names of the scikit-learn classifiers, each with the learners it stands for.

    They are named after the class of the learner. Of a class that is registered both plainly
    and with options preset, the plain name is taken: there the options are parameters.
    """
    found: dict[str, list[Entry]] = {}
    for entry in LEARNERS.values():
        found.setdefault(f"{entry.place.rpartition(':')[2]}Classifier", []).append(entry)
    return {
        name: [entry for entry in entries if not entry.preset] or entries
        for name, entries in found.items()
    }


def _find(registry: Mapping[str, Entry], what: str, name: str) -> Entry:
    """Look a name up, or suggest the one that was meant."""
    if name not in registry:
        kind = {"discretize": "method of discretisation"}.get(what, what)
        raise OptionError(f"{what}={name!r} must be a known {kind}. {did_you_mean(name, registry)}")
    return registry[name]
