"""What is said about a table: checked, equal and hashed by value, written and read again."""

import json

import pytest

from probtrees.errors import DataError, OptionError
from probtrees.table.findings import Fix
from probtrees.table.read_options import ReadOptions, read_steps
from probtrees.table.read_table import read_table

TABLE = {"x": [1, 2, 3], "c": ["a", "b", "a"], "y": ["n", "y", "n"]}
JOIN = {"step": "join", "column": "c"}

OPTIONS = [
    ReadOptions(),
    ReadOptions("y"),
    ReadOptions(types={"x": "nominal", "c": "text"}),
    ReadOptions(steps=(JOIN, {"step": "recode", "column": "c", "values": {"a": "b"}})),
    ReadOptions(missing=("?",), sheet="2", header_lines=0, date_order="day", encoding="cp1252"),
]


@pytest.mark.parametrize("options", OPTIONS)
def test_a_record_is_read_again(options):
    record = json.loads(json.dumps({**options.record, "target": options.target}))
    again = ReadOptions.from_record(record)
    assert (again, hash(again)) == (options, hash(options))
    assert ReadOptions(options.target, **options.arguments) == options


WRONG = [
    ({"roles": {"x": "ignored"}}, "Did you mean 'ignore'"),
    ({"types": {"x": "numbr"}}, "Did you mean 'number"),
    ({"roles": {"x": "weight", "c": "weight"}}, "must be given to one column"),
    ({"header_lines": 9}, "must be a whole number from 0 to 3"),
    ({"date_order": "year"}, "must be 'day' or 'month'"),
    ({"encoding": "klingon"}, "must be the name of an encoding"),
    ({"repeats": "twice"}, "repeats='twice' must be"),
    ({"steps": ({"column": "x"},)}, "must be a mapping with a 'step'"),
]


@pytest.mark.parametrize(("given", "words"), WRONG)
def test_what_is_wrong_is_said_in_a_sentence(given, words):
    with pytest.raises(OptionError, match=words):
        ReadOptions(**given)


def test_columns_that_are_not_there():
    for given in ({"target": "z"}, {"roles": {"z": "ignore"}}, {"types": {"z": "text"}}):
        with pytest.raises(DataError, match=r"'z' must be a column of the data frame"):
            read_table(TABLE, **given)
    with pytest.raises(OptionError, match="must go with a schema"):
        read_table(TABLE, renamed={"x": "z"})


def test_fixes_are_followed_and_taken_back():
    options = ReadOptions(roles={"c": "ignore"})
    for fix in (
        Fix("", "role", "group", "c"),
        Fix("", "type", "nominal", "x"),
        Fix("", "step", JOIN, "x"),
        Fix("", "date_order", "day"),
        Fix("", "sheet", "2"),
        Fix("", "target", "x"),
    ):
        changed = options.with_fix(fix)
        assert changed != options
        assert ReadOptions().with_fix(fix) != ReadOptions()
    freed = options.with_fix(Fix("", "step", JOIN, "c"))
    assert freed.roles == {}
    outcome = Fix("", "outcome", 1)
    assert options.with_fix(outcome) == options
    texts = options
    for text in ("9", "99"):
        texts = texts.with_step({"step": "missing", "column": "x", "texts": [text]})
    assert texts.missing_for("x") == ("9", "99")


def test_steps_of_a_file(tmp_path):
    path = tmp_path / "steps.json"
    path.write_text(json.dumps([JOIN]))
    assert read_steps(str(path)) == (JOIN,)
    for content in ("{", '{"step": "join"}'):
        path.write_text(content)
        with pytest.raises(OptionError, match="--steps"):
            read_steps(str(path))
