"""A shaped tree: a C4.5 tree whose path, and whose columns' shapes, add up in log-odds."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from probtrees.errors import OptionError, did_you_mean
from probtrees.grow.c45 import C45
from probtrees.options import option
from probtrees.table.dataset import Schema


@dataclass(frozen=True)
class ShapedTree(C45):
    r"""Grow the tree of a shaped tree; what it and the columns add up to is fitted afterwards.

    .. math:: p(y | x) = softmax(b + \sum_v R_v(x) B_v + \sum_j f_j(x_j))

    R_v = the weight with which a row reaches node v when routed softly, f_j = a curve or table
    of column j. The tree is C4.5's. All B and f are fitted together by multinomial logistic
    regression with a ridge penalty; how strong it is, and how much freer the shapes are than
    the path, is chosen by rows that inner trees have not seen. There is no smoother: the
    leaves have no probabilities of their own.

    Examples
    --------
    >>> import probtrees
    >>> model = probtrees.fit(probtrees.load_sample("stroke"), probtrees.ShapedTree())
    >>> model.predict_proba({"weight": "heavy", "height": "med"}).round(2).tolist()
    [[0.72, 0.28]]
    """

    name: ClassVar[str] = "shaped-tree"
    takes_smoother: ClassVar[bool] = False

    penalty: float | None = option(
        None,
        minimum=1e-9,
        help="How strongly path and shapes are drawn to nothing; chosen by held-out rows unless "
        "given.",
    )
    freedom: float | None = option(
        None,
        minimum=1e-9,
        help="How much freer all shapes together are than one node of the path; chosen by "
        "held-out rows unless given.",
    )
    increasing: str = option(
        "",
        help="Numeric columns, with commas between, whose shapes must never fall for the class "
        "of increasing_for against any other.",
    )
    decreasing: str = option(
        "",
        help="Numeric columns, with commas between, whose shapes must never rise for the class "
        "of increasing_for against any other.",
    )
    increasing_for: str = option(
        "",
        help="The class that increasing and decreasing are about; of two classes the second one "
        "unless it is named.",
    )
    banned: str = option(
        "", help="Columns, with commas between, that get no shape; the tree may split on them."
    )


class ShapeWishes(NamedTuple):
    """What an expert wants of shapes.

    Attributes
    ----------
    banned : columns that get none
    directions : columns with 1 where the shape must never fall, -1 where it must never rise
    outcome : for which class, against every other
    """

    banned: tuple[int, ...] = ()
    directions: tuple[tuple[int, int], ...] = ()
    outcome: int = 1

    @classmethod
    def of(cls, schema: Schema, learner: ShapedTree) -> ShapeWishes:
        """Find the columns that a learner's options name."""
        rising = _columns_named(schema, "increasing", learner.increasing)
        falling = _columns_named(schema, "decreasing", learner.decreasing)
        both = [(column, 1) for column in rising] + [(column, -1) for column in falling]
        for column, _ in both:
            if schema.columns[column].is_nominal or ((column, 1) in both and (column, -1) in both):
                raise OptionError(
                    f"column={schema.names[column]!r} must be numeric to rise or to fall, and "
                    "must be asked for one of the two."
                )
        outcome = _class_named(schema, learner.increasing_for) if both else 1
        return cls(_columns_named(schema, "banned", learner.banned), tuple(both), outcome)

    def __bool__(self) -> bool:
        """Whether anything is wished."""
        return bool(self.banned or self.directions)


def _class_named(schema: Schema, name: str) -> int:
    """Find the class that a shape should rise for; the second of two unless it is named."""
    if not name and len(schema.classes) == 2:
        return 1
    if name not in schema.classes:
        advice = did_you_mean(name, schema.classes)
        raise OptionError(
            f"increasing_for={name!r} must name a class, for which shapes rise or fall. {advice}"
        )
    return schema.classes.index(name)


def _columns_named(schema: Schema, option: str, text: str) -> tuple[int, ...]:
    names = [column.name for column in schema.features]
    found = []
    # Quotes keep a name together that holds a comma.
    parts = next(csv.reader([text], skipinitialspace=True), [])
    for name in (part.strip() for part in parts if part.strip()):
        if name not in names:
            advice = did_you_mean(name, names)
            raise OptionError(f"{option}={name!r} must be a column of the table. {advice}")
        found.append(names.index(name))
    return tuple(found)
