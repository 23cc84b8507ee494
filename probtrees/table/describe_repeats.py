"""What became of copies of rows, in a sentence."""

from __future__ import annotations

from typing import Any

import numpy as np

from probtrees.table.dataset import Dataset


def copies_left_out(n_rows: int) -> str:
    """Say how many rows were left out because they repeat another one.

    >>> copies_left_out(40)
    '40 rows that repeat an earlier row in every cell are left out.'
    """
    if n_rows == 1:
        return "1 row that repeats an earlier row in every cell is left out."
    return f"{n_rows:,} rows that repeat an earlier row in every cell are left out."


def describe_repeats(data: Dataset) -> str:
    """Describe how many rows repeat and what is done about it; empty where none does.

    >>> import numpy as np
    >>> from probtrees.table.dataset import Column, Schema
    >>> schema = Schema((Column("x", ("a", "b")), Column("y", ("no", "yes"))))
    >>> describe_repeats(Dataset(schema, np.zeros((3, 2)), repeats="apart")).partition(":")[0]
    '2 of 3 rows repeat an earlier row, outcome included'
    """
    found = []
    if data.n_repeated:
        verb = "repeats" if data.n_repeated == 1 else "repeat"
        found.append(
            f"{data.n_repeated:,} of {data.n_rows:,} rows {verb} an earlier row, outcome included"
        )
    if _has_weights(data):
        found.append("a row counts as often as its weight says")
    sentences = []
    if found:
        words = "; ".join(found)
        sentences = [f"{words[0].upper()}{words[1:]}: {_what_is_done(data)}."]
    if data.n_alike:
        verb = "agrees" if data.n_alike == 1 else "agree"
        sentences.append(
            f"{data.n_alike:,} of {data.n_rows:,} rows {verb} with an earlier row in every column "
            "that is used, but not in whose row it is: they are different cases."
        )
    return " ".join(sentences)


def repeats_record(data: Dataset) -> dict[str, Any] | None:
    """Return the same as values for JSON; None where no row repeats."""
    sentence = describe_repeats(data)
    if not sentence:
        return None
    return {
        "repeated_rows": data.n_repeated,
        "alike_rows": data.n_alike,
        "weights": _has_weights(data),
        "copies": data.repeats_rule,
        "sentence": sentence,
    }


def _has_weights(data: Dataset) -> bool:
    return data.weights is not None and bool((data.weights != 1.0).any())


def _what_is_done(data: Dataset) -> str:
    if data.repeats_rule == "together":
        return "copies are kept together as one observation, so that none judges another"
    if _has_weights(data) and data.copies_apart() is data:
        return "every row of the table is one observation, whatever its weight"
    if data.repeats == "auto" and _are_same_ones(data):
        return "each row counts, though copies have the same identifiers as well"
    return "copies are taken as different cases that happen to agree"


def _are_same_ones(data: Dataset) -> bool:
    """Whether the rows of whoever has several are all alike: then they are copies indeed."""
    if data.identities is None or not data.n_repeated:
        return False
    return len(np.unique(data.identities)) == data.n_rows - data.n_repeated
