"""The uncompiled kernels grow the tree that the compiled ones grow."""

import numpy as np
import pytest

from probtrees.grow.c45 import C45
from probtrees.grow.split import _c45_kernels
from probtrees.machine import kernel_cache
from probtrees.machine.kernel_cache import plain_twin, runnable, without_compiling
from tests.checks import check_same_tree
from tests.small_tables import patients


@pytest.mark.slow
@pytest.mark.parametrize("missing", ["value", "fraction"])
def test_a_tree_grown_without_compiling_is_the_same(missing):
    data = patients(400)
    learner = C45(missing=missing, min_leaf=1, collapse=False)
    compiled = learner.grow(data)
    with without_compiling():
        plain = learner.grow(data)
    assert compiled.n_nodes > 20
    check_same_tree(plain, compiled)


def test_growing_in_many_small_steps_reports_and_ends_alike(monkeypatch):
    monkeypatch.setattr("probtrees.grow.split.growth._PLAIN_CELLS_PER_CALL", 500)
    data, shares = patients(200), []
    with without_compiling():
        plain = C45().grow(data, shares.append)
    assert len(shares) > 3
    assert shares == sorted(shares)
    np.testing.assert_array_equal(plain.arrays.column, C45().grow(data).arrays.column)


def test_twins_call_twins_and_only_where_nothing_may_be_compiled():
    kernel = _c45_kernels.grow_nodes
    assert runnable(kernel) is kernel
    if not hasattr(kernel, "py_func"):
        pytest.skip("nothing is compiled in this run")
    with without_compiling():
        assert not kernel_cache.compiles()
        assert runnable(kernel) is plain_twin(kernel)
    assert not hasattr(plain_twin(kernel).__globals__["score_columns"], "py_func")
    assert kernel_cache.compiles()
