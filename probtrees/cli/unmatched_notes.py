"""Say which columns of a table hold values that a model does not know, and how to match them."""

from __future__ import annotations

from typing import Any

from probtrees.cli.console import Console
from probtrees.model.model import Model
from probtrees.report.odd_rows import columns_of_other_values, unknown_words
from probtrees.table.dataset import Dataset
from probtrees.table.encode import CellProblems
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import is_on_unused


def note_reading(data: Dataset, console: Console) -> None:
    """Note what was decided while reading; see :func:`note_unused` for what comes last."""
    for sentence in data.provenance.notes:
        if not is_on_unused(sentence):
            console.note(sentence)


def note_unused(data: Dataset, console: Console) -> None:
    """Note last, in a line, which columns a table lacks that the model never asks for."""
    for sentence in filter(is_on_unused, data.provenance.notes):
        console.note(sentence)


def note_unmatched(
    source: Any,
    model: Model,
    data: Dataset,
    layout: ReadOptions,
    console: Console,
    unreadable: CellProblems | None = None,
    *,
    with_target: bool = False,
) -> tuple[str, ...]:
    """Note the columns whose values are unknown, all or a few of them; return their names."""
    found = unknown_words(source, model, data, layout, unreadable, with_target=with_target)
    for column in found:
        console.note(f"{column.sentence} {column.remedy}")
    named = tuple(column.name for column in found)
    for name, sentence in columns_of_other_values(model, data).items():
        if name not in named:
            console.note(sentence)
    return named
