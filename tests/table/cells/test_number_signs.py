"""Numbers in other signs are respelled, and it is said how."""

from __future__ import annotations

import pytest

from probtrees.table.infer.inspect_table import inspect_table


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
