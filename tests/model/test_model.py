import copy
import json
from dataclasses import replace

import numpy as np
import pytest

from probtrees.errors import DataError
from probtrees.experiment.fit import fit, load_model
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.registry import SMOOTHERS
from probtrees.grow.given_structure import GivenStructure
from probtrees.model.member import Member
from probtrees.model.predict import predict_proba
from tests.small_tables import QUICK, patients


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


@pytest.fixture(scope="module")
def record():
    return json.loads(json.dumps(fit(patients(), "c45", "laplace").to_dict()))


TREE = ("members", 0, "trees", 0)
ARRAYS = (*TREE, "arrays")
NOTES = ("diagnostics",)
GONE = object()
AN_ARRAY = {"array": [1], "shape": [1], "dtype": "int64"}

SPOILT = {
    "another version": (("version",), 99),
    "another format": (("format",), "pickle"),
    "no schema": (("schema",), GONE),
    "a category twice": (("schema", "columns", -1, "categories", 0), "sick"),
    "no members": (("members",), []),
    "a member that is none": (("members",), [3]),
    "parents in a circle": ((*ARRAYS, "parent", 1), 2),
    "no such column": ((*ARRAYS, "column", 0), 77),
    "no such child": ((*ARRAYS, "n_children", 0), 10**6),
    "no such branch": ((*ARRAYS, "branch"), lambda old: [0, *(at + 9 for at in old[1:])]),
    "a fraction of a node": ((*ARRAYS, "first_child", 0), 1.5),
    "a huge number": ((*ARRAYS, "column", 0), 10**400),
    "ragged counts": ((*ARRAYS, "counts", 0), [1]),
    "negative counts": ((*ARRAYS, "counts", 0, 0), -1),
    "more rows than there are": ((*ARRAYS, "weight", 0), 1e308),
    "text for numbers": ((*ARRAYS, "weight"), lambda old: ["a"] * len(old)),
    "thresholds at nominal splits": ((*ARRAYS, "threshold"), lambda old: [0.5] * len(old)),
    "chances beyond one": ((*TREE, "probs", 0), [2, 0, 0]),
    "chances that do not sum": ((*TREE, "probs", 0), [0.1, 0.1, 0.1]),
    "chances that hardly sum": ((*TREE, "probs", 0, 0), lambda old: old + 1e-7),
    "too few chances": ((*TREE, "probs"), lambda old: old[:-1]),
    "chances nobody explains": ((*TREE, "probs", -1), lambda old: old[::-1]),
    "an unknown smoother": ((*TREE, "smoother", "name"), "laplac"),
    "an unknown option": ((*TREE, "smoother", "options"), {"strenght": 1}),
    "an array for a trace": ((*TREE, "trace"), AN_ARRAY),
    "an array for options": (("options",), AN_ARRAY),
    "an array for a source": (("provenance", "source"), AN_ARRAY),
    "words for a number": (("options", "curtail"), {"rows": 3}),
    "a numeric target": (("schema", "columns", -1, "categories"), None),
    "columns of one name": (("schema", "columns", 1, "name"), "age"),
    "notes of another form": ((*NOTES, "removed"), 3),
    "notes about no column": ((*NOTES, "order"), [0, 99]),
    "information of another shape": ((*NOTES, "mutual_information"), {**AN_ARRAY, "array": [0.5]}),
    "notes about too few members": ((*NOTES, "members"), []),
}
"""By what is wrong: the entry of a model file, and what it is or becomes."""


@pytest.mark.parametrize("fault", SPOILT)
def test_a_spoilt_file_gives_one_sentence(tmp_path, record, fault):
    (*way, last), value = SPOILT[fault]
    spoilt = part = copy.deepcopy(record)
    for step in way:
        part = part[step]
    if value is GONE:
        del part[last]
    else:
        part[last] = value(part[last]) if callable(value) else value
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
    alone = GivenStructure({data.schema.target.name: ()})
    empty = fit(data, alone, "laplace")
    assert len(empty.trees) == 1
    assert empty.kind == "network"  # a lone root, but not a tree of one leaf
    product = replace(empty, members=(Member(fit(data, "c45", "mle").trees * 2),))
    assert product.kind == "forest"
    assert not product.is_network
