"""Words among numbers: missing where they are few, categories where they are many, and asked."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.ui.shared.alike_findings import together
from probtrees.ui.shared.finding_words import decided, is_question, is_told

from probtrees.errors import ProbTreesWarning
from probtrees.scale.passes.open_chunks import open_chunks
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table, read_to_predict
from probtrees.table.table_report import ColumnReport
from tests.table.tiny_table import csv

SIZES = ("38", "40", "42", "S", "M", "44", "46")


def sizes(cells: tuple[str, ...] = SIZES) -> tuple[str, bytes]:
    rows = [f"{cells[n % len(cells)]},{n % 5},{'ab'[n % 2]}" for n in range(10 * len(cells))]
    return csv("size,x,y", *rows)


def read(said: ReadOptions) -> ColumnReport:
    given = {"roles": said.roles, "types": said.types, "missing_in": said.missing_in}
    return inspect_table(sizes(), **given).column("size")  # type: ignore[arg-type]


def pressed(button: int) -> ReadOptions:
    (found,) = read(ReadOptions()).findings
    fix = found.fixes[button]
    return ReadOptions().with_fix("size", fix.setting, fix.value)


def test_sizes_are_categories_and_asked_about() -> None:
    report = inspect_table(sizes())
    assert report.usable
    (found,) = report.column("size").findings
    assert is_question(found, report)
    assert "numbers in 71% of its cells, and 'S' and 'M' in the rest" in found.sentence
    assert report.column("size").type == "nominal"
    data = read_table(sizes())
    assert set(data.schema.columns[0].categories or ()) == set(SIZES)


@pytest.mark.parametrize(
    ("button", "kind", "role"),
    [(0, "numeric", "feature"), (1, "nominal", "feature"), (2, "nominal", "ignore")],
)
def test_every_answer_settles_it(button: int, kind: str, role: str) -> None:
    column = read(pressed(button))
    assert (column.type, column.role) == (kind, role)
    assert column.n_missing == (20 if button == 0 else 0)
    assert not [f for f in column.findings if f.kind.startswith("mixed")]


def test_the_rest_is_missing_in_later_tables_too() -> None:
    data = read_table(sizes(), missing_in=pressed(0).missing_in)
    later = read_table(csv("size,x", "S,1", "39,2"), schema=data.schema)
    np.testing.assert_array_equal(later.values[:, 0], [np.nan, 39.0])


def shelter(*, every: int = 250, word: str = "kwar.", most: int = 60) -> tuple[str, bytes]:
    """Make 750 dogs in boxes with numbers up to ``most``; one in ``every`` is in another place."""
    boxes = [word if n % every == 7 else str(n * 7 % most + 1) for n in range(750)]
    rows = [f"{box},{n % 11},{'ab'[n % 3 > 1]}" for n, box in enumerate(boxes)]
    return csv("Boks,age,y", *rows)


def test_a_few_words_are_missing_and_one_click_keeps_them() -> None:
    report = inspect_table(shelter())
    assert report.usable
    column = report.column("Boks")
    (found,) = column.findings
    assert (column.type, column.n_missing) == ("numeric", 3)
    assert is_told(found, report)
    assert not is_question(found, report)
    assert found.sentence.startswith(
        "'kwar.' in 3 of 750 cells of column 'Boks' is read as missing"
    )
    assert "'kwar.' read as missing" in decided(report)
    (fix,) = found.fixes
    kept = ReadOptions().with_fix("Boks", fix.setting, fix.value)
    again = inspect_table(shelter(), **kept.arguments)
    assert (again.column("Boks").type, again.column("Boks").n_missing) == ("nominal", 0)
    assert "are values" in next(f.sentence for f in again.findings if f.kind == "said")


def test_python_warns_of_them_and_later_tables_know_them() -> None:
    with pytest.warns(ProbTreesWarning, match=r"'kwar\.' in 3 of 750 cells"):
        data = read_table(shelter())
    assert np.isnan(data.values[:, 0]).sum() == 3
    assert any("--keep-words" in note for note in data.provenance.notes)
    later = csv("Boks,age", *(f"{n % 60},1" for n in range(40)), "Kwar.,1", "gone,1", "away,1")
    rows = read_to_predict(later, data.schema)
    np.testing.assert_array_equal(rows.values[-3:, 0], np.nan)
    (note,) = (n for n in rows.provenance.notes if "'gone' and 'away' in 2 of" in n)
    assert "--recode Boks=gone=NUMBER" in note


def test_chunks_decide_in_their_first_pass(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(shelter()[1])
    table = open_chunks(tmp_path / "t.csv")
    assert table.schema.columns[0].categories is None
    assert any("'kwar.' in 3 of 750 cells" in note for note in table.provenance.notes)
    kept = open_chunks(tmp_path / "t.csv", keep_words=["Boks"])
    assert "kwar." in (kept.schema.columns[0].categories or ())


def test_many_words_and_codes_of_a_list_are_categories_with_one_click_for_all() -> None:
    for source, words in (
        (shelter(every=8), "kwar."),
        (shelter(every=15, word="K", most=12), "K"),
    ):
        report = inspect_table(source)
        assert report.usable
        (found,) = (f for f in report.column("Boks").findings if f.kind.startswith("mixed"))
        assert is_question(found, report)
        fix = found.fixes[0]
        assert (fix.label, fix.value) == ("Read as numbers, the rest missing", words)
        said = ReadOptions().with_fix("Boks", fix.setting, fix.value)
        assert inspect_table(source, **said.arguments).column("Boks").type == "numeric"


def test_several_words_of_a_column_cost_no_click() -> None:
    cells = ("38", "unknown", "40", *map(str, range(50, 76)), "soon")
    report = inspect_table(sizes(cells))
    assert report.usable
    (found,) = report.column("size").findings
    assert found.texts == ("unknown", "soon")


def test_the_same_words_in_several_columns_are_one_question() -> None:
    cells = [f"{n},{n / 7:.2f},{'ab'[n % 2]}" for n in range(1, 99)]
    found = inspect_table(csv("w,h,y", *cells, "lost,lost,a")).findings
    (shown,) = (f for f in together(found) if f.kind == "few words")
    assert shown.sentence == "'lost' among the numbers of 2 columns, 'w', 'h', is read as missing."
    (fix,) = shown.fixes
    assert ReadOptions().with_fix("w", fix.setting, fix.value).keep_words == ("h", "w")


def test_a_few_words_among_dates_are_missing_too() -> None:
    days = (f"2020-{n % 12 + 1:02d}-{n % 28 + 1:02d},{'ab'[n % 2]}" for n in range(60))
    column = inspect_table(csv("d,y", *days, "soon,a")).column("d")
    assert (column.type, column.n_missing) == ("date", 1)
    assert "few words" in [f.kind for f in column.findings]


def test_words_in_a_column_of_weights_are_told() -> None:
    rows = (f"{n % 4 + 0.5},{n % 7},{'ab'[n % 2]}" for n in range(60))
    source = csv("w,x,y", *rows, "none given,1,a")
    report = inspect_table(source, roles={"w": "weight"})
    assert "few words" in [f.kind for f in report.column("w").findings]


def test_words_among_amounts_that_all_differ_are_set_aside_with_a_question() -> None:
    letters = "abcdefghij"
    cells = [
        f"{n / 7 + 3:.3f}" if n % 3 else f"order {letters[n // 10]}{letters[n % 10]}"
        for n in range(90)
    ]
    rows = [f"{cell},{n % 5},{'ab'[n % 2]}" for n, cell in enumerate(cells)]
    report = inspect_table(csv("c,x,y", *rows))
    assert report.usable
    (found,) = report.column("c").findings
    assert (found.kind, report.column("c").role) == ("mixed ignored", "ignore")
    assert is_question(found, report)


def test_grades_in_digits_and_roman_numerals_are_offered_to_be_joined():
    grades = ["1", "2", "3", "4", "2", "1", "I", "II", "III", "3"]
    lines = [f"{grades[i % 10]},{i % 9},{'ny'[i % 4 > 1]}" for i in range(200)]
    content = ("t.csv", "\n".join(["ASA,x,ill", *lines]).encode())
    (found,) = inspect_table(content).column("ASA").findings
    assert (found.kind, found.fixes[0].setting) == ("variants", "join")
    assert "seem to say the same" in found.sentence
    data = read_table(content, join_values=["ASA"])
    assert data.schema.columns[0].categories == ("1", "2", "3", "4")
    later = read_table(("n.csv", b"ASA,x,ill\nII,1,n\n2,1,n\n"), schema=data.schema)
    assert later.values[:, 0].tolist() == [1, 1]
    other = ("t.csv", content[1].replace(b"III,", b"S,").replace(b"II,", b"M,"))
    assert [f.kind for f in inspect_table(other).column("ASA").findings][:1] != ["variants"]


def test_dashes_among_amounts_of_accounts_are_asked_about_and_count_as_zero() -> None:
    paid = [" -   " if n % 4 == 0 else f" {n * 41.25:,.2f} " for n in range(1, 91)]
    owed = [" -   " if n % 3 == 0 else f"({n * 1.5:.2f})" if n % 5 else "7.00" for n in range(90)]
    lab = ["-" if n % 3 == 0 else f"{n / 8:.2f}" for n in range(90)]
    rows = [
        f'"{a}","{b}",{c},{"ab"[n % 2]}'
        for n, (a, b, c) in enumerate(zip(paid, owed, lab, strict=True))
    ]
    source = csv("paid,owed,lab,y", *rows)
    report = inspect_table(source)
    asked = [f for f in together(report.findings) if is_question(f, report) and f.kind == "dashes"]
    (found,) = asked  # a dash among measures is missing
    assert "'-' among the numbers of 2 columns, 'paid', 'owed', is read as missing" in str(found)
    zero = found.fixes[0]
    assert zero.label == "Count '-' as 0"
    reading = ReadOptions().with_fix("paid", zero.setting, zero.value)
    data = read_table(source, **reading.arguments)
    assert data.values[:4, :2].tolist() == [[41.25, 0], [82.5, -1.5], [123.75, -3.0], [0, 0]]
    assert np.isnan(data.values[:, 2]).sum() == 30
    later = csv("paid,owed,lab,y", '-,"1,200.00",-,a')
    assert read_to_predict(later, data.schema).values[0, :2].tolist() == [0, 1200]
    said = [f for f in inspect_table(source, **reading.arguments).findings if f.kind == "said"]
    assert any("that mean none count as 0" in f.sentence for f in said)
