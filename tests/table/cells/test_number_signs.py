"""Numbers in other signs are respelled, and it is said how."""

from __future__ import annotations

import pytest
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.table.read_table import read_table


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("{},520/=", "other signs ('1,520/=' is 1,520)"),
        ("{}½", "other signs ('1½' is 1.5)"),
        ("{}\u2009500", "spaces or signs that cannot be seen"),
    ],
)
def test_it_is_said_how_a_number_in_other_signs_is_read(cell: str, said: str) -> None:
    rows = [f'"{cell.format(1 + n % 8)}",{"yes" if n % 3 else "no"}' for n in range(80)]
    report = inspect_table(("fees.csv", "\n".join(["fee,left", *rows]).encode()), target="left")
    (found,) = (f for f in report.column("fee").findings if f.kind == "number spelling")
    assert said in found.sentence
    assert report.column("fee").type == "numeric"


@pytest.mark.parametrize(("up", "down"), ["▲▼", "↑↓"])
def test_arrows_before_numbers_are_signs_where_some_point_down(up: str, down: str) -> None:
    rows = [f"{down if n % 3 else up} {n % 40 + 0.5}%,{n % 7},{'ab'[n % 2]}" for n in range(120)]
    source = ("t.csv", "\n".join(["change,x,y", *rows]).encode())
    (found,) = (f for f in inspect_table(source).findings if f.kind == "number spelling")
    assert found.column == "change"
    assert f"'{up} 0.5%' is 0.5%" in found.sentence
    data = read_table(source)
    assert data.values[:3, 0].tolist() == [0.5, -1.5, -2.5]
    later = ("n.csv", f"change,x,y\n{down} 4%,1,a\n{up} 3%,1,b\n".encode())
    assert read_table(later, schema=data.schema).values[:, 0].tolist() == [-4, 3]


def test_arrows_before_some_numbers_are_no_signs() -> None:
    cells = [
        f"{'↑ ' if n % 40 > 30 else '↓ ' if n % 40 < 5 else ''}{n % 40 + 0.5}" for n in range(120)
    ]
    rows = [f"{cell},{n % 7},{'ab'[n % 2]}" for n, cell in enumerate(cells)]
    source = ("t.csv", "\n".join(["potassium,x,y", *rows]).encode())
    report = inspect_table(source)
    assert report.column("potassium").type == "nominal" or read_table(source).values[:, 0].min() > 0
