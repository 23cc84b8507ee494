"""How rows are held out, in sentences: what a time or a group column does to the folds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from probtrees.table.dataset import Dataset
from probtrees.table.folds import Folds
from probtrees.words import plural


def folds_follow(data: Dataset) -> str:
    """Say in a few words which columns the folds follow; empty where they follow none.

    Examples
    --------
    "by time (admitted), by group (ward)"
    """
    parts = []
    if data.times is not None:
        parts.append(f"by time{_columns(data, 'time')}")
    if data.groups is not None:
        parts.append(f"by group{_columns(data, 'group')}")
    return ", ".join(parts)


def describe_folds(data: Dataset, cuts: Sequence[Folds]) -> str:
    """Say what the folds follow and how many rows are never tested; empty for ordinary folds."""
    cut, sentences = cuts[0], []
    if cut.ordered:
        sentences.append(
            f"Folds follow time{_columns(data, 'time')}: rows are only predicted from earlier ones."
        )
    elif cut.n_folds == 1 and data.times is not None:
        sentences.append(f"The latest rows{_columns(data, 'time')} are held out.")
    if data.groups is not None and cut.groups is not None:
        sentences.append(f"Rows of one group{_columns(data, 'group')} are held out together.")
    elif cut.groups is not None:
        sentences.append("Copies of a row never train the model that they test.")
    n_never = int((cut.test_fold < 0).sum())
    if n_never:
        sentences.append(
            f"{plural(n_never, 'rows')} of {data.n_rows:,} only train and are never tested."
        )
    return " ".join([*sentences, *_never_tested(data, cuts)])


def _never_tested(data: Dataset, cuts: Sequence[Folds]) -> list[str]:
    """Name the classes that have rows, but none that is tested: no figure is about them."""
    tested = np.any([cut.test_fold >= 0 for cut in cuts], axis=0)
    classes, found = np.unique(data.labels), set(data.labels[tested])
    lacking = [data.schema.classes[k] for k in classes if k not in found]
    if not lacking:
        return []
    words = f"No row of {', '.join(lacking)} is tested"
    if len(found) > 1:
        words += (
            f", so the AUC is of {len(found)} of {len(classes)} classes: do not hold it beside "
            "one of all"
        )
    return [f"{words}."]


def _columns(data: Dataset, role: str) -> str:
    """Name the columns of a role in brackets, as far as they are known."""
    names = [name for name, given in data.provenance.roles.items() if given == role]
    return f" ({', '.join(names)})" if names else ""
