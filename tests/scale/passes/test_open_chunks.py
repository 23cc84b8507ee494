"""Tables in chunks: the schema and rows of the whole table, and files that do not fit in."""

import gzip

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from probtrees.errors import DataError
from probtrees.scale.files import table_files
from probtrees.scale.files.table_files import find_files
from probtrees.scale.passes.conductor import Conductor, silent_stage
from probtrees.scale.passes.open_chunks import open_chunks
from probtrees.table.read_table import read_table


@pytest.fixture
def small_chunks(monkeypatch):
    monkeypatch.setattr(table_files, "_MOST_ROWS", 5)
    monkeypatch.setattr(table_files, "_BLOCK_BYTES", 120)


def motley(n_rows=40):
    """Columns of every type, with missing values, and rows without a class."""
    random = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "patient_id": np.arange(1000, 1000 + n_rows),
            "age": [None if i % 7 == 3 else 20 + i % 9 for i in range(n_rows)],
            "weight": random.normal(70, 9, n_rows).round(1),
            "day": [f"2024-0{1 + i % 4}-1{i % 3}" for i in range(n_rows)],
            "note": [f"text {i} with a number of words in it" for i in range(n_rows)],
            "town": [["Bonn", "Köln", "?", "a, b", 'x "y"'][i % 5] for i in range(n_rows)],
            "same": "x",
            "late": ["" if i < 30 else "b10" if i % 2 else "b9" for i in range(n_rows)],
            "smoker": [i % 3 == 0 for i in range(n_rows)],
            "class": [None if i == 11 else ["no", "yes"][i % 2] for i in range(n_rows)],
        }
    )


def same_rows(found, data):
    assert found.schema == data.schema
    values = np.concatenate([chunk.values for chunk in found.chunks()])
    assert np.array_equal(values, data.values, equal_nan=True)
    numbers = np.concatenate([chunk.row_numbers for chunk in found.chunks()])
    assert numbers.tolist() == data.row_numbers.tolist()
    missing = np.flatnonzero(np.isnan(data.values[:, :-1]).any(axis=0))
    assert list(found.missing) == missing.tolist()
    assert found.n_rows == data.n_rows


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
@pytest.mark.filterwarnings("ignore::probtrees.errors.ProbTreesWarning")
def test_chunks_have_the_schema_and_rows_of_the_table(tmp_path, small_chunks, ending):
    path = tmp_path / f"motley{ending}"
    roles = {"note": "ignore"}
    if ending == ".csv":
        motley().to_csv(path, index=False)
    else:
        motley().to_parquet(path, index=False, row_group_size=13)
    found = open_chunks(path, roles=roles)
    same_rows(found, read_table(path, roles=roles))
    assert found.provenance.rows_dropped == {"no class": 1}
    assert "patient_id" not in found.schema.names
    assert found.schema.columns[found.schema.names.index("late")].categories == ("b9", "b10")


def test_roles_and_types_are_followed(tmp_path, small_chunks):
    path = tmp_path / "t.csv"
    motley().to_csv(path, index=False)
    roles = {"weight": "weight", "note": "ignore", "patient_id": "feature"}
    types = {"age": "nominal"}
    found = open_chunks(path, "smoker", roles=roles, types=types)
    same_rows(found, read_table(path, "smoker", roles=roles, types=types))
    weights = np.concatenate([chunk.weights for chunk in found.chunks()])
    assert found.heaviest == weights.max()


@pytest.mark.parametrize("mark", ["X", "1"])
def test_a_target_that_is_marked_or_empty_has_two_classes(tmp_path, small_chunks, mark):
    path = tmp_path / "t.csv"
    lines = [f"{i % 7},{'' if i % 9 else 4},{mark if i > 25 else ''}\n" for i in range(40)]
    path.write_text("".join(["x,z,y\n", *lines]))
    steps = [{"step": "recode", "column": name, "values": {"": "no"}} for name in "zy"]
    found = open_chunks(path, steps=steps)
    same_rows(found, read_table(path, steps=steps))
    assert found.n_rows == 40
    assert found.provenance.rows_dropped == {}


