"""Several questions whether a code means missing are answered, and taken back, by one click."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[2]
TOGETHER, BACK = "Answer all 3 as proposed", "Take all of them back"


def _table(*codes: str) -> tuple[str, bytes, str]:
    """Make a table with one column for each code, which every tenth row holds."""
    rows = [
        ",".join([*(c if n % 10 == 3 else str(n * 7 % 40) for c in codes), "ab"[n % 2]])
        for n in range(200)
    ]
    names = ",".join([*(f"x{n}" for n in range(len(codes))), "y"])
    return "t.csv", "\n".join([names, *rows]).encode(), "text/csv"


def _labels(page: AppTest) -> list[str]:
    return [button.label.replace("\\", "") for button in page.button]


def _press(page: AppTest, label: str) -> None:
    page.button[_labels(page).index(label)].click().run()
    assert not page.exception


def test_codes_are_called_missing_by_one_click_and_taken_back_by_another() -> None:
    page = AppTest.from_file(str(ROOT / "pages" / "data.py"), default_timeout=180).run()
    page.file_uploader[0].set_value(_table("999", "888", "-99")).run()
    asked = {"Treat '999' as missing", "Treat '888' as missing", "Treat '-99' as missing"}
    assert asked <= set(_labels(page))
    _press(page, TOGETHER)
    assert not asked & set(_labels(page))
    assert TOGETHER not in _labels(page)
    assert any("Read as missing, as proposed" in m.value.replace("\\", "") for m in page.markdown)
    _press(page, BACK)
    assert {*asked, TOGETHER} <= set(_labels(page))
    assert BACK not in _labels(page)


def test_two_questions_are_answered_one_by_one() -> None:
    page = AppTest.from_file(str(ROOT / "pages" / "data.py"), default_timeout=180).run()
    page.file_uploader[0].set_value(_table("999", "-99")).run()
    assert "Treat '999' as missing" in _labels(page)
    assert not [label for label in _labels(page) if label.startswith("Answer all")]
