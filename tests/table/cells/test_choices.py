"""Cells that hold several answers, as people and programs write them."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.ui.shared.finding_words import is_question

from probtrees.cli import main
from probtrees.experiment.fit import fit
from probtrees.model.predict import predict_proba
from probtrees.report.odd_rows import n_rows_unseen, odd_rows
from probtrees.table.cells.choices import answers_among, is_list, pieces_of
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_rows, read_table, read_to_predict

ANSWERS = ("grades", "billing", "transport", "meals")
WAYS = {
    "pandas": lambda some: repr(list(some)),
    "json": json.dumps,
    "json, close": lambda some: json.dumps(some, separators=(",", ":")),
    "postgres": lambda some: "{" + ",".join(some) + "}",
    "tuple": lambda some: repr(tuple(some)),
    "numpy": lambda some: "[" + " ".join(f"'{one}'" for one in some) + "]",
    "bars": "|".join,
    "semicolons": "; ".join,
    "slashes": " / ".join,
    "plus": "+".join,
    "spaces": " ".join,
    "and": " and ".join,
    "capitals": lambda some: ", ".join(some).upper(),
}


def _chosen(n_rows: int = 240) -> list[list[str]]:
    rng = np.random.default_rng(7)
    picked = rng.random((n_rows, len(ANSWERS))) < 0.45
    picked[:, 0] |= ~picked.any(axis=1)
    return [[a for a, has in zip(ANSWERS, row, strict=True) if has] for row in picked]


def _frame(write, chosen=None) -> pd.DataFrame:
    chosen = _chosen() if chosen is None else chosen
    churned = ["yes" if "billing" in some else "no" for some in chosen]
    return pd.DataFrame({"modules": [write(some) for some in chosen], "churned": churned})


@pytest.fixture(scope="module")
def model():
    data = read_table(_frame(", ".join), "churned", split_choices=["modules"])
    return fit(data, "c45", "laplace")


@pytest.mark.parametrize("way", WAYS)
def test_lists_are_scored_alike_however_they_are_written(model, way):
    plain = predict_proba(model, read_to_predict(_frame(", ".join), model.schema))
    rows, unreadable = read_rows(_frame(WAYS[way]), model.schema)
    np.testing.assert_array_equal(predict_proba(model, rows), plain)
    assert n_rows_unseen(model, rows, unreadable) == 0
    assert not any(odd_rows(model, rows, unreadable))
    assert not [note for note in rows.provenance.notes if "no column for" in note]


@pytest.mark.parametrize("way", ["pandas", "json", "postgres", "numpy"])
def test_lists_are_learnt_alike_too(way):
    data = read_table(_frame(WAYS[way]), "churned", split_choices=["modules"])
    plain = read_table(_frame(", ".join), "churned", split_choices=["modules"])
    assert data.schema.names == plain.schema.names
    np.testing.assert_array_equal(data.values, plain.values)


def test_whole_combinations_are_found_in_lists_of_programs():
    data = read_table(_frame(", ".join), "churned", types={"modules": "nominal"})
    rows = read_to_predict(_frame(WAYS["pandas"]), data.schema)
    np.testing.assert_array_equal(
        rows.values, read_to_predict(_frame(", ".join), data.schema).values
    )


def test_answers_without_a_column_are_told_in_every_face(model, tmp_path, capsys):
    chosen = _chosen()
    for row in (2, 5):
        chosen[row] = [*chosen[row], "chat"]
    chosen[9] = ["Rechnung"]
    frame = _frame(WAYS["pandas"], chosen)
    rows, unreadable = read_rows(frame, model.schema)
    assert n_rows_unseen(model, rows, unreadable) == 3
    odd = odd_rows(model, rows, unreadable)
    assert [row for row, words in enumerate(odd) if words] == [2, 5, 9]
    assert odd[2] == "modules='chat' was never seen in training"
    (note,) = (note for note in rows.provenance.notes if "no column for" in note)
    assert "'chat' in 2 rows and 'Rechnung' in 1 row" in note
    assert [n for n in read_to_predict(frame, model.schema).provenance.notes if n == note]
    frame.to_csv(tmp_path / "new.csv", index=False)
    (tmp_path / "old.csv").write_text(_frame(", ".join).to_csv(index=False))
    grown = ["grow", str(tmp_path / "old.csv"), "--split-choices", "modules"]
    assert main([*grown, "--out", str(tmp_path / "m.json")]) == 0
    capsys.readouterr()
    assert main(["predict", str(tmp_path / "m.json"), str(tmp_path / "new.csv")]) == 0
    assert "'chat' in 2 rows" in capsys.readouterr().err


def test_an_empty_list_holds_none_of_the_answers_and_an_empty_cell_says_nothing(model):
    frame = pd.DataFrame({"modules": ["[]", "{}", "['grades']", None, ","]})
    rows = read_to_predict(frame, model.schema)
    assert (rows.values[:2, :-1] == 0).all()
    assert rows.values[2, :-1].sum() == 1
    assert np.isnan(rows.values[3:, :-1]).all()


def test_empty_lists_of_json_are_told_and_can_be_missing():
    skills = [["SAP", "Excel"], ["SAP"], [], ["Excel", "SQL"], None]
    records = [
        {"skills": skills[n % 5], "none": [], "x": n % 7, "ill": "ab"[n % 2]} for n in range(100)
    ]
    source = ("t.json", json.dumps(records).encode())
    said = {"target": "ill", "split_choices": ["skills"], "roles": {"none": "ignore"}}
    data = read_table(source, **said)
    names = list(data.schema.names)
    sap = data.values[:, names.index("skills: SAP")]
    np.testing.assert_array_equal(sap[:5], [1, 1, 0, 0, np.nan])
    (note,) = (note for note in data.provenance.notes if "empty list" in note)
    assert "([]) in 20 rows: none of the answers" in note
    again = read_table(source, **said, missing_in={"skills": ["[]"]})
    assert np.isnan(again.values[2, names.index("skills: SAP")])
    assert inspect_table(source, "ill").column("none").type == "constant"


@pytest.mark.parametrize("text", ["a (old)", "(a)", "[a] or [b]", "f{x", "", "["])
def test_other_brackets_are_no_lists(text):
    assert not is_list(text)


def test_answers_that_hold_signs_stay_whole():
    assert pieces_of("TV/radio, R&D") == ("TV/radio", "R&D")
    known = {"r&d": "R&D", "r": "R", "d": "D"}
    assert answers_among("['R&D']", known) == ("R&D",)
    assert answers_among("R & D", known) == ("R", "D")
    assert answers_among("R & X", known) == ("R & X",)


@pytest.mark.parametrize("between", [";", "; ", "|", ", ", ","])
@pytest.mark.parametrize("answers", [tuple("13579"), ("Fever", "cough", "rash", "nausea", "pain")])
def test_lists_of_few_answers_are_asked_about_in_sight(between, answers):
    rng = np.random.default_rng(3)
    rows = []
    for n in range(200):
        some = sorted(rng.choice(answers, 1 if n % 4 else 2 + n % 3, replace=False))
        rows.append({"x": n % 7, "said": between.join(some), "ill": "ab"[n % 2]})
    source = ("t.csv", pd.DataFrame(rows).to_csv(index=False).encode())
    report = inspect_table(source, target="ill")
    (found,) = report.column("said").findings
    assert (found.kind, found.severity) == ("choices", "warning")
    assert is_question(found, report)
    (fix,) = found.fixes
    reading = ReadOptions().with_fix("said", fix.setting, fix.value)
    data = read_table(source, "ill", **reading.arguments)
    assert [name for name in data.schema.names if ": " in name] == [
        f"said: {answer}" for answer in sorted(answers, key=str.lower)
    ]


def test_drugs_taken_together_are_asked_about_and_sums_of_grades_are_not():
    taken = ["ASS", "ASS + Statin", "Statin + Betablocker", "Betablocker", "Statin"] * 24
    gleason = ["3 + 4", "4 + 3", "4 + 4", "3 + 3", "5 + 4"] * 24
    frame = pd.DataFrame({"drugs": taken, "gleason": gleason, "ill": ["a", "b"] * 60})
    report = inspect_table(frame, target="ill")
    assert [found.kind for found in report.column("drugs").findings] == ["choices"]
    assert "choices" not in [found.kind for found in report.column("gleason").findings]
    data = read_table(frame, "ill", split_choices=["drugs"])
    assert data.schema.names[:3] == ("drugs: ASS", "drugs: Betablocker", "drugs: Statin")


def test_answers_in_another_case_are_one_column():
    said = ["Fever, cough", "Cough, fever", "cough", "fever", "Rash, cough", "rash"] * 20
    frame = pd.DataFrame({"said": said, "ill": ["a", "b"] * 60})
    data = read_table(frame, "ill", split_choices=["said"])
    assert data.schema.names[:-1] == ("said: cough", "said: fever", "said: rash")
    assert data.values[:6, 0].tolist() == [1, 1, 1, 0, 1, 0]


def test_pairs_of_numbers_are_no_lists():
    pairs = ["10;3", "6;0", "7;11", "8", "9;2", "10;9", "5;4"] * 20
    frame = pd.DataFrame({"age": pairs, "ill": ["a", "b"] * 70})
    kinds = [found.kind for found in inspect_table(frame, target="ill").column("age").findings]
    assert "choices" not in kinds
