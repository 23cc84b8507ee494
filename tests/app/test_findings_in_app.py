"""What was found in a table, in the words of the app: questions first, buttons, no options."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.ui.shared.alike_findings import together
from probtrees.ui.shared.finding_words import beside_buttons, decided, open_questions, urgency
from streamlit.testing.v1 import AppTest
from tests.table.formats.test_workbooks import workbook

from probtrees.draw.escape import markdown_text
from probtrees.table.read_options import ReadOptions
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.given_files import Upload
from probtrees.ui.shared.table_source import READING, ChosenTable

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.usefixtures("patient_page")


def _table() -> bytes:
    """Return 120 visits: an ID, decimal commas, two spellings, two scales, several answers."""
    random = np.random.default_rng(3)
    lines = ["visit;dose;smoker;height;help;ill"]
    for n in range(120):
        height = 1.6 + n % 30 / 100 if n % 9 == 0 else 160 + n % 30
        asked = ("phone;letter", "phone", "visit;phone", "letter")[n % 4]
        ill = "yes" if random.random() < 0.3 + 0.3 * (n % 2) else "no"
        smoker = ("yes", "Yes", "no")[n % 3]
        lines.append(f'V{n:04d};{n % 7},5;{smoker};{height};"{asked}";{ill}')
    return "\n".join(lines).encode()


def _tree_page() -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=180)
    app.session_state[state.UPLOAD] = Upload("visits.csv", _table())
    app.run()
    assert not app.exception
    return app


def _data_page() -> AppTest:
    page = AppTest.from_file(str(ROOT / "pages" / "data.py"), default_timeout=180).run()
    page.file_uploader[0].set_value(("visits.csv", _table(), "text/csv")).run()
    assert not page.exception
    return page


def _words(page: AppTest) -> str:
    parts = [*page.markdown, *page.caption, *page.error, *page.warning, *page.info]
    return "\n".join(str(part.value) for part in parts)


def test_the_tree_page_says_what_was_decided_and_what_is_open():
    page = _tree_page()
    said = next(c.value for c in page.caption if "When reading" in c.value)
    assert "questions** open." in _words(page)
    assert "visit" in said
    assert "dose read as numbers" in said
    assert any(button.label == "Answer" for button in page.button)


def test_a_sample_has_no_such_line():
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=180).run()
    assert "When reading" not in _words(app)


def test_the_app_speaks_of_buttons_where_the_command_line_has_options():
    report = inspect_table(("visits.csv", _table()), target="ill")
    assert any("(--" in str(found) for found in report.findings)
    for page in (_tree_page(), _data_page()):
        assert "(--" not in _words(page)


def test_the_button_that_joins_names_what_it_joins_and_is_taken_back():
    page = _data_page()
    label = markdown_text("Read 'Yes' and 'yes' as one")
    next(button for button in page.button if button.label == label).click().run()
    assert "are joined over case and spaces" in _words(page)
    assert not [button for button in page.button if button.label == label]
    next(button for button in page.button if button.label == "Take it back").click().run()
    assert [button for button in page.button if button.label == label]


def test_a_question_that_is_left_as_it_is_is_asked_no_more():
    page = _data_page()
    asked = [button for button in page.button if button.label == "Leave it"]
    asked[0].click().run()
    left = [button for button in page.button if button.label == "Leave it"]
    assert len(left) == len(asked) - 1
    kept = page.session_state["data.left"]
    assert len(kept) == 2
    for _ in left:
        next(button for button in page.button if button.label == "Leave it").click().run()
    assert len(page.session_state["data.left"]) == len(asked) + 1
    assert not [button for button in page.button if button.label == "Leave it"]


def test_every_finding_with_a_button_is_one_sentence():
    report = inspect_table(("visits.csv", _table()), target="ill")
    for found in report.findings:
        if found.fixes:
            assert found.remedy not in beside_buttons(found) or not found.remedy
    assert len(open_questions(report.findings, report, lambda found: False)) >= 2
    assert decided(report)


def test_all_that_was_said_about_cells_is_repeated_in_short_above_the_tree():
    rows = [
        f"{(9, 12, 30, 999)[n % 4]},{(25, 26, -99)[n % 3]},{n % 9}/{n % 5},"
        f"{('a;b', 'a')[n % 2]},{'yes' if n % 7 else 'no'}"
        for n in range(300)
    ]
    table = ("visits.csv", "\n".join(["abs,temp,bp,ticks,ill", *rows]).encode())
    said = decided(
        inspect_table(
            table,
            target="ill",
            missing_in={"abs": ("999",), "temp": ("-99",)},
            split_numbers=("bp",),
            split_choices=("ticks",),
        )
    )
    assert "'999' and '-99' read as missing" in said
    assert "two columns made of bp" in said
    assert "a column made of each answer of ticks" in said
    assert not any("missing" in words for words in decided(inspect_table(table, target="ill")))


def test_a_column_that_is_kept_in_several_units_is_not_called_read_without_them():
    rows = [f"{n % 40} {('kg', 'g')[n % 9 == 0]},{n % 7},{'yes' if n % 3 else 'no'}"
            for n in range(200)]  # fmt: skip
    table = ("w.csv", "\n".join(["w,x,ill", *rows]).encode())
    kept = inspect_table(table, target="ill", types={"w": "nominal"})
    assert any("kept as it is written, in several units" in f.sentence for f in kept.findings)
    assert not any("without units" in words for words in decided(kept))


def test_separate_rows_are_taken_back_by_a_click():
    page = AppTest.from_file(str(ROOT / "pages" / "data.py"), default_timeout=180).run()
    page.file_uploader[0].set_value(("rare.csv", _rare(), "text/csv")).run()
    next(button for button in page.button if button.label == "Use separate rows").click().run()
    assert "the other half its numbers. With separate rows only about 8 of them" in _words(page)
    next(button for button in page.button if button.label == "Take it back").click().run()
    assert "the other half its numbers" not in _words(page)
    assert any(button.label == "Use separate rows" for button in page.button)


def _rare() -> bytes:
    rows = [f"{n % 11},{n % 7},{'ill' if n % 97 == 0 else 'well'}" for n in range(1500)]
    return "\n".join(["x,z,state", *rows]).encode()


def test_a_question_answered_by_how_the_tree_is_grown_is_open_no_more():
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=180)
    app.session_state[state.UPLOAD] = Upload("rare.csv", _rare())
    app.run()
    assert "**1 question** open." in _words(app)
    app.session_state["c45.separate_rows"] = True
    app.run()
    assert "open." not in _words(app)


def test_the_tree_page_counts_what_the_data_page_asks_and_grows_as_answered():
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=180)
    page.session_state[state.UPLOAD] = Upload("visits.csv", _table())
    page.run()
    source = ChosenTable(page.session_state[state.UPLOAD], "stroke")
    answered = source.reading.with_fix("smoker", "join", "smoker")
    before = _words(page).count("questions** open")
    page.session_state["data.draft"] = replace(source, reading=answered)
    page.run()
    assert before == 1
    assert "not in this tree yet" in _words(page)
    next(button for button in page.button if button.label == "Grow again").click().run()
    assert not page.exception
    assert "not in this tree yet" not in _words(page)
    assert page.session_state[READING] == answered


def test_the_line_above_the_tree_says_which_of_several_sheets_is_read():
    rows = [("age", "dose", "ill"), *((20 + n % 50, n % 7, "yn"[n % 3 > 0]) for n in range(90))]
    other = [("word",), ("nothing",)]
    for second, words in ((rows, "; others have the same columns."), (other, ".")):
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=180)
        content = workbook({"2021": (rows, 0, 0), "2022": (second, 0, 0)})
        app.session_state[state.UPLOAD] = Upload("years.xlsx", content)
        app.run()
        assert f"Sheet **2021** of 2{words}" in _words(app)
        assert any(button.label in ("Answer", "Change") for button in app.button)


def test_rows_that_stand_there_twice_are_left_out_by_a_click():
    page = AppTest.from_file(str(ROOT / "pages" / "data.py"), default_timeout=180).run()
    header, *rows = _table().decode().split("\n")
    content = "\n".join([header, *rows, *rows[40:46]]).encode()
    page.file_uploader[0].set_value(("visits.csv", content, "text/csv")).run()
    assert not page.exception
    said = "6 of 126 rows repeat an earlier row in every cell"
    assert said in _words(page)
    next(button for button in page.button if button.label == "Leave the copies out").click().run()
    assert not page.exception
    assert said not in _words(page)
    assert "6 rows that repeat an earlier row in every cell are left out" in _words(page)


def test_a_column_that_may_be_known_too_late_is_named_above_the_tree_and_ignored_by_a_click():
    rows = []
    for n in range(600):
        died = n % 12 == 0
        went = "Morgue" if died and n % 120 else ("Home", "Ward")[n % 2]
        rows.append(f"{n * 7 % 50},{n * 5 % 23},{went},{'yes' if died else 'no'}")
    content = "\n".join(["age,stay,destination,died", *rows]).encode()
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=180)
    app.session_state[state.UPLOAD] = Upload("ward.csv", content)
    app.run()
    assert "Was 'destination' known beforehand?" in _words(app).replace("\\", "")
    (ignore,) = [button for button in app.button if button.label == "Ignore it"]
    ignore.click().run()
    assert not app.exception
    assert app.session_state[READING].roles["destination"] == "ignore"
    assert not [button for button in app.button if button.label == "Ignore it"]


def test_columns_that_are_ticked_or_empty_are_one_question():
    rows = [f"{n % 50},{'x' * (n % 3 == 0)},{'x' * (n % 5 == 0)},{'yn'[n % 2]}" for n in range(120)]
    source = ("ticks.csv", "\n".join(["age,diabetes,smoker,ill", *rows]).encode())
    report = inspect_table(source)
    (asked,) = open_questions(together(report.findings), report, lambda _: False)
    assert "2 columns hold one mark or nothing: 'diabetes', 'smoker'" in asked.sentence
    (fix,) = asked.fixes
    reading = ReadOptions().with_fix(asked.column, fix.setting, fix.value)
    assert reading.empty_no == ("diabetes", "smoker")


def test_what_was_converted_is_in_sight_and_no_open_question():
    rows = [f"{2000 + n} g" if n % 20 == 3 else f"{3 + n % 30 / 10:.1f} kg" for n in range(120)]
    boxes = ["gone" if n in (5, 9) else str(n * 7 % 60) for n in range(120)]
    lines = [
        f"{kg},{box},{'ab'[n % 2]}" for n, (kg, box) in enumerate(zip(rows, boxes, strict=True))
    ]
    content = "\n".join(["weight,box,y", *lines]).encode()
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=180)
    app.session_state[state.UPLOAD] = Upload("scale.csv", content)
    app.run()
    assert "open" not in " ".join(c.value for c in app.caption if "question" in c.value)
    assert "weight converted to one unit" in _words(app)
    page = AppTest.from_file(str(ROOT / "pages" / "data.py"), default_timeout=180).run()
    page.file_uploader[0].set_value(("scale.csv", content, "text/csv")).run()
    assert not [button for button in page.button if button.label == "Leave it"]
    labels = [button.label for button in page.button]
    assert "Take it back" in labels
    assert "Keep it as a category" in labels
    folded = {part.value for fold in page.expander for part in fold.markdown}
    shown = [part.value for part in page.markdown if part.value not in folded]
    assert any("converted to" in words for words in shown)
    assert any("is read as missing" in words for words in shown)


def test_columns_of_numbers_with_limits_are_one_question_before_others():
    cells = ["0.5", "1", "2", "4", "8", ">32", "<=0.25"]
    others = ["0.5", "1", "2", "4", "8", ">16"]
    rows = [
        f"{cells[n % 7]},{cells[n % 5]},{others[n % 6]},{'E. coli' if n % 3 else 'E.coli'},"
        f"{'yn'[n * n % 11 > 4]}"
        for n in range(210)
    ]
    rows = [*rows, *(f">32,>32,>16,E. coli,{'yn'[n % 2]}" for n in range(8))]
    report = inspect_table(("mic.csv", "\n".join(["amp,tet,enr,germ,died", *rows]).encode()))
    shown = together(report.findings)
    asked = open_questions(shown, report, lambda _: False)
    asked.sort(key=lambda found: urgency(found, "died"))
    assert [found.kind for found in asked] == ["limits", "variants"]
    assert "3 columns hold numbers, and limits among them: 'amp', 'tet'" in asked[0].sentence
    (fix,) = asked[0].fixes
    assert fix.label == "Read as numbers, '>32' as 32, in all of them"
    reading = ReadOptions()
    for name in (asked[0].column, *shown[asked[0]]):
        reading = reading.with_fix(name, fix.setting, fix.value)
    assert reading.types == dict.fromkeys(("amp", "tet", "enr"), "numeric")


def test_a_weight_of_a_survey_is_asked_about_before_single_columns():
    random = np.random.default_rng(5)
    rows = [
        f"{'North' if n % 5 else 'north'},{'x' if n % 3 else 'X'},{random.lognormal(0, 0.4):.4f},"
        f"{'yes' if random.random() < 0.4 else 'no'}"
        for n in range(400)
    ]
    report = inspect_table(
        ("kap.csv", "\n".join(["area,kind,wt_final,vaccinated", *rows]).encode())
    )
    asked = open_questions(together(report.findings), report, lambda _: False)
    asked.sort(key=lambda found: urgency(found, "vaccinated"))
    assert [found.kind for found in asked] == ["row weights", "variants", "variants"]


def test_codes_that_move_splits_are_asked_about_before_spellings_and_what_columns_are_for():
    rows = [
        f"{n * 7 % 60 + 1},{'North' if n % 5 else 'north'},{999 if n % 20 == 0 else 20 + n % 60},"
        f"{'x' if n % 7 in (1, 4) else ''},{'yes' if n * n % 11 > 4 else 'no'}"
        for n in range(400)
    ]
    report = inspect_table(("own.csv", "\n".join(["line,area,wait,wet,late", *rows]).encode()))
    asked = open_questions(together(report.findings), report, lambda _: False)
    asked.sort(key=lambda found: urgency(found, "late"))
    assert [found.kind for found in asked] == [
        "maybe missing",
        "marked or empty",
        "variants",
        "codes",
    ]


def test_columns_of_several_answers_are_one_question_with_one_button():
    lists = ("1;3", "2", "1;2;3", "3", "1", "2;3")
    rows = [f'"{lists[n % 6]}","{lists[n * 5 % 6]}",{n % 7},{"ab"[n % 2]}' for n in range(120)]
    report = inspect_table(("t.csv", "\n".join(["why,where,x,y", *rows]).encode()), target="y")
    shown = open_questions(together(report.findings), report, lambda _: False)
    (asked,) = (found for found in shown if found.kind == "choices")
    assert asked.sentence.startswith("2 columns hold several answers in a cell: 'why', 'where'.")
    (fix,) = asked.fixes
    reading = ReadOptions().with_fix(asked.column, fix.setting, fix.value)
    assert reading.split_choices == ("where", "why")


def test_ranges_that_became_dates_and_undecided_outcomes_are_answered_by_a_click_each():
    random = np.random.default_rng(5)
    sizes, outcomes = ("0-5", "06-Aug", "10-Dec", "13-20"), ("approved", "rejected", "Em análise")
    rows = [f"{random.choice(sizes)},{n * 7 % 31},{random.choice(outcomes)}" for n in range(240)]
    table = "\n".join(["size,amount,status", *rows]).encode()
    page = AppTest.from_file(str(ROOT / "pages" / "data.py"), default_timeout=180).run()
    page.file_uploader[0].set_value(("loans.csv", table, "text/csv")).run()
    n_open = table.count("Em análise".encode())
    for label in (f"Leave these {n_open} rows out", "Read '06-Aug' as '6-8', and others alike"):
        next(button for button in page.button if button.label == markdown_text(label)).click()
        page.run()
        assert not page.exception
    reading = page.session_state["data.draft"].reading
    assert (reading.join_values, reading.missing_in) == (("size",), {"status": ("Em análise",)})


@pytest.mark.parametrize("other", ["x", "12,50 €"])
def test_commas_before_three_digits_are_thousands_by_a_click(other):
    rows = [
        f"{n % 9 + 1},{n * 37 % 900 + 100}\t{other if n % 3 else 'y'}\t{'yn'[n % 3 > 0]}"
        for n in range(60)
    ]
    content = "\n".join(["qty\tother\ty", *rows]).encode()
    page = AppTest.from_file(str(ROOT / "pages" / "data.py"), default_timeout=180).run()
    page.file_uploader[0].set_value(("stock.tsv", content, "text/plain")).run()
    label = markdown_text("Thousands: 1,100 is 1100")
    next(button for button in page.button if button.label == label).click().run()
    assert not [button for button in page.button if button.label == label]
    assert "Commas group thousands" in _words(page)
