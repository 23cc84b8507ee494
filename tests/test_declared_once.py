"""What is declared once is found by everybody: command line, app, reports, files, estimators.

Each toy here is one file and one line in a list. If one of these tests fails, somewhere a face
of the program keeps a list of its own.
"""

from __future__ import annotations

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
from probtrees.score.measures import MEASURES, Forecasts, Measure, measures_table
from probtrees.smooth.laplace import Laplace
from tests.cli.command import run
from tests.small_tables import patients, write_csv

PAGES = Path(__file__).resolve().parents[1] / "pages"

pytestmark = pytest.mark.skipif(not PAGES.is_dir(), reason="an installed package has no pages")


@pytest.fixture
def table(tmp_path: Path) -> str:
    return str(write_csv(patients(), tmp_path / "patients.csv"))


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("probtrees.ui.shared.session.jobs.PATIENCE", 120.0)


def open_page(name: str, **session: object) -> AppTest:
    page = AppTest.from_file(str(PAGES / f"{name}.py"), default_timeout=180)
    page.session_state["sample"] = "stroke"
    for key, value in session.items():
        page.session_state[key] = value
    page.run()
    assert not page.exception
    return page


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

    def test_command_line(self, capsys: pytest.CaptureFixture[str], table: str) -> None:
        assert "toy-smoother" in run(capsys, "grow", "--help")
        shown = run(capsys, "grow", table, "--smoother", "toy-smoother")
        assert "smoothed by toy-smoother" in shown
        compared = run(capsys, "compare", table, "--smoothers", "toy-smoother,laplace", "--cv", 2)
        assert "toy-smoother" in compared

    def test_app(self) -> None:
        assert "Toy smoother" in offered(open_page("tree", smoother="laplace"))
        assert "Toy smoother" in offered(open_page("compare"))

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
        shown = open_page("network", **{"network.learner": "toy-net"})
        assert "Toy network" in offered(shown)
        assert any("How loud it is" in widget.help for widget in shown.number_input)
        assert "Toy network" in offered(open_page("compare"))

    def test_estimator_and_report(self) -> None:
        assert "ToyNetClassifier" in dir(probtrees)
        data = patients(60, missing=False)
        estimator = probtrees.ToyNetClassifier(smoother="laplace", volume=2)
        fitted = estimator.fit(data.values[:, :-1], data.labels)
        assert fitted.model_.kind == "network"
        assert fitted.model_.options["learner"]["volume"] == 2
        assert "Toy network" in model_report(fitted.model_)


def _surprise(forecasts: Forecasts) -> float:
    proba, labels, weights, _ = forecasts
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
        options = ("--smoothers", "laplace,mle", "--cv", 2, "--curves", 0, "--out", out)
        summary = run(capsys, "benchmark", folder, *options, "--report", report)
        assert "toy" in summary.split()
        with out.open(newline="", encoding="utf-8") as file:
            assert all(float(row["toy"]) > 0 for row in csv.DictReader(file))
        assert "toy surprise" in report.read_text(encoding="utf-8")

    def test_app(self) -> None:
        chosen = {"compare.smoothers": ["mle", "laplace"], "compare.folds": 2}
        page = open_page("compare", **chosen)
        (button,) = [button for button in page.button if button.label == "Compare"]
        button.click().run()
        assert not page.exception
        assert page.dataframe[0].value["toy"].notna().all()

    def test_documentation(self) -> None:
        assert "| `toy` | mean of 1 - p(true class) | always |" in measures_table()


TOY_FORMAT = """
from probtrees.table.formats.delimited import DELIMITED
from probtrees.table.formats.format import Format, is_named

TOY = Format("Toy", (".toy",), DELIMITED.read, lambda name, head: is_named(name, (".toy",)))
"""

TOY_PAGE = """
from probtrees.ui.shared.page import Page
from probtrees.ui.shared.page import table_choices

TOY_PAGE = Page("toy", "Toy page", "What a toy is for.", table_choices)
"""

