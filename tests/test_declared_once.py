"""What is declared once is found by everybody: command line, app, reports, files, estimators.

Each toy here is one file and one line in a list. If one of these tests fails, somewhere a face
of the program keeps a list of its own.
"""

from __future__ import annotations

import csv
import json
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
    monkeypatch.setattr("probtrees.ui.shared.jobs.PATIENCE", 120.0)


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
