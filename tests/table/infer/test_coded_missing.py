"""Words for "no value" in many languages, and codes that names of columns declare."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.ui.shared.alike_findings import together
from probtrees.ui.shared.finding_words import is_question, is_told

from probtrees.errors import ProbTreesWarning
from probtrees.table.dataset import Schema
from probtrees.table.read_options import SEVERAL, ReadOptions
from probtrees.table.read_table import read_table
from probtrees.table.table_report import TableReport
from tests.table.tiny_table import csv

WORDS = (
    *("ND", "b.d.", "n.d.", "n.b.", "bd", "no data", "s/d", "sin dato", "нет", "н/д", "无", "不明"),
    *(
        "未記入",
        "brak",
        "puuttuu",
        "ukjent",
        "okänd",
        "k. A.",
        "#N/A",
        "#DIV/0!",
        "#VALUE!",
        "#REF!",
    ),
)


@pytest.mark.parametrize("word", WORDS)
def test_a_word_among_numbers_or_dates_is_missing(word: str) -> None:
    rows = [f"{n}.5,2024-01-{n + 10},{'ab'[n % 2]}" for n in range(12)]
    rows += [f"{word},{word},a", "7.25,2024-03-01,b"]
    data = read_table(csv("x,day,y", *rows), roles={"day": "feature"})
    assert np.flatnonzero(np.isnan(data.values[:, 0])).tolist() == [12]
    assert np.flatnonzero(np.isnan(data.values[:, 1])).tolist() == [12]
    assert any(word in note for note in data.provenance.notes)
    later = read_table(csv("x,day", f"{word},{word}", "1,2024-01-01"), schema=data.schema)
    assert np.isnan(later.values[0, :2]).all()


UNKNOWN = ("UNK", "unk.", "unknown", "prefer not to say", "I'd rather not say", "Don’t know")
UNKNOWN += ("weiß nicht", "Weiss ich nicht", "ne sait pas", "Refused", "no sabe", "NS/NC")


@pytest.mark.parametrize("word", UNKNOWN)
def test_who_does_not_know_a_number_is_missing_until_a_click(word: str) -> None:
    rows = [f"{word if n % 3 else n},{'ab'[n % 2]}" for n in range(30)]
    report = inspect_table(csv("x,y", *rows))
    assert (report.usable, report.column("x").type) == (True, "numeric")
    assert report.column("x").n_missing == 20
    (note,) = (f for f in report.column("x").findings if f.kind == "dashes")
    assert word in note.sentence
    (fix,) = note.fixes
    said = ReadOptions().with_fix("x", fix.setting, fix.value)
    kept = inspect_table(csv("x,y", *rows), **said.arguments)
    assert (kept.usable, kept.column("x").type, kept.column("x").n_missing) == (True, "nominal", 0)


def test_few_numbers_beside_unknown_are_answers_too() -> None:
    rows = [f"{('unknown', 'unknown', '1')[n % 3]},{'ab'[n % 2]}" for n in range(30)]
    report = inspect_table(csv("x,y", *rows))
    assert (report.column("x").type, report.column("x").n_missing) == ("nominal", 0)


@pytest.mark.parametrize(
    ("word", "others", "is_offered"),
    [
        ("Unknown / Not Reported", "Never Former Current", True),
        ("Unknown/not reported", "Never Former Current", True),
        ("Prefer not to say", "Never Former Current", True),
        ("unbekannt oder keine Angabe", "nie früher heute", True),
        ("inconnu ou non renseigné", "jamais ancien actuel", True),
        ("No consta", "nunca antes ahora", True),
        ("NC", "Sí No", True),
        ("NC", "SC VA TN", False),
        ("unknown / other", "Never Former Current", False),
        ("Not reported to the police", "fined warned", False),
    ],
)
def test_words_for_what_is_not_known_are_offered(word: str, others: str, is_offered: bool) -> None:
    cells = [*others.split(), word] * 8
    rows = [f"{cell},{'ab'[n % 2]}" for n, cell in enumerate(cells)]
    findings = inspect_table(csv("x,y", *rows)).column("x").findings
    offered = [fix.value for f in findings if f.kind == "maybe missing" for fix in f.fixes]
    assert offered == ([word] if is_offered else [])


def test_among_categories_it_is_a_value_and_offered() -> None:
    rows = [f"{place},{'ab'[n % 2]}" for n, place in enumerate(["Oslo", "Bergen", "ukjent"] * 6)]
    report = inspect_table(csv("place,y", *rows))
    found = next(f for f in report.column("place").findings if f.kind == "maybe missing")
    assert "'ukjent'" in found.sentence
    assert report.column("place").n_missing == 0


def test_a_word_for_no_is_not_offered_among_answers() -> None:
    rows = [f"{word},{'ab'[n % 3 % 2]}" for n, word in enumerate(["есть", "нет", "редко"] * 6)]
    report = inspect_table(csv("x,y", *rows))
    assert not [f for f in report.column("x").findings if f.kind == "maybe missing"]


@pytest.mark.parametrize(
    ("name", "code"),
    [("smoker (9=n/a)", "9"), ("score (-9 = missing)", "-9"), ("grade [1=low; 3=unknown]", "3")],
)
def test_a_code_that_the_name_declares_is_offered(name: str, code: str) -> None:
    rows = [f"{cell},{'ab'[n % 2]}" for n, cell in enumerate(["1", "2", code, "1"] * 6)]
    content = csv(f'"{name}",y', *rows)
    found = next(f for f in inspect_table(content).column(name).findings if f.fixes)
    assert f"names {code} as a code for missing, which 6 rows hold" in found.sentence
    fix = found.fixes[0]
    said = ReadOptions().with_fix(name, fix.setting, fix.value).arguments
    assert np.isnan(read_table(content, **said).values[:, 0]).sum() == 6


def test_codes_that_labels_name_among_numbers_are_offered(tmp_path):
    income = [float(n) for n in range(1200, 1260)]
    income[::9] = [-1.0, -2.0, -2.0, -1.0, 9000.0, -2.0, -1.0]
    table = pd.DataFrame({"inc": income, "q": [1.0, 2, 3] * 20, "y": [1.0, 2] * 30})
    said = {-1: "verweigert", -2: "trifft nicht zu", 9000: "9000 and more"}
    labels = {"inc": said, "q": {1: "low", 3: "high"}, "y": {1: "yes", 2: "no"}}
    pyreadstat.write_sav(table, tmp_path / "t.sav", variable_value_labels=labels)
    report = inspect_table(tmp_path / "t.sav")
    (found,) = [f for f in report.findings if f.kind == "maybe missing"]
    assert (found.column, found.fixes[0].value) == ("inc", "-2")  # it may be none; -1 is not known
    assert report.column("inc").n_missing == 3
    reading = ReadOptions().with_fix("inc", "missing", found.fixes[0].value)
    with pytest.warns(ProbTreesWarning, match="'verweigert'"):
        read = read_table(tmp_path / "t.sav", **reading.arguments)
    assert np.isnan(read.values[:, 0]).sum() == 6


def _ages(folder: Path, code: float, label: str) -> Path:
    ages = [code if n % 8 == 0 else 20.0 + n % 41 for n in range(160)]
    outcomes = ["yes" if n % 3 else "no" for n in range(160)]
    frame = pd.DataFrame({"alter": ages, "g": ["a", "b"] * 80, "y": outcomes})
    pyreadstat.write_dta(frame, folder / "t.dta", variable_value_labels={"alter": {code: label}})
    return folder / "t.dta"


@pytest.mark.parametrize(
    ("code", "label"),
    [
        (999, "keine Angabe"),
        (-1, "brak danych"),
        (99, "w.n./k.A."),
        (9, "Refused"),
        (98, "Don't know"),
        (0, "DK/NA"),
    ],
)
def test_a_code_that_the_file_labels_as_no_answer_is_missing_until_a_click(
    tmp_path: Path, code: int, label: str
) -> None:
    file = _ages(tmp_path, code, label)
    report = inspect_table(file)
    (told,) = report.column("alter").findings
    assert f"{code} ({label!r}) in 20 rows" in told.sentence
    assert is_told(told, report)
    assert report.column("alter").n_missing == 20
    with pytest.warns(ProbTreesWarning, match="read as missing"):
        data = read_table(file)
    assert np.isnan(data.values[:, 0]).sum() == 20
    schema = Schema.from_dict(data.schema.to_dict())
    later = read_table(csv("alter,g", f"{code},a", f"{label},b", "33,a"), schema=schema)
    assert np.isnan(later.values[:, 0]).tolist() == [True, True, False]
    (fix,) = told.fixes
    said = ReadOptions().with_fix("alter", fix.setting, fix.value).arguments
    kept = inspect_table(file, **said)
    assert (kept.column("alter").n_missing, kept.column("alter").findings) == (0, ())
    assert not np.isnan(read_table(file, **said).values[:, 0]).any()


def test_a_label_that_may_mean_0_is_only_asked_about(tmp_path: Path) -> None:
    report = inspect_table(_ages(tmp_path, 0, "none"))
    assert report.column("alter").n_missing == 0
    assert _asked(report, "alter") == ["0"]


def test_of_many_columns_with_the_same_labelled_code_one_line_tells(tmp_path: Path) -> None:
    n = np.arange(120)
    frame = pd.DataFrame({f"q{k}": np.where(n % 9 == k, 99.0, n % 11 + k) for k in range(3)})
    frame["y"] = np.where(n % 2, "yes", "no")
    labels = {f"q{k}": {99: "no answer"} for k in range(3)}
    pyreadstat.write_sav(frame, tmp_path / "t.sav", variable_value_labels=labels)
    report = inspect_table(tmp_path / "t.sav")
    (told,) = (f for f in together(report.findings) if is_told(f, report))
    assert "'99' among the numbers of 3 columns, 'q0', 'q1', 'q2', is read" in told.sentence
    assert told.fixes[0].value == "q0\0q1\0q2"


def answers(cells, name):
    """Write a table whose column of this name has these cells, the last of them seldom."""
    rows = []
    for n in range(120):
        cell = (
            cells[-1 - (n % 16 == 7) * (cells[-2] == "8")]
            if n % 8 == 7
            else cells[n % (len(cells) - 1)]
        )
        own = {"x": "pq"[n % 3 > 0], "y": "pq"[n % 3 > 0], name: cell}
        rows.append(f"{n % 7}.5,{own['x']},{n % 5},{own['y']}")
    return ("t.csv", "\n".join(["a,x,b,y", *rows]).encode())


@pytest.mark.parametrize(
    ("cells", "codes"),
    [
        (["yes", "no", "yes", "9"], "9"),
        (["ja", "nein", "-9"], "-9"),
        (["single", "married", "widowed", "99"], "99"),
        (["m", "f", "8", "9"], "8\0" + "9"),
        (["low", "high", "-1"], "-1"),
        (["1 = low", "2 = high", "999"], "999"),
        (["0", "1", "0", "9"], "9"),
        (["1", "2", "9"], "9"),
        (["1", "2", "3", "4", "8", "9"], "8\0" + "9"),
        (["0", "1", "-1"], "-1"),
    ],
)
@pytest.mark.parametrize("asked", ["x", "y"])
def test_a_code_among_answers_is_asked_about(cells, codes, asked):
    if asked == "y" and "3" in cells:
        return  # classes that are numbers are taken as they stand
    source = answers(cells, asked)
    report = inspect_table(source, target="y")
    found = [f for f in report.column(asked).findings if f.kind == "maybe missing"]
    assert [(f.fixes[0].value, is_question(f, report)) for f in found] == [(codes, True)]
    reading = ReadOptions(target="y").with_fix(asked, "missing", found[0].fixes[0].value)
    later = inspect_table(source, target="y", **reading.arguments)
    assert "maybe missing" not in [f.kind for f in later.findings]


@pytest.mark.parametrize(
    "cells",
    [["7", "8", "9"], ["1", "2", "4", "5", "7", "9"], ["a", "9"], ["3+", "1", "9"], ["0", "9"]],
)
def test_numbers_among_numbers_are_no_codes(cells):
    report = inspect_table(answers(cells, "x"), target="y")
    assert not [f for f in report.column("x").findings if f.kind == "maybe missing"]


LABELLED = {
    "back": {1: "same level", 2: "lower level", -99: "nicht erreicht"},
    "job": {1: "office", 2: "field", -5: "not in this version", 8: "refused"},
    "hours": {-8: "not applicable"},
    "mood": {-1: "worse", 0: "same", 1: "better"},
}


@pytest.fixture
def labelled(tmp_path):
    n = np.arange(120)
    frame = pd.DataFrame(
        {
            "back": np.where(n % 10 == 0, -99.0, 1.0 + n % 2),
            "job": np.where(n % 12 == 0, -5.0, np.where(n % 7 == 0, 8.0, 1.0 + n % 2)),
            "hours": np.where(n % 9 == 0, -8.0, n % 37 + 0.5),
            "mood": n % 3 - 1.0,
        }
    )
    pyreadstat.write_sav(frame, tmp_path / "t.sav", variable_value_labels=LABELLED)
    return tmp_path / "t.sav"


def _asked(report: TableReport, name: str) -> list[str]:
    found = [f for f in report.column(name).findings if f.kind == "maybe missing"]
    assert all(is_question(f, report) for f in found)
    return [text for f in found for text in str(f.fixes[0].value).split(SEVERAL)]


@pytest.mark.parametrize("target", ["back", "mood"])
def test_codes_with_labels_are_asked_about_by_sign_and_by_label(labelled, target) -> None:
    report = inspect_table(labelled, target=target)
    assert _asked(report, "back") == ["nicht erreicht"]
    assert _asked(report, "job") == ["not in this version", "refused"]
    assert not _asked(report, "hours")
    assert report.column("hours").n_missing == 14
    assert not _asked(report, "mood")


def _hours(folder: Path, label: str) -> Path:
    hours = [float(n % 40) for n in range(90)] + [996.0] * 10
    frame = pd.DataFrame({"hrs": hours, "g": ["a", "b"] * 50, "y": ["yes", "no", "no", "no"] * 25})
    pyreadstat.write_sav(frame, folder / "t.sav", variable_value_labels={"hrs": {996.0: label}})
    return folder / "t.sav"


def test_a_labelled_code_is_asked_about_by_its_label_and_may_count_as_0(tmp_path: Path) -> None:
    file = _hours(tmp_path, "Does not work")
    report = inspect_table(file)
    (asked,) = (f for f in report.column("hrs").findings if f.kind == "maybe missing")
    assert "996 ('Does not work') in 10 rows" in asked.sentence
    assert is_question(asked, report)
    missing, zero = asked.fixes
    assert (missing.label, zero.label) == ("Treat '996' as missing", "Count it as 0")
    said = ReadOptions().with_fix("hrs", zero.setting, zero.value)
    read = inspect_table(file, **said.arguments)
    assert [f.kind for f in read.column("hrs").findings] == []
    assert any("count as 0" in f.sentence and f.fixes for f in read.findings)
    data = read_table(file, **said.arguments)
    assert data.values[90:, 0].tolist() == [0.0] * 10
    schema = Schema.from_dict(data.schema.to_dict())
    later = read_table(csv("hrs,g", "996,a", "Does not work,b", "12,a"), schema=schema)
    assert later.values[:, 0].tolist() == [0.0, 0.0, 12.0]


def test_other_labels_do_not_count_as_0(tmp_path: Path) -> None:
    report = inspect_table(_hours(tmp_path, "40 hours or more"))
    (asked,) = (f for f in report.column("hrs").findings if f.kind == "maybe missing")
    assert [fix.value for fix in asked.fixes] == ["996"]


@pytest.mark.parametrize(
    ("last", "is_asked"),
    [
        ("Omitted", True),
        ("Omitted or invalid", True),
        ("Not administered", True),
        ("Invalid", True),
        ("keine Angabe", True),
        ("Strongly agree", False),
        ("Valid", False),
    ],
)
def test_a_small_code_is_asked_about_by_a_label_of_large_studies(tmp_path, last, is_asked) -> None:
    n = np.arange(120)
    frame = pd.DataFrame({"q": np.where(n % 9 == 0, 9.0, 1.0 + n % 4), "y": n % 2})
    words = {1: "Never", 2: "Seldom", 3: "Often", 4: "invalid" if last == "Valid" else "Always"}
    labels = {"q": {**words, 9: last}, "y": {0: "no", 1: "yes"}}
    pyreadstat.write_sav(frame, tmp_path / "t.sav", variable_value_labels=labels)
    report = inspect_table(tmp_path / "t.sav", target="y")
    assert _asked(report, "q") == ([last] if is_asked else [])


@pytest.mark.parametrize("word", ["NSP", "NR", "N/R", "b.d.", "NC", "n.k."])
def test_a_category_that_is_read_as_missing_in_another_column_is_asked_about(word: str) -> None:
    rows = [
        f"{word if n % 11 == 3 else n % 37},{word if n % 7 == 2 else 'rgb'[n % 3]},{n % 2}"
        for n in range(220)
    ]
    report = inspect_table(csv("delay,group,y", *rows), types={"y": "nominal"})
    assert report.column("delay").type == "numeric"
    (asked,) = report.column("group").findings
    assert asked.severity == "warning"
    assert f"has {word!r} in 32 rows" in asked.sentence
    assert "read as missing in column 'delay'" in asked.sentence
    assert asked.fixes[0].value == word
    assert is_question(asked, report)


def test_a_common_word_that_is_missing_among_numbers_is_no_question_elsewhere() -> None:
    rows = [
        f"{'closed' if n % 11 == 3 else n % 37},{'closed' if n % 7 == 2 else 'open'},{n % 2}"
        for n in range(220)
    ]
    report = inspect_table(csv("delay,state,y", *rows), types={"y": "nominal"})
    assert report.column("delay").type == "numeric"
    assert not report.column("state").findings


@pytest.mark.parametrize(
    "word", ["(blank)", "(No value)", "(not set)", "--None--", "(Leer)", "Please select"]
)
def test_words_of_programs_for_nothing_chosen_are_known(word: str) -> None:
    rows = [
        f"{word if n % 9 == 0 else n % 40},{word if n % 5 == 0 else 'uvw'[n % 3]},{'ab'[n % 2]}"
        for n in range(180)
    ]
    report = inspect_table(("t.csv", "\n".join(["amount,source,y", *rows]).encode()))
    assert (report.column("amount").type, report.column("amount").n_missing) == ("numeric", 20)
    (found,) = (f for f in report.column("source").findings if f.kind == "maybe missing")
    assert found.fixes[0].label == f"Treat {word!r} as missing"
