"""What comes of acting on forecasts, for pages and reports: of a thousand rows, and the rates."""

from __future__ import annotations

from collections.abc import Callable

from probtrees.draw import markup
from probtrees.draw.escape import html_text
from probtrees.draw.leaf_explanation import number_html
from probtrees.draw.palette import INTEREST, OTHERS, PAINTS, Theme
from probtrees.score.calibration_in_large import Estimate
from probtrees.score.decision import Decision
from probtrees.types import BoolArray, FloatArray
from probtrees.words import percent, round_to_sum


def of_thousand(share: float) -> str:
    """Print a share of rows as so many of 1,000: people are counted whole."""
    return f"{1000 * share:,.0f}"


def parts_of_thousand(acted_on: float, rightly: float, missed: float) -> list[float]:
    """Part 1,000 rows: acted on rightly and for nothing, missed, and left alone rightly.

    They are rounded together, so that every place that prints some of them prints the same.

    >>> parts_of_thousand(0.309, 0.0375, 0.053)
    [38.0, 271.0, 53.0, 638.0]
    """
    sides = (rightly, acted_on - rightly), (missed, 1 - acted_on - missed)
    return [n for side in sides for n in round_to_sum([1000 * one for one in side], 0)]


def acting_words(acted_on: float, rightly: float, missed: float) -> str:
    """Say what comes of 1,000 unseen rows.

    >>> acting_words(0.2, 0.15, 0.1)
    'Of 1,000 unseen rows: 200 acted on, 150 of them rightly, 100 missed.'
    """
    right, wrong, lost, _ = parts_of_thousand(acted_on, rightly, missed)
    acted = right + wrong
    return f"Of 1,000 unseen rows: {acted:,g} acted on, {right:g} of them rightly, {lost:g} missed."


def acted_words(acted: BoolArray, cases: BoolArray, weights: FloatArray) -> str:
    """Say what comes of acting on some of the rows that were not seen, by what happened."""
    kinds, share = (acted, acted & cases, cases & ~acted), weights / weights.sum()
    return acting_words(*(float(share @ kind) for kind in kinds))


def decision_lines(found: Decision, outcome: str) -> list[tuple[str, str, str, str]]:
    """List the figures: value, what it is, its name among experts, and its 95 % interval."""
    t = found.threshold
    each = f"{t / (1 - t):.2g}" if t < 1 else ""
    figures: tuple[tuple[Estimate | None, Callable[[float], str], str, str], ...] = (
        (found.sensitivity, percent, f"of {outcome} are found", "sensitivity"),
        (found.predictive_value, percent, "of those acted on have it", "predictive value"),
        (found.number_needed, "{:.1f}".format, "acted on for one such case", "number needed"),
        (found.lift, "{:.2f}".format, "times as often right as at random", "lift"),
        (found.net_benefit, per_1000, f"per 1,000; a false alarm costs {each}", "net benefit"),
        (found.over_all, per_1000, "more than by always acting", ""),
    )
    told = figures if found.net_benefit else figures[:-2]
    return [(*_written(figure, write), words, name) for figure, write, words, name in told]


def per_1000(benefit: float) -> str:
    """Print a net benefit of a row for 1,000: its unit is a case found without a false alarm."""
    return f"{1000 * benefit:z.{0 if abs(benefit) >= 0.00095 else 1}f}"


def _written(figure: Estimate | None, write: Callable[[float], str]) -> tuple[str, str]:
    """Print a figure and its interval."""
    if figure is None:
        return "unknown", ""
    return write(figure.value), f"{write(figure.lower).removesuffix(' %')} to {write(figure.upper)}"


def verdict(found: Decision) -> str:
    """Say where doing the same with every row may be worth as much."""
    for gain, words in ((found.net_benefit, "Never acting"), (found.over_all, "Always acting")):
        if gain is not None and gain.lower <= 0:
            return f"{words} may be as good."
    return ""


def decision_html(found: Decision, outcome: str, *, theme: Theme = "light") -> str:
    """Draw what comes of 1,000 rows as one bar, with the rates and their intervals below it."""
    paint, none = PAINTS[theme], Estimate(0.0, 0.0, 0.0)
    acted, right, lost = (one or none for one in (found.acted_on, found.rightly, found.missed))
    parts = (
        (right, INTEREST, f"acted on rightly: {outcome}"),
        (None, paint.diverging[-3], "acted on for nothing"),
        (lost, OTHERS[0], "missed: left alone wrongly"),
        (None, paint.diverging[2], "left alone rightly"),
    )
    whole, lines = parts_of_thousand(acted.value, right.value, lost.value), []
    for (part, colour, words), rows in zip(parts, whole, strict=True):
        interval = "" if part is None else _written(part, of_thousand)[1]
        name = f"{markup.swatch(colour)} <b>{rows:,g}</b> {html_text(words)}"
        lines.append(markup.line([name], None, [interval], paint))
    for value, interval, words, name in decision_lines(found, outcome):
        faint = f'<span style="color:{paint.faint}">{name}</span>'
        said = f"<b>{html_text(value)}</b> {html_text(words)} {faint}"
        lines.append(markup.line([said], None, [html_text(interval)], paint))
    caption = (
        f"{found.rows:,} rows, each unseen by the model asked. {verdict(found)}"
        f"{'' if found.net_benefit else 'For the net benefit, act by a chance or by costs.'}"
    )
    ends = f" ({_written(acted, of_thousand)[1]})" if acted.lower < acted.upper else ""
    bar = [(rows, colour, words) for (_, colour, words), rows in zip(parts, whole, strict=True)]
    return (
        number_html(f"{whole[0] + whole[1]:,g}", f"of 1,000 rows are acted on{ends}")
        + markup.parts_bar(bar, paint)
        + markup.table(lines, ("", "95 % interval"), n_left=1, caption=caption, theme=theme)
    )
