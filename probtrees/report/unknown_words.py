"""Words of a new table that a model does not know, for every face that asks about them."""

from __future__ import annotations

from typing import Any

from probtrees.model.model import Model
from probtrees.report.odd_rows import columns_of_other_values, n_rows_unseen, unreadable_columns
from probtrees.table.dataset import UNSEEN, Dataset
from probtrees.table.encode import CellProblems
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import UnmatchedColumn, find_unmatched


def unknown_words(
    source: Any,
    model: Model,
    rows: Dataset,
    layout: ReadOptions,
    unreadable: CellProblems | None = None,
    *,
    with_target: bool = False,
) -> tuple[UnmatchedColumn, ...]:
    """List the columns of a table that hold words unknown to a model: nothing else, or a few.

    The table is read once more for it, if its rows show that it has such columns at all.

    Parameters
    ----------
    source, layout : the table, and how ``rows`` was read from it
    unreadable : cells that could not be read
    with_target : whether classes matter too, as where answers are compared with what happened
    """
    is_strange = (
        n_rows_unseen(model, rows)
        or columns_of_other_values(model, rows)
        or unreadable_columns(model, unreadable or {}, rows.n_rows)
        or (with_target and (rows.values[:, -1] == UNSEEN).any())
    )
    if not is_strange:
        return ()
    return find_unmatched(source, model.schema, layout, model.profile, with_target=with_target)
