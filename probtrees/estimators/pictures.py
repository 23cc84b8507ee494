"""Pictures of models in a notebook: trees and networks to click in, and the curves of columns."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import ClassVar, get_args

from probtrees.draw.charts.shape_chart import chart_key, members_html, shapes_html, usual_scale
from probtrees.draw.escape import html_text
from probtrees.draw.palette import Theme
from probtrees.draw.picture_file import PictureFormat, render
from probtrees.draw.points_card import CardFormat, points_file
from probtrees.estimators.interactive_pictures import InteractivePicture
from probtrees.estimators.notebook_html import (
    ShowsItself,
    framed,
    heading,
    paragraph,
    plain_page,
    save_by_name,
    themed,
)
from probtrees.explain.points_card import PointsCard
from probtrees.explain.shape_curves import MEANING, council_sentence, councillors, shape_curves
from probtrees.model.model import Model
from probtrees.model.predict import has_refits


@dataclass(frozen=True)
class Picture:
    """A tree or a network, which can be zoomed, folded and clicked where scripts run.

    Attributes
    ----------
    dot : the same as DOT, for light pages
    caption : what it shows, in a line
    alive : the picture to click in
    """

    dot: str = field(repr=False)
    caption: str
    alive: InteractivePicture = field(repr=False)

    @property
    def svg(self) -> str:
        """The picture as SVG, for light pages."""
        svg = render(self.dot).decode("utf-8")
        return svg[svg.index("<svg") :]

    def save(self, path: str | Path) -> None:
        """Write the picture; the name says how: .svg, .png, .pdf, .dot, or .html to click in."""
        drawn = {f".{kind}": partial(render, self.dot, kind) for kind in get_args(PictureFormat)}
        save_by_name(path, {**drawn, ".dot": lambda: self.dot, ".html": lambda: self.html})

    @property
    def html(self) -> str:
        """The picture as a page that works offline."""
        return self.alive.page(self.caption, self.svg)

    def _repr_html_(self) -> str:
        alive = themed(lambda t: framed(self.alive.page(self.caption, theme=t), 540), wide=True)
        return f"{alive}<details><summary>As a still picture</summary>{self._image()}</details>"

    def _image(self) -> str:
        """Write the picture for sites that take frames, SVG and styles out of what they show.

        JupyterLab does so with notebooks of others; an image is left, and brings its own paper.
        """
        content = base64.b64encode(self.svg.encode()).decode("ascii")
        return (
            f'<img alt="{html_text(self.caption)}" style="max-width:100%;background:#ffffff" '
            f'src="data:image/svg+xml;base64,{content}">{paragraph(self.caption)}'
        )


class ShownPointsCard(PointsCard):
    """A points card that prints itself, and shows the page that adds up in a notebook."""

    def __str__(self) -> str:
        return points_file(self, "text")

    def save(self, path: str | Path) -> None:
        """Write the card; the name says how: .html to fill in, .svg, or .txt."""
        kinds: dict[str, CardFormat] = {".html": "html", ".svg": "svg", ".txt": "text"}
        save_by_name(path, {end: partial(points_file, self, kind) for end, kind in kinds.items()})

    def _repr_html_(self) -> str:
        return framed(points_file(self, "html"), 700)


@dataclass(frozen=True)
class ShapesPicture(ShowsItself):
    """The curves of a shaped tree, or the members of a council with the curves of one of them.

    A picture of the tree alone would not show what such a model answers, so it has no DOT.

    Attributes
    ----------
    model : the shaped tree or the council
    caption : what it shows, in a line
    outcome : the class of interest, by number
    """

    is_wide: ClassVar[bool] = True

    model: Model
    caption: str
    outcome: int = 0

    def __repr__(self) -> str:
        return f"<{self.caption}>"

    @property
    def html(self) -> str:
        """The picture as a page that works offline."""
        return plain_page(self.caption, self._repr_html_())

    def save(self, path: str | Path) -> None:
        """Write the picture as a page; the name ends in .html."""
        save_by_name(path, {".html": lambda: self.html})

    def _card(self, theme: Theme) -> str:
        model, classes = self.model, self.model.schema.classes
        parts = [heading(self.caption)]
        curves, scale = shape_curves(model), usual_scale(model, self.outcome)
        if model.kind == "council":
            parts += [
                paragraph(council_sentence(model)),
                members_html(councillors(model), theme=theme),
            ]
            remark = " All of it is times the weight of the shaped tree."
        else:
            remark = f" {MEANING}" if has_refits(model) else ""
        if curves:
            about = f"For {classes[self.outcome]}. {chart_key(curves, scale)}{remark}"
            parts += [paragraph(about), shapes_html(curves, self.outcome, theme=theme, scale=scale)]
        return "".join(parts)
