"""C4.5 on more rows than fit into memory: numbers in bins, large nodes split by counts alone."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from probtrees.errors import DataError, OptionError
from probtrees.grow.c45 import C45, GrowReport
from probtrees.grow.count_tree import CountTree
from probtrees.grow.prune import collapse, prune_by_counts, prune_pessimistically
from probtrees.options import option
from probtrees.scale.files.file_parts import DEFAULT_MEMORY
from probtrees.scale.files.table_files import check_unchanged
from probtrees.scale.learn.level_growth import LevelGrowth, Limits
from probtrees.scale.passes.binned_columns import BinnedColumns, ColumnScan, TreeForm
from probtrees.scale.passes.chunked_table import ChunkedTable, DatasetForm
from probtrees.scale.passes.conductor import Conductor, silent_stage
from probtrees.scale.passes.node_statistics import NodeRows, RowSpool
from probtrees.scale.passes.statistic import SAMPLE_ROWS, Meter, OneProcess, read_ahead
from probtrees.types import Progress

DEFAULT_BINS = 256
MOST_BINS = 1 << 15


@dataclass(frozen=True)
class BinnedC45(C45):
    """C4.5 on numbers cut into bins, so that it can be grown from counts.

    Where no numeric column has more different values than there are bins, the tree is the one
    of :class:`~probtrees.grow.c45.C45`, node for node.
    """

    bins: int = option(
        DEFAULT_BINS,
        minimum=2,
        maximum=MOST_BINS,
        help="Into how many bins with like numbers of rows a numeric column is cut at most.",
    )


def binned(learner: C45) -> BinnedC45:
    """Return the same options with bins; edits need rows, which are not kept in chunks."""
    if learner.edits:
        raise OptionError("edits must be left out of a tree grown in chunks. Read the table whole.")
    return learner if isinstance(learner, BinnedC45) else BinnedC45(**learner.to_dict())


def grow_with_report(
    table: ChunkedTable, learner: BinnedC45, conductor: Conductor, memory: int = DEFAULT_MEMORY
) -> tuple[CountTree, GrowReport]:
    """Grow a C4.5 tree from a table that is read in chunks, and report what cutting back removed.

    Two passes over the table: one lists or samples the numbers of every column, one turns the
    rows into codes, a byte or two per cell, which are set aside on disk. A node with more rows
    than fit into memory is split by its counts per column, code and class, one pass over the
    coded rows for all such nodes of a level, more if their counts do not fit. The others are
    grown to the end in memory, as many nodes per pass as fit. On a cluster nothing is set aside:
    every pass reads and codes the rows where they are.

    Both ways choose splits as :class:`~probtrees.grow.c45.C45` does, so where no numeric column
    has more than ``bins`` different values the tree is the same, node for node. Otherwise it is
    C4.5 among thresholds at the tops of the bins. Neither the chunks nor the memory change it.

    Parameters
    ----------
    table : the rows
    learner : the options of C4.5, and the number of bins
    conductor : has the passes carried out, and announces them
    memory : bytes that may be used at a time

    Raises
    ------
    OptionError : for options of C4.5 that need all rows at once
    """
    limits = Limits.of_memory(memory, len(table.schema.features))
    with growing(table, learner, limits, conductor) as growth:
        grown = growth.grow()
        collapsed = collapse(grown) if learner.collapse else grown
        pruned = _pruned(collapsed, learner, growth)
    return pruned, GrowReport.of(grown, collapsed, pruned)


def _pruned(tree: CountTree, learner: C45, growth: LevelGrowth) -> CountTree:
    """Prune by the counts, or with all rows where branches may be raised."""
    if learner.prune == "none":
        return tree
    if not learner.subtree_raising:
        return prune_by_counts(tree, learner.confidence)
    return prune_pessimistically(
        tree, growth.all_rows(), confidence=learner.confidence, raise_subtrees=True
    )


def check_options(learner: C45) -> None:
    """Refuse options that cannot be followed exactly without all rows at once."""
    rules = (
        ("separate_rows=True must be false", learner.separate_rows),
        ("prune='reduced-error' must be 'none' or 'pessimistic'", learner.prune == "reduced-error"),
        (f"middle_slack={learner.middle_slack:g} must be 0", learner.middle_slack > 0.0),
    )
    for rule, is_broken in rules:
        if is_broken:
            raise OptionError(
                f"{rule} where a tree is grown in chunks, since it needs all rows at once. Set it "
                "so (--set model.FIELD=VALUE), or grow the tree in memory."
            )


def _check_table(learner: C45, table: ChunkedTable, limits: Limits) -> None:
    """Refuse what depends on the number of rows."""
    if table.n_rows == 0:
        raise DataError("rows=0 must be at least 1. Give the table rows to grow from.")
    raises = learner.prune == "pessimistic" and learner.subtree_raising
    if raises and table.n_rows > limits.all_rows:
        raise OptionError(
            f"subtree_raising=True must be false for {table.n_rows:,} rows, since it needs all of "
            f"them at once and the memory holds {limits.all_rows:,}. Set it so (--set "
            "model.subtree_raising=false), or give more memory."
        )


@contextmanager
def growing(
    table: ChunkedTable, learner: BinnedC45, limits: Limits, conductor: Conductor
) -> Iterator[LevelGrowth]:
    """Look at the columns, code the rows, and give what grows a tree from them."""
    check_options(learner)
    _check_table(learner, table, limits)
    is_here = isinstance(conductor.runner, OneProcess)
    scan = _look_at_columns(table, learner.bins, conductor, skip_nominal=is_here)
    columns = BinnedColumns.of_scan(scan, table.n_rows)
    if learner.missing == "fraction" and columns.has_missing.any():
        name = table.schema.features[int(np.argmax(columns.has_missing))].name
        raise OptionError(
            f"missing='fraction' must be 'value' where a tree is grown in chunks, since {name!r} "
            "has missing values, and rows split over branches could not be counted exactly."
        )
    if not is_here:
        passes = partial(_pass_of, conductor, table, TreeForm(columns))
        with silent_stage("") as progress:
            yield LevelGrowth(columns, passes, scan.class_counts, learner, limits, progress)
        return
    made_from = (table.fingerprint, [tops.tobytes() for tops in columns.tops])
    kept = conductor.finished.place("rows", made_from, "codes") if table.fingerprint else None
    size = (len(columns.tops) + 1, columns.row_type, limits.spool_bytes)
    with RowSpool(*size, kept, table.n_rows) as rows:
        if rows.n_rows == 0:
            with conductor.stage("coding rows") as progress:
                _set_aside(table, columns, rows, progress)
        counts = np.zeros(len(table.schema.classes), dtype=np.int64)
        for block in rows.blocks():
            counts += np.bincount(block[:, -1], minlength=len(counts))
        with conductor.stage("growing the tree") as progress:
            yield LevelGrowth(columns, partial(_pass_over, rows), counts, learner, limits, progress)


def _look_at_columns(
    table: ChunkedTable, bins: int, conductor: Conductor, *, skip_nominal: bool
) -> ColumnScan:
    """List or sample the numbers; of nominal columns all is known, except the classes' rows."""
    if skip_nominal and all(column.is_nominal for column in table.schema.features):
        scan = ColumnScan.of(table.schema, bins)
        scan.has_missing[list(table.missing)] = True
        return scan
    make = partial(ColumnScan.of, table.schema, bins)
    return conductor.run("columns", (bins, SAMPLE_ROWS), table, DatasetForm(), make)


def _set_aside(
    table: ChunkedTable, columns: BinnedColumns, rows: RowSpool, progress: Progress
) -> None:
    """Code all rows and set them aside."""
    meter = Meter(progress, table.n_rows)
    for chunk in read_ahead(table.chunks()):
        rows.append(columns.encode(chunk))
        meter.add(chunk.n_rows)
    check_unchanged(table.files)
    rows.finish()


def _pass_over(rows: RowSpool, begun: Any, beat: Callable[[], None]) -> Any:
    """Add rows that were coded before."""
    for block in rows.blocks():
        begun.update(block)
        beat()
    return begun


def _pass_of(
    conductor: Conductor, table: ChunkedTable, form: TreeForm, begun: Any, beat: Callable[[], None]
) -> Any:
    """Add rows that workers code, and hold if they fit; only counts travel."""
    tops = [tops.tobytes() for tops in form.columns.tops]
    made_from = (tops, [array.tobytes() for array in begun.tree], begun.slots.tobytes())
    name = "rows" if isinstance(begun, NodeRows) else "nodes"
    return conductor.run(name, made_from, table, form, partial(copy.copy, begun))
