"""Calibration: a last step that bends answers towards what happened to unseen rows.

One curve for two classes; for more, one for every class against all others, after which the
answers of a row are brought to a sum of 1. Curves never fall, so that rows keep their order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
from scipy.special import expit

from probtrees.errors import DataError
from probtrees.machine.json_file import decode, encode
from probtrees.types import FloatArray, IntArray

Method = Literal["platt", "isotonic", "venn-abers"]

CLOSEST = 1e-6
"""Log-odds are taken of answers this far from 0 and 1."""

MOST_KNOTS = 200
"""Venn-Abers looks at about this many groups of held-out rows, gathered by their forecasts."""


@dataclass(frozen=True)
class PlattCurve:
    """A straight line in log-odds: log-odds become slope * log-odds + intercept."""

    slope: float
    intercept: float

    def bend(self, p: FloatArray) -> FloatArray:
        """Return the calibrated probabilities."""
        return np.asarray(1 / (1 + np.exp(-(self.slope * log_odds(p) + self.intercept))))


@dataclass(frozen=True)
class IsotonicCurve:
    """The steps that fit best among those that never fall, joined by straight lines."""

    x: FloatArray
    y: FloatArray

    def bend(self, p: FloatArray) -> FloatArray:
        """Return the calibrated probabilities."""
        return np.interp(p, self.x, self.y)


@dataclass(frozen=True)
class VennAbersCurve:
    """Two isotonic answers: if the new row turned out not to be of the class, and if it did.

    Attributes
    ----------
    knots : float64[n], the forecasts of held-out rows, grouped
    low, high : float64[2 n + 1], the answers below the first knot, at it, between it and the
        next, and so on
    """

    knots: FloatArray
    low: FloatArray
    high: FloatArray

    def ends(self, p: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the lower and the upper answer."""
        before = np.searchsorted(self.knots, p - 1e-12)
        at = before + np.searchsorted(self.knots, p + 1e-12)
        return self.low[at], self.high[at]

    def bend(self, p: FloatArray) -> FloatArray:
        """Return the answer between both that loses least whatever happens."""
        low, high = self.ends(p)
        return np.asarray(high / (1 - low + high))


_CURVES = {"platt": PlattCurve, "isotonic": IsotonicCurve, "venn-abers": VennAbersCurve}


@dataclass(frozen=True)
class Calibration:
    """The curves of a model.

    Attributes
    ----------
    method : how they were found
    curves : one for the second of two classes, or one for every class
    n_rows : held-out rows that they were fitted to
    """

    method: Method
    curves: tuple[Any, ...]
    n_rows: int

    def apply(self, proba: FloatArray) -> FloatArray:
        """Calibrate probabilities; rows sum to 1 again."""
        if proba.shape[1] == 1:
            return proba
        if len(self.curves) == 1:
            second = self.curves[0].bend(proba[:, 1])
            return np.column_stack([1 - second, second])
        bent = np.column_stack([c.bend(p) for c, p in zip(self.curves, proba.T, strict=True)])
        total = bent.sum(axis=1, keepdims=True)
        return np.where(total > 0, bent / np.where(total > 0, total, 1.0), proba)

    def interval(self, proba: FloatArray) -> FloatArray:
        """Return both ends of Venn-Abers for every class: float64[n_rows, n_classes, 2].

        Of more than two classes every one is compared with all others.

        Parameters
        ----------
        proba : what the model said before it was calibrated
        """
        if self.method != "venn-abers":
            raise DataError(f"calibrate={self.method!r} must be 'venn-abers' to have intervals.")
        if proba.shape[1] == 1:
            return np.ones((*proba.shape, 2))
        columns = proba.T[1:] if len(self.curves) == 1 else proba.T
        ends = [np.column_stack(c.ends(p)) for c, p in zip(self.curves, columns, strict=True)]
        if len(self.curves) == 1:
            ends = [1 - ends[0][:, ::-1], ends[0]]
        return np.stack(ends, axis=1)

    def to_dict(self) -> dict[str, Any]:
        """Return the calibration as plain values, ready for JSON."""
        curves = [encode(asdict(curve)) for curve in self.curves]
        return {"method": self.method, "curves": curves, "n_rows": self.n_rows}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any], n_classes: int) -> Calibration:
        """Read what :meth:`to_dict` wrote, and prove that it bends probabilities."""
        method = record["method"]
        if method not in _CURVES:
            raise DataError(f"calibration method={method!r} must be one of {', '.join(_CURVES)}.")
        curves = tuple(_read_curve(method, decode(curve)) for curve in record["curves"])
        if len(curves) != (1 if n_classes == 2 else n_classes):
            raise DataError("calibration must have one curve for every class, or one for two.")
        return cls(method, curves, int(record["n_rows"]))


