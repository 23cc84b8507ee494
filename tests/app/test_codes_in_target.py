"""The Data page on a target with codes for no answer: asked first, and never counted meanwhile."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.ui.shared.alike_findings import together
from probtrees.ui.shared.finding_words import open_questions, urgency
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    """Write a file whose target has 99 for no answer, as a feature has unlabelled."""
    random = np.random.default_rng(7)
    n = 300
    table = pd.DataFrame(
        {
            "kids": np.where(np.arange(n) % 20 == 3, 99.0, np.arange(n) % 4),
            "age": 20.0 + np.arange(n) % 60,
            "recommend": np.where(np.arange(n) % 10 == 0, 99.0, random.integers(0, 11, n)),
        }
    )
    labels = {0: "not at all", 10: "extremely", 99: "no answer"}
    path = tmp_path / "survey.sav"
    pyreadstat.write_sav(table, path, variable_value_labels={"recommend": labels})
    return path


def test_a_labelled_code_of_the_target_is_the_first_question(survey: Path) -> None:
    report = inspect_table(survey, "recommend", cut_target=6)
    asked = open_questions(together(report.findings, report.target), report, lambda _: False)
    asked.sort(key=lambda found: urgency(found, report.target))
    assert asked[0].column == "recommend"
    assert "has 99 'no answer' in 30 rows, by the file's labels" in asked[0].sentence
    assert [found.column for found in asked if "99" in found.sentence] == ["recommend", "kids"]
    assert sum(n for _, n in report.class_counts) == 270
    kept = inspect_table(survey, "recommend", cut_target=6, keep_words=["recommend"])
    assert sum(n for _, n in kept.class_counts) == 300


def test_the_threshold_and_the_outcome_beside_it_say_one_number(survey: Path) -> None:
    page = AppTest.from_file(str(ROOT / "pages" / "data.py"), default_timeout=180).run()
    page.file_uploader[0].set_value(("survey.sav", survey.read_bytes(), "")).run()
    next(box for box in page.selectbox if "want to know" in box.label).set_value("recommend").run()
    (ways,) = (pills for pills in page.get("button_group") if "threshold" in str(pills.options))
    ways.set_value("threshold").run()
    for is_answered in (False, True):
        if is_answered:
            labels = [button.label.replace("\\", "") for button in page.button]
            page.button[labels.index("Treat '99' as missing")].click().run()
            assert "Keep it as a number" not in [button.label for button in page.button]
        assert not page.exception
        assert page.slider[0].max == 10
        over = next(c.value for c in page.caption if "lie over" in c.value).split(" of the rows")[0]
        box = next(box for box in page.selectbox if "Which outcome" in box.label)
        shown = [name for name in box.options if name.startswith("over")]
        assert len(shown) == 1
        assert f"({over})" in shown[0]
