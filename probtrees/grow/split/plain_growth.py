"""Growing nodes by the uncompiled kernel, on records that plain Python reads quickly.

A field of a numpy record takes Python a microsecond to read, ten times as long as a slot of an
object. So the records become lists of objects for the length of a call, and are written back.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from probtrees.grow.count_tree import TreeArrays
from probtrees.grow.split import _c45_kernels as kernels
from probtrees.grow.split import growth_records as records
from probtrees.machine.kernel_cache import runnable


class _Cells(list[Any]):
    """A list that knows its shape, as kernels ask for it."""

    @property
    def shape(self) -> tuple[int]:
        return (len(self),)


class _Records(_Cells):
    """Objects with the fields of a record; assigning one copies its fields, as numpy does."""

    def __init__(self, array: np.recarray) -> None:
        names = array.dtype.names or ()
        kind = _kind(names)
        fields = (array[name].tolist() for name in names)
        super().__init__(kind(*values) for values in zip(*fields, strict=True))
        self._names = names

    def __setitem__(self, place: Any, other: Any) -> None:
        mine = self[place]
        for name in self._names:
            setattr(mine, name, getattr(other, name))

    def write_back(self, array: np.recarray) -> None:
        for name in self._names:
            array[name] = [getattr(record, name) for record in self]


@cache
def _kind(names: tuple[str, ...]) -> type:
    """Make the class of a record's objects."""

    def __init__(self: Any, *values: Any) -> None:  # noqa: N807
        for name, value in zip(names, values, strict=True):
            setattr(self, name, value)

    return type("Record", (), {"__slots__": names, "__init__": __init__})


def grow_nodes_plainly(
    columns: records.Columns,
    items: np.recarray,
    tree: TreeArrays,
    growth: records.Growth,
    rules: records.Rules,
    scratch: records.Scratch,
    budget: int,
) -> int:
    """Do what the compiled :func:`grow_nodes` does, to the same nodes."""
    own_items, own_waiting = _Records(items), _Records(growth.waiting)
    # Kernels take them for arrays: they have the fields, items and shapes that are asked for.
    objects: dict[str, Any] = {
        name: _Records(getattr(scratch, name))
        for name in ("sides", "moves", "scores", "branches", "dealt")
    }
    facts: Any = _Records(columns.facts)
    values: Any = _Cells(columns.values.tolist())
    table: Any = _Cells(scratch.n_log_n.tolist())
    waiting: Any = own_waiting
    status: int = runnable(kernels.grow_nodes)(
        columns._replace(facts=facts, values=values),
        own_items,
        tree,
        growth._replace(waiting=waiting),
        rules,
        scratch._replace(n_log_n=table, **objects),
        budget,
    )
    own_items.write_back(items)
    own_waiting.write_back(growth.waiting)
    return status
