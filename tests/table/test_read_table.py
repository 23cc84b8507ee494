"""read_table: what it understands, what it mends, and how it encodes."""

import hashlib
import random
from pathlib import Path
from unittest import mock

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probtrees.errors import OptionError, ProbTreesWarning
from probtrees.table.dataset import UNSEEN
from probtrees.table.findings import Role
from probtrees.table.formats import delimited
from probtrees.table.formats.arrow import MISSING_MARKS
from probtrees.table.read_table import read_table

TINY = ("size,colour,kind", "1,red,a", "2.5,blue,b", ",red,a", "4,,b")


def csv(*lines: str) -> tuple[str, bytes]:
    return "table.csv", "\n".join(lines).encode()


DATES = csv("d,y", "2020-02-29,a", "2020-03-01 12:00,b", ",a", "2021-01-01,b")
ROLES = csv("x,w,who,when,y", "1,2,p,2020-01-05,a", "2,1,q,2020-01-04,b", "3,0.5,p,2020-01-06,a")
MODEL = read_table(csv(*TINY)).schema


def test_a_path_and_its_record(tmp_path: Path) -> None:
    path = tmp_path / "tiny.csv"
    path.write_text("\n".join([*TINY, "7,red,", "8,red,?", "9,red,b"]))
    data = read_table(path)
    record = data.provenance
    assert (data.name, record.source, record.rows_read) == ("tiny", "tiny.csv", 7)
    assert record.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert record.version
    assert record.roles == {"size": "feature", "colour": "feature", "kind": "target"}
    assert record.rows_dropped == {"no class": 2}
    assert data.row_numbers.tolist() == [0, 1, 2, 3, 6]
    tiny = [[1, 1, 0], [2.5, 0, 1], [np.nan, 1, 0], [4, np.nan, 1], [9, 1, 1]]
    np.testing.assert_array_equal(data.values, tiny)
    assert data.values.flags.c_contiguous


def test_categories_do_not_depend_on_the_order_of_rows() -> None:
    lines = [f"item {n},{n % 3},{'ab'[n % 2]}" for n in range(12)] * 2
    shuffled = lines[:]
    random.Random(0).shuffle(shuffled)
    one, other = (read_table(csv("item,x,y", *each)) for each in (lines, shuffled))
    assert one.schema == other.schema
    assert one.schema.columns[0].categories == tuple(f"item {n}" for n in range(12))


def test_the_target_comes_last_and_its_numbers_are_sorted_by_value() -> None:
    data = read_table(csv(*TINY), target="colour")
    assert data.schema.names == ("size", "kind", "colour")
    assert data.provenance.rows_dropped == {"no class": 1}
    data = read_table(csv("x,y,w", "1,a,2", "2,b,1"), roles={"w": "weight"})
    assert data.schema.target.name == "y"
    data = read_table(csv("x,y", *(f"{n},{n % 11}" for n in range(40))))
    assert data.schema.classes == tuple(str(n) for n in range(11))
    assert read_table(csv("x,y", "1,1.0", "2,2.0", "3,1.0")).schema.classes == ("1.0", "2.0")


def test_weight_group_time() -> None:
    roles: dict[str, Role] = {"w": "weight", "who": "group", "when": "time"}
    data = read_table(ROLES, roles=roles)
    assert data.schema.names == ("x", "y")
    assert data.weights is not None
    np.testing.assert_allclose(data.weights, np.array([2, 1, 0.5]) / 3.5 * 3)
    assert data.groups is not None
    assert data.groups[0] == data.groups[2] != data.groups[1]
    assert data.times is not None
    assert np.diff(data.times).tolist() == [-1, 2]
    assert data.provenance.roles["who"] == "group"


def test_types_that_are_said() -> None:
    data = read_table(csv("zip,y", "007,a", "12,b", "007,a"), types={"zip": "nominal"})
    assert data.schema.columns[0].categories == ("007", "12")
    data = read_table(csv(*TINY), types={"colour": "text"})
    assert (data.schema.names, data.provenance.roles["colour"]) == (("size", "kind"), "ignore")
    for part, first in (("days", 18321.0), ("month", 1.0), ("weekday", 5.0)):
        data = read_table(DATES, types={"d": "date" if part == "days" else part})
        assert data.schema.names == (f"d ({part})", "y")
        assert data.values[0, 0] == first
        assert np.isnan(data.values[2, 0])
    with pytest.raises(OptionError):
        read_table(csv(*TINY), schema=MODEL, types={"size": "nominal"})


