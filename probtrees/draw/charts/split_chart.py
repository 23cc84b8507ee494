"""The values of a column by outcome, with the cut of a split, as HTML."""

from __future__ import annotations

from collections.abc import Sequence

from probtrees.draw import markup
from probtrees.draw.escape import html_text, shorten
from probtrees.draw.palette import PAINTS, Paint, Theme, bar_colours
from probtrees.explain.split_view import SplitBin, SplitView
from probtrees.words import count_text, rows_text

_HEIGHT = 90


def split_html(split: SplitView, outcomes: Sequence[str], outcome: int, *, theme: Theme) -> str:
    """Draw a column of the chart for every bin, outcomes stacked, the cut as a line."""
    paint = PAINTS[theme]
    colours = bar_colours(len(outcomes), outcome, theme)
    tallest = max((float(part.counts.sum()) for part in split.bins), default=0.0) or 1.0
    bars = []
    for number, part in enumerate(split.bins):
        cells = "".join(
            f'<div style="height:{part.counts[k] / tallest * _HEIGHT:.1f}px;'
            f'background:{colour}"></div>'
            for k, colour in reversed(colours.items())
        )
        words = _bin_words(part, outcome)
        border = f"border-right:2px dashed {paint.text};" if number + 1 == split.cut_after else ""
        bars.append(
            f'<div title="{html_text(words)}" style="flex:1 1 0;min-width:4px;padding:0 1px;'
            f"display:flex;flex-direction:column;justify-content:flex-end;height:{_HEIGHT}px;"
            f'box-sizing:border-box;{border}">{cells}</div>'
        )
    aloud = "; ".join(_bin_words(part, outcome) for part in split.bins)
    aloud = html_text(f"Values of {split.chosen.title}. {aloud}")
    return (
        f'<div role="img" aria-label="{aloud}" '
        f'style="display:flex;align-items:flex-end;border-bottom:1px solid {paint.line}">'
        f"{''.join(bars)}</div>{_labels(split, paint)}"
    )


def _labels(split: SplitView, paint: Paint) -> str:
    """Print the values below the bars where there are few, else the first and the last."""
    if len(split.bins) > 6:
        cut = split.chosen.cut_text(split.chosen.threshold)
        middle = f"dashed: cut at {cut}" if cut else ""
        ends = (split.bins[0].label, middle, split.bins[-1].label)
        return markup.axis_ends((shorten(text, 40) for text in ends), paint)
    cells = "".join(
        f'<div style="flex:1 1 0;min-width:0;padding:0 1px;overflow-wrap:anywhere">'
        f"{html_text(shorten(part.label, 26))}</div>"
        for part in split.bins
    )
    return f'<div style="display:flex;font-size:.75rem;color:{paint.faint}">{cells}</div>'


def _bin_words(part: SplitBin, outcome: int) -> str:
    cases, rows = float(part.counts[outcome]), float(part.counts.sum())
    return f"{part.label}: {count_text(cases)} of {rows_text(rows)}"
