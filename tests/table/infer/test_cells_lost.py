"""Readings that somebody asked for say which filled cells they lose, before and after the click."""

from __future__ import annotations

import numpy as np
import pytest
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.infer.numbers_in_texts import IN_TEXTS
from probtrees.ui.shared.finding_words import beside_buttons, decided, is_told, open_questions

from probtrees.errors import ProbTreesWarning
from probtrees.table.read_table import read_table
from probtrees.table.table_report import Fix


def _table(cells: list[str]) -> tuple[str, bytes]:
    lines = [f'{n % 7},"{cell}",{"yn"[n % 3 > 0]}' for n, cell in enumerate(cells)]
    return "t.csv", "\n".join(["x,c,y", *lines]).encode()


_BOUNDS = [f"T={n}.5 ± {n % 3} (a)" for n in range(40)] + ["1 + 2 + 3", "4 + 5 + 6"] * 3


def test_an_offer_says_how_many_cells_would_be_lost() -> None:
    report = inspect_table(_table(_BOUNDS))
    (found,) = (f for f in report.column("c").findings if f.kind.startswith(IN_TEXTS))
    assert "Read so, 6 of 46 cells would be missing, such as '1 + 2 + 3'" in found.sentence


def test_what_a_click_has_lost_is_one_visible_line_with_the_way_back() -> None:
    report = inspect_table(_table(_BOUNDS), numbers_in=["c"])
    back = Fix("Take it back", "take back", "numbers_in c")
    about = [found for found in report.findings if back in found.fixes]
    assert len(about) == 1
    assert is_told(about[0], report)
    assert not open_questions(report.findings, report, lambda found: False)
    assert "6 of 46 cells" in beside_buttons(about[0])
    assert "'1 + 2 + 3' and '4 + 5 + 6' read as missing" in decided(report)


def test_reading_warns_of_cells_that_are_lost() -> None:
    with pytest.warns(ProbTreesWarning, match="6 of 46 cells"):
        data = read_table(_table(_BOUNDS), numbers_in=["c"])
    assert np.isnan(data.values[:, 1]).sum() == 6
    assert any("6 of 46 cells" in note for note in data.provenance.notes)


def test_cells_with_one_number_are_lost_where_two_are_read() -> None:
    cells = [f"{n % 9} x {n % 5}" for n in range(60)] + ["7"] * 6
    with pytest.warns(ProbTreesWarning, match="6 of 66 cells without two numbers"):
        data = read_table(_table(cells), split_numbers=["c"])
    assert np.isnan(data.values[:, 2]).sum() == 6


def test_a_value_said_to_be_missing_is_counted() -> None:
    report = inspect_table(_table(_BOUNDS), missing_in={"x": ["3"]})
    assert "'3' means missing in column 'x' (7 rows)." in [f.sentence for f in report.findings]


def test_hard_spaces_and_line_ends_are_spaces_in_sentences() -> None:
    report = inspect_table(_table([f"T={n}\u00a0± {n % 4}" for n in range(60)]))
    said = " ".join(beside_buttons(found) for found in report.findings)
    assert "T=" in said
    assert "\\" not in said


def test_days_without_a_year_are_not_offered_as_numbers() -> None:
    report = inspect_table(_table([f"{n % 28 + 1}.{n % 3 + 1}." for n in range(120)]))
    offered = [fix.setting for found in report.column("c").findings for fix in found.fixes]
    assert "numbers_in" not in offered
