"""Make large labelled tables whose truth is known: drawn from a Bayesian network, or from a tree.

Usage::

    python benchmarks/make_big.py big.parquet --rows 10000000
    python benchmarks/make_big.py big.csv --rows 1000000 --seed 3 --truth big.truth.json
    python benchmarks/make_big.py parts/ --parts 8 --format csv --rows 1000000
    python benchmarks/make_big.py trees.parquet --kind tree --numeric 10 --attributes 15 --depth 6

A network draws the class first, then every attribute given the class and up to ``--parents``
attributes before it. A tree draws its attributes independently, the first ``--numeric`` of them
numbers between 0 and 1, and then the class from the leaf a row falls into; its cuts are
multiples of 1/64. With ``--missing`` a share of the cells is blanked after the class is drawn.

Rows are drawn in blocks of fixed size, each with a generator seeded by the seed and the block's
number: the same seed gives the same rows whatever the row groups, the parts and the format, and
a longer table starts with the rows of a shorter one. Memory does not grow with the rows.
``--truth`` writes what the rows were drawn from as JSON: of a network the parents and tables
(the rows of a table count through the class, then the parents, the last one fastest), of a tree
its nodes in level order.
"""

from __future__ import annotations

import argparse
import json
import string
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
from numpy.typing import NDArray

BLOCK_ROWS = 1 << 16
"""Rows drawn with one generator. Changing it changes every table."""

STEPS = 1 << 12
"""All probabilities are multiples of 1/STEPS, so that a draw is one look-up."""

CUT_STEPS = 64
"""Cuts of a known tree are multiples of 1/CUT_STEPS."""

Codes = NDArray[np.uint16]
Draw = Callable[[np.random.Generator, int], list[NDArray[Any]]]


def _names_of_values(n_values: int, of_class: bool = False) -> list[str]:
    if of_class:
        return ["no", "yes"] if n_values == 2 else [f"c{code}" for code in range(n_values)]
    letters = string.ascii_lowercase
    return list(letters[:n_values]) if n_values <= 26 else [f"v{code}" for code in range(n_values)]


def _shares(random: np.random.Generator, n_rows: int, n_values: int) -> NDArray[np.int64]:
    """Draw distributions in whole steps; each row sums to STEPS and has no zero."""
    parts = random.dirichlet(np.ones(n_values), size=n_rows)
    ends = np.rint(np.cumsum(parts, axis=1) * (STEPS - n_values)).astype(np.int64)
    ends[:, -1] = STEPS - n_values
    return np.diff(ends, axis=1, prepend=0) + 1


