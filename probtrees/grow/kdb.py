"""k-dependence Bayesian classifier: every attribute has up to k parents beside the class."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from probtrees.grow.count.mutual_information import Information, descending, measure_information
from probtrees.grow.count.nominal_rows import nominal_rows
from probtrees.grow.dag import Dag, OneNetwork, Structure, StructureMember
from probtrees.options import option
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray

MOST_DESCRIBED = 1000
"""Attributes whose pairwise information is kept with a model."""


@dataclass(frozen=True)
class KDB(OneNetwork):
    """Rank attributes by what they say about the class, and join each to earlier ones.

    Attributes are ordered by descending MI with the class. Each takes, among those before
    it, the k with the highest CMI as parents, the highest first. Equal values are taken in
    column order (MI) and in the order of attributes (CMI). Sahami (1996); thesis
    Algorithms 2 and 3.

    Examples
    --------
    >>> import probtrees
    >>> model = probtrees.fit(probtrees.load_sample("stroke"), probtrees.KDB(), "laplace")
    >>> model.predict_proba({"weight": "heavy", "height": "med"}).round(2).tolist()
    [[0.73, 0.27]]
    """

    name: ClassVar[str] = "kdb"

    k: int = option(
        5,
        flag=True,
        help="Most attributes another attribute may depend on, beside the class.",
        minimum=0,
    )

    def learn(self, data: Dataset) -> Structure:
        """Find the parents of every attribute."""
        return self.structure(measure_information(nominal_rows(data)))

    def structure(self, information: Information) -> Structure:
        """Choose parents by what attributes say about the class and about each other."""
        order = information.order()
        dag = dag_of_order(order, information.pairwise, self.k)
        return Structure(
            (StructureMember(dag),), diagnostics=describe(information, order, k=self.k)
        )


def dag_of_order(order: Iterable[int], pairwise: FloatArray, k: int) -> Dag:
    """Join every attribute of an order to the k before it that say most about it.

    >>> import numpy as np
    >>> pairwise = np.array([[0, 0.2, 0.1], [0.2, 0, 0.3], [0.1, 0.3, 0]])
    >>> dict(dag_of_order([2, 0, 1], pairwise, k=2).parents)
    {3: (), 2: (3,), 0: (3, 2), 1: (3, 2, 0)}
    """
    class_column = pairwise.shape[0]
    parents: dict[int, tuple[int, ...]] = {class_column: ()}
    earlier: list[int] = []
    for attribute in map(int, order):
        ranked = descending(pairwise[attribute, earlier])[:k] if earlier and k > 0 else ()
        parents[attribute] = (class_column, *(earlier[place] for place in ranked))
        earlier.append(attribute)
    return Dag(parents)


def describe(information: Information, order: Iterable[int], **more: Any) -> dict[str, Any]:
    """Note what a structure was chosen by, for the app and the reports.

    What all pairs of very many attributes say about each other is not kept: a model file
    would consist of little else.
    """
    notes: dict[str, Any] = {
        "order": [int(attribute) for attribute in order],
        "mutual_information": information.with_class,
    }
    if len(information.with_class) <= MOST_DESCRIBED:
        notes["conditional_mutual_information"] = information.pairwise
    return {**notes, **more}
