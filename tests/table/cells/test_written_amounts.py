"""Money is shown as its file writes it, and joined names begin with a capital letter."""

from __future__ import annotations

import pytest

from probtrees.explain.rule import branch_predicates
from probtrees.grow.c45 import C45
from probtrees.table.number_text import number_text
from probtrees.table.read_table import read_table
from probtrees.table.spelling import Spelling


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("R$ {}", "R$ 1,050"),
        ("{} R$", "1,050 R$"),
        ("€{}", "€1,050"),
        ("{} EUR", "1,050 EUR"),
        ("CHF {}", "CHF 1,050"),
        ("{} zł", "1,050 zł"),
        ("US$ {}", "US$ 1,050"),
    ],
)
def test_money_is_written_as_in_the_file(cell: str, shown: str) -> None:
    paid = [1000 + 10 * (n % 10) for n in range(100)]
    rows = [f'"{cell.format(pay)}",{"yes" if pay > 1050 else "no"}' for pay in paid]
    data = read_table(("pay.csv", "\n".join(["pay,y", *rows]).encode()), target="y")
    column = data.schema.columns[0]
    assert number_text(1050, column.unit) == shown
    tree = C45().grow(data)
    assert f"≤ {shown}" in branch_predicates(tree, data.schema)
    assert Spelling.from_dict(column.spelling.to_dict()) == column.spelling


def test_a_joined_name_begins_with_a_capital_letter() -> None:
    places = ("langata", "langata", "Langata", "LANGATA", "Kasarani")
    rows = [f"{places[n % 5]},{'yes' if n % 3 else 'no'}" for n in range(100)]
    content = "\n".join(["place,y", *rows]).encode()
    data = read_table(("a.csv", content), target="y", join_values=["place"])
    assert data.schema.columns[0].categories == ("Kasarani", "Langata")
