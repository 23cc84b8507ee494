"""Averaged one-dependence estimators: every attribute in turn is the parent of all others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from probtrees.errors import DataError
from probtrees.grow.count.mutual_information import measure_information
from probtrees.grow.count.nominal_rows import nominal_rows
from probtrees.grow.dag import Dag, Structure, StructureMember
from probtrees.options import Options
from probtrees.table.dataset import Dataset

MAX_ATTRIBUTES = 500
"""A network per attribute, each with a table per attribute: with more there are too many."""


@dataclass(frozen=True)
class AODE(Options):
    r"""Average as many networks as there are attributes; each has another super-parent.

    .. math:: p(y, x) = \frac{1}{n} \sum_i p(y) p(x_i | y) \prod_{j \ne i} p(x_j | y, x_i)

    Joint probabilities are averaged and the mean is normalised, so a network to which the
    row is unlikely has little say. Webb et al. (2005); thesis sec. 3.1.3.5.

    Examples
    --------
    >>> import probtrees
    >>> model = probtrees.fit(probtrees.load_sample("stroke"), probtrees.AODE(), "laplace")
    >>> model.predict_proba({"weight": "heavy", "height": "med"}).round(2).tolist()
    [[0.75, 0.25]]
    """

    name: ClassVar[str] = "aode"
    member_per_attribute: ClassVar[bool] = True

    def learn(self, data: Dataset) -> Structure:
        """List one network per super-parent, by descending MI with the class."""
        refuse_too_many(self.name, data)
        information = measure_information(nominal_rows(data), pairs=False)
        order = information.order().tolist()
        target = len(order)
        dags = [
            Dag(
                {target: (), parent: (target,)}
                | {c: (target, parent) for c in order if c != parent}
            )
            for parent in order
        ] or [Dag({target: ()})]
        notes = {"order": order, "mutual_information": information.with_class}
        return Structure(tuple(map(StructureMember, dags)), averaging="joint", diagnostics=notes)


def refuse_too_many(name: str, data: Dataset) -> None:
    """Refuse to count a table for every pair of very many attributes."""
    n_attributes = data.schema.target_column
    if n_attributes > MAX_ATTRIBUTES:
        raise DataError(
            f"attributes={n_attributes} must be at most {MAX_ATTRIBUTES} for {name!r}, which "
            "counts a table for every pair of them. Choose 'tan' or 'skdb', or fewer columns."
        )
