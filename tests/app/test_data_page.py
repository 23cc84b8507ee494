"""The Data page without a browser: a table looked at, set right, and put to use."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from probtrees.ui.data.answers import use_columns, use_roles
from streamlit.testing.v1 import AppTest
from tests.table.formats.test_workbooks import workbook

from probtrees.draw.escape import markdown_text
from probtrees.table.read_options import ReadOptions
from probtrees.ui.data.threshold import _histogram
from probtrees.ui.shared.session import state

PAGE = str(Path(__file__).resolve().parents[2] / "pages" / "data.py")


def open_page() -> AppTest:
    page = AppTest.from_file(PAGE, default_timeout=180)
    page.run()
    assert not page.exception
    return page


def give(page: AppTest, text: str, name: str = "mine.csv") -> AppTest:
    page.file_uploader[0].set_value((name, text.encode(), "text/csv")).run()
    assert not page.exception
    return page


def press(page: AppTest, label: str) -> AppTest:
    next(button for button in page.button if button.label == label).click().run()
    assert not page.exception
    return page


def text_of(page: AppTest) -> str:
    parts = [*page.markdown, *page.caption, *page.error, *page.warning, *page.info]
    return "\n".join(str(part.value) for part in parts)


PATIENTS = "id,age,sex,sick\n" + "".join(
    f"P{i:04d},{20 + i % 50},{'fm'[i % 2]},{'yes' if i % 7 == 0 else 'no'}\n" for i in range(300)
)


def test_opens_with_the_table_in_use() -> None:
    page = open_page()
    assert "2,201 rows" in text_of(page)
    assert "The other pages are built from this table." in text_of(page)


def test_a_role_stays_when_the_page_is_left_and_opened_again() -> None:
    page = give(open_page(), PATIENTS)
    draft, grid = page.session_state["data.draft"], page.session_state["data.grid"]
    # What an edit of the grid leaves behind; its own state ends with the visit of the page.
    page.session_state["data.draft"] = replace(
        draft, reading=draft.reading.with_role("age", "time")
    )
    at = list(grid.frame["column"]).index("age")
    grid.shown[at] = ("time", grid.shown[at][1])
    grid.number += 1
    page.run()
    assert page.session_state["data.draft"].reading.roles["age"] == "time"
    assert page.session_state["data.grid"].frame["role"][at] == "time"


def test_an_edit_of_the_grid_outlives_an_answer_that_draws_it_again() -> None:
    page = give(open_page(), PATIENTS)
    draft, grid = page.session_state["data.draft"], page.session_state["data.grid"]
    at = list(grid.frame["column"]).index("age")
    edits = {at: {"role": "time"}}
    assert grid.take(edits) == {"age": {"role": "time"}}
    assert grid.take(edits) == {}  # the browser sends all edits every time
    edits[at]["type"] = "nominal"
    assert grid.take(edits) == {"age": {"type": "nominal"}}
    # While the answer before it is followed the grid gets another name, and its edits are gone.
    page.session_state["data.waiting answers"] = [
        (draft.file_key, partial(use_roles, roles={"sex": "ignore"}), ""),
        (draft.file_key, partial(use_columns, said={"age": {"role": "time"}, "gone": {}}), ""),
    ]
    page.run()
    assert not page.exception
    roles = page.session_state["data.draft"].reading.roles
    assert (roles["age"], roles["sex"]) == ("time", "ignore")
    assert page.session_state["data.grid"].frame["role"][at] == "time"


def test_an_upload_is_shown_before_it_is_used() -> None:
    page = give(open_page(), PATIENTS)
    assert "300 rows" in text_of(page)
    assert "identifier" in text_of(page)
    assert state.UPLOAD not in page.session_state
    press(page, "Grow the tree")
    assert page.session_state[state.UPLOAD].name == "mine.csv"


def test_a_tree_asked_for_before_the_file_is_read_is_not_that_of_the_last_table() -> None:
    page = open_page()
    page.file_uploader[0].set_value(("mine.csv", PATIENTS.encode(), "text/csv"))
    press(page, "Grow the tree")
    assert not page.exception
    assert page.session_state[state.UPLOAD].name == "mine.csv"


def test_a_tree_asked_for_early_waits_where_the_file_cannot_be_used() -> None:
    page = open_page()
    rows = "".join(f"{n},x,no\n" for n in range(40))
    page.file_uploader[0].set_value(("mine.csv", f"n,a,left\n{rows}".encode(), "text/csv"))
    press(page, "Grow the tree")
    assert state.UPLOAD not in page.session_state
    assert "**Not grown**: first settle what is marked as an error below." in text_of(page)
    give(page, PATIENTS)  # nobody asked for a tree of this one
    assert state.UPLOAD not in page.session_state
    page.file_uploader[0].set_value(("empty.csv", b"", "text/csv"))
    press(page, "Grow the tree")
    assert not page.exception
    assert len(page.error) == 1
    assert state.UPLOAD not in page.session_state


def test_a_tree_asked_for_before_pasted_cells_are_read_is_that_of_the_cells() -> None:
    page = open_page()
    page.text_area(key="data.pasted").input(PATIENTS.replace(",", "\t"))
    page.button(key="data.read pasted").click()
    press(page, "Grow the tree")
    assert page.session_state[state.UPLOAD].name == "pasted.tsv"


def test_a_broken_file_gives_one_sentence_and_loses_nothing() -> None:
    page = give(open_page(), PATIENTS)
    press(page, "Grow the tree")
    give(page, "", "empty.csv")
    assert len(page.error) == 1
    assert page.session_state[state.UPLOAD].name == "mine.csv"


def test_a_number_is_asked_as_above_or_below_and_can_be_grouped() -> None:
    rows = "".join(f"{i % 9},{i * 1.7}\n" for i in range(200))
    page = give(open_page(), "x,price\n" + rows)
    assert not page.error
    (threshold,) = page.slider
    assert threshold.value == pytest.approx(170, abs=2)
    threshold.set_value(300.0).run()
    assert not page.exception
    assert "--cut-target" in page.code[0].value
    assert "cut_target=" in page.code[1].value
    assert "over 30" in text_of(page) or "over 29" in text_of(page)
    (way,) = [group for group in page.get("button_group") if "3 groups" in str(group.proto)]
    way.set_value("3 groups").run()
    assert not page.exception
    assert "--bin-target 3" in page.code[0].value


def test_the_target_is_guessed_and_what_spoils_an_answer_is_set_aside() -> None:
    rows = "".join(
        f"P{i:04d},{'sick' if i % 7 == 0 else 'well'},{20 + i % 50},"
        f"{'died' if i % 7 == 0 else 'home'},{2000 + i % 3}\n"
        for i in range(300)
    )
    page = give(open_page(), "patient_id,diagnosis,age,discharge,year\n" + rows)
    boxes = {box.label: box for box in page.selectbox}
    assert boxes["**1 · What do you want to know?**"].value == "diagnosis"
    assert "Guessed by its name" in text_of(page)
    (left_out,) = page.multiselect
    assert set(left_out.value) == {"patient_id", "discharge"}
    assert "Was this known at the time?" in text_of(page)
    left_out.set_value(["patient_id"]).run()
    assert not page.exception
    assert "--role discharge=feature" in page.code[0].value
    next(b for b in page.selectbox if "What do you" in b.label).set_value("year").run()
    assert not page.exception
    assert "--target year" in page.code[0].value
    press(page, "Grow the tree")
    assert current_reading_of(page).roles["year"] == "target"


def test_copies_of_rows_are_reported_and_taken_apart_by_one_click() -> None:
    rows = "".join(f"{i / 7},{i % 2}\n" for i in range(40))
    page = give(open_page(), "x,y\n" + rows + rows)
    assert "40 of 80 rows repeat an earlier row" in text_of(page)
    press(page, "Take copies as different cases")
    assert "different cases" in text_of(page)
    assert "--repeats apart" in page.code[0].value
    assert "repeats='apart'" in page.code[1].value
    press(page, "Grow the tree")
    assert current_reading_of(page).repeats == "apart"


def current_reading_of(page: AppTest) -> ReadOptions:
    reading: ReadOptions = page.session_state["reading"]
    return reading


@pytest.mark.parametrize("role", ["target", "weight", "group", "time"])
def test_a_role_for_one_column_leaves_the_other(role: str) -> None:
    reading = ReadOptions().with_role("a", role).with_role("b", role)
    assert reading.roles == {"b": role}
    assert ReadOptions().with_role("a", "ignore").with_role("b", "ignore").roles == {
        "a": "ignore",
        "b": "ignore",
    }


def test_a_rare_class_is_answered_by_one_click() -> None:
    rows = "".join(f"{i % 40},{'yes' if i % 60 == 0 else 'no'}\n" for i in range(1800))
    page = give(open_page(), "x,sick\n" + rows)
    assert "Only 30 of" in text_of(page)
    press(page, "Use separate rows")
    assert "the other half its numbers" in text_of(page)


def test_the_outcome_of_interest_is_the_rarest_until_another_is_chosen() -> None:
    page = open_page()
    (box,) = [box for box in page.selectbox if "Which outcome" in box.label]
    assert box.value == "yes"
    box.set_value("no").run()
    assert page.session_state[state.OUTCOME] == 0


def test_the_reading_is_offered_as_code_that_reads_alike() -> None:
    page = give(open_page(), PATIENTS)
    press(page, "Use it anyway")
    codes = "\n".join(code.value for code in page.code)
    assert "--role id=feature" in codes
    assert "roles={'id': 'feature'}" in codes
    press(page, "Read it as it comes")
    assert "--role" not in "\n".join(code.value for code in page.code)


def test_a_workbook_is_read_and_its_sheet_chosen() -> None:
    other = [("x", "y"), *((i % 5, "ab"[i % 2]) for i in range(30))]
    rows = [tuple(line.split(",")) for line in PATIENTS.splitlines()]
    content = workbook({"Patients": (rows, 0, 0), "Other": (other, 2, 2)})
    page = open_page()
    page.file_uploader[0].set_value(("mine.xlsx", content, "")).run()
    assert not page.exception
    assert "300 rows" in text_of(page)
    (box,) = [box for box in page.selectbox if box.label == "Sheet"]
    assert box.value == "Patients"
    box.set_value("Other").run()
    assert not page.exception
    assert "30 rows" in text_of(page)
    assert "--sheet Other" in page.code[0].value
    assert "sheet='Other'" in page.code[1].value


def test_what_cannot_be_read_is_reported_with_what_can() -> None:
    page = open_page()
    page.file_uploader[0].set_value(("photo.png", b"\x89PNG\r\n\x1a\n" + bytes(99), "")).run()
    assert not page.exception
    assert "it is a picture" in page.error[0].value
    assert "xlsx" in page.error[0].value


def test_cells_can_be_pasted() -> None:
    page = open_page()
    (area,) = page.text_area
    area.set_value(PATIENTS.replace(",", "\t"))
    press(page, "Read these cells")
    assert "300 rows" in text_of(page)
    assert "pasted" in text_of(page)


def test_habits_of_people_are_reported_and_taken_back_by_one_click() -> None:
    states = ("Mild", "mild", "severe", "unknown")
    rows = [f"{n % 7} mg,{states[n % 4]},{'no' if n % 5 > 2 else 'yes'}" for n in range(40)]
    rows[5] = "soon,mild,no"
    page = give(open_page(), "\n".join(["Ward 7", "dose,state,sick", *rows, "Total,,"]))

    def said() -> str:
        return text_of(page).replace("\\", "")

    assert "'soon' in 1 of 40 cells of column 'dose' is read as missing" in said()
    for words in ("the unit 'mg'", "('Ward 7') is left out", "is no row of the table", "40 rows"):
        assert words in said()
    press(page, markdown_text("Read 'Mild' and 'mild' as one"))
    assert "are joined over case and spaces" in said()
    press(page, "Keep the last line")
    assert "'soon' and 'Total' in 2 of 41 cells of column 'dose' are read as missing" in said()
    press(page, "Keep them as categories")
    assert "Dashes and words for 'no value' in column 'dose' are values" in said()
    for _ in range(3):
        press(page, "Take it back")
    left = page.session_state["data.draft"].reading
    assert left == ReadOptions(roles={"sick": "target"})  # the guess of the first question
    assert "'soon' in 1 of 40 cells of column 'dose' is read as missing" in said()


GROUPED = "Patient,,Blood,,Outcome\nid,age,Na,K,ill\n" + "".join(
    f"P{i:03d},{20 + i % 50},{130 + i % 9},{i % 3}.5,{'yes' if i % 3 else 'no'}\n"
    for i in range(60)
)


def test_two_lines_of_names_are_joined_by_a_click() -> None:
    page = give(open_page(), GROUPED)
    assert "target: **ill**" in text_of(page)
    press(page, "Join the two lines of names")
    assert "target: **Outcome ill**" in text_of(page)
    assert "header_lines=2" in page.code[1].value
    assert "--header-lines 2" in page.code[0].value
    press(page, "Take one line of names")
    assert "target: **ill**" in text_of(page)


def test_what_many_columns_hold_is_asked_once() -> None:
    scales = [f"{1 + i % 5},{(99, 98, 1, 2, 3, 4, 5)[i % 7]}" for i in range(60)]
    lines = [f"{both},{both},{'ny'[i % 2]}" for i, both in enumerate(scales)]
    page = give(open_page(), "\n".join(["a,b,c,d,ill", *lines]))
    assert text_of(page).count("2 columns hold 98 and 99") == 1
    press(page, "Treat 98 and 99 as missing")
    assert "98 and 99" not in text_of(page)
    assert text_of(page).count("means missing in") == 2


def test_one_of_several_tables_is_chosen_by_a_click() -> None:
    lines = [f"{i % 9},{i % 4},{'yn'[i % 2]}" for i in range(30)]
    text = "\n".join(["town,warm", "a,1", "b,2", "a,3", "", "x,z,sick", *lines])
    page = give(open_page(), text)
    assert "several tables" in text_of(page)
    press(page, "Read table 2 only")
    assert "30 rows" in text_of(page)
    assert "target: **sick**" in text_of(page)
    press(page, "Read all tables as one")
    assert "several tables" in text_of(page)


def test_what_comes_first_in_a_date_is_said_by_a_click() -> None:
    rows = [
        f"{1 + n % 12:02d}/{1 + n // 12 % 12:02d}/2024,{n % 7}.5,{'ab'[n % 2]}" for n in range(99)
    ]
    page = give(open_page(), "\n".join(["when,x,y", *rows]))
    said = text_of(page).replace("\\", "")
    assert "are read with the month first; nothing in the table says so" in said
    assert "since there is little else" in text_of(page)
    press(page, "Day first")
    assert "are read with the month first" not in text_of(page)
    assert page.session_state["data.draft"].reading.date_order == "day"
    assert any(button.label == "Take it back" for button in page.button)


def test_a_target_of_many_spellings_is_guessed_by_its_name_and_joined() -> None:
    spoken = ("ja", "JA", "Ja", "nein", "Nein", "NEIN", "ja ", "jA", "neiN", "NEin", " JA", "nEIN")
    rows = [f"{n % 9}.5,{spoken[n % 12]},{n * 7 % 83}.25" for n in range(240)]
    page = give(open_page(), "\n".join(["x,gekauft,quote", *rows]))
    assert text_of(page).count("Guessed by its name") == 1
    assert not any("as one" in button.label for button in page.button)
    reading = page.session_state["data.draft"].reading
    assert reading.join_values == ("gekauft",)
    assert reading.roles["gekauft"] == "target"


def _ways_to_cut(page: AppTest) -> Any:
    (ways,) = (pills for pills in page.get("button_group") if "threshold" in str(pills.options))
    return ways


def test_a_target_of_eleven_points_begins_with_a_threshold_and_each_number_is_one_click():
    lines = [f"{n % 9},{'ab'[n % 2]},{n * 7 % 11}" for n in range(330)]
    page = give(open_page(), "\n".join(["x,g,recommend", *lines]))
    assert _ways_to_cut(page).value == "threshold"
    assert page.session_state["data.draft"].reading.cut_target == 5
    _ways_to_cut(page).set_value("each number").run()
    assert page.session_state["data.draft"].reading.cut_target is None
    assert _ways_to_cut(page).value == "each number"
    _ways_to_cut(page).set_value("threshold").run()
    assert page.session_state["data.draft"].reading.cut_target == 5


def test_few_points_have_a_bar_each_and_a_slider_alone():
    values = np.repeat(np.arange(11.0), 7)
    figure = _histogram(values, 5.0)
    (bars,) = figure.data
    assert list(bars.x) == list(range(11))
    assert (
        len(set(bars.marker.color[:6])) == len(set(bars.marker.color[6:])) == 1
    )  # 5 is not over 5
    lines = [f"{n % 9},{'ab'[n % 2]},{n * 7 % 11}" for n in range(330)]
    page = give(open_page(), "\n".join(["x,g,recommend", *lines]))
    assert len(page.slider) == 1
    assert not page.number_input


def test_codes_of_sorts_begin_with_each_number_and_a_threshold_is_one_click():
    lines = [f"{n % 9},{'ab'[n % 2]},{n * 5 % 7 + 1}" for n in range(330)]
    page = give(open_page(), "\n".join(["x,g,landuse", *lines]))
    assert _ways_to_cut(page).value == "each number"
    assert page.session_state["data.draft"].reading.cut_target is None


def test_the_headline_names_failed_formulas_among_missing_cells() -> None:
    rows = [f"{'#DIV/0!' if n % 9 == 0 else n % 7},{n % 5},{'ab'[n % 2]}" for n in range(90)]
    said = text_of(give(open_page(), "\n".join(["x,g,y", *rows])))
    assert "of the cells missing (also #DIV/0!)" in said.replace("\\", "")


def test_separate_rows_asked_for_before_growing_come_back_after_a_reload() -> None:
    rare = "x,y\n" + "".join(f"{n % 11},{'ill' if n % 97 == 0 else 'well'}\n" for n in range(1500))
    page = press(give(open_page(), rare), "Use separate rows")
    digest = page.session_state["data.draft"].file_key
    again = AppTest.from_function(
        _bring_back, args=(page.session_state["growing answers"], digest)
    ).run()
    assert not again.exception
    assert [text.value for text in again.text] == ["True", "False"]


def _bring_back(answers: dict[str, dict[str, bool]], digest: str) -> None:
    import streamlit as st  # noqa: PLC0415 (a script of its own)
    from probtrees.ui.shared.draft import bring_said, said_on_page  # noqa: PLC0415
    from probtrees.ui.shared.session.growing_answers import is_growing_with  # noqa: PLC0415

    st.session_state["growing answers"] = answers
    record = said_on_page()
    st.session_state.clear()
    bring_said(record)
    for file in (digest, "another file"):
        st.text(is_growing_with(file, "separate_rows"))


def test_a_column_that_was_set_aside_for_a_threshold_is_not_said_to_be_by_the_user() -> None:
    # The first column tells on which side of the middle a price lies, but for the two at the ends
    # (else it would be the price in groups, whatever is asked), and little about thirds.
    sides = ["high", *["low"] * 149, *["high"] * 149, "low"]
    rows = "".join(f"{side},{i % 9},{i * 1.7:.1f}\n" for i, side in enumerate(sides))
    page = give(open_page(), "side,x,price\n" + rows)
    assert "**side**: it almost alone predicts" in text_of(page)
    (way,) = [group for group in page.get("button_group") if "3 groups" in str(group.proto)]
    way.set_value("3 groups").run()
    assert not page.exception
    assert "**side**: it almost alone predicts" in text_of(page)
    assert "by you" not in text_of(page)
    (aside,) = page.multiselect
    aside.set_value([]).run()
    (aside,) = page.multiselect
    aside.set_value(["side"]).run()
    assert "**side**: set aside by you" in text_of(page)


def test_what_was_said_of_columns_holds_when_all_sheets_are_read() -> None:
    rows = [(i % 9, "yn"[i % 3 > 0], 99 if i % 20 == 0 else i % 50, "ab"[i % 2]) for i in range(80)]
    names = ("dose", "late", "age", "kind")
    sheets = {"2022": ([names, *rows[:50]], 0, 0), "2023": ([names, *rows[50:]], 0, 0)}
    page = open_page()
    page.file_uploader[0].set_value(("mine.xlsx", workbook(sheets), "")).run()
    assert "target: **kind**" in text_of(page)
    (box,) = [box for box in page.selectbox if "What do you" in box.label]
    box.set_value("late").run()
    assert "target: **late**" in text_of(page)
    press(page, "Read all 2 as one table")
    assert "80 rows" in text_of(page)
    assert "target: **late**" in text_of(page)
    assert "set aside by you" not in text_of(page)
    assert "which sheet or file a row is from" in text_of(page)


def test_a_target_of_numbers_in_texts_is_cut_once_they_are_read_and_taken_back() -> None:
    lines = [f"{n % 9},{'ab'[n % 2]},~{n * 7 % 90} ± {n % 3}" for n in range(300)]
    page = give(open_page(), "\n".join(["x,g,amount", *lines]))
    next(box for box in page.selectbox if "want to know" in box.label).set_value("amount").run()
    assert not page.slider
    press(page, "Read the number in each cell")
    (threshold,) = page.slider
    assert threshold.value == pytest.approx(44, abs=2)
    assert page.session_state["data.draft"].reading.roles["amount"] == "target"
    press(page, "Take it back")
    assert not page.slider
    assert page.session_state["data.draft"].reading.cut_target is None


def test_outcomes_of_a_scale_are_joined_and_taken_apart_again() -> None:
    answers = ("Unlikely", "Undecided", "Likely", "Very likely")
    rows = "".join(f"{20 + i % 50},{'fm'[i % 2]},{answers[i * 7 % 4]}\n" for i in range(300))
    page = give(open_page(), f"age,sex,leave\n{rows}")
    assert "Guessed: the upper end of the scale." in text_of(page)
    (pills,) = (group for group in page.get("button_group") if "Undecided" in str(group.options))
    pills.set_value(["Likely", "Very likely"]).run()
    press(page, "Read them as one")
    assert page.session_state["data.draft"].reading.join_outcomes == ("Likely", "Very likely")
    assert "150 of 300 rows." in text_of(page)
    press(page, "Take the outcomes apart")
    assert page.session_state["data.draft"].reading.join_outcomes == ()
    assert "75 of 300 rows." in text_of(page)


def test_outcomes_to_be_joined_begin_with_none_and_stay_while_other_answers_are_followed() -> None:
    answers = ("Unlikely", "Undecided", "Likely", "likely", "Very likely")
    rows = "".join(f"{20 + i % 50},{'fm'[i % 2]},{answers[i * 7 % 5]}\n" for i in range(300))
    page = give(open_page(), f"age,sex,leave\n{rows}")

    def pills() -> Any:
        (found,) = (group for group in page.get("button_group") if "Undec" in str(group.options))
        return found

    assert pills().value == []
    pills().set_value(["Unlikely", "Undecided"]).run()
    next(box for box in page.multiselect if "may not" in box.label).set_value(["sex"]).run()
    assert page.session_state["data.draft"].reading.roles["sex"] == "ignore"
    assert pills().value == ["Unlikely", "Undecided"]
    pills().set_value(["Unlikely", "Likely"]).run()
    press(page, "Take it back")
    assert "likely" in pills().options
    assert pills().value == ["Unlikely", "Likely"]
    press(page, "Read them as one")
    assert page.session_state["data.draft"].reading.join_outcomes == ("Unlikely", "Likely")


def test_outcomes_are_joined_with_what_is_spelt_like_them() -> None:
    answers = ("ja", "ja", "Ja.", "wohl", "nein", "weiter")
    rows = "".join(f"{20 + i % 50},{'fm'[i % 2]},{answers[i * 7 % 6]}\n" for i in range(300))
    page = give(open_page(), f"age,sex,wieder\n{rows}")
    (pills,) = (group for group in page.get("button_group") if "wohl" in str(group.options))
    pills.set_value(["ja", "wohl"]).run()
    press(page, "Read them as one")
    assert "200 of 300 rows." in text_of(page)


def test_guesses_about_cells_are_said_and_stay_away_once_they_are_taken_back() -> None:
    rows = [f"{n % 11},{n % 7},{('Ja', 'ja', 'nein')[n % 3]}" for n in range(90)]
    page = give(open_page(), "\n".join(["a,b,hurt", *rows]))
    said = text_of(page).replace("\\", "").replace("\u2060", "")
    assert "are joined over case and spaces: 'Ja' and 'ja'" in said
    assert page.session_state["data.draft"].reading.join_values == ("hurt",)
    press(page, "Take it back")
    assert page.session_state["data.draft"].reading.join_values == ()
    rows = [f"{n % 11},{'x' * (n % 4 == 0)},{'x' * (n % 3 == 0)}" for n in range(90)]
    give(page, "\n".join(["age,diabetes,infection", *rows]), "ticks.csv")
    assert page.session_state["data.draft"].reading.empty_no == ("diabetes",)
    press(page, "Take it back")
    assert page.session_state["data.draft"].reading.empty_no == ()


def test_a_threshold_can_be_typed_and_the_slider_follows() -> None:
    cells = "".join(f"{n % 7},{26 + n * 37 % 850}\n" for n in range(300))
    page = give(open_page(), f"parity,cells\n{cells}")
    (typed,) = [field for field in page.number_input if "Threshold" in field.label]
    assert isinstance(typed.value, int)
    typed.set_value(400).run()
    assert not page.exception
    assert page.session_state["data.draft"].reading.cut_target == 400
    (typed,) = [field for field in page.number_input if "Threshold" in field.label]
    assert (page.slider[0].value, typed.value) == (400, 400)
    page.slider[0].set_value(500).run()
    assert page.session_state["data.draft"].reading.cut_target == 500
    (typed,) = [field for field in page.number_input if "Threshold" in field.label]
    assert typed.value == 500
