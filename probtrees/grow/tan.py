"""Tree-augmented naive Bayes: one parent per attribute, from a maximum spanning tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from probtrees.grow.count.mutual_information import (
    DECIMALS,
    Information,
    descending,
    measure_information,
)
from probtrees.grow.count.nominal_rows import nominal_rows
from probtrees.grow.dag import Dag, OneNetwork, Structure, StructureMember
from probtrees.grow.kdb import describe
from probtrees.options import option
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray, IntArray


@dataclass(frozen=True)
class TAN(OneNetwork):
    """Join attributes into the tree that carries the most CMI given the class.

    The spanning tree is built from one attribute on (Prim), as published from the first of
    the table: again and again the strongest link between an attribute in the tree and one
    outside it is added, pointing outwards. Of equal links the one to the attribute that
    comes first in the table is taken (with root "strongest": to the one that says most about
    the class), and of those the one from the attribute that joined the tree first. Friedman
    et al. (1997); thesis Algorithm 1.

    Examples
    --------
    >>> import probtrees
    >>> model = probtrees.fit(probtrees.load_sample("stroke"), probtrees.TAN(), "laplace")
    >>> model.predict_proba({"weight": "heavy", "height": "med"}).round(2).tolist()
    [[0.73, 0.27]]
    """

    name: ClassVar[str] = "tan"

    root: Literal["first", "strongest"] = option(
        "first",
        help="The attribute from which links point outwards: the table's first, or the one that "
        "says most about the class, whatever the order of columns.",
    )

    def learn(self, data: Dataset) -> Structure:
        """Find the one parent of every attribute."""
        return self.structure(measure_information(nominal_rows(data)))

    def structure(self, information: Information) -> Structure:
        """Build the tree from what attributes say about each other."""
        ranked = descending(information.with_class)
        dag = spanning_tree(information.pairwise, ranked if self.root == "strongest" else None)
        order = [column for column in dag.columns if column < len(information.with_class)]
        return Structure((StructureMember(dag),), diagnostics=describe(information, order, k=1))


def spanning_tree(pairwise: FloatArray, ranked: IntArray | None = None) -> Dag:
    """Build the maximum spanning tree of a matrix of weights.

    Parameters
    ----------
    pairwise : float64[n_attributes, n_attributes]
    ranked : int64[n_attributes], attributes in the order in which they start the tree and win
        ties; their order in the table unless given

    >>> weights = np.array([[0, 0.1, 0.2], [0.1, 0, 0.3], [0.2, 0.3, 0]])
    >>> dict(spanning_tree(weights).parents)
    {3: (), 0: (3,), 2: (3, 0), 1: (3, 2)}
    >>> dict(spanning_tree(weights, np.array([1, 0, 2])).parents)
    {3: (), 1: (3,), 2: (3, 1), 0: (3, 2)}
    """
    n_attributes = pairwise.shape[0]
    parents: dict[int, tuple[int, ...]] = {n_attributes: ()}
    if n_attributes == 0:
        return Dag(parents)
    outside = np.arange(n_attributes) if ranked is None else ranked
    root, outside = int(outside[0]), outside[1:]
    parents[root] = (n_attributes,)
    best = np.round(pairwise[root], DECIMALS)
    link = np.full(n_attributes, root, dtype=np.int64)
    while len(outside):
        at = int(np.argmax(best[outside]))
        joining = int(outside[at])
        parents[joining] = (n_attributes, int(link[joining]))
        outside = np.delete(outside, at)
        weights = np.round(pairwise[joining], DECIMALS)  # by rows: no second matrix is held
        is_stronger = weights > best
        best[is_stronger] = weights[is_stronger]
        link[is_stronger] = joining
    return Dag(parents)
