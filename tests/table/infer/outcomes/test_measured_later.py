"""Columns whose names say that they were measured again are asked about."""

from __future__ import annotations

import pytest
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.table.table_report import STRONG_COLUMN


def table(*names):
    rows = [
        ",".join([*(f"{n * k % 23}.5" for k in range(3, 3 + len(names))), "ab"[n % 5 > 3]])
        for n in range(300)
    ]
    return ("t.csv", "\n".join([",".join([*names, "y"]), *rows]).encode())


@pytest.mark.parametrize(
    ("before", "after"),
    [("LVESV vor", "LVESV 6 Mo"), ("pre_score", "post_score"), ("weight_t0", "weight_t1")],
)
def test_what_was_measured_again_is_asked_about(before, after):
    report = inspect_table(table(before, after, "x"), target="y")
    (found,) = report.column(after).findings
    assert found.sentence.endswith(f"Its name calls it measured later than {before!r}.")
    assert not report.column(before).findings


def test_a_table_of_visits_is_not_asked_about_one_by_one():
    names = [f"ldl_t{visit}" for visit in range(7)]
    report = inspect_table(table(*names), target="y")
    assert not any(found.kind == STRONG_COLUMN for found in report.findings)
