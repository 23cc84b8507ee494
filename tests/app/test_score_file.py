"""*Score a file*: columns that lack, that are named otherwise, or that are in another scale."""

from datetime import date

import pytest
from streamlit.testing.v1 import AppTest

SCORE = """
from probtrees.experiment.fit import fit
from probtrees.table.read_table import load_sample
from probtrees.ui.shared.score_file import ask_file

ask_file(fit(load_sample("titanic"), "c45", "laplace"))
"""
LACKING = ("new.csv", b"Class,SEX\n1st,female\n3rd,male\n", "text/csv")
RENAMED = ("named.csv", b"Class,SEX,Age [y]\n1st,Female,adult\n3rd,male,ADULT \n", "text/csv")
STRANGE = ("strange.csv", b"Class,SEX,group\n1st,female,adult\n3rd,male,adult\n", "text/csv")
OTHER = ("other.csv", b"a,b\n1,2\n", "text/csv")


def test_a_column_that_the_file_lacks_is_taken_as_not_recorded() -> None:
    page = AppTest.from_string(SCORE, default_timeout=180).run()
    page.file_uploader[0].set_value(LACKING).run()
    said = page.error[0].value.replace("\\", "")
    assert "Column 'age' must be in 'new.csv'" in said
    assert "not-recorded" not in said
    without = page.toggle[-1]
    assert without.label.replace("\\", "") == "Take 'age' as not recorded"
    without.set_value(True).run()
    assert not page.error
    assert (
        page.dataframe[0].value["odd"].tolist()
        == ["not recorded, though always in training: age"] * 2
    )
    page.toggle[-1].set_value(False).run()
    assert page.error
    page.file_uploader[0].set_value(RENAMED).run()
    same = page.toggle[1]
    assert same.label.replace("\\", "") == "Take 'Age [y]' as 'age'"
    same.set_value(True).run()
    assert not page.error
    assert page.dataframe[0].value["odd"].tolist() == ["", ""]
    page.file_uploader[0].set_value(STRANGE).run()
    which = next(box for box in page.selectbox if "age" in box.label)
    assert which.value is None
    which.set_value("group").run()
    assert not page.error
    assert page.dataframe[0].value["odd"].tolist() == ["", ""]
    page.file_uploader[0].set_value(OTHER).run()
    said = page.error[0].value.replace("\\", "")
    assert "has no column in common with the table that the model was learnt from" in said
    assert "it has 'a', 'b', and the model asks for" in said
    assert len(page.toggle) == 1


PERCENT = """
from probtrees.experiment.fit import fit
from probtrees.table.read_table import read_table
from probtrees.ui.shared.score_file import scores_tab

rows = "".join(f"{n % 40 + 0.5} %,{'yes' if n % 40 > 20 else 'no'}\\n" for n in range(80))
tab = scores_tab(lambda _: fit(read_table(("t.csv", f"rise,left\\n{rows}".encode())), "c45", "mle"))
tab.remark(tab.ask(None))
"""
SHARES = ("new.csv", b"rise\n0.05\n0.35\n", "text/csv")


def test_numbers_without_percent_signs_are_taken_as_shares_by_a_switch() -> None:
    page = AppTest.from_string(PERCENT, default_timeout=180).run()
    page.file_uploader[0].set_value(SHARES).run()
    assert not page.exception
    said = " ".join(caption.value for caption in page.caption).replace("\\", "")
    assert "if they are shares of 1, say so." in said
    assert "--" not in said
    switch = page.toggle[-1]
    assert switch.label.replace("\\", "") == "Take the numbers of 'rise' as shares of 1"
    answers = page.dataframe[0].value["predicted left"].tolist()
    assert answers == ["no", "no"]
    switch.set_value(True).run()
    assert not page.exception
    assert page.toggle[-1].value
    assert page.dataframe[0].value["predicted left"].tolist() == ["no", "yes"]


USE = """
from probtrees.experiment.fit import fit
from probtrees.table.read_table import read_table
from probtrees.ui.shared.score_file import ask_file

lines = [f"{5 + i % 90}.5,{'ab'[i % 2]},{'ny'[i % 90 > 40]}" for i in range(300)]
table = "\\n".join(["use,kind,bad", *lines])
ask_file(fit(read_table(("t.csv", table.encode())), "c45", "laplace"))
"""
HUNDREDTHS = ("new.csv", b"use,kind\n" + b"0.8,1\n0.7,2\n" * 3, "text/csv")


