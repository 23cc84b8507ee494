"""A council: readable models whose opinions are pooled, each as loud as held-out rows say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from probtrees.errors import OptionError, did_you_mean
from probtrees.experiment.grown_model import GrownModel, grow_model
from probtrees.experiment.inner_models import held_out_proba, with_refits
from probtrees.experiment.model_spec import ModelSpec, make_spec
from probtrees.experiment.registry import NO_SMOOTHER
from probtrees.model.member import seat
from probtrees.model.model import Model
from probtrees.model.predict import opinion
from probtrees.options import Options, option
from probtrees.smooth.log_linear.minimise import minimise
from probtrees.smooth.log_linear.softmax import normalise
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray, Progress

COUNCILLORS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "shaped-tree": ("shaped-tree", NO_SMOOTHER, {}),
    "soft-tree": ("c45", "blend", {"routing": "soft"}),
    # Or the order of columns would decide the answers of a TAN.
    "tan": ("tan", "m-estimate", {"options": {"root": "strongest"}}),
    "nb": ("nb", "m-estimate", {}),
    "kdb": ("kdb", "m-estimate", {}),
    "skdb": ("skdb", "m-estimate", {}),
    "eskdb": ("eskdb", "m-estimate", {}),
    "forest": ("forest", "hgs", {"options": {"size": 100}}),
}
"""Who may sit on a council: a learner, a smoother and further settings by name."""

SMALLEST_WEIGHT = 0.01
"""A member that is hardly heard is left out."""


@dataclass(frozen=True)
class Council(Options):
    r"""Pool the opinions of different models in log-odds.

    .. math:: p(y | x) \propto \prod_m p_m(y | x)^{w_m}

    p_m = what member m says, not below 1e-4; w_m between 0 and 2, chosen so that rows which the
    inner models of all members have not seen have the least log loss. A member that does not help
    gets 0 and is left out. Since logarithms add up, so do the members' reasons.

    Examples
    --------
    >>> import probtrees
    >>> model = probtrees.fit(probtrees.load_sample("stroke"), probtrees.Council())
    >>> model.predict_proba({"weight": "heavy", "height": "med"}).round(2).tolist()
    [[0.7, 0.3]]
    """

    name: ClassVar[str] = "council"
    takes_smoother: ClassVar[bool] = False

    members: str = option(
        "shaped-tree,soft-tree,tan",
        help=f"Who sits on the council, with commas between: {', '.join(COUNCILLORS)}.",
        flag=True,
    )
    missing: Literal["value", "fraction"] = option(
        "value",
        help="For trees: a missing value as a value of its own, or its row over all branches.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in self.names:
            if name not in COUNCILLORS:
                advice = did_you_mean(name, COUNCILLORS)
                raise OptionError(f"members={self.members!r} must name models. {advice}")
        if not self.names or len(set(self.names)) < len(self.names):
            raise OptionError(f"members={self.members!r} must name different models.")

    @property
    def names(self) -> tuple[str, ...]:
        """The members by name."""
        return tuple(name.strip() for name in self.members.split(",") if name.strip())

    def grow_model(self, data: Dataset, spec: ModelSpec, progress: Progress | None) -> GrownModel:
        """Grow every member from the same rows."""
        parts = []
        for name in self.names:
            learner, _, settings = COUNCILLORS[name]
            if learner in ("c45", "shaped-tree"):
                settings = {**settings, "options": {"missing": self.missing}}
            own = make_spec(learner, seed=spec.seed, **settings)
            parts.append(grow_model(data, own, progress))
        return GrownModel(
            parts[0].data,
            spec,
            tuple(member for part in parts for member in part.members),
            seconds=sum(part.seconds for part in parts),
            unit=parts[0].unit,
            parts=tuple(parts),
        )

    def finish(self, grown: GrownModel, progress: Progress | None) -> Model:
        """Finish every member, and weigh them by rows that their inner models have not seen."""
        grown.evidence(progress)
        models = [
            part.smooth(COUNCILLORS[name][1], progress=progress)
            for name, part in zip(self.names, grown.parts, strict=True)
        ]
        return self.pool(grown, models, progress)

    def pool(
        self, grown: GrownModel, models: Sequence[Model], progress: Progress | None = None
    ) -> Model:
        """Weigh members that are finished, one model each, and let them answer together."""
        pairs = zip(grown.parts, models, strict=True)
        parts = [(part, with_refits(part, model, progress)) for part, model in pairs]
        held_out = [held_out_proba(part, model, progress) for part, model in parts]
        weights = pool_weights(held_out, grown.data)
        kept = [at for at, weight in enumerate(weights) if weight > 0]
        members = tuple(seat(parts[at][1].members) for at in kept)
        pooled = grown.finished((NO_SMOOTHER, None), members)
        said = {"members": [self.names[at] for at in kept], "weights": weights[kept].tolist()}
        options = {**pooled.options, "council": said}
        return replace(pooled, weights=tuple(said["weights"]), options=options)


def pool_weights(held_out: Sequence[FloatArray], data: Dataset) -> FloatArray:
    """Find the weights under which held-out rows have the least log loss.

    Parameters
    ----------
    held_out : per member float64[n_rows, n_classes]; NaN where no inner model could answer

    Returns
    -------
    float64[n_members] between 0 and 2; all alike where nothing was held out
    """
    n_members = len(held_out)
    known = ~np.isnan(np.array(held_out)).any(axis=(0, 2))
    start = np.full(n_members, 1 / n_members)
    if not known.any():
        return start
    opinions = np.array([opinion(proba[known]) for proba in held_out])
    happened = np.eye(data.n_classes)[data.labels[known]]
    rows = data.row_weights[known] / data.row_weights[known].mean()

    def loss(weights: FloatArray) -> tuple[float, FloatArray]:
        proba = normalise(np.tensordot(weights, opinions, axes=1))
        said = np.maximum((proba * happened).sum(axis=1), np.finfo(float).tiny)
        # d (-log p_y) / d w_m = sum_k (p_k - [k = y]) log p_mk
        slope = (rows[:, None] * (proba - happened) * opinions).sum(axis=(1, 2))
        return float(-rows @ np.log(said)), slope

    found = minimise(loss, start, [(0.0, 2.0)] * len(start), ftol=1e-14, gtol=1e-9, maxiter=500)
    weights = np.where(found < SMALLEST_WEIGHT, 0.0, found)
    return weights if weights.any() else start
