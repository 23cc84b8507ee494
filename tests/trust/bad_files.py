"""Files of tables that are broken, odd, or not tables: a generator with a name per kind.

Real samples are taken, cut down to some rows, and mistreated; other tables are made up. The
same seed always gives the same file.
"""

import csv
import gzip
import io
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

from probtrees.table.read_table import sample_names, sample_path
from tests.trust import odd_arff, odd_parquet
from tests.trust.odd_cells import flip, odd_cell, odd_table

Table = list[list[str]]


@dataclass(frozen=True)
class BadFile:
    """A file as a user would hand it over, and the kind of trouble in it."""

    kind: str
    name: str
    content: bytes


@cache
def _sample(name: str) -> tuple[tuple[str, ...], ...]:
    with open(sample_path(name), newline="", encoding="utf-8") as file:
        return tuple(tuple(row) for row in csv.reader(file))


def sample_rows(chance: random.Random) -> Table:
    """Take some rows of a sample, its header first."""
    header, *rows = _sample(chance.choice(sample_names()))
    picked = chance.sample(rows, min(len(rows), chance.choice((10, 40, 40, 120))))
    return [list(header), *(list(row) for row in picked)]


def as_text(table: Table, delimiter: str = ",", ending: str = "\n") -> bytes:
    """Write a table as delimited text."""
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=delimiter, lineterminator=ending).writerows(table)
    return buffer.getvalue().encode("utf-8", "replace")


def flipped(chance: random.Random) -> bytes:
    return flip(chance, as_text(sample_rows(chance)), 1, 1, 3, 20, 200)


def cut_short(chance: random.Random) -> bytes:
    content = as_text(sample_rows(chance))
    return content[: chance.randrange(len(content))]


def spliced(chance: random.Random) -> bytes:
    """A piece left out, doubled, or moved in from another file."""
    content, other = as_text(sample_rows(chance)), as_text(sample_rows(chance))
    start, end = sorted(chance.randrange(len(content)) for _ in range(2))
    piece = chance.choice((b"", content[start:end] * 2, other[start:end], other))
    return content[:start] + piece + content[end:]


def other_encoding(chance: random.Random) -> bytes:
    text = as_text(odd_table(chance) if chance.random() < 0.5 else sample_rows(chance)).decode()
    code = chance.choice(
        ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252", "latin-1", "shift_jis", "cp037",
         "utf-7", "gb18030", "koi8-r")
    )  # fmt: skip
    return text.encode(code, "replace")


