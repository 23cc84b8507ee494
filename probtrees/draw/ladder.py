"""The ladder of a leaf: from all rows down to the leaf, on one axis.

Every rung is a node of the path: a dot at the rate observed among its rows, its area the
number of rows; a line traces what the smoother says on the way down; a dashed line marks
the overall rate. The axis is the tree's, closer where all is near 0 or near 1. Plain HTML, so that
it paints at once, wraps on a phone, can be read aloud and goes into a report as it is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from probtrees.draw import markup
from probtrees.draw.bars import Axis, axis_reach
from probtrees.draw.escape import html_text, shorten
from probtrees.draw.palette import INTEREST, PAINTS, Theme
from probtrees.explain.path import PathStep
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.words import count_text, percent

_RUNG_HEIGHT = 42
_LARGEST_DOT = 30
_SMALLEST_DOT = 7
_KEY = (
    "Dots: share among a group's rows, the larger the more rows. Line: what the smoother says on "
    "the way down."
)


def axis_of_tree(smoothed: SmoothedTree, outcome: int) -> Axis:
    """Make one axis for all ladders of a tree, so that they can be held side by side."""
    tree = smoothed.tree
    filled = tree.totals > 0
    observed = tree.arrays.counts[filled, outcome] / tree.totals[filled]
    upper = smoothed.probs[:, outcome] if smoothed.upper is None else smoothed.upper[:, outcome]
    largest = max(float(upper.max()), float(observed.max(initial=0.0)))
    return Axis(0.0, axis_reach(largest))


def ladder_html(
    steps: Sequence[PathStep],
    whole: Axis,
    *,
    interval: tuple[float, float] | None = None,
    is_short: bool = False,
    theme: Theme = "light",
) -> str:
    """Draw the ladder as HTML.

    Parameters
    ----------
    whole : the axis of the tree; closer where all is near 0 or near 1, which is said
    interval : the leaf's posterior interval, if any
    is_short : whether what dots and line are is said only on hover
    """
    paint = PAINTS[theme]
    rates = [step.observed for step in steps if step.observed is not None]
    axis = whole.closer([*(step.shown for step in steps), *rates, *(interval or ())])
    closer = "" if whole == axis else f"{axis.words.capitalize()}."
    key = closer if is_short else f"{_KEY} {closer}".strip()
    base = steps[0].observed if steps[0].observed is not None else steps[0].shown
    look = f"top:{_RUNG_HEIGHT * (len(steps) - 0.5) - 4:.0f}px;height:8px;opacity:.25"
    low, high = map(axis.place, interval or (0.0, 0.0))  # a band behind the leaf's mark
    band = [markup.stretch(low, high, paint.accent, look)] if interval else []
    marks = [
        markup.upright(axis.place(base), f"2px dashed {paint.faint}"),
        _line([axis.place(step.shown) for step in steps], paint.accent),
        *band,
        *(_dot(step, number, steps[0].rows, axis) for number, step in enumerate(steps)),
        _answer(axis, steps, paint.accent, paint.page),
    ]
    labels = "".join(_label(step, paint.faint) for step in steps)
    aloud = f"From all rows to this leaf. {'. '.join(step.words for step in steps)}."
    ends = markup.axis_ends(map(percent, (axis.low, axis.high)), paint)
    return (
        f'<div role="img" aria-label="{html_text(aloud)}" title="{_KEY}" '
        'style="display:grid;grid-template-columns:minmax(7rem,38%) 1fr;column-gap:.8rem">'
        f'<div style="padding-top:18px">{labels}</div>'
        f"<div>{_overall(axis.place(base), steps[0], paint.faint)}"
        f'<div style="position:relative;height:{_RUNG_HEIGHT * len(steps)}px;'
        f'border-left:1px solid {paint.line};border-right:1px solid {paint.line}">'
        f"{''.join(marks)}</div>{ends}</div>"
        f'<div style="grid-column:1/-1;font-size:.75rem;color:{paint.faint}">{key}</div></div>'
    )


def _label(step: PathStep, faint: str) -> str:
    """Write a rung's branch and its cases beside it."""
    cases = f"{count_text(step.cases)} of {count_text(step.rows)}" if step.rows > 0 else "no rows"
    label = f"{shorten(step.name, 24)} {step.predicate}"
    return (
        f'<div style="height:{_RUNG_HEIGHT}px;display:flex;flex-direction:column;'
        'justify-content:center;line-height:1.15;overflow:hidden">'
        f'<span title="{html_text(step.label)}" style="font-size:.8rem;line-height:1.1;'
        f'overflow-wrap:anywhere">{html_text(shorten(label, 70))}</span>'
        f'<span style="font-size:.75rem;color:{faint}">{cases}</span></div>'
    )


