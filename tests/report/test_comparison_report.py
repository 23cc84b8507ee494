"""The report of a comparison is one file, begins with the verdict and runs no text from data."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from probtrees.cli import main
from probtrees.experiment.evaluation.cross_validate import compare
from probtrees.experiment.model_spec import make_spec, named_smoother
from probtrees.report.comparison_report import Compared, comparison_report
from probtrees.table.folds import FoldPlan
from probtrees.table.read_table import read_table
from tests.small_tables import HOSTILE, HOSTILE_TARGET, patients, write_csv, write_hostile_csv


def compared(tmp_path: Path, *, hostile: bool = False) -> Compared:
    if hostile:
        path = write_hostile_csv(tmp_path / "table.csv")
        data = read_table(path, target=HOSTILE_TARGET)
    else:
        data = patients()
    folds = [FoldPlan(n_folds=3).cut_once(data, 0, 0)]
    methods = [named_smoother(name, {}) for name in ("mle", "laplace")]
    results = compare(data, make_spec("c45", {}), methods, folds=folds)
    return Compared(
        results={result.smoother: result for result in results},
        data=data,
        folds=folds,
        outcome=1,
        n_settings=7,
        commands=["probtrees compare 'a <b>.csv' --cv 3"],
    )


def test_every_part_is_there_and_nothing_is_fetched(tmp_path: Path) -> None:
    asked = compared(tmp_path)
    html = comparison_report(asked)
    for words in (
        "Methods compared for state: made up",
        "Always the base rate",
        "Use the base rate",
        "counts as no better",
        "7 settings on one data set",
        "Reliability",
        "Where this comes from",
        "cross-validation with 3 folds",
        "probtrees compare &#x27;a &lt;b&gt;.csv&#x27; --cv 3",
    ):
        assert words in html, words
    best = sorted(asked.results, key=lambda name: asked.results[name].scores.brier)
    assert re.findall(r"<td[^>]*>(mle|laplace)<", html)[:2] == best
    found = asked.results["laplace"]
    part = 1 if found.n_classes > 2 else 0.5
    for figure in (part * found.scores.brier, 1 - found.scores.brier / found.base_rate.brier):
        assert f">{figure:.3f}<" in html
    assert not re.search(r"<(script|link|img)[^>]+(src|href)=[\"']?(http|//)", html)
    assert "prefers-color-scheme: dark" in html


def test_text_from_data_is_inert(tmp_path: Path) -> None:
    asked = compared(tmp_path, hostile=True)
    evil = HOSTILE[0]
    named = {f"{evil} {name}": result for name, result in asked.results.items()}
    html = comparison_report(replace(asked, results=named, problems=[evil], commands=[evil]))
    assert evil not in html
    assert "<b>" not in html.replace("<body>", "").split("</script></head>")[-1]


def test_what_is_not_whole_or_alone_names_nothing_best(tmp_path: Path) -> None:
    asked = compared(tmp_path)
    part = comparison_report(replace(asked, is_whole=False))
    assert "Not all is measured yet" in part
    assert "Use the base rate" not in part
    alone = {"mle": asked.results["mle"]}
    assert "no method is better" in comparison_report(replace(asked, results=alone))


def test_the_command_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = write_csv(patients(), tmp_path / "patients.csv")
    report = tmp_path / "comparison.html"
    command = ["compare", str(table), "--smoothers", "mle,laplace", "--cv", "3"]
    assert main([*command, "--report", str(report)]) == 0
    assert "Methods compared for state: patients.csv" in report.read_text(encoding="utf-8")
    assert main([*command, "--report", str(tmp_path / "no" / "place.html")]) != 0
    assert "must be a place to write" in capsys.readouterr().err
