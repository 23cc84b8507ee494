"""Whatever people do to tables, chunks are read as the table is that is read at once."""

import re
import warnings

import numpy as np
import pandas as pd
import pytest

from probtrees.scale.passes import open_chunks as chunks
from probtrees.scale.passes.open_chunks import open_chunks, open_with_schema
from probtrees.table.read_table import read_table, read_to_predict

N_ROWS = 240


def clock(n):
    return f"{6 + n * 5 % 13:02d}{n * 7 % 60:02d}"


def decimals(n, has_comma):
    return f"{n * 7 % 240 / 61 + 0.05:.3f}".replace(".", "," if has_comma else ".")


HABITS = {
    "marks with tendencies": lambda n: ["1-", "2", "2+", "2-", "3", "4+", "5"][n % 7],
    "tendencies far below": lambda n: str(n % 4 + 1) if n < 200 else ["1-", "2+", "2-"][n % 3],
    "marks of ten": lambda n: ["7-", "8", "8+", "9", "10"][n % 5],
    "letters": lambda n: ["A+", "A", "A-", "B+", "B", "C"][n % 6],
    "points out of several": lambda n: f"{n % 19},{n % 9 + 1}/{20 if n % 3 else 40}",
    "another total far below": lambda n: f"{n % 19}/{20 if n < 200 else 40}",
    "points": lambda n: f"{n % 9}/9",
    "points of": lambda n: f"{n % 90} von {[100, 190][n % 2]}",
    "digits of a clock": clock,
    "a zero far below": lambda n: clock(n) if n > 150 else f"{10 + n % 9}{n * 7 % 60:02d}",
    "years;months": lambda n: f"{6 + n % 7};{n % 12}",
    "clock": lambda n: f"{n % 24}:{n * 7 % 60:02d}",
    "afternoons": lambda n: f"{n % 12 + 1}:{n % 60:02d} {['AM', 'PM'][n % 2]}",
    "durations": lambda n: f"{n % 3} h {n % 60:02d} min" if n % 4 else f"{n % 60} min",
    "laps": lambda n: f"{n % 3}:{n * 7 % 60:02d},{n % 10}",
    "feet": lambda n: f"{5 + n % 2}'{n % 12}",
    "pounds": lambda n: f"{6 + n % 3} lb {n % 16} oz",
    "how old": lambda n: f"{n % 5 + 1} y {n % 12} m" if n % 3 else f"{n % 11 + 1} m",
    "year(s)": lambda n: f"{n % 21} year(s), {n % 12} month(s), {n % 28} day(s)",
    "latitude": lambda n: f"{50 + n % 5}°{n % 60:02d}'{'NS'[n % 5 == 0]}",
    "lakh": lambda n: f"{n % 90 + 1} Lakh" if n % 3 else f"{n % 4 + 1}.5 Cr",
    "salaries": lambda n: [f"{40 + n % 30}k", f"€{40 + n % 30},000", "38-43k", "61.000 EUR"][n % 4],
    "units": lambda n: f"{n % 90 + 1} kg" if n % 3 else f"{(n % 90 + 1) * 1000} g",
    "a unit far below": lambda n: f"{n % 90 + 1}" if n < 200 else f"{n % 90 + 1} kg",
    "few grams": lambda n: "3450 g" if n in (3, 99) else f"{n % 9 + 1}.{n % 10}",
    "percent": lambda n: f"{n % 90} %",
    "dollars": lambda n: f"${n % 9 + 1},{n % 900 + 100}",
    "accounts": lambda n: f"({n % 9 + 1},{n % 900 + 100})" if n % 5 else f"{n % 9 + 1},100",
    "zeros in front": lambda n: f"{n % 40:05d}",
    "short codes": lambda n: f"0{n % 5 + 1}",
    "few words": lambda n: "kwar." if n in (3, 77) else str(n % 37),
    "words for decimals": lambda n: "kwar." if n in (3, 77) else f"{n % 7},{n % 9 + 1}00",
    "dashes": lambda n: "-" if n % 9 == 0 else str(n % 37),
    "not taken": lambda n: "not weighed" if n % 19 == 0 else f"{n % 37}.5",
    "limits": lambda n: "<5" if n % 9 == 0 else f"{n % 37 + 5}",
    "flags": lambda n: f"{n % 37 + 5} H" if n % 9 == 0 else f"{n % 37 + 5}",
    "dates": lambda n: f"{n % 28 + 1}.{n % 12 + 1}.2021",
    "dates of SAS": lambda n: f"{n % 28 + 1:02d}JUL2021",
    "dates of digits": lambda n: f"2021{n % 12 + 1:02d}{n % 28 + 1:02d}",
    "nines among dates": lambda n: "99999999" if n % 40 == 0 else f"2021{n % 12 + 1:02d}07",
    "short years": lambda n: f"{n % 28 + 1:02d}.{n % 12 + 1:02d}.{n % 30:02d}",
    "days among dates": lambda n: [f"2024-0{n % 6 + 1}-01", "45292", "2024-03"][n % 3],
    "quarters": lambda n: f"2022 Q{n % 4 + 1}",
    "several answers": lambda n: ["a|b", "a", "b", "a|c", "b|c"][n % 5],
    "ticked together": lambda n: ["1,2", "1", "2", "1,3", "2,3"][n % 5],
    "lists": lambda n: ["['a', 'b']", "['a']", "['b', 'c']"][n % 3],
    "two numbers": lambda n: f"{110 + n % 40}/{60 + n % 30}",
    "debit and credit": lambda n: f"{n % 9}.{n % 900 + 100},00 {'SH'[n % 2]}",
    "yes and no": lambda n: ["Yes", "yes", "no", "NO"][n % 4],
    "a minus behind": lambda n: f"{n % 37 + 10}.5{'' if n % 4 else '-'}",
    "seasons": lambda n: f"{2010 + n % 9}/{11 + n % 9}",
    "both marks": lambda n: decimals(n, n % 3),
    "the other mark far below": lambda n: decimals(n, n < 200),
    "few with the other mark": lambda n: decimals(n, n % 40),
    "either mark": lambda n: ["1,234", "2.345", "12,5", "7.125", "3,4"][n % 5],
    "nhc": lambda n: str(4000 + n * 7919 % 800_011),
    "never twice": lambda n: str(100_000 + n * 7919 % 800_011),
    "999": lambda n: "999" if n % 11 == 0 else str(n % 37),
    "words and numbers": lambda n: f"about {n % 40} or so",
}
"""What the cell of row ``n`` holds."""


