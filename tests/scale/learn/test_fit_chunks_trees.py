"""Trees from files in chunks: the model that reading everything into memory gives."""

import numpy as np
import pytest

from benchmarks.make_big import known_tree, make_big
from probtrees.errors import DataError
from probtrees.estimators.public_functions import fit_chunks
from probtrees.experiment.fit import fit
from probtrees.grow.count_tree import TreeArrays
from probtrees.scale.passes import statistic
from probtrees.table.read_table import read_table


def _made(tmp_path, ending="parquet", **how):
    known = known_tree(3, n_attributes=4, n_values=3, n_numeric=2, depth=3, n_numbers=100)
    folder = tmp_path / ending
    make_big(folder, known, 1_500, n_parts=3, ending=ending, seed=3, rows_per_group=200, **how)
    return folder


def _same_arrays(left, right):
    return all(
        np.array_equal(
            getattr(left.arrays, name), getattr(right.arrays, name), equal_nan=name == "threshold"
        )
        for name in TreeArrays._fields
    )


def _same_tree(left, right):
    return _same_arrays(left.tree, right.tree) and np.array_equal(left.probs, right.probs)


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_files_in_chunks_give_the_tree_of_one_table(tmp_path, ending):
    folder = _made(tmp_path, ending, missing=0.05)
    one = tmp_path / f"one.{ending}"
    known = known_tree(3, n_attributes=4, n_values=3, n_numeric=2, depth=3, n_numbers=100)
    make_big(one, known, 1_500, seed=3, missing=0.05)
    ours = fit_chunks(folder, "c45", "m-branch")
    theirs = fit(read_table(one, repeats="apart"), "c45", "m-branch")
    assert ours.schema == theirs.schema
    assert _same_tree(ours.tree, theirs.tree)
    assert ours.options["learner"]["bins"] == 256


def test_a_full_disk_is_reported_in_one_sentence(tmp_path, monkeypatch):
    folder = _made(tmp_path)

    class Full:
        def write(self, _):
            raise OSError(28, "No space left on device")

        def close(self):
            pass

    monkeypatch.setattr(statistic.tempfile, "TemporaryFile", lambda **_: Full())
    with pytest.raises(DataError, match="No space left"):
        fit_chunks(folder, "c45", "laplace")