TOY_SCRIPT = """
import streamlit as st

from probtrees.ui.pages import start_page
from probtrees.ui.shared.permalink import page_tools
from probtrees.ui.toy.toy_page import TOY_PAGE

start_page(TOY_PAGE)
page_tools(TOY_PAGE)
"""

TOY_EXPORT = """
from probtrees.ui.shared.exports import Export

TOY_EXPORT = Export("toy.csv", "Toy file", lambda report: "toy")
"""

ONE_LINE_EACH = (
    ("probtrees/table/formats/open_table.py", "ARFF, PARQUET)", "ARFF, PARQUET, TOY)"),
    ("probtrees/ui/pages.py", "LEARN, DATA)", "LEARN, DATA, TOY_PAGE)"),
    ("probtrees/ui/data/data_exports.py", "(COLUMNS,)", "(COLUMNS, TOY_EXPORT)"),
)

NEW_FILES = {
    "probtrees/table/formats/toy.py": TOY_FORMAT,
    "probtrees/ui/toy/__init__.py": "",
    "probtrees/ui/toy/toy_page.py": TOY_PAGE,
    "probtrees/ui/data/toy_export.py": TOY_EXPORT,
    "pages/toy.py": TOY_SCRIPT,
}

IMPORTS = (
    "from probtrees.table.formats.toy import TOY",
    "from probtrees.ui.toy.toy_page import TOY_PAGE",
    "from probtrees.ui.data.toy_export import TOY_EXPORT",
)

LOOK_AROUND = """
import json
import pathlib
from streamlit.testing.v1 import AppTest
import probtrees
from probtrees.ui.shared.table_source import FILE_HELP

def open_page(path):
    page = AppTest.from_file(path, default_timeout=180)
    page.session_state["sample"] = "stroke"
    page.run()
    assert not page.exception, page.exception
    return page

pathlib.Path("some.toy").write_text("x,y\\n1,a\\n2,b\\n3,a\\n")
toy, data = open_page("pages/toy.py"), open_page("pages/data.py")
print(json.dumps({
    "rows": probtrees.read_table("some.toy").n_rows,
    "uploads": "Toy" in FILE_HELP,
    "help": any("What a toy is for." in text.value for text in toy.markdown),
    "export": [button.proto.label for button in data.get("download_button")],
}))
"""


@pytest.fixture(scope="module")
def copy_with_toys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the package, and add a format, a page and an export: a file and a line each."""
    copy = tmp_path_factory.mktemp("copy")
    unwanted = shutil.ignore_patterns("__pycache__")
    for name in ("probtrees", "pages", "sample_data"):
        shutil.copytree(PAGES.parent / name, copy / name, ignore=unwanted)
    shutil.copy(PAGES.parent / "app.py", copy / "app.py")
    for name, text in NEW_FILES.items():
        (copy / name).parent.mkdir(exist_ok=True)
        (copy / name).write_text(text)
    for (name, before, after), line in zip(ONE_LINE_EACH, IMPORTS, strict=True):
        text = (copy / name).read_text(encoding="utf-8")
        assert text.count(before) == 1
        head, mark, rest = text.replace(before, after).partition("import annotations\n")
        (copy / name).write_text(f"{head}{mark}{line}\n{rest}")
    return copy


def in_copy(copy: Path, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=copy,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    ).stdout


@pytest.mark.slow
def test_a_format_a_page_and_an_export_are_a_file_and_a_line_each(copy_with_toys: Path) -> None:
    found = json.loads(in_copy(copy_with_toys, "-c", LOOK_AROUND).splitlines()[-1])
    assert found["rows"] == 3
    assert found["uploads"]
    assert found["help"]
    assert "Toy file" in found["export"]
    assert "Toy" in in_copy(copy_with_toys, "-m", "probtrees", "grow", "--help")
