"""Tables to score: columns and values that are written otherwise than in training."""

import numpy as np
import pytest

from probtrees.errors import DataError, OptionError
from probtrees.table.dataset import UNSEEN
from probtrees.table.match import AbsentColumnsError, UnmatchedValuesError
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import find_unmatched, read_rows, read_table, read_to_predict

AGES = list(range(20, 60))
TRAINING = {
    "age": AGES,
    "Body size (cm)": [150.5 + n for n in range(40)],
    "sex": ["m", "f"] * 20,
    "grade": ["1", "2", "3", "4"] * 10,
    "seen": [f"2020-01-{1 + n % 28:02}" for n in range(40)],
    "ill": ["no", "yes", "no", "no"] * 10,
}
OPTIONS = {"types": {"grade": "nominal", "seen": "date"}}
DATA = read_table(TRAINING, **OPTIONS)  # type: ignore[arg-type]
SCHEMA = DATA.schema


def changed(rename: dict[str, str] | None = None, **columns: object) -> dict[str, object]:
    """Return the training table with other names or cells."""
    table = {**TRAINING, **columns}
    return {(rename or {}).get(name, name): cells for name, cells in table.items()}


@pytest.mark.parametrize(
    "rename",
    [
        {},
        {"age": "AGE"},
        {"age": " Age ", "sex": "SEX"},
        {"Body size (cm)": "body_size_(cm)"},
        {"Body size (cm)": "Bödy size cm"},
    ],
)
def test_columns_are_found_whatever_their_case_blanks_and_accents(rename):
    found = read_to_predict(changed(rename), SCHEMA)
    np.testing.assert_array_equal(found.values, DATA.values)
    assert all(f"{new.strip()!r}" in str(found.provenance.notes) for new in rename.values())


@pytest.mark.parametrize(
    ("rename", "likely"),
    [
        ({"age": "ages (y)"}, {"ages (y)": "age"}),
        ({"Body size (cm)": "body size"}, {"body size": "Body size (cm)"}),
        ({"grade": "grades"}, {"grades": "grade"}),
        ({"age": "x1"}, {}),
    ],
)
def test_an_absent_column_names_what_may_be_meant_and_the_ways_out(rename, likely):
    table = changed(rename)
    with pytest.raises(AbsentColumnsError) as refused:
        read_to_predict(table, SCHEMA)
    assert refused.value.likely == likely
    assert refused.value.can_do_without
    (old, new), *_ = rename.items()
    said = read_to_predict(table, SCHEMA, ReadOptions(renamed={new: old}))
    np.testing.assert_array_equal(said.values, DATA.values)
    without = read_to_predict(table, SCHEMA, ReadOptions(not_recorded=(old,)))
    assert np.isnan(without.values[:, SCHEMA.names.index(old)]).all()
    read_to_predict(table, SCHEMA, ReadOptions(unused=(old,)))


VALUES = [
    # column, cells of the new table, numbers of the first of them; f is 0 and m is 1
    ("sex", ["M", "F"] * 20, [1, 0]),
    ("sex", ["f ", "Mann"] * 20, [0, 1]),
    ("sex", ["f", "x"] * 20, [0, UNSEEN]),
    ("grade", [1, 2, 3, 4] * 10, [0, 1, 2, 3]),
    ("grade", [1.0, 2.0, 3.0, 7.0] * 10, [0, 1, 2, UNSEEN]),
    ("age", ["21", "22", "n/a", ""] * 10, [21, 22, np.nan, np.nan]),
    ("age", ["1,021", "22"] * 20, [1021, 22]),
    ("seen", ["2020-01-03", "2020-01-04 12:00"] * 20, [18264, 18265.5]),
]


@pytest.mark.parametrize(("name", "column", "expected"), VALUES)
def test_values_are_found_by_spelling_and_by_value(name, column, expected):
    sources = [c.source_name for c in SCHEMA.columns]
    found = read_to_predict(changed(**{name: column}), SCHEMA).values[:, sources.index(name)]
    np.testing.assert_array_equal(found[: len(expected)], expected)