def _dot(step: PathStep, number: int, all_rows: float, axis: Axis) -> str:
    """Draw a dot at the observed rate, its area the share of the rows."""
    if step.observed is None:
        return ""
    size = max(_LARGEST_DOT * math.sqrt(step.rows / max(all_rows, 1e-300)), _SMALLEST_DOT)
    return (
        f'<div title="{html_text(step.words)}" style="position:absolute;'
        f"top:{_RUNG_HEIGHT * (number + 0.5):.0f}px;left:{axis.place(step.observed):.2f}%;"
        f"width:{size:.1f}px;height:{size:.1f}px;border-radius:50%;background:{INTEREST};"
        'opacity:.85;transform:translate(-50%,-50%)"></div>'
    )


def _answer(axis: Axis, steps: Sequence[PathStep], accent: str, page: str) -> str:
    """Mark the leaf's estimate at the end of the line and print it."""
    place = axis.place(steps[-1].shown)
    rate = steps[-1].observed
    dot = place if rate is None else axis.place(rate)
    # The number stands where there is room, and not on the dot of the observed rate beside it.
    to_the_right = place < 75 and (dot <= place + 3 or dot > place + 30 or place < 25)
    towards = "left:8px" if to_the_right else "right:8px"
    return (
        f'<div style="position:absolute;top:{_RUNG_HEIGHT * (len(steps) - 0.5):.0f}px;'
        f'left:{place:.2f}%;width:0;height:0"><div style="position:absolute;left:-6px;top:-6px;'
        f'width:12px;height:12px;background:{accent};transform:rotate(45deg)"></div>'
        f'<b style="position:absolute;{towards};top:-.65rem;padding:0 .2rem;white-space:nowrap;'
        f'text-shadow:0 0 3px {page},0 0 3px {page},0 0 3px {page};font-size:.9rem">'
        f"{percent(steps[-1].shown)}</b></div>"
    )


def _overall(place: float, root: PathStep, faint: str) -> str:
    """Print the overall rate above its dashed line, kept inside the ladder.

    The first card of a picture says what the smoother says of all rows. Where that reads otherwise
    it is told which of the two this is.
    """
    base = percent(root.shown if root.observed is None else root.observed)
    base += "" if base == percent(root.shown) else " observed"
    shift = f"translateX(-{min(max(place, 0.0), 100.0):.0f}%)"
    return (
        f'<div style="position:relative;height:18px;font-size:.75rem;color:{faint}">'
        f'<span style="position:absolute;left:{place:.2f}%;transform:{shift};white-space:nowrap">'
        f"overall {base}</span></div>"
    )


def _line(places: list[float], colour: str) -> str:
    """Trace the estimate through the rungs, as a picture stretched over them."""
    points = " ".join(f"{x:.3f},{row + 0.5}" for row, x in enumerate(places))
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 {len(places)}" '
        f'preserveAspectRatio="none"><polyline points="{points}" fill="none" stroke="{colour}" '
        'stroke-width="2.5" vector-effect="non-scaling-stroke"/></svg>'
    )
    return markup.svg_image(svg, "position:absolute;inset:0;width:100%;height:100%")