def write(path, habits, separator):
    cells = {name: [cell(n) for n in range(N_ROWS)] for name, cell in habits.items()}
    frame = pd.DataFrame(cells | {"ill": ["xy"[n % 7 > 3] for n in range(N_ROWS)]})
    if separator:
        frame.to_csv(path, index=False, sep=separator)
    else:
        frame.to_parquet(path, index=False, row_group_size=80)
    return path


@pytest.fixture(scope="module", params=[";", ""], ids=["text", "parquet"])
def both(request, tmp_path_factory):
    """The table read at once and in chunks, with the rows of the chunks."""
    path = write(tmp_path_factory.mktemp("habits") / "t", HABITS, request.param)
    with pytest.MonkeyPatch.context() as patched, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        patched.setattr(chunks, "_MOST_ROWS", 80)
        patched.setattr(chunks, "_BLOCK_BYTES", 30_000)
        found, whole = open_chunks(path), read_table(path)
        assert len(list(found.chunks())) > 2
        again = open_with_schema(path, whole.schema, to_predict=True)
        return (
            whole,
            found,
            np.concatenate([chunk.values for chunk in found.chunks()]),
            np.concatenate([chunk.values for chunk in again.chunks()]),
        )


def plain(notes, name):
    """What is said of a column, without the examples: chunks do not know which comes first."""
    about = [note for note in notes if repr(name) in note]
    return [re.sub(r"\(.*?\)", "", note) for note in about]


@pytest.mark.parametrize("name", HABITS)
def test_a_habit_is_decided_as_in_the_whole_table(both, name):
    whole, found, values, scored = both
    of_whole = [n for n, column in enumerate(whole.schema.columns) if column.source_name == name]
    of_chunks = [n for n, column in enumerate(found.schema.columns) if column.source_name == name]
    assert [found.schema.columns[n] for n in of_chunks] == [
        whole.schema.columns[n] for n in of_whole
    ]
    np.testing.assert_array_equal(values[:, of_chunks], whole.values[:, of_whole])
    np.testing.assert_array_equal(scored[:, of_whole], whole.values[:, of_whole])
    assert plain(found.provenance.notes, name) == plain(whole.provenance.notes, name)


LATER = [
    ("marks with tendencies", lambda n: str(n % 5 + 1)),
    ("points out of several", lambda n: f"{n % 99}"),
    ("points out of several", lambda n: f"{n % 99} %"),
    ("percent", HABITS["points out of several"]),
    ("points", lambda n: str(n % 9)),
    ("digits of a clock", HABITS["clock"]),
    ("digits of a clock", lambda n: clock(n).lstrip("0")),
    ("durations", HABITS["clock"]),
    ("clock", HABITS["durations"]),
    ("units", lambda n: f"{n % 90 * 1000} g"),
    ("dates", lambda n: f"2021-{n % 12 + 1:02d}-{n % 28 + 1:02d}"),
    ("dates", HABITS["dates of digits"]),
    ("dates of digits", HABITS["dates"]),
    ("yes and no", lambda n: "YN"[n % 2]),
    ("both marks", lambda n: decimals(n, True)),
    ("both marks", lambda n: decimals(n, False)),
]
"""A habit of training, and what another program writes instead."""


@pytest.mark.parametrize(("name", "cell"), LATER, ids=range(len(LATER)))
def test_a_later_table_is_read_alike(name, cell, tmp_path, monkeypatch):
    monkeypatch.setattr(chunks, "_BLOCK_BYTES", 1000)
    trained = read_table(write(tmp_path / "t.csv", {name: HABITS[name]}, ","))
    later = write(tmp_path / "later.csv", {name: cell}, ",")
    table = open_with_schema(later, trained.schema, to_predict=True)
    values = np.concatenate([chunk.values for chunk in table.chunks()])
    whole = read_to_predict(later, trained.schema).values
    np.testing.assert_array_equal(values, whole)
    assert np.isfinite(whole[:, 0]).all()
