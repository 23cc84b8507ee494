"""Parquet files with every type of column, and damaged ones."""

import datetime as dt
import decimal
import io
import random
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.trust.odd_cells import flip, odd_cell

_MAKERS: tuple[Callable[[random.Random, int], Any], ...] = (
    lambda c, n: pa.array([c.gauss(0, 1) for _ in range(n)]),
    lambda c, n: pa.array([c.choice((1e308, -1e308, 5e-324, 0.0)) for _ in range(n)]),
    lambda c, n: pa.array([c.choice((float("nan"), float("inf"), 1.0)) for _ in range(n)]),
    lambda c, n: pa.array([c.choice((None, 1, 2)) for _ in range(n)], pa.int8()),
    lambda c, n: pa.array([2**64 - 1 - c.randrange(3) for _ in range(n)], pa.uint64()),
    lambda c, n: pa.array([c.randrange(3) for _ in range(n)], pa.float32()),
    lambda c, n: pa.array([c.choice((True, False, None)) for _ in range(n)]),
    lambda c, n: pa.array([c.choice("abc") for _ in range(n)]),
    lambda c, n: pa.array([odd_cell(c) for _ in range(n)], pa.large_string()),
    lambda c, n: pa.array([c.choice("ab") for _ in range(n)]).dictionary_encode(),
    lambda c, n: pa.nulls(n),
    lambda c, n: pa.nulls(n, pa.float64()),
    lambda c, n: pa.array([c.randbytes(3) for _ in range(n)]),
    lambda c, n: pa.array([[1, 2] for _ in range(n)]),
    lambda c, n: pa.array([{"x": 1} for _ in range(n)]),
    lambda c, n: pa.array([decimal.Decimal(c.randrange(9)) / 4 for _ in range(n)]),
    lambda c, n: pa.array([dt.date(2020, 1, 1 + c.randrange(28)) for _ in range(n)]),
    lambda c, n: pa.array([c.choice((-(2**62), 0, 2**62)) for _ in range(n)], pa.timestamp("us")),
    lambda c, n: pa.array([c.randrange(10**9) for _ in range(n)], pa.timestamp("s", "Asia/Tokyo")),
    lambda c, n: pa.array([c.randrange(9) for _ in range(n)], pa.duration("s")),
    lambda c, n: pa.array([dt.time(c.randrange(24)) for _ in range(n)]),
)


def odd_parquet(chance: random.Random) -> bytes:
    """Draw a table of some of the types; now and then damage its bytes."""
    n_rows = chance.choice((0, 1, 2, 30, 30, 80))
    makers = [chance.choice(_MAKERS) for _ in range(chance.randint(0, 4))]
    names = [odd_cell(chance) if chance.random() < 0.2 else f"c{n}" for n in range(len(makers))]
    if chance.random() < 0.05:
        names = ["same"] * len(names)
    columns = [make(chance, n_rows) for make in makers]
    if chance.random() < 0.9:
        names.append("class")
        columns.append(pa.array([chance.choice(("no", "yes")) for _ in range(n_rows)]))
    buffer = io.BytesIO()
    table = pa.Table.from_arrays(columns, names=names)
    pq.write_table(table, buffer, compression=chance.choice(("snappy", "none", "gzip")))
    content = buffer.getvalue()
    kind = chance.random()
    if kind < 0.15:
        return content[: chance.randrange(len(content))]
    if kind < 0.35:
        return flip(chance, content, 1, 3, 30)
    return content
