"""Dates on which something began are asked about: the years since then may be used."""

from __future__ import annotations

import numpy as np
import pytest
from probtrees.table.infer.dates.start_dates import START
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.ui.shared.finding_words import is_question

from probtrees.errors import OptionError
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_rows, read_table, read_to_predict


def _staff(name: str, years: int = 12, other: str = "") -> bytes:
    rows = (
        f"{1 + n % 28}.{1 + n % 12}.{2010 + n % years},{n % 7},{n % 5}.5,{n % 3},"
        f"{f'1.{1 + n % 6}.2024,' if other else ''}{'yn'[n % 2]}"
        for n in range(120)
    )
    return "\n".join([f"{name},a,b,c,{other and f'{other},'}left", *rows]).encode()


def _moments(name: str, clock: str) -> bytes:
    left = np.random.default_rng(1).integers(0, 2, 120)
    rows = (
        f"{2010 + n % 12}-{1 + n % 12:02}-{1 + n % 28:02}T{clock.format(n % 24, n % 60)}Z,"
        f"{n % 7},{n % 5}.5,{n % 3},{'yn'[left[n]]}"
        for n in range(120)
    )
    return "\n".join([f"{name},a,b,c,left", *rows]).encode()


NAMES = ("HireDate", "hire_date", "Eintrittsdatum", "Data zatrudnienia", "Date d'embauche")
NAMES += ("Fecha de ingreso", "customer since", "Kunde seit", "Дата приёма", "入社日", "start_date")
NAMES += ("date of diagnosis",)


@pytest.mark.parametrize("name", NAMES)
def test_such_a_date_is_ignored_and_asked_about(name: str) -> None:
    report = inspect_table(("t.csv", _staff(name)), target="left")
    assert report.column(name).role == "ignore"
    (found,) = (f for f in report.column(name).findings if f.kind == START)
    assert is_question(found, report)
    said = inspect_table(("t.csv", _staff(name)), target="left", roles={name: "ignore"})
    assert START in [f.kind for f in said.column(name).findings]


@pytest.mark.parametrize(("name", "years"), [("sent_on", 12), ("upstart", 12), ("start_date", 1)])
def test_other_dates_are_not_nor_those_of_one_year(name: str, years: int) -> None:
    report = inspect_table(("t.csv", _staff(name, years)), target="left")
    assert START not in [f.kind for f in report.column(name).findings]


@pytest.mark.parametrize(
    ("name", "clock", "asked"),
    [
        ("walk_start", "{:02}:{:02}:00", False),
        ("Entrée le", "{:02}:{:02}:00", False),
        ("customer since", "{:02}:{:02}:00", True),  # which lasts whatever the clock said
        ("walk_start", "00:00:00", True),
        ("start_date", "22:00:00", True),  # midnight elsewhere
    ],
)
def test_moments_at_which_what_a_row_is_about_began_are_not(
    name: str, clock: str, asked: bool
) -> None:
    report = inspect_table(("t.csv", _moments(name, clock)), target="left")
    assert report.column(name).type == "date"
    assert (START in [f.kind for f in report.column(name).findings]) is asked


@pytest.mark.parametrize("other", ["", "review", "visit"])
def test_the_years_are_counted_to_another_date_or_to_the_newest(other: str) -> None:
    file = ("t.csv", _staff("hired", other=other))
    report = inspect_table(file, target="left")
    (found,) = (f for f in report.column("hired").findings if f.kind == START)
    (fix,) = found.fixes
    options = ReadOptions(roles={"hired": "ignore"}).with_fix("hired", fix.setting, fix.value)
    data = read_table(file, target="left", roles=options.roles, ages=options.ages)
    at = data.schema.names.index("hired (years)")
    last = {"": (2021, 12), "review": (2024, 6), "visit": (2024, 1)}[other]
    assert data.values[0, at] == pytest.approx(last[0] - 2010 + (last[1] - 1) / 12, abs=0.11)
    assert data.values[:, at].min() >= 0
    later = read_to_predict(file, data.schema)
    assert np.array_equal(later.values[:, at], data.values[:, at])
    assert any("years since then" in note for note in data.provenance.notes)


def _later(years: int) -> tuple[str, bytes]:
    """Write the same people, and one hired so many years after the newest of training."""
    text = _staff("hired").decode()
    newest = next(line for line in text.splitlines() if ".12.2021" in line)
    return "later.csv", f"{text}\n{newest.replace('2021', str(2021 + years))}".encode()


def test_a_later_table_is_counted_on_its_own_newest_date_and_that_is_said() -> None:
    data = read_table(("t.csv", _staff("hired")), target="left", ages=["hired"])
    at = data.schema.names.index("hired (years)")
    trained = data.values[:, at]
    for later in (read_to_predict(_later(2), data.schema), read_rows(_later(2), data.schema)[0]):
        assert later.values[: len(trained), at] == pytest.approx(trained + 2, abs=0.11)
        assert later.values[:, at].min() >= 0
        (note,) = (n for n in later.provenance.notes if "newest date of this table" in n)
        assert all(text in note for text in ("2021-12-", "2023-12-", "--count-until"))
    same = read_to_predict(("t.csv", _staff("hired")), data.schema)
    assert any("as in training" in note for note in same.provenance.notes)
    # Days to come are no days on which rows were written; frames without a word stay as trained.
    assert read_to_predict(_later(500), data.schema).values[0, at] == trained[0]
    assert read_table(_later(2), schema=data.schema).values[0, at] == trained[0]


def test_the_day_can_be_said() -> None:
    data = read_table(("t.csv", _staff("hired")), target="left", ages=["hired"])
    at = data.schema.names.index("hired (years)")
    trained = data.values[0, at]
    said = read_to_predict(_later(2), data.schema, ReadOptions(count_until="2031-12-28"))
    assert said.values[0, at] == pytest.approx(trained + 10, abs=0.11)
    assert any("as was said" in note for note in said.provenance.notes)
    kept = read_to_predict(_later(2), data.schema, ReadOptions(count_until="training"))
    assert kept.values[0, at] == trained
    with pytest.raises(OptionError, match="count_until='soon' must be a date"):
        read_to_predict(_later(2), data.schema, ReadOptions(count_until="soon"))
    plain = read_table(("t.csv", _staff("hired")), target="left", roles={"hired": "ignore"})
    with pytest.raises(OptionError, match="must be left out"):
        read_to_predict(_later(2), plain.schema, ReadOptions(count_until="2031-12-28"))
