"""Columns that say what another one says."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from probtrees.table.infer.columns_together.said_twice import SAID_TWICE
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.ui.shared.alike_findings import together

ROWS = 400


def _table(seed: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    height = rng.normal(172, 9, ROWS).round()
    weight = rng.normal(78, 14, ROWS).round(1)
    return pd.DataFrame(
        {
            "age": rng.integers(18, 95, ROWS),
            "sex": rng.choice(["female", "male"], ROWS),
            "height_cm": height,
            "weight_kg": weight,
            "bmi": (weight / (height / 100) ** 2).round(1),
            "ward": rng.choice(list("ABCD"), ROWS),
            "died": rng.choice(["yes", "no"], ROWS, p=[0.3, 0.7]),
        }
    )


def _told(table: pd.DataFrame) -> dict[str, str]:
    report = inspect_table(table, target="died")
    found = [f for f in report.findings if f.kind == SAID_TWICE]
    assert all(f.severity == "note" and f.fixes[0].label == "Leave it out" for f in found)
    return {str(f.column): f.sentence.partition(":")[0] for f in found}


def test_nothing_is_said_of_columns_that_differ() -> None:
    """Neither of a BMI, which two others tell together, nor of ages at two visits."""
    table = _table()
    table["age_at_visit"] = table["age"] + np.random.default_rng(2).integers(0, 2, ROWS)
    assert not _told(table)


def test_groups_of_a_number_say_the_same() -> None:
    table = _table()
    table["age_group"] = pd.cut(
        table["age"], [0, 39, 59, 79, 120], labels=["<40", "40", "60", "80"]
    )
    table["old"] = np.where(table["age"] >= 60, 1, 0)
    assert _told(table) == {
        "age_group": "'age_group' says the same as 'age', in groups",
        "old": "'old' says the same as 'age', in groups",
    }


def test_a_group_that_is_wrong_in_a_row_says_something_else() -> None:
    table = _table()
    table["age_group"] = pd.cut(table["age"], [0, 39, 59, 120], labels=["a", "b", "c"]).astype(str)
    table.loc[[5, 17], "age_group"] = ["c", "a"]
    table.loc[[5, 17], "age"] = 50
    assert not _told(table)


def test_units_rounded_each_for_itself_say_the_same() -> None:
    table = _table()
    exact = np.random.default_rng(4).normal(78, 14, ROWS)
    table["weight_kg"], table["weight_lb"] = exact.round(1), (exact / 0.45359).round(1)
    table["temp_c"] = np.random.default_rng(5).normal(37.2, 0.9, ROWS).round(1)
    table["temp_f"] = (table["temp_c"] * 1.8 + 32).round(1)
    assert set(_told(table)) == {"weight_lb", "temp_f"}


def test_of_words_and_their_codes_the_words_stay() -> None:
    table = _table()
    table.insert(0, "sex_code", np.where(table["sex"] == "male", 1, 2))
    table["ward_nr"] = table["ward"].map({"A": 7, "B": 3, "C": 9, "D": 1})
    assert _told(table) == {
        "sex_code": "'sex_code' says the same as 'sex'",
        "ward_nr": "'ward_nr' says the same as 'ward'",
    }


def test_a_copy_with_more_empty_cells_is_the_one_to_leave_out() -> None:
    table = _table()
    table.insert(0, "weight", table["weight_kg"].where(np.arange(ROWS) % 15 > 0))
    assert _told(table) == {"weight": "'weight' says the same as 'weight_kg'"}
    table["weight"] = table["weight_kg"].where(np.arange(ROWS) % 3 > 0)
    assert not _told(table), "who was weighed again may differ from the others"


def test_an_order_is_enough_for_a_tree() -> None:
    table = _table()
    table["log_weight"] = np.log10(table["weight_kg"])
    assert _told(table) == {"log_weight": "'log_weight' says the same as 'weight_kg'"}


@pytest.mark.parametrize("seed", range(5))
def test_rare_marks_and_few_rows_are_no_copies(seed: int) -> None:
    """In many columns of which each is rarely filled in some agree by chance."""
    rng = np.random.default_rng(seed)
    marks = pd.DataFrame({f"m{i}": (rng.random(ROWS) < 0.004).astype(int) for i in range(60)})
    assert not _told(pd.concat([_table(seed), marks], axis=1))
    few = pd.DataFrame({f"m{i}": rng.integers(0, 2, 24) for i in range(60)})
    assert not _told(pd.concat([_table(seed)[:24], few], axis=1))


def test_several_are_one_line_with_one_click() -> None:
    table = _table()
    table["weight_lb"] = (table["weight_kg"] / 0.45359).round(1)
    table["sex_code"] = np.where(table["sex"] == "male", 1, 2)
    report = inspect_table(table, target="died")
    (line,) = [f for f in together(report.findings, "died") if f.kind == SAID_TWICE]
    assert line.sentence == (
        "2 columns say the same as others: 'weight_lb' as 'weight_kg'; 'sex_code' as 'sex'. A tree "
        "needs only one of each."
    )
    assert [fix.label for fix in line.fixes] == ["Leave them out"]
    assert together(report.findings, "died")[line] == ("sex_code",)
