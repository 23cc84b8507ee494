"""Whole numbers that name rows, and those that measure though they all differ."""

import numpy as np
import pytest
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.infer.named_codes import ask_about_codes
from probtrees.table.infer.recognise_numbers import identified_by_label, recognise_numbers

from probtrees.table.raw_table import Numbers

N = 300
RNG = np.random.default_rng(7)
IN_TURN = 100231.0 + 7 * np.arange(N)
WITH_GAPS = 48000.0 + np.cumsum(RNG.integers(1, 9, N))
SHUFFLED = RNG.permutation(WITH_GAPS)
REPEATED = RNG.choice(IN_TURN[:60], N)
INCOMES = np.round(RNG.lognormal(10.3, 0.4, N))
CENTS = RNG.choice(np.arange(10_000.0, 100_000.0), N, replace=False)
YEARS = 1700.0 + np.arange(N)
BIRTHS = (
    RNG.integers(44, 100, 150) * 1e9
    + RNG.integers(1, 13, 150) * 1e7
    + RNG.integers(1, 29, 150) * 1e5
)
NATIONAL = RNG.choice(BIRTHS + RNG.integers(0, 100_000, 150), N)
ACCOUNTS = np.where(np.arange(N) % 9, RNG.choice(RNG.integers(10**9, 10**10, 150), N), np.nan)
MILLIONS = RNG.choice(np.round(RNG.lognormal(17.5, 0.4, 150), -3), N)
POPULATIONS = RNG.choice(np.round(RNG.lognormal(16.5, 1.5, 100)), N)
MOMENTS = RNG.choice(1.65e9 + RNG.integers(0, 10**7, 150), N)
RECORDS = RNG.choice(np.arange(3_000.0, 900_000.0), N, replace=False)
SIX_DIGITS = RNG.choice(np.arange(100_000.0, 1_000_000.0), N, replace=False)
VISITS = np.repeat(RECORDS[: N // 3], 3)
WRITTEN_MOMENTS = RNG.choice(2.024e13 + RNG.integers(0, 10**9, 150), N)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("Debitor", IN_TURN),
        ("Kunde", SHUFFLED),
        ("Kd-Nr", IN_TURN),
        ("Kundennr.", REPEATED),
        ("Kunde", REPEATED),
        ("patient", np.repeat(np.arange(1.0, 101.0), 3)),
        ("Patient no", np.repeat(np.arange(1.0, 101.0), 3)),
        ("Customer", WITH_GAPS),
        ("No", IN_TURN),
        ("Bib", SHUFFLED),
        ("Inventarnr.", 1890.0 + np.arange(N) % 40 + (1 + np.arange(N)) / 1000),
        ("Invoice no", SHUFFLED),
        ("account", CENTS),
        ("Rechnungsnummer", SHUFFLED),
        ("N° client", SHUFFLED),
        ("a", IN_TURN),
        ("Vorgang", SHUFFLED),
        ("x", 4_000_000.0 + 37 * np.arange(N)),
        ("№ п/п", np.arange(1.0, N + 1)),
        ("№", np.arange(1.0, N + 1)),
        ("#", np.arange(1.0, N + 1)),
        ("lfd. Nr.", np.append(np.arange(1.0, N), np.nan)),
        ("序号", np.append(np.arange(1.0, N), np.nan)),
        ("row index", SHUFFLED),
        ("patient_id", np.repeat(np.arange(1.0, 26.0), 40)),
        ("PESEL", NATIONAL),
        ("x", NATIONAL),
        ("NHS number", ACCOUNTS),
        ("NIR de l'assuré", 1e14 + NATIONAL),
        ("a", ACCOUNTS),
        ("Konto", np.append(ACCOUNTS, [1234567.0, 98765.0])),
        ("nhc", RECORDS),
        ("NHC", VISITS),
        ("Historia", RECORDS),
        ("Nº historia clínica", VISITS),
        ("núm. historia", RECORDS),
        ("HC", RECORDS),
        ("cartella clinica", RECORDS),
        ("nº processo", RECORDS),
        ("prontuário", RECORDS),
        ("n° dossier", RECORDS),
        ("Aktenzeichen", RECORDS),
        ("vårdnummer", RECORDS),
        ("TC Kimlik No", RECORDS),
        ("AMKA", RECORDS),
        ("CHI number", RECORDS),
        ("Hospital No", VISITS),
        ("číslo chorobopisu", RECORDS),
        ("accession number", RECORDS),
    ],
)
def test_numbers_that_name_rows_are_identifiers(name, values):
    found = recognise_numbers(name, Numbers(values))
    assert found.type == "identifier"
    assert "Use it anyway" in [fix.label for fix in found.findings[0].fixes]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("income", INCOMES),
        ("x", INCOMES),
        ("price in cents", CENTS),
        ("x", CENTS),
        ("Umsatz", IN_TURN),
        ("mileage_km", SHUFFLED),
        ("year", YEARS),
        ("customers", RNG.integers(20, 900, N).astype(float)),
        ("seconds", 1000.0 + 5 * np.arange(N)),
        ("account balance", SHUFFLED),
        ("departure", 1000.0 + 100 * (np.arange(N) % 13) + np.arange(N) // 13 % 60),
        ("Kunde", RNG.integers(1, 6, N).astype(float)),
        ("Mitarbeiter", RNG.integers(1, 90, N).astype(float)),
        ("Anzahl Kunden", RNG.integers(1, 90, N).astype(float)),
        ("rok", RNG.permutation(YEARS)),
        ("x", RNG.permutation(YEARS)),
        ("graduation", 1900.0 + np.arange(120)),
        ("Geburtsjahr Nr", RNG.integers(1930, 2010, N).astype(float)),
        ("year_id", RNG.integers(1930, 2010, N).astype(float)),
        ("Baujahr", RNG.integers(1890, 2024, N).astype(float)),
        ("Date", RNG.integers(1990, 2024, N).astype(float)),
        ("year of birth", RNG.integers(1930, 2010, N).astype(float)),
        ("x", np.round(RNG.normal(5000, 900, N))),
        ("Barthel-Index", RNG.integers(0, 22, 900) * 5.0),
        ("body mass index", np.round(RNG.normal(26, 6, N))),
        ("Zimmer-Nr.", RNG.integers(1, 31, 900).astype(float)),
        ("dni", RNG.integers(1, 400, N).astype(float)),
        ("NIR", RNG.integers(0, 4096, N).astype(float)),
        ("HC", RNG.integers(1500, 3900, N).astype(float)),
        ("chi", RNG.integers(0, 900, N).astype(float)),
        ("Schaden", RECORDS),
        ("claim", RECORDS),
        ("hospital", RECORDS),
        ("historia familiar", RECORDS),
        ("account balance", ACCOUNTS),
        ("budget", ACCOUNTS),
        ("a", MILLIONS),
        ("a", POPULATIONS),
        ("a", MOMENTS),
        ("a", MOMENTS * 1000 + 7),
        ("a", WRITTEN_MOMENTS),
        ("a", np.where(np.arange(N) % 3, ACCOUNTS, 12345678.0)),
    ],
)
def test_numbers_that_measure_are_features_though_they_differ(name, values):
    assert recognise_numbers(name, Numbers(values)).type == "numeric"


