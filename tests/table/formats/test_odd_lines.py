"""Lines of another number of cells are refused by their line, and left out if somebody says so."""

from __future__ import annotations

import pytest
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.cli import main
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_rows, read_table
from probtrees.table.table_report import UnreadableTableError

ROWS = [f"{n % 7}.5,{'pq'[n % 2]},{'ab'[n % 3 > 0]}" for n in range(40)]
ODD = [*ROWS[:10], "see note 3", *ROWS[10:30], "1.5,p,a,more", *ROWS[30:]]


def text(rows: list[str]) -> tuple[str, bytes]:
    return "t.csv", ("Report of May\n\nx,c,y\n" + "\n".join(rows) + "\n").encode()


def test_they_are_refused_with_a_click_that_leaves_them_out_and_one_back() -> None:
    with pytest.raises(UnreadableTableError, match="line 14") as refused:
        inspect_table(text(ODD))
    fix = refused.value.findings[0].fixes[0]
    assert fix.label == "Leave these 2 lines out"
    said = ReadOptions().with_fix(None, fix.setting, fix.value)
    report = inspect_table(text(ODD), odd_lines=said.odd_lines)
    assert report.n_rows == 40
    (told,) = (found for found in report.findings if "cells are left out" in found.sentence)
    assert told.sentence == "2 lines that have not 3 cells are left out ('see note 3')."
    back = told.fixes[0]
    assert said.with_fix(None, back.setting, back.value) == ReadOptions()


def test_the_table_is_as_if_they_were_not_there() -> None:
    data, plain = read_table(text(ODD), odd_lines="drop"), read_table(text(ROWS))
    assert data.values.tolist() == plain.values.tolist()
    with pytest.raises(UnreadableTableError):
        read_rows(text(ODD), plain.schema)


def test_on_the_command_line(tmp_path, capsys) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(text(ODD)[1])
    assert main(["grow", str(path)]) != 0
    assert "try --odd-lines drop" in capsys.readouterr().err
    assert main(["grow", str(path), "--odd-lines", "drop"]) == 0
    assert "2 lines that have not 3 cells are left out" in capsys.readouterr().err
    assert main(["grow", str(path), "--odd-lines", "drop", "--chunks"]) == 0
    assert "2 lines that have not 3 cells are left out" in capsys.readouterr().err
