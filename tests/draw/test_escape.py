import csv
import io
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.draw import escape
from tests.draw.conftest import ESCAPED
from tests.small_tables import HOSTILE


@pytest.mark.parametrize("text", [*HOSTILE, *ESCAPED, "\x1b[31m", "\ud800", ""])
def test_html_text_is_text_again_after_parsing(text):
    parsed = ET.fromstring(f"<a t='{escape.html_text(text)}'>{escape.html_text(text)}</a>")
    assert (parsed.text or "") == escape.one_line(text)
    assert len(parsed) == 0
    assert parsed.get("t") == escape.one_line(text)


@given(st.text())
def test_one_line_can_be_written_anywhere(text):
    line = escape.one_line(text)
    line.encode("utf-8")
    assert "\n" not in line
    assert "\x00" not in line


@given(st.text())
def test_dot_string_has_no_open_quote(text):
    quoted = escape.dot_string(text)
    inside = quoted[1:-1].replace("\\\\", "").replace('\\"', "")
    assert '"' not in inside
    assert not inside.endswith("\\")


def test_formulas_in_csv_are_neutralised_and_numbers_not_touched():
    for number in ("-1", "+2.5", "-1e-7", "-.5", "12", "-3,5", "-10%"):
        assert escape.csv_text(number) == number
    for formula in ("=1+1", "+x", "-x", "@sum", "\t=1", "-1+cmd()", "%x", "|x"):
        assert escape.csv_text(formula) == f"'{formula}"


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])))
def test_csv_text_survives_a_csv_file(text):
    buffer = io.StringIO()
    csv.writer(buffer).writerow([escape.csv_text(text), "x"])
    buffer.seek(0)
    (row,) = csv.reader(buffer)
    assert row[0].lstrip("'") == text.lstrip("'")
