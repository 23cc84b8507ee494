"""What notebooks show of a model: its picture, and leaves that draw their own explanation."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from probtrees.draw.escape import html_text
from probtrees.draw.ladder import ladder_html, rungs
from probtrees.draw.leaf_explanation import headline_html, headline_words, rings_html, spread_text
from probtrees.draw.palette import Theme
from probtrees.draw.picture_file import PictureFormat, render
from probtrees.estimators.interactive_page import in_frame
from probtrees.estimators.notebook_html import themed
from probtrees.explain.leaf import Explanation
from probtrees.explain.track import interval_sentence
from probtrees.machine.atomic_file import place_to_write, write_atomically
from probtrees.report.html_page import report_picture
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Schema
from probtrees.words import outcome_title


@dataclass(frozen=True)
class Picture:
    """A tree or a network, which can be zoomed, folded and clicked where scripts run.

    Attributes
    ----------
    draw : writes it as DOT for a theme
    caption : what it shows, in a line
    page : writes the page on which it can be clicked, for a theme or for either, with a still
        picture for who runs no scripts
    """

    draw: Callable[[Theme], str] = field(repr=False)
    caption: str
    page: Callable[[Theme | None, str], str] = field(repr=False)

    @property
    def dot(self) -> str:
        """The picture as DOT, for light pages."""
        return self.draw("light")

    @property
    def svg(self) -> str:
        """The picture as SVG, for light pages."""
        svg = render(self.dot).decode("utf-8")
        return svg[svg.index("<svg") :]

    def save(self, path: str | Path) -> None:
        """Write the picture; the name says how: .svg, .png, .pdf, .dot, or .html to click in."""
        kind = Path(path).suffix.lower().lstrip(".")
        with place_to_write(path, "path"):
            if kind == "html":
                content: str | bytes = self.html
            else:
                content = self.dot if kind == "dot" else render(self.dot, _format(kind))
            write_atomically(path, content)

    @property
    def html(self) -> str:
        """The picture as a page that works offline."""
        return self.page(None, self._still())

    def _repr_html_(self) -> str:
        page = self.page
        alive = themed(lambda theme: in_frame(page(theme, "")), wide=True)
        return f"{alive}<details><summary>As a still picture</summary>{self._image()}</details>"

    def _image(self) -> str:
        """Write the picture for sites that take frames, SVG and styles out of what they show.

        JupyterLab does so with notebooks of others; an image is left, and brings its own paper.
        """
        content = base64.b64encode(self.svg.encode()).decode("ascii")
        return (
            f'<img alt="{html_text(self.caption)}" style="max-width:100%;background:#ffffff" '
            f'src="data:image/svg+xml;base64,{content}"><p>{html_text(self.caption)}</p>'
        )

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/html": self._repr_html_(), "text/plain": repr(self)}

    def _still(self) -> str:
        caption = f'<div style="font-size:.85rem">{html_text(self.caption)}</div>'
        # Ids are one name space in a notebook, however many pictures it holds.
        name = hashlib.sha256(self.dot.encode()).hexdigest()[:8]
        return themed(
            lambda theme: report_picture(self.draw(theme), f"probtrees-{name}-{theme}") + caption
        )


def _format(kind: str) -> PictureFormat:
    return kind  # type: ignore[return-value]  # render names the formats that it knows


@dataclass(frozen=True)
class LeafExplanation(Explanation):
    """An :class:`~probtrees.explain.leaf.Explanation` of a leaf that draws itself.

    Attributes
    ----------
    smoothed, schema : the tree that is explained and its columns
    """

    smoothed: SmoothedTree | None = field(default=None, repr=False, compare=False)
    schema: Schema | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of(
        cls, explained: Explanation, smoothed: SmoothedTree, schema: Schema, *more: str
    ) -> LeafExplanation:
        """Add the tree to an explanation, and remarks to its notes."""
        record = {**vars(explained), "notes": (*explained.notes, *more)}
        return cls(**record, smoothed=smoothed, schema=schema)

    def __str__(self) -> str:
        """Return whom it is about, the outcome, the sentence and what must be known as text."""
        named = self.outcome_name
        if self.smoothed is not None and self.schema is not None:
            target = self.schema.columns[self.smoothed.tree.target].name
            named = outcome_title(target, named)
        who = f"where {self.rule_sentence}" if self.rule else "of all rows"
        return " ".join([f"{named}, {who}: {self.sentence}", *self.card_notes])

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return themed(self._card)

    def _card(self, theme: Theme) -> str:
        smoothed, schema = self.smoothed, self.schema
        if smoothed is None or schema is None:  # an explanation without its tree is only text
            return f"<p>{html_text(str(self))}</p>"
        kind, number = headline_words(smoothed, self, self.smoother)
        kind = f"Node {self.node} · {kind}"
        target = schema.columns[smoothed.tree.target].name
        spread = None if self.spread is None else (self.spread.lower, self.spread.upper)
        remarks = [self.sentence, *self.card_notes]
        if self.interval is not None:
            remarks.append(interval_sentence(self.interval))
        if self.spread is not None:
            remarks.append(spread_text(self, smoothed))
        return (
            headline_html(self, target, kind=kind, number=number, theme=theme)
            + ladder_html(
                rungs(smoothed, schema, self.node, self.outcome), interval=spread, theme=theme
            )
            + rings_html(smoothed, schema, self, theme=theme)
            + "".join(f"<p>{html_text(remark)}</p>" for remark in remarks)
        )
