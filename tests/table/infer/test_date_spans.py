"""The days from one date of a row to another."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from probtrees.table.infer.dates.date_spans import SPAN
from probtrees.table.infer.guess_reading import guess_reading
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.ui.shared.finding_words import decided, open_questions

from probtrees.cli import main
from probtrees.errors import DataError
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table
from probtrees.table.table_report import TableReport
from probtrees.ui.shared import permalink
from probtrees.ui.shared.recipe import reading_flags

ROWS = 400
DAYS = {"admitted": "discharged"}


def _table() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    begin = pd.Timestamp("2021-01-01") + pd.to_timedelta(rng.integers(0, 700, ROWS), "D")
    born = pd.Timestamp("1950-03-01") + pd.to_timedelta(rng.integers(0, 15000, ROWS), "D")
    stay = rng.integers(0, 30, ROWS)
    return pd.DataFrame(
        {
            "born": born,
            "admitted": begin,
            "discharged": begin + pd.to_timedelta(stay, "D"),
            "ward": rng.choice(list("abc"), ROWS),
            "beds": rng.integers(1, 6, ROWS),
            "age": rng.integers(20, 90, ROWS),
            "again": np.where(rng.random(ROWS) < 0.2 + 0.5 * (stay > 14), "yes", "no"),
        }
    )


def _offers(frame, **said):
    report = inspect_table(frame, **said)
    return [found for found in report.findings if found.kind == SPAN], report


def test_days_between_two_dates_are_offered_and_used_by_a_click():
    (found,), report = _offers(_table())
    assert found in open_questions(report.findings, report, lambda _: False)
    (fix,) = found.fixes
    assert fix.label == "Use the days from admitted to discharged"
    reading = ReadOptions(roles={"admitted": "ignore"})
    reading = reading.with_fix(found.column, fix.setting, fix.value)
    assert (reading.days_to, reading.roles) == (DAYS, {})
    left, after = _offers(_table(), **reading.arguments)
    assert not left
    assert "admitted used as days to another date" in decided(after)
    (back,) = (f.fixes[0] for f in after.findings if f.kind == "said")
    assert reading.with_fix("admitted", back.setting, back.value).days_to == {}


def test_they_are_offered_where_the_app_has_set_both_dates_aside():
    def look(reading: ReadOptions) -> TableReport:
        return inspect_table(_table(), **reading.arguments)

    reading = guess_reading(look, ReadOptions()).reading
    assert reading.roles["discharged"] == "ignore"
    (found,) = (f for f in look(reading).findings if f.kind == SPAN)
    used = look(reading.with_fix(found.column, found.fixes[0].setting, found.fixes[0].value))
    assert used.column("admitted").role == "feature"
    assert used.usable


def test_the_days_are_a_column_of_the_table_also_of_later_ones():
    frame = _table()
    data = read_table(frame, days_to=DAYS)
    at = data.schema.names.index("days from admitted to discharged")
    stay = (frame["discharged"] - frame["admitted"]).dt.days
    assert data.values[:, at].tolist() == stay.tolist()
    assert "admitted (days)" not in data.schema.names
    later = frame[["discharged", "admitted", "ward", "beds", "age", "born"]].astype(str)
    later.loc[3, "discharged"] = ""
    again = read_table(later, schema=data.schema).values[:, at]
    assert np.isnan(again[3])
    assert again[4:].tolist() == stay[4:].tolist()


def test_a_later_table_without_the_second_date_is_told_so():
    frame = _table()
    schema = read_table(frame, days_to=DAYS).schema
    later = read_table(frame.drop(columns="discharged"), schema=schema)
    assert np.isnan(later.values[:, schema.names.index("days from admitted to discharged")]).all()
    said = "There is no column 'discharged': 'days from admitted to discharged' is not recorded."
    assert said in later.provenance.notes


def test_the_time_of_rows_may_begin_them():
    data = read_table(_table(), days_to=DAYS, roles={"admitted": "time"})
    assert "days from admitted to discharged" in data.schema.names


@pytest.mark.parametrize("case", ["order", "one outcome", "few", "alike", "the outcome"])
def test_dates_that_tell_the_outcome_or_are_in_no_order_are_not_offered(case):
    frame = _table()
    stay = (frame["discharged"] - frame["admitted"]).dt.days
    if case == "order":
        frame.loc[:40, "discharged"] -= pd.Timedelta("60D")
    elif case == "one outcome":
        frame.loc[frame["again"] == "no", "discharged"] = pd.NaT
    elif case == "few":
        frame.loc[: ROWS * 0.7, "discharged"] = pd.NaT
    elif case == "alike":
        frame["discharged"] = frame["admitted"] + pd.Timedelta("1D")
    else:
        frame["again"] = np.where(stay > 14, "long", "short")
    assert not _offers(frame)[0]


def test_columns_without_dates_are_refused_by_name():
    with pytest.raises(DataError, match=r"'ward' of .* must hold dates"):
        read_table(_table(), days_to={"admitted": "ward"})
    with pytest.raises(DataError, match="must be a column"):
        read_table(_table(), days_to={"admitted": "left"})


def test_the_command_line_has_the_option(tmp_path, capsys):
    path = tmp_path / "t.csv"
    _table().to_csv(path, index=False)
    assert main(["grow", str(path), "--days-to", "admitted=discharged"]) == 0
    assert "days from admitted to discharged" in capsys.readouterr().out


def test_a_command_and_a_link_hold_them():
    reading = ReadOptions(days_to=DAYS)
    assert reading_flags(reading) == ["--days-to", "admitted=discharged"]
    assert permalink._read_reading(permalink._write_reading(reading)) == (reading, [])


def test_days_to_a_last_contact_are_not_offered() -> None:
    table = _table().rename(columns={"discharged": "last_contact", "again": "died"})
    findings = inspect_table(table, target="died").findings
    assert not [found for found in findings if found.kind == SPAN]


@pytest.mark.parametrize("name", ["actualclosedate", "closed_at", "Abschlussdatum", "paid on"])
def test_days_to_the_close_of_a_deal_are_not_offered(name: str) -> None:
    table = _table().rename(columns={"discharged": name, "again": "status"})
    offered, report = _offers(table, target="status")
    assert not offered
    (said,) = (found.sentence for found in report.findings if found.column == name)
    assert "by its name it may be known only at the end" in said
    planned = _table().rename(columns={"discharged": "estimatedclosedate", "again": "status"})
    assert _offers(planned, target="status")[0]


def test_a_date_that_rows_without_an_outcome_lack_is_not_offered() -> None:
    table = _table().rename(columns={"discharged": "seen", "again": "status"})
    table.loc[:99, "status"] = "Open"
    assert _offers(table, target="status", missing_in={"status": ["Open"]})[0]
    table.loc[:99, "seen"] = pd.NaT
    assert not _offers(table, target="status", missing_in={"status": ["Open"]})[0]


def test_days_of_a_stay_are_offered_for_what_comes_later_not_for_who_died() -> None:
    table = _table().rename(columns={"admitted": "Aufnahme", "discharged": "Entlassdatum"})
    assert _offers(table, target="again")[0]
    died = table.rename(columns={"again": "verstorben"})
    assert not _offers(died, target="verstorben")[0]
