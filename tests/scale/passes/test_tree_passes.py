"""Rows kept in a file are taken up again only if they are those that were written."""

import numpy as np
import pytest

from probtrees.scale.passes.tree_passes import RowSpool

ROWS = np.arange(60, dtype=np.uint8).reshape(20, 3)


def kept(path):
    with RowSpool(3, np.dtype(np.uint8), kept=path, n_rows=20) as spool:
        if spool.n_rows == 0:
            return None
        return np.concatenate(list(spool.blocks()))


def keep(path):
    with RowSpool(3, np.dtype(np.uint8), kept=path, n_rows=20) as spool:
        spool.append(ROWS[:7])
        spool.append(ROWS[7:])
        spool.finish()


def test_finished_rows_are_found_again(tmp_path):
    keep(tmp_path / "rows")
    assert np.array_equal(kept(tmp_path / "rows"), ROWS)


@pytest.mark.parametrize("damage", [lambda b: bytes(len(b)), lambda b: b[:5] + b"\7" + b[6:]])
def test_a_changed_file_is_made_again(tmp_path, damage):
    path = tmp_path / "rows"
    keep(path)
    path.write_bytes(damage(path.read_bytes()))
    assert kept(path) is None
