"""Columns whose names say that they are known at the end are asked about."""

from __future__ import annotations

import pytest

from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.infer.leaks import STRONG_COLUMN


def findings(name, target):
    rows = [f"{n * 7 % 23},{n % 11}.5,{'ab'[n % 5 > 3]}" for n in range(300)]
    source = ("t.csv", "\n".join([f"{name},x,{target}", *rows]).encode())
    return inspect_table(source, target=target).column(name).findings


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("length_of_stay", "died"),
        ("LOS (days)", "hospital_death"),
        ("Verweildauer", "verstorben"),
        ("durée de séjour", "décès"),
        ("ligduur", "overleden"),
        ("predicted_churn", "churn"),
        ("pred_prob", "default"),
    ],
)
def test_what_is_known_at_the_end_is_asked_about(name, target):
    (found,) = findings(name, target)
    assert (found.kind, found.severity) == (STRONG_COLUMN, "warning")
    assert [fix.label for fix in found.fixes] == ["Ignore this column"]


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("length_of_stay", "readmitted"),
        ("estancia", "fumador"),
        ("fev1 pct pred", "died"),
        ("predators", "died"),
        ("losses", "died"),
    ],
)
def test_what_may_be_known_before_is_not(name, target):
    assert not findings(name, target)
