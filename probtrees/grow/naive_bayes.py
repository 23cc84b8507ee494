"""Naive Bayes: given the class, no attribute says anything about another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from probtrees.grow.count.mutual_information import Information, measure_information
from probtrees.grow.count.nominal_rows import nominal_rows
from probtrees.grow.dag import OneNetwork, Structure, StructureMember
from probtrees.grow.kdb import dag_of_order
from probtrees.table.dataset import Dataset


@dataclass(frozen=True)
class NaiveBayes(OneNetwork):
    r"""Make the class the only parent of every attribute.

    .. math:: p(y | x) \propto p(y) \prod_i p(x_i | y)

    Attributes are listed by descending MI with the class, which changes nothing in the
    answer. Thesis sec. 3.1.3.1.

    Examples
    --------
    >>> import probtrees
    >>> model = probtrees.fit(probtrees.load_sample("stroke"), probtrees.NaiveBayes(), "laplace")
    >>> model.predict_proba({"weight": "heavy", "height": "med"}).round(2).tolist()
    [[0.74, 0.26]]
    """

    name: ClassVar[str] = "nb"

    def learn(self, data: Dataset) -> Structure:
        """Join every attribute to the class."""
        return self.structure(measure_information(nominal_rows(data), pairs=False))

    def structure(self, information: Information) -> Structure:
        """List the attributes by what they say about the class."""
        order = information.order()
        dag = dag_of_order(order, information.pairwise, k=0)
        notes = {"order": order.tolist(), "mutual_information": information.with_class}
        return Structure((StructureMember(dag),), diagnostics=notes)
