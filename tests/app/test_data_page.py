"""The Data page without a browser: a table looked at, and set right."""

from io import BytesIO
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from probtrees.table.read_options import ReadOptions
from probtrees.ui.data.target_questions import _histogram
from probtrees.ui.shared.questions import MOST_ASKED
from probtrees.ui.shared.session import state
from tests.app.app_page import address, give, kept, press, ran, visit, words_of
from tests.table.formats.test_foreign_files import workbook

PATIENTS = "id,age,sex,sick\n" + "".join(
    f"P{i:04d},{20 + i % 50},{'fm'[i % 2]},{'yes' if i % 7 == 0 else 'no'}\n" for i in range(300)
)


def said(page: AppTest) -> ReadOptions:
    """Return what the person said about the table in use."""
    found: ReadOptions = kept(page, "reading", ReadOptions())
    return found


def box(page: AppTest, words: str) -> Any:
    fields = (*page.selectbox, *page.multiselect, *page.number_input, *page.slider)
    return next(field for field in fields if words in field.label)


def pills(page: AppTest, option: str) -> Any:
    (found,) = (group for group in page.get("button_group") if option in str(group.options))
    return found


def code(page: AppTest) -> str:
    """Return the command line and the Python code that read the table alike."""
    return "\n".join(part.value for part in page.code)


def test_opens_with_the_sample_in_use() -> None:
    page = visit("data")
    assert "2,201 rows" in words_of(page)
    assert box(page, "Which outcome").value == "yes"  # the rarer one
    box(page, "Which outcome").set_value("no")
    assert ran(page).session_state[state.OUTCOME] == 0


def test_an_upload_is_in_use_at_once_and_says_nothing_for_the_person() -> None:
    page = give(visit("data"), PATIENTS)
    assert "300 rows" in words_of(page)
    assert page.session_state[state.UPLOAD].name == "mine.csv"
    assert said(page) == ReadOptions()
    assert box(page, "What do you want to know").value == "sick"
    assert box(page, "What may not be used").value == ["id"]
    assert address(page) == {"v": "1", "own": "1"}


def test_what_cannot_be_read_gives_one_sentence_and_loses_nothing() -> None:
    page = give(visit("data"), PATIENTS)
    for name, content, words in (
        ("empty.csv", b"", ""),
        ("photo.png", b"\x89PNG\r\n\x1a\n" + bytes(99), "picture"),
        ("asia.bif", b"network asia {}", "Network page"),
    ):
        give(page, content, name)
        assert len(page.error) == 1
        assert words in page.error[0].value
        assert page.session_state[state.UPLOAD].name == "mine.csv"


def test_a_table_without_a_tree_says_what_is_in_the_way() -> None:
    page = give(visit("data"), "n,a,left\n" + "".join(f"{n},x,no\n" for n in range(40)))
    assert next(b for b in page.button if b.label == "Grow the tree").disabled
    assert "First settle what is marked as an error below." in words_of(page)


def test_cells_can_be_pasted() -> None:
    page = visit("data")
    page.text_area[0].set_value(PATIENTS.replace(",", "\t"))
    press(page, "Read these cells")
    assert page.session_state[state.UPLOAD].name == "pasted.tsv"
    assert "300 rows" in words_of(page)


def test_the_target_is_guessed_and_what_spoils_an_answer_is_set_aside() -> None:
    rows = "".join(
        f"P{i:04d},{'sick' if i % 7 == 0 else 'well'},{20 + i % 50},"
        f"{'died' if i % 7 == 0 else 'home'},{2000 + i % 3}\n"
        for i in range(300)
    )
    page = give(visit("data"), "patient_id,diagnosis,age,discharge,year\n" + rows)
    assert box(page, "What do you want to know").value == "diagnosis"
    assert set(box(page, "What may not be used").value) == {"patient_id", "discharge"}
    box(page, "What may not be used").set_value(["patient_id"])
    assert "--role discharge=feature" in code(ran(page))
    assert "roles={'discharge': 'feature'}" in code(page).replace('"', "'")
    box(page, "What do you want to know").set_value("year")
    assert "--target year" in code(ran(page))
    press(page, "Start afresh")
    assert said(page) == ReadOptions()
    assert box(page, "What do you want to know").value == "diagnosis"


EDITED = """
import streamlit as st
from probtrees.ui.data.table_views import _take_edits

st.session_state["edits"] = {"edited_rows": {0: {"role": "ignore"}, 1: {"type": "nominal",
                                             "means missing": "999, unknown"},
                                             2: {"role": "target", "type": "nominal"}}}
_take_edits("edits", ["id", "age", "sex"])
"""


def test_what_is_said_of_columns_is_changed_in_their_table() -> None:
    page = ran(AppTest.from_string(EDITED))
    assert said(page) == ReadOptions(
        target="sex",
        roles={"id": "ignore"},
        types={"age": "nominal", "sex": "nominal"},
        steps=({"step": "missing", "column": "age", "texts": ["999", "unknown"]},),
    )


