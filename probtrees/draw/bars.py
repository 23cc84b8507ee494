"""Dots and bars on an axis: answers of smoothers, what tables add, how much columns matter."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from probtrees.draw import markup
from probtrees.draw.escape import html_text, shorten
from probtrees.draw.palette import INTEREST, OTHERS, PAINTS, Paint, Theme
from probtrees.experiment.evaluation.column_importance import ColumnImportance
from probtrees.words import percent, plural, score_decimals

_LONGEST = 60
_OUTERMOST = 0.25
"""Marks that all lie in such a part of the axis, at its beginning or its end, are shown closer."""

BARS_KEY = (
    "How much the Brier score of unseen rows rises when a column's values are shuffled among "
    "them. Line: 95 % interval; pale: within noise. Columns that say the same stand in for each "
    "other, and then each seems to matter little. No bar says what causes what."
)

TOO_FEW = "There are too few rows to measure how much a column matters."


@dataclass(frozen=True)
class Axis:
    """The stretch of probabilities that is shown: one for a tree, closer where all is at an end.

    On an axis from 0 to 100 % a chance of 1.0 % and an overall rate of 0.6 % are one mark.
    """

    low: float = 0.0
    high: float = 1.0

    def place(self, probability: float) -> float:
        """Say where a probability stands, in percent of the width."""
        return (probability - self.low) / max(self.high - self.low, 1e-12) * 100

    def closer(self, marks: Sequence[float]) -> Axis:
        """Go closer where all marks lie near 0 or near 1, to a round stretch that holds them.

        The overall rate is among the marks: one that is neither rare nor nearly certain keeps the
        axis as it is.

        >>> Axis().closer([0.006, 0.011]), Axis().closer([0.954, 0.99986])
        (Axis(low=0.0, high=0.02), Axis(low=0.95, high=1.0))
        >>> Axis().closer([0.5, 0.52]), Axis().closer([0.006, 0.3])
        (Axis(low=0.0, high=1.0), Axis(low=0.0, high=1.0))
        """
        part = _OUTERMOST * (self.high - self.low)
        if self.low == 0.0 and max(marks) <= part:
            return Axis(0.0, axis_reach(max(marks)))
        if self.high == 1.0 and min(marks) >= 1.0 - part:
            return Axis(round(1.0 - axis_reach(1.0 - min(marks)), 6), 1.0)
        return self

    @property
    def words(self) -> str:
        """Say from where to where it runs.

        >>> Axis(0.95, 1.0).words
        'axis from 95.0 % to 100 % only'
        """
        return f"axis from {percent(self.low)} to {percent(self.high)} only"


def axis_reach(largest: float) -> float:
    """Choose a round end for an axis that holds all answers of a tree.

    >>> axis_reach(0.031), axis_reach(0.5), axis_reach(0.93), axis_reach(0.0004)
    (0.05, 0.5, 1.0, 0.001)
    """
    rounds = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0)
    return next((end for end in rounds if largest <= end), 1.0)


@dataclass(frozen=True)
class SmootherAnswer:
    """One smoother's answer; ``probability`` is None while it is not known.

    ``text`` is printed instead of it where that must be; ``colour`` is as in all charts.
    """

    label: str
    probability: float | None
    current: bool = False
    note: str = ""
    text: str = ""
    colour: str = ""


def estimates_html(
    estimates: Sequence[SmootherAnswer],
    base_rate: float,
    *,
    observed: float | None = None,
    reach: float = 1.0,
    theme: Theme = "light",
) -> str:
    """Draw one dot per smoother on one axis, the overall rate as a dashed line.

    Parameters
    ----------
    observed : the share among the rows here, a line to hold them against; None: there are none
    reach : where the axis ends; the same for all leaves of a tree, so that they can be compared,
        but for those where all is near 0 or near 1
    """
    paint = PAINTS[theme]
    known = [e.probability for e in estimates if e.probability is not None]
    held = [] if observed is None else [observed]
    whole = Axis(0.0, min(max([base_rate, reach, *known]), 1.0))
    axis = whole.closer([base_rate, *known, *held])
    lines = [_answer_line(each, base_rate, axis, held, paint) for each in estimates]
    ends = (axis.low, (axis.low + axis.high) / 2, axis.high)
    lines.append(markup.line([""], [markup.axis_ends(map(percent, ends), paint)], [""], paint))
    said = [f"dashed: overall rate {percent(base_rate)}"]
    said += [] if axis == whole else [axis.words]
    said += [f"| observed here {percent(share)}" for share in held]
    return markup.table(lines, caption=" · ".join(said), theme=theme)


def _answer_line(
    estimate: SmootherAnswer, base_rate: float, axis: Axis, held: Sequence[float], paint: Paint
) -> str:
    marks = [markup.upright(axis.place(base_rate), f"2px dashed {paint.faint}")]
    edge, number = f"2px solid {OTHERS[0]}", "…"
    marks += [markup.upright(min(axis.place(share), 100), edge) for share in held]
    if estimate.probability is not None:
        number = percent(estimate.probability)
        marks.append(
            f'<div style="position:absolute;top:1px;left:{axis.place(estimate.probability):.2f}%;'
            "width:10px;height:10px;border-radius:50%;transform:translateX(-50%);"
            f"background:{estimate.colour or (paint.accent if estimate.current else INTEREST)};"
            f'outline:{2 if estimate.current else 0}px solid {paint.text}"></div>'
        )
    return markup.line(
        [html_text(estimate.label)],
        marks,
        [html_text(estimate.text or number)],
        paint,
        style=markup.BOLD if estimate.current else "",
        title=estimate.note,
    )


@dataclass(frozen=True)
class ValueChance:
    """The chance of one value now and, where something is known, with nothing known.

    ``spread`` is the stretch of what other models say, ``is_known`` makes it stand out.
    """

    label: str
    now: float
    before: float | None = None
    is_known: bool = False
    spread: tuple[float, float] | None = None


def value_chances_html(chances: Sequence[ValueChance], *, head: str = "", theme: Theme) -> str:
    """Draw a bar per value as long as its chance now; a dashed line is where its own was before.

    ``head`` stands above the chances.
    """
    paint = PAINTS[theme]
    lines = []
    for chance in chances:
        marks = [markup.stretch(0, chance.now * 100, INTEREST)]
        if chance.spread is not None:
            low, high = (100 * end for end in chance.spread)
            marks.append(markup.stretch(low, high, paint.text, "top:42%;height:2px"))
            marks += [markup.upright(end, f"2px solid {paint.text}") for end in (low, high)]
        name = html_text(shorten(chance.label, _LONGEST))
        if chance.before is not None:
            marks.append(markup.upright(chance.before * 100, f"2px dashed {paint.faint}"))
        style = markup.BOLD if chance.is_known else ""
        lines.append(markup.line([name], marks, [percent(chance.now)], paint, style=style))
    return markup.table(lines, ("", "", head) if head else (), theme=theme)


@dataclass(frozen=True)
class Contribution:
    """What one table adds: its attribute, the row's value, the change of the log odds."""

    name: str
    value: str
    log_odds: float


