"""k-dependence forest: one KDB for every attribute that can come first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from probtrees.grow.aode import refuse_too_many
from probtrees.grow.count.mutual_information import (
    DECIMALS,
    Information,
    descending,
    measure_information,
)
from probtrees.grow.count.nominal_rows import NominalRows, nominal_rows
from probtrees.grow.dag import Dag, Structure, StructureMember
from probtrees.grow.kdb import describe
from probtrees.options import Options, option
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray


@dataclass(frozen=True)
class KDF(Options):
    """Average as many networks as there are attributes; each starts from another one.

    The order of a network: its first attribute, then always the one that says most about
    the class beside those already chosen: the largest sum of CMI(attribute; class | chosen
    one). An attribute's first parent is the chosen one with the
    highest CMI given the class; the other parents, up to k in all, are those of that
    parent's ancestors with the highest CMI. Equal values are taken in column order. Duan &
    Wang (2017); thesis Algorithms 6 and 7.

    Examples
    --------
    >>> import probtrees
    >>> model = probtrees.fit(probtrees.load_sample("stroke"), probtrees.KDF(), "laplace")
    >>> model.predict_proba({"weight": "heavy", "height": "med"}).round(2).tolist()
    [[0.75, 0.25]]
    """

    name: ClassVar[str] = "kdf"
    member_per_attribute: ClassVar[bool] = True

    k: int = option(
        5, help="Most attributes another attribute may depend on, beside the class.", minimum=0
    )

    def learn(self, data: Dataset) -> Structure:
        """Find order and parents for every first attribute."""
        refuse_too_many(self.name, data)
        table = nominal_rows(data)
        information = measure_information(table)
        beside = _information_beside(table, information)
        first = information.order().tolist()
        dags = [
            _dag_within_ancestors(_order_from(start, beside), information.pairwise, self.k)
            for start in first
        ] or [Dag({0: ()})]
        notes = describe(information, first, k=self.k)
        return Structure(tuple(map(StructureMember, dags)), diagnostics=notes)


def _information_beside(table: NominalRows, information: Information) -> FloatArray:
    """Return CMI(j; class | i) in row i, column j.

    By the chain rule it is MI(j; class) + CMI(i; j | class) - MI(i; j), and MI is CMI given
    a class that is always the same.
    """
    codes = table.codes.copy()
    codes[-1] = 0
    n_values = table.n_values.copy()
    n_values[-1] = 1
    plain = measure_information(NominalRows(codes, n_values, table.weights)).pairwise
    return np.asarray(information.with_class[None, :] + information.pairwise - plain)


def _order_from(start: int, beside: FloatArray) -> list[int]:
    """Order attributes by what they say beside those before them (Algorithm 6)."""
    order = [start]
    sums = beside[start].copy()
    waiting = np.ones(beside.shape[0], dtype=np.bool_)
    waiting[start] = False
    while waiting.any():
        following = int(np.argmax(np.where(waiting, np.round(sums, DECIMALS), -np.inf)))
        order.append(following)
        waiting[following] = False
        sums += beside[following]
    return order


def _dag_within_ancestors(order: list[int], pairwise: FloatArray, k: int) -> Dag:
    """Give attributes their parents from one line of ancestors each (Algorithm 7)."""
    class_column = pairwise.shape[0]
    parents: dict[int, tuple[int, ...]] = {class_column: ()}
    ancestors: dict[int, set[int]] = {}
    for place, attribute in enumerate(order):
        chosen: list[int] = []
        if place > 0 and k > 0:
            earlier = sorted(order[:place])
            nearest = earlier[int(descending(pairwise[attribute, earlier])[0])]
            others = sorted(ancestors[nearest])
            ranked = descending(pairwise[attribute, others])[: k - 1].tolist() if others else []
            chosen = [nearest, *(others[i] for i in ranked)]
        parents[attribute] = (class_column, *chosen)
        ancestors[attribute] = set(chosen).union(*(ancestors[parent] for parent in chosen))
    return Dag(parents)
