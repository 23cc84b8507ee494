"""``probtrees grow --chunks``: files, folders and patterns, resumed, saved, scored."""

import json

import pytest

from probtrees.scale.passes.statistic import OneProcess
from tests.cli.command import refuse, run
from tests.scale.table_parts import write_parts
from tests.small_tables import patients


@pytest.fixture
def folder(tmp_path):
    return write_parts(patients(80), tmp_path / "parts", ".csv")[0]


def test_a_folder_a_pattern_and_files_are_one_table(folder, tmp_path, capsys):
    sources = [[folder], [folder / "*.csv"], sorted(folder.iterdir())]
    models = []
    for number, source in enumerate(sources):
        out = tmp_path / f"{number}.json"
        given = [*source, "--model", "tan", "--chunks", "--memory", "300MB", "--quiet"]
        assert "m-estimate" in run(capsys, "grow", *given, "--out", out)
        models.append(json.loads(out.read_text())["members"])
    assert models[0] == models[1] == models[2]
    assert not list(tmp_path.glob("*.passes"))


def test_work_keeps_passes_and_another_smoother_reads_nothing(
    folder, tmp_path, capsys, monkeypatch
):
    given = ["grow", folder, "--model", "nb", "--chunks", "--work", tmp_path / "work"]
    run(capsys, *given, "--format", "json")
    monkeypatch.setattr(OneProcess, "run", None)
    again = run(capsys, *given, "--smoother", "laplace", "--format", "json")
    assert json.loads(again)["smoother"] == "laplace"


def test_test_rows_are_scored(folder, capsys):
    given = ["grow", folder, "--model", "nb", "--chunks", "--test", folder, "--quiet"]
    assert "rmse" in run(capsys, *given)
    assert "rmse" in json.loads(run(capsys, *given, "--format", "json"))["test"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--chunks", "--smoother", "blend"], "hold rows out"),
        (["--chunks", "--model", "forest"], "c45, shaped-tree, nb, tan, kdb, skdb"),
        (["--chunks", "--bins", "8"], "--bins must come with a model of trees"),
        (["--chunks", "--model", "c45", "--prune", "reduced-error"], "reduced-error"),
        (["--chunks", "--model", "c45", "--as-published"], "--as-published must be false in"),
        (["--chunks", "--memory", "lots"], "such as 2GB"),
        (["--chunks", "--repeats", "together"], "--repeats together must be left out"),
        (["--work", "w"], "--work must come with --chunks"),
    ],
)
def test_wrong_options_are_reported_in_a_sentence(folder, capsys, options, words):
    base = [] if "--model" in options else ["--model", "nb"]
    file = next(folder.iterdir())
    assert words in refuse(capsys, "grow", file, *base, *options, "--quiet")
