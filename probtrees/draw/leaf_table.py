"""All leaves as a table: rows, observed rate, and what every smoother says."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from probtrees.dataset import Schema
from probtrees.rule import all_rules, conditions_text
from probtrees.smoothed_tree import SmoothedTree

LUCK = "The most extreme leaves are partly luck; expect them to be milder in new data."


def leaf_table(
    smoothed_by_label: Mapping[str, SmoothedTree], schema: Schema, outcome: int
) -> pd.DataFrame:
    """List the leaves, largest first, with one column per smoother.

    "disagreement" is the distance between the highest and the lowest of their answers.
    """
    tree = next(iter(smoothed_by_label.values())).tree
    leaves = tree.leaves
    rows = tree.totals[leaves]
    cases = tree.arrays.counts[leaves, outcome]
    answers = {
        label: smoothed.probs[leaves, outcome] for label, smoothed in smoothed_by_label.items()
    }
    by_node = all_rules(tree, schema)
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
    return table.sort_values("rows", ascending=False, kind="stable", ignore_index=True)
