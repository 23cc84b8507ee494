"""What is known of some columns of a network, and what it says about all of them.

A number may be known by a range alone, of networks that cut the column elsewhere. The answers of
several networks are averaged here, too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np

from probtrees.errors import DataError
from probtrees.model.networks.dense_network import Variable
from probtrees.table.column_profile import ColumnProfile
from probtrees.table.cuts import interval_names
from probtrees.types import FloatArray

SMALLEST = 1e-300


class KnownRange(NamedTuple):
    """A range that a number is known to lie in: above ``low``, at most ``high``.

    >>> str(KnownRange(34.0, 51.0)), str(KnownRange(51.0, math.inf))
    ('34 to 51', 'above 51')
    """

    low: float
    high: float

    def __str__(self) -> str:
        """Name it as the ranges of networks are named."""
        ends = [end for end in self if math.isfinite(end)]
        names = interval_names(np.array(ends))
        return names[1] if len(ends) == 2 or self.high == math.inf else names[0]

    @classmethod
    def of_value(cls, points: Sequence[float], value: int) -> KnownRange:
        """Return one of the ranges between cut points.

        >>> KnownRange.of_value((10.0, 20.0), 2)
        KnownRange(low=20.0, high=inf)
        """
        ends = (-math.inf, *points, math.inf)
        return cls(ends[value], ends[value + 1])


Finding = str | float | None | KnownRange | Mapping[str, float]
"""What is known of a column: a value by name, a number or a range of numbers, None for "not
recorded", or how well each value fits (soft evidence; only ratios matter)."""

Findings = Mapping[str, Finding]
"""What is known, by the name of the column; columns that are left out are unobserved."""


@dataclass(frozen=True)
class NetworkAnswer:
    """What a network says when some columns are known.

    Attributes
    ----------
    target : float64[n_classes], the probabilities of the class
    posteriors : of every column, by name
    information : in nats, what learning a column is expected to tell about the class
    evidence : how probable what is known is, nothing else given; NaN where not worked out
    members : float64[n_members, n_classes], what every network of an ensemble says
    is_exact : whether all was worked out; else ``reason`` says why not, and answers are sampled or,
        where that cannot be, NaN
    is_possible : whether what is known can occur together; if not, answers are NaN
    conflict : the columns whose findings contradict each other
    error, largest_error : of sampled answers, how far the probabilities of the class, and of any
        column, may be off (half the width of a 95 % interval); None: nothing was sampled
    n_cells : of exact answers, the cells of all cliques of the largest network
    """

    target: FloatArray
    posteriors: Mapping[str, FloatArray]
    information: Mapping[str, float] = field(default_factory=dict)
    evidence: float = math.nan
    members: FloatArray = field(default_factory=lambda: np.empty((0, 0)))
    is_exact: bool = True
    is_possible: bool = True
    conflict: tuple[str, ...] = ()
    reason: str = ""
    error: float | None = None
    largest_error: float | None = None
    n_cells: int = 0


@dataclass(frozen=True)
class Worked:
    """What one network says.

    Attributes
    ----------
    evidence : how probable what is known is
    pairs : of every column, the joint probabilities float64[n_classes, n_values] of class and
        value given what is known; none where that cannot occur
    n_samples : how many samples of equal weight that rests on; infinite: it is exact
    """

    evidence: float
    pairs: list[FloatArray]
    n_samples: float = math.inf

    @classmethod
    def of_classes(
        cls, joint: FloatArray, given: Mapping[int, list[FloatArray]], n_samples: float = math.inf
    ) -> Worked:
        """Join weights of evidence and class with all columns given both."""
        labels = [label for label in given if joint[label] > 0]
        pairs = []
        for column in zip(*(given[label] for label in labels), strict=True):
            pairs.append(np.zeros((len(joint), len(column[0]))))
            pairs[-1][labels] = joint[labels, None] / joint.sum() * np.array(column)
        return cls(float(joint.sum()), pairs, n_samples)


@dataclass(frozen=True)
class LadderStep:
    """How one finding moved the answer: log odds of the class of interest before and after."""

    name: str
    before: float
    after: float

    @property
    def added(self) -> float:
        """What the finding added."""
        return self.after - self.before


def fits_of(
    variable: Variable, finding: Finding, profile: ColumnProfile | None = None
) -> FloatArray:
    """Write a finding as how well each value fits.

    Parameters
    ----------
    profile : how the numbers of the column are spread, see :func:`.shares_within`
    """
    if isinstance(finding, KnownRange):
        if variable.points is None:
            raise DataError(
                f"range={tuple(finding)!r} must be of a column that is cut into ranges; "
                f"{variable.name!r} is not. Give one of its values."
            )
        shares = shares_within(variable.points, finding, profile)
        return np.append(shares, np.zeros(len(variable.values) - len(shares)))
    if not isinstance(finding, Mapping):
        return known_value(len(variable.values), variable.code(finding))
    fits = np.zeros(len(variable.values))
    for value, weight in finding.items():
        fits[variable.code(value)] = weight
    if not (np.isfinite(fits).all() and (fits >= 0).all() and fits.any()):
        raise DataError(
            f"weights of {variable.name!r} must be numbers from 0 on, one of them above 0."
        )
    return np.asarray(fits / fits.max())


