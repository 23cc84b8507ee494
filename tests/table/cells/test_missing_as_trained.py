"""What meant missing in training means so in later tables, however it is written there."""

from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from probtrees.scale.passes.open_chunks import open_with_schema
from probtrees.table.dataset import Dataset
from probtrees.table.read_table import read_rows, read_table

LABELS = {1.0: "never", 2.0: "sometimes", 3.0: "often", 9.0: "no answer"}


@pytest.fixture(scope="module")
def survey(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    path = tmp_path_factory.mktemp("survey") / "survey.sav"
    frame = pd.DataFrame(
        {
            "fear": [[1.0, 2.0, 3.0, 9.0][n % 4] for n in range(60)],
            "dose": [n * 7 % 50 + 0.5 if n % 9 else -97.0 for n in range(60)],
            "ill": [float(n % 3 == 0) for n in range(60)],
        }
    )
    pyreadstat.write_sav(
        frame,
        path,
        variable_value_labels={"fear": LABELS},
        missing_ranges={"fear": [9], "dose": [{"lo": -99, "hi": -90}]},
    )
    return read_table(path)


def test_a_model_remembers_what_its_file_declares_missing(survey: Dataset) -> None:
    fear, dose = survey.schema.features
    assert fear.categories == ("never", "sometimes", "often")
    assert {"9", "no answer"} <= set(fear.spelling.missing)
    assert {"-99", "-97", "-90"} <= set(dose.spelling.missing)


def test_a_note_says_what_is_missing_because_the_file_declares_it(survey: Dataset) -> None:
    (note,) = [n for n in survey.provenance.notes if "declares" in n]
    assert note.startswith(
        "Read as missing, since the file declares it: '9' in 15 cells of 'fear'; "
        "'-97' in 7 cells of 'dose'."
    )


def test_a_file_that_declares_nothing_missing_has_no_such_note(tmp_path: Path) -> None:
    frame = pd.DataFrame({"x": [float(n % 7) for n in range(40)], "y": ["a", "b"] * 20})
    pyreadstat.write_sav(frame, tmp_path / "plain.sav", missing_ranges={"x": [99]})
    assert not any("declares" in n for n in read_table(tmp_path / "plain.sav").provenance.notes)


@pytest.mark.parametrize("written", ["9", "9,0", "9.0", "no answer", "No answer "])
def test_declared_codes_are_missing_in_a_text(survey: Dataset, written: str) -> None:
    later = "fear;dose\n1;3,5\n" + f"{written};7\nsometimes;-97\n"
    rows, problems = read_rows(("later.csv", later.encode()), survey.schema)
    assert not problems
    np.testing.assert_array_equal(rows.values[:, 0], [0.0, np.nan, 1.0])
    np.testing.assert_array_equal(rows.values[:, 1], [3.5, 7.0, np.nan])
    (note,) = [n for n in rows.provenance.notes if "missing" in n]
    assert note.startswith("Read as missing, as in training: ")
    assert f"{written.strip()!r} in 1 cell of 'fear'" in note


def test_declared_codes_are_missing_in_chunks(survey: Dataset, tmp_path: Path) -> None:
    path = tmp_path / "later.csv"
    path.write_text("fear,dose\n1,3.5\n9.0,-97\n2,7\n")
    table = open_with_schema(path, survey.schema, to_predict=True)
    (chunk,) = table.chunks()
    np.testing.assert_array_equal(chunk.values[:, 0], [0.0, np.nan, 1.0])


@pytest.mark.parametrize("written", ["999", "999,0", "999 kg"])
def test_what_somebody_said_means_missing_does_so_later(written: str) -> None:
    lines = [f"{999 if n % 9 == 0 else n};{'xy?'[n % 3]}u;{'ab'[n % 2]}" for n in range(60)]
    content = "\n".join(["w;c;y", *lines]).encode()
    trained = read_table(("t.csv", content), missing_in={"w": ["999"], "c": ["?u"]})
    later = f"w;c\n50;xu\n{written};?U\n".encode()
    rows, _ = read_rows(("later.csv", later), trained.schema)
    np.testing.assert_array_equal(rows.values[:, :2], [[50, 0], [np.nan, np.nan]])


def test_letters_of_stata_are_missing_too(tmp_path: Path) -> None:
    cells = [[1.0, 2.0, "a"][n % 3] for n in range(30)]
    frame = pd.DataFrame({"q": cells, "y": [float(n % 2) for n in range(30)]})
    labels = {"q": {1: "no", 2: "yes", "a": "refused"}}
    path = tmp_path / "t.dta"
    pyreadstat.write_dta(
        frame, path, missing_user_values={"q": ["a"]}, variable_value_labels=labels
    )
    schema = read_table(path).schema
    rows, _ = read_rows(("later.csv", b"q\nyes\nrefused\n.a\n"), schema)
    np.testing.assert_array_equal(rows.values[:, 0], [1.0, np.nan, np.nan])


@pytest.mark.parametrize("written", ["8", "8.0", '"8,0"', "Don't know"])
@pytest.mark.parametrize("other", ["3", "Agree"])
def test_codes_of_a_label_that_somebody_took_as_missing_are_so_later(
    tmp_path: Path, written: str, other: str
) -> None:
    labels = {1: "Disagree", 2: "Neither", 3: "Agree", 8: "Don't know"}
    codes = [(1, 2, 3, 8)[n % 4] for n in range(80)]
    frame = pd.DataFrame({"trust": codes, "ill": [n % 3 % 2 for n in range(80)]})
    pyreadstat.write_dta(frame, tmp_path / "t.dta", variable_value_labels={"trust": labels})
    schema = read_table(tmp_path / "t.dta", missing_in={"trust": ["Don't know"]}).schema
    rows, problems = read_rows(("n.csv", f"trust\n{written}\n{other}\n".encode()), schema)
    assert not problems
    assert np.isnan(rows.values[0, 0])
    assert rows.values[1, 0] == 2
    assert any("Read as missing, as in training" in note for note in rows.provenance.notes)
