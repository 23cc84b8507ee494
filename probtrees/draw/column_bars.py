"""Columns at a glance: a bar for every column that says how much it matters on unseen rows."""

from __future__ import annotations

import math
from collections.abc import Sequence

from probtrees.draw import markup
from probtrees.draw.escape import html_text
from probtrees.draw.palette import PAINTS, Paint, Theme
from probtrees.experiment.evaluation.column_importance import ColumnImportance
from probtrees.words import percent, plural, score_decimals

BARS_KEY = (
    "How much the Brier score of unseen rows rises when a column's values are shuffled among "
    "them. Line: 95 % interval; pale: within noise. Columns that say the same stand in for each "
    "other, and then each seems to matter little. No bar says what causes what."
)

TOO_FEW = "There are too few rows to measure how much a column matters."


def column_bars_html(columns: Sequence[ColumnImportance], *, theme: Theme = "light") -> str:
    """Draw a bar with its interval for every column that some tree asks for, on one axis.

    Text from data is escaped; nothing but HTML and inline styles is needed to read it.
    """
    if not columns:
        return f"<p>{html_text(TOO_FEW)}</p>"
    shown = asked_columns(columns)
    low, high = bars_axis(shown)
    is_tree = any(column.n_splits for column in shown)
    lines = [_line(column, low, high, is_tree, PAINTS[theme]) for column in shown]
    caption = f"{unused_text(columns)} {BARS_KEY}".strip()
    return markup.table(lines, caption=caption, theme=theme)


def asked_columns(columns: Sequence[ColumnImportance]) -> list[ColumnImportance]:
    """List the columns that the model, or one grown without a part of the rows, asks for.

    Their losses are as people are shown them.
    """
    return [column.shown for column in columns if column.n_splits or column.loss]


def unused_text(columns: Sequence[ColumnImportance]) -> str:
    """Say how many columns have no bar; nothing where all have one."""
    unused = len(columns) - len(asked_columns(columns))
    return f"{plural(unused, 'columns')} that no tree asks for: not listed." if unused else ""


def bars_axis(columns: Sequence[ColumnImportance]) -> tuple[float, float]:
    """Return where the axis of all bars begins and ends: 0 and all intervals lie on it."""
    ends = [end for c in columns for end in (c.loss, c.low, c.high) if math.isfinite(end)]
    return min([0.0, *ends]), max([1e-6, *ends])


def interval_ends(column: ColumnImportance) -> tuple[float, float]:
    """Return the ends of the line that is drawn; the loss itself where there is no interval."""
    low, high = (column.loss if math.isinf(end) else end for end in (column.low, column.high))
    return low, high


def where_text(column: ColumnImportance) -> str:
    """Say where a tree asks for a column."""
    if column.first_depth is None:
        return "only in trees grown without a part of the rows"
    depth = "at the root" if column.first_depth == 0 else f"from level {column.first_depth + 1}"
    share = percent(column.share_asked)
    return f"{plural(column.n_splits, 'splits')}, {depth}, asked for {share} of the rows"


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


def _line(column: ColumnImportance, low: float, high: float, is_tree: bool, paint: Paint) -> str:
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
    name, where = html_text(column.title or column.name), where_text(column) if is_tree else ""
    said, *interval = (loss_text(value, high) for value in (column.loss, *ends))
    small = f'<div style="font-size:.75rem;color:{paint.faint}">'
    about = f"<b>{name}</b>{small}{html_text(where)}</div>"
    return markup.line([about], marks, [f"{said}{small}{' to '.join(interval)}</div>"], paint)
