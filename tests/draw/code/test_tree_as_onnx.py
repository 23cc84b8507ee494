import numpy as np
import pandas as pd
import pytest

from probtrees.draw.code.rules_as_code import hard_tree, python_rules
from probtrees.draw.code.tree_as_onnx import tree_onnx
from probtrees.errors import DataError
from probtrees.experiment.fit import fit
from probtrees.grow.c45 import C45
from probtrees.model.predict import predict_proba
from probtrees.table.read_table import read_table
from tests.small_tables import patients, write_csv


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return read_table(write_csv(patients(), tmp_path_factory.mktemp("t") / "patients.csv"))


def fed(data):
    """Rows as the graph takes them."""
    found = {}
    for number, column in enumerate(data.schema.features):
        values = data.values[:, number]
        if column.categories is not None:
            names = [*column.categories, "never seen", ""]
            codes = np.where(np.isnan(values), len(names) - 1, values).astype(int)
            codes[codes == -1] = len(names) - 2
            values = np.array([names[code] for code in codes], dtype=object)
        found[column.name] = values[:, None]
    return found


def answers(model, data):
    runtime = pytest.importorskip("onnxruntime")
    onnx = pytest.importorskip("onnx")
    graph = tree_onnx(hard_tree(model), model.schema)
    onnx.checker.check_model(graph, full_check=True)
    session = runtime.InferenceSession(
        graph.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    return session.run(None, fed(data))


@pytest.mark.parametrize(
    ("learner", "settings"), [(C45(), {}), (C45(missing="fraction"), {}), (C45(), {"curtail": 15})]
)
def test_onnxruntime_says_what_the_model_says(data, learner, settings):
    model = fit(data, learner, "laplace", **settings)
    labels, proba = answers(model, data)
    expected = predict_proba(model, data)
    answered = ~np.isnan(proba).any(axis=1)
    assert answered.mean() > 0.8
    assert proba[answered] == pytest.approx(expected[answered], abs=1e-6)
    best = expected.argmax(axis=1)
    clear = answered & (np.sort(expected, axis=1)[:, -1] - np.sort(expected, axis=1)[:, -2] > 1e-5)
    assert [labels[i] for i in np.flatnonzero(clear)] == [
        data.schema.classes[best[i]] for i in np.flatnonzero(clear)
    ]
    assert all(labels[i] == "" for i in np.flatnonzero(~answered))


def test_a_value_at_a_cut_goes_the_same_way(data):
    model = fit(data, "c45", "laplace")
    arrays = model.tree.tree.arrays
    cuts = [(c, t) for c, t in zip(arrays.column, arrays.threshold, strict=True) if not np.isnan(t)]
    assert cuts
    rows = data.take(np.zeros(len(cuts), dtype=np.int64))
    for row, (column, threshold) in enumerate(cuts):
        rows.values[row, column] = threshold
    _, proba = answers(model, rows)
    assert proba == pytest.approx(predict_proba(model, rows), abs=1e-6)


def test_what_leads_nowhere_has_no_answer(data):
    model = fit(data, C45(missing="fraction"), "laplace")
    rows = data.take(np.array([0, 1]))
    rows.values[0, :-1] = np.nan
    for number, column in enumerate(data.schema.features):
        if column.is_nominal:
            rows.values[1, number] = -1
    labels, proba = answers(model, rows)
    assert np.isnan(proba[0]).all()
    assert labels[0] == ""
    assert np.isnan(proba[1]).all() or proba[1] == pytest.approx(predict_proba(model, rows)[1])


def test_columns_called_like_the_outputs():
    frame = {"label": [1.0, 2.0, 8.0, 9.0] * 5, "table": list("aabb") * 5, "y": list("nnyy") * 5}
    data = read_table(pd.DataFrame(frame), target="y")
    model = fit(data, "c45", "laplace")
    assert answers(model, data)[1] == pytest.approx(predict_proba(model, data), abs=1e-6)
    alone = fit(data.take(np.array([0, 1, 2])), C45(min_leaf=9), "laplace")
    assert alone.tree.tree.n_nodes == 1
    assert answers(alone, data)[1] == pytest.approx(predict_proba(alone, data), abs=1e-6)


def test_what_is_no_hard_tree_is_refused(data):
    for learner, settings, words in (
        ("c45", {"routing": "soft"}, "routing='hard'"),
        ("c45", {"calibrate": "platt"}, "calibrated"),
        ("nb", {}, "tree"),
    ):
        with pytest.raises(DataError, match=words):
            hard_tree(fit(data, learner, "laplace", **settings))


def test_rules_of_a_curtailed_tree_answer_like_it(data):
    model = fit(data, "c45", "laplace", curtail=15)
    said: dict = {}
    exec(python_rules(hard_tree(model), model.schema), said)
    from_code = {tuple(leaf) for leaf in said["NODES"] if isinstance(leaf, list)}
    for row in predict_proba(model, data.take(np.arange(20))):
        assert any(np.allclose(row, leaf) for leaf in from_code)
