"""On a first start the sample's tree is shown from a file while the kernels are compiled."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from probtrees.experiment.fit import fit, load_model
from probtrees.experiment.grown_model import grow_model, with_rows
from probtrees.experiment.model_spec import make_spec
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import load_sample, sample_path
from probtrees.ui.network import network_bench
from probtrees.ui.shared import table_source, workbench
from probtrees.ui.shared.session import jobs, state
from probtrees.ui.shared.session.bounded_cache import Upload
from tests.small_tables import patients, write_csv

APP = str(Path(__file__).resolve().parents[2] / "app.py")


def still_compile(monkeypatch, compiled):
    """Pretend that all kernels but some are still being compiled."""

    def is_compiling(needed=("c45",)):
        return needed is None or not compiled.issuperset(needed)

    for module in (jobs, network_bench, table_source, workbench):
        monkeypatch.setattr(module, "is_compiling", is_compiling)


@pytest.fixture(scope="module")
def saved():
    return load_model(sample_path(state.FIRST_SAMPLE).with_suffix(".model.json"))


def test_the_saved_tree_is_the_tree_that_would_be_grown(saved):
    grown = fit(load_sample(state.FIRST_SAMPLE))
    assert saved.tree.probs == pytest.approx(grown.tree.probs, abs=1e-12)
    for ours, theirs in zip(saved.tree.tree.arrays, grown.tree.tree.arrays, strict=True):
        assert np.array_equal(ours, theirs, equal_nan=True)
    ours, theirs = saved.to_dict(), grown.to_dict()
    for part in ("schema", "options", "learner", "smoother"):
        assert ours[part] == theirs[part]


def test_rows_beside_the_saved_tree_are_those_it_was_grown_from(saved):
    data = load_sample(state.FIRST_SAMPLE)
    grown = grow_model(data)
    again = with_rows(saved, data, make_spec("c45"))
    assert again.unit == grown.unit
    assert np.array_equal(again.data.values, grown.data.values, equal_nan=True)
    assert again.smooth("shrinkage").tree.probs == pytest.approx(
        grown.smooth("shrinkage").tree.probs, abs=1e-12
    )


def test_the_picture_is_there_while_kernels_are_compiled(monkeypatch):
    still_compile(monkeypatch, set())
    jobs.jobs.clear()
    app = AppTest.from_file(APP, default_timeout=180).run()

    def is_drawn():
        return any("survived: yes" in element.proto.body for element in app.get("html"))

    while app.get("progress") and not is_drawn():  # a busy machine takes its time
        app.run()
    assert not app.exception
    assert is_drawn()
    jobs.jobs.clear()


@pytest.mark.usefixtures("patient_page")
def test_a_table_of_ones_own_becomes_a_tree_while_kernels_are_compiled(monkeypatch, tmp_path):
    compiled = set()
    still_compile(monkeypatch, compiled)
    file = write_csv(patients(120), tmp_path / "own.csv")
    source = table_source.ChosenTable(
        Upload("own.csv", file.read_bytes()), state.FIRST_SAMPLE, ReadOptions(target="state")
    )
    grown = workbench._grown(source, source.read(), ())
    assert grown.grown.n_nodes == grow_model(source.read()).n_nodes
    bench = workbench.TreeBench(grown, (source.key, ()))
    assert bench.kernels("m-branch") == set()
    assert bench.kernels("laplace") == {"laplace"}
    assert bench.kernels("hgs") == {"hgs", "c45"}
    assert bench.smoothing("m-branch").finished.wait(120)
    assert not bench.smoothing("hgs").finished.is_set()
    compiled |= {"c45", "hgs"}
    assert bench.smoothing("hgs").finished.wait(120)


@pytest.mark.usefixtures("patient_page")
def test_the_first_network_is_learnt_and_smoothed_while_kernels_are_compiled(monkeypatch):
    still_compile(monkeypatch, set())
    bench = network_bench.network_bench("skdb", (), "mdlp")
    assert bench.kernels("laplace") == {"laplace", "tables"}
    assert bench.kernels("hgs") == bench.table(0, 1).kernels("hgs") == set()
    assert bench.smoothing("hgs").finished.wait(120)
    plain, usual = bench.smooth("hgs"), fit(load_sample("titanic"), "skdb", "hgs")
    for ours, theirs in zip(plain.trees, usual.trees, strict=True):
        assert ours.probs == pytest.approx(theirs.probs, abs=1e-12)
    assert network_bench.network_bench("aode", (), "mdlp").kernels("hgs")


def test_other_tables_wait(monkeypatch, saved):
    monkeypatch.setattr(table_source, "is_compiling", lambda *_: True)
    source = table_source.ChosenTable(None, state.FIRST_SAMPLE)
    assert table_source.saved_with_sample(source) is not None
    assert table_source.saved_with_sample(replace(source, sample="iris")) is None
    monkeypatch.setattr(table_source, "is_compiling", lambda *_: False)
    assert table_source.saved_with_sample(source) is None
