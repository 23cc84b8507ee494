"""What the columns of a shaped tree add, or who answers in a council, drawn for a notebook."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from probtrees.draw.charts.shape_chart import chart_key, members_html, shapes_html
from probtrees.draw.escape import html_text
from probtrees.draw.palette import Theme
from probtrees.errors import OptionError
from probtrees.estimators.notebook_html import themed
from probtrees.explain.shape_curves import (
    MEANING,
    council_curves,
    council_sentence,
    councillors,
    has_refits,
    path_strength,
    shape_curves,
)
from probtrees.machine.atomic_file import place_to_write, write_atomically
from probtrees.model.model import Model


@dataclass(frozen=True)
class ShapesPicture:
    """The curves of a shaped tree, or the members of a council with the curves of one of them.

    A picture of the tree alone would not show what such a model answers, so it has no DOT.

    Attributes
    ----------
    model : the shaped tree or the council
    caption : what it shows, in a line
    outcome : the class of interest, by number
    """

    model: Model
    caption: str
    outcome: int = 0

    def __repr__(self) -> str:
        return f"<{self.caption}>"

    @property
    def html(self) -> str:
        """The picture as a page that works offline."""
        title = html_text(self.caption)
        head = f'<meta charset="utf-8"><title>{title}</title>'
        return f'<!doctype html><html lang="en"><head>{head}</head><body>{self._repr_html_()}'

    def save(self, path: str | Path) -> None:
        """Write the picture as a page; the name ends in .html."""
        if Path(path).suffix.lower() != ".html":
            raise OptionError(f"path={str(path)!r} must end in '.html' for a shaped tree.")
        with place_to_write(path, "path"):
            write_atomically(path, self.html)

    def _repr_html_(self) -> str:
        return themed(self._card, wide=True)

    def _card(self, theme: Theme) -> str:
        model, classes = self.model, self.model.schema.classes
        parts = [f"<p><b>{html_text(self.caption)}</b></p>"]
        if model.kind == "council":
            curves = council_curves(model)
            parts += [_text(council_sentence(model)), members_html(councillors(model), theme=theme)]
            remark = " All of it is times the weight of the shaped tree."
        else:
            curves = shape_curves(model)
            remark = f" What the path through the tree adds varies by {path_strength(model):.2f}."
            remark += f" {MEANING}" if has_refits(model) else ""
        if curves:
            about = f"For {classes[self.outcome]}. {chart_key(curves)}{remark}"
            parts += [_text(about), shapes_html(curves, classes, self.outcome, theme=theme)]
        return "".join(parts)


def _text(words: str) -> str:
    return f"<p>{html_text(words)}</p>"