def test_a_date_is_left_out_unless_asked_for_or_little_else_is_there() -> None:
    table = csv("a,b,c,d,y", "1,2,3,2020-02-29,a", "2,1,5,2020-03-01,b", "3,3,4,2021-01-01,a")
    assert read_table(table).provenance.roles["d"] == "ignore"
    assert "d (days)" in read_table(table, roles={"d": "feature"}).schema.names
    assert "d (days)" in read_table(table, roles={"a": "ignore"}).schema.names
    assert "d (month)" in read_table(table, types={"d": "month"}).schema.names


def test_a_table_to_score() -> None:
    data = read_table(csv("extra,kind,colour,size", "9,b,red,7", "9,,blue,"), schema=MODEL)
    np.testing.assert_array_equal(data.values, [[7, 1, 1], [np.nan, 0, np.nan]])
    assert data.provenance.rows_dropped == {}
    data = read_table(csv("colour,size", "green,1", "red,2"), schema=MODEL)
    np.testing.assert_array_equal(data.values, [[1, UNSEEN, np.nan], [2, 1, np.nan]])
    assert read_table(csv("colour,size"), schema=MODEL).n_rows == 0
    for source in (csv(*TINY), DATES, ROLES):
        data = read_table(source)
        np.testing.assert_array_equal(data.values, read_table(source, schema=data.schema).values)


def is_a_value(text: str) -> bool:
    """Tell whether a cell says something, without blanks around it."""
    return text == text.strip() and text not in MISSING_MARKS


cells = st.text(
    st.characters(exclude_categories=("C", "Z")) | st.sampled_from(" ,;\"'|\n\t"),
    min_size=1,
    max_size=6,
).filter(is_a_value)
numbers = st.floats(allow_nan=False, allow_infinity=False, width=64)


def one_number(text: str) -> str:
    """Draw at most one text with digits: 0 and 00 are the same number, and so the same class."""
    return "a number" if any(letter.isdigit() for letter in text) else text


@st.composite
def frames(draw: st.DrawFn) -> pd.DataFrame:
    n_rows = draw(st.integers(2, 12))
    words = draw(st.lists(cells, min_size=2, max_size=4, unique_by=one_number))

    def column(values: st.SearchStrategy[object]) -> list[object]:
        return draw(st.lists(values, min_size=n_rows, max_size=n_rows))

    classes = [*words[:2], *column(st.sampled_from(words[:2]))][:n_rows]
    return pd.DataFrame(
        {
            "number": pd.Series(column(st.none() | numbers), dtype=float),
            "word": pd.Series(column(st.none() | st.sampled_from(words)), dtype=object),
            "class": pd.Series(classes, dtype=object),
        }
    )


TYPES = {"number": "numeric", "word": "nominal", "class": "nominal"}


@settings(max_examples=30)
@given(frames(), st.sampled_from([",", ";", "\t", "|"]), st.sampled_from([60, 1 << 22]))
def test_frame_to_csv_and_back(frame: pd.DataFrame, delimiter: str, block: int) -> None:
    from_frame = read_table(frame, types=TYPES)  # type: ignore[arg-type]
    text = frame.to_csv(index=False, sep=delimiter)
    with mock.patch.object(delimited, "_BLOCK", block):
        from_csv = read_table(("t.csv", text.encode()), types=TYPES)  # type: ignore[arg-type]
    assert from_csv.schema == from_frame.schema
    np.testing.assert_array_equal(from_csv.values, from_frame.values)


def test_identifiers_warn() -> None:
    lines = [f"p{n},{n % 3},{'ab'[n % 2]}" for n in range(30)]
    with pytest.warns(ProbTreesWarning, match="'patient' looks like an identifier and is ignored"):
        data = read_table(csv("patient,x,y", *lines))
    assert data.schema.names == ("x", "y")
