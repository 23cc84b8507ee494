"""Values that a model knows by other words are matched by what somebody says."""

import json

import numpy as np
import pytest

from probtrees.errors import DataError, OptionError
from probtrees.table.cells.recode import guess_values
from probtrees.table.column_profile import profile_table
from probtrees.table.dataset import UNSEEN, Schema
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import (
    UnmatchedValuesError,
    find_unmatched,
    read_rows,
    read_table,
    read_to_predict,
)

RAW = "sex,arm,done,came\n" + "".join(
    f"{1 + i % 2},{'AB'[i % 3 == 0]},{i % 3 % 2},{'ny'[i % 5 == 0]}\n" for i in range(60)
)
LABELS = b"sex,arm,done\nMale,Active,Checked\nFemale,Placebo,Unchecked\nMale,Placebo,Unchecked\n"


@pytest.fixture(scope="module")
def trained():
    data = read_table(("train.csv", RAW.encode()))
    return data.schema, profile_table(data)


def test_columns_of_other_words_are_named_with_their_values(trained):
    sex, arm = find_unmatched(("new.csv", LABELS), trained[0], None, trained[1])
    assert (sex.name, sex.texts, sex.known, sex.is_number) == (
        "sex",
        ("Male", "Female"),
        ("1", "2"),
        True,
    )
    assert (arm.texts, arm.known) == (("Placebo", "Active"), ("A", "B"))
    assert arm.guess == {"Active": "A"}
    assert "'1', '2'; here it has 'Male', 'Female'" in sex.sentence
    assert sex.remedy.endswith("--recode sex=Male=VALUE --recode sex=Female=VALUE.")
    assert "--recode arm=Active=A" in arm.remedy
    only = ReadOptions(unused=("sex",))
    (left,) = find_unmatched(("n.csv", LABELS), trained[0], only, trained[1])
    assert left.name == "arm"


def _kinds(*words: str) -> tuple[str, bytes]:
    return "new.csv", ("sex,arm,done\n" + "".join(f"1,{word},0\n" for word in words)).encode()


def test_a_few_unknown_words_among_known_ones_are_named_with_their_rows(trained):
    words = ["A"] * 150 + ["Activ"] * 4 + ["C"] * 45 + ["typo"] * 3
    (arm,) = find_unmatched(_kinds(*words), trained[0], None, trained[1])
    assert (arm.texts, arm.rows, arm.known) == (("C",), (45,), ("A", "B"))
    assert arm.sentence.startswith("'C' in 45 rows of column 'arm' was never seen in training")
    assert arm.remedy == "If one of these is meant, say which: --recode arm=C=VALUE."
    (arm,) = find_unmatched(_kinds(*words[:154]), trained[0], None, trained[1])
    assert (arm.texts, arm.rows, arm.guess) == (("Activ",), (4,), {"Activ": "A"})  # 2 % of them
    layout = ReadOptions(unused=("arm",))
    assert not find_unmatched(_kinds(*words), trained[0], layout, trained[1])
    layout = ReadOptions(recoded={"arm": (("C", "B"),)})
    assert not find_unmatched(_kinds(*words), trained[0], layout, trained[1])
    names = [f"place {n}" for n in range(9)] * 6
    assert not find_unmatched(_kinds("A", *names), trained[0], None, trained[1])
    two = find_unmatched(_kinds("A", *names[:2]), trained[0], None, trained[1])
    assert "'place 0' in 1 row and 'place 1' in 1 row of column 'arm' were" in two[0].sentence


def test_words_for_numbers_are_refused_unless_nobody_asks_for_them(trained):
    with pytest.raises(UnmatchedValuesError, match="--recode sex=Male=VALUE"):
        read_to_predict(("new.csv", LABELS), *trained[:1], None, trained[1])
    rows = read_to_predict(("n.csv", LABELS), trained[0], ReadOptions(unused=("sex",)), trained[1])
    assert np.isnan(rows.values[:, 0]).all()
    assert rows.values[:, 2].tolist() == [1, 0, 0]


@pytest.mark.parametrize("read", ["whole", "row by row"])
def test_values_are_read_as_somebody_says(trained, read):
    said = {"sex": (("Male", "1"), ("Female", "")), "arm": (("Active", "A"), ("Other", "B"))}
    layout = ReadOptions(recoded=said)
    source = ("new.csv", LABELS)
    if read == "whole":
        rows = read_to_predict(source, trained[0], layout, trained[1])
    else:
        rows, problems = read_rows(source, trained[0], layout, trained[1])
        assert not problems
    np.testing.assert_array_equal(rows.values[:, 0], [1, np.nan, 1])
    assert rows.values[:, 1].tolist() == [0, UNSEEN, UNSEEN]
    notes = " ".join(rows.provenance.notes)
    assert "Column 'sex': 3 cells read as said, 'Male' as '1', 'Female' as missing." in notes
    assert "Column 'arm': 1 cell read as said, 'Active' as 'A'." in notes
    given = {name: dict(pairs) for name, pairs in said.items()}
    given["done"] = {"Checked": "1", "Unchecked": "0"}  # known by itself where a profile is
    again = read_table(source, schema=trained[0], recoded=given)
    np.testing.assert_array_equal(again.values, rows.values)