def test_a_column_in_another_scale_is_said_and_multiplied_by_a_click() -> None:
    page = AppTest.from_string(USE, default_timeout=180).run()
    page.file_uploader[0].set_value(HUNDREDTHS).run()
    assert "'use' seems to be in another scale" in page.warning[0].value.replace("\\", "")
    assert not page.error  # the tree never asks for 'kind', whose values are all other ones
    assert page.dataframe[0].value["predicted bad"].tolist() == ["n"] * 6
    times = next(toggle for toggle in page.toggle if "by 100" in toggle.label)
    times.set_value(True).run()
    assert page.dataframe[0].value["predicted bad"].tolist() == ["y"] * 6
    assert all("outside" not in odd for odd in page.dataframe[0].value["odd"])


BLOOD = """
from probtrees.experiment.fit import fit
from probtrees.table.read_table import read_table
from probtrees.ui.shared.score_file import scores_tab

rows = [(8 + i % 9, 30 + i * 7 % 60) for i in range(300)]
lines = [f"{hb}.5,{age},{'ny'[hb > 12 or age > 70]}" for hb, age in rows]
table = "\\n".join(["Hb [g/dl],age,ill", *lines])
tab = scores_tab(lambda _: fit(read_table(("t.csv", table.encode())), "c45", "laplace"))
tab.remark(tab.ask(None))
"""
OTHER_UNIT = ("new.csv", b"Hb [g/l],year\n" + b"105,1\n142,2\n131,3\n" * 3, "text/csv")
WITH_AGE = ("aged.csv", OTHER_UNIT[1].replace(b"year", b"age"), "text/csv")


def _shown(text: str) -> str:
    """Return a text as it is read: without escapes, and without what keeps words together."""
    return text.replace("\\", "").replace("\u2060", "")


def test_another_unit_is_converted_and_only_columns_that_still_lack_are_named() -> None:
    page = AppTest.from_string(BLOOD, default_timeout=180).run()
    page.file_uploader[0].set_value(WITH_AGE).run()
    units = "'g/l' in the file, 'g/dl' in training"
    assert f"The units in the names differ: {units}." in _shown(page.error[0].value)
    take = next(toggle for toggle in page.toggle if "Take 'Hb" in _shown(toggle.label))
    change = "'g/l' ÷ 10 → 'g/dl'"
    assert _shown(take.label) == f"Take 'Hb [g/l]' as 'Hb [g/dl]' ({change})"
    take.set_value(True).run()
    assert not page.error
    assert not page.warning
    assert page.dataframe[0].value["predicted ill"].tolist() == ["n", "y", "y"] * 3
    assert all("Hb" not in odd for odd in page.dataframe[0].value["odd"])
    assert any(f"are converted, {change}." in _shown(caption.value) for caption in page.caption)
    switch = next(toggle for toggle in page.toggle if "named unit" in str(toggle.key))
    assert (_shown(switch.label), switch.value) == (f"Hb [g/dl]: {change}", True)
    switch.set_value(False).run()
    assert f"Not converted: Hb [g/dl]: {change}" in _shown(page.warning[0].value)
    said = "maybe in another unit than in training: Hb [g/dl]"
    assert all(said in odd for odd in page.dataframe[0].value["odd"])
    page.file_uploader[0].set_value(OTHER_UNIT).run()
    assert "Columns 'Hb [g/dl]', 'age' must be in" in _shown(page.error[0].value)
    take = next(toggle for toggle in page.toggle if "Take 'Hb" in _shown(toggle.label))
    take.set_value(True).run()
    said = _shown(page.error[0].value)
    assert "Column 'age' must be in 'new.csv', since the model needs it" in said
    assert "Hb" not in said


CODES = """
from probtrees.experiment.fit import fit
from probtrees.table.read_table import read_table
from probtrees.ui.shared.score_file import scores_tab

lines = [f"{1 + i % 2},{'mw'[i // 2 % 2]},{'ny'[i % 4 == 3]}" for i in range(300)]
table = "\\n".join(["arm,sex,ill", *lines])
tab = scores_tab(lambda _: fit(read_table(("t.csv", table.encode())), "c45", "laplace"))
tab.remark(tab.ask(None))
"""
WORDS = ("new.csv", b"arm,sex\nplacebo,Male\nactive,Female\nactive,Male\n", "text/csv")


