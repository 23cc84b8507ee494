"""A table to be scored is read row by row as well as it goes."""

import numpy as np

from probtrees.table.read_table import read_rows, read_table

TABLE = b"age,seen,blood,state\n" + b"".join(
    b"%d,2020-0%d-11,%s,%s\n"
    % (20 + k, 1 + k % 9, b"AB"[k % 2 : k % 2 + 1], b"yn"[k % 2 : k % 2 + 1])
    for k in range(40)
)


def test_unreadable_cells_are_left_empty_and_reported():
    schema = read_table(("train.csv", TABLE), target="state").schema
    content = b"age,seen,blood\n30,2020-05-01,A\nold,2020-05-01,Z\n,someday,B\n"
    rows, problems = read_rows(("new.csv", content), schema)
    assert rows.n_rows == 3
    assert problems == {1: ["age='old' is not a number"], 2: ["seen='someday' is not a date"]}
    assert rows.values[0, 0] == 30
    assert np.isnan(rows.values[1:, 0]).all()


def test_a_whole_table_is_read_like_any_other():
    schema = read_table(("train.csv", TABLE), target="state").schema
    rows, problems = read_rows(("train.csv", TABLE), schema)
    assert problems == {}
    assert np.array_equal(rows.values, read_table(("t.csv", TABLE), schema=schema).values)
