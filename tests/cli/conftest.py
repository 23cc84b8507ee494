import pytest

from tests.small_tables import patients, write_csv


@pytest.fixture
def table(tmp_path):
    return str(write_csv(patients(), tmp_path / "patients.csv"))