def contributions_html(parts: Sequence[Contribution], *, theme: Theme = "light") -> str:
    """Draw a bar per table, to the right for the outcome, to the left against it; zero has none."""
    paint = PAINTS[theme]
    reach = max([0.01, *(abs(part.log_odds) for part in parts)])
    lines = []
    for part in parts:
        colour = INTEREST if part.log_odds >= 0 else OTHERS[0]
        marks = [
            markup.stretch(50, 50 + 50 * part.log_odds / reach, colour),
            markup.upright(50, f"1px solid {paint.faint}"),
        ]
        names = [html_text(shorten(text, _LONGEST)) for text in (part.name, part.value)]
        lines.append(markup.line(names, marks, [f"{part.log_odds:+z.3f}"], paint))
    total = f"{sum(part.log_odds for part in parts):+z.3f}"
    style = f"{markup.BOLD};white-space:nowrap;border-top:1px solid {paint.line}"
    lines.append(markup.line(["together", ""], [], [total], paint, style=style))
    return markup.table(lines, ("table", "this row", "against · for", "log odds"), theme=theme)


def column_bars_html(columns: Sequence[ColumnImportance], *, theme: Theme = "light") -> str:
    """Draw a bar with its interval for every column that some tree asks for, on one axis.

    Text from data is escaped; nothing but HTML and inline styles is needed to read it.
    """
    if not columns:
        return f"<p>{html_text(TOO_FEW)}</p>"
    shown = [column.shown for column in columns if column.n_splits or column.loss]
    ends = [end for c in shown for end in (c.loss, c.low, c.high) if math.isfinite(end)]
    low, high = min([0.0, *ends]), max([1e-6, *ends])
    is_tree = any(column.n_splits for column in shown)
    lines = [_column_line(column, low, high, is_tree, PAINTS[theme]) for column in shown]
    unused = plural(len(columns) - len(shown), "columns")
    left_out = f"{unused} that no tree asks for: not listed. " if len(shown) < len(columns) else ""
    return markup.table(lines, caption=f"{left_out}{BARS_KEY}", theme=theme)