def fit_calibration(
    method: Method, proba: FloatArray, labels: IntArray, weights: FloatArray
) -> Calibration | None:
    """Fit curves to answers for rows that the answering models had not seen.

    Parameters
    ----------
    proba : float64[n_rows, n_classes]; rows that are NaN are left out

    Returns
    -------
    None where there is nothing to learn from: no rows, or no second class
    """
    known = ~np.isnan(proba).any(axis=1)
    proba, labels, weights = proba[known], labels[known], weights[known]
    n_classes = proba.shape[1]
    if not known.any() or n_classes < 2:
        return None
    fit = {"platt": _fit_platt, "isotonic": _fit_isotonic, "venn-abers": _fit_venn_abers}[method]
    classes = [1] if n_classes == 2 else range(n_classes)
    curves = tuple(fit(proba[:, k], (labels == k).astype(np.float64), weights) for k in classes)
    return Calibration(method, curves, int(known.sum()))


def log_odds(p: FloatArray) -> FloatArray:
    """Return log-odds, of answers at 0 and 1 those of the closest."""
    p = np.clip(p, CLOSEST, 1 - CLOSEST)
    return np.asarray(np.log(p) - np.log1p(-p))


def _fit_platt(p: FloatArray, happened: FloatArray, weights: FloatArray) -> PlattCurve:
    """Fit slope and intercept by Newton's method to Platt's (1999) softened outcomes.

    They leave room for doubt where all rows have one outcome. A slope below 0 would turn the
    order of rows around; the loss is convex, so the best curve that does not is then flat.
    """
    target = softened(happened, weights)
    found, _ = fit_line(log_odds(p), target, weights)
    if found[0] > 0:
        return PlattCurve(float(found[0]), float(found[1]))
    return PlattCurve(0.0, float(log_odds(np.array([weights @ target / weights.sum()]))[0]))


def softened(happened: FloatArray, weights: FloatArray) -> FloatArray:
    """Draw shares of rows with an outcome in from 0 and 1, as if there were two rows more."""
    yes = float(weights @ happened)
    no = float(weights.sum()) - yes
    return np.asarray(happened * (yes + 1) / (yes + 2) + (1 - happened) / (no + 2))


