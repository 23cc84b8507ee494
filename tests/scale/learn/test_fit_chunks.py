"""Networks in chunks: the model of all rows at once, whatever the chunks, files and order."""

import copy
from dataclasses import dataclass, replace
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probtrees.errors import DataError
from probtrees.estimators.public_functions import fit_chunks
from probtrees.experiment.fit import fit
from probtrees.experiment.model_spec import make_spec, named_smoother
from probtrees.grow.count.nominal_rows import nominal_rows
from probtrees.grow.eskdb import ESKDB
from probtrees.scale.files import table_files
from probtrees.scale.learn import network_counts
from probtrees.scale.learn.fit_chunks import fit_table
from probtrees.scale.passes import open_chunks as chunks
from probtrees.scale.passes import statistic
from probtrees.scale.passes.chunked_table import ChunkedTable, NetworkForm
from probtrees.scale.passes.conductor import Conductor, FinishedPasses, silent_stage
from probtrees.scale.passes.statistic import OneProcess
from probtrees.table.read_table import read_table
from tests.scale.table_parts import write_parts
from tests.small_tables import patients
from tests.strategies import nominal_tables

NETWORKS = ("nb", "tan", "kdb", "skdb-published", "eskdb")


@dataclass(frozen=True)
class InPieces:
    """Counts pieces of a table apart and merges the counts in an order of its own."""

    data: object
    ends: tuple[int, ...]
    order: tuple[int, ...]

    def run(self, table, form, make, progress):
        begun = make()
        starts = (0, *self.ends)
        counted = []
        for start, end in zip(starts, (*self.ends, self.data.n_rows), strict=True):
            one = copy.deepcopy(begun)
            if end > start:
                rows = self.data.take(np.arange(start, end))
                one.update((nominal_rows(rows),) if isinstance(form, NetworkForm) else rows)
            counted.append(one.sealed())
        for number in self.order:
            begun.merge(counted[number])
        return begun


def opened(data):
    heaviest = None if data.weights is None else float(data.weights.max(initial=1.0))
    return ChunkedTable(data.schema, (), None, data.n_rows, (), {}, heaviest)


def same_model(one, other):
    one, other = one.to_dict(), other.to_dict()
    for part in ("schema", "members", "diagnostics", "averaging"):
        assert one[part] == other[part], part


