"""What README and documentation show can be typed as it stands: Python, commands, scripts."""

import re
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from probtrees.cli import main
from probtrees.version import __version__

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "SECURITY.md"]
ELSEWHERE = ("probtrees app", "--cluster", "pip install", "convert tree.json tree.onnx")
"""Parts of commands that have tests of their own: a server, a cluster, an install, an extra."""


def blocks(language):
    """List the code of all pages in one language, each with the name of its page."""
    pattern = re.compile(rf"^```{language}\n(.*?)^```", re.DOTALL | re.MULTILINE)
    return [
        pytest.param(code, id=f"{page.name}-{number}")
        for page in PAGES
        for number, code in enumerate(pattern.findall(page.read_text("utf-8")))
    ]


def commands(code, program):
    """List the commands of a block that begin with a program, as words."""
    lines = [line for line in code.splitlines() if line.startswith(program)]
    return [
        shlex.split(line, comments=True)
        for line in lines
        if not any(part in line for part in ELSEWHERE)
    ]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the files that the documents speak of."""
    monkeypatch.chdir(tmp_path)
    table = patients()
    for name in ("patients", "next_years_patients"):
        table.to_csv(f"{name}.csv", index=False)
    table.drop(columns="ill").head(5).to_csv("new_patients.csv", index=False)
    table.drop(columns="ill").head(1).to_csv("patient.csv", index=False)
    for place in ("DATA_DIR", "sales", "held-out"):
        Path(place).mkdir()
    table.to_csv("DATA_DIR/patients.csv", index=False)
    sold = table.rename(columns={"ill": "sold"})
    for path in ("BIG.parquet", "sales/2024-01.parquet", "sales/2024-02.parquet"):
        sold.to_parquet(path)
    sold.to_parquet("held-out/rest.parquet")
    return tmp_path


def patients(n_rows=80):
    random = np.random.default_rng(0)
    age, lactate = random.integers(20, 90, n_rows), random.normal(2, 1, n_rows).round(1)
    ward = random.choice(["A", "B", "C"], n_rows)
    ill = np.where(age / 40 + lactate + random.normal(size=n_rows) > 4, "yes", "no")
    return pd.DataFrame({"age": age, "lactate": lactate, "ward": ward, "ill": ill})


@pytest.mark.parametrize("code", blocks("python"))
def test_the_python_of_the_documents_runs(code, folder):
    table = patients()
    rows = table.drop(columns="ill")
    exec(code, {"X": rows, "y": table["ill"], "X_new": rows.head(3)})


@pytest.mark.slow
@pytest.mark.parametrize(
    "code", [block for block in blocks("bash") if commands(block.values[0], "probtrees ")]
)
def test_the_commands_of_the_documents_run(code, folder, capsys):
    if "*.csv" in code:
        for path in Path("sales").glob("*.parquet"):
            pd.read_parquet(path).to_csv(path.with_suffix(".csv"), index=False)
    if "network.json" in code:
        assert main(["grow", "patients.csv", "--model", "nb", "--out", "network.json"]) == 0
    for _, *words in commands(code, "probtrees "):
        assert main(words) == 0, (words, capsys.readouterr().err)


@pytest.mark.parametrize("code", [b for b in blocks("bash") if commands(b.values[0], "python ")])
def test_the_scripts_of_the_documents_are_there_and_know_their_options(code):
    for _, *words in commands(code, "python "):
        script = Path(words[0])
        if words[0] == "-m":
            script = Path(*words[1].split("."))
            script = (
                script / "__main__.py" if (ROOT / script).is_dir() else script.with_suffix(".py")
            )
        source = (ROOT / script).read_text("utf-8")
        assert all(f'"{word}"' in source for word in words if word.startswith("--")), words


def test_the_citation_is_of_this_version():
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
