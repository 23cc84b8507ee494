"""What is declared once is found by everybody: command line, app, reports, files, estimators.

Each toy here is one file and one line in a list. If one of these tests fails, somewhere a face
of the program keeps a list of its own.
"""

import csv
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import probtrees
from probtrees import estimators
from probtrees.experiment.registry import LEARNERS, SMOOTHERS, Entry, register_smoother
from probtrees.report.model_report import model_report
from probtrees.score.measures import MEASURES, Measure
from probtrees.smooth.m_estimate import Laplace
from probtrees.types import FloatArray, IntArray
from tests.app.app_page import press, visit
from tests.cli.command import run
from tests.small_tables import patients, write_csv

PAGES = Path(__file__).resolve().parents[1] / "pages"

pytestmark = pytest.mark.skipif(not PAGES.is_dir(), reason="an installed package has no pages")


@pytest.fixture
def table(tmp_path: Path) -> str:
    return str(write_csv(patients(), tmp_path / "patients.csv"))


def offered(page: AppTest) -> set[str]:
    """List everything that the choices of a page offer."""
    kinds = ("selectbox", "multiselect", "pills", "segmented_control", "button_group")
    found: set[str] = set()
    for element in (element for kind in kinds for element in page.get(kind)):
        options = getattr(element.proto, "options", ())
        found |= {option if isinstance(option, str) else option.content for option in options}
    return found


@dataclass(frozen=True)
class ToySmoother(Laplace):
    """Laplace under another name."""

    name: ClassVar[str] = "toy-smoother"


