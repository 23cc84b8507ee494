import copy
import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from probtrees.errors import DataError
from probtrees.experiment.fit import fit, load_model
from probtrees.experiment.given_network import keep_part
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.registry import SMOOTHERS
from probtrees.model.member import Member
from probtrees.model.predict import predict_proba
from tests.small_tables import QUICK, patients, write_csv


def saved(model, path):
    model.save(path)
    return load_model(path)


@pytest.mark.parametrize("smoother", list(SMOOTHERS))
@pytest.mark.parametrize("learner", ["c45", "kdb"])
def test_a_loaded_model_is_the_same_model(tmp_path, learner, smoother):
    data = patients()
    model = grow_model(data, learner).smooth(smoother, QUICK.get(smoother))
    back = saved(model, tmp_path / "model.json")
    assert np.array_equal(predict_proba(model, data), predict_proba(back, data))
    assert back.schema == model.schema
    assert (back.learner, back.smoother) == (learner, smoother)
    assert back.provenance == model.provenance
    for ours, theirs in zip(back.trees, model.trees, strict=True):
        node = int(ours.tree.leaves[-1])
        assert ours.smoother == theirs.smoother
        assert np.array_equal(ours.contributions(node).values, theirs.contributions(node).values)


def test_an_as_published_model_comes_back(tmp_path):
    data = patients()
    model = fit(data, "c45", "m-branch", as_published=True)
    back = saved(model, tmp_path / "model.json.gz")
    assert np.array_equal(predict_proba(model, data), predict_proba(back, data))
    assert back.trees[0].tree.fragments is not None


def test_soft_routing_comes_back(tmp_path):
    data = patients(150)
    model = fit(data, "c45", "shrinkage", routing="soft")
    back = saved(model, tmp_path / "model.json")
    assert np.array_equal(predict_proba(model, data), predict_proba(back, data))


def test_a_model_is_asked_about_a_frame(tmp_path):
    data = patients()
    model = saved(fit(data, "c45", "laplace"), tmp_path / "m.json")
    table = pd.read_csv(write_csv(data, tmp_path / "t.csv"))
    turned = table[["state", "blood", "sex", "age"]].assign(more=1)
    assert np.array_equal(model.predict_proba(turned), predict_proba(model, data))
    assert np.array_equal(model.predict_proba(data), predict_proba(model, data))
    turned["blood"] = "never seen"
    assert np.allclose(model.predict_proba(turned).sum(axis=1), 1)
    with pytest.raises(DataError, match="'sex'"):
        model.predict_proba(table.drop(columns="sex"))


def test_saving_where_nothing_can_be_saved(tmp_path):
    model = fit(patients(), "c45", "laplace")
    with pytest.raises(DataError, match="must be a place to write"):
        model.save(tmp_path / "no folder" / "model.json")


def test_one_tree_is_shown_as_one():
    assert fit(patients(), "c45", "laplace").tree.tree.n_nodes > 1
    with pytest.raises(DataError, match="single tree"):
        _ = fit(patients(), "nb", "laplace").tree


@pytest.fixture(scope="module")
def record():
    return json.loads(json.dumps(fit(patients(), "c45", "laplace").to_dict()))


def tree_of(record):
    return record["members"][0]["trees"][0]


def spoil_version(record):
    record["version"] = 99


def spoil_format(record):
    record["format"] = "pickle"


def drop_schema(record):
    del record["schema"]


def drop_members(record):
    record["members"] = []


def wrong_member(record):
    record["members"] = [3]


def cyclic_parent(record):
    tree_of(record)["arrays"]["parent"][1] = 2


def column_out_of_range(record):
    tree_of(record)["arrays"]["column"][0] = 77


def child_out_of_range(record):
    tree_of(record)["arrays"]["n_children"][0] = 10**6


def branch_out_of_range(record):
    tree_of(record)["arrays"]["branch"][1:] = [
        branch + 9 for branch in tree_of(record)["arrays"]["branch"][1:]
    ]


def fraction_of_a_node(record):
    tree_of(record)["arrays"]["first_child"][0] = 1.5


def huge_number(record):
    tree_of(record)["arrays"]["column"][0] = 10**400


def ragged_counts(record):
    tree_of(record)["arrays"]["counts"][0] = [1]


def negative_counts(record):
    tree_of(record)["arrays"]["counts"][0][0] = -1