@given(data=nominal_tables(), name=st.sampled_from(NETWORKS), more=st.data())
@settings(max_examples=60)
def test_any_chunks_merged_in_any_order_give_the_model_of_all_rows(data, name, more):
    n_cuts = more.draw(st.integers(0, 4))
    cuts = st.lists(st.integers(0, data.n_rows), min_size=n_cuts, max_size=n_cuts)
    ends = tuple(sorted(more.draw(cuts)))
    order = tuple(more.draw(st.permutations(range(n_cuts + 1))))
    dense = more.draw(st.sampled_from([1, 1 << 20]))
    options = {"size": 3} if name == "eskdb" else {}
    conductor, spec = Conductor(InPieces(data, ends, order)), make_spec(name, options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(network_counts, "MOST_DENSE", dense)
        found = fit_table(opened(data), spec, named_smoother("m-estimate"), conductor)
    whole = fit(replace(data, repeats=None), name, "m-estimate", options=options)
    same_model(found, whole)


@pytest.mark.parametrize("ending", [".parquet", ".csv", ".csv.gz"])
@pytest.mark.parametrize("name", ["tan", "skdb-published", "c45"])
def test_files_give_the_model_of_the_whole_table(tmp_path, monkeypatch, ending, name):
    folder, whole = write_parts(patients(200), tmp_path / "parts", ending)
    monkeypatch.setattr(table_files, "_MOST_ROWS", 17)
    monkeypatch.setattr(table_files, "_BLOCK_BYTES", 500)
    expected = fit(read_table(whole, repeats="apart"), name, "laplace")
    same_model(fit_chunks(folder, name, "laplace"), expected)
    same_model(fit_chunks(str(folder / f"part*{ending}"), name, "laplace"), expected)


def test_a_full_disk_is_reported_in_one_sentence(tmp_path, monkeypatch):
    folder, _ = write_parts(patients(60), tmp_path / "parts", ".csv")
    full = Mock()
    full.write.side_effect = OSError(28, "No space left on device")
    monkeypatch.setattr(statistic.tempfile, "TemporaryFile", lambda **_: full)
    with pytest.raises(DataError, match="No space left"):
        fit_chunks(folder, "c45", "laplace")


def test_selection_is_by_leave_one_out_whatever_was_asked_for(tmp_path):
    folder, whole = write_parts(patients(60), tmp_path / "parts", ".csv")
    model = fit_chunks(folder, "skdb", "laplace")
    assert model.options["learner"]["selection"] == "leave-one-out"
    same_model(model, fit(read_table(whole, repeats="apart"), "skdb-published", "laplace"))


@pytest.mark.parametrize("draws", ["both", "orders"])
def test_members_of_an_ensemble_are_those_of_all_rows(tmp_path, monkeypatch, draws):
    folder, whole = write_parts(patients(120), tmp_path / "parts", ".csv")
    monkeypatch.setattr(table_files, "_MOST_ROWS", 17)
    learner = ESKDB(size=3, draws=draws, seed=4)
    expected = fit(read_table(whole, repeats="apart"), learner, "laplace")
    for _ in range(2):  # the second time every pass is found finished
        same_model(fit_chunks(folder, learner, "laplace", work=tmp_path / "work"), expected)
    cuts = [str(member.cuts.to_dict()) for member in expected.members]
    assert (len(set(cuts)) > 1) == (draws == "both")


class TestResume:
    def fit(self, folder, work, stages, stop_at=None):
        def stage(what):
            stages.append(what)
            if what == stop_at:
                raise KeyboardInterrupt
            return silent_stage(what)

        conductor = Conductor(OneProcess(), FinishedPasses(work), stage)
        table = chunks.open_chunks(folder, conductor=conductor)
        return fit_table(table, make_spec("skdb"), named_smoother("mle"), conductor)

    def test_finished_passes_are_not_repeated(self, tmp_path):
        folder, whole = write_parts(patients(60), tmp_path / "parts", ".parquet")
        stages = []
        with pytest.raises(KeyboardInterrupt):
            self.fit(folder, tmp_path / "work", stages, stop_at="leaving rows out")
        assert stages[:2] == ["looking through the files", "drawing rows"]
        again = []
        model = self.fit(folder, tmp_path / "work", again)
        assert again == ["leaving rows out", "smoothing"]
        same_model(model, fit(read_table(whole, repeats="apart"), "skdb-published", "mle"))

    def test_a_changed_file_begins_anew(self, tmp_path):
        folder, _ = write_parts(patients(60), tmp_path / "parts", ".csv")
        self.fit(folder, tmp_path / "work", [])
        path = folder / "part0.csv"
        path.write_text("\n".join(path.read_text().splitlines()[:-1]) + "\n")
        stages = []
        self.fit(folder, tmp_path / "work", stages)
        assert "looking through the files" in stages

    @pytest.mark.parametrize("learner", ["skdb", "c45"])
    def test_a_file_written_to_between_passes_stops_them(self, tmp_path, learner):
        folder, _ = write_parts(patients(60), tmp_path / "parts", ".csv")

        def stage(what):
            with (folder / "part1.csv").open("a") as file:
                file.write("\n" if what != "looking through the files" else "")
            return silent_stage(what)

        conductor = Conductor(stage=stage)
        table = chunks.open_chunks(folder, conductor=conductor)
        with pytest.raises(DataError, match=r"part1\.csv' must stay as it is"):
            fit_table(table, make_spec(learner), named_smoother("mle"), conductor)
