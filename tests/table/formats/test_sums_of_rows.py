"""Lines that are the sums or means of the rows above them, whatever they are called."""

from __future__ import annotations

import pytest
from probtrees.table.infer.inspect_table import inspect_table

GROUPS = ("Nord", "Ost", "West")
ROWS = [(GROUPS[n // 20], 100 + n * 37 % 83, n * 7 % 11 + 0.5, "yn"[n % 3 > 0]) for n in range(60)]
SALES, HOURS = ([row[place] for row in ROWS] for place in (1, 2))


def look(lines, **options):
    texts = [",".join("" if cell is None else str(cell) for cell in line) for line in lines]
    return inspect_table(("t.csv", "\n".join(["region,sales,h,y", *texts]).encode()), **options)


def with_sums(name, grand):
    lines = []
    for group in GROUPS:
        rows = [row for row in ROWS if row[0] == group]
        sums = [sum(row[place] for row in rows) for place in (1, 2)]
        lines += [*rows, (name(group), *sums, None)]
    return [*lines, (grand, sum(SALES), sum(HOURS), None)]


@pytest.mark.parametrize("word", ["{} Ergebnis", "{} Total", "Resultado {}", "", "{} 集計"])
def test_sums_of_groups_are_no_rows_whatever_they_are_called(word):
    lines = with_sums(word.format, "Gesamtergebnis" if word else "")
    report = look(lines)
    assert report.n_rows == len(ROWS)
    assert report.column("region").n_distinct == len(GROUPS)
    assert "totals" in [found.kind for found in report.findings]
    assert look(lines, as_written=["totals"]).n_rows == len(ROWS) + 4


@pytest.mark.parametrize(
    "line",
    [
        ("Yekun", sum(SALES), sum(HOURS), None),
        (None, sum(SALES), None, None),
        ("Schnitt", f"{sum(SALES) / 60:.1f}", f"{sum(HOURS) / 60:.2f}", None),
        ("Snitt", f"{sum(SALES) / 60:.2f}", None, None),
        ("n", 60, 60, None),
        ("Somma", f"{sum(SALES)}.00", sum(HOURS), None),
    ],
)
def test_a_last_line_of_sums_means_or_counts_is_no_row(line):
    assert look([*ROWS, line]).n_rows == len(ROWS)


@pytest.mark.parametrize(
    "line",
    [
        ("Nord", 140, 3.5, None),
        ("Nord", sum(SALES), sum(HOURS) + 1, None),
        ("Nord", sum(SALES), sum(HOURS), "y"),
        (None, 142, 5.5, "y"),
        ("Nord", 60, None, "y"),
    ],
)
def test_other_rows_that_lack_a_cell_are_rows(line):
    assert look([*ROWS, line]).n_rows == len(ROWS) + 1