def test_other_words_for_values_are_matched_by_boxes_at_once_and_guesses_by_a_click() -> None:
    page = AppTest.from_string(CODES, default_timeout=180).run()
    page.file_uploader[0].set_value(WORDS).run()
    assert not page.exception
    assert not page.error
    boxes = {_shown(box.label): box for box in page.selectbox if " is" in box.label}
    assert {label: box.value for label, box in boxes.items()} == {
        "'active' is": None,
        "'placebo' is": None,
        "'Male' is": "m",
        "'Female' is": "w",
    }
    assert all("arm" in odd for odd in page.dataframe[0].value["odd"])
    boxes["'active' is"].set_value("2").run()
    said = " ".join(_shown(caption.value) for caption in page.caption)
    assert "Column 'arm': 2 cells read as said, 'active' as '2'." in said
    assert "Column 'sex'" not in said
    reads = next(t for t in page.toggle if t.label.startswith("Read "))
    assert _shown(reads.label) == "Read 'sex' so"
    reads.set_value(True).run()
    table = page.dataframe[0].value
    assert table["predicted ill"].tolist()[1:] == ["y", "n"]
    assert table["odd"].tolist() == [
        "arm='placebo' is not a number; not recorded, though always in training: arm",
        "",
        "",
    ]
    said = " ".join(_shown(caption.value) for caption in page.caption)
    assert "Column 'arm': 2 cells read as said, 'active' as '2'." in said


def test_a_word_that_training_had_not_is_named_and_matched_by_a_click() -> None:
    page = AppTest.from_string(CODES, default_timeout=180).run()
    rows = b"2,m\n2,w\n" * 70 + b"2,lady<b>\n" * 40
    page.file_uploader[0].set_value(("new.csv", b"arm,sex\n" + rows, "text/csv")).run()
    assert not page.exception
    assert not page.error
    said = " ".join(_shown(line.value) for line in page.markdown)
    assert "in 40 rows of column 'sex' was never seen in training, where it had 'm', 'w'" in said
    assert all("lady<b>" not in line.value for line in page.markdown)  # but escaped
    (box,) = (box for box in page.selectbox if box.label.endswith(" is"))
    box.set_value("w").run()
    assert not page.exception
    assert not [t for t in page.toggle if t.label.startswith("Read ")]
    assert page.dataframe[0].value["odd"].tolist() == [""] * 20
    said = " ".join(_shown(caption.value) for caption in page.caption)
    assert "180 rows scored, 0 with unseen values" in said
    assert "Column 'sex': 40 cells read as said" in said


FAHRENHEIT = """
from probtrees.experiment.fit import fit
from probtrees.table.read_table import read_table
from probtrees.ui.shared.score_file import ask_file

rows = "".join(f"{97 + n % 80 / 10:.1f},{'yes' if n % 80 > 40 else 'no'}\\n" for n in range(240))
ask_file(fit(read_table(("t.csv", f"temp,ill\\n{rows}".encode())), "c45", "mle"))
"""
CELSIUS = ("new.csv", b"temp\n36.6\n36.9\n39.5\n40\n37\n", "text/csv")


def test_a_column_in_another_unit_is_converted_by_a_switch() -> None:
    page = AppTest.from_string(FAHRENHEIT, default_timeout=180).run()
    page.file_uploader[0].set_value(CELSIUS).run()
    assert not page.exception
    assert "in °C, in training it was in °F" in page.warning[0].value.replace("\\", "")
    assert page.dataframe[0].value["predicted ill"].tolist() == ["no"] * 5
    switch = page.toggle[-1]
    assert switch.label.replace("\\", "") == "Convert 'temp' from °C to °F"
    switch.set_value(True).run()
    assert not page.exception
    assert page.toggle[-1].value
    assert page.dataframe[0].value["predicted ill"].tolist() == ["no", "no", "yes", "yes", "no"]
    assert page.dataframe[0].value["odd"].tolist() == [""] * 5


HIRED = """
from probtrees.experiment.fit import fit
from probtrees.table.read_table import read_table
from probtrees.ui.shared.score_file import scores_tab

rows = "".join(f"{2010 + n % 12}-06-01,{'yes' if n % 12 > 5 else 'no'}\\n" for n in range(240))
file = ("t.csv", f"hired,left\\n{rows}".encode())
tab = scores_tab(lambda _: fit(read_table(file, ages=["hired"]), "c45", "mle"))
tab.remark(tab.ask(None))
"""
STAFF = ("new.csv", b"hired\n2017-06-01\n2025-06-01\n", "text/csv")


