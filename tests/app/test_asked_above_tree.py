"""Questions on which all numbers of a tree hang are asked above it, each with its answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.given_files import Upload
from probtrees.ui.shared.table_source import READING

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.usefixtures("patient_page")


def _grown(name: str, lines: list[str]) -> AppTest:
    """Return the Tree page of a table that was grown at once."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=180)
    app.session_state[state.UPLOAD] = Upload(name, "\n".join(lines).encode())
    app.run()
    assert not app.exception
    return app


def _spellings(*, extra: str = "") -> list[str]:
    """Return 240 stays whose outcome is written in five ways; some undecided if so wished."""
    written = ("Oui", "oui", "O", "Non", "Non", "non")
    rows = [
        f"{n % 11},{n % 7},{extra if extra and n % 12 == 0 else written[n * 7 % 6]}"
        for n in range(240)
    ]
    return ["age,dose,back", *rows]


def _counts() -> list[str]:
    """Return a table of counts: every combination of three columns and the outcome once."""
    rows = [
        f"{'abcd'[n % 4]},{'pqr'[n // 4 % 3]},{'xyzw'[n // 12 % 4]},{27 + n * 37 % 900},{ill}"
        for n in range(48)
        for ill in ("yes", "no")
    ]
    return ["region,sex,level,Number of cases,ill", *rows]


def _orange(page: AppTest) -> list[str]:
    """Return what is asked in orange, as people read it."""
    said = [str(part.value).replace("\\", "") for part in page.markdown]
    begun = [words for words in said if words.startswith(":orange[:material/warning:")]
    return [words for words in begun if "**" not in words]  # a verdict begins in bold


def _grey(page: AppTest) -> str:
    return "\n".join(str(part.value) for part in page.caption)


def _press(page: AppTest, begin: str) -> AppTest:
    (button,) = (b for b in page.button if b.label.replace("\\", "").startswith(begin))
    button.click().run()
    assert not page.exception
    return page


def test_spellings_of_the_target_are_joined_above_the_tree() -> None:
    page = _grown("stays.csv", _spellings())
    (line,) = _orange(page)
    assert "Target 'back' has values that seem to say the same" in line
    assert "They are counted as different outcomes." in line
    assert "also about" not in _grey(page)
    _press(page, "Read 'O' and 'Oui' as one")
    assert page.session_state[READING].join_values == ("back",)
    assert not _orange(page)
    assert "not in this tree yet" not in _grey(page)
    assert "values of back joined over spelling" in _grey(page).replace("\\", "")


def test_cases_are_counted_above_the_tree() -> None:
    page = _grown("counts.csv", _counts())
    (line,) = _orange(page)
    assert "'Number of cases' looks like numbers of cases; here each row counts once." in line
    _press(page, "Count them")
    assert page.session_state[READING].roles["Number of cases"] == "weight"
    assert not _orange(page)
    assert "rows weighted by Number of cases" in _grey(page).replace("\\", "")


def test_undecided_outcomes_are_left_out_above_the_tree() -> None:
    page = _grown("stays.csv", _spellings(extra="pending"))
    assert [("'pending' in 20 rows" in line) for line in _orange(page)].count(True) == 1
    _press(page, "Leave these 20 rows out")
    assert page.session_state[READING].missing_in == {"back": ("pending",)}
    (line,) = _orange(page)
    assert "seem to say the same" in line


def test_what_is_left_as_it_is_is_asked_no_more_and_keeps_the_tree() -> None:
    page = _grown("stays.csv", _spellings())
    _press(page, "Leave it")
    assert not _orange(page)
    assert "joined" not in _grey(page)
    assert "not in this tree yet" not in _grey(page)


def test_questions_about_other_columns_stay_in_the_grey_line() -> None:
    rows = [
        f"{n % 11},{('Ward A', 'ward A', 'B')[n % 3]},{'yn'[n * n % 7 > 2]}" for n in range(150)
    ]
    page = _grown("wards.csv", ["age,ward,ill", *rows])
    assert not _orange(page)
    assert "open." in _grey(page)


def test_weights_of_a_survey_are_asked_about_above_the_tree() -> None:
    rows = [
        f"{n % 11},{n % 7},{0.4 + n * 37 % 200 / 100:.2f},{'yn'[n % 3 > 0]}" for n in range(240)
    ]
    page = _grown("survey.csv", ["age,dose,wgt_final,back", *rows])
    (line,) = _orange(page)
    assert "'wgt_final' looks like weights of a survey; here each row counts once." in line
    assert "** open" not in _grey(page)
    _press(page, "Weigh the rows by it")
    assert page.session_state[READING].roles["wgt_final"] == "weight"
    assert not _orange(page)


def test_several_columns_that_are_known_at_the_end_are_ignored_by_one_click():
    rows = [f"{n * 7 % 23},{n * 5 % 19},{n % 11}.5,{'ny'[n % 11 > 6]}" for n in range(300)]
    page = _grown("registry.csv", ["os_months,fu_months,x,died", *rows])
    said = "\n".join(str(part.value).replace("\\", "") for part in page.markdown)
    assert "Were 'os_months', 'fu_months' known beforehand?" in said
    page = _press(page, "Ignore them")
    roles = page.session_state[READING].roles
    assert (roles["os_months"], roles["fu_months"]) == ("ignore", "ignore")
