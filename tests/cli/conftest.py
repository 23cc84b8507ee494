import pytest

from tests.cli.command import run
from tests.small_tables import patients, write_csv


@pytest.fixture
def table(tmp_path):
    return str(write_csv(patients(), tmp_path / "patients.csv"))


@pytest.fixture
def grown(capsys, table, tmp_path):
    """``m.json``, a model of the table."""
    run(capsys, "grow", table, "--smoother", "laplace", "--out", tmp_path / "m.json")
    return tmp_path / "m.json"


@pytest.fixture
def arms(capsys, tmp_path):
    """Rows of two categories that decide together, and ``m.json``, the model of them."""
    lines = [f"{i % 2},{'ab'[i // 2 % 2]},{'ny'[i % 4 == 3]}" for i in range(200)]
    (tmp_path / "t.csv").write_text("\n".join(["arm,kind,ill", *lines]))
    run(capsys, "grow", tmp_path / "t.csv", "--out", tmp_path / "m.json")
    return lines


@pytest.fixture(autouse=True)
def busy_machines_say_no_more(monkeypatch):
    """Let no step of a command report that it takes long, whatever else the machine does."""
    monkeypatch.setattr("probtrees.cli.console.PATIENCE", 600.0)
