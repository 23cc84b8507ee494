"""Several outcomes of the target are one against all others, if somebody wants it."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from probtrees.table.cells.same_words import join_keys
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.errors import DataError
from probtrees.experiment.fit import fit, load_model
from probtrees.scale.passes.open_chunks import open_chunks, open_with_schema
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table, read_to_predict

ANSWERS = ("Very unlikely", "Unlikely", "Undecided", "Likely", "Very likely")
TOP = ("Likely", "Very likely")


def _survey(answers: tuple[str, ...] = ANSWERS) -> tuple[str, bytes]:
    rows = (f"{n % 5 * 10 + n % 3},{answers[n % 5]}" for n in range(100))
    return "t.csv", "\n".join(["x,leave", *rows]).encode()


def test_two_outcomes_are_one_against_the_rest(tmp_path) -> None:
    data = read_table(_survey(), join_outcomes=TOP)
    assert set(data.schema.classes) == {"Likely or Very likely", "other"}
    joined = data.schema.classes.index("Likely or Very likely")
    assert (data.values[:, -1] == joined).sum() == 40
    path = tmp_path / "m.json"
    fit(data, "c45", "laplace").save(path)
    model = load_model(path)
    again = read_to_predict(_survey(), model.schema)
    assert (again.values[:, -1] == data.values[:, -1]).all()


def test_numbers_as_outcomes_are_joined() -> None:
    report = inspect_table(_survey(("1", "2", "3", "4", "5")), join_outcomes=["4", "5"])
    assert dict(report.class_counts) == {"4 or 5": 40, "other": 60}


def test_it_is_said_with_the_way_back_and_slips_are_refused() -> None:
    report = inspect_table(_survey(), join_outcomes=TOP)
    (said,) = (f for f in report.findings if "are one outcome" in f.sentence)
    (fix,) = said.fixes
    options = ReadOptions(join_outcomes=TOP).with_fix("leave", fix.setting, fix.value)
    assert options.join_outcomes == ()
    assert not inspect_table(_survey(), join_outcomes=["likly"]).usable
    with pytest.raises(DataError, match="must have the outcome 'likly'"):
        read_table(_survey(), join_outcomes=["likly"])


LISTED = {"POS": 30, "pos.": 40, "Positive": 20, "neg": 70, "NEG": 30, "unclear": 10}


def _counted(rows: dict[str, int]) -> tuple[str, bytes]:
    cells = [text for text, n in rows.items() for _ in range(n)]
    table = io.StringIO()
    csv.writer(table).writerows([("x", "res"), *((n % 7, text) for n, text in enumerate(cells))])
    return "t.csv", table.getvalue().encode()


def _classes(data) -> list[str]:
    return [data.schema.classes[int(code)] for code in data.values[:, -1]]


def test_what_is_spelt_like_a_joined_outcome_is_joined_too() -> None:
    joined = {"join_values": ["res"], "join_outcomes": ["POS", "Positive"]}
    report = inspect_table(_counted(LISTED), "res", **joined)
    assert dict(report.class_counts) == {"POS or Positive": 90, "other": 110}
    alone = inspect_table(_counted(LISTED), "res", join_outcomes=["POS", "Positive"])
    assert dict(alone.class_counts) == {"POS or Positive": 50, "other": 150}
    fixes = [fix.setting for found in alone.column("res").findings for fix in found.fixes]
    assert "join" in fixes  # 'pos.' is asked about


def test_the_only_outcome_left_keeps_its_name() -> None:
    rows = {"aucune": 80, "partielle": 15, "totale": 9}
    data = read_table(_counted(rows), "res", join_outcomes=["partielle", "totale"])
    assert set(data.schema.classes) == {"partielle or totale", "aucune"}
    assert _classes(data).count("aucune") == 80
    (said,) = (note for note in data.provenance.notes if "are one outcome" in note)
    assert said.endswith("are one outcome, against 'aucune'.")
    new = read_to_predict(_counted({"aucune": 1, "sans": 1, "Totale": 1}), data.schema)
    assert np.isin(new.values[:, -1], [0, 1]).tolist() == [True, False, True]


def test_names_that_are_taken_are_not_given_again() -> None:
    rows = {"other": 9, "Others": 4, "OTHER": 3, "a": 8, "b": 7, "a or b": 5}
    said = {"join_values": ["res"], "join_outcomes": ["OTHER", "Others"]}
    assert dict(inspect_table(_counted(rows), "res", **said).class_counts) == {
        "OTHER or Others": 16,
        "(all others)": 20,
    }
    both = read_table(_counted(rows), "res", join_outcomes=["a", "b"])
    assert _classes(both).count("a or b") == 20
    again = read_to_predict(_counted(rows), both.schema)
    np.testing.assert_array_equal(again.values[:, -1], both.values[:, -1])


def test_numbers_are_joined_however_they_are_written() -> None:
    data = read_table(_counted({"1": 9, "2": 8, "3.0": 7, "3": 6}), "res", join_outcomes=["2", "3"])
    assert _classes(data).count("2 or 3") == 21
    again = read_to_predict(_counted({"3.00": 2, "2.0": 3, "1.0": 4}), data.schema)
    assert [data.schema.classes[int(code)] for code in again.values[:, -1]] == (
        ["2 or 3"] * 5 + ["1"] * 4
    )


WORDS = ("POS", "pos.", "Positive", "positive", "neg", "NEG.", "Negative", "n/k", "other", "Others")


@given(
    rows=st.dictionaries(st.sampled_from(WORDS), st.integers(5, 30), min_size=3),
    n_named=st.integers(1, 3),
    is_joined=st.booleans(),
    is_grouped=st.booleans(),
    seed=st.integers(0, 99),
)
def test_spellings_are_joined_before_outcomes(
    tmp_path_factory, rows, n_named, is_joined, is_grouped, seed
) -> None:
    """Whatever is joined, a row is one of the named iff the plain reading says so."""
    assume(not is_joined or len(set(join_keys(rows))) > 1)  # one class is refused, named or not
    order = np.random.default_rng(seed).permutation(list(rows)).tolist()
    said: dict = {"join_values": ["res"] * is_joined, "group_values": ["res"] * is_grouped}
    plain = _classes(read_table(_counted(rows), "res", **said))
    words = [text for text, n in rows.items() for _ in range(n)]
    named = order[:n_named]
    wanted = {outcome for word, outcome in zip(words, plain, strict=True) if word in named}
    expected = [outcome in wanted for outcome in plain]
    said["join_outcomes"] = named
    if all(expected):
        with pytest.raises(DataError, match="at least two classes"):
            read_table(_counted(rows), "res", **said)
        return
    data = read_table(_counted(rows), "res", **said)
    name = " or ".join(named)
    assert [outcome == name for outcome in _classes(data)] == expected
    if len(left := set(plain) - wanted) == 1:
        assert set(data.schema.classes) == {name} | left
    scored = read_to_predict(_counted(rows), data.schema)
    np.testing.assert_array_equal(scored.values[:, -1], data.values[:, -1])
    path = tmp_path_factory.mktemp("joined") / "t.csv"
    path.write_bytes(_counted(rows)[1])
    for table in (open_chunks(path, "res", **said), open_with_schema(path, data.schema)):
        found = np.concatenate([chunk.values for chunk in table.chunks()])
        np.testing.assert_array_equal(found[:, -1], data.values[:, -1])


def test_a_rare_spelling_of_an_outcome_is_no_rare_class() -> None:
    def rare(words: str) -> list[str]:
        cells = ["NO"] * 980 + words.split()[:1] * 207 + words.split()[1:] * 13
        rows = [f"{n % 17},{cell}" for n, cell in enumerate(cells)]
        report = inspect_table(("t.csv", "\n".join(["x,y", *rows]).encode()))
        return [f.sentence[:35] for f in report.findings if f.kind == "rare class"]

    assert rare("SI Sì") == []
    assert rare("SI forse") == ["Only 13 of 1,200 rows are of class "]