def _look_up(shares: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Spread every distribution over its STEPS places: uint8[contexts * STEPS]."""
    n_contexts, n_values = shares.shape
    values = np.tile(np.arange(n_values, dtype=np.uint8), n_contexts)
    return np.repeat(values, shares.ravel())


def _uniform(random: np.random.Generator, size: int | tuple[int, int]) -> Codes:
    """Draw numbers below STEPS."""
    return random.integers(0, STEPS, size, dtype=np.uint16)


@dataclass(frozen=True)
class Known:
    """What rows are drawn from.

    Attributes
    ----------
    names : the columns, the class last
    values : the names of each column's values; None where it is numeric
    draw : one block of columns, codes or numbers
    truth : the same as plain values, ready for JSON
    """

    names: list[str]
    values: list[list[str] | None]
    draw: Draw
    truth: dict[str, Any]


def known_network(
    seed: int, *, n_attributes: int = 20, n_values: int = 5, n_classes: int = 2, n_parents: int = 2
) -> Known:
    """Make a random network: the class, and attributes that depend on it and on earlier ones."""
    random = np.random.default_rng([seed, 0])
    prior = _shares(random, 1, n_classes)
    parents = [
        sorted(random.permutation(column)[:n_parents].tolist()) for column in range(n_attributes)
    ]
    tables = [_shares(random, n_classes * n_values ** len(few), n_values) for few in parents]
    class_look_up, look_ups = _look_up(prior), [_look_up(table) for table in tables]
    names = [f"a{number}" for number in range(n_attributes)]

    def draw(random: np.random.Generator, n_rows: int) -> list[NDArray[Any]]:
        label = class_look_up[_uniform(random, n_rows)]
        columns: list[NDArray[Any]] = []
        for few, look_up in zip(parents, look_ups, strict=True):
            place = label.astype(np.int64)
            for parent in few:
                place *= n_values
                place += columns[parent]
            place *= STEPS
            place += _uniform(random, n_rows)
            columns.append(look_up[place])
        return [*columns, label]

    truth = {
        "kind": "network",
        "class": {"name": "class", "probabilities": (prior[0] / STEPS).tolist()},
        "attributes": [
            {"name": name, "parents": [names[p] for p in few], "table": (table / STEPS).tolist()}
            for name, few, table in zip(names, parents, tables, strict=True)
        ],
    }
    values = [_names_of_values(n_values)] * n_attributes
    return Known(
        [*names, "class"], [*values, _names_of_values(n_classes, of_class=True)], draw, truth
    )


@dataclass
class _Node:
    """A node of a known tree: the range left to every number, and the nominal columns used."""

    low: list[int]
    used: frozenset[int]
    high: list[int]
    column: int = -1
    cut: float | None = None
    first_child: int = -1
    probabilities: NDArray[np.int64] | None = None


def _known_nodes(
    random: np.random.Generator, is_numeric: Sequence[bool], n_values: int, depth: int
) -> list[_Node]:
    """Split every node at random, level by level, until the depth is reached."""
    n_columns = len(is_numeric)
    nodes = [_Node([0] * n_columns, frozenset(), [CUT_STEPS] * n_columns)]
    first = 0
    for _ in range(depth):
        last = len(nodes)
        for node in nodes[first:last]:
            open_columns = [
                column
                for column, numeric in enumerate(is_numeric)
                if (
                    node.high[column] - node.low[column] >= 4
                    if numeric
                    else column not in node.used
                )
            ]
            if not open_columns:
                continue
            node.column = int(random.choice(open_columns))
            node.first_child = len(nodes)
            low, high = node.low[node.column], node.high[node.column]
            if is_numeric[node.column]:
                quarter = max(1, (high - low) // 4)
                cut = int(random.integers(low + quarter, high - quarter + 1))
                node.cut = cut / CUT_STEPS
                for side_low, side_high in ((low, cut), (cut, high)):
                    child = _Node(list(node.low), node.used, list(node.high))
                    child.low[node.column], child.high[node.column] = side_low, side_high
                    nodes.append(child)
            else:
                used = node.used | {node.column}
                nodes += [_Node(list(node.low), used, list(node.high)) for _ in range(n_values)]
        first = last
    return nodes


def known_tree(
    seed: int,
    *,
    n_attributes: int = 20,
    n_values: int = 5,
    n_classes: int = 2,
    n_numeric: int = 10,
    depth: int = 4,
    n_numbers: int = 1 << 16,
) -> Known:
    """Make a random tree over independent attributes, the first ``n_numeric`` of them numbers.

    A number is one of ``n_numbers`` evenly spaced ones; it goes left up to the cut, which itself
    is a multiple of 1/64.
    """
    random = np.random.default_rng([seed, 0])
    is_numeric = [column < n_numeric for column in range(n_attributes)]
    nodes = _known_nodes(random, is_numeric, n_values, depth)
    shares = _shares(random, len(nodes), n_classes)
    look_up = _look_up(shares)
    column_of = np.array([node.column for node in nodes])
    first_of = np.array([node.first_child for node in nodes])
    cut_of = np.array([np.nan if node.cut is None else node.cut for node in nodes])

    def draw(random: np.random.Generator, n_rows: int) -> list[NDArray[Any]]:
        table = np.empty((n_attributes, n_rows))
        for column in range(n_attributes):
            n_steps = n_numbers if is_numeric[column] else n_values
            table[column] = random.integers(0, n_steps, n_rows, dtype=np.uint32)
        table[:n_numeric] /= n_numbers
        node, row = np.zeros(n_rows, dtype=np.int64), np.arange(n_rows)
        for _ in range(depth):
            column = column_of[node]
            x, cut = table[column, row], cut_of[node]
            branch = np.where(np.isnan(cut), x, x > cut).astype(np.int64)
            node = np.where(column < 0, node, first_of[node] + branch)
        label = look_up[node * STEPS + _uniform(random, n_rows)]
        return [
            *(table[:n_numeric]),
            *(table[column].astype(np.uint8) for column in range(n_numeric, n_attributes)),
            label,
        ]

    names = [f"{'x' if numeric else 'a'}{n}" for n, numeric in enumerate(is_numeric)]
    truth = {
        "kind": "tree",
        "nodes": [
            {
                "column": None if node.column < 0 else names[node.column],
                "cut": node.cut,
                "first_child": None if node.column < 0 else node.first_child,
                "probabilities": (own / STEPS).tolist() if node.column < 0 else None,
            }
            for node, own in zip(nodes, shares, strict=True)
        ],
    }
    values = [None if numeric else _names_of_values(n_values) for numeric in is_numeric]
    return Known(
        [*names, "class"], [*values, _names_of_values(n_classes, of_class=True)], draw, truth
    )


def _block(known: Known, seed: int, number: int, missing: float) -> pa.RecordBatch:
    """Draw block ``number``, always the same for the same seed."""
    random = np.random.default_rng([seed, 1, number])
    columns = known.draw(random, BLOCK_ROWS)
    arrays: list[pa.Array] = []
    for position, (column, values) in enumerate(zip(columns, known.values, strict=True)):
        blank = None
        if missing > 0.0 and position < len(columns) - 1:
            blank = random.random(BLOCK_ROWS) < missing
        if values is None:
            arrays.append(pa.array(column, mask=blank))
        else:
            codes = pa.array(column.astype(np.int32), mask=blank)
            arrays.append(pa.DictionaryArray.from_arrays(codes, pa.array(values)))
    return pa.RecordBatch.from_arrays(arrays, names=known.names)


def batches(
    known: Known, n_rows: int, *, seed: int, rows_per_group: int = 1 << 18, missing: float = 0.0
) -> Iterator[pa.Table]:
    """Give the rows in tables of ``rows_per_group`` rows, the last one shorter."""
    waiting: list[pa.RecordBatch] = []
    n_waiting = 0
    for number in range(-(-n_rows // BLOCK_ROWS)):
        block = _block(known, seed, number, missing)
        block = block.slice(0, min(BLOCK_ROWS, n_rows - number * BLOCK_ROWS))
        waiting.append(block)
        n_waiting += block.num_rows
        while n_waiting >= rows_per_group:
            table = pa.Table.from_batches(waiting)
            yield table.slice(0, rows_per_group)
            waiting = table.slice(rows_per_group).to_batches()
            n_waiting -= rows_per_group
    if n_waiting:
        yield pa.Table.from_batches(waiting)


class _Writer:
    """Writes tables to one file, Parquet or CSV by its ending."""

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        self.is_parquet = path.suffix == ".parquet"
        if self.is_parquet:
            self.writer = pa.parquet.ParquetWriter(path, schema)
        else:
            plain = [
                pa.field(f.name, pa.string() if pa.types.is_dictionary(f.type) else f.type)
                for f in schema
            ]
            self.schema = pa.schema(plain)
            options = pa.csv.WriteOptions(quoting_style="none")
            self.writer = pa.csv.CSVWriter(path, self.schema, write_options=options)

    def write(self, table: pa.Table) -> None:
        if self.is_parquet:
            self.writer.write_table(table, row_group_size=max(1, table.num_rows))
        else:
            self.writer.write_table(table.cast(self.schema))

    def close(self) -> None:
        self.writer.close()


def write_parts(tables: Iterator[pa.Table], paths: Sequence[Path], n_rows: int) -> None:
    """Write tables to files one after the other, as many rows in each as evenly as possible."""
    ends = [n_rows * (part + 1) // len(paths) for part in range(len(paths))]
    part, done = 0, 0
    writer: _Writer | None = None
    for table in tables:
        rest = table
        while rest.num_rows:
            if writer is None:
                writer = _Writer(paths[part], rest.schema)
            n_now = min(rest.num_rows, ends[part] - done)
            if n_now:
                writer.write(rest.slice(0, n_now))
            rest, done = rest.slice(n_now), done + n_now
            if done == ends[part]:
                writer.close()
                writer, part = None, part + 1
    if writer is not None:
        writer.close()


def make_big(
    out: Path, known: Known, n_rows: int, *, n_parts: int = 0, ending: str = "parquet", **how: Any
) -> list[Path]:
    """Write rows to one file, or with ``n_parts`` to a folder of parts; return the files."""
    paths = [out]
    if n_parts:
        out.mkdir(parents=True, exist_ok=True)
        paths = [out / f"part-{part:05d}.{ending}" for part in range(n_parts)]
    write_parts(batches(known, n_rows, **how), paths, n_rows)
    return paths


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("out", type=Path, help="a .parquet or .csv file, or a folder for parts")
    add("--kind", choices=("network", "tree"), default="network", help="what rows are drawn from")
    add("--rows", type=lambda text: int(float(text)), default=1_000_000, help="also 1e7")
    add("--attributes", type=int, default=20, help="columns besides the class")
    add("--values", type=int, default=5, help="values of a nominal attribute")
    add("--classes", type=int, default=2)
    add("--parents", type=int, default=2, help="network: most parents besides the class")
    add("--numeric", type=int, default=10, help="tree: how many of the attributes are numbers")
    add("--numbers", type=int, default=1 << 16, help="tree: distinct values of a number")
    add("--depth", type=int, default=4, help="tree: splits above every leaf")
    add("--missing", type=float, default=0.0, help="share of cells left blank")
    add("--seed", type=int, default=0)
    add("--rows-per-group", type=int, default=1 << 18, help="rows of a Parquet row group")
    add("--parts", type=int, default=0, help="make OUT a folder of this many files")
    add("--format", choices=("parquet", "csv"), default="parquet", help="of the parts")
    add("--truth", type=Path, help="write what the rows were drawn from as JSON")
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    parser = _arguments()
    given = parser.parse_args(arguments)
    if given.out.suffix not in (".parquet", ".csv") and not given.parts:
        given.parts = 1
    if min(given.rows, given.attributes, given.values - 1, given.classes - 1) < 1:
        parser.error("at least 1 row and attribute, and 2 values and classes are needed")
    if (
        max(given.values, given.classes) > 200
        or given.classes * (given.values ** min(given.parents, given.attributes)) > 50_000
    ):
        parser.error("at most 200 values and 50,000 contexts per table can be drawn from")
    sizes = {
        "n_attributes": given.attributes,
        "n_values": given.values,
        "n_classes": given.classes,
    }
    if given.kind == "network":
        known = known_network(given.seed, n_parents=given.parents, **sizes)
    else:
        known = known_tree(
            given.seed,
            n_numeric=min(given.numeric, given.attributes),
            depth=given.depth,
            n_numbers=given.numbers,
            **sizes,
        )
    start = time.perf_counter()
    paths = make_big(
        given.out,
        known,
        given.rows,
        n_parts=given.parts,
        ending=given.format,
        seed=given.seed,
        rows_per_group=given.rows_per_group,
        missing=given.missing,
    )
    seconds = time.perf_counter() - start
    if given.truth:
        record = {"seed": given.seed, "rows": given.rows, "missing": given.missing}
        columns = [
            {"name": name, "values": values}
            for name, values in zip(known.names, known.values, strict=True)
        ]
        given.truth.write_text(json.dumps({**record, "columns": columns, **known.truth}, indent=1))
    size = sum(path.stat().st_size for path in paths) / 2**20
    print(
        f"{given.rows} rows x {len(known.names)} columns in {len(paths)} "
        f"{'file' if len(paths) == 1 else 'files'}, {size:.1f} MB: {seconds:.1f} s, "
        f"{given.rows / max(seconds, 1e-9):.3g} rows per second"
    )


if __name__ == "__main__":
    main()
