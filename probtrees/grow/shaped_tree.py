"""A shaped tree: a C4.5 tree whose path, and whose columns' shapes, add up in log-odds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from probtrees.grow.c45 import C45
from probtrees.options import option


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
        above=0,
        help="How strongly path and shapes are drawn to nothing; chosen by held-out rows unless "
        "given.",
    )
    freedom: float | None = option(
        None,
        above=0,
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
