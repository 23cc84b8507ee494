"""A benchmark keeps what is finished, goes on where it stopped, and survives bad files."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from probtrees import cross_validate
from probtrees.cli import main
from probtrees.errors import OptionError
from probtrees.experiment.evaluation import benchmark as benchmark_module
from probtrees.experiment.evaluation.benchmark import BASE_RATE, Task, run_benchmark, summarise
from probtrees.experiment.model_spec import make_spec, named_smoother
from probtrees.table.folds import read_plan
from probtrees.table.read_table import read_table


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three small data sets, one of them unusable."""
    random = np.random.default_rng(1)
    for name, n_rows in (("small", 40), ("large", 60)):
        x = random.normal(size=n_rows)
        label = np.where(x + random.normal(size=n_rows) > 0, "yes", "no")
        rows = "".join(f"{value:.3f},{answer}\n" for value, answer in zip(x, label, strict=True))
        (tmp_path / f"{name}.csv").write_text("x,y\n" + rows)
    (tmp_path / "broken.csv").write_text("x,y\n1,only\n2,only\n")
    return tmp_path


def tasks(folder: Path, *smoothers: str, n_folds: int = 3) -> list[Task]:
    named = tuple(named_smoother(name) for name in smoothers)
    spec = make_spec("c45")
    return [
        Task(folder / f"{name}.csv", spec, named, read_plan(n_folds), None)
        for name in ("small", "broken", "large")
    ]


def test_rows_hold_what_cross_validation_finds(folder: Path) -> None:
    run = run_benchmark(tasks(folder, "mle", "laplace"))
    rows = {(row["dataset"], row["model"], row["smoother"]): row for row in run.rows}
    assert len(rows) == 2 * 3
    expected = cross_validate(read_table(folder / "small.csv"), "c45", "laplace", folds=3)
    assert float(rows["small", "c45", "laplace"]["rmse"]) == expected.scores.rmse
    assert float(rows["small", BASE_RATE, ""]["rmse"]) == expected.base_rate.rmse


def test_a_second_run_measures_only_what_is_new(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "results.csv.log"
    run_benchmark(tasks(folder, "mle"), out)
    before = out.read_text()
    asked = []
    compare = benchmark_module.compare

    def spy(data: object, spec: object, smoothers: object, **settings: object) -> object:
        asked.append([name for name, _ in smoothers])  # type: ignore[attr-defined]
        return compare(data, spec, smoothers, **settings)  # type: ignore[arg-type]

    monkeypatch.setattr(benchmark_module, "compare", spy)
    run_benchmark(tasks(folder, "mle", "laplace"), out)
    assert asked == [["laplace"], ["laplace"]]
    assert out.read_text().startswith(before)
    run_benchmark(tasks(folder, "mle", "laplace"), out)
    assert len(asked) == 2
    with pytest.raises(OptionError, match="other settings"):
        run_benchmark(tasks(folder, "mle", n_folds=4), out)


def test_a_file_that_lacks_newer_columns_is_kept_and_completed(
    folder: Path, tmp_path: Path
) -> None:
    out = tmp_path / "results.log"
    run_benchmark(tasks(folder, "mle"), out)
    frame = pd.read_csv(out, dtype=str, keep_default_na=False)
    frame.drop(columns="sharpness").to_csv(out, index=False, lineterminator="\n")
    run = run_benchmark(tasks(folder, "mle", "laplace"), out)
    again = pd.read_csv(out, dtype=str, keep_default_na=False)
    assert list(again.columns) == list(frame.columns)
    old = again[again["smoother"] == "mle"]
    assert (old["sharpness"] == "").all()
    assert old["rmse"].tolist() == frame[frame["smoother"] == "mle"]["rmse"].tolist()
    assert len(run.rows) == 2 * 3


def test_means_and_ranks_use_the_same_data_sets_for_all(folder: Path) -> None:
    summary = summarise(run_benchmark(tasks(folder, "mle", "laplace")).rows)
    assert summary.methods == ("mle", "laplace", BASE_RATE)
    assert summary.n_datasets == 2
    assert sum(own["rank_by_rmse"] or 0.0 for own in summary.means.values()) == 6
    table = summary.table("rmse")
    assert summary.means["mle"]["rmse"] == pytest.approx(table["mle"].mean(), abs=1e-15)


def test_the_command_reports_failures_and_prints_means(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = folder / "out.log"
    code = main(["benchmark", str(folder), "--smoothers", "mle,laplace", "--out", str(out)])
    printed = capsys.readouterr()
    assert code == 0
    assert "laplace" in printed.out
    assert "broken, c45:" in printed.err
    assert out.read_text().count("\n") == 1 + 6
    again = ["benchmark", str(folder), "--smoothers", "mle,laplace", "--out", str(out), "--json"]
    assert main(again) == 0
    record = json.loads(capsys.readouterr().out)
    assert len(record["results"]) == 6
    assert record["failures"][0]["dataset"] == "broken"
    assert {"laplace", "base-rate"} <= {name.split(" + ")[-1] for name in record["methods"]}
