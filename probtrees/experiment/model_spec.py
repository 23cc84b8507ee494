"""Everything that decides how a model is grown and how it answers, apart from its smoother.

Also the preset that reproduces the published tables: every quirk of their program at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from probtrees.errors import OptionError, did_you_mean
from probtrees.experiment.registry import (
    DEFAULT_DISCRETIZER,
    DEFAULT_LEARNER,
    DEFAULT_SMOOTHER,
    LEARNERS,
    NO_SMOOTHER,
    SMOOTHERS,
    Given,
    make_discretizer,
    make_learner,
    make_smoother,
)
from probtrees.options import Options, option, option_fields
from probtrees.smooth.as_published import AsPublished
from probtrees.smooth.smoothed_tree import Smoother

Routing = Literal["hard", "soft"]

_QUIRKS: dict[str, dict[str, Any]] = {
    "m-branch": {"chained": True},
    "hgs": {"fit": "published", "weights": "single", "loss": "squared"},
}
"""By smoother, the options under which it does what the published program did."""

_OTHER_WORDS = {"cv": "folds", "n_splits": "folds", "random_state": "seed"}
"""What other packages call a setting that has another name here."""


@dataclass(frozen=True)
class ModelSpec(Options):
    """How to grow a model.

    Attributes
    ----------
    learner, learner_name : the learner and its registry name
    discretizer : cuts numeric columns for a network; None: the learner needs none
    routing : whether a row goes down one branch at a split ("hard") or softly down several
    curtail : answer above nodes with fewer rows than this; None: at the leaves
    calibrate : how answers are bent towards what happened to held-out rows, if at all
    as_published : whether to repeat the quirks of the programs behind the published tables
    seed : the seed of everything random
    """

    learner: Any
    learner_name: str = DEFAULT_LEARNER
    discretizer: Any = None
    routing: Routing = option(
        "hard", help="Whether a row goes down one branch of a tree, or softly down several."
    )
    curtail: float | None = option(
        None, minimum=0, help="Answer above nodes with fewer rows than this."
    )
    calibrate: Literal["none", "platt", "isotonic", "venn-abers"] = option(
        "none",
        help="A last step that bends all answers towards what happened to rows held out: a line "
        "in log-odds, steps, or steps with an interval.",
    )
    as_published: bool = option(
        False, help="Repeat every habit of the program behind the published tables of C4.5 trees."
    )
    seed: int = option(0, minimum=0, help="Seed of all chance.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.takes_smoother and (self.as_published or self.curtail is not None):
            raise OptionError(
                f"model={self.learner_name!r} must go without 'as_published' and 'curtail'. Its "
                "leaves have no probabilities of their own; choose the model 'c45' for those."
            )
        if self.calibrate != "none" and self.as_published:
            raise OptionError(
                f"calibrate={self.calibrate!r} must be 'none' with the published habits, which "
                "know no such step."
            )
        if self.routing == "soft" and (self.is_network or self.as_published):
            raise OptionError(
                "routing='soft' must go with a decision tree, and not with the published habits. "
                "Choose routing='hard', or the model 'c45'."
            )

    @property
    def is_network(self) -> bool:
        """Whether the learner makes Bayesian networks."""
        return hasattr(self.learner, "learn")

    @property
    def takes_smoother(self) -> bool:
        """Whether the model is smoothed after it is grown, rather than fitted as a whole."""
        return getattr(self.learner, "takes_smoother", True)

    def to_dict(self) -> dict[str, Any]:
        """Return the settings by name, as they are written into a model file."""
        return {
            "learner": self.learner.to_dict(),
            "discretizer": None if self.discretizer is None else self.discretizer.name,
            "routing": self.routing,
            "curtail": self.curtail,
            "as_published": self.as_published,
            "seed": self.seed,
            **({} if self.calibrate == "none" else {"calibrate": self.calibrate}),
        }


def make_spec(
    learner: Any = DEFAULT_LEARNER,
    options: Given = None,
    *,
    discretizer: Any = DEFAULT_DISCRETIZER,
    **settings: Any,
) -> ModelSpec:
    """Make a spec from names or from ready-made algorithms.

    Parameters
    ----------
    learner : a registry name, a learner, or its class, for its defaults
    options : the options of a learner given by name; its seed is the spec's unless named
    discretizer : a registry name, or a discretiser; networks only
    settings : the other fields of :class:`ModelSpec`
    """
    can = "learner", ("grow", "learn", "grow_model"), "C45(min_leaf=5)"
    learner = _ready(learner, options, *can)
    name = learner if isinstance(learner, str) else name_of(learner, LEARNERS)
    if isinstance(learner, str):
        learner = make_learner(learner, options, settings.get("seed", 0))
    if not hasattr(learner, "learn"):
        discretizer = None
    elif isinstance(discretizer, str):
        discretizer = make_discretizer(discretizer, None, settings.get("seed", 0))
    if settings.get("as_published"):
        learner = learner_as_published(learner)
    if settings.get("calibrate", "") is None:
        settings["calibrate"] = "none"
    _check_settings(settings, learner)
    return ModelSpec(learner, name, discretizer, **settings)


def _ready(algorithm: Any, options: Given, what: str, can: tuple[str, ...], example: str) -> Any:
    """Make an algorithm of a class by its defaults; refuse what is neither one nor a name."""
    if isinstance(algorithm, str):
        return algorithm
    made = algorithm() if isinstance(algorithm, type) else algorithm
    if not any(hasattr(made, ability) for ability in can):
        raise OptionError(
            f"{what}={type(algorithm).__name__} must be a name or a {what}. Give its name, or an "
            f"object such as probtrees.{example}."
        )
    if options:
        raise OptionError(f"options must come with the name of a {what}, not with a {what}.")
    return made


def _check_settings(settings: Mapping[str, Any], learner: Any) -> None:
    """Refuse settings that no model has; those of a learner or a smoother come with it."""
    known = [field.name for field in option_fields(ModelSpec)]
    for name, value in settings.items():
        if name in known:
            continue
        hint = did_you_mean(name, [*known, "discretizer"])
        if name in _OTHER_WORDS:
            hint = f"It is called {_OTHER_WORDS[name]!r} here."
        if any(field.name == name for field in option_fields(type(learner))):
            hint = f"Give it to the learner: {type(learner).__name__}({name}={value!r})."
        raise OptionError(f"setting={name!r} must be a setting of a model. {hint}")


def named_smoother(smoother: Any, options: Given = None, seed: int = 0) -> tuple[str, Smoother]:
    """Make a smoother from its registry name, or find the name of a ready-made one.

    A pair of a name and a smoother is taken as it is.
    """
    if isinstance(smoother, tuple):
        return smoother
    smoother = _ready(smoother, options, "smoother", ("smooth",), 'HDP(tying="level")')
    if isinstance(smoother, str):
        return smoother, make_smoother(smoother, options, seed)
    return name_of(smoother, SMOOTHERS), smoother


def smoothers_for(spec: ModelSpec, smoothers: Iterable[Any]) -> list[tuple[str, Smoother]]:
    """Name the smoothers to try on a model.

    A model that takes none is tried once, under the name that stands for none; the smoother
    beside it is never asked.
    """
    if not spec.takes_smoother:
        return [(NO_SMOOTHER, make_smoother(DEFAULT_SMOOTHER))]
    return [named_smoother(smoother, None, spec.seed) for smoother in smoothers]


def name_of(algorithm: Any, registry: Mapping[str, Any]) -> str:
    """Find the registry name that stands for a ready-made algorithm."""
    own = str(getattr(algorithm, "name", type(algorithm).__name__))
    for name, entry in registry.items():
        same_class = entry.place.endswith(f":{type(algorithm).__name__}")
        preset = entry.preset.items()
        if same_class and preset and all(getattr(algorithm, k) == v for k, v in preset):
            return name
    return own


def learner_as_published(learner: Any) -> Any:
    """Let a tree learner split rows and place thresholds as the published program did."""
    if not hasattr(learner, "middle_slack"):
        raise OptionError(
            f"as_published must not be set for {learner.name!r}. The published tables that it "
            "reproduces are about C4.5 trees: choose 'c45'."
        )
    return replace(learner, missing="fraction", middle_slack=1e-6)


def smoother_as_published(smoother: Smoother) -> Smoother:
    """Wrap a smoother in the habits of the published program, unless it already is."""
    if isinstance(smoother, AsPublished):
        return smoother
    quirks = _QUIRKS.get(smoother.name)
    return AsPublished(smoother if quirks is None else replace(smoother, **quirks))  # type: ignore[type-var]
