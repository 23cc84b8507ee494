"""Words for "no value" are kept as values of the column that it was said of, and of no other."""

import numpy as np
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.scale.passes.open_chunks import open_chunks
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_rows, read_table

LINES = [
    f"{'UNK' if n % 9 == 0 else n % 4},{'UNK' if n % 7 == 0 else n % 50},{'-' if n % 5 else 'x'},"
    f"{'yn'[n % 11 > 5]}"
    for n in range(200)
]
TABLE = "\n".join(["nyha,age,mark,ill", *LINES]).encode()


def test_the_remedy_is_about_its_column():
    report = inspect_table(("t.csv", TABLE))
    (found,) = report.column("nyha").findings
    (fix,) = found.fixes
    assert (fix.label, fix.setting, fix.value) == ("Keep it as a value", "keep_words", "nyha")
    kept = ReadOptions().with_fix("nyha", fix.setting, fix.value)
    again = inspect_table(("t.csv", TABLE), **kept.arguments)
    assert again.usable
    assert again.column("nyha").type == "nominal"
    assert again.column("nyha").n_missing == 0
    assert again.column("age").type == "numeric"
    assert again.column("age").n_missing > 0
    said = next(f for f in again.findings if f.kind == "said")
    assert said.sentence == "Dashes and words for 'no value' in column 'nyha' are values."
    (back,) = said.fixes
    assert kept.with_fix("nyha", back.setting, back.value) == ReadOptions()


def test_models_remember_it_and_chunks_do_so_too(tmp_path):
    data = read_table(("t.csv", TABLE), keep_words=["nyha", "mark"])
    nyha, age, mark, _ = data.schema.columns
    assert nyha.categories == ("0", "1", "2", "3", "UNK")
    assert mark.categories == ("-", "x")
    assert age.categories is None
    rows, _ = read_rows(("n.csv", b"nyha,age,mark\nUNK,UNK,-\n"), data.schema)
    np.testing.assert_array_equal(rows.values[0, :3], [4, np.nan, 0])
    (tmp_path / "t.csv").write_bytes(TABLE)
    chunked = open_chunks(tmp_path / "t.csv", keep_words=["nyha", "mark"])
    assert chunked.schema.columns == data.schema.columns