def shares_within(
    points: Sequence[float], known: KnownRange, profile: ColumnProfile | None
) -> FloatArray:
    """Return what share of each range between cut points lies in the range that is known.

    A network that knows a number only by ranges of its own has that much of each of them left:
    evidence by likelihoods (Pearl 1988, section 2.2.2).

    Parameters
    ----------
    profile : how the numbers of training are spread; without it they are taken to be spread
        evenly, outer ranges as wide as their neighbours

    Examples
    --------
    >>> shares_within((10.0, 20.0), KnownRange(15.0, math.inf), None).round(9).tolist()
    [0.0, 0.5, 1.0]
    """
    if not known.low < known.high:
        raise DataError(f"range={tuple(known)!r} must begin below its end. Exchange the two.")
    if len(points) == 0:  # the column is left whole
        return np.ones(1)
    ends = np.array([-math.inf, *points, math.inf])
    lows, highs = ends[:-1], ends[1:]
    within = np.minimum(highs, known.high), np.maximum(lows, known.low)
    rank = _rank(points, profile)
    whole = rank(highs) - rank(lows)
    shares = np.maximum(rank(within[0]) - rank(within[1]), 0.0)
    shares = np.divide(shares, whole, out=np.zeros(len(whole)), where=whole > 0)
    # Where a range is known altogether, or not at all, nothing is left to rounding.
    shares[(lows >= known.low) & (highs <= known.high)] = 1.0
    shares[within[0] <= within[1]] = 0.0
    if not shares.any():  # no number of training was there: the first range that it touches
        shares[np.searchsorted(points, known.low, side="right")] = 1.0
    return shares


def _rank(
    points: Sequence[float], profile: ColumnProfile | None
) -> Callable[[FloatArray], FloatArray]:
    """Return a function that says which share of the numbers is at most one."""
    if profile is not None and profile.edges is not None and profile.counts.sum() > 0:
        edges = profile.edges
        below = np.concatenate([[0.0], np.cumsum(profile.counts)])
    else:
        widths = np.diff(points).tolist() or [1.0]
        edges = np.array([points[0] - widths[0], *points, points[-1] + widths[-1]])
        below = edges - edges[0]
    return lambda numbers: np.interp(numbers, edges, below / below[-1])


def known_value(length: int, place: int) -> FloatArray:
    """Return the vector of evidence for a value that is known."""
    vector = np.zeros(length)
    vector[place] = 1.0
    return vector


def mutual_information(joint: FloatArray) -> float:
    """Return what two variables tell about each other, in nats, from their joint probabilities.

    >>> round(mutual_information(np.array([[0.5, 0.0], [0.0, 0.5]])), 4)
    0.6931
    """
    apart = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    some = joint > 0
    return max(float((joint[some] * np.log(joint[some] / apart[some])).sum()), 0.0)


def average_networks(
    worked: Sequence[Worked],
    variables: Sequence[Sequence[Variable]],
    target: str,
    averaging: Literal["posterior", "joint"],
    known: Collection[str],
) -> NetworkAnswer:
    """Average what networks say, as the members of a model are averaged.

    Parameters
    ----------
    worked : what each network says; what is known can occur in all of them
    variables : the columns of each network
    target : the name of the class
    averaging : whether answers are averaged after or before they are normalised
    known : the columns that something is known of, which have nothing to tell any more
    """
    totals = np.array([member.evidence for member in worked])
    shares = np.full(len(worked), 1 / len(worked))
    if averaging == "joint":
        shares = totals / totals.sum()
    members = np.array([member.pairs[0].sum(axis=1) for member in worked])
    columns = _joint_with_class(worked, variables, shares)
    chances = np.asarray(shares @ members)
    # Divided by their sum, so that a value that is known has 1, not just about that.
    posteriors = {
        name: joint.sum(axis=0) / joint.sum(axis=0).sum() for name, joint in columns.items()
    }
    n_samples = sum(member.n_samples for member in worked)
    information = {
        # Of samples a part is chance.
        name: max(
            mutual_information(joint) - (joint.size - sum(joint.shape) + 1) / (2 * n_samples), 0.0
        )
        for name, joint in columns.items()
        if name not in known and name != target
    }
    return NetworkAnswer(
        chances, {**posteriors, target: chances}, information, float(totals.mean()), members
    )


def _joint_with_class(
    worked: Sequence[Worked], variables: Sequence[Sequence[Variable]], shares: FloatArray
) -> dict[str, FloatArray]:
    """Average the joint probabilities of class and column over networks that have it alike.

    Networks that cut a number in other places have other values: of those the ones like
    the first network with the column are taken.
    """
    columns: dict[str, tuple[Variable, float, FloatArray]] = {}
    for own, member, share in zip(variables, worked, shares, strict=True):
        for variable, joint in zip(own, member.pairs, strict=True):
            first, weight, total = columns.get(variable.name, (variable, 0.0, 0 * joint))
            if first.values == variable.values:
                columns[variable.name] = first, weight + share, total + share * joint
    return {name: total / weight for name, (_, weight, total) in columns.items()}


def log_odds(target: FloatArray, code: int) -> float:
    """Return the logarithm of the odds of a class, kept within what a number can hold."""
    chance = float(np.clip(target[code], SMALLEST, 1 - 1e-16))
    return math.log(chance) - math.log1p(-chance)
