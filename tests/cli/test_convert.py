import json

import numpy as np
import pytest

from probtrees.estimators.public_functions import load_model as load_fitted
from probtrees.experiment.fit import load_model
from probtrees.model.networks.dense_network import dense_network
from probtrees.model.networks.network_file import open_network
from tests.cli.command import refuse, rows_of, run


@pytest.fixture
def model(capsys, table, tmp_path):
    place = tmp_path / "m.json"
    run(capsys, "grow", table, "--model", "kdb", "--smoother", "m-estimate", "--out", place)
    return place


def test_a_model_becomes_a_network_file_with_its_names(capsys, model, tmp_path):
    said = run(capsys, "convert", model, tmp_path / "net.bif")
    assert "4 variables" in said
    assert "net.bif.names.json" in said
    record = json.loads(run(capsys, "convert", model, tmp_path / "net.bif", "--json"))
    assert record["variables"] == 4
    network = open_network(tmp_path / "net.bif")
    expected = dense_network(load_model(model))
    assert network.variables == expected.variables
    assert np.array_equal(network.tables[1].probs, expected.tables[1].probs)


@pytest.mark.parametrize("suffix", [".bif", ".xmlbif", ".xdsl", ".net", ".uai"])
def test_its_structure_on_the_same_rows_gives_the_same_model(
    capsys, model, table, tmp_path, suffix
):
    run(capsys, "convert", model, tmp_path / f"net{suffix}")
    run(capsys, "grow", table, "--structure", tmp_path / f"net{suffix}", "--smoother",
        "m-estimate", "--out", tmp_path / "again.json")  # fmt: skip
    before = rows_of(run(capsys, "predict", model, table))[1:]
    after = rows_of(run(capsys, "predict", tmp_path / "again.json", table))[1:]
    assert np.array(after, float) == pytest.approx(np.array(before, float), abs=1e-9)


def test_a_class_with_parents_is_learnt_smoothed_and_reported(capsys, table, tmp_path):
    net = tmp_path / "expert.bif"
    net.write_text(
        "network x { }\n"
        "variable sex { type discrete [2] { f, m }; }\n"
        "variable state { type discrete [4] { well, sick, gone, unknown }; }\n"
        "variable age { type discrete [2] { low, high }; }\n"
        "probability ( sex ) { table 0.5 0.5; }\n"
        "probability ( age ) { table 0.5 0.5; }\n"
        "probability ( state | sex, age ) { default 0.4 0.3 0.2 0.1; }\n"
    )
    run(capsys, "grow", table, "--structure", net, "--out", tmp_path / "m.json",
        "--report", tmp_path / "r.html")  # fmt: skip
    model = load_model(tmp_path / "m.json")
    assert model.kind == "network"
    assert model.learner == "given"
    assert "unknown" in model.schema.classes
    _, *rows = rows_of(run(capsys, "predict", tmp_path / "m.json", table))
    assert np.array(rows, float).sum(axis=1) == pytest.approx(1)
    assert "sex" in (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "blood" not in [tree.tree.target for tree in model.trees]


def test_a_structure_that_does_not_fit_is_one_sentence(capsys, model, table, tmp_path):
    net = tmp_path / "other.bif"
    net.write_text(
        "variable height { type discrete [2] { f, m }; }probability ( height ) { table 0.5 0.5; }"
    )
    assert "'height'" in refuse(capsys, "grow", table, "--structure", net)
    net.write_text(
        "variable sex { type discrete [2] { f, m }; }probability ( sex ) { table 0.5 0.5; }"
    )
    said = refuse(capsys, "grow", table, "--structure", net)
    assert "--target state must be in the given network" in said
    assert "--model" in refuse(capsys, "grow", table, "--structure", net, "--model", "nb")
    assert "--chunks" in refuse(capsys, "grow", table, "--structure", net, "--chunks")


def test_a_tree_becomes_onnx(capsys, model, table, tmp_path):
    onnx = pytest.importorskip("onnx")
    run(capsys, "grow", table, "--smoother", "laplace", "--out", tmp_path / "t.json")
    said = run(capsys, "convert", tmp_path / "t.json", tmp_path / "t.onnx")
    assert "3 inputs" in said
    written = onnx.load(tmp_path / "t.onnx")
    assert written == load_fitted(tmp_path / "t.json").to_onnx()
    assert [each.name for each in written.graph.input] == ["age", "sex", "blood"]
    assert "tree" in refuse(capsys, "convert", model, tmp_path / "n.onnx")
    assert "--member" in refuse(
        capsys, "convert", tmp_path / "t.json", tmp_path / "t.onnx", "--member", 1
    )
