"""Columns that are arithmetic of a number are found, and noise is not."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from probtrees.table.infer.outcomes.arithmetic import relations

N = 300


def _trips(seed: int = 1) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    on_time = random.integers(30, 371, N).astype(float)
    late = random.integers(0, 51, N).astype(float)
    very_late = random.poisson(7, N).astype(float)
    trips = on_time + late + very_late
    return {
        "on time": on_time,
        "late": late,
        "very late": very_late,
        "trips": trips,
        "share": np.round(100 * on_time / trips, 2),
        "noise": random.normal(size=N).round(2),
    }


def _found(target: str, columns: dict[str, np.ndarray]) -> dict[str, set[str]]:
    others = {name: values for name, values in columns.items() if name != target}
    found: dict[str, set[str]] = {}
    for relation in relations(columns[target], others):
        found.setdefault(relation.kind, set()).update(relation.columns)
    return found


def test_total_that_the_number_is_part_of() -> None:
    assert _found("very late", _trips()) == {"total": {"trips"}}


def test_number_that_is_a_total() -> None:
    found = _found("trips", _trips())
    assert found == {"parts": {"on time", "late", "very late"}, "ratio": {"share"}}


def test_number_that_is_a_ratio() -> None:
    assert _found("share", _trips()) == {"quotient": {"on time", "trips"}}


@pytest.mark.parametrize("wrong", [0, 6])
def test_a_few_wrong_rows_do_not_hide_a_sum(wrong: int) -> None:
    columns = _trips()
    columns["trips"][:wrong] += 13
    assert _found("very late", columns) == {"total": {"trips"}}


def test_empty_cells_do_not_hide_a_sum() -> None:
    columns = _trips()
    columns["late"][::9] = np.nan
    assert _found("very late", columns) == {"total": {"trips"}}


def test_many_wrong_rows_are_no_sum() -> None:
    columns = _trips()
    columns["trips"][: N // 8] += 13
    assert "total" not in _found("very late", columns)


def test_difference_unit_and_product() -> None:
    random = np.random.default_rng(2)
    actual = random.uniform(0, 1000, N).round(1)
    planned = (actual - random.normal(3, 3, N)).round(1)
    delay = (actual - planned).round(1)
    columns = {"actual": actual, "planned": planned, "delay": delay, "s": (delay * 60).round()}
    assert _found("delay", columns) == {"linear": {"s"}, "total": {"actual"}}
    price, quantity = random.uniform(1, 99, N).round(2), random.integers(1, 40, N).astype(float)
    sales = {"price": price, "quantity": quantity, "revenue": (price * quantity).round(2)}
    assert _found("revenue", sales) == {"product of": {"price", "quantity"}}
    assert _found("price", sales) == {"product": {"revenue"}}


def test_shares_that_add_up_to_a_hundred() -> None:
    shares = (np.random.default_rng(3).dirichlet([3, 2, 1], N) * 100).round(2)
    left = (100 - shares[:, 0] - shares[:, 1]).round(2)
    columns = {"a": shares[:, 0], "b": shares[:, 1], "c": left}
    assert _found("c", columns) == {"shares": {"a", "b"}}


def test_number_that_is_mostly_zero_is_not_part_of_a_copy() -> None:
    """What is 0 in nearly all rows can be added to anything, and changes nothing."""
    random = np.random.default_rng(4)
    rare = np.where(random.random(N) < 0.02, random.integers(1, 9, N), 0).astype(float)
    size = random.integers(0, 90, N).astype(float)
    assert relations(rare, {"size": size, "same": size.copy(), "rare too": rare[::-1].copy()}) == []


@given(
    seed=st.integers(0, 10**6),
    n_rows=st.integers(20, 300),
    n_columns=st.integers(1, 24),
    highest=st.sampled_from([1, 2, 3, 5, 12, 100]),
)
@settings(max_examples=60, deadline=None)
def test_noise_is_no_arithmetic(seed: int, n_rows: int, n_columns: int, highest: int) -> None:
    random = np.random.default_rng(seed)
    makers = (
        lambda: random.integers(0, highest + 1, n_rows).astype(float),
        lambda: random.normal(50, 10, n_rows).round(int(random.integers(0, 3))),
        lambda: np.full(n_rows, 7.0),
        lambda: np.where(random.random(n_rows) < 0.1, random.poisson(2, n_rows), 0).astype(float),
        lambda: np.where(random.random(n_rows) < 0.3, np.nan, random.poisson(3, n_rows)),
    )
    columns = {f"c{n}": makers[int(random.integers(5))]() for n in range(n_columns)}
    assert relations(random.poisson(4, n_rows).astype(float), columns) == []


@given(seed=st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_related_measures_are_no_arithmetic(seed: int) -> None:
    """Items of a questionnaire and repeated measures go together without adding up."""
    random = np.random.default_rng(seed)
    mood = random.normal(size=N)
    items = {
        f"q{n}": np.clip(np.round(3 + mood + 0.6 * random.normal(size=N)), 1, 5) for n in range(20)
    }
    assert relations(np.clip(np.round(3 + mood), 1, 5), items) == []


def test_coarse_numbers_that_go_with_a_fine_one_are_not_it() -> None:
    random = np.random.default_rng(8)
    age = random.integers(0, 16, N).astype(float)
    odometer = (45_000 * age + random.uniform(-21_000, 21_000, N)).round() + 30_000
    assert relations(odometer, {"age": age}) == []


def test_a_hundred_columns_are_quick() -> None:
    random = np.random.default_rng(5)
    columns = {
        f"c{n}": random.poisson(3, 5000).astype(float) if n % 2 else random.normal(size=5000)
        for n in range(100)
    }
    number = columns["c1"] + columns["c31"] + columns["c51"] + columns["c99"]
    begin = time.process_time()
    (found,) = relations(number, columns)
    assert set(found.columns) == {"c1", "c31", "c51", "c99"}
    assert time.process_time() - begin < 5.0
