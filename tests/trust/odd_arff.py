"""ARFF files, well formed, odd and broken."""

import random

from tests.trust.odd_cells import flip, odd_cell

_TYPES = (
    "numeric", "REAL", "Integer", "{a,b}", "{'a','b, c','}'}", "{ a , b , a }", "{}", "string",
    "date", "date 'yyyy-MM-dd'", "date yyyy", "relational", "colour", "", "{a", "{0,1}", "{?,a}",
)  # fmt: skip


def odd_arff(chance: random.Random) -> bytes:
    """Draw a file: mostly ordinary, with a few odd declarations, rows and bytes."""
    n_columns = chance.randint(1, 5)
    odd = chance.choice((0.0, 0.2, 0.6))
    types = [
        chance.choice(_TYPES) if chance.random() < odd else chance.choice(("numeric", "{a,b,c}"))
        for _ in range(n_columns)
    ]
    types.append("{yes,no}")
    lines = [chance.choice(("@relation r", "@RELATION 'a b'", "% note\n@relation r", "@relation"))]
    for number, kind in enumerate(types):
        name = _name(chance, number, odd)
        lines.append(f"{chance.choice(('@attribute', '@ATTRIBUTE'))} {name} {kind}")
    lines.append(chance.choice(("@data", "@DATA", "@data % rows")))
    lines += [_row(chance, types, odd) for _ in range(chance.choice((0, 1, 2, 30, 60)))]
    content = (
        chance.choice(("\n", "\r\n"))
        .join(lines)
        .encode(chance.choice(("utf-8", "utf-8", "utf-16", "latin-1")), "replace")
    )
    if chance.random() < 0.3:
        content = flip(chance, content, 1, 5)
    return content[: chance.randrange(len(content))] if chance.random() < 0.1 else content


def long_runs(chance: random.Random) -> bytes:
    """Draw a file with a very long run of one thing where a cell or a declaration should be."""
    run = (
        chance.choice((" ", "1", "'", '"', "\\", "'\\", '\\"', "{", "},", "a,", "\t", "0 1, "))
        * 60_000
    )
    row = chance.choice(("1,{},yes", "{{{}", "{{0 {} 1, 1 yes}}", "{}", "'{},yes", "1,{}"))
    kind = chance.choice(("numeric", "{a,b}", run, "{" + run, "'" + run))
    lines = [f"@attribute x {kind}", "@attribute y {yes,no}", "@data", "1,yes", row.format(run)]
    return "\n".join(["@relation r", *lines, "'2',\"no\""]).encode()


def _name(chance: random.Random, number: int, odd: float) -> str:
    if chance.random() >= odd:
        return f"c{number}"
    return chance.choice(("c0", "'a b'", '"q"', "'it\\'s'", "'open", "", "c\t0", odd_cell(chance)))


def _row(chance: random.Random, types: list[str], odd: float) -> str:
    if chance.random() < odd / 4:
        rows = "{0 1, 1 a}|{}|{0 1|{99 1}|{-1 x}|{a b}|% note||1|,,,|{0 1}, {5}"
        return chance.choice(rows.split("|"))
    cells = [_cell(chance, kind, odd) for kind in types]
    tail = ", {2.5}" if chance.random() < odd / 10 else ""
    return ",".join(cells) + tail


def _cell(chance: random.Random, kind: str, odd: float) -> str:
    if chance.random() < odd / 10:
        return chance.choice(("?", "'?'", "'x", '"a,b"', "\\", odd_cell(chance)))
    if kind == "{yes,no}":
        return chance.choice(("yes", "no"))
    if kind.startswith("{"):
        return chance.choice("abc")
    if kind.startswith("date"):
        return chance.choice(("2020-01-01", "'2020-01-02'", "2021"))
    return f"{chance.gauss(0, 9):.2f}"
