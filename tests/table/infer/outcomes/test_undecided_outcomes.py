"""Outcomes that are not known yet are asked about."""

from __future__ import annotations

import pytest
from probtrees.table.infer.guess_outcome import guess_outcome
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.infer.outcomes.undecided_outcomes import UNDECIDED, is_undecided
from probtrees.ui.shared.finding_words import is_question

from probtrees.table.read_options import SEVERAL
from probtrees.table.read_table import read_table


def _loans(*outcomes: str) -> tuple[str, bytes]:
    rows = (f"{n * 7 % 37},{outcomes[n % len(outcomes)]}" for n in range(200))
    return "loans.csv", "\n".join(["amount,Situação", *rows]).encode()


def _asked(*outcomes: str):
    report = inspect_table(_loans(*outcomes))
    return [found for found in report.findings if found.kind == UNDECIDED], report


def test_rows_that_are_not_decided_yet_are_left_out_by_one_answer():
    outcomes = ("Aprovado", "Recusado", "Em análise", "Pendente")
    (asked,), report = _asked(*outcomes)
    assert is_question(asked, report)
    assert "'Em análise' and 'Pendente' in 100 rows. Is that not decided yet?" in asked.sentence
    (fix,) = asked.fixes
    assert (fix.label, fix.setting) == ("Leave these 100 rows out", "missing")
    assert "--missing-text 'Situação=Em análise'" in asked.remedy
    said = {"Situação": str(fix.value).split(SEVERAL)}
    data = read_table(_loans(*outcomes), missing_in=said)
    assert data.schema.target.categories == ("Aprovado", "Recusado")
    assert data.n_rows == 100
    settled = inspect_table(_loans(*outcomes), missing_in=said)
    assert not [found for found in settled.findings if found.severity == "warning"]


def test_one_question_is_asked_of_a_word_that_may_mean_missing_too():
    _, report = _asked("yes", "no", "pending")
    warned = [found for found in report.findings if found.severity == "warning"]
    assert [found.kind for found in warned] == [UNDECIDED]


@pytest.mark.parametrize("outcomes", [("open", "closed"), ("pending", "open", "closed")])
def test_it_is_not_asked_where_fewer_than_two_outcomes_would_stay(outcomes):
    assert not _asked(*outcomes)[0]


@pytest.mark.parametrize(
    "text",
    [
        *("pending", "Open", "in progress", "under review", "not yet known", "unresolved"),
        *("offen", "noch offen", "in Bearbeitung", "en cours", "En attente", "en cours d'examen"),
        *("pendiente", "en trámite", "Em análise", "em andamento", "in corso", "in attesa"),
        *("in behandeling", "pågående", "w toku", "v řešení", "folyamatban", "на рассмотрении"),
    ],
)
def test_words_of_many_languages_are_known(text):
    assert is_undecided(text)


@pytest.mark.parametrize(
    "text",
    [
        *("closed", "Outstanding", "running", "not completed", "undecided", "draw", "en retard"),
        *("active", "current", "in time", "under 30", "offensiv", "nicht bestanden", "no"),
    ],
)
def test_other_outcomes_are_not_taken_for_such(text):
    assert not is_undecided(text)


def test_nobody_asks_about_an_outcome_that_is_not_known_yet():
    counts = [("Em análise", 500), ("Faixa A", 60), ("Faixa B", 90)]
    assert counts[guess_outcome(counts).number][0] == "Faixa B"


def test_features_are_not_asked_about():
    rows = (f"{('open', 'shut', 'ajar')[n % 3]},{'ab'[n % 2]}" for n in range(120))
    report = inspect_table(("t.csv", "\n".join(["door,y", *rows]).encode()))
    assert not [found for found in report.findings if found.kind == UNDECIDED]