def test_years_of_a_later_file_are_counted_to_its_newest_date_or_to_another() -> None:
    page = AppTest.from_string(HIRED, default_timeout=180).run()
    assert not page.date_input
    page.file_uploader[0].set_value(STAFF).run()
    assert not page.exception
    day = page.date_input[0]
    assert (day.label.replace("\\", ""), str(day.value)) == ("Count 'hired' up to", "2025-06-01")
    said = "\n".join(c.value.replace("\\", "") for c in page.caption)
    assert "counted on 2025-06-01, the newest date of this table (2021-06-01 in training)" in said
    assert page.dataframe[0].value["predicted left"].tolist() == ["no", "yes"]
    day.set_value(date(2021, 6, 1)).run()
    assert not page.exception
    assert page.dataframe[0].value["predicted left"].tolist()[0] == "yes"
    said = "\n".join(c.value.replace("\\", "") for c in page.caption)
    assert "counted on 2021-06-01, as in training" in said


AGES = """
from probtrees.experiment.fit import fit
from probtrees.table.read_table import read_table
from probtrees.ui.shared.score_file import ask_file

rows = "".join(f"{n % 40},{'yes' if n % 40 > 20 else 'no'}\\n" for n in range(80))
ask_file(fit(read_table(("t.csv", f"age,ill\\n{rows}".encode())), "c45", "mle"))
"""


def test_words_where_numbers_were_are_told_above_the_scored_table() -> None:
    page = AppTest.from_string(AGES, default_timeout=180).run()
    file = ("new.csv", b"age\n30\nold\n31\nold\n12\n", "text/csv")
    page.file_uploader[0].set_value(file).run()
    assert not page.exception
    assert "2 cells of 'age' are words" in page.warning[0].value.replace("\\", "")


GRADES = """
from probtrees.experiment.fit import fit
from probtrees.table.read_table import read_table
from probtrees.ui.shared.score_file import scores_tab

kinds = [(i % 3, i // 3 % 2, 30 + i * 7 % 50) for i in range(360)]
ill = ["yes" if grade + 2 * smokes + (age > 60) > 2 else "no" for grade, smokes, age in kinds]
lines = [
    f"{age},Grado {'I' * (1 + grade)},{('nie', 'tak')[smokes]},{relapse}"
    for (grade, smokes, age), relapse in zip(kinds, ill, strict=True)
]
table = "\\n".join(["age,grado,smoker,relapse", *lines])
tab = scores_tab(lambda _: fit(read_table(("t.csv", table.encode())), "c45", "laplace"))
tab.remark(tab.ask(None))
"""


def test_signs_and_bare_grades_are_proposed_in_a_line_each_and_read_by_one_click() -> None:
    page = AppTest.from_string(GRADES, default_timeout=180).run()
    rows = b"41,III,+\n52,I,-\n70,II,+\n33,III,-\n" * 10
    page.file_uploader[0].set_value(("new.csv", b"age,grado,smoker\n" + rows, "text/csv")).run()
    assert not page.exception
    said = [_shown(line.value) for line in page.markdown]
    assert "grado: 'I' as 'Grado I', 'II' as 'Grado II', 'III' as 'Grado III'" in said
    assert "smoker: '+' as 'tak', '-' as 'nie'" in said
    assert all(page.dataframe[0].value["odd"] != "")  # nothing is read so unsaid
    (reads,) = (t for t in page.toggle if t.label.startswith("Read "))
    assert _shown(reads.label) == "Read 'grado', 'smoker' so"
    reads.set_value(True).run()
    assert page.dataframe[0].value["odd"].tolist() == [""] * 20


@pytest.mark.parametrize("written", ["{}", "Grade {}", "NYHA {}"])
def test_grades_in_arabic_numbers_are_proposed_for_roman_ones_in_order(written: str) -> None:
    page = AppTest.from_string(GRADES.replace("Grado ", ""), default_timeout=180).run()
    rows = "".join(f"41,{written.format(n)},tak\n" for n in (2, 3, 1, 2, 3, 2) * 4).encode()
    page.file_uploader[0].set_value(("new.csv", b"age,grado,smoker\n" + rows, "text/csv")).run()
    assert not page.exception
    boxes = [box for box in page.selectbox if box.label.endswith(" is")]
    assert [box.value for box in boxes] == ["I", "II", "III"]
    texts = [f"'{written.format(n)}' is" for n in (1, 2, 3)]
    assert [_shown(box.label) for box in boxes] == texts
    boxes[0].set_value("II").run()  # what is chosen counts without the switch
    said = " ".join(_shown(caption.value) for caption in page.caption)
    assert "Column 'grado': 24 cells read as said" in said