def test_what_the_model_does_not_hold_is_refused(trained):
    for said, words in (
        ({"sexx": (("Male", "1"),)}, "column='sexx' must be a column of the model"),
        ({"arm": (("Active", "C"),)}, "value='C' of column 'arm' must be a value that the model"),
        ({"sex": (("Male", "one"),)}, "value='one' of column 'sex' must be a number"),
    ):
        with pytest.raises(DataError, match=words):
            read_to_predict(("n.csv", LABELS), trained[0], ReadOptions(recoded=said))
    with pytest.raises(OptionError, match=r"recoded=\['sex'\] must go with a schema"):
        read_table(("train.csv", RAW.encode()), recoded={"sex": {"1": "2"}})


@pytest.mark.parametrize(
    ("texts", "known", "meant"),
    [
        (("Nein", "Ja"), ("0", "1"), {"Nein": "0", "Ja": "1"}),
        (("Yes", "No"), ("1", "2"), {}),
        (("0", "1"), ("Non", "Oui", "NSP"), {"0": "Non", "1": "Oui"}),
        (("negative", "positive"), ("neg", "pos"), {"negative": "neg", "positive": "pos"}),
        (("f", "m"), ("Frau", "Mann"), {"f": "Frau", "m": "Mann"}),
        (("1", "2"), ("Male", "Female"), {}),
        (("1", "2"), ("1 = low", "2 = high"), {"1": "1 = low", "2": "2 = high"}),
        (("low", "mid", "high"), ("1", "2", "3"), {}),
        (("mod.", "sev."), ("mild", "moderate", "severe"), {"mod.": "moderate", "sev.": "severe"}),
        (("Married", "Male"), ("m",), {}),
        (("7", "8"), ("Y7", "Y8", "Y9"), {"7": "Y7", "8": "Y8"}),
        (("Year 7", "Year 8"), ("7", "8"), {"Year 7": "7", "Year 8": "8"}),
        (("7", "8"), ("Y7", "B8"), {}),
        (("7", "other"), ("Y7", "Y8", "Sixth form"), {"7": "Y7"}),
        (("Y7",), ("K7", "K8"), {}),
        (("Okoro", "Dr. Lee"), ("Mr Okoro", "Lee"), {"Okoro": "Mr Okoro", "Dr. Lee": "Lee"}),
        (("Okoro",), ("Mr Okoro", "Mrs Okoro"), {}),
        (("married",), ("not married",), {}),
        (("Mathematics", "Art"), ("Maths", "PE"), {"Mathematics": "Maths"}),
        (("Maths",), ("Mathematics", "Mathematical logic"), {"Maths": "Mathematics"}),
        (("Physics",), ("Physical Education",), {}),
    ],
)
def test_only_what_words_tell_is_guessed(texts, known, meant):
    assert guess_values(texts, known) == meant


def test_other_words_for_joined_values_are_said():
    table = "calm,c\n" + "ja,x\nNein,y\nJA,x\nnein,y\n" * 5
    data = read_table(("t.csv", table.encode()), join_values=["calm"])
    rows, _ = read_rows(("n.csv", b"calm\nyes\nno\nja\n"), data.schema)
    assert rows.values[:, 0].tolist() == [0, 1, 0]
    (note,) = (note for note in rows.provenance.notes if "'calm'" in note)
    assert "written 'yes'" in note
    assert "written 'ja'" not in note


def test_words_that_were_joined_are_known_again_in_the_next_table():
    """Another month is written like the one before."""
    table = "sex,c\n" + "m,x\nM,y\nF,x\nFemale,x\nMale,y\nU,y\n" * 40
    data = read_table(("t.csv", table.encode()), join_values=["sex"])
    kept = Schema.from_dict(json.loads(json.dumps(data.schema.to_dict())))
    new = b"sex\nm\nMale\nMALE\nF\nFemale\nU\nz\n"
    assert find_unmatched(("n.csv", new), kept, None, profile_table(data))[0].texts == ("z",)
    rows, _ = read_rows(("n.csv", new), kept)
    male, female, other = (data.schema.columns[0].codes[sex] for sex in ("M", "F", "U"))
    known = [male, male, male, female, female, other, UNSEEN]
    assert rows.values[:, 0].tolist() == known
    assert not any("written 'Male'" in note for note in rows.provenance.notes)


@pytest.mark.parametrize("words", ["Girl Boy", "Mädchen Junge", "Fille Garçon", "Niña Niño"])
@pytest.mark.parametrize("known", ["F M", "Female Male", "w m"])
def test_girls_and_boys_are_the_sexes_that_a_model_knows(words, known):
    girl, boy = words.split()
    female, male = known.split()
    assert guess_values([girl, boy], [female, male]) == {girl: female, boy: male}
    assert guess_values([female, male], [girl, boy]) == {female: girl, male: boy}


def test_men_beside_boys_are_not_guessed():
    assert "Boy" not in guess_values(["Boy", "Man"], ["F", "M"])
