"""Compare our unpruned trees, line by line, with those that Weka's J48 printed.

Usage::

    python benchmarks/check_j48.py REFERENCE_DIR DATA_DIR [NAME ...]

REFERENCE_DIR holds one ``NAME.txt`` per data set, the output of ``J48 -U`` grown on all rows;
DATA_DIR the data sets as ``NAME.arff``. Compared are the order and depth of the nodes, split
columns, thresholds (printed with 6 decimals), categories, the predicted class, and the weight
and the wrong weight of every leaf (printed with 2 decimals).

Where rounding puts the middle between two values just below a third, our threshold is that
third value, as in the program behind the published tables, and J48's the value before it; no
row of the node lies between them. Such thresholds are counted and not called different.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from probtrees.grow.c45 import C45
from probtrees.grow.count_tree import CountTree
from probtrees.table.dataset import Dataset
from probtrees.table.read_table import read_table

_NUMERIC = re.compile(r"^(?P<name>.*) (?P<sign><=|>) (?P<value>[-+0-9.E]+)$")


class Line(NamedTuple):
    """One branch of a printed tree; label and numbers only where it ends in a leaf."""

    depth: int
    test: str
    value: float | None
    label: str | None
    numbers: tuple[float, ...]
    value_before: float | None = None


def read_reference(path: Path) -> list[Line]:
    body = path.read_text(encoding="utf-8").split("------------------\n", 1)[1]
    body = body.split("\nNumber of Leaves", 1)[0].strip("\n")
    return [_read_line(text) for text in body.split("\n") if text.strip()]


def _read_line(text: str) -> Line:
    depth = 0
    while text.startswith("|   "):
        depth += 1
        text = text[4:]
    label, numbers = None, ()
    if leaf := re.match(r"^(.*): (.*) \(([0-9./E+-]+)\)$", text):
        text, label = leaf[1], leaf[2]
        numbers = tuple(float(number) for number in leaf[3].split("/"))
    value = None
    if numeric := _NUMERIC.match(text):
        text, value = f"{numeric['name']} {numeric['sign']}", float(numeric["value"])
    return Line(depth, text, value, label, numbers)


def print_tree(tree: CountTree, table: Dataset) -> Iterator[Line]:
    arrays, schema = tree.arrays, table.schema
    for node in tree.depth_first()[1:]:
        parent = int(arrays.parent[node])
        column = schema.columns[arrays.column[parent]]
        branch = int(arrays.branch[node])
        if column.categories is None:
            test, value = f"{column.name} {('<=', '>')[branch]}", float(arrays.threshold[parent])
            values = table.values[:, arrays.column[parent]]
            before = float(values[values < value].max(initial=-np.inf))
        else:
            test, value, before = f"{column.name} = {column.categories[branch]}", None, None
        label, numbers = None, ()
        if tree.is_leaf[node]:
            counts = arrays.counts[node]
            source = counts if counts.sum() > 0 else arrays.counts[parent]
            label = schema.classes[_first_largest(source)]
            wrong = counts.sum() - counts[_first_largest(source)]
            numbers = (float(counts.sum()), *([float(wrong)] if wrong > 1e-6 else []))
        yield Line(int(arrays.depth[node]) - 1, test, value, label, numbers, before)


def _first_largest(counts: np.ndarray) -> int:
    best = 0
    for outcome in range(1, counts.shape[0]):
        if counts[outcome] > counts[best] + 1e-6:
            best = outcome
    return best


def agree(ours: Line, theirs: Line) -> bool:
    if ours.depth != theirs.depth or ours.label != theirs.label:
        return False
    if (ours.value is None) != (theirs.value is None) or ours.test.strip() != theirs.test.strip():
        return False
    if ours.value is not None and not (same_threshold(ours, theirs) or is_before(ours, theirs)):
        return False
    return len(ours.numbers) == len(theirs.numbers) and all(
        abs(a - b) <= 0.0051 for a, b in zip(ours.numbers, theirs.numbers, strict=True)
    )


def same_threshold(ours: Line, theirs: Line) -> bool:
    return abs(ours.value - theirs.value) <= 5.1e-7 + 1e-12 * abs(ours.value)


def is_before(ours: Line, theirs: Line) -> bool:
    return abs(ours.value_before - theirs.value) <= 5.1e-7 + 1e-12 * abs(ours.value_before)


def check(name: str, reference: Path, data: Path) -> tuple[str, int]:
    """Return what differs first, or nothing, and how many thresholds are one value apart."""
    table = read_table(data / f"{name}.arff")
    tree = C45(missing="fraction").grow(table)
    ours = list(print_tree(tree, table))
    theirs = read_reference(reference / f"{name}.txt")
    if len(theirs) == 1 and theirs[0].test == "":
        theirs = []
    for number, (our_line, their_line) in enumerate(zip(ours, theirs, strict=False), start=1):
        if not agree(our_line, their_line):
            return f"line {number}: ours {our_line}, theirs {their_line}", 0
    if len(ours) != len(theirs):
        return f"ours has {len(ours)} lines, theirs {len(theirs)}", 0
    pairs = zip(ours, theirs, strict=True)
    n_apart = sum(a.value is not None and not same_threshold(a, b) for a, b in pairs) // 2
    return "", n_apart


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("reference", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    names = arguments.names or sorted(path.stem for path in arguments.reference.glob("*.txt"))
    n_equal = 0
    for name in names:
        difference, n_apart = check(name, arguments.reference, arguments.data)
        n_equal += not difference
        note = f", {n_apart} thresholds one value apart" if n_apart else ""
        print(f"{name}: {difference or 'equal'}{note}", flush=True)
    print(f"{n_equal} of {len(names)} trees are equal")
    return 0 if n_equal == len(names) else 1


if __name__ == "__main__":
    sys.exit(main())
