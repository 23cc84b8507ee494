"""Ask about columns of a file that are in another unit or scale than in training."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.model.model import Model
from probtrees.report.odd_rows import (
    OtherUnit,
    columns_of_other_scale,
    columns_of_other_unit,
)
from probtrees.table.cells.convert_numbers import AS_WRITTEN
from probtrees.table.cells.other_spellings import perhaps_shares
from probtrees.table.dataset import Dataset
from probtrees.table.formats.absent_columns import (
    UnitChange,
    other_unit,
    unit_changes,
    units_in_cells,
)
from probtrees.table.read_options import ReadOptions

Read = Callable[[ReadOptions], Dataset]


def in_units_of_training(
    model: Model, rows: Dataset, layout: ReadOptions, read: Read, key: str
) -> ReadOptions:
    """Return how a file is read such that its numbers are in the units of training.

    Where the names of both hold a unit, numbers are converted already, and a switch takes it back.
    Where only the numbers seem to be in another unit, a switch converts them.

    Parameters
    ----------
    rows, layout, read : the rows, how they were read, and what reads them in another way
    key : what tells the widgets of one file from those of another
    """
    changes = unit_changes(model.schema, layout.renamed)
    changes = {n: change for n, change in changes.items() if n not in model.unused_columns}
    left = _left_as_written(changes, key)
    for sentence in _not_converted(model, layout.renamed, changes):
        st.warning(markdown_text(sentence))
    if left:
        layout = replace(layout, converted={**layout.converted, **left})
        rows = read(layout)
    scaled = _said_shares(perhaps_shares(model.schema, rows.provenance.notes), key)
    scaled += _multiplied(columns_of_other_scale(model, rows), changes, key)
    converted = _converted(columns_of_other_unit(model, rows), changes, left, key)
    if not scaled and not converted:
        return layout
    return replace(layout, one_scale=scaled, converted={**layout.converted, **converted})


def _left_as_written(changes: Mapping[str, UnitChange], key: str) -> dict[str, str]:
    """Say which columns are converted by their names; what is switched off stays as it is."""
    left = {}
    for name, change in changes.items():
        shown = markdown_text(f"{name}: {change.words}")
        if not st.toggle(
            shown,
            value=True,
            key=f"{key} named unit {name}",
            help="The unit in the name of the file's column is another one than in training, so "
            "every number is converted. Switch it off if the name is wrong.",
        ):
            st.warning(f"Not converted: {shown}. The probabilities are wrong if the name is right.")
            left[name] = AS_WRITTEN
    return left


def _not_converted(
    model: Model, renamed: Mapping[str, str], changes: Mapping[str, UnitChange]
) -> list[str]:
    """Say which columns have another unit in their name that nothing converts."""
    units = units_in_cells(model.schema)
    differ = {w: other_unit(w, name, units.get(name, "")) for w, name in renamed.items()}
    return [
        f"Column {name!r} is {written!r} in the file: {differ[written]}. Its numbers are taken as "
        "they are."
        for written, name in renamed.items()
        if differ[written] and name not in (*changes, *model.unused_columns)
    ]


def _said_shares(names: tuple[str, ...], key: str) -> tuple[str, ...]:
    """Offer to take numbers for shares of 1 where training was percent."""
    return tuple(
        name
        for name in names
        if st.toggle(
            f"Take the numbers of {markdown_text(repr(name))} as shares of 1",
            key=f"{key} shares {name}",
            help="0.05 is then 5 %, as the model knows it. Otherwise it is 0.05 %.",
        )
    )


def _multiplied(
    sentences: Mapping[str, str], by_names: Mapping[str, UnitChange], key: str
) -> tuple[str, ...]:
    """Say which columns are in another scale than in training, and offer to multiply them."""
    chosen: tuple[str, ...] = ()
    for name, sentence in sentences.items():
        st.warning(markdown_text(sentence))
        if name not in by_names and st.toggle(
            f"Multiply {markdown_text(repr(name))} by 100",
            key=f"{key} scale {name}",
            help="As where training had percent or centimetres, and the file shares or metres.",
        ):
            chosen += (name,)
    return chosen


def _converted(
    units: Mapping[str, OtherUnit],
    by_names: Mapping[str, UnitChange],
    left: Collection[str],
    key: str,
) -> dict[str, str]:
    """Say which columns seem to be in another unit than in training, and offer to convert them.

    Those whose names say how have a switch already; some are ``left`` as they are by it.
    """
    chosen = {}
    for name, unit in units.items():
        is_by_name = name in by_names and name not in left
        back = " Switch the conversion off if the name is wrong." if is_by_name else ""
        st.warning(markdown_text(f"{unit.sentence}{back}"))
        if name not in by_names and st.toggle(
            markdown_text(unit.remedy.replace(" it ", f" {name!r} ", 1)),
            key=f"{key} unit {name}",
            help="Every number of the column becomes one in the unit of training.",
        ):
            chosen[name] = unit.how
    return chosen
