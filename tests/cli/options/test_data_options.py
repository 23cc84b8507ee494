import argparse
import json

from probtrees.cli import main
from probtrees.cli.options.data_options import add_data_options, said_of_table
from probtrees.table.read_options import ReadOptions
from tests.cli.command import refuse, run


class TestRoles:
    def test_groups_and_weights_and_ignored_columns(self, capsys, tmp_path):
        path = tmp_path / "t.csv"
        lines = [
            "x,clinic,w,y",
            *(f"{i / 4},c{i % 5},{1 + i % 2},{'ab'[i > 14]}" for i in range(30)),
        ]
        path.write_text("\n".join(lines))
        roles = ["--role", "clinic=group", "--role", "w=weight"]
        options = ["--cv", 3, "--json", "--smoother", "laplace"]
        grouped = json.loads(run(capsys, "evaluate", path, *roles, *options))
        plain = json.loads(run(capsys, "evaluate", path, "--role", "clinic=ignore", *options))
        assert grouped["brier"] != plain["brier"]

    def test_the_target_can_be_binned(self, capsys, tmp_path):
        path = tmp_path / "t.csv"
        path.write_text("x,y\n" + "\n".join(f"{i / 4},{i * 1.5}" for i in range(60)))
        options = ["--bin-target", 3, "--format", "json", "--smoother", "mle"]
        assert len(json.loads(run(capsys, "grow", path, *options))["class_names"]) == 3

    def test_a_role_that_cannot_be_parsed(self, capsys, table):
        assert "NAME=VALUE" in refuse(capsys, "grow", table, "--role", "age")


def test_it_says_that_the_last_column_is_the_target(capsys, tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("x,kind\n" + "".join(f"{i},{'ab'[i % 2]}\n" for i in range(40)))
    assert main(["grow", str(file)]) == 0
    assert "the last column is the target: 'kind'" in capsys.readouterr().err
    for said in (["--target", "kind"], ["--role", "kind=target"]):
        assert main(["grow", str(file), *said]) == 0
        assert "last column" not in capsys.readouterr().err


def test_names_in_two_lines_and_one_of_several_tables(capsys, tmp_path):
    file, model = tmp_path / "t.csv", tmp_path / "t.json"
    rows = "".join(f"{i},{i % 7},{'ab'[i > 20]}\n" for i in range(40))
    below = "\ntown,warm\nU,1\nV,2\n"
    file.write_text(f"Blood,,\nNa,K,kind\n{rows}{below}")
    assert "--table 3 must be one of" in refuse(capsys, "grow", file, "--table", 3)
    options = ["--header-lines", 2, "--table", 1]
    run(capsys, "grow", file, "--out", model, *options)
    record = json.loads(model.read_text())["provenance"]["options"]
    assert (record["header_lines"], record["table"]) == (2, 1)
    assert len(run(capsys, "predict", model, file, *options).splitlines()) == 41
    validated = json.loads(run(capsys, "validate", model, file, "--json", *options))
    assert validated["rows"] == 40
    assert "--table must be left out" in refuse(capsys, "grow", file, "--chunks", "--table", 1)
    assert "--sheet must be left out" in refuse(capsys, "grow", file, "--chunks", "--sheet", 1)
    file.write_text(f"Blood,,\nNa,K,kind\n{rows}")
    printed = run(capsys, "grow", file, "--chunks", "--header-lines", 2, "--smoother", "laplace")
    assert "Blood Na" in printed


def test_every_flag_gives_the_field_it_is_declared_with():
    parser = argparse.ArgumentParser()
    add_data_options(parser)
    said = {
        "--target": "y",
        "--role": "a=ignore",
        "--type": "b=date",
        "--bin-target": "3",
        "--date-parts": "days, month",
        "--missing-text": "b=none",
        "--join": "c",
        "--as-written": "title",
        "--sheet": "2",
        "--cut-target": "1.5",
        "--table": "2",
        "--header-lines": "2",
        "--date-order": "day",
        "--group": "c",
        "--empty-no": "d",
        "--split-choices": "e",
        "--one-scale": "f",
        "--encoding": "cp1251",
        "--numbers-in": "g",
        "--split-numbers": "h",
        "--age": "i",
        "--fill-down": "j",
        "--fill-from-same": "q",
        "--keep-words": "k",
        "--none-is-zero": "l",
        "--days-to": "m=n",
        "--turn-marks": "o",
        "--odd-lines": "drop",
        "--join-outcomes": "p",
    }
    assert set(said) == {option.metadata["flag"] for option in ReadOptions.flags()}
    given = said_of_table(parser.parse_args(["t.csv", *sum(said.items(), ())]))
    assert given == {
        "target": "y",
        "roles": {"a": "ignore"},
        "types": {"b": "date"},
        "bin_target": 3,
        "date_parts": ("days", "month"),
        "missing_spellings": [],
        "missing_in": {"b": ["none"]},
        "join_values": ("c",),
        "as_written": ("title",),
        "sheet": "2",
        "cut_target": 1.5,
        "table": 2,
        "header_lines": 2,
        "date_order": "day",
        "group_values": ("c",),
        "empty_no": ("d",),
        "split_choices": ("e",),
        "one_scale": ("f",),
        "encoding": "cp1251",
        "numbers_in": ("g",),
        "split_numbers": ("h",),
        "ages": ("i",),
        "fill_down": ("j",),
        "fill_from_same": ("q",),
        "keep_words": ("k",),
        "none_is_zero": ("l",),
        "days_to": {"m": "n"},
        "turn_marks": ("o",),
        "odd_lines": "drop",
        "join_outcomes": ("p",),
    }
