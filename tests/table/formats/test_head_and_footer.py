"""Lines above and below the rows: titles, names in one line or two, units, totals."""

import pytest

from probtrees.errors import DataError
from probtrees.table.findings import UnreadableTableError
from tests.table.formats.raw import column, kinds, raw

ROWS = [f"{20 + n % 50},{130 + n % 9},{3 + n % 3}.5,{'yes' if n % 3 else 'no'}" for n in range(40)]
NAMES = ("age", "Na", "K", "ill")
PLAIN = "age,Na,K,ill"

ABOVE = {
    "names": ([PLAIN], []),
    "a title": (["Ward 7", "", PLAIN], ["title"]),
    "a padded title": (["Ward 7,,,", ",,,", PLAIN], ["title"]),
    "two cells": (["Ward 7,2024,,", PLAIN], ["title"]),
    "names with line ends": (['age,Na,K,"ill"'], []),
}


@pytest.mark.parametrize("case", ABOVE)
def test_lines_above_the_rows_are_left_out_and_said(case: str) -> None:
    lines, expected = ABOVE[case]
    table = raw([*lines, *ROWS])
    assert (table.names, table.n_rows, kinds(table)) == (NAMES, 40, expected)
    if "title" in expected:
        assert table.findings[0].fixes[0].option == "header_lines"


JOINED = ("Patient age", "Blood Na", "Blood K", "Outcome ill")
TWO_LINES = {
    "merged": (["Patient,Blood,,Outcome", PLAIN], JOINED),
    "few groups": (["Patient,Blood,,", PLAIN], (*JOINED[:3], "Blood ill")),
    "repeated": (["Patient,Blood,Blood,Outcome", PLAIN], JOINED),
    "below a title": (["Ward 7", "", "Patient,Blood,Blood,Outcome", PLAIN], JOINED),
    "over two lines": (["age,Blood,,ill", ",Na,K,"], ("age", "Blood Na", "Blood K", "ill")),
    "units": ([PLAIN, "years,,mmol/l,"], ("age years", "Na", "K mmol/l", "ill")),
}


@pytest.mark.parametrize("case", TWO_LINES)
def test_two_lines_of_names_are_joined_on_request(case: str) -> None:
    lines, names = TWO_LINES[case]
    table = raw([*lines, *ROWS], header_lines=2)
    assert (table.names, table.n_rows) == (names, 40)


def test_header_lines_said() -> None:
    lines = ["Ward 7,,,", PLAIN, *ROWS]
    assert raw(lines, header_lines=1).names == ("Ward 7", "column 2", "column 3", "column 4")
    assert raw(lines, header_lines=1).n_rows == 41
    numbered = raw(["1.5,a", "2.5,b", "3,a"], header_lines=0)
    assert (numbered.names, numbered.n_rows) == (("column 1", "column 2"), 3)


@pytest.mark.parametrize(
    ("first", "is_row"), [("red,1,a", True), ("red,1,z", False), ("colour,1,a", False)]
)
def test_a_first_line_of_values_is_asked_about(first: str, is_row: bool) -> None:
    rows = [f"{('red', 'blue')[n % 2]},{n},{'ab'[n % 3 > 0]}" for n in range(20)]
    assert ("no names" in kinds(raw([first, *rows]))) == is_row


NAMELESS = {
    "row names": (['"","a","b"', '"Acura",5,"x"', '"BMW",6,"y"'], ("row names", "a", "b")),
    "a cell short": (["a,b", "Acura,5,x", "BMW,6,y"], ("row names", "a", "b")),
    "gaps, as in car90": (['"","a","b"', '"Acura",NA,"x"', '"BMW",6,NA'], ("row names", "a", "b")),
    "one column": (['"","x"', *(f'"Isle {n}",{n}' for n in range(9))], ("row names", "x")),
    "decimals": (['"","1.5","2.5"', '"a",1,2', '"b",3,4'], ("row names", "1.5", "2.5")),
    "in the middle": (["a,,b", "1,u,x", "2,v,y"], ("a", "column 2", "b")),
    "empty": (["a,b,", "1,x,", "2,y,"], ("a", "b")),
    "twice": (["a,b,a,a", "1,2,3,4", "5,6,7,8"], ("a", "b", "a (2)", "a (3)")),
    "with blanks": ([" a  name ,b", "1,2"], ("a name", "b")),
}


@pytest.mark.parametrize("case", NAMELESS)
def test_names_of_columns(case: str) -> None:
    lines, names = NAMELESS[case]
    table = raw(lines)
    assert tuple(table.columns) == table.names == names


BELOW = {
    "padded": (["Total,120,,"], 1),
    "short": (["Total,120"], 1),
    "alone": (["Total"], 1),
    "Russian": (["Итого,,,193427"], 1),
    "Japanese": (["合計,120,,"], 1),
    "a sign": (["∑,120,,"], 1),
    "Turkish": (["Genel Toplam:,120,,"], 1),
    "with words": (["Total of all wards,120,,"], 1),
    "an average": (["Media classe,6.4,,"], 1),
    "below a blank line": (["", "Total,20,,"], 1),
    "a row": (["P040,,,"], 0),
    "a whole row": (["", "P040,1.5,p,a"], 0),
}


@pytest.mark.parametrize("n_rows", [40, 4000])
@pytest.mark.parametrize("case", BELOW)
def test_totals_below_the_rows_are_left_out_and_said(case: str, n_rows: int) -> None:
    below, n_left_out = BELOW[case]
    rows = [f"P{n:04},{n % 7}.5,{'pq'[n % 2]},{'ab'[n % 3 > 0]}" for n in range(n_rows)]
    table = raw(["id,x,c,y", *rows, *below])
    assert table.n_rows == n_rows + (n_left_out == 0)
    assert column(table, "x")[0] == "0.5"
    said = [found.sentence for found in table.findings if found.kind == "totals"]
    assert len(said) == n_left_out


def test_a_note_below_the_rows_is_refused_by_its_line() -> None:
    with pytest.raises(DataError, match=r"row 41 .* \(line 43\) must have 4 cells"):
        raw([PLAIN, *ROWS, "", "Source: the ward's own list"])


def test_a_value_like_the_others_is_no_total() -> None:
    rows = [f"{n % 5},{('part', 'total')[n % 2]},{'ab'[n % 3 > 0]}" for n in range(42)]
    assert raw(["x,scope,y", *rows]).n_rows == 42


def test_another_way_is_offered_where_lines_differ() -> None:
    with pytest.raises(UnreadableTableError) as problem:
        raw(["Ward 7", "", PLAIN, *ROWS, "1,2,3,4,5", *ROWS])
    assert [fix.value for found in problem.value.findings for fix in found.fixes] == [1]
    with pytest.raises(DataError, match=r"line 43"):
        raw([PLAIN, *ROWS, "", "1,2,3,4,5"])