def with_mark(chance: random.Random) -> bytes:
    """A byte order mark: its own, another's, twice, or in the middle."""
    mark = chance.choice((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\0\0", b"\xef\xbb"))
    content = as_text(sample_rows(chance))
    place = chance.choice((0, 0, len(content) // 2))
    return content[:place] + mark * chance.randint(1, 2) + content[place:]


def strewn(chance: random.Random, signs: str, times: tuple[int, ...]) -> bytes:
    """Signs put in anywhere."""
    content = bytearray(as_text(sample_rows(chance)))
    for _ in range(chance.choice(times)):
        content.insert(chance.randrange(len(content)), ord(chance.choice(signs)))
    return bytes(content)


def mixed_delimiters(chance: random.Random) -> bytes:
    lines = as_text(sample_rows(chance)).split(b"\n")
    other = chance.choice((b";", b"\t", b"|", b" ", b", ", b",,"))
    share = chance.choice((0.05, 0.5, 1.0))
    return b"\n".join(
        line.replace(b",", other) if chance.random() < share else line for line in lines
    )


def ragged(chance: random.Random) -> bytes:
    table = sample_rows(chance)
    for row in table:
        if chance.random() < chance.choice((0.02, 0.5)):
            del row[chance.randrange(len(row)) :]
        elif chance.random() < 0.05:
            row.extend(["", "1", "x"][: chance.randint(1, 3)])
    return as_text(table)


def odd_line_ends(chance: random.Random) -> bytes:
    content = as_text(sample_rows(chance))
    ends = (b"\r", b"\r\n", b"\n\r", b"\r\r\n", b"\n\n", b"\x0b", b"\x0c", b"\x1e")
    return b"".join(
        line + (chance.choice(ends) if chance.random() < 0.5 else b"\n")
        for line in content.split(b"\n")
    )


def odd_header(chance: random.Random) -> bytes:
    """Names twice, empty, like data, absent, or repeated in the middle."""
    table = sample_rows(chance)
    kind = chance.randrange(6)
    if kind == 0:
        table[0][-1] = table[0][0]
    elif kind == 1:
        table[0] = [chance.choice(("", " ", name)) for name in table[0]]
    elif kind == 2:
        table = table[1:]
    elif kind == 3:
        table.insert(len(table) // 2, list(table[0]))
    elif kind == 4:
        table[0] = [odd_cell(chance) for _ in table[0]]
    else:
        table[0] = [name.upper() if n % 2 else f" {name} " for n, name in enumerate(table[0])]
    return as_text(table)


def poisoned(chance: random.Random) -> bytes:
    """Odd cells strewn into a sample, or one of its columns replaced."""
    table = sample_rows(chance)
    if chance.random() < 0.5:
        column = chance.randrange(len(table[0]))
        few = [odd_cell(chance) for _ in range(chance.randint(1, 5))]
        for row in table[1:]:
            row[column] = chance.choice(few)
    else:
        for _ in range(chance.choice((1, 1, 5, 100))):
            row = chance.choice(table[1:])
            row[chance.randrange(len(row))] = odd_cell(chance)
    return as_text(table, chance.choice(",;\t|"))


def made_up(chance: random.Random) -> bytes:
    return as_text(odd_table(chance), chance.choice(",,,;\t|"), chance.choice(("\n", "\r\n")))


def huge_field(chance: random.Random) -> bytes:
    table = sample_rows(chance)
    row = chance.choice(table)
    row[chance.randrange(len(row))] = chance.choice('x,\n7"') * chance.choice((200_000, 3_000_000))
    return as_text(table)


def many_columns(chance: random.Random) -> bytes:
    n_columns = chance.choice((500, 3000, 10_000))
    n_rows = chance.choice((3, 20, 40))
    header = [f"c{n}" for n in range(n_columns)]
    rows = [
        [*(str(chance.randrange(3)) for _ in range(n_columns - 1)), chance.choice("ab")]
        for _ in range(n_rows)
    ]
    return as_text([header, *rows])


def many_values(chance: random.Random) -> bytes:
    """Thousands of values in a column, or of classes."""
    n_rows, n_values = chance.choice((500, 3000)), chance.choice((200, 900, 2500))
    rows = [[f"v{chance.randrange(n_values)}", chance.choice("ab"), "x"] for _ in range(n_rows)]
    for row in rows:
        row[2] = f"k{chance.randrange(n_values)}" if chance.random() < 0.5 else chance.choice("yn")
    order = chance.choice(((0, 1, 2), (1, 2, 0), (2, 0, 1)))
    return as_text([["a", "b", "c"], *([row[i] for i in order] for row in rows)])


def hardly_a_table(chance: random.Random) -> bytes:
    return chance.choice(
        (
            b"", b"\n", b"\n" * 5000, b"a", b"a\n", b",",
            b",,,\n,,,\n", b"\0" * 100, b"x" * 500_000,
            b"a,b\n" * 3, b'"', b'"a\n', b"\xff" * 300, chance.randbytes(3000), b"PK\x03\x04abc",
            b"%PDF-1.7", b"<html><body>1,2</body></html>",
            b'{"a": [1, 2]}', b"PAR1", b"@relation x",
            b"\x1f\x8b", b"a,b\n1,x\n2,y", b"a;b\n1;x\n\n\n2;y\n", b"#comment\na,b\n1,x\n2,y\n",
        )
    )  # fmt: skip


def packed(chance: random.Random) -> bytes:
    """Gzip: cut off, damaged, twice, of nothing, with tails, or of 60 MB of the same."""
    whole = gzip.compress(as_text(sample_rows(chance)), mtime=0)
    damaged = bytearray(whole)
    damaged[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
    same = chance.choice((b"\0", b"a", b",", b"1,2\n"))
    makers: tuple[Callable[[], bytes], ...] = (
        lambda: whole[: chance.randrange(2, len(whole))],
        lambda: bytes(damaged),
        lambda: gzip.compress(whole, mtime=0),
        lambda: gzip.compress(b"", mtime=0),
        lambda: whole + chance.choice((whole, b"tail", b"\0" * 10)),
        lambda: gzip.compress(same * 15_000_000, 1, mtime=0),
        lambda: gzip.compress(flipped(chance), mtime=0),
    )
    return chance.choice(makers)()


KINDS: dict[str, tuple[Callable[[random.Random], bytes], str, int]] = {
    "bytes flipped": (flipped, "t.csv", 10),
    "cut short": (cut_short, "t.csv", 5),
    "spliced": (spliced, "t.csv", 5),
    "other encoding": (other_encoding, "t.csv", 8),
    "byte order mark": (with_mark, "t.csv", 4),
    "zero bytes": (partial(strewn, signs="\0", times=(1, 5, 100)), "t.csv", 4),
    "mixed delimiters": (mixed_delimiters, "t.csv", 6),
    "ragged": (ragged, "t.csv", 6),
    "line ends": (odd_line_ends, "t.csv", 5),
    "quotes": (partial(strewn, signs="\"'`\\", times=(1, 2, 30)), "t.csv", 6),
    "header": (odd_header, "t.csv", 8),
    "odd cells": (poisoned, "t.csv", 25),
    "made up": (made_up, "t.csv", 30),
    "huge field": (huge_field, "t.csv", 1),
    "many columns": (many_columns, "t.csv", 1),
    "many values": (many_values, "t.csv", 2),
    "hardly a table": (hardly_a_table, "t.csv", 3),
    "gzip": (packed, "t.csv.gz", 4),
    "ARFF": (odd_arff.odd_arff, "t.arff", 10),
    "long runs": (odd_arff.long_runs, "t.arff", 4),
    "Parquet": (odd_parquet.odd_parquet, "t.parquet", 10),
}
"""By name: what makes the file, how it is called, and how often it is drawn."""


def bad_file(chance: random.Random, kind: str | None = None) -> BadFile:
    """Draw a file of a kind, or of any kind; now and then under a name that lies."""
    if kind is None:
        kind = chance.choices(list(KINDS), [often for _, _, often in KINDS.values()])[0]
    make, name, _ = KINDS[kind]
    content = make(chance)
    if chance.random() < 0.05:
        name = chance.choice(
            ("t.arff", "t.parquet", "t", "t.csv.gz", "ü 🙂.tsv", "a'b\"c.csv", "-x.csv")
        )
    return BadFile(kind, name, content)
