"""Scored files: what they hold, and that spreadsheets take them for what they are."""

import csv
import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import python_calamine
from hypothesis import given
from hypothesis import strategies as st

from probtrees.experiment.fit import fit
from probtrees.explain.rule import rule_text
from probtrees.model.predict import predict_proba
from probtrees.model.routing import find_leaves
from probtrees.report.odd_rows import columns_of_other_unit, strange_columns
from probtrees.report.scored_table import SPREAD, leaf_of_rows, scored_table
from probtrees.report.table_files import FOR_EXCEL, CsvStyle, csv_bytes, xlsx_bytes
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_rows, read_table, read_written

TRAINING = "patient_id,age,sex,ill\n" + "".join(
    f"P{i:03d},{20 + i % 50},{'fm'[i % 3 == 0]},{'yes' if i % 50 > 30 else 'no'}\n"
    for i in range(200)
)
NEW = "patient_id,sex,age,remark,yes\nP900,f,64,=1+1,1\n,x,,fine,2\n-P7,m,young,ok,3\n"


@pytest.fixture(scope="module")
def model():
    data = read_table(("t.csv", TRAINING.encode()), roles={"patient_id": "ignore"})
    return fit(data, "c45", "laplace")


def score(model, wanted, text=NEW, digits=None):
    source = ("new.csv", text.encode())
    rows, unreadable = read_rows(source, model.schema, ReadOptions())
    return scored_table(model, rows, unreadable, read_written(source), wanted, digits)


def test_everything_that_can_be_asked_for(model):
    table = score(model, ["input", "leaf", "rule", "odd"])
    assert list(table.columns) == [
        *("patient_id", "sex", "age", "remark", "yes"),
        *("no", "yes (probability)", "predicted ill", "leaf", "rule", "odd"),
    ]
    rows, _ = read_rows(("new.csv", NEW.encode()), model.schema, ReadOptions())
    proba = predict_proba(model, rows)
    assert np.array_equal(table[["no", "yes (probability)"]].to_numpy(), proba)
    assert table["predicted ill"].tolist()[0] == "yes"
    assert table["age"].tolist() == ["64", None, "young"]
    assert "age > " in table["rule"][0]
    assert table["odd"][0] == ""
    assert "sex" not in table["odd"][1]  # the tree never asks
    assert "not recorded, though always in training: age" in table["odd"][1]
    assert "young" in table["odd"][2]


def test_the_row_can_be_named_by_its_identifier_or_its_number(model):
    assert score(model, ["id"]).columns[0] == "patient_id"
    without = "sex,age\nf,30\nm,60\n"
    assert score(model, ["id"], without)["row"].tolist() == [1, 2]
    assert score(model, [], without).shape == (2, 3)


def test_a_row_names_the_leaf_with_its_largest_share(model):
    rows, _ = read_rows(("new.csv", NEW.encode()), model.schema, ReadOptions())
    landed = find_leaves(model.tree.tree, rows.values, rows.schema.n_values)
    expected = []
    for row in range(rows.n_rows):
        part = slice(landed.first[row], landed.first[row + 1])
        expected.append(landed.nodes[part][landed.shares[part].argmax()])
    assert leaf_of_rows(model, rows).tolist() == expected


def test_a_rule_ends_before_the_question_that_has_no_answer(model):
    rows, _ = read_rows(("new.csv", NEW.encode()), model.schema, ReadOptions())
    landed = find_leaves(model.tree.tree, rows.values, rows.schema.n_values)
    rules = score(model, ["rule"])["rule"].tolist()
    assert np.diff(landed.first).tolist()[0] == 1
    assert not rules[0].endswith(SPREAD)
    assert rules[1:] == [f"all rows, {SPREAD}"] * 2
    schema, tree = model.schema, model.tree.tree
    for row, text in enumerate(rules):
        ends = landed.nodes[landed.first[row] : landed.first[row + 1]]
        shared = text.removesuffix(f", {SPREAD}").removeprefix("all rows")
        assert all(rule_text(tree, schema, int(node)).startswith(shared) for node in ends)


