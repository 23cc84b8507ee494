"""Amounts that are filled up with zeros are asked about; postcodes, codes and IDs are not."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.ui.shared.alike_findings import together
from probtrees.ui.shared.finding_words import open_questions

from probtrees.cli import main
from probtrees.errors import ProbTreesWarning
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table
from probtrees.table.table_report import PADDED, TableReport

ROWS = 1200


def _table() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    sums = np.exp(rng.normal(10, 1.5, ROWS)).astype(np.int64)
    sums[rng.choice(ROWS, 50, replace=False)] = 99_999_999_999
    ages = rng.integers(0, 100, ROWS)
    ages[:40] = 999
    padded = {
        "POLNO": (8, np.arange(ROWS) * 7919 % 10**8),
        "SEQ": (7, np.arange(ROWS) + 1),
        "DRAWN": (9, rng.choice(90_000, ROWS, replace=False)),
        "SUMINS": (11, sums),
        "TENMTH": (4, rng.integers(0, 400, ROWS)),
        "INSAGE": (3, ages),
        "PLZ": (5, rng.choice([1067, 4109, 10115, 80331, 99084], ROWS)),
        "REGION": (5, rng.integers(1001, 16077, ROWS)),
        "AGENT": (5, rng.integers(1, 60, ROWS)),
        "BRANCH": (3, rng.integers(1, 140, ROWS)),
        "county_code": (5, rng.integers(1, 999, ROWS)),
    }
    cells = {name: [f"{n:0{width}d}" for n in values] for name, (width, values) in padded.items()}
    return pd.DataFrame({**cells, "LAPSED": rng.choice(["Y", "N"], ROWS)})


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("mainframe") / "t.csv"
    _table().to_csv(file, index=False)
    return str(file)


def _asked(report: TableReport) -> list[str | None]:
    return [found.column for found in report.findings if found.kind == PADDED]


def test_amounts_of_many_sizes_are_asked_about_and_no_codes(path):
    report = inspect_table(path)
    assert _asked(report) == ["SUMINS", "TENMTH", "INSAGE"]
    for name in ("POLNO", "SEQ", "DRAWN", "PLZ", "REGION", "AGENT", "BRANCH", "county_code"):
        assert report.column(name).type != "numeric"
    assert not [f for f in report.column("SUMINS").findings if f.kind == "identifier"]


def test_one_button_reads_all_of_them_as_numbers_and_then_asks_about_stand_ins(path):
    report = inspect_table(path)
    shared = together(report.findings)
    (found,) = (f for f in open_questions(shared, report, lambda _: False) if f.kind == PADDED)
    (fix,) = found.fixes
    assert fix.label == "Read all of them as numbers"
    assert "'SUMINS', 'TENMTH', 'INSAGE'" in found.sentence
    reading = ReadOptions()
    for name in (str(found.column), *shared[found]):
        reading = reading.with_fix(name, fix.setting, fix.value)
    after = inspect_table(path, **reading.arguments)
    assert not _asked(after)
    assert after.column("TENMTH").type == "numeric"
    assert after.column("SUMINS").role == "feature"
    stands_in = {f.column for f in after.findings if f.kind == "maybe missing"}
    assert stands_in == {"SUMINS", "INSAGE"}
    with pytest.warns(ProbTreesWarning, match="identifiers"):
        data = read_table(path, "LAPSED", **reading.arguments)
    months = data.values[:, data.schema.names.index("TENMTH")]
    assert months.tolist() == _table()["TENMTH"].astype(float).tolist()


def test_read_table_says_that_they_are_left_out(path):
    with pytest.warns(ProbTreesWarning) as said:
        read_table(path, "LAPSED")
    assert any("'SUMINS' holds numbers filled up with zeros" in str(w.message) for w in said)


def test_ages_alone_and_a_given_type_are_not_asked_about(path):
    ages = _table()[["INSAGE", "PLZ", "LAPSED"]]
    assert not _asked(inspect_table(ages))
    assert _asked(inspect_table(path, types={"SUMINS": "nominal"}))[0] == "TENMTH"


def test_the_command_line_names_the_option(path, capsys):
    assert main(["grow", path]) == 0
    assert "--type SUMINS=numeric" in capsys.readouterr().err
    assert main(["grow", path, "--type", "SUMINS=numeric"]) == 0
    assert "SUMINS=numeric" not in capsys.readouterr().err
