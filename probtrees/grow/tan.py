"""Tree-augmented naive Bayes: one parent per attribute, from a maximum spanning tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from probtrees.grow.count.mutual_information import DECIMALS, Information, measure_information
from probtrees.grow.count.nominal_rows import nominal_rows
from probtrees.grow.dag import Dag, Structure, StructureMember
from probtrees.grow.kdb import describe
from probtrees.options import Options
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray


@dataclass(frozen=True)
class TAN(Options):
    """Join attributes into the tree that carries the most CMI given the class.

    The spanning tree is built from the first attribute on (Prim): again and again the
    strongest link between an attribute in the tree and one outside it is added, pointing
    outwards. Of equal links the one to the attribute that comes first in the table is
    taken, and of those the one from the attribute that joined the tree first. Friedman et
    al. (1997); thesis Algorithm 1.

    Examples
    --------
    >>> import probtrees
    >>> model = probtrees.fit(probtrees.load_sample("stroke"), probtrees.TAN(), "laplace")
    >>> model.predict_proba({"weight": "heavy", "height": "med"}).round(2).tolist()
    [[0.73, 0.27]]
    """

    name: ClassVar[str] = "tan"

    def learn(self, data: Dataset) -> Structure:
        """Find the one parent of every attribute."""
        return self.structure(measure_information(nominal_rows(data)))

    def structure(self, information: Information) -> Structure:
        """Build the tree from what attributes say about each other."""
        dag = spanning_tree(information.pairwise)
        order = [column for column in dag.columns if column < len(information.with_class)]
        return Structure((StructureMember(dag),), diagnostics=describe(information, order, k=1))


def spanning_tree(pairwise: FloatArray) -> Dag:
    """Build the maximum spanning tree of a matrix of weights, from attribute 0 on.

    >>> weights = np.array([[0, 0.1, 0.2], [0.1, 0, 0.3], [0.2, 0.3, 0]])
    >>> dict(spanning_tree(weights).parents)
    {3: (), 0: (3,), 2: (3, 0), 1: (3, 2)}
    """
    n_attributes = pairwise.shape[0]
    parents: dict[int, tuple[int, ...]] = {n_attributes: ()}
    if n_attributes == 0:
        return Dag(parents)
    parents[0] = (n_attributes,)
    best = np.round(pairwise[0], DECIMALS)
    link = np.zeros(n_attributes, dtype=np.int64)
    is_outside = np.ones(n_attributes, dtype=np.bool_)
    is_outside[0] = False
    for _ in range(n_attributes - 1):
        joining = int(np.argmax(np.where(is_outside, best, -1.0)))
        parents[joining] = (n_attributes, int(link[joining]))
        is_outside[joining] = False
        weights = np.round(pairwise[joining], DECIMALS)  # by rows: no second matrix is held
        is_stronger = weights > best
        best[is_stronger] = weights[is_stronger]
        link[is_stronger] = joining
    return Dag(parents)
