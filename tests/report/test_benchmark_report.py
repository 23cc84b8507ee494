"""The report is one file, shows every method and data set, and runs no text from data."""

import re

import pytest

from probtrees.experiment.evaluation.benchmark import Failure, result_columns, summarise
from probtrees.report.benchmark_report import benchmark_report
from probtrees.score.measures import MEASURES

EVIL = "<img src=x onerror=alert(1)>"


def made_up_rows() -> list[dict[str, str]]:
    rows = []
    for i, dataset in enumerate(("a", "b", EVIL)):
        for j, smoother in enumerate(("mle", "laplace", "hgs")):
            row = dict.fromkeys(result_columns(), "1")
            row |= {name: str(0.5 - 0.1 * j + 0.01 * i) for name in MEASURES}
            row |= {"dataset": dataset, "model": "c45", "smoother": smoother, "rows": str(10 + i)}
            rows.append(row)
    return rows


def test_every_part_is_there_and_nothing_is_fetched() -> None:
    html = benchmark_report(summarise(made_up_rows()), [Failure("broken", "c45", "one class only")])
    assert "Means over the data sets" in html
    assert "3-0-0" in html
    assert "one class only" in html
    assert EVIL not in html
    few = (
        "On 3 data sets these cannot be distinguished from it (Wilcoxon, Holm-corrected, 5 %): mle"
    )
    assert few in html
    assert not re.search(r"<(script|link|img)[^>]+(src|href)=[\"']?(http|//)", html)


def test_means_over_fewer_data_sets_say_so() -> None:
    rows = [dict(row) for row in made_up_rows()]
    rows[0]["auc"] = ""
    summary = summarise(rows)
    assert summary.remarks == ["auc is defined for every method on 2 of 3 data sets"]
    assert summary.means["mle"]["auc"] == pytest.approx(0.515)
    assert "auc is defined for every method on 2 of 3 data sets" in benchmark_report(summary)
