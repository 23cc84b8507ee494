import argparse
import json

from probtrees.cli import main
from probtrees.cli.data_options import add_data_options, said_of_table
from tests.cli.command import refuse, run


def test_it_says_that_the_last_column_is_the_target(capsys, tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("x,kind\n" + "".join(f"{i},{'ab'[i % 2]}\n" for i in range(40)))
    assert main(["grow", str(file)]) == 0
    assert "the last column is the target: 'kind'" in capsys.readouterr().err
    for said in (["--target", "kind"], ["--role", "kind=target"]):
        assert main(["grow", str(file), *said]) == 0
        assert "last column" not in capsys.readouterr().err


def test_names_in_two_lines(capsys, tmp_path):
    file, model = tmp_path / "t.csv", tmp_path / "t.json"
    rows = "".join(f"{i},{i % 7},{'ab'[i > 20]}\n" for i in range(40))
    file.write_text(f"Blood,,\nNa,K,kind\n{rows}")
    options = ["--header-lines", 2]
    run(capsys, "grow", file, "--out", model, *options)
    assert json.loads(model.read_text())["provenance"]["options"]["header_lines"] == 2
    assert len(run(capsys, "predict", model, file, *options).splitlines()) == 41
    assert json.loads(run(capsys, "validate", model, file, "--json", *options))["rows"] == 40
    assert "--sheet must be left out" in refuse(capsys, "grow", file, "--chunks", "--sheet", 1)
    printed = run(capsys, "grow", file, "--chunks", "--header-lines", 2, "--smoother", "laplace")
    assert "Blood Na" in printed


def test_every_flag_gives_the_field_it_is_declared_with(tmp_path):
    steps = tmp_path / "steps.json"
    steps.write_text('[{"step": "join", "column": "c"}]')
    parser = argparse.ArgumentParser()
    add_data_options(parser)
    said = {
        "--target": "y",
        "--role": "a=ignore",
        "--type": "b=date",
        "--steps": str(steps),
        "--missing": "none",
        "--sheet": "2",
        "--header-lines": "2",
        "--date-order": "day",
        "--encoding": "cp1251",
    }
    # One flag, two meanings: a text that means "no value", and how C4.5 treats missing values.
    more = ["--missing", "b=9", "--missing", "b=99", "--missing", "fraction"]
    given = said_of_table(parser.parse_args(["t.csv", *sum(said.items(), ()), *more]))
    assert given == {
        "target": "y",
        "roles": {"a": "ignore"},
        "types": {"b": "date"},
        "steps": (
            {"step": "join", "column": "c"},
            {"step": "missing", "column": "b", "texts": ["9", "99"]},
        ),
        "missing": ("none",),
        "sheet": "2",
        "header_lines": 2,
        "date_order": "day",
        "encoding": "cp1251",
    }
