"""On a first start small tables are learnt by uncompiled kernels while others are compiled."""

from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from probtrees.experiment.fit import fit
from probtrees.experiment.grown_model import grow_model
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import load_sample
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

    for module in (jobs, network_bench, workbench):
        monkeypatch.setattr(module, "is_compiling", is_compiling)


def test_the_picture_is_there_while_kernels_are_compiled(monkeypatch):
    still_compile(monkeypatch, set())
    jobs.jobs.clear()
    app = AppTest.from_file(APP, default_timeout=180).run()

    def is_drawn():
        return any("survived: yes" in element.proto.body for element in app.get("html"))

    while app.get("progress") and not is_drawn():  # a busy machine takes its time
        app.run()
    assert is_drawn()
    bench = workbench.workbench()
    assert bench.smoothing("hgs").finished.wait(120)
    usual = fit(load_sample(state.FIRST_SAMPLE)).tree
    assert bench.smooth("hgs").probs == pytest.approx(usual.probs, abs=1e-12)
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
    assert replace(bench, is_small=True).kernels("hgs") == set()
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
    plain, usual = bench.smoothing("hgs").result, fit(load_sample("titanic"), "skdb", "hgs")
    for ours, theirs in zip(plain.trees, usual.trees, strict=True):
        assert ours.probs == pytest.approx(theirs.probs, abs=1e-12)
    assert network_bench.network_bench("aode", (), "mdlp").kernels("hgs")