class TestSmoother:
    @pytest.fixture(autouse=True)
    def _registered(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(SMOOTHERS, "toy-smoother", SMOOTHERS["laplace"])
        monkeypatch.delitem(SMOOTHERS, "toy-smoother")
        register_smoother(ToySmoother, "Toy smoother")

    def test_app(self) -> None:
        for page in ("tree", "compare"):
            assert "Toy smoother" in offered(visit(page, sample="stroke", smoother="laplace"))

    def test_report(self) -> None:
        assert "Toy smoother" in model_report(probtrees.fit(patients(), "c45", "toy-smoother"))


_LEARNER = '''
from dataclasses import dataclass
from typing import ClassVar

from probtrees.grow.naive_bayes import NaiveBayes
from probtrees.options import option


@dataclass(frozen=True)
class ToyNet(NaiveBayes):
    """Naive Bayes under another name."""

    name: ClassVar[str] = "toy-net"
    volume: int = option(3, flag=True, minimum=1, help="How loud it is.")
'''


class TestLearner:
    @pytest.fixture(autouse=True)
    def _registered(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        (tmp_path / "toy_package").mkdir()
        (tmp_path / "toy_package" / "toy_net.py").write_text(_LEARNER)
        monkeypatch.syspath_prepend(str(tmp_path))
        entry = Entry("toy-net", "toy_package.toy_net:ToyNet", "Toy network", kind="network")
        monkeypatch.setitem(LEARNERS, "toy-net", entry)
        yield
        vars(probtrees).pop("ToyNetClassifier", None)
        vars(estimators).pop("ToyNetClassifier", None)
        for name in ("toy_package.toy_net", "toy_package"):
            sys.modules.pop(name, None)

    def test_command_line(self, capsys: pytest.CaptureFixture[str], table: str) -> None:
        helped = run(capsys, "grow", "--help")
        assert "toy-net" in helped
        assert "--volume N" in helped
        arguments = ("grow", table, "--model", "toy-net", "--volume", 5, "--format", "json")
        record = json.loads(run(capsys, *arguments, "--smoother", "laplace"))
        assert record["options"]["learner"]["volume"] == 5
        measured = ("evaluate", table, "--model", "toy-net", "--smoother", "laplace", "--cv", 2)
        assert "toy-net" in run(capsys, *measured)

    def test_app(self) -> None:
        shown = visit("network", sample="stroke", network__learner="toy-net")
        assert "Toy network" in offered(shown)
        assert any("How loud it is" in widget.help for widget in shown.number_input)
        assert "Toy network" in offered(visit("compare", sample="stroke"))

    def test_estimator_and_report(self) -> None:
        assert "ToyNetClassifier" in dir(probtrees)
        data = patients(60, missing=False)
        estimator = probtrees.ToyNetClassifier(smoother="laplace", volume=2)
        fitted = estimator.fit(data.values[:, :-1], data.labels)
        assert fitted.model_.kind == "network"
        assert fitted.model_.options["learner"]["volume"] == 2
        assert "Toy network" in model_report(fitted.model_)


def _surprise(proba: FloatArray, labels: IntArray, weights: FloatArray) -> float:
    return float(np.average(1 - proba[np.arange(len(labels)), labels], weights=weights))


class TestMeasure:
    @pytest.fixture(autouse=True)
    def _declared(self, monkeypatch: pytest.MonkeyPatch) -> None:
        words = "How far what happened was from certain."
        toy = Measure("toy", "toy surprise", words, False, _surprise, "mean of 1 - p(true class)")
        monkeypatch.setitem(MEASURES, "toy", toy)

    def test_command_line(
        self, capsys: pytest.CaptureFixture[str], table: str, tmp_path: Path
    ) -> None:
        arguments = ("evaluate", table, "--smoother", "laplace", "--cv", 2)
        record = json.loads(run(capsys, *arguments, "--json"))
        assert 0 < record["toy"] < record["base_rate"]["toy"]
        assert "toy" in run(capsys, *arguments).split()
        report = tmp_path / "report.html"
        run(capsys, "compare", table, "--smoothers", "laplace", "--cv", 2, "--report", report)
        assert "toy surprise" in report.read_text(encoding="utf-8")

    def test_benchmark(
        self, capsys: pytest.CaptureFixture[str], table: str, tmp_path: Path
    ) -> None:
        out, report = tmp_path / "results.log", tmp_path / "benchmark.html"
        folder = Path(table).parent
        options = ("--smoothers", "laplace,mle", "--cv", 2, "--out", out)
        summary = run(capsys, "benchmark", folder, *options, "--report", report)
        assert "toy" in summary.split()
        with out.open(newline="", encoding="utf-8") as file:
            assert all(float(row["toy"]) > 0 for row in csv.DictReader(file))
        assert "toy surprise" in report.read_text(encoding="utf-8")

    def test_app(self) -> None:
        chosen = {"compare__smoothers": ["mle", "laplace"], "compare__folds": 2}
        page = press(visit("compare", sample="stroke", **chosen), "Compare")
        (measures,) = [box.options for box in page.selectbox if box.label == "Picture"]
        assert "toy surprise" in measures


TOY_FORMAT = """
from probtrees.table.formats.delimited import DELIMITED
from probtrees.table.formats.source import Format, is_named

TOY = Format("Toy", (".toy",), DELIMITED.read, lambda name, head: is_named(name, (".toy",)))
"""

TOY_READING = """
import re

import numpy as np

from probtrees.table.readings.reading import Reading

VALUES = dict(M=1000, D=500, C=100, L=50, X=10, V=5, I=1)


def parse_romans(texts, reading):
    return np.array([number_of(text) for text in texts.to_pylist()])


def number_of(text):
    if not re.fullmatch("[IVXLCDM]+", text):
        return np.nan
    values = [VALUES[sign] for sign in text]
    larger = [*values[1:], 0]
    return float(sum(-v if v < after else v for v, after in zip(values, larger)))


ROMANS = Reading(
    "Roman numerals", "numeric", "[IVXLCDM]+", parse_romans, "IV is read as 4", automatic=False
)
"""

TOY_STEP = """
from dataclasses import replace

from probtrees.table.raw_table import Numbers
from probtrees.table.readings.find_reading import read_cells
from probtrees.table.readings.reading import AppliedStep


def resolve(column, found, raw, said):
    return (replace(column, steps=(*column.steps, AppliedStep("double", {}))),)


def double(found, column, settings, raw):
    numbers, _ = read_cells(found, column.reading, decimal=raw.decimal)
    return Numbers(2 * numbers)
"""

NEW_FILES = {
    "probtrees/table/formats/toy.py": TOY_FORMAT,
    "probtrees/table/readings/toy_reading.py": TOY_READING,
    "probtrees/table/toy_step.py": TOY_STEP,
}

ONE_ENTRY_EACH = (
    ("table/formats/open_table.py", "FORMATS: tuple[Format, ...] = (", "TOY, ", "formats.toy"),
    ("table/readings/numbers.py", "TIME_READINGS = (", "ROMANS, ", "readings.toy_reading"),
    ("table/steps.py", "_STEPS = (", 'Step("double", resolve, double), ', "toy_step"),
)
"""A list, where it opens or ends, the entry that is added, and the file that it comes from."""

LOOK_AROUND = """
import json
import pathlib
import probtrees
from probtrees.ui.shared.table_source import FILE_HELP

text = "x,r,y\\n1,IV,a\\n2,IX,b\\n3,XL,a\\n4,V,b\\n5,II,a\\n6,IV,b\\n"
pathlib.Path("some.toy").write_text(text)
said = {"types": {"r": "Roman numerals"}, "steps": [{"step": "double", "column": "x"}]}
learnt = probtrees.read_table("some.toy", **said)
scored = probtrees.read_table(("new.csv", b"x,r\\n7,XC\\n"), schema=learnt.schema)
model = probtrees.fit(learnt, "nb", "laplace")
model.save("toy.json")
again = probtrees.load_model("toy.json").predict_proba("some.toy")
print(json.dumps({
    "read": learnt.values[:3, :2].tolist(),
    "scored": scored.values[0, :2].tolist(),
    "same": bool((again == model.predict_proba("some.toy")).all()),
    "uploads": "Toy" in FILE_HELP,
}))
"""


@pytest.fixture(scope="module")
def copy_with_toys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the package, and add one of each kind: a file and an entry."""
    copy = tmp_path_factory.mktemp("copy")
    unwanted = shutil.ignore_patterns("__pycache__")
    for name in ("probtrees", "sample_data"):
        shutil.copytree(PAGES.parent / name, copy / name, ignore=unwanted)
    for name, text in NEW_FILES.items():
        (copy / name).write_text(text)
    for name, place, entry, home in ONE_ENTRY_EACH:
        path = copy / "probtrees" / name
        text = path.read_text(encoding="utf-8")
        assert text.count(place) == 1, name
        head, mark, rest = text.replace(place, place + entry).partition("import annotations\n")
        path.write_text(f"{head}{mark}from probtrees.table.{home} import *\n{rest}")
    return copy


def in_copy(copy: Path, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    return subprocess.run(
        [sys.executable, "-W", "ignore", *arguments],
        cwd=copy,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    ).stdout


@pytest.mark.slow
def test_what_reads_a_table_is_a_file_and_an_entry_each(copy_with_toys: Path) -> None:
    found = json.loads(in_copy(copy_with_toys, "-c", LOOK_AROUND).splitlines()[-1])
    assert found["read"] == [[2, 4], [4, 9], [6, 40]]
    assert found["scored"] == [14, 90]
    assert found["same"]
    assert found["uploads"]
    helped = in_copy(copy_with_toys, "-m", "probtrees", "grow", "--help")
    assert "Toy" in helped
    assert "Roman numerals" in " ".join(helped.split())
