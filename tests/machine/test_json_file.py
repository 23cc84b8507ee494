import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from probtrees.errors import DataError
from probtrees.machine.json_file import decode, encode, read_json, write_json


@given(
    hnp.arrays(
        st.sampled_from([np.float64, np.int64, np.bool_]),
        hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4),
        elements=None,
    )
)
def test_arrays_come_back_exactly(array):
    text = json.dumps(encode({"a": array}), allow_nan=False)
    back = decode(json.loads(text))["a"]
    assert back.dtype == array.dtype
    assert back.shape == array.shape
    assert np.array_equal(back, array, equal_nan=array.dtype.kind == "f")


@pytest.mark.parametrize("name", ["record.json", "record.json.gz"])
def test_a_file_is_written_whole_and_read_back(tmp_path, name):
    path = tmp_path / name
    record = {"name": 'é\n"x"', "empty": {}, "list": [1, 2], "records": [{"a": [1.5]}, {}]}
    write_json(record, path)
    assert read_json(path, "file") == record
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_an_earlier_file_survives_a_failed_write(tmp_path):
    path = tmp_path / "a.json"
    write_json({"x": 1}, path)
    with pytest.raises(ValueError, match="JSON"):
        write_json({"x": math.nan}, path)
    assert read_json(path, "file") == {"x": 1}
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(
    "record",
    [
        {"array": [1], "shape": [2], "dtype": "float64"},
        {"array": [1], "shape": [-1], "dtype": "float64"},
        {"array": [1], "shape": [1], "dtype": "object"},
        {"array": 1, "shape": [], "dtype": "float64"},
    ],
)
def test_hostile_arrays_are_refused(record):
    with pytest.raises(DataError, match="array"):
        decode(record)


def test_numbers_that_json_cannot_write():
    record = encode({"x": math.inf, "y": np.float64("nan"), "z": np.int32(3), "t": (1, 2)})
    assert record == {"x": "inf", "y": "nan", "z": 3, "t": [1, 2]}
