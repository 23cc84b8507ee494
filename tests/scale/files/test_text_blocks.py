"""A text file in blocks: whole rows, the same ones, numbered through the file."""

import csv
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probtrees.errors import DataError
from probtrees.scale.files import table_files, text_blocks
from probtrees.scale.passes.open_chunks import open_chunks
from probtrees.table.formats import head_and_footer
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table

CELLS = st.sampled_from(["a", "b", "two\nlines", 'a "quoted" word', "x,y", "\n", "ends\r\nhere"])


def written(rows, line_end="\n"):
    text = io.StringIO()
    quoting = csv.QUOTE_ALL if line_end == "\r" else csv.QUOTE_MINIMAL  # else not around "\n"
    lines = csv.writer(text, lineterminator=line_end, quoting=quoting)
    lines.writerow(["first", "second", "class"])
    lines.writerows(rows)
    return text.getvalue().encode()


@given(
    cells=st.lists(st.tuples(CELLS, CELLS), min_size=10, max_size=60),
    block=st.integers(60, 300),
    line_end=st.sampled_from(["\n", "\r\n", "\r"]),
)
@settings(max_examples=200)
def test_blocks_are_whole_rows(tmp_path_factory, cells, block, line_end):
    path = tmp_path_factory.mktemp("text") / "t.csv"
    rows = [(*pair, str(number)) for number, pair in enumerate(cells)]
    path.write_bytes(written(rows, line_end))
    form = text_blocks.TextForm.of(str(path), ReadOptions())
    blocks = text_blocks._blocks(str(path), form, block)
    found = [row for text in blocks for row in csv.reader(io.StringIO(text.decode(), newline=""))]
    assert found == [list(row) for row in rows]


@pytest.fixture
def short_blocks(monkeypatch):
    monkeypatch.setattr(table_files, "_BLOCK_BYTES", 90)


@pytest.mark.parametrize("blank", ["", "\n", "\r\n"])
def test_a_bad_row_is_named_by_its_number_in_the_file(tmp_path, short_blocks, blank):
    path = tmp_path / "t.csv"
    lines = [f"a,{number},no\n" for number in range(60)]
    lines[50] = "a,b,c,d,no\n"
    path.write_text("first,second,class\n" + blank + "".join(lines), newline="")
    with pytest.raises(DataError, match=r"row 51 of .*t\.csv' must have 3 cells"):
        open_chunks(path)


ROWS = "".join(
    f"{word},{number / 7:.2f},{'no' if number % 3 else 'yes'}\n"
    for number, word in enumerate(["a", "b", '"two\nlines"'] * 30)
)
NAMES = "first,second,class\n"
WRITTEN = {
    "line ends of old": (NAMES + ROWS.replace("two\n", "two ")).replace("\n", "\r"),
    "inches": NAMES + ROWS.replace("b,1.", '5" pipe,1.', 1).replace("b,3.", '"a" b"c,3.', 1),
    "a name of two lines": '"first\nname",second,class\n' + ROWS,
    "all that may come first": "\ufeff\n\r\nsep=,\n" + '"first\nname",second,class\n' + ROWS,
    "rows that end in a comma": NAMES + ROWS.replace("no\n", "no,\n").replace("yes\n", "yes,\n"),
}


@pytest.mark.parametrize("text", WRITTEN.values(), ids=WRITTEN)
def test_rows_are_those_of_the_file_however_it_is_written(tmp_path, short_blocks, text):
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode())
    found, whole = open_chunks(path), read_table(path)
    assert len(list(found.chunks())) > 5
    assert found.schema == whole.schema
    assert np.array_equal(np.concatenate([c.values for c in found.chunks()]), whole.values)


def test_a_quote_that_is_never_closed_does_not_fill_the_memory(tmp_path, short_blocks, monkeypatch):
    monkeypatch.setattr(text_blocks, "_LONGEST_ROW", 300)
    path = tmp_path / "t.csv"
    lines = [f"a,{number},no\n" for number in range(200)]
    lines[60] = '"a,1,no\n'
    path.write_text(NAMES + "".join(lines))
    with pytest.raises(DataError, match=r"must end within 300 bytes. A quote"):
        open_chunks(path)


def test_names_longer_than_what_is_looked_at_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(head_and_footer, "LONGEST_HEAD", head_and_footer.HEAD)
    monkeypatch.setattr(text_blocks, "LONGEST_HEAD", head_and_footer.HEAD)
    path = tmp_path / "t.csv"
    path.write_text(",".join(f"a{number:05}" for number in range(20_000)) + "\n")
    with pytest.raises(DataError, match="names of the columns in at most 131,072 bytes"):
        open_chunks(path)