def probs_beyond_one(record):
    tree_of(record)["probs"][0] = [2, 0, 0]


def probs_not_summing(record):
    tree_of(record)["probs"][0] = [0.1, 0.1, 0.1]


def probs_hardly_summing(record):
    tree_of(record)["probs"][0][0] += 1e-7


def missing_probs(record):
    tree_of(record)["probs"].pop()


def text_for_numbers(record):
    tree_of(record)["arrays"]["weight"] = ["a"] * len(tree_of(record)["arrays"]["weight"])


def unknown_smoother(record):
    tree_of(record)["smoother"]["name"] = "laplac"


def unknown_smoother_option(record):
    tree_of(record)["smoother"]["options"] = {"strenght": 1}


def numeric_target(record):
    record["schema"]["columns"][-1]["categories"] = None


def twin_columns(record):
    record["schema"]["columns"][1]["name"] = "age"


def threshold_at_nominal(record):
    tree_of(record)["arrays"]["threshold"] = [0.5] * len(tree_of(record)["arrays"]["threshold"])


def notes_of_another_form(record):
    record["diagnostics"]["removed"] = 3


def notes_about_no_column(record):
    record["diagnostics"]["order"] = [0, 99]


def information_of_another_shape(record):
    information = {"array": [0.5], "shape": [1], "dtype": "float64"}
    record["diagnostics"]["mutual_information"] = information


def notes_about_too_few_members(record):
    record["diagnostics"]["members"] = []


def more_rows_than_there_are(record):
    tree_of(record)["arrays"]["weight"][0] = 1e308


def probabilities_nobody_explains(record):
    tree_of(record)["probs"][-1] = tree_of(record)["probs"][-1][::-1]


AN_ARRAY = {"array": [1], "shape": [1], "dtype": "int64"}


def array_for_options(record):
    record["options"] = AN_ARRAY


def array_for_trace(record):
    tree_of(record)["trace"] = AN_ARRAY


def array_for_source(record):
    record["provenance"]["source"] = AN_ARRAY


def words_for_curtail(record):
    record["options"]["curtail"] = {"rows": 3}


SPOILERS = [
    array_for_options, array_for_trace, array_for_source, words_for_curtail,
    spoil_version, spoil_format, drop_schema, drop_members, wrong_member, cyclic_parent,
    column_out_of_range, child_out_of_range, branch_out_of_range, fraction_of_a_node,
    huge_number, ragged_counts, negative_counts, probs_beyond_one, probs_not_summing,
    probs_hardly_summing, missing_probs, text_for_numbers, unknown_smoother,
    unknown_smoother_option,
    numeric_target, twin_columns, threshold_at_nominal, notes_of_another_form,
    probabilities_nobody_explains, more_rows_than_there_are, notes_about_no_column,
    information_of_another_shape, notes_about_too_few_members,
]  # fmt: skip


@pytest.mark.parametrize("spoil", SPOILERS)
def test_a_spoilt_file_gives_one_sentence(tmp_path, record, spoil):
    spoilt = copy.deepcopy(record)
    spoil(spoilt)
    path = tmp_path / "model.json"
    path.write_text(json.dumps(spoilt))
    with pytest.raises(DataError) as caught:
        load_model(path)
    assert str(caught.value).startswith(f"model={str(path)!r} must be a whole model file: ")
    assert "\n" not in str(caught.value)


def test_every_truncation_gives_one_sentence(tmp_path):
    path = tmp_path / "model.json"
    fit(patients(30), "c45", "laplace").save(path)
    whole = path.read_bytes()
    for length in range(0, len(whole) - 2, 97):
        path.write_bytes(whole[:length])
        with pytest.raises(DataError, match="must be a readable JSON file"):
            load_model(path)


def test_a_model_knows_its_kind_also_where_little_is_left_of_it():
    data = patients(40)
    assert fit(data, "c45", "laplace").kind == "tree"
    assert fit(data, "forest", "laplace", options={"size": 2}).kind == "forest"
    empty = keep_part(grow_model(data, "skdb"), 0, 0).smooth("laplace")
    assert len(empty.trees) == 1
    assert empty.kind == "network"  # a lone root, but not a tree of one leaf
    product = replace(empty, members=(Member(fit(data, "c45", "mle").trees * 2),))
    assert product.kind == "forest"
    assert not product.is_network
