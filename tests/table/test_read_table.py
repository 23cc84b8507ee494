"""read_table: what it understands, what it mends, and how it encodes."""

from __future__ import annotations

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
from tests.table.tiny_table import TINY, check_tiny, csv


class TestSources:
    def test_a_path_and_its_record(self, tmp_path: Path) -> None:
        path = tmp_path / "tiny.csv"
        path.write_text("\n".join(TINY))
        check_tiny(path)
        check_tiny(str(path))
        data = read_table(path)
        assert data.name == "tiny"
        record = data.provenance
        assert record.source == "tiny.csv"
        assert record.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
        assert record.rows_read == 4
        assert record.version
        assert record.roles == {"size": "feature", "colour": "feature", "kind": "target"}


class TestMissing:
    def test_rows_without_a_class_are_dropped_and_counted(self) -> None:
        data = read_table(csv(*TINY, "7,red,", "8,red,?", "9,red,b"))
        assert data.n_rows == 5
        assert data.provenance.rows_read == 7
        assert data.provenance.rows_dropped == {"no class": 2}
        assert data.row_numbers.tolist() == [0, 1, 2, 3, 6]


class TestOrder:
    def test_categories_do_not_depend_on_the_order_of_rows(self) -> None:
        lines = [f"item {n},{n % 3},{'ab'[n % 2]}" for n in range(12)] * 2
        shuffled = lines[:]
        random.Random(0).shuffle(shuffled)
        one = read_table(csv("item,x,y", *lines))
        other = read_table(csv("item,x,y", *shuffled))
        assert one.schema == other.schema
        assert one.schema.columns[0].categories == tuple(f"item {n}" for n in range(12))

    def test_numbers_as_classes_are_sorted_by_value_and_spelled_as_found(self) -> None:
        data = read_table(csv("x,y", *(f"{n},{n % 11}" for n in range(40))))
        assert data.schema.classes == tuple(str(n) for n in range(11))
        data = read_table(csv("x,y", "1,1.0", "2,2.0", "3,1.0"))
        assert data.schema.classes == ("1.0", "2.0")

    def test_target_by_name_comes_last(self) -> None:
        data = read_table(csv(*TINY), target="colour")
        assert data.schema.names == ("size", "kind", "colour")
        assert data.provenance.rows_dropped == {"no class": 1}


class TestRoles:
    TABLE = csv(
        "x,w,who,when,y", "1,2,p,2020-01-05,a", "2,1,q,2020-01-04,b", "3,0.5,p,2020-01-06,a"
    )

    def test_weight_group_time(self) -> None:
        roles: dict[str, Role] = {"w": "weight", "who": "group", "when": "time"}
        data = read_table(self.TABLE, roles=roles)
        assert data.schema.names == ("x", "y")
        assert data.weights is not None
        np.testing.assert_allclose(data.weights, np.array([2, 1, 0.5]) / 3.5 * 3)
        assert data.groups is not None
        assert data.groups[0] == data.groups[2] != data.groups[1]
        assert data.times is not None
        assert np.diff(data.times).tolist() == [-1, 2]
        assert data.provenance.roles["who"] == "group"

    def test_the_last_column_without_a_role_is_the_target(self) -> None:
        data = read_table(csv("x,y,w", "1,a,2", "2,b,1"), roles={"w": "weight"})
        assert data.schema.target.name == "y"


class TestTypes:
    def test_numbers_as_categories_keep_their_spelling(self) -> None:
        data = read_table(csv("zip,y", "007,a", "12,b", "007,a"), types={"zip": "nominal"})
        assert data.schema.columns[0].categories == ("007", "12")

    def test_text_and_identifier_are_left_out(self) -> None:
        data = read_table(csv(*TINY), types={"colour": "text"})
        assert data.schema.names == ("size", "kind")
        assert data.provenance.roles["colour"] == "ignore"


class TestDates:
    TABLE = csv("d,y", "2020-02-29,a", "2020-03-01 12:00,b", ",a", "2021-01-01,b")

    def test_parts(self) -> None:
        data = read_table(self.TABLE)
        assert data.schema.names == ("d (days)", "y")
        assert data.values[:, 0].tolist()[:2] == [18321.0, 18322.5]
        for part, code in (("month", 1.0), ("weekday", 5.0)):
            data = read_table(self.TABLE, types={"d": part})
            assert data.schema.names == (f"d ({part})", "y")
            assert data.values[0, 0] == code
            assert np.isnan(data.values[2, 0])

    def test_a_date_is_left_out_unless_asked_for_or_little_else_is_there(self) -> None:
        table = csv("a,b,c,d,y", "1,2,3,2020-02-29,a", "2,1,5,2020-03-01,b", "3,3,4,2021-01-01,a")
        assert read_table(table).provenance.roles["d"] == "ignore"
        assert "d (days)" in read_table(table, roles={"d": "feature"}).schema.names
        assert "d (days)" in read_table(table, roles={"a": "ignore"}).schema.names
        assert "d (month)" in read_table(table, types={"d": "month"}).schema.names

    def test_day_or_month_first_is_remembered(self) -> None:
        model = read_table(csv("d,y", "13/4/2020,a", "3/5/2020,b")).schema
        data = read_table(csv("d", "3/4/2020"), schema=model)
        assert data.values[0, 0] == 18355.0


class TestSchema:
    MODEL = read_table(csv(*TINY)).schema

    def test_columns_in_any_order_and_others_ignored(self) -> None:
        data = read_table(csv("extra,kind,colour,size", "9,b,red,7", "9,,blue,"), schema=self.MODEL)
        np.testing.assert_array_equal(data.values, [[7, 1, 1], [np.nan, 0, np.nan]])
        assert data.provenance.rows_dropped == {}

    def test_unseen_values_and_no_target(self) -> None:
        data = read_table(csv("colour,size", "green,1", "red,2"), schema=self.MODEL)
        np.testing.assert_array_equal(data.values, [[1, UNSEEN, np.nan], [2, 1, np.nan]])

    def test_no_rows(self) -> None:
        assert read_table(csv("colour,size"), schema=self.MODEL).n_rows == 0

    def test_every_row_of_every_training_table_is_encoded_the_same_way_again(self) -> None:
        for source in (csv(*TINY), TestDates.TABLE, TestRoles.TABLE):
            data = read_table(source)
            again = read_table(source, schema=data.schema)
            np.testing.assert_array_equal(data.values, again.values)

    def test_a_schema_allows_no_types(self) -> None:
        with pytest.raises(OptionError):
            read_table(csv(*TINY), schema=self.MODEL, types={"size": "nominal"})


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
