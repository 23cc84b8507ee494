"""Limits among numbers are numbers everywhere, which is told and taken back by an option."""

import numpy as np

from probtrees.cli.option_words import in_options
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.read_table import read_table


def table(cells: list[str]) -> tuple[str, bytes]:
    rows = [f"{cell},{'ab'[n % 3 > 0]}" for n, cell in enumerate(cells)]
    return "t.csv", "\n".join(["ck,y", *rows]).encode()


def test_limits_among_many_numbers_are_read_and_told_with_the_way_back() -> None:
    source = table(["<50" if n % 30 == 0 else str(50 + n * 7) for n in range(120)])
    data = read_table(source)
    column = data.schema.features[0]
    assert not column.is_nominal
    assert column.spelling.limits
    assert data.values[:2, 0].tolist() == [50.0, 57.0]
    (note,) = [note for note in data.provenance.notes if "'ck'" in note]
    assert "'<50' as 50, in 4 rows" in note
    assert "(--type ck=nominal)" in in_options(note, {"type": "--type"})
    kept = read_table(source, types={"ck": "nominal"})
    assert "<50" in (kept.schema.features[0].categories or ())


def test_numbers_with_limits_are_asked_about_like_others() -> None:
    cells = ["<50" if n % 30 == 0 else "999" if n % 20 == 1 else str(50 + n) for n in range(120)]
    kinds = {found.kind for found in inspect_table(table(cells)).column("ck").findings}
    assert kinds == {"limits", "maybe missing"}


def test_a_model_reads_limits_of_later_tables_alike() -> None:
    schema = read_table(table(["<50" if n % 30 == 0 else str(50 + n) for n in range(120)])).schema
    later = read_table(table(["<10", "60", ">90"]), schema=schema)
    np.testing.assert_array_equal(later.values[:, 0], [10.0, 60.0, 90.0])
