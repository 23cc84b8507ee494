"""Limits among numbers are numbers everywhere, which is told and taken back by an option."""

import numpy as np
import pytest
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.cli.option_words import in_options
from probtrees.errors import ProbTreesWarning
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


MIC = ["0.5", "1", "2", "4", "8", ">32", "<=0.25"]


def test_an_odd_unit_beside_limits_does_not_hide_that_they_are_numbers() -> None:
    source = table(["µg/mL", *MIC * 20])
    asked, told = inspect_table(source).column("ck").findings
    assert (asked.kind, told.kind, told.texts) == ("limits", "few words", ("µg/mL",))
    fix = asked.fixes[0]
    assert (fix.label, fix.setting, fix.value) == (
        "Read as numbers, '>32' as 32",
        "type",
        "numeric",
    )
    with pytest.warns(ProbTreesWarning, match="'µg/mL' in 1 of 141 cells"):
        data = read_table(source, types={"ck": "numeric"})
    np.testing.assert_array_equal(data.values[:8, 0], [np.nan, 0.5, 1, 2, 4, 8, 32, 0.25])


def test_other_words_beside_limits_are_asked_about_without_losing_the_limits() -> None:
    source = table(["1", "2", "3", "4+", "2", "3", "1", "2", "3"] * 20 + ["Studio"] * 4)
    asked = inspect_table(source).column("ck").findings[0]
    assert asked.fixes[0].label == "Read as numbers, '4+' as 4, words missing"
    with pytest.warns(ProbTreesWarning, match="'Studio' in 4 of 184 cells"):
        data = read_table(source, types={"ck": "numeric"})
    assert data.values[3, 0] == 4
    assert np.isnan(data.values[-4:, 0]).all()
    assert "Studio" in (read_table(source).schema.features[0].categories or ())


def test_nil_may_stand_in_most_rows_beside_many_different_amounts() -> None:
    cells = [f"{500 + n}/=" if n % 5 == 0 else ("nil", "Nil")[n % 2] for n in range(120)]
    data = read_table(table(cells))
    assert not data.schema.features[0].is_nominal
    assert data.values[:6, 0].tolist() == [500, 0, 0, 0, 0, 505]
    assert any("'Nil' as 0 and 'nil' as 0, in 96 rows" in note for note in data.provenance.notes)
    doses = ["none" if n % 5 else str(10 + n % 3) for n in range(120)]
    assert read_table(table(doses)).schema.features[0].is_nominal
