"""Passes in one process: progress by what was read, errors that come through, results kept."""

from contextlib import contextmanager

import numpy as np
import pytest

from probtrees.errors import DataError
from probtrees.scale.files import table_files
from probtrees.scale.passes.conductor import Conductor, FinishedPasses
from probtrees.scale.passes.open_chunks import open_chunks
from probtrees.scale.passes.statistic import read_ahead


def test_progress_through_text_is_reported_by_its_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr(table_files, "_BLOCK_BYTES", 120)
    path = tmp_path / "t.csv"
    path.write_text("x,y\n" + "a,no\nb,yes\n" * 100)
    shares = []

    @contextmanager
    def stage(what):
        yield lambda share, detail: shares.append(share)

    open_chunks(path, conductor=Conductor(stage=stage))
    assert shares == sorted(shares)
    assert len(shares) > 5
    assert shares[-1] == 1


def test_what_goes_wrong_while_reading_ahead_is_raised():
    def items():
        yield 1
        raise DataError("broken")

    with pytest.raises(DataError, match="broken"):
        list(read_ahead(items()))


def test_forget_leaves_nothing(tmp_path):
    finished = FinishedPasses(tmp_path / "work")
    finished.save("tables", 1, {"x": np.ones(2)})
    assert finished.load("tables", 1)["x"].tolist() == [1, 1]
    assert finished.load("tables", 2) is None
    (tmp_path / "work" / f".tables-{20 * 'a'}.npz.killed").write_bytes(b"half")
    FinishedPasses(tmp_path / "work").forget()
    assert not (tmp_path / "work").exists()


def test_what_others_put_there_stays(tmp_path):
    finished = FinishedPasses(tmp_path / "work")
    finished.save("tables", 1, {"x": np.ones(2)})
    (tmp_path / "work" / "notes.txt").write_text("mine")
    finished.forget()
    assert [path.name for path in (tmp_path / "work").iterdir()] == ["notes.txt"]