def test_rows_of_one_national_number_are_offered_to_stay_together():
    finding = recognise_numbers("PESEL", Numbers(NATIONAL)).findings[0]
    assert finding.kind == "repeated identifier"
    assert finding.fixes[0].label == "Keep rows of one person together"


def test_years_are_no_counter_excel_days_or_thousands():
    years = 1900 + np.arange(124)
    lines = [f"{year};{n % 7},5;{n % 5};{'yn'[n % 3 > 0]}" for n, year in enumerate(years)]
    for name in ("Jahr", "birth year", "Date of birth", "Datum", "x"):
        source = ("t.csv", "\n".join([f"{name};a;b;y", *lines]).encode())
        column = inspect_table(source).column(name)
        assert (column.type, column.role, column.findings) == ("numeric", "feature", ())
        assert column.examples == ("1900", "1962", "2023")


def test_a_counter_with_a_row_without_a_number_is_still_one():
    values = np.append(np.arange(1.0, N), np.nan)
    assert [f.kind for f in recognise_numbers("x", Numbers(values)).findings] == ["counter"]


def test_an_identifier_that_is_used_after_all_is_looked_at_like_other_numbers():
    lines = [f"{n % 60 if n % 30 else 999},{'ab'[n % 3 == 0]}" for n in range(300)]
    content = ("t.csv", "\n".join(["case_id,y", *lines]).encode())
    assert inspect_table(content).column("case_id").type == "identifier"
    used = inspect_table(content, roles={"case_id": "feature"}).column("case_id")
    assert (used.type, used.role) == ("numeric", "feature")
    assert [f.kind for f in used.findings] == ["maybe missing"]


@pytest.mark.parametrize(
    ("name", "values", "is_asked"),
    [
        ("K", SIX_DIGITS, True),
        ("Vorgang", SIX_DIGITS, True),
        ("Umsatz", SIX_DIGITS, False),
        ("salario bruto", SIX_DIGITS, False),
        ("K", np.append(SIX_DIGITS, SIX_DIGITS[:1]), False),
        ("K", np.append(SIX_DIGITS[1:], np.nan), False),
        ("K", np.round(SIX_DIGITS, -1), False),
        ("K", SIX_DIGITS[:150], False),
        ("K", np.append(SIX_DIGITS[1:], 99.0), False),
        ("K", np.round(RNG.normal(500_000, 90_000, N)), False),
        ("K", 10_000 + np.round(RNG.gamma(2, 9_000, N)), False),
    ],
)
def test_numbers_that_may_name_rows_are_asked_about(name, values, is_asked):
    column = Numbers(values)
    found = ask_about_codes(name, recognise_numbers(name, column))
    asked = [finding for finding in found.findings if finding.kind == "maybe identifier"]
    assert bool(asked) == is_asked
    assert found.type == "numeric"
    assert not is_asked or [fix.value for fix in asked[0].fixes] == ["ignore"]


def test_a_label_says_that_numbers_are_those_of_patients():
    found = recognise_numbers("v3", Numbers(RECORDS))
    assert found.type == "numeric"
    named = identified_by_label("v3", found, "Nº historia clínica")
    assert named.type == "identifier"
    assert identified_by_label("v3", found, "Historia familiar").type == "numeric"
