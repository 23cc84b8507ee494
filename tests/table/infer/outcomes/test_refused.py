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