def test_two_lines_of_names_are_joined_by_one_switch() -> None:
    page = AppTest.from_string(GRADES, default_timeout=180).run()
    rows = b"41,Grado III,tak\n52,Grado I,nie\n" * 20
    names = b"Patient,Tumour,Tumour\nage,grado,smoker\n"
    page.file_uploader[0].set_value(("new.csv", names + rows, "text/csv")).run()
    assert not page.exception
    assert page.error
    assert not page.expander
    (join,) = (t for t in page.toggle if t.label.startswith("Join "))
    assert _shown(join.label) == (
        "Join the two lines of names, 'Patient age' as 'age', 'Tumour grado' as 'grado' and 1 more"
    )
    join.set_value(True).run()
    assert not page.exception
    assert not page.error
    assert page.dataframe[0].value["odd"].tolist() == [""] * 20


def test_many_names_that_are_alike_are_taken_by_one_switch() -> None:
    page = AppTest.from_string(GRADES, default_timeout=180).run()
    rows = b"41,Grado III,tak\n52,Grado I,nie\n" * 20
    names = b"Patient age,grado del tumor,smoker now\n"
    page.file_uploader[0].set_value(("new.csv", names + rows, "text/csv")).run()
    (take,) = (t for t in page.toggle if " more" in t.label)
    assert _shown(take.label).startswith("Take 'Patient age' as 'age', ")
    assert len([t for t in page.expander[0].toggle if t.label.startswith("Take ")]) == 3
    take.set_value(True).run()
    assert not page.error
    assert page.dataframe[0].value["odd"].tolist() == [""] * 20


RARE = """
from probtrees.experiment.fit import fit
from probtrees.grow.c45 import C45
from probtrees.table.read_table import read_table
from probtrees.ui.shared.score_file import scores_tab

lines = [f"{n % 40},{int(n % 40 > 20 and n % 3 == 0)}" for n in range(240)]
table = "\\n".join(["age,event", *lines]).encode()
data = read_table(("t.csv", table), types={"event": "nominal"})
tab = scores_tab(lambda _: fit(data, C45(collapse=False), "laplace"))
tab.remark(tab.ask(None))
"""


def test_probabilities_are_headed_by_the_target_and_one_answer_is_explained() -> None:
    page = AppTest.from_string(RARE, default_timeout=180).run()
    scored_before = b"age,1,predicted event\n30,0.2,0\n10,0.1,0\n35,0.3,0\n"
    page.file_uploader[0].set_value(("new.csv", scored_before, "text/csv")).run()
    assert not page.exception
    table = page.dataframe[0].value
    names = ["predicted event ", "P(event = 0)", "P(event = 1)", "age", "1", "predicted event"]
    assert list(table.columns)[:6] == names
    assert set(table["predicted event "]) == {"0"}
    highest = f"{100 * table['P(event = 1)'].max():.1f} %"
    said = _shown(page.info[0].value)
    assert said.startswith(
        f"All 3 rows are predicted '0': no row reaches 50 % for '1'; the highest is {highest}."
    )
    assert "Compare, Threshold" in said


def test_numbers_that_belie_the_unit_in_their_name_are_told_and_left_by_a_click() -> None:
    page = AppTest.from_string(BLOOD, default_timeout=180).run()
    rows = b"Hb [g/l],age\n" + b"10.5,41\n14.2,52\n13.1,63\n" * 3
    page.file_uploader[0].set_value(("one.csv", rows, "text/csv")).run()
    next(t for t in page.toggle if "Take 'Hb" in _shown(t.label)).set_value(True).run()
    assert "Switch the conversion off" in page.warning[0].value
    assert all("maybe in another unit" in odd for odd in page.dataframe[0].value["odd"])
    next(t for t in page.toggle if "named unit" in str(t.key)).set_value(False).run()
    assert not page.exception
    assert not any("Switch the conversion" in warning.value for warning in page.warning)
    assert page.dataframe[0].value["predicted ill"].tolist() == ["n", "y", "y"] * 3
