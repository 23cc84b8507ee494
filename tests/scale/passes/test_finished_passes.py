"""Results of finished passes in a folder: found again, and nothing else is removed."""

import numpy as np

from probtrees.scale.passes.conductor import FinishedPasses


def test_forget_leaves_nothing(tmp_path):
    finished = FinishedPasses(tmp_path / "work")
    finished.save("tables", 1, {"x": np.ones(2)})
    assert finished.load("tables", 1)["x"].tolist() == [1, 1]
    assert finished.load("tables", 2) is None
    (tmp_path / "work" / ".rows-killed").write_bytes(b"half")
    FinishedPasses(tmp_path / "work").forget()
    assert not (tmp_path / "work").exists()


def test_what_others_put_there_stays(tmp_path):
    finished = FinishedPasses(tmp_path / "work")
    finished.save("tables", 1, {"x": np.ones(2)})
    (tmp_path / "work" / "notes.txt").write_text("mine")
    finished.forget()
    assert [path.name for path in (tmp_path / "work").iterdir()] == ["notes.txt"]
