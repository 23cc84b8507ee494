"""*Score a file*: columns that lack or are named otherwise, other words, other units."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.app_page import ran, words_of

SCORE = """
from probtrees.experiment.fit import fit
from probtrees.grow.c45 import C45
from probtrees.score.decision import Cut
from probtrees.table.read_table import load_sample, read_table
from probtrees.ui.shared.exports import export_drawer
from probtrees.ui.shared.score_file import scores_tab

{table}
tab = scores_tab(lambda _: (fit(data, C45(collapse=False), "laplace"), Cut(1, 0.3)))
export_drawer((tab,), None)
"""
TITANIC = 'data = load_sample("titanic")'
USE = """
lines = [f"{5 + i % 90}.5,{'ab'[i % 2]},{'ny'[i % 90 > 40]}" for i in range(300)]
data = read_table(("t.csv", "\\n".join(["use,kind,bad", *lines]).encode()))
"""
CODES = """
lines = [f"{1 + i % 2},{'mw'[i // 2 % 2]},{'ny'[i % 4 == 3]}" for i in range(300)]
data = read_table(("t.csv", "\\n".join(["arm,sex,ill", *lines]).encode()))
"""
RARE = """
lines = [f"{n % 40},{int(n % 40 > 20 and n % 3 == 0)}" for n in range(240)]
table = "\\n".join(["age,event", *lines]).encode()
data = read_table(("t.csv", table), types={"event": "nominal"})
"""


def scored(table: str, content: bytes, name: str = "new.csv") -> AppTest:
    """Score a file with the tree of a table."""
    page = ran(AppTest.from_string(SCORE.replace("{table}", table), default_timeout=180))
    page.file_uploader[0].set_value((name, content, "text/csv"))
    return ran(page)


def switch(page: AppTest, words: str) -> AppTest:
    next(t for t in page.toggle if words in t.label.replace("\\", "")).set_value(True)
    return ran(page)


def boxes(page: AppTest) -> dict[str, object]:
    """Return the boxes that ask what something is, by what they ask about."""
    return {
        box.label.replace("\\", "").replace("\u2060", "").removesuffix(" is"): box
        for box in page.selectbox
        if box.label.endswith(" is")
    }


@pytest.mark.parametrize(
    ("content", "column", "odd"),
    [
        (b"Class,SEX\n1st,female\n3rd,male\n", "(not recorded)", "not recorded, though always"),
        (b"Class,SEX,group\n1st,female,adult\n3rd,male,adult\n", "group", ""),
    ],
)
def test_a_column_that_the_file_lacks_is_said_to_be_another_or_not_recorded(
    content: bytes, column: str, odd: str
) -> None:
    page = scored(TITANIC, content)
    assert len(page.error) == 1
    assert not page.dataframe
    boxes(page)["'age'"].set_value(column)  # type: ignore[attr-defined]
    switch(ran(page), "Read it so")
    assert not page.error
    found = page.dataframe[0].value["odd"].tolist()
    assert all(words.startswith(odd) and bool(words) == bool(odd) for words in found)


def test_a_file_of_something_else_is_refused() -> None:
    page = scored(TITANIC, b"a,b\n1,2\n")
    assert len(page.error) == 1
    assert not page.dataframe


def test_a_column_in_another_unit_is_said_and_converted_by_a_switch() -> None:
    page = scored(USE, b"use,kind\n" + b"0.8,a\n0.7,b\n" * 3)
    assert "'use'" in page.warning[0].value.replace("\\", "")
    assert page.dataframe[0].value["predicted bad"].tolist() == ["n"] * 6
    switch(page, "(use)")
    assert page.dataframe[0].value["predicted bad"].tolist() == ["y"] * 6
    assert all("outside" not in odd for odd in page.dataframe[0].value["odd"])


def test_other_words_for_values_are_matched_by_boxes_and_a_switch() -> None:
    page = scored(CODES, b"arm,sex\nplacebo,he\nactive,she\nactive,he<b>\n")
    assert not page.error
    assert "<b>" not in "".join(line.value.replace("\\<b", "") for line in page.markdown)
    found = boxes(page)
    assert {"'active'", "'placebo'", "'he'", "'she'"} <= set(found)
    for text, meant in (("'active'", "2"), ("'he'", "m"), ("'she'", "w")):
        boxes(page)[text].set_value(meant)  # type: ignore[attr-defined]
        ran(page)
    assert all("arm" in odd for odd in page.dataframe[0].value["odd"])  # nothing counts unsaid
    switch(page, "Read them so")
    table = page.dataframe[0].value
    assert table["predicted ill"].tolist()[1] == "y"
    assert table["odd"].tolist()[1] == ""
    assert "arm" in table["odd"].tolist()[0]


def test_words_where_numbers_were_are_told_above_the_scored_table() -> None:
    page = scored(RARE, b"age\nold\nold\n31\nold\n12\n")
    assert "could not be read in 3 of 5 rows" in page.error[0].value
    assert page.dataframe


def test_probabilities_are_headed_by_the_target_and_decided_on() -> None:
    scored_before = b"age,1,predicted event\n30,0.2,0\n10,0.1,0\n35,0.3,0\n"
    page = scored(RARE, scored_before)
    table = page.dataframe[0].value
    names = [
        "decision",
        "P(event = 1)",
        "predicted event ",
        "P(event = 0)",
        "age",
        "1",
        "predicted event",
    ]
    assert list(table.columns)[:7] == names
    assert (table["decision"] == "act").tolist() == (table["P(event = 1)"] >= 0.3).tolist()
    assert set(table["predicted event "]) == {"0"}
    assert "3 rows scored, 0 with unseen values." in words_of(page)