@pytest.mark.parametrize(
    ("step", "name", "expected"),
    [
        ({"step": "convert", "column": "age", "how": "*2"}, "age", 40.0),
        ({"step": "convert", "column": "age", "how": "F-C"}, "age", -12 / 1.8),
        ({"step": "recode", "column": "sex", "values": {"m": "f"}}, "sex", 0.0),
        ({"step": "recode", "column": "age", "values": {"20": "25"}}, "age", 25.0),
        ({"step": "missing", "column": "age", "texts": ["20"]}, "age", np.nan),
    ],
)
def test_what_is_said_of_a_table_to_score(step, name, expected):
    rows = read_to_predict(TRAINING, SCHEMA, ReadOptions(steps=(step,)))
    np.testing.assert_allclose(rows.values[0, SCHEMA.names.index(name)], expected)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"renamed": {"x": "age"}}, "'x' must be a column of"),
        ({"renamed": {"age": "x"}}, "'x' must be a column of the model"),
        ({"not_recorded": ("x",)}, "must be a column of the model to predict from"),
        ({"steps": ({"step": "join", "column": "sex"},)}, "where a model is learnt"),
        ({"steps": ({"step": "recode", "column": "sex", "values": {"m": "q"}},)}, "model knows"),
        ({"steps": ({"step": "convert", "column": "age", "how": "2x"},)}, "must be"),
    ],
)
def test_what_does_not_fit_the_model_is_refused(options, words):
    with pytest.raises((DataError, OptionError), match=words):
        read_to_predict(TRAINING, SCHEMA, ReadOptions(**options))


def test_words_where_numbers_were():
    all_words = changed(age=["young", "old"] * 20)
    with pytest.raises(UnmatchedValuesError, match="--recode age=old=VALUE") as refused:
        read_to_predict(all_words, SCHEMA)
    assert [column.name for column in refused.value.columns] == ["age"]
    many = changed(age=[*map(str, AGES[:-4]), *["old"] * 4])
    with pytest.raises(DataError, match=r"'age'='old' in row 37 must be a number"):
        read_to_predict(many, SCHEMA)
    rows, problems = read_rows(many, SCHEMA, ReadOptions())
    assert problems == {row: ["age='old' is not a number"] for row in range(36, 40)}
    assert np.isnan(rows.values[36:, 0]).all()


@pytest.mark.parametrize(
    ("column", "rows", "is_all"),
    [(["x", "y"] * 20, {"x": 20, "y": 20}, True), (["m", "divers"] * 20, {"divers": 20}, False)],
)
def test_values_that_the_model_does_not_know_are_listed(column, rows, is_all):
    (found,) = find_unmatched(changed(sex=column), SCHEMA)
    assert (found.name, found.rows, found.is_all) == ("sex", rows, is_all)
    assert ("no value that was seen" if is_all else "'divers' in 20 rows") in found.sentence
    assert f"--recode sex={next(iter(rows))}=VALUE" in found.remedy
    assert find_unmatched(changed(sex=[f"v{n}" for n in range(40)]), SCHEMA) == ()


def test_next_year_everybody_is_a_year_older():
    born = {"born": ["1950-05-05", "1980-05-05"] * 10, "x": list(range(20)), "y": ["a", "b"] * 10}
    steps = [{"step": "age", "column": "born", "on": "2020-05-05"}]
    schema = read_table(born, "y", steps=steps).schema
    said = ReadOptions(steps=({"step": "age", "column": "born", "on": "2021-05-05"},))
    assert read_to_predict(born, schema).values[:2, 0].tolist() == [70.0, 40.0]
    assert read_to_predict(born, schema, said).values[:2, 0].tolist() == [71.0, 41.0]
