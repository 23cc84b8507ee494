"""Tables people can read: all leaves with every smoother's answer, and rows of a dataset."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from probtrees.explain.rule import all_rules, conditions_text
from probtrees.model.track_record import TrackRecord
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Dataset, Schema

LUCK = "The most extreme leaves are partly luck; expect them to be milder in new data."


UNSEEN_ROWS, TRACK_RECORD = "unseen rows", "track record"
CHANCE_FROM, CHANCE_TO = "chance from", "chance to"


def leaf_table(
    smoothed_by_label: Mapping[str, SmoothedTree],
    schema: Schema,
    outcome: int,
    track: tuple[TrackRecord, SmoothedTree] | None = None,
) -> pd.DataFrame:
    """List the leaves, largest first, with one column per smoother.

    "disagreement" is the distance between the highest and the lowest of their answers.
    "track record" is how often unseen rows that were given a similar number had the outcome,
    and "unseen rows" how many they were. "chance from" and "chance to" bound the leaf's true
    rate, judged by rows not used to grow (90 % interval).

    Parameters
    ----------
    track : the record of one smoother, and its tree
    """
    tree = next(iter(smoothed_by_label.values())).tree
    leaves = tree.leaves
    rows = tree.totals[leaves]
    cases = tree.arrays.counts[leaves, outcome]
    answers = {
        label: smoothed.probs[leaves, outcome] for label, smoothed in smoothed_by_label.items()
    }
    by_node = all_rules(tree, schema.with_exact_cuts)
    rules = [conditions_text(by_node[leaf]) for leaf in leaves.tolist()]
    spread = np.ptp(np.stack(list(answers.values())), axis=0)
    table = pd.DataFrame(
        {
            "node": leaves,
            "rule": rules,
            "rows": rows,
            "cases": cases,
            "observed": np.divide(cases, rows, out=np.full(len(rows), np.nan), where=rows > 0),
            **answers,
            "disagreement": spread,
        }
    )
    if track is not None:
        record, smoothed = track
        similar = record.lookup_all(smoothed.probs[leaves, outcome], outcome)
        table[TRACK_RECORD] = [np.nan if s.rate is None else s.rate for s in similar]
        table[UNSEEN_ROWS] = [s.rows for s in similar]
        table[CHANCE_FROM], table[CHANCE_TO] = record.intervals(
            smoothed.probs[leaves, outcome], tree.arrays.weight[leaves], outcome
        )
    return table.sort_values("rows", ascending=False, kind="stable", ignore_index=True)


def rows_table(data: Dataset, rows: NDArray[np.int64]) -> pd.DataFrame:
    """List some rows under their column names, with their numbers counted from 1.

    Categories are written by name, and what is missing is left empty.
    """
    columns: dict[str, object] = {"row": data.row_numbers[rows] + 1}
    for number, column in enumerate(data.schema.columns):
        values = data.values[rows, number]
        name = column.name if column.name not in columns else f"{column.name} "
        if column.categories is None:
            columns[name] = values
            continue
        codes = np.where(np.isfinite(values), values, -1).astype(np.int64)
        columns[name] = np.array([*column.categories, None], dtype=object)[codes]
    return pd.DataFrame(columns)
