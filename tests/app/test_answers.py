"""Answers on the Data page that are given faster than the page is made."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from streamlit.runtime.scriptrunner import RerunData, RerunException
from tests.table.formats.test_workbooks import workbook

from probtrees.ui.data import answers, choose_table
from probtrees.ui.shared import draft as drafts
from probtrees.ui.shared.session.given_files import Upload
from probtrees.ui.shared.table_source import ChosenTable
from tests.app.conftest import still

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


def test_of_the_steps_of_a_slider_only_the_last_is_followed(session: dict[str, Any]) -> None:
    cuts: list[int] = []

    def moved_on(_: ChosenTable) -> None:
        raise RerunException(RerunData())

    answers.take_down(TABLE, lambda _: cuts.append(0))
    answers.take_down(TABLE, moved_on, instead_of="threshold")
    with pytest.raises(RerunException):
        answers.follow_answers()
    for cut in (1, 2, 3):
        answers.take_down(TABLE, lambda _, at=cut: cuts.append(at), instead_of="threshold")
    answers.follow_answers()
    assert cuts == [0, 3]


def test_a_threshold_waits_until_the_slider_is_let_go(
    session: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    used: list[float] = []
    waited: list[float] = []

    def moved_on() -> None:
        raise RerunException(RerunData())

    monkeypatch.setattr(answers.time, "sleep", waited.append)
    monkeypatch.setattr(answers, "use_cut", lambda _draft, _target, cut, _n: used.append(cut))
    with monkeypatch.context() as busy:
        busy.setattr(answers.st, "empty", moved_on)
        with pytest.raises(RerunException):
            answers.use_cut_when_still(TABLE, "a", 1.0)
    assert not used
    answers.use_cut_when_still(TABLE, "a", 2.0)
    assert (used, len(waited)) == ([2.0], 2)


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


@pytest.mark.browser
def test_a_threshold_moved_by_keys_ends_where_the_slider_stands(open_page, tmp_path):
    rows = "".join(f"{n % 7},{n % 5},{26 + n * 37 % 850}\n" for n in range(600))
    path = tmp_path / "cells.csv"
    path.write_text(f"parity,herd,cells\n{rows}")
    page = open_page("/data")
    still(page)
    page.locator("input[type=file]").first.set_input_files(path)
    expect(page.get_by_text("600 rows").first).to_be_visible()
    still(page)
    field = page.get_by_role("spinbutton", name="Threshold as a number")
    field.fill("400")
    field.press("Enter")
    expect(page.get_by_text("lie over 400")).to_be_visible()
    still(page)
    thumb = page.get_by_test_id("stSlider").get_by_role("slider")
    thumb.focus()
    for _ in range(12):
        thumb.press("ArrowRight")
    expect(page.get_by_text("lie over 412")).to_be_visible()
    still(page)
    expect(field).to_have_value("412")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("lie over 411")).to_be_visible()
