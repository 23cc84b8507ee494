"""The generator of large tables: same rows however they are written, and true to its truth."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

from benchmarks.make_big import batches, known_tree, main


def _rows(known, n_rows, **how):
    return pa.concat_tables(batches(known, n_rows, seed=1, **how)).to_pylist()


def test_a_longer_table_in_parts_has_the_same_rows(tmp_path):
    how = ["--rows", "1000", "--attributes", "3", "--seed", "4", "--missing", "0.1"]
    main([str(tmp_path / "one.parquet"), *how])
    main([str(tmp_path / "parts"), *how, "--parts", "3", "--format", "csv"])
    one = pa.parquet.read_table(tmp_path / "one.parquet")
    parts = sorted((tmp_path / "parts").iterdir())
    assert [path.name for path in parts] == [f"part-{number:05d}.csv" for number in range(3)]
    strings = pa.csv.ConvertOptions(strings_can_be_null=True, null_values=[""])
    read = pa.concat_tables(pa.csv.read_csv(path, convert_options=strings) for path in parts)
    assert read.to_pylist() == one.to_pylist()
    assert 0 < one["a0"].null_count < 200
    assert one["class"].null_count == 0


def test_network_tables_are_those_drawn_from(tmp_path):
    main(
        f"{tmp_path}/big.parquet --rows 2e5 --attributes 4 --values 3 "
        f"--truth {tmp_path}/truth.json".split()
    )
    truth = json.loads((tmp_path / "truth.json").read_text())
    frame = pa.parquet.read_table(tmp_path / "big.parquet").to_pandas()
    names = [column["values"] for column in truth["columns"]]
    codes = {
        column["name"]: frame[column["name"]].map(values.index).astype(int).to_numpy()
        for column, values in zip(truth["columns"], names, strict=True)
    }
    share = np.bincount(codes["class"]) / len(frame)
    assert share == pytest.approx(truth["class"]["probabilities"], abs=0.01)
    for attribute in truth["attributes"]:
        context = codes["class"].copy()
        for parent in attribute["parents"]:
            context = context * 3 + codes[parent]
        for row, expected in enumerate(attribute["table"]):
            own = codes[attribute["name"]][context == row]
            room = 5 * np.sqrt(0.25 / max(len(own), 1))
            assert np.bincount(own, minlength=3) / len(own) == pytest.approx(expected, abs=room)


def test_tree_leaves_are_those_drawn_from():
    known = known_tree(2, n_attributes=6, n_values=3, n_numeric=3, depth=3)
    nodes = known.truth["nodes"]
    assert {node["cut"] is None for node in nodes if node["column"]} == {True, False}
    counts = np.zeros((len(nodes), 2))
    for row in _rows(known, 60_000):
        number = 0
        while nodes[number]["column"]:
            node = nodes[number]
            x = row[node["column"]]
            branch = "abc".index(x) if node["cut"] is None else int(x > node["cut"])
            number = node["first_child"] + branch
        counts[number, int(row["class"] == "yes")] += 1
    for node, own in zip(nodes, counts, strict=True):
        if node["column"] is None:
            room = 5 * np.sqrt(0.25 / max(own.sum(), 1))
            assert own / own.sum() == pytest.approx(node["probabilities"], abs=room)