def fit_line(
    given: FloatArray, target: FloatArray, weights: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Fit the line of true log-odds along given ones, by Newton's method.

    It begins with a flat line, since from slope 1 on bold forecasts leave nothing to go by, and
    halves steps that lead up.

    Returns
    -------
    slope and intercept, and the curvature there, float64[2, 2]: the inverse of their covariance
    """
    share = float(weights @ target / weights.sum())
    design = np.column_stack([given, np.ones_like(given)])
    found = np.array([0.0, float(log_odds(np.array([share]))[0])])

    def loss(point: FloatArray) -> float:
        scores = design @ point
        return float(weights @ (np.logaddexp(0, scores) - target * scores))

    value = loss(found)
    for _ in range(100):
        q = expit(design @ found)
        slope = design.T @ (weights * (q - target))
        curvature = design.T @ (design * (weights * q * (1 - q))[:, None]) + 1e-9 * np.eye(2)
        step = np.linalg.solve(curvature, slope)
        while (after := loss(found - step)) > value and np.abs(step).max() > 1e-12:
            step = step / 2
        found, value = found - step, after
        if np.abs(step).max() < 1e-10:
            break
    return found, curvature


def _fit_isotonic(p: FloatArray, happened: FloatArray, weights: FloatArray) -> IsotonicCurve:
    """Pool adjacent violators; no answer is nearer to 0 or 1 than half a row would leave it."""
    x, y, mass = _gathered(p, happened, weights)
    y = _never_falling(y, mass)
    least = 0.5 / (float(mass.sum()) + 1)
    # Of a level stretch only both ends matter: in between lies a straight line.
    inside = np.zeros(len(y), dtype=np.bool_)
    inside[1:-1] = (y[1:-1] == y[:-2]) & (y[1:-1] == y[2:])
    return IsotonicCurve(x[~inside], np.clip(y[~inside], least, 1 - least))


def _fit_venn_abers(p: FloatArray, happened: FloatArray, weights: FloatArray) -> VennAbersCurve:
    """Try a row more of either outcome at, below and above every knot (Vovk & Petej 2014)."""
    x, y, mass = _in_groups(*_gathered(p, happened, weights))
    n = len(x)
    ends = np.empty((2, 2 * n + 1))
    for place in range(2 * n + 1):
        at = place // 2
        for outcome in (0, 1):
            if place % 2:  # on a knot: the row joins its group
                tried, heavy = y.copy(), mass.copy()
                tried[at] = (y[at] * mass[at] + outcome) / (mass[at] + 1)
                heavy[at] += 1
            else:
                tried, heavy = np.insert(y, at, outcome), np.insert(mass, at, 1.0)
            ends[outcome, place] = _never_falling(tried, heavy)[at]
    return VennAbersCurve(x, ends[0], ends[1])


def _gathered(
    p: FloatArray, happened: FloatArray, weights: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Gather rows with the same forecast: it, how often it came true, how many they are."""
    x, place = np.unique(p.round(12), return_inverse=True)
    mass = np.bincount(place, weights).astype(np.float64)
    return x, np.bincount(place, weights * happened) / mass, mass


def _in_groups(
    x: FloatArray, y: FloatArray, mass: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Put neighbours together until there are few enough groups, alike in weight."""
    if len(x) <= MOST_KNOTS:
        return x, y, mass
    middle = ((np.cumsum(mass) - mass / 2) * MOST_KNOTS / mass.sum()).round(9)
    # What lies on a border is a group of its own: counted from either end, groups are the same.
    _, group = np.unique(np.floor(middle) + np.ceil(middle), return_inverse=True)
    total = np.bincount(group, mass).astype(np.float64)
    means = [np.bincount(group, mass * values) / total for values in (x, y)]
    return means[0], means[1], total


def _never_falling(y: FloatArray, mass: FloatArray) -> FloatArray:
    from scipy.optimize import isotonic_regression  # noqa: PLC0415  slow to import, seldom needed

    return np.asarray(isotonic_regression(y, weights=mass).x, dtype=np.float64)


def _read_curve(method: str, record: Mapping[str, Any]) -> Any:
    """Read a curve and check that it maps probabilities to probabilities without falling."""
    if method == "platt":
        platt = PlattCurve(float(record["slope"]), float(record["intercept"]))
        if not (np.isfinite([platt.slope, platt.intercept]).all() and platt.slope >= 0):
            raise DataError("calibration must have a slope of at least 0 and a finite intercept.")
        return platt
    given = {name: np.asarray(values, dtype=np.float64) for name, values in record.items()}
    curve: Any = _CURVES[method](**given)
    at, *answers = vars(curve).values()  # where, and what is answered there
    n_answers = at.size if method == "isotonic" else 2 * at.size + 1
    fits = at.ndim == 1 and at.size > 0 and (np.diff(at) > 0).all()
    for y in answers:
        fits = fits and y.shape == (n_answers,) and bool((np.diff(y) >= -1e-9).all())
        fits = fits and bool(((y >= 0) & (y <= 1)).all())
    if not fits:
        raise DataError("calibration must have curves of probabilities that never fall.")
    return curve
