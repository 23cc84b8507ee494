"""Make a scikit-learn classifier of a registered learner: its parameters and its documentation."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from probtrees.estimators.base import SmoothedClassifier
from probtrees.estimators.tree_classifier import TreeClassifier
from probtrees.experiment.model_spec import ModelSpec
from probtrees.experiment.registry import DEFAULT_DISCRETIZER, DEFAULT_SMOOTHER, Entry
from probtrees.options import option_fields

_OF_MODELS = {field.name: (field.default, field.help) for field in option_fields(ModelSpec)}
_TREE_PARAMETERS = {name: _OF_MODELS[name] for name in ("routing", "curtail", "as_published")}

_SMOOTHER_PARAMETERS = {
    "smoother": (
        DEFAULT_SMOOTHER,
        "Registry name of a smoother, or a smoother such as ``MEstimate(strength=2)``.",
    ),
    "smoother_options": (None, "Options of a smoother given by name, as a dictionary."),
}

_SHARED_PARAMETERS: dict[str, tuple[Any, str]] = {
    "class_weight": (
        None,
        "How much the rows of each class count in growing and for ``predict``: a dictionary, "
        "'balanced' (all classes together the same), or None.",
    ),
    "weighted_proba": (
        False,
        "Whether ``predict_proba`` leaves the probabilities as the class weights made them; "
        "otherwise they are brought back to how common the classes are.",
    ),
    "repeats": (
        "auto",
        "What becomes of copies, which are identical rows and rows of a weight above 1: "
        "'together' (one observation, kept whole wherever rows are held out), 'apart' "
        "(different cases), or 'auto' (together where some numeric feature has more different "
        "values than a tenth of the rows, copies counted, and more than 10).",
    ),
    "calibrate": _OF_MODELS["calibrate"],
    "random_state": (0, "Seed of everything random."),
    "intervals": (
        False,
        "Gather what ``predict_interval`` needs also for a smoother that holds no rows out; it "
        "costs about as much as growing four times more.",
    ),
}

_DISCRETIZER_PARAMETER = (
    DEFAULT_DISCRETIZER,
    "How numeric columns are cut: 'mdlp', 'width', 'frequency', 'kmeans', 'tree', or a "
    "discretiser such as ``EqualWidth(5)``.",
)


_EXAMPLE = """

    Examples
    --------
    >>> import probtrees
    >>> frame = probtrees.load_sample("stroke").to_frame()
    >>> fitted = probtrees.{name}().fit(frame[["weight", "height"]], frame["stroke"])
    >>> fitted.predict(frame[["weight", "height"]])[:2].tolist()
    ['no', 'no']
"""


def make_estimator(name: str, learners: Sequence[Entry]) -> type[SmoothedClassifier]:
    """Make the estimator of a learner; its options become the constructor's parameters.

    scikit-learn reads parameters off the constructor's signature. They are declared once,
    as the learner's option fields, so the signature and its documentation are made here.

    Parameters
    ----------
    learners : the names under which it is registered; where each of them stands for a value of
        an option, that option is a parameter too
    """
    entry = learners[0]
    parameters = _parameters(entry)
    keyword = inspect.Parameter.KEYWORD_ONLY
    signature = inspect.Signature(
        [
            inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD),
            *(
                inspect.Parameter(parameter, keyword, default=default)
                for parameter, (default, _) in parameters.items()
            ),
        ]
    )

    def __init__(self: Any, *args: Any, **given: Any) -> None:  # noqa: N807
        bound = signature.bind(self, *args, **given)
        bound.apply_defaults()
        for parameter, value in list(bound.arguments.items())[1:]:
            setattr(self, parameter, value)

    __init__.__signature__ = signature  # type: ignore[attr-defined]
    __init__.__qualname__ = f"{name}.__init__"
    base = TreeClassifier if entry.kind == "tree" else SmoothedClassifier
    smoothed = " with smoothed tables" if entry.is_network else " with smoothed leaves"
    what = (entry.algorithm.__doc__ or "").partition("\n")[0]
    lines = [f"    {name} : default {d!r}. {text}" for name, (d, text) in parameters.items()]
    heading = "\n\n    Parameters\n    ----------\n"
    doc = (
        f"{entry.label}{smoothed if entry.takes_smoother else ''}.\n\n    {what}{heading}"
        + "\n".join(lines)
        + _EXAMPLE.format(name=name)
    )
    members = {"__doc__": doc, "__init__": __init__, "_learners": tuple(learners)}
    return type(name, (base,), {**members, "__module__": "probtrees.estimators"})


def _parameters(entry: Entry) -> dict[str, tuple[Any, str]]:
    """List the parameters of an estimator by name: their default and what they mean."""
    fields = option_fields(entry.algorithm)
    own = {field.name: (field.default, field.help) for field in fields if field.name != "seed"}
    if not entry.takes_smoother:
        return {**own, **_SHARED_PARAMETERS}
    grown = {"discretizer": _DISCRETIZER_PARAMETER} if entry.is_network else _TREE_PARAMETERS
    return {**_SMOOTHER_PARAMETERS, **own, **grown, **_SHARED_PARAMETERS}
