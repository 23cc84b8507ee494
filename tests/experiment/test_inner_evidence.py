"""Inner evidence: every row is held out once, and lands where an inner tree sends it."""

import time
from dataclasses import replace
from unittest.mock import ANY, Mock, call

import numpy as np
import pytest

from probtrees.experiment import inner_evidence
from probtrees.experiment.inner_evidence import (
    InnerSplit,
    for_each_part,
    gather_trees,
    inner_splits,
    part_of_rows,
)
from probtrees.grow.c45 import C45
from probtrees.grow.count_tree import CountTree
from probtrees.machine.checkpoint import checkpoint
from probtrees.smooth.evidence import Evidence
from probtrees.table.dataset import Dataset
from tests.naive import naive_landing
from tests.small_tables import patients

C45_FRACTION = C45(missing="fraction")


def evidence_of(data: Dataset, learner: C45) -> Evidence:
    found = gather_trees(data, lambda rows: [learner.grow(rows)])
    return found.by_member[0][data.schema.target_column]


def test_every_row_is_held_out_once_and_lands_as_the_slow_twin_says() -> None:
    data = patients()
    evidence = evidence_of(data, C45_FRACTION)
    assert len(evidence.parts) == 5
    assert sorted(np.concatenate([part.rows for part in evidence.parts])) == list(range(90))
    for part in evidence.parts:
        kept = np.setdiff1d(np.arange(90), part.rows)
        again = C45_FRACTION.grow(data.take(kept))
        np.testing.assert_array_equal(part.tree.arrays.counts, again.arrays.counts)
        for number, row in enumerate(part.rows):
            places = slice(part.first[number], part.first[number + 1])
            expected = naive_landing(part.tree, data.values[row], data.schema.n_values, stop=False)
            assert part.nodes[places].tolist() == [node for node, _ in expected]
            np.testing.assert_allclose(part.shares[places], [share for _, share in expected])
            assert part.outcomes[number] == data.labels[row]


def test_the_seed_decides_the_parts_and_the_order_of_rows_does_not() -> None:
    data = patients(missing=False)
    shuffled = np.random.default_rng(0).permutation(data.n_rows)
    np.testing.assert_array_equal(part_of_rows(data, 5, 0), part_of_rows(data, 5, 0))
    assert (part_of_rows(data, 5, 0) != part_of_rows(data, 5, 1)).any()
    _, unique = np.unique(data.values, axis=0, return_index=True)
    distinct = data.take(np.sort(unique))
    shuffled = np.random.default_rng(0).permutation(distinct.n_rows)
    np.testing.assert_array_equal(
        part_of_rows(distinct, 5, 0)[shuffled], part_of_rows(distinct.take(shuffled), 5, 0)
    )


def test_groups_stay_together() -> None:
    data = replace(patients(), groups=np.arange(90) // 6)
    part_of = part_of_rows(data, 5, seed=0)
    for group in range(15):
        assert len(set(part_of[data.groups == group])) == 1
    one_group = replace(patients(), groups=np.zeros(90, dtype=np.int64))
    assert inner_splits(one_group) == []


def test_judges_come_later_than_the_judged_where_rows_have_times() -> None:
    times = np.random.default_rng(0).integers(0, 30, 90).astype(np.float64)
    data = replace(patients(), times=times, groups=np.arange(90) // 3)
    splits = inner_splits(data)
    assert len(splits) == 5
    for trained, held_out in splits:
        assert times[trained].max() < times[held_out].min()
        assert not np.isin(data.groups[held_out], data.groups[trained]).any()
    evidence = evidence_of(data, C45())
    assert [part.rows.tolist() for part in evidence.parts] == [s.held_out.tolist() for s in splits]


@pytest.mark.parametrize(
    ("times", "n_parts"),
    [([3.0] * 90, 5), ([1.0] * 3 + [2.0] * 87, 1), ([1.0] * 87 + [2.0] * 3, 1)],
)
def test_few_different_times_make_few_parts(times: list[float], n_parts: int) -> None:
    assert len(inner_splits(replace(patients(), times=np.array(times)))) == n_parts


def test_a_forest_has_evidence_for_every_tree() -> None:
    def two_trees(data: Dataset) -> tuple[CountTree, ...]:
        return C45().grow(data), C45(min_leaf=10).grow(data)

    first, second = gather_trees(patients(), two_trees, 2).by_member
    (first,), (second,) = first.values(), second.values()
    assert len(first.parts) == len(second.parts) == 5
    assert first.parts[0].tree.n_nodes > second.parts[0].tree.n_nodes
    assert gather_trees(patients(1), two_trees, 2).by_member == ({}, {})


def test_work_ends_within_a_part_when_who_waits_gives_up(monkeypatch) -> None:
    monkeypatch.setattr(inner_evidence, "SECONDS_BETWEEN_REPORTS", 0.01)
    finished = []

    def work(split: InnerSplit) -> list[int]:
        for _ in range(2000):
            time.sleep(0.002)
            checkpoint("working")
        finished.append(split)
        return [0]

    give_up = Mock(side_effect=[None, None, KeyboardInterrupt])
    with pytest.raises(KeyboardInterrupt):
        for_each_part(work, patients(), 0, give_up)
    assert give_up.call_args_list == [call(ANY, "inner evidence, part 1 of 5")] * 3
    assert not finished
