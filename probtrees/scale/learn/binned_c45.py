"""C4.5 on more rows than fit into memory: numbers in bins, large nodes split by counts alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from probtrees.errors import DataError, OptionError
from probtrees.grow.c45 import C45, GrowReport
from probtrees.grow.count_tree import CountTree
from probtrees.grow.prune import collapse, prune_by_counts, prune_pessimistically
from probtrees.options import option
from probtrees.scale.files.file_parts import DEFAULT_MEMORY
from probtrees.scale.learn.level_growth import LevelGrowth, Limits, TreePasses
from probtrees.scale.passes.binned_columns import BinnedColumns, ColumnScan, TreeForm
from probtrees.scale.passes.chunked_table import ChunkedTable, DatasetForm
from probtrees.scale.passes.conductor import Conductor
from probtrees.scale.passes.statistic import SAMPLE_ROWS

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
    grown to the end in memory, as many nodes per pass as fit. On a cluster the workers hold the
    coded rows if they fit, or read them in every pass.

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
    growth = growing(table, learner, limits, conductor)
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
    needs_all = {
        "separate_rows=True must be false": learner.separate_rows,
        "prune='reduced-error' must be 'none' or 'pessimistic'": learner.prune == "reduced-error",
        f"middle_slack={learner.middle_slack:g} must be 0": learner.middle_slack > 0.0,
    }
    refuse_in_chunks(needs_all, "it needs all rows at once")


def refuse_in_chunks(rules: Mapping[str, bool], reason: str) -> None:
    """Refuse the first option that breaks its rule."""
    for rule, is_broken in rules.items():
        if is_broken:
            raise OptionError(f"{rule} in chunks: {reason}. Change it, or leave out --chunks.")


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


def growing(
    table: ChunkedTable, learner: BinnedC45, limits: Limits, conductor: Conductor
) -> LevelGrowth:
    """Look at the columns, code the rows, and give what grows a tree from them."""
    check_options(learner)
    _check_table(learner, table, limits)
    columns = BinnedColumns.of_scan(_look_at_columns(table, learner.bins, conductor), table.n_rows)
    if learner.missing == "fraction" and columns.has_missing.any():
        name = table.schema.features[int(np.argmax(columns.has_missing))].name
        raise OptionError(
            f"missing='fraction' must be 'value' where a tree is grown in chunks, since {name!r} "
            "has missing values, and rows split over branches could not be counted exactly."
        )
    passes = TreePasses(conductor, table, TreeForm(columns))
    return LevelGrowth(columns, passes, learner, limits)


def _look_at_columns(table: ChunkedTable, bins: int, conductor: Conductor) -> ColumnScan:
    """List or sample the numbers; of nominal columns all is known."""
    if all(column.is_nominal for column in table.schema.features):
        scan = ColumnScan.of(table.schema, bins)
        scan.has_missing[list(table.missing)] = True
        return scan
    make = partial(ColumnScan.of, table.schema, bins)
    return conductor.run("columns", (bins, SAMPLE_ROWS), table, DatasetForm(), make)