def test_at_most_three_questions_are_in_sight_and_each_can_be_left() -> None:
    rows = [
        f"{1 + n % 12:02d}/{1 + n // 12 % 12:02d}/2024,{n * 3 % 5 + 1 if n % 8 else 99},{n % 4},"
        f"{'yes' if n % 3 else 'no'}"
        for n in range(120)
    ]
    page = give(visit("data"), "\n".join(["when,grade,ward,ill", *rows, *rows[:50]]))

    def left() -> int:
        return len([b for b in page.button if b.label == "Leave it"])

    n_asked = left()
    assert n_asked > MOST_ASKED
    folded = [b for e in page.expander for b in e.button if b.label == "Leave it"]
    assert n_asked - len(folded) == MOST_ASKED
    press(page, "Leave it")
    assert left() == n_asked - 1


def test_a_number_is_cut_at_a_threshold_or_into_groups() -> None:
    cells = "".join(f"{n % 7},{26 + n * 37 % 850}\n" for n in range(300))
    page = give(visit("data"), f"parity,cells\n{cells}")
    assert not page.error
    typed = next(field for field in page.number_input if "Threshold" in field.label)
    assert isinstance(typed.value, int)
    typed.set_value(400)
    assert said(ran(page)).steps[0]["at"] == 400
    assert "'at': 400" in code(page).replace('"', "'")
    assert "over 400" in words_of(page)
    pills(page, "threshold").set_value("3 groups")
    assert said(ran(page)).steps[0]["classes"] == 3
    assert not [field for field in page.number_input if "Threshold" in field.label]
    assert len(box(page, "Which outcome").options) == 3


def test_bars_of_whole_numbers_end_at_the_threshold() -> None:
    figure = _histogram(np.array([0.0, 1, 2, 2, 3]), 1.0)
    assert figure.layout.shapes[0].x0 == 1.5
    assert list(figure.data[0].y) == [1, 1, 2, 1]


def test_outcomes_are_joined_and_taken_apart() -> None:
    answers = ("Very unlikely", "Unlikely", "Undecided", "Likely", "Very likely")
    rows = "".join(f"{20 + i % 50},{'fm'[i % 2]},{answers[i * 7 % 5]}\n" for i in range(300))
    page = give(visit("data"), f"age,sex,leave\n{rows}")
    assert "60 of 300 rows." in words_of(page)
    pills(page, "Undecided").set_value(["Likely", "Very likely"])
    press(ran(page), "Read them as one")
    assert said(page).steps[0]["values"] == ["Likely", "Very likely"]
    assert len(box(page, "Which outcome").options) == 2
    press(page, "Take the outcomes apart")
    assert said(page).steps == ()
    assert len(box(page, "Which outcome").options) == 5


def test_a_sheet_is_chosen_and_what_was_said_of_another_is_not_said_of_it() -> None:
    other = [("x", "y"), *((i % 5, "ab"[i % 2]) for i in range(30))]
    rows = [tuple(line.split(",")) for line in PATIENTS.splitlines()]
    page = give(visit("data"), workbook({"Patients": rows, "Other": other}), "mine.xlsx")
    assert "300 rows" in words_of(page)
    box(page, "What may not be used").set_value(["id", "sex"])
    ran(page)
    assert box(page, "Sheet").value == "Patients"
    box(page, "Sheet").set_value("Other")
    assert "30 rows" in words_of(ran(page))
    assert said(page) == ReadOptions(sheet="Other")
    assert "--sheet Other" in code(page)
    assert "sheet='Other'" in code(page)


def test_letters_that_are_no_utf8_can_be_said() -> None:
    text = "größe,alter,krank\n" + "".join(f"{n % 9},{n % 5},{'jn'[n % 2]}\n" for n in range(90))
    page = give(visit("data"), text.encode("cp1252"))
    assert "größe" in box(page, "What do you want to know").options
    box(page, "Letters").set_value("cp1251")
    assert said(ran(page)).encoding == "cp1251"
    assert "größe" not in box(page, "What do you want to know").options


def test_answers_to_questions_are_buttons() -> None:
    rows = [
        f"{1 + n % 12:02d}/{1 + n // 12 % 12:02d}/2024,{n % 7}.5,{'ab'[n % 2]}" for n in range(99)
    ]
    page = give(visit("data"), "\n".join(["when,x,y", *rows, *rows[:40]]))
    press(page, "The day comes first")
    assert said(page).date_order == "day"
    assert "The day comes first" not in [button.label for button in page.button]


def test_forgetting_asks_first_and_shows_the_sample_again() -> None:
    page = give(visit("data"), PATIENTS)
    press(page, "Delete it")
    assert state.UPLOAD not in page.session_state
    assert "2,201 rows" in words_of(page)


@pytest.mark.parametrize("role", ["target", "weight", "group", "time"])
def test_a_role_for_one_column_leaves_the_other(role: str) -> None:
    reading = ReadOptions().with_role("a", role).with_role("b", role)
    assert dict(reading.roles) in ({"b": role}, {})


def test_a_table_without_a_column_is_refused_in_a_sentence() -> None:
    empty = BytesIO()
    pd.DataFrame(index=range(40)).to_parquet(empty)
    assert give(visit("data"), empty.getvalue(), "empty.parquet").error