def trained(columns, target="ill"):
    """A tree on columns of cells, the last of them the class."""
    lines = [",".join(map(str, cells)) for cells in zip(*columns.values(), strict=True)]
    text = "\n".join([",".join([*list(columns)[:-1], target]), *lines])
    return fit(read_table(("t.csv", text.encode())), "c45", "laplace")


def read_again(model, name, cells, layout=None):
    source = ("n.csv", f"{name},x\n".encode() + "".join(f"{c},1\n" for c in cells).encode())
    rows, unreadable = read_rows(source, model.schema, layout)
    assert not unreadable
    return rows


@pytest.mark.parametrize(
    ("training", "new", "words", "how"),
    [
        (range(10, 17), range(100, 160, 10), "10 times larger", "/10"),
        (range(1500, 1900, 50), (1.6, 1.7, 1.72, 1.8, 1.85), "1,000 times smaller", "*1000"),
    ],
)
def test_numbers_in_another_unit_are_said_once_and_converted(training, new, words, how):
    training = (list(training) * 400)[:400]
    middle = float(np.median(training))
    classes = ["ny"[(value > middle) != (i % 9 == 0)] for i, value in enumerate(training)]
    model = trained({"hb": training, "x": [i % 9 for i in range(400)], "ill": classes})
    ((found, unit),) = columns_of_other_unit(model, read_again(model, "hb", new)).items()
    assert (found, unit.how) == ("hb", how)
    assert words in unit.sentence
    layout = ReadOptions(steps=({"step": "convert", "column": "hb", "how": how},))
    assert not columns_of_other_unit(model, read_again(model, "hb", new, layout))
    assert not columns_of_other_unit(model, read_again(model, "hb", training[:50]))


def test_columns_of_other_values_are_said_once(model):
    kinds = {"kind": list("ab" * 100), "ill": list("ny" * 100)}
    model = trained(kinds)
    rows, _ = read_rows(("n.csv", b"kind\n1\n2\n1\n"), model.schema, ReadOptions())
    (sentence,) = strange_columns(model, rows, {}).values()
    assert "'kind' has no value that was seen in training, where it had 'a', 'b'" in sentence
    same, _ = read_rows(("n.csv", b"kind\na\nc\n"), model.schema, ReadOptions())
    assert not strange_columns(model, same, {})


def test_a_number_outside_the_range_of_training_is_odd(model):
    text = "sex,age\nf,20\nf,69\nm,99999\nm,-5\n"
    odd = score(model, ["odd"], text)["odd"].tolist()
    assert odd == ["", "", *["outside the range of training: age"] * 2]
    unknown = score(replace(model, profile=None), ["odd"], text + "f,\n")["odd"].tolist()
    assert unknown == ["", "", "", "", "not recorded: age"]


TEXTS = st.text(max_size=12).filter(lambda t: "\r" not in t and "\n" not in t and "\0" not in t)


@given(
    st.lists(st.tuples(TEXTS, st.floats(allow_nan=False, allow_infinity=False)), max_size=6),
    st.sampled_from([CsvStyle(), FOR_EXCEL, CsvStyle("\t")]),
)
def test_a_csv_comes_back_and_runs_nothing(rows, style):
    table = pd.DataFrame({"=t": [t for t, _ in rows], "x": np.array([x for _, x in rows], float)})
    text = csv_bytes(table, style).decode("utf-8-sig")
    header, *lines = csv.reader(io.StringIO(text, newline=""), delimiter=style.separator)
    assert header == ["'=t", "x"]
    assert [float(line[1].replace(style.decimal, ".")) for line in lines] == [x for _, x in rows]
    for (given_text, _), (cell, _) in zip(rows, lines, strict=True):
        assert cell in (given_text, f"'{given_text}")
        assert cell[:1] not in tuple("=@\t|") or cell == ""


def test_an_excel_table_holds_numbers_and_harmless_texts():
    table = pd.DataFrame({"a": ["=1+1", None, "x"], "A": [1.5, np.nan, -2.0], "n": [1, 2, 3]})
    book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(xlsx_bytes(table)))
    rows = book.get_sheet_by_name("Scored").to_python()
    assert rows == [["a", "A'", "n"], ["=1+1", 1.5, 1.0], ["", "", 2.0], ["x", -2.0, 3.0]]
