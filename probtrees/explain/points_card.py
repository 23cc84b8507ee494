r"""A shaped tree as a points card: whole points to add up by hand, and the risk of their sum.

Both parts of a shaped tree add to the log-odds of an outcome, so both are lines of a card: ranges
and categories of its columns, and groups, which are the tree cut back to few leaves.

.. math:: p = 1 / (1 + \exp(-(b + u \sum_j P_j)))

P_j = the whole points of a column's line or of the group, u = log-odds per point, b = the
log-odds of no points. The card is made when the model is fitted
(``experiment/round_to_points.py``), and kept among its diagnostics.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import expit

from probtrees.errors import DataError
from probtrees.explain.shape_curves import ShapeCurve
from probtrees.model.calibration import log_odds
from probtrees.model.model import Model
from probtrees.model.predict import NORMAL
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray, IntArray
from probtrees.words import act_from, outcome_title, plural, score_texts

KEPT = "points"
"""The name of the card among the diagnostics of a model."""

OF_OTHERS = 1.7
"""How much wider an interval is, squared: it were inner cards that gave rows their risks."""

Way = tuple[int, float | None, float | None, tuple[int, ...] | None, bool]
"""What a value must be: of which column, above and up to which number, or one of which codes, or
missing. None: any."""


@dataclass(frozen=True)
class PointsLine:
    """A line of a card.

    Attributes
    ----------
    words : what it asks for
    points, rows : what it adds, and how many training rows have it
    when : the conditions that a row meets, all of them, each in one of some ways
    """

    words: str
    points: int
    rows: float
    when: tuple[tuple[Way, ...], ...]

    def holds(self, values: FloatArray) -> Any:
        """Say which rows are on the line."""
        met = [np.any([_meets(way, values) for way in ways], axis=0) for ways in self.when]
        return np.all([np.ones(len(values), dtype=bool), *met], axis=0)


def _meets(way: Way, values: FloatArray) -> Any:
    column, low, high, codes, missing = way
    x = values[:, column]
    if missing:
        return np.isnan(x)
    if codes is not None:
        return np.isin(x, codes)
    return (x > (-np.inf if low is None else low)) & (x <= (np.inf if high is None else high))


@dataclass(frozen=True)
class PointsPart:
    """The lines of one column, or of the tree (column is None); the first that holds counts.

    What is on no line adds nothing: the most frequent line has no points.
    """

    column: int | None
    title: str
    lines: tuple[PointsLine, ...]

    def points(self, values: FloatArray) -> IntArray:
        """Return the points of every row."""
        found = np.zeros(len(values), dtype=np.int64)
        for line in reversed(self.lines):
            found[line.holds(values)] = line.points
        return found


@dataclass(frozen=True)
class PointsLoss:
    """What whole points lose against the model, on rows that neither has seen.

    Attributes
    ----------
    rows : how many rows
    brier_binary, auc : of the model, and of the card: mean (p - y)^2, and no AUC where all rows
        had one outcome
    mean_change, largest_change : of a row's probability
    line, covariance : slope and intercept of true log-odds along those that the card gives to the
        second class (Cox 1958), and how sure they are
    """

    rows: int
    brier_binary: Sequence[float]
    auc: Sequence[float | None]
    mean_change: float
    largest_change: float
    line: Sequence[float]
    covariance: Sequence[Sequence[float]]

    @property
    def sentence(self) -> str:
        """Say what is lost."""
        brier = " by the model, ".join(score_texts(*self.brier_binary))
        known = [f"{each:.3f}" for each in self.auc if each is not None]
        auc = f"AUC {' and '.join(known)}; " if known else ""
        return (
            f"On {plural(self.rows, 'unseen rows')}: Brier score {brier} by the card; {auc}a risk "
            f"moves by {100 * self.mean_change:.1f} percentage points on average, at most by "
            f"{100 * self.largest_change:.0f}."
        )


@dataclass(frozen=True)
class PointsCard:
    """A card of whole points.

    Attributes
    ----------
    model : the shaped tree that it stands for
    outcome : the class whose risk is told
    unit, base : log-odds per point, and of no points
    parts : the tree, where it adds anything, then columns, the strongest first
    finest : points between the lines of a part that add most and least: what the unit is for
    loss : measured on held-out rows of inner models, each with a card of its own; None: not
    act, acted : from which risk on to act on a person, None: not decided; what comes of it
    """

    model: Model
    outcome: int
    unit: float
    base: float
    parts: tuple[PointsPart, ...]
    finest: int
    loss: PointsLoss | None = None
    act: float | None = None
    acted: str = ""

    @property
    def acting(self) -> str:
        """Say from how many points on to act; nothing where that is not decided."""
        if self.act is None:
            return ""
        sums = [plural(total, "points") for total, risk, *_ in self.table() if risk >= self.act]
        enough = f"Act from {sums[0]} on" if sums else "No sum is enough to act"
        return f"{enough}; the decision is to {act_from(self.act)}. {self.acted}".strip()

    @property
    def outcome_name(self) -> str:
        """Whose risk is told, with the column where the value alone would say nothing."""
        schema = self.model.schema
        return outcome_title(schema.target.name, schema.classes[self.outcome])

    @property
    def left_out(self) -> list[str]:
        """Columns that no line asks for: they add less than a point, or the page has no room."""
        lines = [line for part in self.parts for line in part.lines]
        asked = {way[0] for line in lines for ways in line.when for way in ways}
        titles = enumerate(self.model.schema.titles[:-1])
        return [title for at, title in titles if at not in asked]

    def seen(self, column: int) -> tuple[float, float] | None:
        """Return from where to where the numbers of a column went in training, if that is known."""
        edges = self.model.profile[column].edges if self.model.profile else None
        return None if edges is None or not len(edges) else (float(edges[0]), float(edges[-1]))

    def totals(self, data: Dataset) -> IntArray:
        """Add up the points of every row."""
        found = [part.points(data.values) for part in self.parts]
        return np.asarray(sum(found, start=np.zeros(data.n_rows, dtype=np.int64)))

    def curves(self, drawn: Sequence[ShapeCurve]) -> list[ShapeCurve]:
        """Return what columns with points add by the card: steps of whole points.

        Parameters
        ----------
        drawn : the curves of the model, which the card rounds
        """
        names, found = self.model.schema.names, []
        parts = {names[part.column]: part for part in self.parts if part.column is not None}
        for curve, part in ((curve, parts[curve.name]) for curve in drawn if curve.name in parts):
            values: Any = curve.values
            asked: Any = curve.codes or range(len(values))
            if curve.edges is not None:
                ends = [way[2] for line in part.lines for ways in line.when for way in ways]
                cuts = np.array(ends, dtype=np.float64)
                cuts = cuts[(cuts >= values[0]) & (cuts < values[-1])]
                # Steps stand upright at the cuts.
                values = asked = np.unique([*values, *cuts, *np.nextafter(cuts, np.inf)])
            cells = np.zeros((len(asked) + 1, len(names)))
            cells[:, part.column] = [*asked, np.nan]
            added = self.both(0.5 + self.unit * part.points(cells) / 2)
            missing = None if curve.missing is None else added[-1]
            found.append(
                replace(curve, values=values, scores=added[:-1], missing=missing, spread=None)
            )
        return found

    def risks(self, totals: Any) -> FloatArray:
        """Return the risk of every sum of points."""
        chance = expit(self.base + self.unit * np.asarray(totals, dtype=np.float64))
        if self.model.calibration is not None:
            chance = self.model.calibration.apply(self.both(chance))[:, self.outcome]
        return np.asarray(chance)

    def proba(self, data: Dataset) -> FloatArray:
        """Return the probabilities of both classes for every row."""
        return self.both(self.risks(self.totals(data)))

    def both(self, chance: FloatArray) -> FloatArray:
        """Return the probabilities of both classes by that of the outcome."""
        return np.stack([1 - chance, chance] if self.outcome else [chance, 1 - chance], axis=1)

    def table(self) -> list[tuple[int, float, float, float]]:
        """List every sum with its risk, and where the true rate lies, 9 in 10 times."""
        ends = [[line.points for line in part.lines] for part in self.parts]
        totals = np.arange(sum(map(min, ends)), sum(map(max, ends)) + 1)
        risks = self.risks(totals)
        low, high = np.full_like(risks, np.nan), np.full_like(risks, np.nan)
        if self.loss is not None:
            sign = 1.0 if self.outcome else -1.0
            along = np.stack([sign * log_odds(risks), np.ones(len(risks))], axis=1)
            middle = along @ np.array(self.loss.line)
            variance = np.einsum("ij,jk,ik->i", along, np.array(self.loss.covariance), along)
            reach = NORMAL * np.sqrt(OF_OTHERS * np.maximum(variance, 0.0))
            bounds = np.sort(expit(sign * np.stack([middle - reach, middle + reach])), axis=0)
            low, high = np.minimum(bounds[0], risks), np.maximum(bounds[1], risks)
        return [*zip(totals.tolist(), risks.tolist(), low.tolist(), high.tolist(), strict=True)]

    def to_dict(self) -> dict[str, Any]:
        """Return the card as plain values, ready for JSON."""
        measured = self.loss is not None
        return {
            "outcome": self.outcome_name,
            "log_odds_per_point": self.unit,
            "log_odds_of_no_points": self.base,
            "finest": self.finest,
            "parts": [
                {**vars(part), "lines": [vars(line) for line in part.lines]} for part in self.parts
            ],
            "left_out": self.left_out,
            "risks": [
                {"points": total, "risk": risk, "interval": ends if measured else None}
                for total, risk, *ends in self.table()
            ],
            "loss": vars(self.loss) if self.loss is not None else None,
        } | ({"acting": self.acting} if self.acting else {})


def points_card(model: Model, outcome: int) -> PointsCard:
    """Return the points card of a shaped tree of two classes.

    Parameters
    ----------
    outcome : the class whose risk is told
    """
    kept, n_classes = model.diagnostics.get(KEPT), len(model.schema.classes)
    if model.kind != "shaped" or n_classes != 2:
        raise DataError(
            f"model={model.learner!r} with {n_classes} classes must be a shaped tree of two to "
            "become a points card. Grow it with --model shaped-tree; of more classes put all but "
            "one together first."
        )
    if kept is None:
        raise DataError("model must have kept its points card. Grow it again with this release.")
    try:
        card = _read(model, kept)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as wrong:
        raise DataError("points must be a card of the model. Grow the model again.") from wrong
    if outcome == 1:
        return card
    parts = [
        replace(part, lines=tuple(replace(line, points=-line.points) for line in part.lines))
        for part in card.parts
    ]
    return replace(card, outcome=0, base=-card.base, parts=tuple(parts))


def _read(model: Model, kept: Mapping[str, Any]) -> PointsCard:
    """Read what :meth:`PointsCard.to_dict` wrote for the second class, and prove it can answer."""

    def way(column: Any, low: Any, high: Any, codes: Any, missing: Any) -> Way:
        if not 0 <= column < model.schema.target_column:
            raise ValueError(column)
        ends = [None if end is None else float(end) for end in (low, high)]
        members = None if codes is None else tuple(int(code) for code in codes)
        return int(column), ends[0], ends[1], members, bool(missing)

    def line(words: Any, points: Any, rows: Any, when: Any) -> PointsLine:
        ways = tuple(tuple(way(*each) for each in one) for one in when)
        return PointsLine(str(words), int(points), float(rows), ways)

    def part(column: Any, title: Any, lines: Any) -> PointsPart:
        at = None if column is None else int(column)
        return PointsPart(at, str(title), tuple(line(**each) for each in lines))

    parts = tuple(part(**each) for each in kept["parts"])
    unit, base, loss = kept["log_odds_per_point"], kept["log_odds_of_no_points"], kept["loss"]
    if not (math.isfinite(unit) and math.isfinite(base)):
        raise ValueError(unit)
    measured = None if loss is None else PointsLoss(**loss)
    card = PointsCard(model, 1, float(unit), float(base), parts, int(kept["finest"]), measured)
    card.table()  # whatever is not a number in it says so now
    return card