def test_files_may_order_their_columns_differently(tmp_path):
    one = pd.DataFrame({"x": ["a", "b", "c"] * 5, "y": ["no", "yes", "no"] * 5})
    one.to_csv(tmp_path / "1.csv", index=False)
    one[["y", "x"]].to_csv(tmp_path / "2.csv", index=False)
    pd.concat([one, one]).to_csv(tmp_path / "whole.txt", index=False)
    same_rows(open_chunks(str(tmp_path / "*.csv")), read_table(tmp_path / "whole.txt"))


class TestBadFiles:
    @pytest.fixture
    def folder(self, tmp_path):
        for number in range(3):
            frame = pd.DataFrame({"x": [1.5, 2.5, 3.5] * 4, "y": ["a", "b", "a"] * 4})
            frame.to_parquet(tmp_path / f"p{number}.parquet", index=False, row_group_size=4)
            frame.to_csv(tmp_path / f"c{number}.csv", index=False)
        return tmp_path

    @pytest.mark.parametrize("place", [0, 1, 2])
    def test_the_file_that_differs_from_most_is_named_wherever_it_stands(self, folder, place):
        path = folder / f"p{place}.parquet"
        frame = pd.read_parquet(path)
        frame[["y"]].to_parquet(path)
        with pytest.raises(DataError, match=rf"file=.*p{place}\.parquet' .*must have the column"):
            open_chunks(str(folder / "*.parquet"))
        frame.astype({"x": str}).to_parquet(path)
        with pytest.raises(DataError, match=rf"'x' of .*p{place}\.parquet' .*number, not text"):
            open_chunks(str(folder / "*.parquet"))

    @pytest.mark.parametrize("place", [0, 2])
    def test_a_column_that_few_files_have_is_left_out(self, folder, place):
        path = folder / f"p{place}.parquet"
        pd.read_parquet(path).assign(z="c").to_parquet(path)
        found = open_chunks(str(folder / "*.parquet"))
        assert [column.name for column in found.schema.columns] == ["x", "y"]
        assert sum(chunk.n_rows for chunk in found.chunks()) == 36

    def test_a_link_that_leads_nowhere_is_not_left_out(self, folder):
        (folder / "c3.csv").symlink_to(folder / "gone.csv")
        for source in (folder, str(folder / "*.csv")):
            with pytest.raises(DataError, match=r"c3\.csv' .*must be readable.*No such file"):
                open_chunks(source)

    def test_a_file_written_to_meanwhile(self, folder):
        def stage(what):
            with (folder / "c1.csv").open("a") as file:
                file.write("4.5,a\n")
            return silent_stage(what)

        with pytest.raises(DataError, match=r"c1\.csv' must stay as it is .* changed meanwhile"):
            open_chunks(str(folder / "*.csv"), conductor=Conductor(stage=stage))

    def test_a_cell_that_breaks_the_type_that_was_set(self, folder):
        (folder / "c3.csv").write_text("x,y\n4.5,a\n5x,b\n")
        with pytest.raises(DataError, match=r"'5x' in row 2 of .*c3\.csv' must be a number"):
            open_chunks(str(folder / "*.csv"), types={"x": "numeric"})

    def test_a_damaged_row_group_stops_the_pass(self, folder):
        path = folder / "p1.parquet"
        table = pa.table({"x": np.random.default_rng(0).random(4000), "y": ["a", "b"] * 2000})
        pq.write_table(table, path, row_group_size=1000, compression="gzip", use_dictionary=False)
        start = pq.ParquetFile(path).metadata.row_group(2).column(0).data_page_offset
        content = bytearray(path.read_bytes())
        content[start : start + 400] = bytes(400)
        path.write_bytes(content)
        with pytest.raises(DataError, match=r"p1\.parquet' \(rows 1 to 4,000\) must be"):
            open_chunks(str(folder / "*.parquet"))

    def test_a_gzipped_text_cut_short(self, folder):
        content = gzip.compress((folder / "c1.csv").read_bytes() * 50)
        (folder / "c1.csv.gz").write_bytes(content[:60])
        with pytest.raises(DataError, match=r"c1\.csv\.gz.*must be readable and complete"):
            open_chunks(folder / "c1.csv.gz")

    def test_hidden_files_are_no_part_of_a_folder(self, folder):
        for path in folder.glob("*.csv"):
            path.rename(folder / f"_{path.name}")
        assert len(find_files(folder)) == 3
