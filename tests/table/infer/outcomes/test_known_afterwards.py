"""Columns whose names say that they are known at the end are asked about."""

from __future__ import annotations

import pytest
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.infer.outcomes.known_afterwards import known_afterwards
from probtrees.ui.shared.alike_findings import together

from probtrees.table.table_report import STRONG_COLUMN


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
        ("discharged_to", "in_hospital_death"),
        ("ICU days", "died"),
        ("icu_los", "complication"),
        ("response_after_therapy", "relapse"),
        ("histologie_nach_op", "Rezidiv"),
        ("crp postop", "complications"),
        ("OS_months", "event"),
        ("Follow-up (months)", "died"),
        ("Nachbeobachtungszeit", "verstorben"),
        ("mortality_1y", "died_30d"),
        ("days_to_last_followup", "vital_status"),
        ("OS_Monate", "verstorben"),
        ("Seguimiento (meses)", "éxitus"),
        ("durée de suivi (mois)", "récidive"),
        ("Beobachtungszeit", "Vitalstatus"),
        ("time_to_event", "MACE"),
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
        ("discharged_to", "readmitted"),
        ("discharge", "infection"),
        ("days_to_surgery", "died"),
        ("father_died", "died"),
        ("follow_up", "status"),
        ("os", "event"),
        ("postcode", "died"),
        ("treatment", "relapse"),
    ],
)
def test_what_may_be_known_before_is_not(name, target):
    assert not findings(name, target)


def test_outcomes_may_say_what_the_target_is_about() -> None:
    assert known_afterwards("last_contact", "outcome", ["alive", "dead"]) is not None
    assert known_afterwards("last_contact", "outcome", ["paid", "open"]) is None


def test_several_are_asked_in_one_question_for_one_reason() -> None:
    rows = [f"{n * 7 % 23},{n * 5 % 19},{n % 11}.5,{'ab'[n % 5 > 3]}" for n in range(300)]
    source = ("t.csv", "\n".join(["os_months,fu_months,x,died", *rows]).encode())
    report = inspect_table(source, target="died")
    shown = together(report.findings, "died")
    (asked,) = [found for found in shown if found.kind == STRONG_COLUMN]
    assert asked.sentence == (
        "Were 'os_months', 'fu_months' known beforehand? How long somebody was followed is known "
        "at the end, as the outcome is."
    )
    assert [fix.label for fix in asked.fixes] == ["Ignore these columns"]
    assert shown[asked] == ("fu_months",)
