import pytest

from tests.small_tables import patients, write_csv


@pytest.fixture
def table(tmp_path):
    return str(write_csv(patients(), tmp_path / "patients.csv"))


@pytest.fixture(autouse=True)
def busy_machines_say_no_more(monkeypatch):
    """Let no step of a command report that it takes long, whatever else the machine does."""
    monkeypatch.setattr("probtrees.cli.console.PATIENCE", 600.0)
