"""Cells, names and tables that are legal somewhere and a nuisance everywhere."""

import random
from collections.abc import Callable

MARKUP = (
    "<script>window.pwned=1</script>",
    "<img src=x onerror=window.pwned=1>",
    "</td></table><svg/onload=alert(1)>",
    "javascript:alert(1)",
    "[click](javascript:alert(1))",
    "![](http://example.invalid/x.png)",
    "**bold** _it_ `code` # head",
    ":material/delete: :red[x]",
    "$\\frac{1}{0}$",
    '"]; shape=box [label="x',
    "} digraph evil { a -> b",
    "{a|b}<f0>",
    "{{7*7}} ${7*7} %s %(x)s {0.__class__}",
    "'; DROP TABLE rows; --",
    "a\\nb\\l\\",
)
FORMULAS = ("=1+1", "+1+1", "@SUM(A1)", '=HYPERLINK("http://x")', "-2+3+cmd|' /C calc'!A0")
SCRIPTS = (
    "🙂", "👩‍👩‍👧‍👦", "שלום עולם", "مرحبا", "\u202eabc\u202c", "é",
    "e\u0301", "ﬁ", "ß", "İ", "日本語", "\u200b",
    "\ufeff", "\u2028", "\u0085", "\xa0", "\U0001f9ff", "\ufffd", "\x7f", "\x1b[31mred",
)  # fmt: skip
NUMBERS = (
    "1e308", "-1e308", "1.7976931348623157e308", "1e309", "-1e999",
    "1e-320", "5e-324", "-0", "-0.0",
    "0", "1", "inf", "-inf", "Infinity", "nan", "NaN",
    "9223372036854775808", "18446744073709551616",
    "-9223372036854775809", "9" * 400, "0." + "0" * 400 + "1", "0x1F", "1_000", "1,5", "1.234,5",
    "1 000", "1'000", "１２", "٣", "1e", "e5", "+5", "5-", "12%", "$12",
    "1/2", ".5", "5.", "1e5", "007",
)  # fmt: skip
MISSING = ("", " ", "?", "NA", "N/A", "null", "None", "nan", "-", "--", ".", "#N/A", "NULL", "n/a")
DATES = (
    "2020-01-01", "2020-02-30", "0000-00-00", "9999-12-31",
    "1600-01-01", "31/12/1999", "12/31/1999",
    "2020-01-01T23:59:60Z", "2020-01-01 10:00:00+14:00", "1970-01-01", "-5000-01-01", "99999-01-01",
    "Jan 5, 2020", "5.1.2020", "20200101", "2020-W01-1",
)  # fmt: skip
BOOLEANS = (
    "true", "false", "True", "FALSE", "yes", "no", "Y", "N", "t", "f", "0", "1", "on", "off",
)  # fmt: skip
FAMILIES = (MARKUP, FORMULAS, SCRIPTS, NUMBERS, MISSING, DATES, BOOLEANS)


def flip(chance: random.Random, content: bytes, *times: int) -> bytes:
    """Give some bytes any value: as many as one of the numbers says."""
    changed = bytearray(content)
    for _ in range(chance.choice(times)):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def odd_cell(chance: random.Random) -> str:
    """Draw one cell."""
    if chance.random() < 0.02:
        return chance.choice("xé🙂") * chance.choice((255, 256, 5000, 70_000))
    return chance.choice(chance.choice(FAMILIES))


def odd_column(chance: random.Random, n_rows: int) -> list[str]:
    """Draw a column: of one family, of few values, of numbers far apart, or of anything."""
    family = chance.choice(FAMILIES)
    few = [odd_cell(chance) for _ in range(chance.randint(1, 4))]
    power = chance.choice((-323, -300, -160, 0, 15, 150, 300, 307))
    base = chance.choice((0, 2**31, 2**53, 2**62, 10**17))
    share = chance.choice((0.01, 0.1, 0.9))
    cells: tuple[Callable[[int], str], ...] = (
        lambda row: chance.choice(family),
        lambda row: chance.choice(few),
        lambda row: f"{chance.uniform(-9, 9)}e{power}",
        lambda row: str(base + chance.randrange(5)),
        str,
        lambda row: few[0] if chance.random() < share else f"{chance.gauss(0, 1):.3f}",
        lambda row: odd_cell(chance),
    )
    cell = chance.choice(cells)
    return [cell(row) for row in range(n_rows)]


def ordinary_column(chance: random.Random, n_rows: int) -> list[str]:
    """Draw a column that any program can read."""
    if chance.random() < 0.5:
        return [f"{chance.gauss(50, 20):.1f}" for _ in range(n_rows)]
    values = ["red", "green", "blue", "grey"][: chance.randint(2, 4)]
    return [chance.choice(values) for _ in range(n_rows)]


def odd_table(chance: random.Random) -> list[list[str]]:
    """Draw a header and rows: odd and ordinary columns, odd names, a class of any kind."""
    n_rows = chance.choice((1, 2, 3, 5, 30, 30, 60, 100))
    n_columns = chance.choice((1, 2, 3, 3, 4, 6))
    columns = [
        (odd_column if chance.random() < 0.5 else ordinary_column)(chance, n_rows)
        for _ in range(n_columns)
    ]
    names = [odd_cell(chance) if chance.random() < 0.3 else f"c{n}" for n in range(n_columns)]
    classes = [odd_cell(chance) for _ in range(chance.choice((1, 2, 2, 3, 8)))]
    if chance.random() < 0.5:
        classes = ["no", "yes"]
    columns.append([chance.choice(classes) for _ in range(n_rows)])
    names.append(odd_cell(chance) if chance.random() < 0.2 else "class")
    return [names, *(list(row) for row in zip(*columns, strict=True))]
