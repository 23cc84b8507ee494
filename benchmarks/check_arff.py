"""Check the ARFF reader against a list of what every file of a folder contains.

    python benchmarks/check_arff.py DATA_DIR LIST.csv

LIST.csv has the columns name, rows, num_attrs, nom_attrs, classes, missing_cells, missing_class
and max_nominal_card. Besides those figures, the quick and the careful way of reading rows must
give the same values.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from unittest import mock

import numpy as np

from probtrees.table.dataset import Dataset
from probtrees.table.formats import arff
from probtrees.table.read_table import read_table

KEYS = (
    "rows",
    "num_attrs",
    "nom_attrs",
    "classes",
    "missing_cells",
    "missing_class",
    "max_nominal_card",
)


def figures(data: Dataset) -> dict[str, int]:
    features = data.schema.features
    missing = np.isnan(data.values)
    found = (
        data.provenance.rows_read,
        sum(not column.is_nominal for column in features),
        sum(column.is_nominal for column in features),
        data.n_classes,
        int(missing[:, :-1].sum()),
        data.provenance.rows_dropped.get("no class", 0),
        max((column.n_values for column in features), default=0),
    )
    return dict(zip(KEYS, found, strict=True))


def main(folder: Path, listed: Path) -> int:
    wrong = 0
    with open(listed, newline="") as file:
        entries = list(csv.DictReader(file))
    for entry in entries:
        path = folder / f"{entry['name']}.arff"
        data = read_table(path)
        with mock.patch.object(arff, "_read_quickly", return_value=None):
            careful = read_table(path)
        same = data.schema == careful.schema and np.array_equal(
            data.values, careful.values, equal_nan=True
        )
        expected = {key: int(entry[key]) for key in KEYS}
        if figures(data) != expected or not same:
            wrong += 1
            print(entry["name"], figures(data), "expected", expected, "quick = careful:", same)
    print(f"{len(entries) - wrong} of {len(entries)} files are read as listed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
