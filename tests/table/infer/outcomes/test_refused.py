"""A refusal that is one of two outcomes is not asked about as missing."""

from __future__ import annotations

import pytest
from probtrees.table.infer.inspect_table import inspect_table


def asked_missing(*outcomes: str) -> list[str]:
    lines = [f"{n * 7 % 31},{outcomes[n % len(outcomes)]}" for n in range(120)]
    report = inspect_table(("t.csv", "\n".join(["mark,result", *lines]).encode()))
    return [f.sentence for f in report.findings if f.kind == "maybe missing"]


@pytest.mark.parametrize("outcomes", [("Admis", "Refusé"), ("granted", "declined")])
def test_one_of_two_outcomes_is_kept_without_a_question(outcomes):
    assert asked_missing(*outcomes) == []


def test_one_of_three_is_asked_about():
    (sentence,) = asked_missing("yes", "no", "refused")
    assert "'refused' in 40 rows" in sentence


def test_a_large_share_of_refusals_is_an_outcome_among_several():
    assert asked_missing("refunded", "refused", "no action") == []
    assert asked_missing("Remboursé", "Refusé", "Sans suite", "Refusé") == []
    (sentence,) = asked_missing(*["red", "green", "blue"] * 6, "refused", "red")
    assert "'refused' in 6 rows" in sentence


def test_a_refusal_and_refused_are_one_outcome():
    lines = [f"{n * 7 % 31},{('Refusé', 'Admis', 'refus', 'Ajourné')[n % 4]}" for n in range(120)]
    source = ("t.csv", "\n".join(["mark,result", *lines]).encode())
    (asked,) = (f for f in inspect_table(source).findings if f.kind == "variants")
    assert "'refus' and 'Refusé'" in asked.fixes[0].label
    joined = inspect_table(source, join_values=["result"])
    assert any("'refus' as 'Refusé'" in f.sentence for f in joined.findings if f.kind == "said")
    assert dict(joined.class_counts) == {"Admis": 30, "Ajourné": 30, "Refusé": 60}
