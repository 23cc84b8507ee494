"""Outcomes as oncologists write them, and those who were lost."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from probtrees.table.infer.guess_outcome import guess_outcome
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.infer.outcomes.undecided_outcomes import UNDECIDED, asks_if_decided


def _asked(**counts: int) -> tuple[str, str]:
    names = list(counts)
    number, reason = guess_outcome([(n.replace("_", " "), k) for n, k in counts.items()])
    return names[number].replace("_", " "), reason


@pytest.mark.parametrize(
    "counts",
    [
        {"CR": 140, "PR": 90, "SD": 30, "PD": 15},
        {"CR": 40, "NE": 9, "PD": 50, "PR": 90, "SD": 120},
        {"complete_response": 40, "stable_disease": 99, "progressive_disease": 9, "PR": 90},
        {"Complete": 40, "Partial": 90, "Progressive": 20, "Stable": 120},
        {"komplette_Remission": 40, "partielle_Remission": 90, "Progress": 20, "SD": 120},
    ],
)
def test_who_progresses_is_asked_about(counts: dict[str, int]) -> None:
    outcome, reason = _asked(**counts)
    assert outcome.lower()[0] == "p"
    assert outcome.lower().startswith(("pd", "prog"))
    assert reason == "the worst of the responses to a treatment"


def test_who_has_died_of_the_disease_is_asked_about() -> None:
    assert _asked(NED=300, AWD=50, DOD=30) == ("DOD", "DOD means dead of disease")
    assert _asked(NED=300, AWD=50, LFU=30) == ("AWD", "AWD means alive with disease")


def test_letters_of_something_else_are_no_responses() -> None:
    """Codes of countries have such letters too."""
    assert _asked(CR=40, PR=90, SV=120, PD=50)[1] == "the most frequent one"
    assert _asked(DOC=40, PDF=90)[1] == "the rarer of the two"
    assert _asked(Partial=90, Full=120)[1] == "the rarer of the two"


def test_other_words_that_people_ask_about() -> None:
    assert _asked(accepted=120, rejected=300, withdrawn=400)[0] == "accepted"
    assert _asked(approved=120, denied=300, withdrawn=400)[0] == "approved"
    assert _asked(recovered=300, recovering=40, not_recovered=50, fatal=10)[0] == "fatal"
    assert _asked(no_relapse=90, relapse=300)[0] == "relapse"


@pytest.mark.parametrize("lost", ["lost_to_follow-up", "LTFU", "perdu_de_vue", "Lost_to_FU"])
def test_those_who_were_lost_are_passed_over(lost: str) -> None:
    assert _asked(**{"alive": 100, "dead": 90, lost: 150})[0] == "dead"


def test_it_is_asked_whether_those_who_were_lost_are_to_be_left_out() -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "age": rng.integers(30, 90, 300),
            "status": rng.choice(["alive", "dead", "lost to follow-up"], 300),
        }
    )
    report = inspect_table(table, target="status")
    (asked,) = [found for found in report.findings if found.kind == UNDECIDED]
    assert "Is it not known what became of them?" in asked.sentence
    assert asks_if_decided(str(asked))
    assert asked.fixes[0].label.startswith("Leave these")
    two = table[table["status"] != "dead"]
    assert not [f for f in inspect_table(two, target="status").findings if f.kind == UNDECIDED]
