"""What README and first page of the documentation show can be typed as it stands."""

import re
from pathlib import Path

import pandas as pd
import pytest

from probtrees.version import __version__
from tests.small_tables import patients, write_csv

ROOT = Path(__file__).resolve().parents[1]
BLOCKS = [
    block
    for page in ("README.md", "docs/index.md")
    for block in re.findall(r"```python\n(.*?)```", (ROOT / page).read_text("utf-8"), re.DOTALL)
]


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_the_python_of_the_readme_runs(number, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table = pd.read_csv(write_csv(patients(60), tmp_path / "patients.csv"))
    target = patients(60).schema.target.name
    rows = table.drop(columns=target)
    exec(BLOCKS[number], {"X": rows, "y": table[target], "X_new": rows.head(3)})


def test_the_citation_is_of_this_version():
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
