"""Answers on the Data page that are given faster than the page is made."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from streamlit.runtime.scriptrunner import RerunData, RerunException

from probtrees.ui.data import answers, choose_table
from probtrees.ui.shared import draft as drafts
from probtrees.ui.shared.session.given_files import Upload
from probtrees.ui.shared.table_source import ChosenTable
from tests.app.conftest import still
from tests.table.formats.test_workbooks import workbook

TABLE = ChosenTable(Upload("mine.csv", b"a,b\n1,2\n"), "titanic")


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    kept: dict[str, Any] = {"data.draft": TABLE}
    for module in (answers, choose_table, drafts):
        monkeypatch.setattr(module.st, "session_state", kept)
    return kept


def test_an_answer_whose_page_is_stopped_is_followed_before_the_next_one(
    session: dict[str, Any],
) -> None:
    done: list[str] = []
    stops = [RerunException(RerunData()), RerunException(RerunData())]

    def slow(_: ChosenTable) -> None:
        if stops:
            raise stops.pop()
        done.append("first")

    answers.take_down(TABLE, slow)
    with pytest.raises(RerunException):
        answers.follow_answers()
    answers.take_down(TABLE, lambda _: done.append("second"))
    with pytest.raises(RerunException):
        answers.follow_answers()
    answers.follow_answers()
    answers.follow_answers()
    assert done == ["first", "second"]


def test_an_answer_that_fails_or_is_about_another_table_is_not_tried_again(
    session: dict[str, Any],
) -> None:
    tried: list[str] = []

    def broken(_: ChosenTable) -> None:
        tried.append("broken")
        raise ValueError

    answers.take_down(TABLE, broken)
    answers.take_down(ChosenTable(None, "titanic"), lambda _: tried.append("elsewhere"))
    with pytest.raises(ValueError):  # noqa: PT011
        answers.follow_answers()
    answers.follow_answers()
    assert tried == ["broken"]


def test_what_is_said_of_a_column_that_is_gone_changes_nothing(
    session: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "_columns", lambda _: {"a", "b"})
    answers.take_down(TABLE, partial(answers.use_target, target="gone"))
    answers.take_down(TABLE, partial(answers.use_roles, roles={"gone": "ignore", "a": "ignore"}))
    answers.follow_answers()
    assert session["data.draft"].reading.roles == {"a": "ignore"}


def choose_target(page: Page, name: str) -> None:
    box = page.get_by_role("combobox", name="1 · What do you want to know?")
    box.click()
    box.fill(name)
    box.press("Enter")


@pytest.mark.browser
def test_a_target_chosen_while_sheets_are_read_as_one_loses_neither_answer(open_page, tmp_path):
    def sheet(first: int) -> tuple[list[tuple[object, ...]], int, int]:
        rows = range(first, first + 1500)
        cells = [
            (n % 71, n % 13, "xyz"[n % 3], "ab"[n % 2], ["no", "yes"][n % 5 > 3]) for n in rows
        ]
        return [("age", "dose", "ward", "arm", "ill"), *cells], 0, 0

    path = tmp_path / "two.xlsx"
    path.write_bytes(workbook({"2023": sheet(0), "2024": sheet(7)}))
    page = open_page("/data")
    still(page)
    page.locator("input[type=file]").first.set_input_files(path)
    expect(page.get_by_text("1,500 rows").first).to_be_visible()
    still(page)
    page.get_by_role("button", name="Read all 2 as one table").click()
    choose_target(page, "ward")
    still(page)
    if not page.get_by_text("target: ward").count():
        choose_target(page, "ward")  # the list was made anew between two keys
    expect(page.get_by_text("3,000 rows").first).to_be_visible()
    expect(page.get_by_text("target: ward")).to_be_visible()
