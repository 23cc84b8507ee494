"""Codes of two values are numbers that trees name by what they are."""

import numpy as np
import pytest

from probtrees.cli import main
from probtrees.experiment.fit import fit, load_model
from probtrees.explain.rule import rule_text
from probtrees.explain.split_view import split_view
from probtrees.model.predict import predict_proba
from probtrees.scale.passes.open_chunks import open_chunks
from probtrees.table.dataset import Schema
from probtrees.table.read_table import read_rows, read_table

LINES = [f"{i % 2},{1 + i // 2 % 2},{i % 3},{i % 2 / 2},{'ny'[i % 4 == 3]}" for i in range(240)]
TABLE = "\n".join(["done,sex,grade,part,ill", *LINES]).encode()


@pytest.fixture(scope="module")
def data():
    return read_table(("t.csv", TABLE))


def test_only_whole_numbers_that_are_two_are_codes(data, tmp_path):
    expected = [(0.0, 1.0), (1.0, 2.0), (), (), ()]
    assert [column.two_values for column in data.schema.columns] == expected
    again = Schema.from_dict(data.schema.to_dict())
    assert [column.two_values for column in again.columns] == expected
    (tmp_path / "t.csv").write_bytes(TABLE)
    chunked = open_chunks(tmp_path / "t.csv").schema
    assert [column.two_values for column in chunked.columns] == expected


def test_rules_outlines_and_splits_name_the_codes(data, capsys, tmp_path):
    model = fit(data, "c45", "laplace")
    tree = model.tree.tree
    rules = {rule_text(tree, model.schema, node) for node in tree.leaves.tolist()}
    assert "done = 1 and sex = 2" in rules
    assert [part.label for part in split_view(tree, data, 0).bins] == ["= 0", "= 1"]
    (tmp_path / "t.csv").write_bytes(TABLE)
    assert main(["grow", str(tmp_path / "t.csv")]) == 0
    assert "sex = 2: y" in capsys.readouterr().out
    model.save(tmp_path / "m.json")
    loaded = load_model(tmp_path / "m.json")
    assert rules == {rule_text(tree, loaded.schema, node) for node in tree.leaves.tolist()}


def test_other_values_still_go_by_the_comparison(data):
    model = fit(data, "c45", "laplace")
    source = b"done,sex,grade,part\n5,2,0,0\n1,2,0,0\n"
    rows, _ = read_rows(("n.csv", source), model.schema, None, model.profile)
    proba = predict_proba(model, rows)
    np.testing.assert_array_equal(proba[0], proba[1])
