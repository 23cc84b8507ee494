"""Sizes of selective KDBs are judged by rows that had no part in learning them."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probtrees.grow.count import held_out_losses
from probtrees.grow.count.held_out_losses import HeldOutPart, dealt_parts, held_out_surface
from probtrees.grow.count.mutual_information import measure_information
from probtrees.grow.count.nominal_rows import NominalRows
from probtrees.grow.dag import Dag
from probtrees.grow.eskdb import ESKDB
from probtrees.grow.skdb import SKDB
from probtrees.table.dataset import Dataset
from tests.naive import naive_held_out_surface
from tests.small_tables import table_of
from tests.strategies import nominal_tables


def full_kdb(table: NominalRows, k: int) -> Dag:
    return SKDB(k=k).full_dag(measure_information(table))


def spelled_out(part: HeldOutPart) -> tuple[list, list, list, list]:
    """The rows of a part as the naive twin reads them, unknown values as None."""
    n_values = part.judges.n_values
    judges = [
        [int(code) if code < n else None for code, n in zip(row, n_values, strict=True)]
        for row in part.judges.codes.T
    ]
    rows = part.trained.codes.T.tolist()
    return rows, part.trained.weights.tolist(), judges, part.judges.weights.tolist()


def with_holes(data: Dataset, seed: int) -> list[HeldOutPart]:
    """Parts of a table, some values of the judges unknown."""
    random = np.random.default_rng(seed)
    parts = []
    for part in dealt_parts(data):
        codes = part.judges.codes.copy()
        holes = random.random(codes.shape) < 0.2
        holes[-1] = False
        codes = np.where(holes, part.judges.n_values[:, None], codes).astype(np.int32)
        parts.append(part._replace(judges=part.judges._replace(codes=codes)))
    return parts


@settings(max_examples=60)
@given(nominal_tables(max_attributes=3, max_rows=9), st.integers(0, 2), st.integers(0, 99))
def test_the_surface_equals_learning_anew_without_each_part(data, k, seed):
    parts = with_holes(data, seed)
    shape = (data.schema.target_column + 1, k + 1)
    found = held_out_surface(parts, lambda table: full_kdb(table, k), shape, "rmse")
    if not parts:
        assert found is None
        return
    n_values = data.schema.n_values.tolist()
    losses, errors = naive_held_out_surface([spelled_out(part) for part in parts], n_values, k)
    assert found is not None
    assert found.losses.ravel() == pytest.approx(np.array(losses), abs=1e-9)
    assert found.errors.ravel() == pytest.approx(np.array(errors), abs=1e-7)


@pytest.mark.slow
@given(nominal_tables(), st.integers(0, 3))
def test_doing_bounds_in_turns_changes_nothing(data, k):
    shape = (data.schema.target_column + 1, k + 1)
    for loss in ("rmse", "log", "0-1"):

        def surface(loss=loss):
            return held_out_surface(dealt_parts(data), lambda t: full_kdb(t, k), shape, loss)

        at_once = surface()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(held_out_losses, "MAX_JOINT", 1)
            in_turns = surface()
        if at_once is None or in_turns is None:
            assert at_once is in_turns
            continue
        assert in_turns.losses == pytest.approx(at_once.losses, abs=1e-12)
        assert in_turns.errors == pytest.approx(at_once.errors, abs=1e-9)


@given(nominal_tables())
def test_what_is_kept_is_small_and_about_as_good_as_the_best(data):
    structure = SKDB(k=3, selection="held-out").learn(data)
    found = structure.diagnostics
    losses = found["loss_surface"]
    size = (found["n_attributes"], found["k"])
    assert list(structure.members[0].dag.columns[1:]) == found["order"][: size[0]]
    assert all(len(parents) <= size[1] + 1 for parents in structure.members[0].dag.parents.values())
    if found["selection"] == "leave-one-out":  # nothing could be held out
        return
    good = losses - losses.min() <= found["loss_errors"] + 1e-9
    assert good[size]
    smaller = [at for at in np.ndindex(losses.shape) if at < size]
    surely = losses - losses.min() <= found["loss_errors"] - 1e-9
    assert not any(surely[at] for at in smaller)


def noise(n_rows: int, n_columns: int, seed: int) -> Dataset:
    random = np.random.default_rng(seed)
    cells = random.integers(0, 3, (n_rows, n_columns))
    names = "".join(f"c{number}: a b c, " for number in range(n_columns))
    return table_of(f"{names}y: no yes", cells, np.arange(n_rows) % 2)


@pytest.mark.slow
def test_of_noise_next_to_nothing_is_kept():
    data = noise(300, 120, seed=3)
    published = SKDB(selection="leave-one-out").learn(data).diagnostics["n_attributes"]
    honest = SKDB(selection="held-out").learn(data).diagnostics["n_attributes"]
    assert published > 50
    assert honest <= 2
    members = ESKDB(size=2, selection="held-out").learn(data).diagnostics["members"]
    assert max(member["n_attributes"] for member in members) <= 2


def test_rows_of_one_group_do_not_judge_each_other():
    random = np.random.default_rng(0)
    group = np.repeat(np.arange(40), 5)
    label = random.integers(0, 2, 40)[group]
    names = " ".join(f"g{number}" for number in range(40))
    data = table_of(f"group: {names}, y: no yes", group, label)
    assert SKDB(selection="held-out").learn(data).diagnostics["n_attributes"] == 1
    grouped = replace(data, groups=group)
    assert SKDB(selection="held-out").learn(grouped).diagnostics["n_attributes"] == 0
    assert SKDB(selection="leave-one-out").learn(grouped).diagnostics["n_attributes"] == 1


def test_a_single_group_cannot_judge_and_leave_one_out_decides():
    data = replace(noise(20, 2, seed=0), groups=np.zeros(20, dtype=np.int64))
    structure = SKDB(selection="held-out").learn(data)
    assert structure.diagnostics["selection"] == "leave-one-out"
