"""What was measured, as notebooks show it: comparisons, validations, track records."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields
from typing import Any

import numpy as np
import pandas as pd

from probtrees.draw.bars import TOO_FEW, column_bars_html, interval_ends, loss_text
from probtrees.draw.palette import Theme
from probtrees.estimators.notebook_html import ShowsItself, heading, paragraph, table_html
from probtrees.experiment.evaluation.column_importance import ColumnImportance
from probtrees.experiment.evaluation.cross_validate import Result
from probtrees.experiment.validation.validate import Validation
from probtrees.explain.track import TRACK_HEAD, track_bins, track_lines
from probtrees.model.track_record import TrackRecord
from probtrees.score.differences import PairedDifferences
from probtrees.score.measures import better_when_larger, shown_measures, shown_scores
from probtrees.score.paired_test import LEVEL
from probtrees.words import plural, rows_text

_BASE_RATE = "always the base rate"
_SMALLER = f"Smaller is better, except for {better_when_larger(shown_measures())}."


def plain_fields(found: Any) -> dict[str, Any]:
    """List the fields of a dataclass by name, to make a class of it that shows itself."""
    return {part.name: getattr(found, part.name) for part in fields(found)}


class Comparison(ShowsItself, list[Result]):
    """Results of several smoothers on the same folds: a list that shows itself as a table.

    Attributes
    ----------
    leading : how they differ from the smallest Brier score; None for a single result
    """

    def __init__(self, results: Iterable[Result], leading: PairedDifferences | None = None) -> None:
        super().__init__(results)
        self.leading = leading

    def to_frame(self) -> pd.DataFrame:
        """Return the measures, a row per smoother, and the base rate's as the last row."""
        rows = [{"smoother": result.smoother, **result.scores} for result in self]
        rows += [{"smoother": _BASE_RATE, **result.base_rate} for result in self[:1]]
        frame = pd.DataFrame(rows)
        if self.leading is not None:
            frame["p against the best"] = [*self.leading.adjusted_p.tolist(), np.nan]
        return frame

    def __repr__(self) -> str:
        if not self:
            return "[]"
        head, *rows = self.table()
        table = pd.DataFrame(rows, columns=head).to_string(index=False)
        return f"{self.title}\n{table}"

    @property
    def title(self) -> str:
        """What was measured: the rows, the model, and how rows were held out."""
        first = self[0]
        named = {first.n_rows: "leave one out", 1: "hold-out"}
        said = [rows_text(first.n_rows), plural(first.n_classes, "classes"), first.learner]
        said.append(named.get(first.n_folds) or plural(first.n_folds, "folds"))
        said += [plural(first.n_repeats, "times")] if first.n_repeats > 1 else []
        if first.calibrate != "none":
            said.append(f"calibrated inside every fold ({first.calibrate})")
        return f"{first.dataset}: {', '.join(said)}"

    def table(self) -> list[list[str]]:
        """Write the measures as people read them, the names of the columns first.

        The last row is the base rate's; a method of others, which has no smoother, has its name.
        """
        base, n_classes = self[0].base_rate, self[0].n_classes
        rows = [["smoother", *(measure.label for measure in shown_measures()), "seconds"]]
        for one in self:
            shown = shown_scores(one.scores, base, n_classes)
            rows.append([one.smoother or one.learner, *shown, f"{sum(one.seconds.values()):.2f}"])
        return [*rows, [_BASE_RATE, *shown_scores(base, base, n_classes), ""]]

    def _card(self, theme: Theme) -> str:
        if not self:
            return "<p>No results.</p>"
        head, *rows = self.table()
        adjusted = [] if self.leading is None else self.leading.adjusted_p.tolist()
        members = [place for place, p in enumerate(adjusted) if p > LEVEL]
        bold = " Bold: cannot be distinguished from the smallest Brier score." if members else ""
        words = " ".join([_SMALLER + bold, *self[0].remarks])
        table = table_html(head, rows, theme, marked=members)
        return heading(self.title) + table + paragraph(words)


@dataclass(frozen=True, repr=False)
class ShownResult(ShowsItself, Result):
    """A :class:`~probtrees.experiment.evaluation.cross_validate.Result` that shows itself."""

    def __repr__(self) -> str:
        return repr(Comparison([self]))

    def _card(self, theme: Theme) -> str:
        return Comparison([self])._card(theme)


@dataclass(frozen=True, repr=False)
class ShownValidation(ShowsItself, Validation):
    """A :class:`~probtrees.experiment.validation.validate.Validation` that shows itself."""

    def __repr__(self) -> str:
        return "\n".join([f"{self.source}: {rows_text(self.rows)}", *self.sentences])

    def _card(self, theme: Theme) -> str:
        head = ["", *(measure.label for measure in shown_measures())]
        base, named = self.base_rate, {"the model": self.scores, _BASE_RATE: self.base_rate}
        rows = [[name, *shown_scores(s, base, len(self.classes))] for name, s in named.items()]
        said = "".join(map(paragraph, self.sentences))
        title = heading(f"{self.source}: {rows_text(self.rows)}")
        return title + said + table_html(head, rows, theme)


class ColumnsAtAGlance(ShowsItself, list[ColumnImportance]):
    """How much each column matters on unseen rows: a list that shows itself as bars."""

    def to_frame(self) -> pd.DataFrame:
        """Return a row per column, the one that matters most first."""
        names = [part.name for part in fields(ColumnImportance) if part.name != "part_shown"]
        return pd.DataFrame([asdict(column) for column in self], columns=names)

    def __repr__(self) -> str:
        if not self:
            return TOO_FEW
        return "\n".join(
            f"{column.name}: {loss_text(column.loss)} ({loss_text(low)} to {loss_text(high)})"
            for column in (one.shown for one in self)
            for low, high in [interval_ends(column)]
        )

    def _card(self, theme: Theme) -> str:
        return column_bars_html(self, theme=theme)


@dataclass(frozen=True, repr=False)
class ShownTrackRecord(ShowsItself, TrackRecord):
    """A :class:`~probtrees.model.track_record.TrackRecord` that shows itself.

    Attributes
    ----------
    classes : the names of the classes
    """

    classes: tuple[str, ...] = field(default=(), compare=False)

    def to_frame(self, outcome: int = -1) -> pd.DataFrame:
        """Return what happened to unseen rows, by the probability they were given of a class."""
        found = track_bins(self, range(len(self.classes))[outcome])
        names = {"low": "from", "high": "to", "rows": "rows", "forecast": "given on average"}
        names |= {name: name for name in ("cases", "rate", "lower", "upper")}
        return pd.DataFrame(map(asdict, found), columns=[*names]).rename(columns=names)

    def __repr__(self) -> str:
        asked = rows_text(float(self.rows[0].sum()))
        return f"Track record of {asked} that inner models had not seen; to_frame() lists it"

    def _card(self, theme: Theme) -> str:
        return "".join(
            heading(name) + table_html(TRACK_HEAD, track_lines(self, outcome), theme, left=0)
            for outcome, name in enumerate(self.classes)
        )
