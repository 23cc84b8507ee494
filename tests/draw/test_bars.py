"""Answers of smoothers on one axis, and bars of what each table adds to the odds."""

from __future__ import annotations

import re

from probtrees.draw.bars import (
    Contribution,
    SmootherAnswer,
    contributions_html,
    estimates_html,
)


def test_bars_lie_on_their_side_and_the_sum_is_printed() -> None:
    html = contributions_html([Contribution("a", "x", 2.0), Contribution("b", "y", -1.0)])
    assert re.findall(r"left:([\d.]+)%;width:([\d.]+)%", html) == [
        ("50.00", "50.00"),
        ("25.00", "25.00"),
    ]
    assert "+1.000" in html


def test_text_from_data_is_escaped() -> None:
    html = contributions_html([Contribution("<img src=x>", "<b>", 0.0)], theme="dark")
    assert "<img" not in html
    assert "<b>" not in html


def test_nothing_to_show_is_no_accident() -> None:
    assert "+0.000" in contributions_html([])


def test_every_leaf_has_the_same_axis_of_answers() -> None:
    answers = [SmootherAnswer("a", 0.351), SmootherAnswer("b", None)]
    html = estimates_html(answers, 0.2, marks={"observed here": 0.5, "one step up": None})
    assert "left:35.10%" in html
    assert "left:50.00%" in html
    assert "observed here 50.0 %" in html
    assert "one step up" not in html
    assert "<span>100 %</span>" in html
    assert "left:70.20%" in estimates_html(answers, 0.2, reach=0.5)


def test_answers_that_are_all_near_an_end_are_shown_closer_and_it_is_said() -> None:
    html = estimates_html([SmootherAnswer("a", 0.98), SmootherAnswer("b", 1.0)], 0.96)
    assert "left:20.00%" in html  # 96 % on an axis from 95 to 100 %
    assert "left:60.00%" in html
    assert "axis from 95.0 % to 100 % only" in html
    html = estimates_html([SmootherAnswer("a", 0.01)], 0.006, marks={"observed here": 0.0})
    assert "left:100.00%" in html
    assert "<span>1.0 %</span>" in html
    assert "only" not in estimates_html([SmootherAnswer("a", 0.01)], 0.4)