def interval_ends(column: ColumnImportance) -> tuple[float, float]:
    """Return the ends of the line that is drawn; the loss itself where there is no interval."""
    low, high = (column.loss if math.isinf(end) else end for end in (column.low, column.high))
    return low, high


def _where(column: ColumnImportance) -> tuple[str, str]:
    """Say where a tree asks for a column: in short, and for how many rows."""
    if column.first_depth is None:
        return "in inner trees only", "Only trees grown without a part of the rows ask for it."
    depth = "at the root" if column.first_depth == 0 else f"from level {column.first_depth + 1}"
    share = f"Asked for {percent(column.share_asked)} of the rows."
    return f"{plural(column.n_splits, 'splits')} {depth}", share


def loss_text(loss: float, largest: float = 1.0) -> str:
    """Print a loss of the Brier score as the quality strip does.

    Parameters
    ----------
    largest : the largest that is shown; of small ones all have more decimals

    >>> loss_text(0.0312), loss_text(-0.002), loss_text(0.0), loss_text(0.0003, largest=0.0011)
    ('+.031', '-.002', '.000', '+.0003')
    """
    text = f"{loss:+.{max(3, score_decimals(largest) - 1)}f}".replace("0.", ".", 1)
    return text if text.strip("+-.0") else text[1:]


def _column_line(
    column: ColumnImportance, low: float, high: float, is_tree: bool, paint: Paint
) -> str:
    """Draw one column: its name and place, its bar with the interval, the loss."""
    ends = interval_ends(column)
    loss, first, last, zero = (
        100 * (value - low) / (high - low) for value in (column.loss, *ends, 0.0)
    )
    marks = [
        markup.stretch(
            zero, loss, paint.accent, f"top:0;bottom:0;opacity:{1 if column.is_clear else 0.4}"
        ),
        markup.stretch(first, last, paint.text, "top:5px;height:2px"),
        markup.upright(zero, f"1px solid {paint.line}"),
    ]
    name, (where, more) = html_text(column.title or column.name), _where(column)
    said, *interval = (loss_text(value, high) for value in (column.loss, *ends))
    small = f'<div style="font-size:.75rem;color:{paint.faint}">'
    about = f"<b>{name}</b>{small}{html_text(where)}</div>" if is_tree else f"<b>{name}</b>"
    numbers = [f"{said}{small}{' to '.join(interval)}</div>"]
    return markup.line([about], marks, numbers, paint, title=more if is_tree else "")
