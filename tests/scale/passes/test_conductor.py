"""Passes in one process: progress by what was read, errors that come through, results kept."""

import numpy as np
import pytest

from probtrees.errors import DataError
from probtrees.estimators.public_functions import fit_chunks
from probtrees.scale.passes.conductor import FinishedPasses
from probtrees.scale.passes.statistic import read_ahead


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
    (tmp_path / "work" / f".tables-{20 * 'a'}.pass.killed").write_bytes(b"half")
    FinishedPasses(tmp_path / "work").forget()
    assert not (tmp_path / "work").exists()


@pytest.mark.parametrize("model", ["c45", "skdb"])
def test_a_kept_result_that_was_changed_or_does_not_fit_counts_as_not_finished(
    tmp_path, monkeypatch, model
):
    path, work, save = tmp_path / "t.csv", tmp_path / "work", FinishedPasses.save
    path.write_text("x,n,y\n" + "a,1,no\nb,2,yes\na,3,yes\n" * 50)

    def members():
        return fit_chunks(path, model, "laplace", work=work).to_dict()["members"]

    expected, kept = members(), {place: place.read_bytes() for place in work.iterdir()}
    for damage in (
        lambda content: b"",
        lambda content: content[:-1],
        lambda content: content[:200] + bytes([content[200] ^ 1]) + content[201:],
    ):
        for place, content in kept.items():
            place.write_bytes(damage(content))
        assert members() == expected
        assert {place: place.read_bytes() for place in work.iterdir()} == kept
    for spoil in (
        lambda arrays: {},
        lambda arrays: dict(list(arrays.items())[:-1]),
        lambda arrays: {name: array[..., None] for name, array in arrays.items()},
        lambda arrays: {name: array.astype(np.complex128) for name, array in arrays.items()},
        lambda arrays: {name: array[:-1] for name, array in arrays.items()},
    ):
        FinishedPasses(work).forget()
        with monkeypatch.context() as patch:
            patch.setattr(FinishedPasses, "save", lambda *of, to=spoil: save(*of[:3], to(of[3])))
            members()
        assert members() == expected
