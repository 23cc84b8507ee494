"""What chunks do not understand is said, with what to do."""

import gzip

import pytest

from probtrees.errors import DataError
from probtrees.scale.passes.open_chunks import open_chunks, open_with_schema
from probtrees.table.read_table import read_table

ROWS = [(n % 13, "ab"[n % 2], "xy"[n % 7 > 3]) for n in range(120)]
PLAIN = "n,kind,ill\n" + "".join(f"{n},{kind},{ill}\n" for n, kind, ill in ROWS)
INSTEAD = "In chunks that is not understood: leave out --chunks, or mend the files."


def rule() -> str:
    return "+----+------+-----+\n"


PRINTED = rule() + "| n  | kind | ill |\n" + rule()
PRINTED += "".join(f"| {n:<2} | {kind:<4} | {ill:<3} |\n" for n, kind, ill in ROWS) + rule()
AGAIN = PLAIN + "\n" + PLAIN
SUMS = "n,kind,ill\n" + "".join(
    f"{n},{kind},{ill}\n" + ("Subtotal,,\n" if at % 40 == 39 else "")
    for at, (n, kind, ill) in enumerate(ROWS[:-1])
)
WARDS = "ward,n,kind,ill\n" + "".join(
    f"{f'Ward {at // 20}' if at % 20 == 0 else ''},{n},{kind},{ill}\n"
    for at, (n, kind, ill) in enumerate(ROWS)
)
POINTS = "n;price;dose;ill\n" + "".join(
    f"{n};{10 + n}.{147 + n};{n},5;{ill}\n" for n, _, ill in ROWS
)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (PRINTED, "The text is a printed table."),
        (AGAIN, "The names of the columns stand there again in line 123"),
        (SUMS, "Lines between the rows, such as subtotals, are no rows"),
    ],
    ids=["printed", "names again", "subtotals"],
)
def test_an_error_says_why(tmp_path, content, words):
    (tmp_path / "t.csv").write_text(content)
    with pytest.raises(DataError, match=words) as problem:
        open_chunks(tmp_path / "t.csv")
    assert str(problem.value).endswith(INSTEAD)


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gz"])
@pytest.mark.parametrize(
    ("content", "words"),
    [
        (WARDS, "Column 'ward' has a value in 6 of 120 rows, each followed by empty cells"),
        (POINTS, "Points of 'price' group thousands"),
    ],
    ids=["merged", "points"],
)
def test_a_note_says_what_is_read_otherwise(tmp_path, content, words, packed):
    path = tmp_path / ("t.csv.gz" if packed else "t.csv")
    path.write_bytes(gzip.compress(content.encode()) if packed else content.encode())
    notes = [note for note in open_chunks(path).provenance.notes if note.endswith(INSTEAD)]
    assert len(notes) == 1
    assert notes[0].startswith(words)


def test_a_plain_table_is_read_without_a_word(tmp_path):
    (tmp_path / "t.csv").write_text(PLAIN)
    assert not [note for note in open_chunks(tmp_path / "t.csv").provenance.notes if "--ch" in note]


def test_a_model_of_filled_columns_is_refused(tmp_path):
    lines = WARDS.replace(",x\n", ",no\n").replace(",y\n", ",yes\n")
    data = read_table(("t.csv", lines.encode()), fill_down=["ward"], types={"ward": "nominal"})
    (tmp_path / "t.csv").write_text(lines)
    with pytest.raises(DataError, match="'ward' was filled down in training"):
        open_with_schema(tmp_path / "t.csv", data.schema, to_predict=True)
    open_with_schema(tmp_path / "t.csv", data.schema, unused=("ward",), to_predict=True)
