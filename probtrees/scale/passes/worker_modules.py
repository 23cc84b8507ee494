"""What a worker needs, loaded and tried once on two rows before workers begin as copies of this.

See :mod:`.worker_start`, which has a server process import this module.
"""

from __future__ import annotations

from importlib import import_module

import numpy as np

from probtrees.grow.count.nominal_rows import NominalRows
from probtrees.grow.dag import Dag
from probtrees.scale.learn.left_out_losses import LeftOutLosses
from probtrees.scale.learn.network_counts import PairCounts, TableCounts
from probtrees.scale.passes.column_summary import ColumnSummary
from probtrees.table.cells.raw_table import Texts
from probtrees.table.cuts import Cuts
from probtrees.table.dataset import Column, Schema

_MEMORY = 1 << 20


def _try_all() -> None:
    """Run every pass of a network once, which loads its compiled code."""
    schema = Schema(tuple(Column(name, ("0", "1")) for name in ("a", "b", "class")))
    codes = np.array([[0, 1], [0, 1], [0, 1]], dtype=np.int32)
    rows = NominalRows(codes, np.full(3, 2, dtype=np.int64), np.ones(2))
    ColumnSummary().update(Texts.of(codes[0], ("0", "1")))
    pairs = PairCounts.empty(schema, Cuts({}), pairs=True, memory=_MEMORY)
    pairs.update(rows)
    tables = TableCounts.empty(schema, Cuts({}), Dag({2: (), 0: (2,), 1: (2, 0)}), _MEMORY)
    tables.update(rows)
    LeftOutLosses.empty(tables, "rmse", 1).update(rows)


for _module in ("distributed.nanny", "distributed.worker", "probtrees.scale.passes.cluster"):
    import_module(_module)
_try_all()
